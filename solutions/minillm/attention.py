"""Attention: queries look for keys, and what they find decides which values are mixed.

Letters: T query positions, S key positions, Dh width of a query and of a key, Dv width of a value.
"..." is any leading dimensions, such as [B, H].
"""

import math

import torch

from . import functional as F


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
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=q.device)  # broadcasts to any shape
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, S)
    scores = scores.masked_fill(~mask, torch.finfo(q.dtype).min)  # as good as -inf, and no 0/0
    weights = F.softmax(scores).masked_fill(~mask, 0.0)  # a query without keys: zeros
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
