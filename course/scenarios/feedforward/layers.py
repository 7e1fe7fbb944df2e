"""How the activations, the width and the two feed-forward layers are tried."""

from collections.abc import Callable
from numbers import Integral
from typing import Any

import torch

from .. import See, gradient, scenario
from ..guards import without_autograd

Function = Callable[..., torch.Tensor]


def wave(*shape: int, by: float = 1.7, height: float = 1.0) -> torch.Tensor:
    """Numbers without a pattern that a mistake could share, the same on every machine."""
    count = torch.Size(shape).numel()
    return height * torch.sin(by * torch.arange(1, count + 1, dtype=torch.float64)).view(shape)


POINTS = torch.tensor([[-3.0, -1.3, -0.5, 0.25], [0.75, 1.5, 2.5, 6.0]], dtype=torch.float64)
X3 = wave(2, 3, 4, by=2.1, height=3.0)
LARGE = torch.tensor([-1000.0, -90.0, 90.0, 1000.0])


def see_elementwise(f: Function, see: See, name: str) -> None:
    """What every activation keeps: the dtype, also a small one."""
    for what, x in (("at -3 to 6", POINTS), ("of shape [2, 3, 4]", X3)):
        see(f"{name} {what} in bfloat16", f, x.bfloat16(), tol=0.05)


@scenario("feedforward.relu")
def relu(f: Function, see: See) -> None:
    see("relu at -3 to 6", f, POINTS)
    see("relu of shape [2, 3, 4]", f, X3)
    see("relu of a single number", f, torch.tensor(-2.5, dtype=torch.float64))
    see("relu in float32", f, X3.float(), tol=1e-6)
    see("relu of -1000, -90, 90 and 1000", f, LARGE, tol=1e-6)
    see("gradient through relu", gradient(f), POINTS, wave(2, 4, by=2.3))
    see("gradient through relu, shape [2, 3, 4]", gradient(f), X3, wave(2, 3, 4, by=0.9))
    see_elementwise(f, see, "relu")


@scenario("feedforward.gelu")
def gelu(f: Function, see: See) -> None:
    see("gelu at -3 to 6", f, POINTS)
    see("gelu of shape [2, 3, 4]", f, X3)
    see("gelu with approximate='tanh' at -3 to 6", f, POINTS, approximate="tanh")
    see("gelu with approximate='tanh' of shape [2, 3, 4]", f, X3, approximate="tanh")
    see("gelu with 'tanh' as second argument", f, POINTS, "tanh")
    see("gelu with approximate='none'", f, POINTS, approximate="none")
    see("gelu in float32", f, X3.float(), tol=1e-6)
    see("gelu in float32 with approximate='tanh'", f, X3.float(), approximate="tanh", tol=1e-6)
    see("gelu of -1000, -90, 90 and 1000", f, LARGE, tol=1e-6)
    see("gradient through gelu", gradient(f), POINTS, wave(2, 4, by=2.3))
    see("gradient through gelu with approximate='tanh'", gradient(f), POINTS, wave(2, 4, by=2.3),
        approximate="tanh")
    see_elementwise(f, see, "gelu")


@scenario("feedforward.silu")
def silu(f: Function, see: See) -> None:
    see("silu at -3 to 6", f, POINTS)
    see("silu of shape [2, 3, 4]", f, X3)
    see("silu of a single number", f, torch.tensor(-1.25, dtype=torch.float64))
    see("silu in float32", f, X3.float(), tol=1e-6)
    see("silu of -1000, -90, 90 and 1000", f, LARGE, tol=1e-6)
    see("silu of -1000 and 1000 in float64", f, LARGE.double()[::3])
    see("gradient through silu", gradient(f), POINTS, wave(2, 4, by=2.3))
    see("gradient through silu, shape [2, 3, 4]", gradient(f), X3, wave(2, 3, 4, by=0.9))
    see_elementwise(f, see, "silu")


@scenario("feedforward.swiglu_width")
def swiglu_width(f: Callable[..., int], see: See) -> None:
    for D, multiple in ((4096, 256), (128, 32), (96, 256), (97, 256), (100, 7), (300, 1),
                        (4, 5), (10, 9), (5, 1), (6100, 1), (768, 64), (33, 8), (99, 8)):
        see(f"width for D = {D}, a multiple of {multiple}", f, D, multiple)
    see("width for D = 4096 when no multiple is named", f, 4096)
    see("width for D = 8192 when no multiple is named", f, 8192)
    see("width for D = 384, multiple_of=32", f, 384, multiple_of=32)
    for D in (96, 4096):
        see(f"is the width for D = {D} of type int? (1: yes)",
            lambda n: isinstance(f(n), Integral), D)


