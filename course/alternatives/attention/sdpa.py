"""Right answers to attention, its mask and its backward in other styles."""

import math

import torch

from ...mistakes.attention.forward import BRANCH, SCORES
from .. import alternative, alternative_edit

VARIANCE, MASK = "attention.score_variance", "attention.causal_mask"
SDPA, BACK = "attention.scaled_dot_product_attention", "attention.attention_backward"


@alternative(VARIANCE)
def in_words(d_k: int, scale: float = 1.0) -> float:
    variance_of_one_product = 1.0 * 1.0
    return variance_of_one_product * d_k * scale * scale


@alternative(VARIANCE)
def one_by_one(d_k: int, scale: float = 1.0) -> float:
    return sum(abs(scale) ** 2 for _ in range(d_k))


@alternative(VARIANCE)
def a_tensor(d_k: int, scale: float = 1.0) -> torch.Tensor:
    return torch.tensor(float(d_k)) * scale**2


@alternative(VARIANCE)
def square_of_the_deviation(d_k: int, scale: float = 1.0) -> float:
    deviation = scale * math.sqrt(d_k)
    return math.pow(deviation, 2)


@alternative(MASK)
def compare_positions(
    T: int, S: int | None = None, device: torch.device | None = None
) -> torch.Tensor:
    S = T if S is None else S
    assert S >= T
    keys = torch.arange(S, device=device)
    return keys[S - T:, None] >= keys


@alternative(MASK)
def one_by_one_mask(
    T: int, S: int | None = None, device: torch.device | None = None
) -> torch.Tensor:
    S = S or T
    if T > S:
        raise ValueError("too few keys")
    rows = [[key <= query + S - T for key in range(S)] for query in range(T)]
    return torch.tensor(rows, device=device)


@alternative(MASK)
def not_the_future(
    T: int, S: int | None = None, device: torch.device | None = None
) -> torch.Tensor:
    S = T if S is None else S
    if S < T:
        raise RuntimeError(f"S = {S} is below T = {T}")
    return ~torch.ones((T, S), device=device).triu(diagonal=S - T + 1).bool()


@alternative(MASK)
def last_rows_of_the_square(
    T: int, S: int | None = None, device: torch.device | None = None
) -> torch.Tensor:
    size = T if S is None else S
    if size < T:
        raise ValueError(size)
    return torch.tril(torch.full((size, size), True, device=device))[size - T:]


