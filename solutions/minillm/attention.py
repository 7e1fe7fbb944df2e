"""Attention: scores, masks, weights; heads that are split and merged; the layer made of them.

Letters: B batch, T query positions, S key positions, H query heads, Hkv key/value heads, D model
width, Dh width of a query and of a key, Dv width of a value. "..." is any leading dimensions.
"""

import math
from typing import Any

import torch

from . import functional as F
from .config import GPTConfig  # given, never filled in, so its name may be imported


def score_variance(d_k: int, scale: float = 1.0) -> float:
    """Give the variance of scale · (q·k) for a query and a key of `d_k` entries each.

    All entries are independent of one another, with mean 0 and variance 1.
    Raises ValueError when `d_k` is below 1. Source: Vaswani et al. (2017), footnote 4.
    """
    if d_k < 1:
        raise ValueError(f"d_k is {d_k}; a vector has at least one entry")
    ### BEGIN SOLUTION
    return scale**2 * d_k
    ### END SOLUTION


def causal_mask(
    T: int, S: int | None = None, device: torch.device | str | None = None
) -> torch.Tensor:
    """Say which of S keys each of T queries may attend to: bool [T, S], True = may attend.

    The queries are the last T of the S positions, and each sees itself and what came before it.
    `S=None` means S = T. The mask is made on `device`.
    Raises ValueError when S < T. Source: Vaswani et al. (2017), section 3.2.3.
    """
    S = T if S is None else S
    if S < T:
        raise ValueError(f"{T} queries cannot be the last {T} of {S} positions")
    ### BEGIN SOLUTION
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)  # (T, S)
    ### END SOLUTION


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Give softmax(q kᵀ / √Dh) v, and the weights that the values are mixed with.

    `q` [..., T, Dh], `k` [..., S, Dh], `v` [..., S, Dv] give `(out, weights)`, out [..., T, Dv]
    and weights [..., T, S], in the same dtype. `mask` is bool, True = may attend, of any shape that
    broadcasts to [..., T, S]; without one every key may be attended to. A masked weight is exactly
    0. A query that may attend to nothing gets zeros in both, and zero gradient.
    Raises ValueError when the shapes of q, k and v do not fit.
    Source: Vaswani et al. (2017), equation 1.
    """
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise ValueError(f"q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)} do not fit")
    ### BEGIN SOLUTION
    scores = q / math.sqrt(q.shape[-1]) @ k.transpose(-2, -1)  # (..., T, S)
    if mask is None or mask.all():
        weights = F.softmax(scores)
    else:
        blind = ~mask.any(-1, keepdim=True)  # (..., T, 1): -inf for every key would be 0/0
        bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device)
        weights = F.softmax(scores + bias.masked_fill(~(mask | blind), -torch.inf))
        if blind.any():
            weights = weights.masked_fill(blind, 0.0)
    return weights @ v, weights  # (..., T, Dv), (..., T, S)
    ### END SOLUTION


def attention_backward(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    grad_out: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Give the gradients `(dq, dk, dv)` of scaled_dot_product_attention, by formula, not autograd.

    `q` [..., T, Dh], `k` [..., S, Dh], `v` [..., S, Dv] with the same leading dimensions;
    `grad_out` [..., T, Dv] is the gradient of the loss to `out`; `mask` as in the forward function.
    Each gradient has the shape and dtype of what it belongs to.
    Raises ValueError when the leading dimensions of q, k and v differ.
    Source: Dao et al. (2022), appendix B.
    """
    if not q.shape[:-2] == k.shape[:-2] == v.shape[:-2]:
        raise ValueError(f"q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)} do not fit")
    ### BEGIN SOLUTION
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=q.device)
    c = math.sqrt(q.shape[-1])
    scores = (q @ k.transpose(-2, -1) / c).masked_fill(~mask, torch.finfo(q.dtype).min)
    p = F.softmax(scores).masked_fill(~mask, 0.0)  # (..., T, S), as on the way forward
    dv = p.transpose(-2, -1) @ grad_out  # (..., S, Dv)
    dp = grad_out @ v.transpose(-2, -1)  # (..., T, S)
    ds = F.softmax_vjp(p, dp)  # (..., T, S), 0 wherever p is: the mask is in it already
    dq = ds @ k / c  # (..., T, Dh)
    dk = ds.transpose(-2, -1) @ q / c  # (..., S, Dh)
    return dq, dk, dv
    ### END SOLUTION


