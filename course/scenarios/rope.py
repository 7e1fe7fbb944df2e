"""How the functions of `minillm.rope` are tried."""

from collections.abc import Callable
from typing import Any

import torch

from . import See, gradient, scenario
from .functional import wave

Function = Callable[..., Any]
F64 = torch.float64
NEAR = 1e-6  # a number may have been worked out by torch, in float32


def tables(positions: Any, frequencies: Any, dtype: torch.dtype = F64) -> Any:
    """cos and sin of every angle, from torch alone, for functions that are given them."""
    angles = torch.tensor(positions, dtype=dtype)[:, None] * torch.tensor(frequencies, dtype=dtype)
    return angles.cos(), angles.sin()


def numbers(*values: float, dtype: torch.dtype = F64) -> torch.Tensor:
    return torch.tensor(values, dtype=dtype)


def as_float64(f: Function) -> Function:
    """The values alone, where any float dtype will do."""
    return lambda *inputs, **more: f(*inputs, **more).double()


@scenario("rope.rotation_matrix")
def rotation_matrix(f: Function, see: See) -> None:
    see("R(0.5)", f, 0.5, tol=1e-5)
    see("R(-1.2)", f, -1.2, tol=1e-5)
    see("R(2.8)", f, 2.8, tol=1e-5)
    see("R(0)", f, 0.0, tol=1e-5)
    see("[1, 0] turned by 0.7", lambda a: f(a)[:, 0], 0.7, tol=1e-5)


@scenario("rope.rope_frequencies")
def rope_frequencies(f: Function, see: See) -> None:
    see("the 4 frequencies of Dh = 8", f, 8, tol=1e-6)
    see("the 3 frequencies of Dh = 6, base 100", f, 6, base=100.0, tol=1e-6)
    see("the 5 frequencies of Dh = 10, base 7", f, 10, 7.0, tol=1e-6)
    see("the frequency of Dh = 2, base 50", f, 2, base=50.0, tol=1e-6)
    see("the wavelengths of Dh = 12, in positions", lambda Dh: 1 / f(Dh), 12, tol=2e-5)


@scenario("rope.rope_tables")
def rope_tables(f: Function, see: See) -> None:
    theta = numbers(1.0, 0.3, 0.04)
    both = ("cos", "sin")
    see("tables of positions 0 1 2 3", f, torch.arange(4), theta, parts=both)
    see("tables of positions 9 10, as after a cache of 9", f, torch.tensor([9, 10]), theta,
        parts=both)
    see("tables of positions 5 0 3 5, in this order", f, torch.tensor([5, 0, 3, 5]), theta[:2],
        parts=both)
    see("tables of positions 0.5 1.75 2.3", f, numbers(0.5, 1.75, 2.3), theta[:2], parts=both)
    see("tables of positions -3 2 -1", f, torch.tensor([-3, 2, -1]), theta, parts=both)
    see("tables of positions -0.5 -7.25", f, numbers(-0.5, -7.25), theta[:2], parts=both)
    see("tables of frequencies 1 0.3 0.04 in float32", f, torch.tensor([0, 2, 11]), theta.float(),
        parts=both, tol=3e-6)
    long = torch.tensor([301, 1003])
    half = numbers(1.0, 0.5, 0.0625, dtype=torch.bfloat16)  # exact in bfloat16
    for at, name in enumerate(both):
        see(f"{name} of positions 301 1003 for bfloat16 frequencies", lambda p, t, at=at:
            f(p, t)[at].double(), long, half, tol=1e-2)


X = wave(2, 3, 6)  # T = 3, three pairs
HEADS = wave(2, 3, 5, 4, by=2.1).transpose(1, 2)  # (B, T, H, Dh) turned to (B, H, T, Dh)
WIDE = wave(3, 10, by=1.3)
POSITIONS, THETA = [0, 1, 4], [1.0, 0.3, 0.07]
AWAY = tables([11, 12, 40], THETA)
TURN = tables(POSITIONS, THETA)
TWO = tables([2, 5, 7], [0.9, 0.2])