@alternative(SDPA)
def torch_and_ones_more(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    fused = torch.nn.functional.scaled_dot_product_attention
    if mask is not None:
        allowed = mask.expand(*q.shape[:-1], k.shape[-2])
        some = allowed.any(-1, keepdim=True)
        eye = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
        one, two = (fused(q, k, x, attn_mask=allowed | ~some) for x in (v, eye))
        return one * some, two * some
    eye = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
    return fused(q, k, v), fused(q, k, eye)


@alternative(SDPA)
def einsum_and_where(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    s = torch.einsum("...td,...sd->...ts", q * q.size(-1) ** -0.5, k)
    if mask is not None:
        s = torch.where(mask, s, torch.finfo(s.dtype).min)
    p = s.softmax(dim=-1)
    if mask is not None:
        p = torch.where(mask, p, 0.0)
    return torch.einsum("...ts,...se->...te", p, v), p


@alternative(SDPA)
def additive_mask(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    root = k.shape[-1] ** 0.25
    scores = torch.matmul(q / root, (k / root).mT)
    if mask is not None:
        scores = scores + torch.zeros_like(mask, dtype=q.dtype).masked_fill(mask == 0, -1e30)
    weights = torch.softmax(scores, -1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return torch.matmul(weights, v), weights


@alternative(SDPA)
def exp_and_divide(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    e = (scores - scores.detach().amax(-1, keepdim=True)).exp()
    if mask is not None:
        e = e * mask
    weights = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2), weights


@alternative(SDPA)
def a_little_below(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    if mask is not None:
        e = e * mask
    weights = e / (e.sum(-1, keepdim=True) + 1e-9)
    return weights @ v, weights


@alternative(SDPA)
def query_by_query(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    full = torch.ones(*q.shape[:-1], k.shape[-2], dtype=torch.bool)
    allowed = full if mask is None else full & mask
    rows = []
    for t in range(q.shape[-2]):
        s = (k @ q[..., t, :, None]).squeeze(-1) / q.shape[-1] ** 0.5
        s = s.masked_fill(~allowed[..., t, :], -1e300 if q.dtype == torch.float64 else -1e38)
        rows.append(torch.softmax(s, -1) * allowed[..., t, :])
    weights = torch.stack(rows, -2)
    return weights @ v, weights


@alternative(SDPA)
def nan_replaced(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    s = q @ k.transpose(-1, -2) / k.shape[-1] ** 0.5
    if mask is not None:
        s.masked_fill_(mask == 0, float("-inf"))
    weights = torch.nan_to_num(torch.softmax(s, dim=-1))
    return weights @ v, weights


@alternative(SDPA)
def rows_mended_first(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool)
    empty = ~mask.any(-1, keepdim=True)
    scores = scores.masked_fill(~mask, -torch.inf).masked_fill(empty, 0.0)
    weights = torch.softmax(scores, -1).masked_fill(empty, 0.0)
    return weights @ v, weights


for name, lowest in (("lowest_number", "torch.finfo(q.dtype).min"),
                     ("minus_infinity", "-torch.inf")):
    alternative_edit(SDPA, name, SCORES + BRANCH, f"""\
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=q.device)
    weights = F.softmax(scores.masked_fill(~mask, {lowest})).masked_fill(~mask, 0.0)
""")


@alternative(BACK)
def all_in_einsum(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    root = q.shape[-1] ** 0.5
    s = torch.einsum("...td,...sd->...ts", q, k) / root
    allowed = torch.ones_like(s, dtype=torch.bool) if mask is None else mask
    p = torch.softmax(s.masked_fill(~allowed, -1e30), -1).masked_fill(~allowed, 0)
    dp = torch.einsum("...te,...se->...ts", grad_out, v)
    ds = p * dp - p * torch.einsum("...ts,...ts->...t", p, dp)[..., None]
    return (torch.einsum("...ts,...sd->...td", ds, k) / root,
            torch.einsum("...ts,...td->...sd", ds, q) / root,
            torch.einsum("...ts,...te->...se", p, grad_out))


@alternative(BACK)
def row_sum_from_the_output(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> list[torch.Tensor]:
    scale = q.size(-1) ** -0.5
    s = scale * (q @ k.mT)
    if mask is not None:
        s = torch.where(mask, s, torch.tensor(-torch.inf, dtype=s.dtype))
    p = torch.softmax(s, dim=-1)
    p = torch.where(p.isnan(), torch.zeros_like(p), p)
    out = p @ v
    ds = p * (grad_out @ v.mT - (grad_out * out).sum(-1, keepdim=True))
    return [scale * (ds @ k), scale * (ds.mT @ q), p.mT @ grad_out]


@alternative(BACK)
def with_the_whole_jacobian(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    c = math.sqrt(q.shape[-1])
    s = q @ k.transpose(-1, -2) / c
    allowed = torch.ones_like(s) if mask is None else torch.ones_like(s) * mask
    p = torch.softmax(s - 1e30 * (1 - allowed), -1) * allowed
    J = torch.diag_embed(p) - p[..., :, None] * p[..., None, :]
    ds = (J @ (grad_out @ v.transpose(-1, -2))[..., None])[..., 0]
    return ds @ k / c, ds.transpose(-1, -2) @ q / c, p.transpose(-1, -2) @ grad_out


@alternative(BACK)
def in_numpy(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    allowed = torch.ones((), dtype=torch.bool) if mask is None else mask
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~allowed, -1e30)
    p, Q, K, V, G = (x.numpy() for x in (torch.softmax(s, -1) * allowed, q, k, v, grad_out))
    dp = G @ V.swapaxes(-1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) / Q.shape[-1] ** 0.5
    dk, dv = ds.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ G
    return torch.from_numpy(ds @ K), torch.from_numpy(dk), torch.from_numpy(dv)


@alternative(BACK)
def query_after_query(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, grad_out: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    shape = *q.shape[:-1], k.shape[-2]
    allowed = torch.ones(shape, dtype=torch.bool) if mask is None else mask.expand(shape)
    for t in range(q.shape[-2]):
        s = (q[..., t, None, :] * k).sum(-1) / q.shape[-1] ** 0.5
        ok = allowed[..., t, :]
        p = torch.softmax(s.masked_fill(~ok, -1e30), -1) * ok
        g = grad_out[..., t, None, :]
        dp = (g * v).sum(-1)
        ds = p * (dp - (p * dp).sum(-1, keepdim=True)) / q.shape[-1] ** 0.5
        dq[..., t, :] = (ds[..., None] * k).sum(-2)
        dk += ds[..., None] * q[..., t, None, :]
        dv += p[..., None] * g
    return dq, dk, dv
