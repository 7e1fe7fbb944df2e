"""Right answers in other styles: the penalty, drawing, contrastive scores, whole sequences."""

import math
from collections.abc import Callable
from typing import Any

import torch

from minillm import functional as F
from minillm.sampling import (
    at_rest,
    context_size,
    new_cache,
    next_logits,
    sample,
    temperature,
    top_k,
    top_p,
)

from .. import alternative, alternative_edit

PENALTY, SAMPLE, CONTRAST = ("sampling.repetition_penalty", "sampling.sample",
                             "sampling.contrastive")
GENERATE, BEAM = "sampling.generate", "sampling.beam_search"


@alternative(PENALTY)
def gather_and_scatter(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    ids = ids.expand(*logits.shape[:-1], ids.shape[-1])
    score = torch.gather(logits, -1, ids)
    score = torch.where(score < 0, score * penalty, score / penalty)
    return logits.scatter(-1, ids, score)


@alternative(PENALTY)
def by_index(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    out = logits.clone()
    if ids.dim() == 1:
        z = logits[..., ids]
        out[..., ids] = torch.where(z > 0, z / penalty, z * penalty)
        return out
    for row, made, seen in zip(logits, out, ids, strict=True):
        for i in set(seen.tolist()):
            made[i] = row[i] / penalty if row[i] > 0 else row[i] * penalty
    return out


@alternative(PENALTY)
def split_by_sign(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    hot = torch.nn.functional.one_hot(ids, logits.shape[-1]).sum(-2).clamp(max=1)
    factor = 1 + hot.to(logits.dtype) * (penalty - 1.0)
    return logits.clamp(min=0) / factor + logits.clamp(max=0) * factor


@alternative(SAMPLE)
def gumbel(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    u = torch.rand(logits.shape, generator=generator, dtype=torch.float64)
    return (logits - (-u.clamp(min=1e-300).log()).log()).argmax(-1)


@alternative(SAMPLE)
def inverse_of_the_running_sum(logits: torch.Tensor, generator: torch.Generator | None = None,
                               ) -> torch.Tensor:
    cdf = torch.softmax(logits.double(), -1).cumsum(-1)
    u = torch.rand(logits.shape[:-1], generator=generator, dtype=torch.float64)
    return (cdf / cdf[..., -1:] <= u[..., None]).sum(-1)


@alternative(SAMPLE)
def exponential_race(logits: torch.Tensor, generator: torch.Generator | None = None,
                     ) -> torch.Tensor:
    p = F.softmax(logits)
    return (p / torch.empty_like(p).exponential_(generator=generator)).argmax(dim=-1)


@alternative(SAMPLE)
def row_after_row(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    rows = torch.softmax(logits, -1).reshape(-1, logits.shape[-1])
    drawn = [torch.multinomial(row, 1, generator=generator) for row in rows]
    return torch.cat(drawn).reshape(logits.shape[:-1])


@alternative(CONTRAST)
def with_probabilities(expert_logits: torch.Tensor, amateur_logits: torch.Tensor,
                       alpha: float = 0.1) -> torch.Tensor:
    p = torch.softmax(expert_logits, -1)
    keep = p >= alpha * p.max(-1, keepdim=True).values
    difference = torch.log_softmax(expert_logits, -1) - torch.log_softmax(amateur_logits, -1)
    return torch.where(keep, difference, -torch.inf)


@alternative(CONTRAST)
def by_the_scores(expert_logits: torch.Tensor, amateur_logits: torch.Tensor,
                  alpha: float = 0.1) -> torch.Tensor:
    lead = expert_logits - expert_logits.amax(-1, keepdim=True)
    level = expert_logits.logsumexp(-1, keepdim=True) - amateur_logits.logsumexp(-1, keepdim=True)
    out = expert_logits - amateur_logits - level
    return out.masked_fill(lead < math.log(alpha), float("-inf"))


@alternative(CONTRAST)
def through_min_p(expert_logits: torch.Tensor, amateur_logits: torch.Tensor,
                  alpha: float = 0.1) -> torch.Tensor:
    p = F.softmax(expert_logits)
    gone = p < alpha * p.amax(-1, keepdim=True)
    return F.log_softmax(expert_logits).masked_fill(gone, -torch.inf) - F.log_softmax(
        amateur_logits)


@alternative(GENERATE)
def plain(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, *, t: float = 1.0,
          k: int | None = None, p: float | None = None, use_cache: bool = True,
          generator: torch.Generator | None = None) -> torch.Tensor:
    block = model.config.block_size  # type: ignore[attr-defined]
    with torch.no_grad():
        for _ in range(max_new_tokens):
            z = model(ids[:, -block:])[0][:, -1, :]
            if t == 0:
                ids = torch.cat((ids, z.argmax(-1, keepdim=True)), dim=-1)
                continue
            z = z / t
            if k is not None:
                z = top_k(z, k)
            if p is not None:
                z = top_p(z, p)
            new = torch.multinomial(torch.softmax(z, -1), 1, generator=generator)
            ids = torch.cat((ids, new), dim=-1)
    return ids


@alternative(GENERATE)
def filled_in(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, *, t: float = 1.0,
              k: int | None = None, p: float | None = None, use_cache: bool = True,
              generator: torch.Generator | None = None) -> torch.Tensor:
    size = context_size(model) or ids.shape[1] + max_new_tokens
    B, T = ids.shape
    out = torch.zeros(B, T + max_new_tokens, dtype=ids.dtype)
    out[:, :T] = ids
    with at_rest(model):
        for end in range(T, T + max_new_tokens):
            z = next_logits(model, out[:, max(0, end - size):end])
            if t > 0:
                z = top_p(top_k(temperature(z, t), k or z.shape[-1]), 1.0 if p is None else p)
            else:
                z = top_k(z, 1)
            out[:, end] = sample(z, generator=generator)
    return out


@alternative(GENERATE)
def very_cold(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, *, t: float = 1.0,
              k: int | None = None, p: float | None = None, use_cache: bool = True,
              generator: torch.Generator | None = None) -> torch.Tensor:
    cache = new_cache(model, ids) if use_cache else None
    size = context_size(model)
    parts = [ids]
    with at_rest(model):
        for _ in range(max_new_tokens):
            context = torch.cat(parts, 1)
            context = context if size is None else context[:, -size:]
            z = temperature(next_logits(model, context, cache), max(t, 1e-6))
            z = z if k is None else top_k(z, k)
            z = z if p is None else top_p(z, p)
            parts.append(sample(z, generator)[:, None])
    return torch.cat(parts, 1)


@alternative(BEAM)
def lists_of_paths(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int,
                   beams: int) -> Any:
    block, found = model.config.block_size, []  # type: ignore[attr-defined]
    for row in ids.tolist():
        paths = [(0.0, row)]
        for _ in range(max_new_tokens):
            longer = []
            for score, path in paths:
                with torch.no_grad():
                    log_p = model(torch.tensor([path[-block:]]))[0][0, -1].log_softmax(-1)
                longer += [(score + float(x), [*path, i]) for i, x in enumerate(log_p)]
            paths = sorted(longer, reverse=True)[:beams]
        found.append(paths[0])
    return torch.tensor([path for _, path in found]), torch.tensor([score for score, _ in found])


@alternative(BEAM)
def copies_at_the_start(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int,
                        beams: int) -> Any:
    size, B = context_size(model) or ids.shape[1] + max_new_tokens, len(ids)
    paths = ids.repeat_interleave(beams, 0)  # (B * beams, T)
    score = torch.full((B, beams), -1e18, dtype=torch.float64)
    score[:, 0] = 0.0
    with at_rest(model):
        for _ in range(max_new_tokens):
            log_p = F.log_softmax(model(paths[:, -size:])[0][:, -1].double()).view(B, beams, -1)
            score, flat = (score[..., None] + log_p).view(B, -1).topk(beams)
            parent = flat // log_p.shape[2] + beams * torch.arange(B)[:, None]
            paths = torch.cat([paths[parent.view(-1)], (flat % log_p.shape[2]).view(-1, 1)], 1)
    return paths[::beams], score[:, 0]


@alternative(BEAM)
def a_few_of_each(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int,
                  beams: int) -> Any:
    size, found = context_size(model) or ids.shape[1] + max_new_tokens, []
    for start in ids[:, None]:
        open_paths = [(start, torch.zeros(1, dtype=torch.float64))]
        for _ in range(max_new_tokens):
            candidates = []
            for path, total in open_paths:
                with at_rest(model):
                    z = next_logits(model, path[:, -size:])[0]
                best = (z - z.logsumexp(0)).topk(min(beams, len(z)))
                for value, token in zip(best.values, best.indices, strict=True):
                    candidates.append((torch.cat([path, token.view(1, 1)], 1), total + value))
            candidates.sort(key=lambda each: float(each[1]), reverse=True)
            open_paths = candidates[:beams]
        found.append(open_paths[0])
    return torch.cat([path for path, _ in found]), torch.cat([total for _, total in found])


alternative_edit(BEAM, "unravelled", "parent, new = best // V, best % V",
                 "parent = torch.div(best, V, rounding_mode=\"floor\")\n"
                 "            new = best - parent * V")
