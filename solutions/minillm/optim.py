"""From gradients to better weights: AdamW, Muon, clipping, and the schedule of the learning rate.

Letters: m and v are running averages of a gradient and of its square; a step counts from 1 where
averages are corrected, and from 0 in a schedule.
"""

import math
from collections.abc import Iterable
from typing import Any

import torch

from .groups import Groups, Optimizer


def adamw_step(
    param: torch.Tensor,
    grad: torch.Tensor,
    m: torch.Tensor,
    v: torch.Tensor,
    step: int,
    lr: float,
    betas: tuple[float, float],
    eps: float,
    weight_decay: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Give (param, m, v) after one step of AdamW: new tensors, the given ones stay as they are.

    All four tensors have one shape and dtype, which is kept. `m` and `v` are 0 before the first
    step; `step` counts from 1. m averages the gradient with `betas[0]`, v its square with
    `betas[1]`; both are corrected for having started at 0. `eps` is added outside the root, and
    weight decay is decoupled: it takes lr · weight_decay · param, of the given param. Raises
    ValueError when `step` is below 1 or shapes differ.
    Sources: Kingma and Ba (2015); Loshchilov and Hutter (2019) for the decay.
    """
    if step < 1 or not param.shape == grad.shape == m.shape == v.shape:
        raise ValueError(f"step {step} with shapes {[tuple(x.shape) for x in (param, grad, m, v)]}")
    ### BEGIN SOLUTION
    beta1, beta2 = betas
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad**2
    m_hat = m / (1 - beta1**step)
    v_hat = v / (1 - beta2**step)
    param = param - lr * weight_decay * param
    param = param - lr * m_hat / (v_hat.sqrt() + eps)
    return param, m, v
    ### END SOLUTION


class AdamW(Optimizer):
    """AdamW for many parameters, with the values and the groups of `torch.optim.AdamW`.

    `params`: tensors, or groups: dicts with `params` and their own `lr`, `betas`, `eps` or
    `weight_decay`. `self.param_groups` is a list of dicts that hold all of these, and may be
    changed between steps. Raises ValueError for settings that can't work.
    """

    def __init__(
        self,
        params: Groups,
        lr: float,
        betas: tuple[float, float] = (0.9, 0.95),
        eps: float = 1e-8,
        weight_decay: float = 0.1,
    ) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    @torch.no_grad()
    def step(self) -> None:
        """Move each parameter in place by its `.grad`; one whose grad is None stays as it is.

        `self.state[p]` is a dict for what p's next step needs, empty before the first one. Each
        parameter counts its own steps.
        """
        ### BEGIN SOLUTION
        for group in self.param_groups:
            settings = [group[name] for name in ("lr", "betas", "eps", "weight_decay")]
            for p in group["params"]:
                if p.grad is None:
                    continue
                if not (memory := self.state[p]):
                    memory.update(step=0, m=torch.zeros_like(p), v=torch.zeros_like(p))
                memory["step"] += 1
                m, v, step = memory["m"], memory["v"], memory["step"]
                new, memory["m"], memory["v"] = adamw_step(p, p.grad, m, v, step, *settings)
                p.copy_(new)
        ### END SOLUTION


def decay_groups(params: Iterable[torch.Tensor], weight_decay: float) -> list[dict[str, Any]]:
    """Give two groups for AdamW: matrices, which decay, and everything else, which does not.

    The first dict holds the parameters of two or more dimensions and `weight_decay`, the second
    the rest (biases and the gains of norms) and a `weight_decay` of 0. Their order is kept.
    """
    ### BEGIN SOLUTION
    params = list(params)
    return [
        {"params": [p for p in params if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in params if p.ndim < 2], "weight_decay": 0.0},
    ]
    ### END SOLUTION


def clip_grad_norm(params: Iterable[torch.Tensor], max_norm: float) -> torch.Tensor:
    """Shorten all gradients by one factor, so that together they are no longer than `max_norm`.

    Gives the norm before clipping, a 0-d tensor: the root of the sum of all squares over all
    parameters that have a gradient (0 if none has one). Gradients are scaled in place, and only
    when that norm is above `max_norm`. `params` may be a generator.
    Source: Pascanu, Mikolov and Bengio (2013).
    """
    ### BEGIN SOLUTION
    grads = [p.grad for p in params if p.grad is not None]
    norms = [g.norm() for g in grads] or [torch.zeros(())]
    norm: torch.Tensor = torch.stack(norms).norm()
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    return norm
    ### END SOLUTION


def warmup_cosine(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    """Give the learning rate of a step, counted from 0.

    It climbs from 0 in a straight line, reaches `peak` at step `warmup`, falls from there as half
    a cosine wave, and is `floor` at step `total` and ever after. `warmup` = 0 starts at `peak`.
    Raises ValueError for a negative step or for a warm-up longer than `total`.
    Source: Loshchilov and Hutter (2017) for the cosine.
    """
    if step < 0 or not 0 <= warmup <= total:
        raise ValueError(f"step {step} of a schedule with warm-up {warmup} and {total} steps")
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * step / warmup
    if step >= total:
        return floor
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2
    ### END SOLUTION


def orthogonalize(matrix: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """Bring all singular values of a matrix near 1 and leave its directions as they are.

    `matrix` [rows, columns] → the same shape and dtype. It is divided by its Frobenius norm (plus
    1e-7, so that a matrix of zeros stays one), then `steps` times X becomes
    a X + (b A + c A²) X with A = X Xᵀ. A tall matrix is turned for that and turned back. Raises
    ValueError for another number of dimensions. Source: Jordan et al. (2024).
    """
    if matrix.ndim != 2:
        raise ValueError(f"only a matrix has singular values; the shape is {tuple(matrix.shape)}")
    a, b, c = 3.4445, -4.7750, 2.0315
    ### BEGIN SOLUTION
    tall = matrix.shape[0] > matrix.shape[1]
    X: torch.Tensor = matrix.mT if tall else matrix
    X = X / (X.norm() + 1e-7)
    for _ in range(steps):
        A = X @ X.mT  # (s, s), s the shorter side
        X = a * X + (b * A + c * A @ A) @ X
    return X.mT if tall else X
    ### END SOLUTION


def muon_step(
    param: torch.Tensor,
    grad: torch.Tensor,
    momentum: torch.Tensor,
    lr: float,
    beta: float = 0.95,
    steps: int = 5,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Give (param, momentum) of a matrix after one step of Muon: new tensors.

    All three are [rows, columns]; `momentum` is 0 before the first step. It becomes
    beta · momentum + (1 - beta) · grad. The direction is Nesterov's: the new momentum mixed with
    grad once more in the same way, then orthogonalised in `steps` iterations. The param goes
    against it by lr · √max(1, rows / columns). Raises ValueError when shapes differ.
    Source: Jordan et al. (2024).
    """
    if not param.shape == grad.shape == momentum.shape:
        raise ValueError(f"shapes {[tuple(x.shape) for x in (param, grad, momentum)]} differ")
    ### BEGIN SOLUTION
    momentum = beta * momentum + (1 - beta) * grad
    ahead = beta * momentum + (1 - beta) * grad
    rows, columns = param.shape
    size = max(1.0, rows / columns) ** 0.5
    return param - lr * size * orthogonalize(ahead, steps), momentum
    ### END SOLUTION


class Muon(Optimizer):
    """Muon for hidden weight matrices; embeddings, biases and gains of norms belong to AdamW.

    `params` as for AdamW, each of two dimensions, else ValueError. `lr` is close to the largest
    singular value of a step. Decay is decoupled, as in AdamW.
    """

    def __init__(
        self,
        params: Groups,
        lr: float = 0.02,
        momentum: float = 0.95,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay)
        if other := [tuple(p.shape) for p in self._parameters() if p.ndim != 2]:
            raise ValueError(f"Muon moves matrices; these are none: {other}")

    @torch.no_grad()
    def step(self) -> None:
        """Move each matrix in place by its `.grad`; one whose grad is None stays as it is."""
        for group in self.param_groups:
            lr, beta = group["lr"], group["momentum"]
            for p in group["params"]:
                if p.grad is not None:
                    momentum = self.state[p].get("momentum", torch.zeros_like(p))
                    decayed = p * (1 - lr * group["weight_decay"])
                    new, self.state[p]["momentum"] = muon_step(decayed, p.grad, momentum, lr, beta)
                    p.copy_(new)
