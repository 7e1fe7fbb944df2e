"""How one step of AdamW and the class are tried."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .. import See, scenario

Function = Callable[..., Any]
Grads = Sequence[torch.Tensor | None]


def wave(*shape: int, by: float = 1.7, height: float = 1.0) -> torch.Tensor:
    """Numbers without a pattern that a mistake could share, the same on every machine."""
    count = torch.arange(1, 1 + torch.Size(shape).numel(), dtype=torch.float64)
    return height * torch.sin(by * count).view(shape)


# one step

P, G = wave(2, 3, height=3.0), wave(2, 3, by=2.3)
M, V = wave(2, 3, by=0.9, height=0.5), wave(2, 3, by=0.6).square() + 0.01
STEP = ("param", "m", "v")


@scenario("optim.adamw_step")
def adamw_step(f: Function, see: See) -> None:
    zeros = torch.zeros(2, 3, dtype=torch.float64)
    see("the first step", f, P, G, zeros, zeros, 1, 0.1, (0.9, 0.95), 1e-8, 0.1, parts=STEP)
    see("the first step with other betas", f, P, 100 * G, zeros, zeros, 1, 0.5, (0.6, 0.999),
        1e-8, 0.0, parts=STEP)
    see("step 4", f, P, G, M, V, 4, 0.1, (0.9, 0.95), 1e-8, 0.3, parts=STEP)
    see("step 30, betas (0.8, 0.99)", f, P, G, M, V, 30, 0.2, (0.8, 0.99), 1e-8, 0.0, parts=STEP)
    see("step 3 with eps = 0.5", f, P, G, M, V, 3, 0.3, (0.9, 0.95), 0.5, 0.0, parts=STEP)
    see("step 2 with eps = 0.1 and small gradients", f, P, G / 50, M / 50, V / 2500, 2, 0.3,
        (0.7, 0.9), 0.1, 0.0, parts=STEP)
    see("step 5 with lr = 0.4 and weight_decay = 2", f, P, G, M, V, 5, 0.4, (0.9, 0.95), 1e-8, 2.0,
        parts=STEP)
    see("step 2 of a vector, with lr = 0.3 and weight_decay = 1.5", f, P[0], G[1], M[0], V[1], 2,
        0.3, (0.5, 0.8), 1e-3, 1.5, parts=STEP)
    see("gradient, m and v all 0", f, P, zeros, zeros, zeros, 1, 0.2, (0.9, 0.95), 1e-8, 0.5,
        parts=STEP)
    see("a gradient of 0 behind others", f, P, zeros, M, V, 5, 0.1, (0.9, 0.95), 1e-8, 0.3,
        parts=STEP)
    see("tensors whose numbers lie in another order in memory", f, P.T, G.T, M.T, V.T, 6, 0.1,
        (0.9, 0.95), 1e-8, 0.2, parts=STEP)
    see("in float32", f, P.float(), G.float(), M.float(), V.float(), 3, 0.1, (0.9, 0.95), 1e-8, 0.2,
        parts=STEP, tol=1e-5)


# the class: w [2, 3] and b [3], gradients of step t from waves of very different heights

def start(dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    return [wave(2, 3, height=2.0).to(dtype).requires_grad_(),
            wave(3, by=0.8).to(dtype).requires_grad_()]


def slopes(t: int, size: float = 1.0) -> list[torch.Tensor | None]:
    """The gradients of step t, from 1."""
    return [wave(2, 3, by=1.1 + 0.3 * t, height=size * t), wave(3, by=0.7 * t, height=0.01 * size)]


def step(optimizer: Any, params: Sequence[torch.Tensor], grads: Grads) -> None:
    for p, g in zip(params, grads, strict=True):
        p.grad = None if g is None else g.to(p.dtype).clone()
    optimizer.step()


def together(params: Sequence[torch.Tensor]) -> torch.Tensor:
    """Copies of all parameters, in one row."""
    return torch.cat([p.detach().reshape(-1).clone() for p in params])


def set_rate(optimizer: Any, lr: float) -> None:
    if hasattr(optimizer, "param_groups"):
        for group in optimizer.param_groups:
            group["lr"] = lr
    else:
        optimizer.lr = lr


def trained(make: Function, steps: int, *args: Any, **settings: Any) -> torch.Tensor:
    params = start()
    optimizer = make(params, *args, **settings)
    for t in range(1, steps + 1):
        step(optimizer, params, slopes(t))
    return together(params)


def trained_float32(make: Function) -> torch.Tensor:
    params = start(torch.float32)
    optimizer = make(params, lr=0.1)
    for t in (1, 2, 3):
        step(optimizer, params, slopes(t))
    return together(params)


def with_rates(make: Function, rates: Sequence[float]) -> torch.Tensor:
    """Each step with its own learning rate, as a schedule sets it."""
    params = start()
    optimizer = make(params, lr=rates[0], weight_decay=0.5)
    for t, lr in enumerate(rates, 1):
        set_rate(optimizer, lr)
        step(optimizer, params, slopes(t))
    return together(params)


def with_gaps(make: Function, gaps: Sequence[tuple[int, int]], steps: int = 4,
              zeros: bool = False) -> torch.Tensor:
    """`gaps` (step, parameter): there that parameter has no gradient, or with `zeros` one of 0."""
    params = start()
    optimizer = make(params, lr=0.1, weight_decay=0.5)
    for t in range(1, steps + 1):
        instead = [torch.zeros_like(p) if zeros else None for p in params]
        step(optimizer, params, [instead[n] if (t, n) in gaps else g
                                 for n, g in enumerate(slopes(t))])
    return together(params)


class OneEach:
    """For an optimiser that knows no groups: one for each of them."""

    def __init__(self, make: Function, groups: Sequence[dict[str, Any]], **settings: Any) -> None:
        self.each = [make(g["params"], **{**settings, **{k: v for k, v in g.items()
                                                         if k != "params"}}) for g in groups]

    def step(self) -> None:
        for optimizer in self.each:
            optimizer.step()


def in_groups(make: Function, own: Sequence[dict[str, Any]], steps: int = 3, **settings: Any,
              ) -> torch.Tensor:
    """The two parameters in a group each; `own` says what differs from `settings`."""
    params = start()
    groups = [{"params": [p], **mine} for p, mine in zip(params, own, strict=True)]
    knows = hasattr(make(start(), **settings), "param_groups")
    optimizer = make(groups, **settings) if knows else OneEach(make, groups, **settings)
    for t in range(1, steps + 1):
        step(optimizer, params, slopes(t))
    return together(params)


def resumed(make: Function, before: int, after: int) -> torch.Tensor:
    """Some steps, then a new optimiser that goes on from the first one's `state_dict`."""
    params = start()
    optimizer = make(params, lr=0.1)
    for t in range(1, before + after + 1):
        if t == before + 1 and hasattr(optimizer, "state_dict"):  # one by itself may have none
            saved = copy.deepcopy(optimizer.state_dict())
            params = [p.detach().clone().requires_grad_() for p in params]
            optimizer = make(params, lr=0.1)
            optimizer.load_state_dict(saved)
        step(optimizer, params, slopes(t))
    return together(params)


