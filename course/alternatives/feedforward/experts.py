"""Right answers to the router, the balance loss, the capacity and the mixture in other styles."""

import math

import torch

from minillm import functional

from ...mistakes import reference
from .. import alternative, alternative_edit

ROUTE, LOSS = "feedforward.route", "feedforward.load_balance_loss"
ROOM, MOE = "feedforward.within_capacity", "feedforward.MoE"


@alternative(ROUTE)
def softmax_after(logits: torch.Tensor, k: int, renormalize: bool = True,
) -> tuple[torch.Tensor, torch.Tensor]:
    best, experts = torch.topk(logits, k, dim=-1)
    if renormalize:
        return torch.softmax(best, -1), experts
    return (best - logits.logsumexp(-1, keepdim=True)).exp(), experts


@alternative(ROUTE)
def sort(logits: torch.Tensor, k: int, renormalize: bool = True,
) -> tuple[torch.Tensor, torch.Tensor]:
    if k > logits.size(1):
        raise ValueError(k)
    p, order = torch.softmax(logits, 1).sort(1, descending=True)
    p, order = p[:, :k], order[:, :k]
    return (p / p.sum(1)[:, None] if renormalize else p), order


@alternative(ROUTE)
def gathered(logits: torch.Tensor, k: int, renormalize: bool = True,
) -> tuple[torch.Tensor, torch.Tensor]:
    if k > logits.size(1):
        raise ValueError(k)
    experts = logits.argsort(-1, descending=True)[..., :k]
    weights = torch.nn.functional.softmax(logits, dim=-1).gather(-1, experts)
    if renormalize:
        weights = torch.nn.functional.normalize(weights, p=1, dim=-1)
    return weights, experts


@alternative(ROUTE)
def by_float32(logits: torch.Tensor, k: int, renormalize: bool = True,
) -> tuple[torch.Tensor, torch.Tensor]:
    if k > logits.shape[-1]:
        raise ValueError(k)
    z = logits.to(torch.promote_types(logits.dtype, torch.float32))
    p, experts = torch.softmax(z, -1).topk(k)
    return (p / p.sum(-1, keepdim=True) if renormalize else p).to(logits.dtype), experts


@alternative(LOSS)
def one_hot(logits: torch.Tensor, experts: torch.Tensor, n_expert: int) -> torch.Tensor:
    f = torch.nn.functional.one_hot(experts, n_expert).to(logits.dtype).mean((0, 1))
    return n_expert * f @ torch.softmax(logits, -1).mean(0)


@alternative(LOSS)
def loop(logits: torch.Tensor, experts: torch.Tensor, n_expert: int) -> torch.Tensor:
    p = logits.softmax(-1)
    total = logits.new_zeros(())
    for e in range(n_expert):
        total = total + (experts == e).to(p.dtype).mean() * p[:, e].mean()
    return total * n_expert


@alternative(LOSS)
def counts_divided(logits: torch.Tensor, experts: torch.Tensor, n_expert: int) -> torch.Tensor:
    hits = experts.unsqueeze(-1) == torch.arange(n_expert)
    f = hits.sum((0, 1)) / experts.numel()  # float32, whatever the logits are
    return n_expert * (f * functional.softmax(logits).mean(0)).sum()


@alternative(LOSS)
def gathered_means(logits: torch.Tensor, experts: torch.Tensor, n_expert: int) -> torch.Tensor:
    P = torch.softmax(logits, -1).mean(0)  # Σ f P is the mean of P over all choices
    return n_expert * P[experts].mean()


@alternative(LOSS)
def scattered(logits: torch.Tensor, experts: torch.Tensor, n_expert: int) -> torch.Tensor:
    line = experts.reshape(-1)
    f = torch.zeros(n_expert, dtype=logits.dtype).index_add(
        0, line, torch.full((len(line),), 1 / len(line), dtype=logits.dtype))
    return (f * torch.softmax(logits, 1)).sum() / len(logits) * n_expert


