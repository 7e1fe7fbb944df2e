"""How the router, the balance loss, the capacity and the mixture are tried."""

from collections.abc import Callable
from typing import Any

import torch

from .. import See, gradient, scenario
from .layers import Function, config_of, fill, see_seed, wave

LOGITS = wave(5, 4, by=1.9, height=2.0)
PARTS = ("weights", "experts")
CHOSEN = torch.tensor([[2, 0], [2, 3], [2, 1], [0, 2], [3, 2], [2, 0]])


@scenario("feedforward.route")
def route(f: Callable[..., Any], see: See) -> None:
    def weights(logits: torch.Tensor, *rest: Any, **named: Any) -> Any:
        return f(logits, *rest, **named)[0]

    see("2 of 4 experts for 5 tokens", f, LOGITS, 2, parts=PARTS)
    see("2 of 4 experts, renormalize=False", f, LOGITS, 2, renormalize=False, parts=PARTS)
    see("3 of 5 experts for 4 tokens", f, wave(4, 5, by=2.3), 3, parts=PARTS)
    see("3 of 5 experts, renormalize=False", f, wave(4, 5, by=2.3), 3, False, parts=PARTS)
    see("1 of 4 experts", f, LOGITS, 1, parts=PARTS)
    see("1 of 4 experts, renormalize=False", f, LOGITS, 1, renormalize=False, parts=PARTS)
    see("all 4 of 4 experts", f, LOGITS, 4, parts=PARTS)
    see("2 of 4 experts, the logits moved by 1000", f, LOGITS + 1000, 2, parts=PARTS)
    see("2 of 4 experts, the logits moved by -1000", f, LOGITS - 1000, 2, parts=PARTS)
    see("2 of 3 experts for one token", f, wave(1, 3), 2, parts=PARTS)
    see("2 of 4 experts in float32", f, LOGITS.float(), 2, parts=PARTS, tol=1e-6)
    for k in (2, 3):
        see(f"weights of {k} of 4 experts in bfloat16", weights, LOGITS.bfloat16(), k, tol=0.05)
    see("gradient through the weights", gradient(weights), LOGITS, wave(5, 2, by=2.7), 2)
    see("gradient through the weights, renormalize=False", gradient(weights), LOGITS,
        wave(5, 2, by=2.7), 2, renormalize=False)
    see("gradient through the weights, 3 of 5 experts", gradient(weights), wave(4, 5, by=2.3),
        wave(4, 3, by=2.7), 3)
    see("gradient through the weight of 1 expert, renormalize=False", gradient(weights), LOGITS,
        wave(5, 1, by=2.7), 1, renormalize=False)
    see("5 of 4 experts", f, LOGITS, 5)


@scenario("feedforward.load_balance_loss")
def load_balance_loss(f: Function, see: See) -> None:
    def loss(what: str, *inputs: torch.Tensor | int) -> None:
        see(what, f, *inputs, tol=1e-6)  # the shares f may be float32, as counts divided are

    even = torch.arange(8).view(8, 1) % 4
    flat, sure = torch.zeros(8, 4).double(), torch.tensor([0.0, 60.0, 0, 0]).double().repeat(8, 1)
    logits = wave(6, 5, by=1.9, height=2.0)
    loss("loss when all four experts get the same", flat, even, 4)
    loss("loss when one of four experts gets everything", sure, torch.ones_like(even), 4)
    loss("loss when the choices are even and the probabilities are not", sure, even, 4)
    loss("loss of 6 tokens with 2 choices of 4 experts", wave(6, 4, by=2.3), CHOSEN, 4)
    loss("loss of 6 tokens with 2 choices of 5 experts", logits, CHOSEN, 5)
    loss("loss of 6 tokens with one choice", wave(6, 4, by=2.3), CHOSEN[:, :1], 4)
    loss("loss of 3 tokens with 3 choices of 6 experts", wave(3, 6, by=1.1),
        torch.tensor([[0, 2, 4], [4, 2, 1], [2, 0, 5]]), 6)
    loss("loss of logits moved by 1000", logits + 1000, CHOSEN, 5)
    loss("loss of 6 tokens with 2 choices of 6 experts, none of which all tokens chose",
         wave(6, 6, by=1.3), torch.tensor([[0, 1], [0, 2], [0, 1], [3, 2], [1, 4], [4, 0]]), 6)
    loss("loss in float32", logits.float(), CHOSEN, 5)
    see("gradient to the logits", gradient(f), logits, torch.tensor(1.0).double(), CHOSEN, 5,
        tol=1e-6)
    see("gradient to the logits, one choice", gradient(f), wave(6, 4, by=2.3),
        torch.tensor(1.0).double(), CHOSEN[:, :1], 4, tol=1e-6)


