"""How decay groups, clipping and the schedule are tried."""

from collections.abc import Sequence
from typing import Any

import torch

from .. import See, scenario
from .adam import Function, Grads, wave

SHAPES = {"a matrix": (2, 3), "a bias": (40,), "the gain of a norm": (9,), "an embedding": (7, 3),
          "a filter": (2, 3, 2), "a single number": (), "a matrix of one row": (1, 4)}


def tensors(*names: str) -> list[torch.Tensor]:
    return [torch.ones(SHAPES[name], requires_grad=True) for name in names]


def decays(f: Function, params: list[torch.Tensor], weight_decay: float, lazy: bool = False,
           ) -> list[float]:
    """The decay that each parameter gets; -1: in no group, -2: in several, -3: none is said."""
    groups = [dict(group, params=list(group["params"]))
              for group in f(iter(params) if lazy else params, weight_decay)]
    found = [[float(g.get("weight_decay", -3)) for g in groups for p in g["params"] if p is one]
             for one in params]
    return [each[0] if len(each) == 1 else -1.0 - (len(each) > 1) for each in found]


@scenario("optim.decay_groups")
def decay_groups(f: Function, see: See) -> None:
    names = list(SHAPES)
    see(f"decay of {', '.join(names)}, of 0.3 asked for", decays, f, tensors(*names), 0.3)
    turned = names[::-1]
    see(f"decay of {', '.join(turned)}, of 0.1 asked for", decays, f, tensors(*turned), 0.1)
    see(f"places of {', '.join(turned)} in their groups", in_order, f, tensors(*turned))
    see("decay of a matrix and a bias that come from a generator, of 0.2 asked for", decays, f,
        tensors("a matrix", "a bias"), 0.2, lazy=True)
    see("decay of a bias, a matrix, a filter from a generator, of 0.5 asked for", decays, f,
        tensors("a bias", "a matrix", "a filter"), 0.5, lazy=True)
    see("decay and number of parameters, group by group, of a matrix and two vectors", as_given, f,
        tensors("a matrix", "a bias", "the gain of a norm"), 0.3)
    see("decay and number of parameters, group by group, of two matrices", as_given, f,
        tensors("a matrix", "an embedding"), 0.2)
    see("decay and number of parameters, group by group, of a vector", as_given, f,
        tensors("a bias"), 0.1)
    see("decay of a matrix and a bias, of 0 asked for", decays, f, tensors("a matrix", "a bias"),
        0.0)


def as_given(f: Function, params: list[torch.Tensor], weight_decay: float) -> list[float]:
    """The decay of each group and the number of its parameters, the largest decay first."""
    groups = [(g.get("weight_decay", -3), len(list(g["params"]))) for g in f(params, weight_decay)]
    return [float(x) for group in sorted(groups, reverse=True) for x in group]


def in_order(f: Function, params: list[torch.Tensor]) -> list[int]:
    """The places of all matrices as they come in their group, then those of the others."""
    groups = [list(group["params"]) for group in f(params, 0.1)]
    places = [at for group in groups for p in group for at, one in enumerate(params) if p is one]
    return sorted(places, key=lambda at: params[at].ndim < 2)  # a sort is stable


def clipped(f: Function, grads: Grads, max_norm: float, lazy: bool = False,
            ) -> tuple[Any, torch.Tensor]:
    """The norm that was given, and all gradients afterwards in one row."""
    params = [torch.full((3, 2), 5.0).requires_grad_() if g is None else
              torch.full_like(g, 5.0).requires_grad_() for g in grads]
    for p, g in zip(params, grads, strict=True):
        p.grad = None if g is None else g.clone()
    norm = f((p for p in params) if lazy else params, max_norm)
    after = [p.grad.reshape(-1) for p in params if p.grad is not None]
    return float(norm), torch.cat(after or [torch.zeros(0)])


CLIP = ("the norm before", "the gradients after")
LONG = [wave(2, 3, height=3.0), wave(4, by=0.9, height=8.0)]