def two_at_once(make: Function) -> torch.Tensor:
    """Two optimisers side by side; each has its own parameters and its own memory."""
    a, b = start(), start()
    first, second = make(a, lr=0.1), make(b, lr=0.1)
    for t in (1, 2, 3):
        step(first, a, slopes(t))
        if t > 1:
            step(second, b, slopes(t, size=-2.0))
    return torch.cat([together(a), together(b)])


def what_stays(make: Function) -> list[float]:
    """How far a step moves the gradients; then, whether both are still leaves that learn."""
    params = start()
    step(make(params, lr=0.1), params, slopes(2))
    moved = sum(float((p.grad - g).abs().sum()) for p, g in zip(params, slopes(2), strict=True)
                if p.grad is not None and g is not None)
    return [moved, *(float(p.is_leaf and p.requires_grad) for p in params)]


def size_after(make: Function, t: int) -> float:
    """The size of all gradients after a step with those of step `t`; None counts as 0."""
    params = start()
    step(make(params, lr=0.1), params, slopes(t))
    return sum(float(p.grad.abs().sum()) for p in params if p.grad is not None)


def cleared(make: Function, t: int) -> list[float]:
    """What is left of the gradients after zero_grad, None or zeros, and after a backward then."""
    params = start()
    optimizer = make(params, lr=0.1)
    step(optimizer, params, slopes(t))
    optimizer.zero_grad()
    left = sum(float(p.grad.abs().sum()) for p in params if p.grad is not None)
    torch.autograd.backward([(p * p).sum() for p in params])
    return [left, *(float(torch.as_tensor(p.grad).abs().sum()) for p in params)]