@scenario("feedforward.within_capacity")
def within_capacity(f: Function, see: See) -> None:
    for factor in (0.5, 1.0, 1.25, 3.0):
        see(f"6 tokens with 2 choices of 4 experts, factor {factor:g}", f, CHOSEN, 4, factor)
    for factor in (0.5, 1.0, 1.6):
        see(f"6 tokens with one choice of 4 experts, factor {factor:g}", f, CHOSEN[:, :1], 4,
            factor)
    three = torch.tensor([[0, 2, 4], [4, 2, 1], [2, 0, 3], [0, 1, 2], [2, 4, 0]])
    see("5 tokens with 3 choices of 6 experts, factor 1", f, three, 6, 1.0)
    for factor in (0.7, 1.0):
        see(f"5 tokens with 3 choices of 5 experts, factor {factor:g}", f, three, 5, factor)
    see("8 tokens that all want expert 1 of 3", f, torch.ones(8, 1, dtype=torch.int64), 3, 1.0)
    see("3 tokens with 5 choices of 6 experts, factor 0.9", f, three.t().contiguous(), 6, 0.9)


def mixture(layer: Callable[..., Any], **fields: Any) -> Any:
    """4 experts of width 6 and hidden width 10, 2 a token, unless `fields` says otherwise."""
    model = layer(config_of(**{"ffn": "moe", "n_expert": 4} | fields)).double().eval()
    with torch.no_grad():
        model.router.weight.copy_(wave(*model.router.weight.shape, by=2.3, height=0.8))
        if model.router.bias is not None:
            model.router.bias.copy_(wave(*model.router.bias.shape, by=1.9, height=0.3))
    for e, expert in enumerate(model.experts):
        fill(expert, shift=0.07 * (e + 1))
    return model


X = wave(2, 3, 6, by=1.9, height=2.0)


def gradient_sizes(model: torch.nn.Module, loss: torch.Tensor) -> list[float]:
    """Of a loss, to each weight and bias, the smallest first; 0 where no gradient arrives."""
    slopes = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True,
                                 materialize_grads=True)
    return sorted(float(slope.norm()) for slope in slopes)


