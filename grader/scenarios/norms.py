"""How the functions and modules of `minillm.norms` are tried when a submission is graded."""

from collections.abc import Callable
from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.functional import wave
from course.scenarios.norms.functions import GRADS, THREE_GRADS, Function, any_sign, gain, offset
from course.scenarios.norms.modules import Model, known, started

from . import hidden

TALL = wave(7, 3, by=1.3) - 0.6
FOUR = wave(2, 3, 2, 5, by=0.6) + 0.9
FIVE = wave(5, 5, by=2.6) + 0.2
SPIKE = wave(40, by=0.7) + 50 * (torch.arange(40) == 11)
UP_TALL, UP_FOUR, UP_FIVE = wave(7, 3, by=1.9), wave(2, 3, 2, 5, by=2.2), wave(5, 5, by=0.7)


@hidden("norms.layer_norm")
def layer_norm(f: Function, see: See) -> None:
    see("more rows than columns", f, TALL, gain(3), offset(3))
    see("three leading dimensions", f, FOUR, gain(5), offset(5))
    see("as many rows as columns", f, FIVE, gain(5), offset(5))
    see("another eps", f, TALL, gain(3), offset(3), 0.03)
    see("small numbers", f, FIVE / 3000, gain(5), offset(5))
    see("tiny numbers", f, FIVE / 1e5, gain(5), offset(5))
    see("tiny numbers and a tiny eps", f, FIVE / 1e5, gain(5), offset(5), 1e-13)
    see("equal entries", f, 0 * TALL + 5, gain(3), offset(3))
    see("without an offset", f, FOUR, gain(5), None)
    see("gains of both signs", f, FOUR, any_sign(5), offset(5))
    see("one entry far above the others", f, SPIKE, gain(40), offset(40))
    see("bfloat16", f, TALL.bfloat16(), gain(3).bfloat16(), None, tol=0.05)
    see("rows that are an expanded view", f, FIVE[:1].expand(4, 5), gain(5), offset(5))
    see("a shifted and stretched input", lambda x, *more: f(3 * x + 7, *more, eps=0.0) - f(
        x, *more, eps=0.0), FIVE, gain(5), offset(5), tol=1e-8)
    see("gradient to x", gradient(f), FOUR, UP_FOUR, gain(5), offset(5))
    see("gradient to the gain", gradient(lambda w, x, b: f(x, w, b)), gain(5), UP_FOUR, FOUR,
        offset(5))
    see("float32", f, FOUR.float(), gain(5).float(), offset(5).float(), tol=1e-6)


@hidden("norms.rms_norm")
def rms_norm(f: Function, see: See) -> None:
    see("more rows than columns", f, TALL, gain(3))
    see("three leading dimensions", f, FOUR, gain(5))
    see("as many rows as columns", f, FIVE, gain(5))
    see("another eps", f, TALL, gain(3), 0.03)
    see("small numbers", f, FIVE / 3000, gain(5))
    see("tiny numbers", f, FIVE / 1e5, gain(5))
    see("tiny numbers and a tiny eps", f, FIVE / 1e5, gain(5), 1e-13)
    see("zeros", f, 0 * TALL, gain(3))
    see("gains of both signs", f, FOUR, any_sign(5))
    see("one entry far above the others", f, SPIKE, gain(40))
    see("bfloat16", f, TALL.bfloat16(), gain(3).bfloat16(), tol=0.05)
    see("a row of width 1", f, TALL[:, :1], gain(1))
    see("rows that are an expanded view", f, FIVE[:1].expand(4, 5), gain(5))
    see("gradient to x", gradient(f), FOUR, UP_FOUR, gain(5))
    see("gradient to the gain", gradient(lambda w, x: f(x, w)), gain(5), UP_FOUR, FOUR)
    see("float32", f, FOUR.float(), gain(5).float(), tol=1e-6)


@hidden("norms.rms_norm_backward")
def rms_norm_backward(f: Function, see: See) -> None:
    see("more rows than columns", f, TALL, gain(3), UP_TALL, parts=GRADS)
    see("three leading dimensions", f, FOUR, gain(5), UP_FOUR, parts=GRADS)
    see("as many rows as columns", f, FIVE, gain(5), UP_FIVE, parts=GRADS)
    see("another eps", f, TALL, gain(3), UP_TALL, 0.03, parts=GRADS)
    see("small numbers", f, FIVE / 3000, gain(5), UP_FIVE, parts=GRADS)
    see("zeros", f, 0 * TALL, gain(3), UP_TALL, parts=GRADS)
    see("gains of both signs", f, FOUR, any_sign(5), UP_FOUR, parts=GRADS)
    see("a gradient twice as large", f, TALL, gain(3), 2 * UP_TALL, parts=GRADS)
    see("a gradient that is an expanded view", f, FIVE, gain(5), UP_FIVE[:1].expand(5, 5),
        parts=GRADS)
    see("float32", f, FOUR.float(), gain(5).float(), UP_FOUR.float(), parts=GRADS, tol=1e-5)