def split_heads(x: torch.Tensor, n_head: int) -> torch.Tensor:
    """Cut the width into heads and put the heads before the positions: [B, T, D] → [B, H, T, Dh].

    Head h gets columns h·Dh … (h+1)·Dh − 1 of every token. Same dtype and numbers; a view, so
    nothing is copied. Raises ValueError when D can't be cut into `n_head` equal parts.
    Source: Vaswani et al. (2017).
    """
    B, T, D = x.shape
    if n_head < 1 or D % n_head:
        raise ValueError(f"a width of {D} can't be cut into {n_head} heads of equal width")
    ### BEGIN SOLUTION
    x = x.view(B, T, n_head, D // n_head)  # (B, T, H, Dh)
    return x.transpose(1, 2)  # (B, H, T, Dh)
    ### END SOLUTION


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Undo `split_heads`: [B, H, T, Dh] → [B, T, D], the heads of a token side by side again.

    Same dtype and numbers. Takes a tensor in any memory layout. Source: Vaswani et al. (2017).
    """
    ### BEGIN SOLUTION
    B, H, T, Dh = x.shape
    x = x.transpose(1, 2)  # (B, T, H, Dh)
    return x.reshape(B, T, H * Dh)  # (B, T, D)
    ### END SOLUTION


def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    """Give each query head its key (or value) head: [B, Hkv, S, Dh] → [B, Hkv·n_rep, S, Dh].

    Query head h uses key head h // n_rep, so a key head stands `n_rep` times in a row. Backward
    adds up what the copies get. Raises ValueError when `n_rep` is below 1.
    Source: Ainslie et al. (2023); one key head for all: Shazeer (2019).
    """
    if n_rep < 1:
        raise ValueError(f"n_rep = {n_rep}: each head is needed at least once")
    ### BEGIN SOLUTION
    if n_rep == 1:
        return x
    B, Hkv, S, Dh = x.shape
    copies = x.unsqueeze(2).expand(B, Hkv, n_rep, S, Dh)  # a view: nothing is copied yet
    return copies.reshape(B, Hkv * n_rep, S, Dh)  # (B, H, S, Dh)
    ### END SOLUTION


class CausalSelfAttention(torch.nn.Module):
    """Multi-head causal self-attention, [B, T, D] → [B, T, D], with H query and Hkv key heads.

    `config`: a GPTConfig. Linear layers, with `config.bias`: `q_proj` D → H·Dh, `k_proj` and
    `v_proj` D → Hkv·Dh, `out_proj` H·Dh → D. Token t sees tokens 0 … t. In training
    `config.dropout` acts on the attention weights and on the result.
    Sources: Vaswani et al. (2017); Ainslie et al. (2023) for Hkv < H.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        D, H, Hkv, Dh = config.d_model, config.n_head, config.kv_heads, config.head_width
        ### BEGIN SOLUTION
        self.q_proj = torch.nn.Linear(D, H * Dh, bias=config.bias)
        self.k_proj = torch.nn.Linear(D, Hkv * Dh, bias=config.bias)
        self.v_proj = torch.nn.Linear(D, Hkv * Dh, bias=config.bias)
        self.out_proj = torch.nn.Linear(H * Dh, D, bias=config.bias)
        ### END SOLUTION
        self.dropout = torch.nn.Dropout(config.dropout)
        if config.qk_norm:  # asleep until lesson 08, which writes minillm.norms
            import minillm.norms as norms

            self.q_norm, self.k_norm = norms.RMSNorm(Dh), norms.RMSNorm(Dh)
        if config.position == "rope":  # asleep until lesson 07, which writes minillm.rope
            import minillm.rope as rope

            frequencies = rope.rope_frequencies(config.rope_width, config.rope_base)
            places = torch.arange(config.block_size)
            self.tables = torch.stack(rope.rope_tables(places, frequencies))  # (2, block_size, w)

    def forward(self, x: torch.Tensor, cache: Any = None, layer: int = 0) -> torch.Tensor:
        """Let the T tokens of `x` [B, T, D] gather from themselves and from those before them.

        `cache` (lesson 11) holds keys and values of earlier tokens, [B, Hkv, S − T, Dh] for each
        `layer`; then S keys are seen, of which the last T are new. Raises ValueError when x has
        another shape, and with RoPE when it reaches beyond `block_size` positions.
        """
        if x.dim() != 3 or x.shape[-1] != self.config.d_model:
            raise ValueError(f"x has shape {tuple(x.shape)}, not [B, T, {self.config.d_model}]")
        T, H, Hkv = x.shape[1], self.config.n_head, self.config.kv_heads
        ### BEGIN SOLUTION
        q = split_heads(self.q_proj(x), H)  # (B, H, T, Dh)
        k = split_heads(self.k_proj(x), Hkv)  # (B, Hkv, T, Dh)
        v = split_heads(self.v_proj(x), Hkv)  # (B, Hkv, T, Dh)
        ### END SOLUTION
        if self.config.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        if self.config.position == "rope":
            import minillm.rope as rope

            start = 0 if cache is None else cache.length
            cos, sin = self.tables[:, start : start + T].to(x.device)  # (T, w)
            both = rope.apply_rope(torch.cat([q, k], dim=1), cos, sin)  # one call takes less time
            q, k = torch.split(both, [H, Hkv], dim=1)
        if cache is not None:  # asleep until lesson 11, which writes minillm.kv_cache
            k, v = cache.update(layer, k, v)  # (B, Hkv, S, Dh): Hkv heads are kept, not H
        mask = causal_mask(T, k.shape[2], x.device)  # (T, S)
        ### BEGIN SOLUTION
        k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)  # (B, H, S, Dh)
        out, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, T, Dh), (B, H, T, S)
        if self.training and self.dropout.p:
            out = self.dropout(weights) @ v
        out = merge_heads(out)  # (B, T, D)
        ### END SOLUTION
        y: torch.Tensor = self.dropout(self.out_proj(out))
        return y
