"""From scores to a text: reshape a distribution, cut it, draw from it, and repeat.

Letters: B batch, T tokens so far, V vocabulary. What takes `logits` [..., V] works on each row by
itself and gives the same shape; a token that was removed stands at -inf, and a kept one keeps its
score. A model is anything called as `model(ids)` that gives `(logits [B, T, V], loss)`.
"""

import inspect
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from . import functional as F


def temperature(logits: torch.Tensor, t: float) -> torch.Tensor:
    """Divide the scores by `t`: below 1 the distribution gets sharper, above 1 flatter.

    `logits` [..., V] gives the same shape and dtype. The order of the tokens stays; each ratio
    pᵢ/pⱼ is taken to the power 1/t. Raises ValueError when `t` is not above 0: t = 0 is greedy,
    which needs no distribution. Source: Ackley, Hinton and Sejnowski (1985).
    """
    if not 0 < t < math.inf:
        raise ValueError(f"t = {t}, but it has to be above 0; for t = 0 use greedy: logits.argmax")
    ### BEGIN SOLUTION
    return logits / t
    ### END SOLUTION


def top_k(logits: torch.Tensor, k: int) -> torch.Tensor:
    """Keep the `k` largest scores of each row; all others become -inf.

    `logits` [..., V] gives the same shape and dtype. Exactly min(k, V) tokens of a row survive,
    also where scores are equal. Raises ValueError when `k` is below 1.
    Source: Fan, Lewis and Dauphin (2018).
    """
    if k < 1:
        raise ValueError(f"k = {k}, but at least one token has to survive")
    ### BEGIN SOLUTION
    largest, at = logits.topk(min(k, logits.shape[-1]), dim=-1)  # (..., k)
    return torch.full_like(logits, -torch.inf).scatter(-1, at, largest)  # (..., V)
    ### END SOLUTION


def top_p(logits: torch.Tensor, p: float) -> torch.Tensor:
    """Keep the smallest set of most likely tokens whose probabilities sum to at least `p`.

    `logits` [..., V] gives the same shape and dtype; all other tokens become -inf. The token that
    crosses `p` stays, so p = 0 keeps one token, and p = 1 keeps all. Raises ValueError when `p` is
    outside 0 … 1. Source: Holtzman, Buys, Du, Forbes and Choi (2020).
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p = {p} is outside 0 … 1")
    if p == 1:
        return logits.clone()  # a rounded sum may reach 1 before the last token
    ### BEGIN SOLUTION
    likely, order = F.softmax(logits).sort(-1, descending=True)
    too_few = likely.cumsum(-1) < p  # with this one the mass is still below p
    size = too_few.sum(-1, keepdim=True) + 1  # (..., 1): and one more crosses it
    ranks = torch.arange(logits.shape[-1], device=logits.device)
    kept = torch.zeros_like(too_few).scatter(-1, order, ranks < size)  # back in vocabulary order
    return logits.masked_fill(~kept, -torch.inf)
    ### END SOLUTION


def min_p(logits: torch.Tensor, p: float) -> torch.Tensor:
    """Keep the tokens whose probability is at least `p` times the largest of their row.

    `logits` [..., V] gives the same shape and dtype; all other tokens become -inf. p = 0 keeps
    all, p = 1 the largest and its equals. Raises ValueError when `p` is outside 0 … 1.
    Source: Nguyen et al. (2024).
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p = {p} is outside 0 … 1")
    ### BEGIN SOLUTION
    likely = F.softmax(logits)
    least = p * likely.amax(-1, keepdim=True)  # (..., 1)
    return logits.masked_fill(likely < least, -torch.inf)
    ### END SOLUTION


