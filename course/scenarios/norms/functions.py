"""How the functions of `minillm.norms` are tried."""

from collections.abc import Callable
from typing import Any

import torch

from .. import See, gradient, scenario
from ..functional import wave
from ..guards import without_autograd

Function = Callable[..., Any]
GRADS = ("dx", "dweight")
THREE_GRADS = ("dx", "dweight", "dbias")


def gain(D: int) -> torch.Tensor:
    return 1.2 + wave(D, by=2.9, height=0.7)


def offset(D: int) -> torch.Tensor:
    return wave(D, by=0.8, height=0.9)


def any_sign(D: int) -> torch.Tensor:
    """A gain with numbers on both sides of 0, and 0 itself in the last column."""
    return wave(D, by=2.9, height=0.7) * (torch.arange(D) < D - 1)


X2 = wave(2, 5) + 0.7  # rows whose mean is not 0
X3 = wave(2, 3, 4, by=2.3) + 0.4
SQUARE = wave(4, 4, by=1.1) - 0.5  # a statistic without its dimension fits here in silence
X1 = wave(6, by=0.9) + 0.3
CROSSED = wave(3, 2, 4, by=1.9).transpose(0, 1) + 0.3  # as heads lie in memory: no view joins them
LEVEL = torch.tensor([[2.0, 2.0, 2.0], [1.0, 0.0, -4.0]], dtype=torch.float64)
UP2, UP3, UP1 = wave(2, 5, by=2.1), wave(2, 3, 4, by=0.7), wave(6, by=2.7)
UP_CROSSED = wave(3, 2, 4, by=0.6).transpose(0, 1)


def bfloat16(*inputs: torch.Tensor) -> list[torch.Tensor]:
    return [each.bfloat16() for each in inputs]


def second_of_two(f: Function) -> Function:
    """What a function gives when it is called again with the very same tensors."""
    def call(*inputs: Any) -> Any:
        f(*inputs)
        return f(*inputs)

    return call


@scenario("norms.layer_norm")
def layer_norm(f: Function, see: See) -> None:
    def of_weight(w: torch.Tensor, x: torch.Tensor, b: torch.Tensor) -> Any:
        return f(x, w, b)

    def of_bias(b: torch.Tensor, x: torch.Tensor, w: torch.Tensor) -> Any:
        return f(x, w, b)

    see("layer_norm of two rows", f, X2, gain(5), offset(5))
    see("layer_norm of shape [2, 3, 4]", f, X3, gain(4), offset(4))
    see("layer_norm of shape [4, 4]", f, SQUARE, gain(4), offset(4))
    see("layer_norm of one row", f, X1, gain(6), offset(6))
    see("layer_norm with gains of both signs and 0", f, X2, any_sign(5), offset(5))
    see("layer_norm of [2, 3, 4] with gains of both signs and 0", f, X3, any_sign(4), None)
    see("layer_norm with gain 1 and offset 0", f, X2, torch.ones_like(X2[0]),
        torch.zeros_like(X2[0]))
    see("layer_norm without an offset, bias=None", f, X2, gain(5), None)
    see("layer_norm with eps=0.5", f, X2, gain(5), offset(5), eps=0.5)
    see("layer_norm of smaller numbers with eps=0.5", f, X3 / 4, gain(4), offset(4), eps=0.5)
    see("layer_norm of numbers near 0.001", f, X3 / 1000, gain(4), offset(4))
    see("layer_norm of numbers near 100", f, X2 + 100, gain(5), offset(5), tol=1e-8)
    see("layer_norm where the entries of a row are equal", f, LEVEL, gain(3), offset(3))
    see("layer_norm of [2, 3, 4] that lies in another order in memory", f, CROSSED, gain(4),
        offset(4))
    see("layer_norm in float32", f, X2.float(), gain(5).float(), offset(5).float(), tol=1e-6)
    see("layer_norm in bfloat16", f, *bfloat16(X2, gain(5), offset(5)), tol=0.05)
    see("layer_norm of [2, 3, 4] in bfloat16", f, *bfloat16(X3, gain(4), offset(4)), tol=0.05)
    see("gradient to x", gradient(f), X2, UP2, gain(5), offset(5))
    see("gradient to x of shape [2, 3, 4]", gradient(f), X3, UP3, gain(4), offset(4))
    see("gradient to the gain", gradient(of_weight), gain(5), UP2, X2, offset(5))
    see("gradient to the offset", gradient(of_bias), offset(5), UP2, X2, gain(5))
    see("rows of width 5 with a gain of width 4", f, X2, gain(4), offset(5))


