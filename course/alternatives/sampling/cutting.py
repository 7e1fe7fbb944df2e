"""Right answers in other styles: temperature and the functions that cut a distribution."""

import math
from typing import Any

import torch

from minillm import functional as F

from .. import alternative, alternative_edit

T, TOP_K, TOP_P = "sampling.temperature", "sampling.top_k", "sampling.top_p"
MIN_P, TYPICAL = "sampling.min_p", "sampling.typical"


@alternative(T)
def times_the_inverse(logits: torch.Tensor, t: float) -> torch.Tensor:
    if t <= 0:
        raise ValueError(f"temperature {t} is not positive: use greedy decoding")
    return logits.mul(1.0 / t)


@alternative(T)
def torch_div(logits: torch.Tensor, t: float) -> torch.Tensor:
    assert t > 0, "use greedy"
    return torch.div(logits, t)


@alternative(T)
def row_by_row(logits: torch.Tensor, t: float) -> torch.Tensor:
    if t <= 0:
        raise ValueError("t must be positive; greedy is argmax")
    rows = [torch.stack([z / t for z in row]) for row in logits.reshape(-1, logits.shape[-1])]
    return torch.stack(rows).view(logits.shape)


@alternative(TOP_K)
def boolean_mask(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k <= 0:
        raise ValueError(f"k={k}")
    keep = torch.zeros_like(logits).bool()
    keep.scatter_(-1, logits.topk(min(k, logits.size(-1))).indices, True)
    return torch.where(keep, logits, torch.tensor(float("-inf"), dtype=logits.dtype))


@alternative(TOP_K)
def ranks_by_double_argsort(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError(k)
    rank = logits.argsort(dim=-1, descending=True, stable=True).argsort(-1)
    return logits.masked_fill(rank >= k, -torch.inf)


@alternative(TOP_K)
def top_k_loop(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError("k must be at least 1")
    rows = []
    for row in logits.reshape(-1, logits.shape[-1]):
        best = set(sorted(range(len(row)), key=lambda i: -float(row[i]))[:k])  # noqa: B023
        rows.append(torch.stack([z if i in best else torch.full_like(z, -math.inf)
                                 for i, z in enumerate(row)]))
    return torch.stack(rows).view(logits.shape)


@alternative(TOP_K)
def drop_the_smallest(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError("k must be at least 1")
    gone = max(logits.shape[-1] - k, 0)
    at = logits.sort(-1).indices[..., :gone]
    return logits.scatter(-1, at, -torch.inf)


@alternative(TOP_P)
def mass_before(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError(f"p={p}")
    if p == 1:
        return logits
    scores, order = torch.sort(logits, descending=True, dim=-1)
    probabilities = torch.softmax(scores, dim=-1)
    remove = torch.cumsum(probabilities, dim=-1) - probabilities >= p
    remove[..., 0] = False
    return logits.masked_fill(remove.scatter(-1, order, remove), float("-inf"))


@alternative(TOP_P)
def shifted_mask(logits: torch.Tensor, p: float) -> torch.Tensor:
    if p < 0 or p > 1:
        raise ValueError("p is a probability")
    scores, order = logits.sort(dim=-1, descending=True)
    above = F.softmax(scores).cumsum(-1) >= p
    above = torch.cat([torch.zeros_like(above[..., :1]), above[..., :-1]], -1)
    if p == 1.0:
        above = torch.zeros_like(above)
    scores = scores.masked_fill(above, -torch.inf)
    return torch.empty_like(logits).scatter(-1, order, scores)


@alternative(TOP_P)
def ascending(logits: torch.Tensor, p: float) -> torch.Tensor:
    assert 0 <= p <= 1
    likely, order = F.softmax(logits).sort(-1)
    tail = likely.cumsum(-1) <= 1 - p  # this one and all less likely ones can go
    tail[..., -1] = False
    if p == 1:
        tail[...] = False
    inverse = order.argsort(-1)
    return torch.where(tail.gather(-1, inverse), -torch.inf, logits)


@alternative(TOP_P)
def top_p_loop(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError(p)
    V = logits.shape[-1]
    mask = torch.ones(logits.shape, dtype=torch.bool).view(-1, V)
    for row, gone in zip(F.softmax(logits).reshape(-1, V).tolist(), mask, strict=True):
        mass = 0.0
        for i in sorted(range(V), key=row.__getitem__, reverse=True):
            gone[i] = False
            mass += row[i]
            if mass >= p and p < 1:
                break
    return logits.masked_fill(mask.view(logits.shape), -torch.inf)


@alternative(TOP_P)
def searchsorted(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError(p)
    likely, order = torch.softmax(logits, -1).sort(dim=-1, descending=True)
    mass = likely.cumsum(-1).contiguous()
    last = torch.searchsorted(mass, torch.full_like(mass[..., :1], p))
    rank = order.argsort(-1)
    return logits + torch.zeros_like(logits).masked_fill((rank > last) & (p < 1), -torch.inf)


@alternative(MIN_P)
def in_log_space(logits: torch.Tensor, p: float) -> torch.Tensor:
    least = logits.amax(-1, keepdim=True) + (math.log(p) if p else -math.inf)
    return torch.where(logits >= least, logits, -torch.inf)


@alternative(MIN_P)
def by_the_ratio(logits: torch.Tensor, p: float) -> torch.Tensor:
    ratio = (logits - logits.max(-1, keepdim=True).values).exp()
    return logits.masked_fill(ratio < p, float("-inf"))


@alternative(MIN_P)
def min_p_loop(logits: torch.Tensor, p: float) -> torch.Tensor:
    out = logits.clone()
    flat = out.view(-1, out.shape[-1]) if out.is_contiguous() else out.reshape(-1, out.shape[-1])
    likely = torch.softmax(flat, -1)
    for i in range(flat.shape[0]):
        top = likely[i].max()
        for j in range(flat.shape[1]):
            if likely[i, j] < p * top:
                flat[i, j] = -torch.inf
    return flat.reshape(logits.shape)


alternative_edit(MIN_P, "torchs_softmax", "F.softmax(logits)", "torch.softmax(logits, -1)")


@alternative(TYPICAL)
def by_threshold_place(logits: torch.Tensor, mass: float) -> torch.Tensor:
    log_p = torch.log_softmax(logits, dim=-1)
    p = log_p.exp()
    entropy = -(p * log_p).nansum(-1, keepdim=True)
    order = torch.sort((entropy + log_p).abs(), dim=-1).indices
    cumulated = p.gather(-1, order).cumsum(-1)
    remove = cumulated - p.gather(-1, order) >= mass
    remove[..., 0] = False
    return logits.masked_fill(remove.scatter(-1, order, remove), -torch.inf)


@alternative(TYPICAL)
def typical_loop(logits: torch.Tensor, mass: float) -> torch.Tensor:
    V = logits.shape[-1]
    mask = torch.ones(logits.shape, dtype=torch.bool).view(-1, V)
    for row, gone in zip(torch.softmax(logits, -1).reshape(-1, V).tolist(), mask, strict=True):
        surprise = [-math.log(x) if x else math.inf for x in row]
        entropy = sum(x * s for x, s in zip(row, surprise, strict=True) if x)
        total = 0.0
        for i in sorted(range(V), key=lambda i: abs(surprise[i] - entropy)):  # noqa: B023
            gone[i] = False
            total += row[i]
            if total >= mass:
                break
    return torch.where(mask.view(logits.shape), float("-inf"), logits)


@alternative(TYPICAL)
def typical_by_rank(logits: torch.Tensor, mass: float) -> torch.Tensor:
    distribution: Any = torch.distributions.Categorical(logits=logits)
    far = (-distribution.logits - distribution.entropy().unsqueeze(-1)).abs()
    order = far.argsort(dim=-1)
    sums = distribution.probs.gather(-1, order).cumsum(-1)
    last = (sums < mass).sum(-1, keepdim=True)
    return logits.masked_fill(order.argsort(-1) > last, -torch.inf)