def scores_of_a_shift(f: Function) -> Function:
    """Scores of three queries with three keys, and the same when all positions grow by 50."""

    def both(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        out = []
        for start in (0, 50):
            cos, sin = tables([p + start for p in POSITIONS], THETA)
            out.append(f(q, cos, sin) @ f(k, cos, sin).transpose(-1, -2))
        return torch.stack(out)

    return both


@scenario("rope.apply_rope")
def apply_rope(f: Function, see: See) -> None:
    see("x of shape [2, 3, 6] at positions 0 1 4", f, X, *TURN)
    see("x of shape [2, 3, 6] at positions 11 12 40", f, X, *AWAY)
    see("one query at position 11", f, X[0, :1], *(t[:1] for t in AWAY))
    see("two heads of x of shape [2, 5, 3, 4], from a transpose", lambda x, c, s:
        f(x, c, s)[:, 2:4], HEADS, *TWO)
    see("x of width 10, two pairs turn", f, WIDE, *TWO)
    see("a single text: x of shape [1, 3, 6]", f, X[:1], *TURN)
    see("a single text of one head: x of shape [1, 1, 3, 6]", f, X[None, 1:], *AWAY)
    see("x in two halves of 3", f, X, *TURN, interleaved=False)
    see("x in two halves of 3 at positions 11 12 40", f, X, *AWAY, interleaved=False)
    see("x of width 10 in halves, two pairs turn", f, WIDE, *TWO, interleaved=False)
    see("lengths of the heads, before and after", lambda x, c, s: torch.stack(
        [x.norm(dim=-1), f(x, c, s).norm(dim=-1)]), X, *AWAY, derive="largest change")
    see("scores, and the same 50 positions later", scores_of_a_shift(f), X[0], X[1],
        derive="largest change")
    low = tables(POSITIONS, THETA, torch.float32)
    see("x in float32", f, X.float(), *low, tol=1e-6)
    see("x in bfloat16 with tables in float32", f, X.bfloat16(), *low, tol=2e-2)
    see("x of width 10 in bfloat16, in halves", f, WIDE.bfloat16(),
        *tables([2, 5, 7], [0.9, 0.2], torch.float32), interleaved=False, tol=2e-2)
    see("gradient through the turn", gradient(f), X, wave(2, 3, 6, by=2.3), *TURN)
    see("gradient where two pairs turn", gradient(f), WIDE, wave(3, 10, by=2.3), *TWO)
    see("gradient in halves, two pairs turn", gradient(f), WIDE, wave(3, 10, by=2.3), *TWO,
        interleaved=False)


@scenario("rope.half_split_order")
def half_split_order(f: Function, see: See) -> None:
    see("order for Dh = 8", f, 8)
    see("order for Dh = 6", f, 6)
    see("order for Dh = 2", f, 2)
    see("a head of 10 numbers 0.5 1.5 2.5 … in this order", lambda Dh:
        (torch.arange(Dh, dtype=F64) + 0.5)[f(Dh)], 10)


@scenario("rope.interpolate_positions")
def interpolate_positions(f: Function, see: See) -> None:
    see("positions 0 … 6 with scale 4", as_float64(f), torch.arange(7), 4.0, tol=1e-6)
    see("positions 100 257 511 with scale 2", as_float64(f), torch.tensor([100, 257, 511]), 2.0,
        tol=1e-6)
    see("positions [[0 1 2] [7 8 9]] with scale 3", as_float64(f),
        torch.tensor([[0, 1, 2], [7, 8, 9]]), 3.0, tol=1e-6)
    see("positions 0.5 3 10 in float64 with scale 1.6", f, numbers(0.5, 3.0, 10.0), 1.6)
    see("positions 7.3 255 in float64 with scale 12", f, numbers(7.3, 255.0), 12.0)
    see("positions 3 10 in float32 with scale 1.6", f, torch.tensor([3.0, 10.0]), 1.6, tol=1e-6)
    see("positions 5 6 with scale 1", as_float64(f), torch.tensor([5, 6]), 1.0, tol=1e-6)


@scenario("rope.ntk_base")
def ntk_base(f: Function, see: See) -> None:
    see("the base for scale 4, Dh = 8", f, 10000.0, 4.0, 8, tol=NEAR)
    see("the base for scale 2.5, Dh = 6, from base 100", f, 100.0, 2.5, 6, tol=NEAR)
    see("the base for scale 8, Dh = 128, from base 500000", f, 500000.0, 8.0, 128, tol=NEAR)
    see("the base for scale 1.7, Dh = 4, from base 50", f, 50.0, 1.7, 4, tol=NEAR)
    see("the base for scale 1, Dh = 8", f, 10000.0, 1.0, 8, tol=NEAR)
    see("how much slower the slowest pair of Dh = 10 is, scale 6", lambda base: (
        float(f(base, 6.0, 10)) / base) ** (8 / 10), 10000.0, tol=NEAR)


FAST_TO_SLOW = numbers(1.0, 0.3, 0.05, 0.012, 0.002)  # 15.9, 4.8, 0.8, 0.2, 0.03 turns in 100


@scenario("rope.yarn_frequencies")
def yarn_frequencies(f: Function, see: See) -> None:
    theta = FAST_TO_SLOW
    see("frequencies for scale 4, trained on 100, betas 8 and 0.5", f, theta, 4.0, 100, 8, 0.5)
    see("frequencies for scale 4, trained on 1000", f, theta, 4.0, 1000)
    see("frequencies for scale 2.5, trained on 4096", f, theta, 2.5, 4096)
    see("frequencies for scale 3, trained on 300, beta_fast 12", f, theta, 3.0, 300, beta_fast=12)
    see("frequencies for scale 3, trained on 300, beta_slow 2", f, theta, 3.0, 300, beta_slow=2)
    see("frequencies for scale 1", f, theta, 1.0, 300)
    see("the same frequencies in another order", f, theta[[3, 0, 4, 1]], 4.0, 1000)
    see("frequencies in float32", f, theta.float(), 4.0, 1000, tol=1e-6)


@scenario("rope.yarn_attention_factor")
def yarn_attention_factor(f: Function, see: See) -> None:
    for scale in (4.0, 2.0, 32.0, 1.0):
        see(f"the factor for scale {scale:g}", f, scale, tol=NEAR)