@scenario("norms.rms_norm")
def rms_norm(f: Function, see: See) -> None:
    def of_weight(w: torch.Tensor, x: torch.Tensor) -> Any:
        return f(x, w)

    see("rms_norm of two rows", f, X2, gain(5))
    see("rms_norm of shape [2, 3, 4]", f, X3, gain(4))
    see("rms_norm of shape [4, 4]", f, SQUARE, gain(4))
    see("rms_norm of one row", f, X1, gain(6))
    see("rms_norm with gains of both signs and 0", f, X2, any_sign(5))
    see("rms_norm of [2, 3, 4] with gains of both signs and 0", f, X3, any_sign(4))
    see("rms_norm with gain 1", f, X2, torch.ones_like(X2[0]))
    see("rms_norm with eps=0.5", f, X2, gain(5), eps=0.5)
    see("rms_norm of smaller numbers with eps=0.5", f, X3 / 4, gain(4), eps=0.5)
    see("rms_norm of numbers near 0.001", f, X3 / 1000, gain(4))
    see("rms_norm of a row of zeros, and another", f, torch.stack([0 * X1, X1]), gain(6))
    see("rms_norm of [2, 3, 4] that lies in another order in memory", f, CROSSED, gain(4))
    see("rms_norm in float32", f, X2.float(), gain(5).float(), tol=1e-6)
    see("rms_norm in bfloat16", f, *bfloat16(X2, gain(5)), tol=0.05)
    see("rms_norm of [2, 3, 4] in bfloat16", f, *bfloat16(X3, gain(4)), tol=0.05)
    see("gradient to x", gradient(f), X2, UP2, gain(5))
    see("gradient to x of shape [2, 3, 4]", gradient(f), X3, UP3, gain(4))
    see("gradient to the gain", gradient(of_weight), gain(5), UP2, X2)
    see("rows of width 5 with a gain of width 4", f, X2, gain(4))


@scenario("norms.rms_norm_backward")
def rms_norm_backward(f: Function, see: See) -> None:
    see("two rows", f, X2, gain(5), UP2, parts=GRADS)
    see("x of shape [2, 3, 4]", f, X3, gain(4), UP3, parts=GRADS)
    see("x of shape [4, 4]", f, SQUARE, gain(4), wave(4, 4, by=0.6), parts=GRADS)
    see("one row", f, X1, gain(6), UP1, parts=GRADS)
    see("another row, of width 4", f, X3[0, 0], gain(4), UP3[0, 0], parts=GRADS)
    see("gains of both signs and 0", f, X2, any_sign(5), UP2, parts=GRADS)
    see("gains of both signs and 0, width 4", f, X3, any_sign(4), UP3, parts=GRADS)
    see("gain 1", f, X2, torch.ones_like(X2[0]), UP2, parts=GRADS)
    see("eps=0.5", f, X2, gain(5), UP2, eps=0.5, parts=GRADS)
    see("numbers near 0.001", f, X3 / 1000, gain(4), UP3, parts=GRADS)
    see("x and gradient that lie in another order in memory", f, CROSSED, gain(4), UP_CROSSED,
        parts=GRADS)
    see("the same tensors a second time", second_of_two(f), X2, gain(5), UP2, parts=GRADS)
    see("with autograd switched off", without_autograd(f), X3, gain(4), UP3, parts=GRADS)
    see("float32", f, X2.float(), gain(5).float(), UP2.float(), parts=GRADS, tol=1e-5)
    see("bfloat16", f, *bfloat16(X2, gain(5), UP2), parts=GRADS, tol=0.1)


@scenario("norms.layer_norm_backward")
def layer_norm_backward(f: Function, see: See) -> None:
    see("two rows", f, X2, gain(5), UP2, parts=THREE_GRADS)
    see("x of shape [2, 3, 4]", f, X3, gain(4), UP3, parts=THREE_GRADS)
    see("x of shape [4, 4]", f, SQUARE, gain(4), wave(4, 4, by=0.6), parts=THREE_GRADS)
    see("one row", f, X1, gain(6), UP1, parts=THREE_GRADS)
    see("another row, of width 4", f, X3[0, 0], gain(4), UP3[0, 0], parts=THREE_GRADS)
    see("gains of both signs and 0", f, X2, any_sign(5), UP2, parts=THREE_GRADS)
    see("gains of both signs and 0, width 4", f, X3, any_sign(4), UP3, parts=THREE_GRADS)
    see("gain 1", f, X2, torch.ones_like(X2[0]), UP2, parts=THREE_GRADS)
    see("eps=0.5", f, X2, gain(5), UP2, eps=0.5, parts=THREE_GRADS)
    see("numbers near 0.001", f, X3 / 1000, gain(4), UP3, parts=THREE_GRADS)
    see("x and gradient that lie in another order in memory", f, CROSSED, gain(4), UP_CROSSED,
        parts=THREE_GRADS)
    see("the same tensors a second time", second_of_two(f), X2, gain(5), UP2, parts=THREE_GRADS)
    see("with autograd switched off", without_autograd(f), X3, gain(4), UP3, parts=THREE_GRADS)
    see("float32", f, X2.float(), gain(5).float(), UP2.float(), parts=THREE_GRADS, tol=1e-5)
    see("bfloat16", f, *bfloat16(X2, gain(5), UP2), parts=THREE_GRADS, tol=0.1)