def typical(logits: torch.Tensor, mass: float) -> torch.Tensor:
    """Keep the locally typical set: the tokens whose surprise -log p is nearest to the entropy.

    `logits` [..., V] gives the same shape and dtype; all other tokens become -inf. The entropy is
    that of the row, -Σ p log p in nats. Tokens are taken by rising distance |-log p - entropy|
    until their probabilities sum to at least `mass`, the one that crosses it included; mass = 0
    keeps one token, and mass = 1 all. Raises ValueError when `mass` is outside 0 … 1.
    Source: Meister, Pimentel, Wiher and Cotterell (2023).
    """
    if not 0 <= mass <= 1:
        raise ValueError(f"mass = {mass} is outside 0 … 1")
    if mass == 1:
        return logits.clone()  # a rounded sum may reach 1 before the last token
    ### BEGIN SOLUTION
    log_p = F.log_softmax(logits)
    likely = log_p.exp()
    entropy = torch.special.entr(likely).sum(-1, keepdim=True)  # entr(0) is 0, not nan
    order = (-log_p - entropy).abs().argsort(-1)  # the most typical first
    size = (likely.gather(-1, order).cumsum(-1) < mass).sum(-1, keepdim=True) + 1
    ranks = torch.arange(logits.shape[-1], device=logits.device)
    kept = torch.zeros_like(order, dtype=torch.bool).scatter(-1, order, ranks < size)
    return logits.masked_fill(~kept, -torch.inf)
    ### END SOLUTION


def repetition_penalty(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    """Make tokens that have occurred less likely: divide a positive score, multiply a negative one.

    `logits` [..., V] gives the same shape and dtype. `ids` [n] int64 are for all rows, `ids` [B, n]
    for the rows of `logits` [B, V] one by one. A token is changed once, however often it occurs.
    Raises ValueError when `penalty` is not above 0. Source: Keskar et al. (2019), who divide; the
    rule for negative scores came with the implementations.
    """
    if not 0 < penalty < math.inf:
        raise ValueError(f"penalty = {penalty}, but it has to be above 0; 1 changes nothing")
    ### BEGIN SOLUTION
    ids = ids.expand(*logits.shape[:-1], -1)  # (..., n)
    seen = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, ids, True)
    lower = torch.where(logits > 0, logits / penalty, logits * penalty)
    return torch.where(seen, lower, logits)
    ### END SOLUTION