@scenario("optim.clip_grad_norm")
def clip_grad_norm(f: Function, see: See) -> None:
    three_four = [torch.tensor([3.0, 0.0], dtype=torch.float64),
                  torch.tensor([[0.0], [4.0]], dtype=torch.float64)]
    see("gradients of length 3 and 4, at most 1", clipped, f, three_four, 1.0, parts=CLIP, tol=1e-6)
    see("two gradients, at most 2", clipped, f, LONG, 2.0, parts=CLIP, tol=1e-6)
    see("two gradients, at most 0.5", clipped, f, LONG, 0.5, parts=CLIP, tol=1e-6)
    small = [0.06 * g for g in LONG]
    for most in (0.5, 0.3):
        see(f"two small gradients, at most {most:g}", clipped, f, small, most, parts=CLIP, tol=1e-6)
    see("gradients of length 3 and 4, at most 10", clipped, f, three_four, 10.0, parts=CLIP,
        tol=1e-6)
    see("gradients of length 3 and 4, at most 4.5", clipped, f, three_four, 4.5, parts=CLIP,
        tol=1e-6)
    see("two short gradients, at most 1", clipped, f, [g / 100 for g in LONG], 1.0, parts=CLIP,
        tol=1e-6)
    see("the middle one of three has no gradient, at most 1", clipped, f,
        [LONG[0], None, LONG[1]], 1.0, parts=CLIP, tol=1e-6)
    see("two parameters without a gradient", clipped, f, [None, None], 1.0, parts=CLIP)
    see("one parameter from a generator, without a gradient", clipped, f, [None], 0.5, lazy=True,
        parts=CLIP)
    see("two gradients in float32, at most 2", clipped, f, [g.float() for g in LONG], 2.0,
        parts=CLIP, tol=1e-5)
    see("three parameters from a generator, at most 3", clipped, f, [*LONG, LONG[0] / 2], 3.0,
        lazy=True, parts=CLIP, tol=1e-6)
    see("parameters from a generator, at most 1", clipped, f, LONG, 1.0, lazy=True, parts=CLIP,
        tol=1e-6)


def rates(f: Function, steps: Sequence[int], *settings: Any) -> list[float]:
    return [float(f(step, *settings)) for step in steps]


def around(f: Function, steps: Sequence[int], warmup: int, *settings: Any) -> list[float]:
    """Without the step at which the warm-up ends: with warmup = total it may be peak or floor."""
    return [rate for step, rate in zip(steps, rates(f, steps, warmup, *settings), strict=True)
            if step != warmup]


@scenario("optim.warmup_cosine")
def warmup_cosine(f: Function, see: See) -> None:
    see("steps 0 … 12 with warmup 4, total 10, peak 2, floor 0.5", rates, f, range(13), 4, 10, 2.0,
        0.5)
    see("steps 0 … 9 with warmup 1, total 8, peak 0.3, floor 0", rates, f, range(10), 1, 8, 0.3,
        0.0)
    see("steps 0 … 6 with warmup 0, total 5, peak 1, floor 0.1", rates, f, range(7), 0, 5, 1.0, 0.1)
    see("steps 0 … 3 with warmup 0, total 3, peak 0.5, floor 0.2", rates, f, range(4), 0, 3, 0.5,
        0.2)
    see("steps 0, 50, 99, 100, 550, 1000, 5000 with warmup 100, total 1000, peak 6e-4, floor 6e-5",
        rates, f, (0, 50, 99, 100, 550, 1000, 5000), 100, 1000, 6e-4, 6e-5, tol=1e-12)
    see("steps 0, 2, 4, 9 with warmup 4, total 4, peak 2, floor 0.5", around, f, (0, 2, 4, 9), 4, 4,
        2.0, 0.5)
    see("steps 1, 3, 6 with warmup 3, total 3, peak 0.6, floor 0", around, f, (1, 3, 6), 3, 3, 0.6,
        0.0)
    see("steps 2, 5, 9 with warmup 3, total 9, floor = peak = 0.7", rates, f, (2, 5, 9), 3, 9, 0.7,
        0.7)
