"""How attention itself, its mask and its backward are tried."""

import math
from collections.abc import Callable
from typing import Any

import torch

from .. import See, gradient, scenario
from ..functional import wave
from ..guards import Elsewhere, without_autograd

Function = Callable[..., Any]
PARTS = ("out", "weights")
GRADS = ("dq", "dk", "dv")


def qkv(T: int, S: int, Dh: int, Dv: int, lead: tuple[int, ...] = (), by: float = 0.0,
        ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Queries, keys and values of one shape family; `by` gives other numbers."""
    return (wave(*lead, T, Dh, by=1.7 + by), wave(*lead, S, Dh, by=2.3 + by, height=1.5),
            wave(*lead, S, Dv, by=2.9 + by))


def lower(T: int, S: int) -> torch.Tensor:
    """The causal mask, by comparing positions."""
    return torch.arange(S) <= torch.arange(S - T, S)[:, None]


def all_near(level: float, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
             ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The same, but with scores near a level, which is no matter to a softmax."""
    q, k = q.clone(), k.clone()
    q[..., 0] = (abs(level) * math.sqrt(q.shape[-1])) ** 0.5
    k[..., 0] = math.copysign(q[..., 0].max(), level)
    return q, k, v


def last_far_above(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
                   ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The same, but every score of the last key is far above all others."""
    q, k = q.clone(), k.clone()
    q[..., 0] = q[..., 0].abs() + 1
    k[..., -1, 0] = 1e6  # a number added to a masked score has to be larger still
    return q, k, v


def as_heads(*each: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The same numbers as split_heads leaves them in memory: positions first, then heads."""
    return tuple(x.transpose(-3, -2).contiguous().transpose(-3, -2) for x in each)


def some(f: Function, *at: Any) -> Function:
    """The same function, of whose tensors only the part `at` is kept."""
    return lambda *inputs: tuple(each[at] for each in f(*inputs))


def out(f: Function) -> Function:
    """The outputs alone."""
    return lambda q, k, v, mask=None: f(q, k, v, mask)[0]


def of_keys(f: Function) -> Function:
    """The same with the keys in front, for the gradient to them."""
    return lambda k, q, v, mask: f(q, k, v, mask)[0]


def of_values(f: Function) -> Function:
    return lambda v, q, k, mask: f(q, k, v, mask)[0]


def weight_gradient(f: Function) -> Function:
    """The gradient that comes back through the second result."""

    def slope(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> Any:
        leaf = q.clone().requires_grad_()
        weights = f(leaf, k, v, mask)[1]
        return torch.autograd.grad(weights, leaf, wave(*weights.shape, by=3.3))[0]

    return slope


def before_and_after(f: Function) -> Function:
    """Outputs before and after the last key and value changed."""

    def both(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        later_k, later_v = k.clone(), v.clone()
        later_k[..., -1, :] += 2.0
        later_v[..., -1, :] -= 3.0
        return torch.stack([f(q, k, v, mask)[0], f(q, later_k, later_v, mask)[0]])

    return both


@scenario("attention.score_variance")
def score_variance(f: Function, see: See) -> None:
    see("variance for d_k = 64", f, 64)
    see("variance for d_k = 5", f, 5)
    see("variance for d_k = 16 and scale = 0.5", f, 16, scale=0.5)
    see("variance for d_k = 3 and scale = 4", f, 3, 4.0)
    see("variance for d_k = 64 and scale = 1/8", f, 64, scale=0.125)
    see("variance for d_k = 7 and scale = -2", f, 7, scale=-2.0)
    see("variance for d_k = 3 and scale = 0.75", f, 3, scale=0.75)


@scenario("attention.causal_mask")
def causal_mask(f: Function, see: See) -> None:
    def where(*sizes: int) -> str:
        asked = torch.device("meta")
        with Elsewhere() as elsewhere:
            made = f(*sizes, device=asked)
        if not isinstance(made, torch.Tensor):
            raise TypeError(f"the mask is no tensor but {type(made).__name__}")
        return "meta" if elsewhere.asked else str(made.device)

    see("causal_mask(3)", f, 3)
    see("causal_mask(4, 4)", f, 4, 4)
    see("causal_mask(2, 5)", f, 2, 5)
    see("causal_mask(4, S=7)", f, 4, S=7)
    see("causal_mask(1, 4)", f, 1, 4)
    see("causal_mask(1)", f, 1)
    for T, S in ((2, 2000), (3, 3000)):
        see(f"how many keys each query may see in causal_mask({T}, {S})",
            lambda T, S: f(T, S).sum(-1), T, S)
    see("the device of causal_mask(3, device=\"meta\")", where, 3)
    see("the device of causal_mask(2, 5, device=\"meta\")", where, 2, 5)
    see("causal_mask(3, 2), more queries than positions", f, 3, 2)
    see("causal_mask(6, S=1), more queries than positions", f, 6, S=1)


FLAT = qkv(2, 5, 3, 4)
THREE = qkv(3, 4, 5, 6, (2,))
FOUR = qkv(4, 7, 6, 5, (2, 3))
SQUARE = qkv(4, 4, 3, 2)
PADDING = torch.arange(7) < torch.tensor([7, 4])[:, None, None, None]  # (B, 1, 1, S)
HOLES = torch.tensor([[True, False, True, True], [False] * 4, [True, True, False, True]])
BLIND = torch.tensor([[[True]], [[False]]])  # the second batch item may attend to nothing
UP, UP3 = wave(2, 4, by=3.1), wave(2, 3, 6, by=3.1)


@scenario("attention.scaled_dot_product_attention")
def scaled_dot_product_attention(f: Function, see: See) -> None:
    q, k, v = FLAT
    q3, k3, v3 = THREE
    causal, square = lower(3, 4), lower(4, 4)
    see("T = 2 queries, S = 5 keys", f, *FLAT, parts=PARTS)
    see("B = 2, T = 3, S = 4", f, *THREE, parts=PARTS)
    see("B = 2, T = 3, S = 4, causal mask", f, *THREE, causal, parts=PARTS)
    see("T = S = 4, causal mask", f, *SQUARE, square, parts=PARTS)
    see("B = 2, H = 3, T = 4, S = 7, padding mask [B, 1, 1, S]", some(f, 1), *FOUR, PADDING,
        parts=PARTS)
    see("a mask [T, S] in whose row 1 nothing is allowed", f, *THREE, HOLES, parts=PARTS)
    see("a mask [B, 1, 1] that allows batch item 1 nothing", f, *THREE, BLIND, parts=PARTS)
    see("T = S = 4, no mask", f, *SQUARE, parts=PARTS)
    see("T = 1 query, S = 4 keys, a mask that allows three", f, q3[:, 1:2], k3, v3, HOLES[2:],
        parts=PARTS)
    see("a mask [S], the same for every query", f, *THREE, HOLES[2], parts=PARTS)
    see("large scores", f, 900 * q3, k3, v3, parts=PARTS)
    see("scores that are all near -100000, causal mask", f, *all_near(-1e5, *THREE), causal,
        parts=PARTS)
    see("the largest score far above the others and masked", f, *last_far_above(*THREE), causal,
        parts=PARTS)
    see("heads that are a transposed view [B, H, T, Dh]", some(f, 1, 0), *as_heads(*FOUR),
        parts=PARTS)
    see("keys that are a transposed view", f, q, k.T.contiguous().T, v, parts=PARTS)
    see("float32", f, *(x.float() for x in THREE), causal, parts=PARTS, tol=1e-6)
    see("gradient to q", gradient(out(f)), q3, UP3, k3, v3, causal, tol=1e-7)
    see("gradient to q where row 1 may attend to nothing", gradient(out(f)), q3, UP3, k3, v3, HOLES,
        tol=1e-7)
    see("gradient to k where row 1 may attend to nothing", gradient(of_keys(f)), k3, UP3, q3, v3,
        HOLES, tol=1e-7)
    see("gradient to v where row 1 may attend to nothing", gradient(of_values(f)), v3, UP3, q3, k3,
        HOLES, tol=1e-7)
    see("gradient to q through the weights", weight_gradient(f), q3, k3, v3, causal, tol=1e-7)
    see("what the last key and value change in earlier outputs", before_and_after(f), *THREE,
        lower(3, 4), derive="largest change but in the last row")
    see("queries of width 3 with keys of width 4", f, q, wave(5, 4), v)
    see("5 keys with 4 values", f, q, k, v[:4])


@scenario("attention.attention_backward")
def attention_backward(f: Function, see: See) -> None:
    causal, square = lower(3, 4), lower(4, 4)
    up4, up_square = wave(2, 3, 4, 5, by=3.1), wave(4, 2, by=3.1)
    see("T = 2 queries, S = 5 keys", f, *FLAT, UP, parts=GRADS)
    see("B = 2, T = 3, S = 4", f, *THREE, UP3, parts=GRADS)
    see("B = 2, T = 3, S = 4, causal mask", f, *THREE, UP3, causal, parts=GRADS)
    see("T = S = 4, causal mask", f, *SQUARE, up_square, square, parts=GRADS)
    see("T = S = 4", f, *SQUARE, up_square, parts=GRADS)
    see("B = 2, H = 3, T = 4, S = 7, padding mask [B, 1, 1, S]", some(f, 1, slice(1, 3)), *FOUR,
        up4, PADDING, parts=GRADS)
    see("a mask [T, S] in whose row 1 nothing is allowed", f, *THREE, UP3, HOLES, parts=GRADS)
    see("T = 1 query, S = 4 keys, a mask that allows three", f, THREE[0][:, 1:2], *THREE[1:],
        UP3[:, 1:2], HOLES[2:], parts=GRADS)
    see("a mask [S], the same for every query", f, *THREE, UP3, HOLES[2], parts=GRADS)
    see("large scores", f, 900 * THREE[0], *THREE[1:], UP3, parts=GRADS)
    see("scores that are all near 100000", f, *all_near(1e5, *THREE), UP3, parts=GRADS,
        tol=1e-7)
    see("scores that are all near -100000, causal mask", f, *all_near(-1e5, *THREE), UP3, causal,
        parts=GRADS, tol=1e-7)
    see("the largest score far above the others and masked", f, *last_far_above(*THREE), UP3,
        causal, parts=GRADS, tol=1e-7)
    see("heads that are a transposed view [B, H, T, Dh]", some(f, 1, 0), *as_heads(*FOUR, up4),
        parts=GRADS)
    see("float32", f, *(x.float() for x in (*THREE, UP3)), causal, parts=GRADS, tol=1e-5)
    see("with autograd switched off", without_autograd(f), *FLAT, UP, parts=GRADS)
