"""How the steps about the mask are tried."""

from typing import Any

import torch

from .. import See, choice_steps, expression, number_steps, scenario

choice_steps("steps.causal_mask.inverted_mask", "steps.causal_mask.no_mask_needed")
number_steps("steps.causal_mask.corner")


def lower(T: int, S: int) -> torch.Tensor:
    return torch.arange(S) <= torch.arange(S - T, S)[:, None]


@scenario("steps.causal_mask.both_masks")
def both_masks(answer: Any, see: See) -> None:
    real = torch.tensor([[True, True, True, False], [True, True, False, False]])
    see("both masks for B = 2, T = 3, S = 4", answer, lower(3, 4), real)
    see("both masks for B = 2, T = S = 4", answer, lower(4, 4), real)
    left = torch.tensor([[False, True, True], [True, True, True], [False, False, True]])
    see("both masks for B = 3, T = 2, S = 3, padding on the left", answer, lower(2, 3), left)


@scenario("steps.causal_mask.zero_fill")
def zero_fill(answer: Any, see: See) -> None:
    points = [{"s": s, "n": n} for s, n in ((0.0, 3), (2.0, 5), (-1.0, 1), (4.0, 63))]
    expression(see, answer, points)