@alternative(ROOM)
def queue(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    room = [math.ceil(factor * experts.numel() / n_expert)] * n_expert
    kept = []
    for e in experts.flatten().tolist():
        room[e] -= 1
        kept.append(room[e] >= 0)
    return torch.tensor(kept).view(experts.shape)


@alternative(ROOM)
def expert_by_expert(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    line, N, k = experts.reshape(-1), *experts.shape
    capacity = int(-(-factor * N * k // n_expert))
    kept = torch.zeros(N * k, dtype=torch.bool)
    for e in range(n_expert):
        kept[(line == e).nonzero().flatten()[:capacity]] = True
    return kept.reshape(N, k)


@alternative(ROOM)
def earlier_equals(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    line = experts.flatten()
    before = (line[:, None] == line[None, :]).tril(-1).sum(1)  # who came earlier to my expert
    return before.lt(math.ceil(factor * len(line) / n_expert)).reshape(experts.shape)


@alternative(ROOM)
def one_hot_minus_one(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    hot = torch.nn.functional.one_hot(experts.reshape(-1), n_expert)
    place = ((hot.cumsum(0) - 1) * hot).sum(-1)
    capacity = math.ceil(experts.shape[0] * experts.shape[1] / n_expert * factor)
    return (place < capacity).reshape(experts.shape)


_, SOURCE = reference(MOE)
FIRST, LAST = SOURCE.index("        out = torch.zeros_like"), SOURCE.index("        return out")
LOOP = SOURCE[FIRST:LAST]
alternative_edit(MOE, "every_expert_masked", LOOP, """\
        share = torch.zeros_like(logits).scatter(1, experts, weights)  # (N, E)
        out = sum(share[:, e:e + 1] * expert(rows) for e, expert in enumerate(self.experts))
""")
alternative_edit(MOE, "token_by_token", LOOP, """\
        done = []
        for n, row in enumerate(rows):
            parts = [weights[n, j] * self.experts[int(experts[n, j])](row) for j in range(k)]
            done.append(torch.stack(parts).sum(0))
        out = torch.stack(done)
""")
alternative_edit(MOE, "choice_by_choice", LOOP, """\
        out = torch.zeros_like(rows)
        for j in range(k):
            part = torch.zeros_like(rows)
            for e in range(E):
                mine = experts[:, j] == e
                part[mine] = self.experts[e](rows[mine])
            out = out + weights[:, j].unsqueeze(1) * part
""")
alternative_edit(MOE, "sorted_choices", LOOP, """\
        order = experts.flatten().argsort(stable=True)
        sizes = torch.bincount(experts.flatten(), minlength=E).tolist()
        pieces = rows.repeat_interleave(k, 0)[order].split(sizes)
        given = torch.cat([expert(p) for expert, p in zip(self.experts, pieces)])
        back = torch.empty_like(given)
        back[order] = given
        out = (back.view(-1, k, rows.shape[1]) * weights[..., None]).sum(1)
""")
alternative_edit(MOE, "kept_choices_only", LOOP, """\
        out = rows.new_zeros(rows.shape)
        for e in range(E):
            n, j = torch.where((experts == e) & (weights != 0))
            if len(n):
                out.index_add_(0, n, self.experts[e](rows[n]) * weights[n, j].unsqueeze(-1))
""")
alternative_edit(MOE, "stacked_weights", LOOP, """\
        def all_of(name, z, pattern):
            layers = [getattr(expert, name) for expert in self.experts]
            y = torch.einsum(pattern, z, torch.stack([layer.weight for layer in layers]))
            return y + torch.stack([layer.bias for layer in layers]) if self.config.bias else y
        gate = all_of("gate_proj", rows, "nd,efd->nef")
        h = silu(gate) * all_of("up_proj", rows, "nd,efd->nef")
        every = all_of("down_proj", h, "nef,edf->ned").unbind(1)
        every = torch.stack([each.dropout(y) for each, y in zip(self.experts, every)], 1)
        share = torch.zeros_like(logits).scatter(1, experts, weights)
        out = torch.einsum("ne,ned->nd", share, every)
""")
alternative_edit(MOE, "softmax_over_chosen",
                 "weights, experts = route(logits, k, renormalize=k > 1)",
                 "best, experts = logits.topk(k)\n        weights = best.softmax(-1) if k > 1 else "
                 "functional.softmax(logits).amax(-1, keepdim=True)")
alternative_edit(LOSS, "choices_by_view", "experts.flatten()", "experts.view(-1)")
alternative_edit(ROOM, "choices_by_view", "experts.flatten()", "experts.view(-1)")
