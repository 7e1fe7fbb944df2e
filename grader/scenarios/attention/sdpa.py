"""How attention, its mask and its backward are tried when a submission is graded."""

import torch

from course.scenarios import See, gradient
from course.scenarios.attention.sdpa import (
    GRADS,
    PARTS,
    Function,
    before_and_after,
    last_far_above,
    lower,
    of_keys,
    of_values,
    out,
    qkv,
    some,
    weight_gradient,
)
from course.scenarios.functional import wave
from course.scenarios.guards import Elsewhere, without_autograd

from .. import hidden

FLAT = qkv(5, 3, 2, 6, by=0.4)
ONE = qkv(1, 5, 4, 3, (2,), by=0.6)
FOUR = qkv(3, 5, 2, 6, (4, 2), by=0.8)
LEFT = torch.arange(5) >= torch.tensor([0, 2, 3, 4])[:, None, None, None]  # padding on the left
SOME = wave(3, 5, by=2.2) > -0.5
PER_HEAD = wave(2, 3, 5, by=0.7) > -0.8
NONE = torch.zeros(3, 5, dtype=torch.bool)


@hidden("attention.score_variance")
def score_variance(f: Function, see: See) -> None:
    see("variance for another width", f, 96)
    see("variance for one entry", f, 1)
    see("variance divided by the width", f, 32, scale=1 / 32)
    see("variance with a factor above 1", f, 11, 1.5)


@hidden("attention.causal_mask")
def causal_mask(f: Function, see: See) -> None:
    def where() -> str:
        asked = torch.device("meta")
        with Elsewhere() as elsewhere:
            made = f(4, 6, asked)
        return "meta" if elsewhere.asked else str(made.device)

    see("a square mask", f, 6)
    see("two queries at the end", f, 2, 9)
    see("a mask for one new token", f, 1, 6)
    see("all but one position asks", f, 4, S=5)
    see("device=None", f, 3, 4, device=None)
    see("how many keys each query sees in a long text", lambda: f(4, 5000).sum(-1))
    see("the device asked for", where)
    see("many more queries than positions", f, 7, 2)


@hidden("attention.scaled_dot_product_attention")
def scaled_dot_product_attention(f: Function, see: See) -> None:
    q, k, v = FOUR
    wide = lower(3, 5) & LEFT & PER_HEAD
    up = wave(4, 2, 3, 6, by=3.3)
    see("more queries than keys", f, *FLAT, parts=PARTS)
    see("one query", f, *ONE, parts=PARTS)
    see("a single key", f, *(x[..., :1, :] for x in FLAT), parts=PARTS)
    see("two leading dimensions", some(f, 3), *FOUR, parts=PARTS)
    see("causal and padding mask together", some(f, 3), q, k, v, lower(3, 5) & LEFT, parts=PARTS)
    see("a mask of the full shape", some(f, 1), q, k, v, wide, parts=PARTS)
    see("a mask for each head", some(f, 2), q, k, v, PER_HEAD, parts=PARTS)
    see("a mask that allows everything", some(f, 2), q, k, v, ~NONE, parts=PARTS)
    see("a mask that allows nothing at all", some(f, 2), q, k, v, NONE, parts=PARTS)
    see("a mask [1, S], the same for every query", some(f, 2), q, k, v, SOME[1:2], parts=PARTS)
    see("a mask [S]", some(f, 2), q, k, v, SOME[2], parts=PARTS)
    see("a mask without dimensions", some(f, 2), q, k, v, torch.tensor(True), parts=PARTS)
    see("a mask without dimensions that allows nothing", some(f, 2), q, k, v, torch.tensor(False),
        parts=PARTS)
    see("the largest score masked", some(f, 2), *last_far_above(q, k, v), lower(3, 5), parts=PARTS)
    see("scores of several hundreds", some(f, 2), 90 * q, k, v, parts=PARTS)
    see("scores of several hundreds in float32", some(f, 2), 90 * q.float(), k.float(), v.float(),
        parts=PARTS, tol=1e-4)
    see("queries that are an expanded view", some(f, 1), q[:, :1].expand(4, 2, 3, 2), k, v, SOME,
        parts=PARTS)
    see("gradient to q, padded on the left", some_gradient(out(f)), q, up, k, v, lower(3, 5) & LEFT,
        tol=1e-7)
    see("gradient to k, padded on the left", some_gradient(of_keys(f)), k, up, q, v,
        lower(3, 5) & LEFT, tol=1e-7)
    see("gradient to v, padded on the left", some_gradient(of_values(f)), v, up, q, k,
        lower(3, 5) & LEFT, tol=1e-7)
    see("gradient to q through the weights", weight_gradient(f), q, k, v, SOME, tol=1e-7)
    see("what the last key and value change earlier", before_and_after(f), *ONE[:1], *(
        x[:, :3] for x in ONE[1:]), torch.tensor([[True, True, False]]), derive="largest change")


def some_gradient(f: Function) -> Function:
    """The gradient of the last batch item, where part of the keys is padding."""
    return lambda *inputs: gradient(f)(*inputs)[2]


@hidden("attention.attention_backward")
def attention_backward(f: Function, see: See) -> None:
    q, k, v = FOUR
    up = wave(4, 2, 3, 6, by=3.3)
    part = some(f, 3)
    see("more queries than keys", f, *FLAT, wave(5, 6, by=3.3), parts=GRADS)
    see("one query", f, *ONE, wave(2, 1, 3, by=3.3), parts=GRADS)
    see("two leading dimensions", part, *FOUR, up, parts=GRADS)
    see("causal and padding mask together", part, *FOUR, up, lower(3, 5) & LEFT, parts=GRADS)
    see("a mask for each head", part, *FOUR, up, PER_HEAD, parts=GRADS)
    see("a mask of the full shape", some(f, 1), *FOUR, up, lower(3, 5) & LEFT & PER_HEAD,
        parts=GRADS)
    see("one query and a mask", f, *ONE, wave(2, 1, 3, by=3.3), SOME[1:2], parts=GRADS)
    see("a mask that allows nothing at all", part, *FOUR, up, NONE, parts=GRADS)
    see("a mask [S]", part, *FOUR, up, SOME[2], parts=GRADS)
    see("a mask without dimensions", part, *FOUR, up, torch.tensor(True), parts=GRADS)
    see("the largest score masked", part, *last_far_above(q, k, v), up, lower(3, 5), parts=GRADS,
        tol=1e-7)
    see("scores of several hundreds", part, 90 * q, k, v, up, parts=GRADS)
    see("a gradient that is an expanded view", part, *FOUR, up[..., :1].expand(4, 2, 3, 6), SOME,
        parts=GRADS)
    see("a gradient that is twice as large", part, *FOUR, 2 * up, parts=GRADS)
    see("float32", part, *(x.float() for x in (*FOUR, up)), SOME, parts=GRADS, tol=1e-5)
    see("with autograd switched off", without_autograd(part), *FOUR, up, parts=GRADS)
