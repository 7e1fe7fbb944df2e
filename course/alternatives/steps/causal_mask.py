"""Other forms of the right answers to the steps about the mask."""

import math

import torch

from .. import also_right, alternative, sympy_form

CORNER, BOTH, FILL = (f"steps.causal_mask.{n}" for n in ("corner", "both_masks", "zero_fill"))

also_right(CORNER, 4 + 5)
also_right(CORNER, 9.0)
also_right(CORNER, torch.ones(2, 5).tril(3).sum(), "torch.ones(2, 5).tril(3).sum()")


@alternative(BOTH)
def unsqueezed(causal: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return causal.unsqueeze(0).unsqueeze(0) & real.unsqueeze(1).unsqueeze(1)


@alternative(BOTH)
def viewed(causal: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return torch.logical_and(real.view(len(real), 1, 1, -1), causal[None, None])


@alternative(BOTH)
def multiplied(causal: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return torch.einsum("ts,bs->bts", causal.int(), real.int()).bool()[:, None]


@alternative(BOTH)
def stacked(causal: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return torch.stack([(causal & row)[None] for row in real])


@alternative(FILL)
def with_both_exponentials(s: float, n: float) -> float:
    return n * math.exp(0) / (n * math.exp(0) + math.exp(s))


@alternative(FILL)
def one_minus(s: float, n: float) -> float:
    return 1 - math.exp(s) / (n + math.exp(s))


@alternative(FILL)
def in_torch(s: float, n: float) -> torch.Tensor:
    scores = torch.tensor([s] + [0.0] * int(n), dtype=torch.float64)
    return torch.softmax(scores, 0)[1:].sum()


for text in ("n / (n + exp(s))", "1 / (1 + exp(s) / n)"):
    sympy_form(FILL, text)

also_right("steps.causal_mask.inverted_mask", "A")
also_right("steps.causal_mask.no_mask_needed", " B")
