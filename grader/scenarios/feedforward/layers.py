"""How the activations, the width and the two feed-forward layers are tried when grading."""

from collections.abc import Callable
from numbers import Integral
from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.feedforward.layers import GATED, Function, config_of, gated, plain, wave

from .. import hidden

X = wave(3, 5, by=1.9, height=2.5)
SPIKE = wave(40, by=0.7, height=2.0) + 500 * (torch.arange(40) == 11)


@hidden("feedforward.relu")
def relu(f: Function, see: See) -> None:
    see("relu of another batch", f, X)
    see("relu of four dimensions", f, wave(2, 1, 3, 2, by=2.7))
    see("relu of one number far above the others", f, SPIKE)
    see("relu of a batch in bfloat16", f, X.bfloat16(), tol=0.05)
    see("relu of a row in float32", f, wave(7, by=0.4).float(), tol=1e-6)
    see("gradient through relu", gradient(f), X, wave(3, 5, by=0.6))


@hidden("feedforward.gelu")
def gelu(f: Function, see: See) -> None:
    see("gelu of another batch", f, X)
    see("gelu of another batch, tanh", f, X, approximate="tanh")
    see("gelu of four dimensions", f, wave(2, 1, 3, 2, by=2.7))
    see("gelu of one number far above the others", f, SPIKE)
    see("gelu of a batch in bfloat16", f, X.bfloat16(), tol=0.05)
    see("gelu of a row in float32", f, wave(7, by=0.4).float(), tol=1e-6)
    see("gradient through gelu", gradient(f), X, wave(3, 5, by=0.6))
    see("gradient through gelu, tanh", gradient(f), X, wave(3, 5, by=0.6), approximate="tanh")


@hidden("feedforward.silu")
def silu(f: Function, see: See) -> None:
    see("silu of another batch", f, X)
    see("silu of four dimensions", f, wave(2, 1, 3, 2, by=2.7))
    see("silu of one number far above the others", f, SPIKE)
    see("silu of a batch in bfloat16", f, X.bfloat16(), tol=0.05)
    see("silu of a row in float32", f, wave(7, by=0.4).float(), tol=1e-6)
    see("silu of large numbers", f, torch.tensor([-500.0, 700.0, -2000.0, 150.0]), tol=1e-6)
    see("gradient through silu", gradient(f), X, wave(3, 5, by=0.6))


@hidden("feedforward.swiglu_width")
def swiglu_width(f: Callable[..., int], see: See) -> None:
    for at, (D, multiple) in enumerate(((5120, 256), (1024, 64), (192, 256), (193, 256), (7, 3),
                                        (11, 2), (2048, 128), (1000, 10))):
        see(f"width of model {at + 1}", f, D, multiple)
    see("width when no multiple is named", f, 3072)
    see("is the width a whole number in its type too? (1: yes)",
        lambda D: isinstance(f(D, 7), Integral), 21)


def try_layer(made: Callable[..., Any], see: See) -> None:
    def out(x: torch.Tensor, **fields: Any) -> Any:
        return made(**fields)(x)

    def seeded(x: torch.Tensor, training: bool, **fields: Any) -> torch.Tensor:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(11)
            y: torch.Tensor = made(**fields).train(training)(x)
        return y

    x = wave(2, 4, 7, by=1.1)
    see("output of another width", out, x, d_model=7, d_ff=9)
    see("output of another width without biases", out, x, d_model=7, d_ff=12, bias=False)
    see("output for four dimensions", out, wave(2, 1, 3, 6, by=1.1))
    see("output with dropout, but not in training", seeded, x, False, d_model=7, dropout=0.4)
    see("do outputs drop out in training?", seeded, wave(400, 6, by=0.3), True, dropout=0.25,
        derive="share of zeros, in quarters")
    see("gradient to x", gradient(out), x, wave(2, 4, 7, by=2.3), d_model=7)


@hidden("feedforward.MLP")
def mlp(layer: Callable[..., Any], see: See) -> None:
    def weights(**fields: Any) -> int:
        return sum(p.numel() for p in layer(config_of(**fields)).parameters())

    see("number of weights", weights, d_model=9, d_ff=20)
    see("number of weights when no width is named", weights, d_model=9, d_ff=None)
    see("number of weights without biases", weights, d_model=9, d_ff=None, bias=False)
    try_layer(lambda **fields: plain(layer, **fields), see)


@hidden("feedforward.SwiGLU")
def swiglu(layer: Callable[..., Any], see: See) -> None:
    def weights(**fields: Any) -> int:
        return sum(p.numel() for p in layer(config_of(**fields)).parameters())

    for name in GATED:
        see(f"number of weights in {name}", lambda n=name: getattr(
            layer(config_of(d_model=9, d_ff=20)), n).weight.numel())
    see("number of weights when no width is named", weights, d_model=9, d_ff=None, ffn="swiglu")
    see("number of weights without biases", weights, d_model=9, d_ff=16, bias=False)
    try_layer(lambda **fields: gated(layer, **fields), see)


def weights_of(F: int, D: int) -> list[torch.Tensor]:
    return [wave(*s, by=0.9 + 0.5 * n, height=1.4)
            for n, s in enumerate(((F, D), (F, D), (D, F)))]


@hidden("feedforward.swiglu_backward")
def swiglu_backward(f: Callable[..., Any], see: See) -> None:
    parts = ("dx", "dw_gate", "dw_up", "dw_down")
    for what, lead, D, F in (("a batch", (4,), 5, 3), ("texts", (3, 2), 2, 5),
                             ("four dimensions", (1, 2, 3), 3, 4)):
        see(f"gradients for {what}", f, wave(*lead, D, by=1.3, height=2.0), *weights_of(F, D),
            wave(*lead, D, by=0.4), parts=parts)
    see("gradients for tokens that are 0", f, torch.zeros(2, 3).double(), *weights_of(4, 3),
        wave(2, 3, by=1.7), parts=parts)
    see("gradients for large tokens", f, wave(4, 3, by=1.3, height=900.0), *weights_of(5, 3),
        wave(4, 3, by=0.4), parts=parts)