@scenario("feedforward.MoE")
def moe(layer: Callable[..., Any], see: See) -> None:
    def out(x: torch.Tensor, **fields: Any) -> Any:
        return mixture(layer, **fields)(x)

    def out_float32(x: torch.Tensor) -> Any:
        return mixture(layer).float()(x)

    def in_training(x: torch.Tensor, **fields: Any) -> Any:
        return mixture(layer, **fields).train()(x)

    def dropping(x: torch.Tensor, **fields: Any) -> Any:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(3)
            return in_training(x, **fields)

    def balance(x: torch.Tensor, training: bool = False, **fields: Any) -> Any:
        model = mixture(layer, **fields).train(training)
        model(-x)
        model(x)
        return model.balance_loss

    def balance_of_two(x: torch.Tensor, **fields: Any) -> Any:
        one, other = mixture(layer, **fields), mixture(layer, **fields)
        one(x)
        other(-x)
        return one.balance_loss

    def to_each(x: torch.Tensor, training: bool = False, **fields: Any) -> list[float]:
        model = mixture(layer, **fields).train(training)
        return gradient_sizes(model, (model(x) * wave(*x.shape, by=2.1)).sum())

    def to_router(x: torch.Tensor, of_balance: bool = False, training: bool = False,
                  **fields: Any) -> torch.Tensor:
        model = mixture(layer, **fields).train(training)
        y = model(x)
        loss = model.balance_loss if of_balance else (y * wave(*x.shape, by=2.1)).sum()
        grad: torch.Tensor = torch.autograd.grad(loss, model.router.weight)[0]
        return grad

    def same_experts(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        """The mixture, and one of its experts alone, when all experts are the same."""
        model = mixture(layer, **fields)
        for expert in model.experts:
            fill(expert)
        return torch.stack([model(x), model.experts[0](x)])

    def turned_off(x: torch.Tensor) -> list[float]:
        """How far the output moves when the k-th expert's result is set to 0."""
        whole, moves = mixture(layer)(x), []
        for e in range(4):
            model = mixture(layer)
            with torch.no_grad():
                model.experts[e].down_proj.weight.zero_()
                model.experts[e].down_proj.bias.zero_()
            moves.append(float((model(x) - whole).abs().sum()))
        return moves

    see("output, 2 of 4 experts", out, X)
    see("output, 1 of 4 experts", out, X, top_k=1)
    see("output, 3 of 4 experts", out, X, top_k=3)
    see("output, 4 of 4 experts", out, X, top_k=4)
    see("output, 1 of 1 expert", out, X, top_k=1, n_expert=1)
    see("output, 2 of 7 experts, without biases", out, X, n_expert=7, bias=False)
    see("output with d_model = 5, d_ff = 8, 3 experts", out, wave(4, 2, 5, by=0.8), d_model=5,
        d_ff=8, n_expert=3)
    see("output for x [4, 6]", out, wave(4, 6, by=0.9))
    see("output for one token, x [6]", out, X[0, 0])
    see("output for x that lies in another order in memory", out, X.transpose(0, 1))
    see("output in float32", out_float32, X.float(), tol=1e-5)
    see("output in training without dropout", in_training, X)
    for k in (1, 2):
        see(f"output in training with capacity factor 0.5, {k} of 4 experts", in_training, X,
            top_k=k, capacity_factor=0.5)
        see(f"balance_loss in training, {k} of 4 experts", balance, X, True, top_k=k, tol=1e-6)
        see(f"balance_loss after another layer was called, {k} of 4 experts", balance_of_two, X,
            top_k=k, tol=1e-6)
    for rate in (0.5, 0.75):
        see(f"share of outputs that drop out in training, in quarters, one expert, dropout {rate}",
            dropping, wave(300, 6, by=0.3, height=2.0), top_k=1, dropout=rate,
            derive="share of zeros, in quarters")
    see_seed(lambda **fields: mixture(layer, **fields), see)
    for factor, k in ((1.0, 2), (0.5, 2), (0.5, 1), (1.0, 3)):
        see(f"output with capacity factor {factor}, {k} of 4 experts", out, X, top_k=k,
            capacity_factor=factor)
    see("output with capacity factor 4", out, X, capacity_factor=4.0)
    see("balance_loss after a second call, 2 of 4 experts", balance, X, tol=1e-6)
    see("balance_loss after a second call, 1 of 5 experts", balance, X, top_k=1, n_expert=5,
        tol=1e-6)
    see("balance_loss with capacity factor 0.5", balance, X, capacity_factor=0.5, tol=1e-6)
    see("how far the output moves when expert 0, 1, 2, 3 gives 0", turned_off, X)
    see("experts that are all the same against one of them", same_experts, X,
        derive="largest change")
    see("gradient of the output to the router's weight, 1 of 4 experts", to_router, X, top_k=1)
    see("gradient of the output to the router's weight, 2 of 4 experts", to_router, X)
    for k in (1, 2):
        see(f"gradient of the output to the router's weight, capacity factor 0.5, {k} of 4 experts",
            to_router, X, top_k=k, capacity_factor=0.5)
    see("gradient of balance_loss to the router's weight", to_router, X, True, tol=1e-6)
    see("gradient of balance_loss to the router's weight, 1 of 4 experts", to_router, X, True,
        top_k=1, tol=1e-6)
    for k in (1, 2):
        see(f"gradient of balance_loss to the router's weight in training, {k} of 4 experts",
            to_router, X, True, True, top_k=k, tol=1e-6)
        see("gradient of balance_loss to the router's weight, capacity factor 0.5, "
            f"{k} of 4 experts", to_router, X, True, top_k=k, capacity_factor=0.5, tol=1e-6)
        see(f"sizes of the gradients to the router and to each expert, {k} of 4 experts", to_each,
            X, top_k=k)
    see("the same in training, 2 of 4 experts", to_each, X, True)
    see("the same with capacity factor 0.5, 2 of 4 experts", to_each, X, capacity_factor=0.5)
    see("gradient to x", gradient(out), X, wave(2, 3, 6, by=2.1))
    see("gradient to x, 1 of 4 experts", gradient(out), X, wave(2, 3, 6, by=2.1), top_k=1)