@hidden("norms.layer_norm_backward")
def layer_norm_backward(f: Function, see: See) -> None:
    see("more rows than columns", f, TALL, gain(3), UP_TALL, parts=THREE_GRADS)
    see("three leading dimensions", f, FOUR, gain(5), UP_FOUR, parts=THREE_GRADS)
    see("as many rows as columns", f, FIVE, gain(5), UP_FIVE, parts=THREE_GRADS)
    see("another eps", f, TALL, gain(3), UP_TALL, 0.03, parts=THREE_GRADS)
    see("small numbers", f, FIVE / 3000, gain(5), UP_FIVE, parts=THREE_GRADS)
    see("gains of both signs", f, FOUR, any_sign(5), UP_FOUR, parts=THREE_GRADS)
    see("equal entries", f, 0 * TALL + 2, gain(3), UP_TALL, parts=THREE_GRADS)
    see("a gradient that is an expanded view", f, FIVE, gain(5), UP_FIVE[:1].expand(5, 5),
        parts=THREE_GRADS)
    see("float32", f, FOUR.float(), gain(5).float(), UP_FOUR.float(), parts=THREE_GRADS, tol=1e-5)


def see_module(make: Callable[..., Any], see: See) -> None:
    def stepped(x: torch.Tensor) -> Any:
        """After one step of gradient descent."""
        module = known(make, x.shape[-1])
        loss = (module(x) * UP_FOUR).sum()
        gradients = torch.autograd.grad(loss, list(module.parameters()))
        with torch.no_grad():
            for p, g in zip(module.parameters(), gradients, strict=True):
                p -= 0.1 * g
        return module(x)

    see("a new norm", lambda x: make(5).double()(x), FOUR)
    see("a new norm, on small numbers", lambda x: make(3).double()(x), TALL / 3000)
    see("a norm that has learned", lambda x: known(make, 3)(x), TALL)
    see("a norm after a step of gradient descent", stepped, FOUR)
    see("x that lies in another order in memory", lambda x: known(make, 5)(x), FOUR.transpose(0, 2))
    see("another eps", lambda x: known(make, 5, eps=0.03)(x), FIVE)
    see("how much is learned", lambda: sum(p.numel() for p in make(9).parameters()))
    see("gradient to x", gradient(lambda x: known(make, 5)(x)), FOUR, UP_FOUR)


@hidden("norms.RMSNorm")
def rms_module(make: Callable[..., Any], see: See) -> None:
    see_module(make, see)


@hidden("norms.LayerNorm")
def layer_module(make: Callable[..., Any], see: See) -> None:
    see_module(make, see)
    see("without an offset", lambda x: known(make, 3, bias=False)(x), TALL)


@hidden("norms.residual_std")
def residual_std(f: Function, see: See) -> None:
    see("many layers", f, 96, tol=1e-7)
    see("two layers", f, 2, tol=1e-7)
    see("another base", f, 6, 0.1, tol=1e-7)
    see("a number of layers that is negative", f, -3)


@hidden("norms.init_weights")
def init_weights(f: Function, see: See) -> None:
    def spread(n: int, base: float, *which: str) -> list[float]:
        state, _ = started(f, n, seed=11, model=Model(3), base=base)
        return [float(state[f"{name}.weight"].double().std() / base) for name in which]

    def rest(n: int) -> list[float]:
        state, _ = started(f, n, seed=11, model=Model(3, D=12))
        return [float(v.abs().max()) for k, v in state.items() if "bias" in k or "norm" in k]

    def repeated(n: int) -> torch.Tensor:
        pair = [started(f, n, seed=5, model=Model(3, D=12))[0]["tokens.weight"] for _ in range(2)]
        return torch.stack(pair)

    def tied(n: int) -> bool:
        model = Model(3, D=8)
        model.head.weight = model.tokens.weight
        f(model, n, generator=torch.Generator().manual_seed(4))
        return model.head.weight is model.tokens.weight

    ends = ("layers.0.out_proj", "layers.2.down_proj")
    see("spread of what ends a branch", spread, 3, 0.05, *ends, tol=0.03)
    see("spread of everything else", spread, 3, 0.05, "tokens", "layers.1.q_proj",
        "layers.2.not_out_proj", "head", tol=0.03)
    see("spread of what ends a branch, for another number of layers", spread, 1, 0.02, *ends,
        tol=0.03)
    see("biases and norms", rest, 3)
    see("are tied weights still tied?", tied, 3)
    see("the same seed twice", repeated, 3, derive="largest change", tol=1e-6)
    see("names", lambda: " ".join(sorted(started(f, 3, model=Model(3, D=8))[1])))
    see("a model with too few layers", lambda: started(f, 4, model=Model(3, D=8))[1])
