"""How the router, the balance loss, the capacity and the mixture are tried when grading."""

from collections.abc import Callable
from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.feedforward.experts import gradient_sizes, mixture
from course.scenarios.feedforward.layers import Function, wave

from .. import hidden

LOGITS = wave(7, 5, by=1.3, height=2.0)
CHOSEN = torch.tensor([[1, 4], [1, 0], [3, 1], [1, 2], [4, 1], [0, 3], [1, 3]])


@hidden("feedforward.route")
def route(f: Callable[..., Any], see: See) -> None:
    def weights(logits: torch.Tensor, *rest: Any, **named: Any) -> Any:
        return f(logits, *rest, **named)[0]

    for k in (1, 2, 4):
        for renormalize in (True, False):
            see(f"{k} of 5 experts{'' if renormalize else ', not renormalized'}", f, LOGITS, k,
                renormalize=renormalize, parts=("weights", "experts"))
    see("experts of large logits", f, LOGITS + 800, 2, parts=("weights", "experts"))
    see("gradient through the weights", gradient(weights), LOGITS, wave(7, 3, by=0.7), 3)
    see("gradient through weights that are left as they are", gradient(weights), LOGITS,
        wave(7, 3, by=0.7), 3, renormalize=False)


@hidden("feedforward.load_balance_loss")
def load_balance_loss(f: Function, see: See) -> None:
    see("loss of two choices", f, LOGITS, CHOSEN, 5, tol=1e-6)
    see("loss of two choices, other logits", f, -LOGITS, CHOSEN, 5, tol=1e-6)
    see("loss of one choice", f, LOGITS, CHOSEN[:, 1:], 5, tol=1e-6)
    see("loss when the last experts are never chosen", f, wave(7, 8, by=1.7), CHOSEN, 8, tol=1e-6)
    see("loss in float32", f, LOGITS.float(), CHOSEN, 5, tol=1e-6)
    see("gradient to the logits", gradient(f), LOGITS, torch.tensor(2.0).double(), CHOSEN, 5,
        tol=1e-6)


@hidden("feedforward.within_capacity")
def within_capacity(f: Function, see: See) -> None:
    for n, factor in enumerate((0.3, 0.8, 1.1, 2.0, 5.0, 1.44)):
        see(f"who has room, factor {n + 1}", f, CHOSEN, 5, factor)
        see(f"who has room with one choice, factor {n + 1}", f, CHOSEN[:, :1], 5, factor)
    see("who has room when the load fits exactly", f, CHOSEN, 7, 1.0)
    see("who has room among more experts", f, CHOSEN, 9, 1.0)


@hidden("feedforward.MoE")
def moe(layer: Callable[..., Any], see: See) -> None:
    def out(x: torch.Tensor, **fields: Any) -> Any:
        return mixture(layer, **fields)(x)

    def balance(x: torch.Tensor, **fields: Any) -> Any:
        model = mixture(layer, **fields)
        model(x)
        return model.balance_loss

    def to_router(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        model = mixture(layer, **fields)
        grad: torch.Tensor = torch.autograd.grad((model(x) ** 2).sum(), model.router.weight)[0]
        return grad

    def to_each(x: torch.Tensor, **fields: Any) -> list[float]:
        model = mixture(layer, **fields).train()
        return gradient_sizes(model, (model(x) ** 2).sum() + model.balance_loss)

    x = wave(3, 2, 5, by=2.3, height=2.0)
    for k in (1, 2, 5):
        see(f"output of {k} of 5 experts", out, x, d_model=5, n_expert=5, top_k=k)
    see("output without biases", out, x, d_model=5, n_expert=6, bias=False)
    see("output for four dimensions", out, wave(2, 1, 2, 6, by=0.4))
    see("output with little room", out, x, d_model=5, n_expert=3, capacity_factor=0.6)
    see("output of one expert each, with little room", out, x, d_model=5, n_expert=3, top_k=1,
        capacity_factor=0.6)
    see("the balance loss", balance, x, d_model=5, n_expert=5, tol=1e-6)
    see("the balance loss of one expert each", balance, x, d_model=5, n_expert=3, top_k=1,
        tol=1e-6)
    see("gradient to the router, one expert each", to_router, x, d_model=5, top_k=1)
    see("gradient to the router, two experts each", to_router, x, d_model=5)
    see("gradient to each weight and bias, in training", to_each, x, d_model=5, n_expert=3)
    see("gradient to each weight and bias, with little room", to_each, x, d_model=5, n_expert=3,
        capacity_factor=0.6)
    see("gradient to x", gradient(out), x, wave(3, 2, 5, by=0.6), d_model=5, top_k=2)