@scenario("optim.AdamW")
def adamw(make: Function, see: See) -> None:
    def from_generator(steps: int) -> torch.Tensor:
        return trained(lambda params, **settings: make((p for p in params), **settings), steps,
                       lr=0.1)

    see("w and b after 1 step with lr = 0.1", trained, make, 1, 0.1)
    see("w and b after 5 steps with lr = 0.1", trained, make, 5, 0.1)
    see("w and b after 12 steps with lr = 0.02, betas (0.8, 0.99), no decay", trained, make, 12,
        lr=0.02, betas=(0.8, 0.99), weight_decay=0.0)
    see("w and b after 4 steps with lr = 0.3, eps = 0.5, weight_decay = 1", trained, make, 4,
        lr=0.3, eps=0.5, weight_decay=1.0)
    see("w and b after steps with lr = 0.1, 0.4, 0.2, 0", with_rates, make, (0.1, 0.4, 0.2, 0.0))
    see("w and b after steps with lr = 0, 0.3, 0.1", with_rates, make, (0.0, 0.3, 0.1))
    see("b has no gradient at steps 1 and 2 of 4", with_gaps, make, ((1, 1), (2, 1)))
    see("w has no gradient at step 2 of 4, b none at 3", with_gaps, make, ((2, 0), (3, 1)))
    see("w has no gradient at step 1 of 3", with_gaps, make, ((1, 0),), 3)
    see("b never has a gradient", with_gaps, make, ((1, 1), (2, 1), (3, 1), (4, 1)))
    see("b's gradient is all 0 at step 1 of 4, w's at step 3", with_gaps, make, ((1, 1), (3, 0)),
        zeros=True)
    see("w's gradient is all 0 at step 2 of 3", with_gaps, make, ((2, 0),), 3, zeros=True)
    see("two groups, the second without decay", in_groups, make,
        ({"weight_decay": 0.8}, {"weight_decay": 0.0}), lr=0.2)
    see("two groups, the first without decay", in_groups, make,
        ({"weight_decay": 0.0}, {"weight_decay": 1.5}), lr=0.1)
    see("two groups, the second with lr = 0.5", in_groups, make, ({}, {"lr": 0.5}), 4, lr=0.05)
    see("two groups, the second with lr = 0.01", in_groups, make, ({}, {"lr": 0.01}), lr=0.2)
    see("two groups with betas and eps of their own", in_groups, make,
        ({"betas": (0.5, 0.7)}, {"eps": 0.3}), lr=0.2)
    see("parameters from a generator, 3 steps", from_generator, 3)
    see("w and b after 2 steps, and 2 more from their state_dict", resumed, make, 2, 2)
    see("w and b after 4 steps, and 1 more from their state_dict", resumed, make, 4, 1)
    see("two optimisers side by side", two_at_once, make)
    see("how far a step moves gradients; are w and b still leaves that learn", what_stays, make)
    see("size of the gradients after a step, which only reads them", size_after, make, 3)
    see("size of the gradients after zero_grad; then after a backward of Σp², w's and b's",
        cleared, make, 2)
    see("the same with other gradients", cleared, make, 3)
    see("w and b in float32 after 3 steps", trained_float32, make, tol=1e-5)
