"""How the functions of `minillm.rope` are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.functional import wave
from course.scenarios.rope import F64, NEAR, Function, as_float64, numbers, tables

from . import hidden


@hidden("rope.rotation_matrix")
def rotation_matrix(f: Function, see: See) -> None:
    see("a turn of more than half a circle", f, 3.6, tol=1e-5)
    see("a quarter turn back", f, -1.5707963267948966, tol=1e-5)
    see("a turn there and back again", lambda a: f(a) @ f(-a), 0.9, tol=1e-5)
    see("a matrix and its transpose", lambda a: f(a).T @ f(a), -2.1, tol=1e-5)


@hidden("rope.rope_frequencies")
def rope_frequencies(f: Function, see: See) -> None:
    see("the frequencies of a wide head", f, 64, tol=1e-6)
    see("the frequencies of another base", f, 14, base=3.0, tol=1e-6)
    see("the wavelengths of a large base", lambda Dh: 1 / f(Dh, 500000.0), 16, tol=4e-5)
    see("the frequencies of the narrowest heads", f, 4, 81.0, tol=1e-6)


@hidden("rope.rope_tables")
def rope_tables(f: Function, see: See) -> None:
    theta = numbers(1.0, 0.42, 0.11, 0.013)
    both = ("cos", "sin")
    see("tables of one position far away", f, torch.tensor([83]), theta, parts=both)
    see("tables of positions that fall", f, torch.tensor([12, 4, 3]), theta[1:3], parts=both)
    see("tables of fractions", f, numbers(0.25, 7.7, 30.1), theta[:2], parts=both)
    see("tables of a single pair", f, torch.arange(5), theta[:1], parts=both)
    see("tables of positions below 0", f, torch.tensor([-5, -83]), theta, parts=both)
    see("tables of tensors that lie in another order in memory", f, torch.arange(9).flip(0)[::4],
        theta[::2], parts=both)
    see("tables in float32", f, torch.tensor([1, 6]), theta.float(), parts=both, tol=3e-6)
    low = numbers(1.0, 0.25, dtype=torch.bfloat16)
    see("tables of bfloat16 frequencies, far away", lambda p, t:
        torch.stack(tuple(f(p, t))).double(), torch.tensor([517, 2001]), low, tol=1e-2)


X4 = wave(3, 2, 5, 8, by=0.9)  # (B, H, T, Dh)
THREE = tables([3, 9, 4, 0, 21], [1.0, 0.4, 0.09])
FOUR = tables([3, 9, 4, 0, 21], [1.0, 0.4, 0.09, 0.01])


@hidden("rope.apply_rope")
def apply_rope(f: Function, see: See) -> None:
    def one_head(x: torch.Tensor, *rest: Any, **more: Any) -> Any:
        return f(x, *rest, **more)[1:2, 1:]

    see("neighbours, all pairs", one_head, X4, *FOUR)
    see("neighbours, some pairs", one_head, X4, *THREE)
    see("halves, all pairs", one_head, X4, *FOUR, interleaved=False)
    see("halves, some pairs", one_head, X4, *THREE, interleaved=False)
    see("one position after a cache", f, X4[:, 0, :1], *(t[-1:] for t in FOUR))
    see("a matrix without leading dimensions", f, X4[2, 1], *FOUR)
    see("an x that is not contiguous", lambda x, *t: f(x, *t)[:1, 0], X4.flip(-1).transpose(0, 1),
        *THREE)
    see("halves in float32", lambda x, *t: f(x, *t, interleaved=False)[0, :1], X4.float(),
        *(t.float() for t in THREE), tol=1e-6)
    see("halves in bfloat16", lambda x, *t: f(x, *t, interleaved=False)[0, :1], X4.bfloat16(),
        *(t.float() for t in THREE), tol=2e-2)
    for interleaved in (True, False):
        see(f"float16, {'neighbours' if interleaved else 'halves'}", lambda x, *t, i=interleaved:
            f(x, *t, interleaved=i), X4[0, 1].half(), *(t.float() for t in THREE), tol=2e-2)
    see("one text and one head", f, X4[:1, :1], *THREE)
    see("gradient, neighbours of some pairs", gradient(f), X4[0, 0], wave(5, 8, by=3.1), *THREE)
    see("gradient, halves of some pairs", gradient(f), X4[0, 0], wave(5, 8, by=3.1), *THREE,
        interleaved=False)


@hidden("rope.half_split_order")
def half_split_order(f: Function, see: See) -> None:
    see("the order of a wide head", f, 16)
    see("the order of three pairs", f, 6)
    see("applied to a matrix", lambda Dh:
        torch.arange(3.0 * Dh, dtype=F64).view(3, Dh)[:, f(Dh)], 4)


@hidden("rope.interpolate_positions")
def interpolate_positions(f: Function, see: See) -> None:
    see("many whole positions", as_float64(f), torch.arange(3, 40, 6), 8.0, tol=1e-6)
    see("positions in float64", f, numbers(1.0, 255.0, 1023.0), 3.7)
    see("positions far away", as_float64(f), torch.tensor([40000, 70001]), 8.0, tol=1e-6)
    see("positions in float16", f, numbers(1.0, 7.0, 30.5, dtype=torch.float16), 4.0, tol=2e-3)
    see("a batch of positions that lies in another order in memory", as_float64(f),
        torch.arange(6).view(3, 2).T, 2.5, tol=1e-6)
    see("a batch of positions", as_float64(f), torch.arange(12).view(3, 4), 1.5, tol=1e-6)


@hidden("rope.ntk_base")
def ntk_base(f: Function, see: See) -> None:
    see("a wide head", f, 10000.0, 16.0, 64, tol=NEAR)
    see("a narrow head", f, 500.0, 1.7, 4, tol=NEAR)
    see("a head of 10", f, 10000.0, 5.0, 10, tol=NEAR)


@hidden("rope.yarn_frequencies")
def yarn_frequencies(f: Function, see: See) -> None:
    theta = numbers(1.0, 0.5, 0.21, 0.03, 0.008, 0.0007)
    see("with the betas of the paper", f, theta, 8.0, 512)
    see("with other betas", f, theta, 4.0, 64, beta_fast=6, beta_slow=0.8)
    see("a text so long that all are kept", f, theta, 4.0, 10**6)
    see("a text so short that all are slowed", f, theta, 3.0, 5)
    see("in float32", f, theta.float(), 2.0, 777, tol=1e-6)
    see("in float16", f, theta.half(), 2.0, 777, tol=2e-2)


@hidden("rope.yarn_attention_factor")
def yarn_attention_factor(f: Function, see: See) -> None:
    for scale in (1.5, 8.0, 100.0):
        see(f"the factor for {scale:g} times the length", f, scale, tol=NEAR)
