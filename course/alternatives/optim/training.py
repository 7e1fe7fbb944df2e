"""Right answers to decay groups, clipping and the schedule in other styles."""

import math
from collections.abc import Iterable
from typing import Any

import torch

from .. import alternative

GROUPS, CLIP, RATE = "optim.decay_groups", "optim.clip_grad_norm", "optim.warmup_cosine"


@alternative(GROUPS)
def one_loop(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    decay: list[torch.Tensor] = []
    rest: list[torch.Tensor] = []
    for p in params:
        (decay if p.dim() > 1 else rest).append(p)
    return [dict(params=decay, weight_decay=weight_decay), dict(params=rest, weight_decay=0)]


@alternative(GROUPS)
def by_shape(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    groups: list[dict[str, Any]] = [{"params": [], "weight_decay": weight_decay},
                                    {"params": [], "weight_decay": 0.0}]
    for p in params:
        groups[len(p.shape) < 2]["params"].append(p)
    return groups


@alternative(GROUPS)
def rest_first(params: "Iterable[torch.Tensor]", weight_decay: float) -> "list[dict[str, Any]]":
    params = tuple(params)
    vectors = [p for p in params if p.ndim in (0, 1)]
    known = {id(p) for p in vectors}
    return [{"weight_decay": 0.0, "params": vectors},
            {"weight_decay": weight_decay, "params": [p for p in params if id(p) not in known]}]


@alternative(CLIP)
def torchs_own(params: "Iterable[torch.Tensor]", max_norm: float) -> Any:
    return torch.nn.utils.clip_grad_norm_(params, max_norm)


@alternative(CLIP)
def in_one_row(params: "Iterable[torch.Tensor]", max_norm: float) -> float:
    params = [p for p in params if p.grad is not None]
    grads: list[Any] = [p.grad for p in params]
    norm = float(torch.cat([torch.zeros(0), *(g.flatten() for g in grads)]).norm())
    factor = min(1.0, max_norm / (norm + 1e-6))
    for g in grads:
        g *= factor
    return norm


@alternative(CLIP)
def summed_squares(params: "Iterable[torch.Tensor]", max_norm: float) -> Any:
    params = list(params)
    total = 0.0
    for p in params:
        if p.grad is not None:
            total += p.grad.detach().pow(2).sum().item()
    norm = math.sqrt(total)
    if norm > max_norm:
        for p in params:
            if p.grad is not None:
                p.grad = p.grad / norm * max_norm
    return torch.tensor(norm)


@alternative(RATE)
def with_min(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    if step < warmup:
        return step / warmup * peak
    share = min(1.0, (step - warmup) / max(1, total - warmup))
    return floor + 0.5 * (peak - floor) * (1.0 + math.cos(math.pi * share))


@alternative(RATE)
def squared_cosine(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    if step >= total:
        return floor
    if step < warmup:
        return peak * step / warmup
    c = math.cos(math.pi / 2 * (step - warmup) / (total - warmup))
    return peak * c**2 + floor * (1 - c**2)


@alternative(RATE)
def in_torch(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    if warmup > step:
        return peak * step / warmup
    left = max(total - warmup, 1)
    angle = torch.tensor((step - warmup) / left, dtype=torch.float64).clamp(0, 1)
    return ((peak + floor) / 2 + (peak - floor) / 2 * (angle * torch.pi).cos()).item()