def sample(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Draw one token for each row, with the probabilities softmax(logits).

    `logits` [..., V] gives [...] int64. A token at -inf is never drawn. Randomness comes from
    `generator` alone when there is one; each row is drawn independently.
    """
    ### BEGIN SOLUTION
    likely = F.softmax(logits)
    rows = likely.reshape(-1, likely.shape[-1])  # (N, V): multinomial takes a matrix
    return torch.multinomial(rows, 1, generator=generator).view(logits.shape[:-1])
    ### END SOLUTION


def context_size(model: Callable[..., Any]) -> int | None:
    """How many tokens `model` can look at: its `config.block_size`; None when it does not say."""
    size = getattr(getattr(model, "config", model), "block_size", None)
    return None if size is None else int(size)


@contextmanager
def at_rest(model: Callable[..., Any]) -> Iterator[None]:
    """Inside, no gradient and no dropout; afterwards each part is in the mode it was in."""
    parts = list(model.modules()) if isinstance(model, torch.nn.Module) else []
    modes = [part.training for part in parts]
    try:
        for part in parts:
            part.training = False
        with torch.no_grad():
            yield
    finally:
        for part, mode in zip(parts, modes, strict=True):
            part.training = mode


def new_cache(model: Callable[..., Any], ids: torch.Tensor) -> Any:
    """An empty KV cache for the rows of `ids`, or None for a model that takes no cache.

    A model takes one when its `forward` has a parameter `cache`; its `config` is then a GPTConfig.
    No model of this lesson does. Lesson 11 writes `KVCache`, and that wakes the lines below.
    """
    if "cache" not in inspect.signature(getattr(model, "forward", model)).parameters:
        return None
    import minillm.kv_cache as kv_cache  # lesson 11 writes it; before, nobody asks

    config, weight = model.config, next(model.parameters())  # type: ignore[attr-defined]
    return kv_cache.KVCache(
        config.n_layer, len(ids), config.n_kv_head or config.n_head, config.block_size,
        config.d_model // config.n_head, weight.dtype, weight.device)


def next_logits(
    model: Callable[..., Any], context: torch.Tensor, cache: Any = None
) -> torch.Tensor:
    """Scores [B, V] of the token that follows `context` [B, T].

    With a cache only those tokens go through the model that the cache has not seen. A context that
    has no new one is a window that moved on: every token has another position now, so all of it is
    computed again, and the result is the same as without a cache.
    """
    if cache is None:
        logits: torch.Tensor = model(context)[0]  # (B, T, V)
    else:
        if cache.length >= context.shape[1]:
            cache.reset()
        logits = model(context[:, cache.length:], cache=cache)[0]
    return logits[:, -1]


def generate(
    model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, *, t: float = 1.0,
    k: int | None = None, p: float | None = None, use_cache: bool = True,
    generator: torch.Generator | None = None,
) -> torch.Tensor:
    """Continue each row of `ids` by `max_new_tokens` tokens, one after the other.

    `ids` [B, T] int64 gives [B, T + max_new_tokens], the prompt first. For each token: the last
    `block_size` ids are the context; then temperature `t`, top-k, top-p, and a draw. t = 0 is
    greedy: the most likely token, and `k` and `p` do not matter. The model runs without dropout
    and is left in the mode it was in. `use_cache` changes the time and never the result; a model
    that takes no cache is run without one.
    """
    size = context_size(model) or ids.shape[1] + max_new_tokens
    cache = new_cache(model, ids) if use_cache else None  # None before lesson 11
    with at_rest(model), torch.inference_mode():  # autograd keeps no books in here
        for _ in range(max_new_tokens):
            ### BEGIN SOLUTION
            logits = next_logits(model, ids[:, -size:], cache)  # (B, V)
            if t == 0:
                new = logits.argmax(-1)  # (B,)
            else:
                logits = temperature(logits, t)
                logits = logits if k is None else top_k(logits, k)
                logits = logits if p is None else top_p(logits, p)
                new = sample(logits, generator)
            ids = torch.cat([ids, new[:, None]], dim=1)  # (B, T + 1)
            ### END SOLUTION
    return ids.clone()  # made out here, a tensor like any other


def contrastive(
    expert_logits: torch.Tensor, amateur_logits: torch.Tensor, alpha: float = 0.1
) -> torch.Tensor:
    """Score each token by how much more likely the expert finds it than the amateur.

    Both `logits` [..., V] of one shape, which the result has too: log p_expert - log p_amateur
    where the expert's probability is at least `alpha` times its largest, -inf elsewhere. Raises
    ValueError when the shapes differ or `alpha` is not in 0 < alpha ≤ 1.
    Source: Li et al. (2023).
    """
    if expert_logits.shape != amateur_logits.shape:
        raise ValueError(f"expert {tuple(expert_logits.shape)}, amateur "
                         f"{tuple(amateur_logits.shape)}")
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha = {alpha} is not in 0 < alpha ≤ 1")
    ### BEGIN SOLUTION
    expert, amateur = F.log_softmax(expert_logits), F.log_softmax(amateur_logits)
    least = expert.amax(-1, keepdim=True) + math.log(alpha)  # alpha times the largest
    return (expert - amateur).masked_fill(expert < least, -torch.inf)
    ### END SOLUTION


def beam_search(
    model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, beams: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Continue `ids` by the most probable tokens that can be found with `beams` open paths.

    `ids` [B, T] int64 gives `(ids [B, T + max_new_tokens], log-probability [B])`: for each row the
    best path, prompt included, and the sum of log p in nats of its new tokens, without any
    division by the length. After each token the `beams` best paths of a row go on (all there are,
    while there are fewer). The last `block_size` ids are the context. Raises ValueError when
    `beams` is below 1. Source: Lowerre (1976).
    """
    if beams < 1:
        raise ValueError(f"beams = {beams}, but at least one path has to go on")
    B = len(ids)
    size = context_size(model) or ids.shape[1] + max_new_tokens
    paths, score = ids[:, None], torch.zeros(B, 1, device=ids.device)  # (B, 1, T), (B, 1)
    with at_rest(model):
        for _ in range(max_new_tokens):
            ### BEGIN SOLUTION
            logits = next_logits(model, paths.flatten(0, 1)[:, -size:])  # (B * paths, V)
            V = logits.shape[-1]
            log_p = F.log_softmax(logits).view(B, -1, V)  # (B, paths, V)
            total = (score[..., None] + log_p).flatten(1)  # (B, paths * V)
            score, best = total.topk(min(beams, total.shape[1]), dim=-1)  # (B, beams)
            parent, new = best // V, best % V
            paths = paths.gather(1, parent[..., None].expand(-1, -1, paths.shape[-1]))
            paths = torch.cat([paths, new[..., None]], dim=-1)  # (B, beams, T + 1)
            ### END SOLUTION
    return paths[:, 0], score[:, 0]