def seed_after(made: Callable[[], Any], x: torch.Tensor) -> int:
    """The seed of torch's own random numbers, which are its caller's to set."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        made().train()(x)
        return torch.initial_seed()


def see_seed(made: Callable[..., Any], see: See) -> None:
    for bias in (True, False):
        see("torch's seed after the layer was made and called (it was 5)"
            + ", without biases" * (not bias), seed_after, lambda b=bias: made(bias=b), X)


def config_of(**fields: Any) -> Any:
    """Width 6 and hidden width 10 in float64 without dropout, unless `fields` says otherwise."""
    from minillm.config import GPTConfig

    return GPTConfig(**{"vocab_size": 11, "d_model": 6, "n_head": 1, "d_ff": 10, "dropout": 0.0}
                     | fields)


def plain(layer: Callable[..., Any], **fields: Any) -> Any:
    """A layer of two linear maps with known weights, told apart by their shapes."""
    config = config_of(**fields)
    model = layer(config).double().eval()
    with torch.no_grad():
        for p in model.parameters():
            down = p.shape[0] == config.d_model  # [D, F] or [D]; the other way is [F, D] or [F]
            p.copy_(wave(*p.shape, by=(1.3, 2.9)[p.dim() == 1] + 0.4 * down, height=0.6))
    return model


GATED = ("gate_proj", "up_proj", "down_proj")


def fill(model: Any, shift: float = 0.0) -> None:
    """Give a SwiGLU known weights."""
    with torch.no_grad():
        for at, name in enumerate(GATED):
            part = getattr(model, name)
            part.weight.copy_(wave(*part.weight.shape, by=1.3 + 0.4 * at + shift, height=0.6))
            if part.bias is not None:
                part.bias.copy_(wave(*part.bias.shape, by=2.9 + 0.2 * at + shift, height=0.6))


def gated(layer: Callable[..., Any], **fields: Any) -> Any:
    model = layer(config_of(**fields)).double().eval()
    fill(model)
    return model


X = wave(2, 3, 6, by=0.7, height=2.0)


def try_layer(made: Callable[..., Any], see: See) -> None:
    """What both layers have in common."""

    def out(x: torch.Tensor, **fields: Any) -> Any:
        return made(**fields)(x)

    def out_float32(x: torch.Tensor) -> Any:
        return made().float()(x)

    def seeded(x: torch.Tensor, training: bool, **fields: Any) -> torch.Tensor:
        """With the random numbers of this place only."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(3)
            y: torch.Tensor = made(**fields).train(training)(x)
        return y

    def both_modes(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        """The output in training and after it."""
        return torch.stack([seeded(x, mode, **fields) for mode in (True, False)])

    def others_changed(x: torch.Tensor) -> torch.Tensor:
        other = x.clone()
        other[:, -1] = -other[:, -1]
        model = made()
        return torch.stack([model(x), model(other)])

    def to_weights(x: torch.Tensor) -> list[float]:
        """Size of the gradient to each weight and bias, the smallest first."""
        model = made()
        loss = (model(x) * wave(*x.shape, by=2.1)).sum()
        return sorted(float(g.norm()) for g in torch.autograd.grad(loss, list(model.parameters())))

    see("output for x [2, 3, 6]", out, X)
    see_seed(made, see)
    see("output for one token, x [6]", out, X[0, 0])
    see("output for x [4, 6]", out, wave(4, 6, by=0.9))
    see("output without biases", out, X, bias=False)
    see("output with d_ff = 14", out, X, d_ff=14)
    see("output with d_model = 5, d_ff = 8", out, wave(2, 4, 5, by=0.8), d_model=5, d_ff=8)
    see("output in float32", out_float32, X.float(), tol=1e-5)
    see("output in training without dropout", seeded, X, True)
    see("output with dropout 0.5, but not in training", seeded, X, False, dropout=0.5)
    see("output with dropout 0.3, but not in training", seeded, X, False, dropout=0.3)
    many = wave(300, 6, by=0.3, height=2.0)
    see("share of outputs that drop out in training, in quarters, dropout 0.5", seeded, many, True,
        dropout=0.5, derive="share of zeros, in quarters")
    see("share of outputs that drop out in training, in quarters, dropout 0.75", seeded, many, True,
        dropout=0.75, derive="share of zeros, in quarters")
    for rate in (0.5, 0.3, 0.75):
        see(f"is all that is left in training scaled alike, dropout {rate}? (0: yes)", both_modes,
            many, dropout=rate, derive="share of tokens that are lost, in quarters, if all others "
            "are scaled alike")
    see("what the last token changes in the others", others_changed, X,
        derive="largest change but in the last row")
    see("gradient to x", gradient(out), X, wave(2, 3, 6, by=2.1))
    see("gradient to x [4, 6], dropout 0.5 but not in training", gradient(out),
        wave(4, 6, by=0.9), wave(4, 6, by=2.1), dropout=0.5)
    see("size of the gradients to the weights", to_weights, X)


@scenario("feedforward.MLP")
def mlp(layer: Callable[..., Any], see: See) -> None:
    def made(**fields: Any) -> Any:
        return plain(layer, **fields)

    def weights(**fields: Any) -> int:
        return sum(p.numel() for p in layer(config_of(**fields)).parameters())

    def shape(part: str) -> list[int]:
        return list(getattr(layer(config_of()), part).weight.shape)

    see("shape of up_proj's weight, d_model = 6, d_ff = 10", shape, "up_proj")
    see("shape of down_proj's weight, d_model = 6, d_ff = 10", shape, "down_proj")
    see("number of weights, d_model = 6, d_ff = 10", weights)
    see("number of weights, d_model = 6, no d_ff", weights, d_ff=None)
    see("number of weights, d_model = 6, d_ff = 10, no biases", weights, bias=False)
    see("number of weights, d_model = 8, no d_ff, no biases", weights, d_model=8, d_ff=None,
        bias=False)
    see("output with no d_ff", lambda x: made(d_ff=None)(x), X)
    try_layer(made, see)


@scenario("feedforward.SwiGLU")
def swiglu(layer: Callable[..., Any], see: See) -> None:
    def made(**fields: Any) -> Any:
        return gated(layer, **fields)

    def shapes(**fields: Any) -> dict[str, list[int]]:
        model = layer(config_of(**fields))
        return {name: list(getattr(model, name).weight.shape) for name in GATED}

    def biases(bias: bool) -> list[int]:
        model = layer(config_of(bias=bias))
        return [int(getattr(model, name).bias is not None) for name in GATED]

    def shut(x: torch.Tensor, name: str, value: float) -> torch.Tensor:
        """With one branch held at a value, whatever x is."""
        model = made()
        with torch.no_grad():
            getattr(model, name).weight.zero_()
            getattr(model, name).bias.fill_(value)
        y: torch.Tensor = model(x)
        return y

    see("weight [out, in], d_model = 6, d_ff = 10", shapes, parts=GATED)
    see("weight [out, in], ffn='swiglu', d_model = 15, no d_ff", shapes, d_model=15, d_ff=None,
        ffn="swiglu", parts=GATED)
    see("which of gate, up, down have a bias, with bias=True", biases, True)
    see("which of gate, up, down have a bias, with bias=False", biases, False)
    see("output with gate_proj held at -50", shut, X, "gate_proj", -50.0)
    see("output with gate_proj held at 2", shut, X, "gate_proj", 2.0)
    see("output with up_proj held at -1.5", shut, X, "up_proj", -1.5)
    see("output with up_proj held at 0", shut, X, "up_proj", 0.0)
    try_layer(made, see)


@scenario("feedforward.swiglu_backward")
def swiglu_backward(f: Callable[..., Any], see: See) -> None:
    parts = ("dx", "dw_gate", "dw_up", "dw_down")

    def of(*lead: int, D: int = 3, F: int = 4) -> list[torch.Tensor]:
        weights = [wave(*s, by=1.1 + 0.3 * n) for n, s in enumerate(((F, D), (F, D), (D, F)))]
        return [wave(*lead, D, by=0.7, height=1.5), *weights, wave(*lead, D, by=2.3)]

    see("gradients for x [5, 3], hidden width 4", f, *of(5), parts=parts)
    see("gradients for x [2, 3, 4], hidden width 5", f, *of(2, 3, D=4, F=5), parts=parts)
    see("gradients for one token, x [3]", f, *of(), parts=parts)
    see("gradients for x [2, 1, 4, 2], hidden width 3", f, *of(2, 1, 4, D=2, F=3), parts=parts)
    see("gradients in float32", f, *(each.float() for each in of(5)), parts=parts, tol=1e-5)
    see("gradients in bfloat16", f, *(each.bfloat16() for each in of(5)), parts=parts, tol=0.1)
    x, *rest, grad = of(3, 2, D=4, F=5)
    see("gradients where one token is 0", f, x * (torch.arange(3) > 0).view(3, 1, 1), *rest, grad,
        parts=parts)
    see("gradients for x 2000 times as large", f, 2000 * x, *rest, grad, parts=parts)
    see("gradients with autograd switched off", without_autograd(f), *of(5), parts=parts)
    x, *rest, grad = of(5)
    see("gradients for a gradient of 0", f, x, *rest, 0 * grad, parts=parts)
    see("a gradient of width 5 for x of width 3", f, x, *rest, wave(5, 5))
