"""Right answers to softmax, its relatives and their derivatives in other styles."""

import torch

from .. import alternative, alternative_edit

SOFTMAX, LOG, SPARSE = "functional.softmax", "functional.log_softmax", "functional.sparsemax"
JACOBIAN, VJP = "functional.softmax_jacobian", "functional.softmax_vjp"


@alternative(SOFTMAX)
def built_in(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, dim=dim)


@alternative(SOFTMAX)
def exp_of_difference(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))


@alternative(SOFTMAX)
def row_by_row(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    moved = x.transpose(dim, -1)
    out = []
    for row in moved.reshape(-1, moved.shape[-1]):
        e = torch.exp(row - max(row))
        out.append(e / sum(e))
    return torch.stack(out).reshape(moved.shape).transpose(dim, -1)


@alternative(SOFTMAX)
def detached_max(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = (x - x.detach().max(dim=dim, keepdim=True).values).exp()
    return torch.nn.functional.normalize(e, p=1, dim=dim)


@alternative(SOFTMAX)
def through_einsum(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = torch.exp(x - x.amax(dim=dim, keepdim=True)).movedim(dim, -1)
    total = torch.einsum("...i->...", e)
    return torch.einsum("...i,...->...i", e, 1 / total).movedim(-1, dim)


@alternative(SOFTMAX)
def tiny_epsilon(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / (e.sum(dim, keepdim=True) + 1e-12)


@alternative(LOG)
def built_in_log(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.nn.functional.log_softmax(x, dim)


@alternative(LOG)
def minus_logsumexp(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return x - x.logsumexp(dim, keepdim=True)


@alternative(LOG)
def maximum_given_back(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    m, _ = torch.max(x, dim, keepdim=True)
    return x - (m + torch.log(torch.sum(torch.exp(x - m), dim, keepdim=True)))


@alternative(LOG)
def log_row_by_row(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    pieces = []
    for row in x.movedim(dim, 0).reshape(x.shape[dim], -1).unbind(1):
        c = row.max().item()
        pieces.append(row - c - (row - c).exp().sum().log())
    return torch.stack(pieces, 1).reshape(x.movedim(dim, 0).shape).movedim(0, dim)


@alternative(LOG)
def repeated_logaddexp(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    total, *rest = x.unbind(dim)
    for each in rest:
        total = torch.logaddexp(total, each)
    return x - total.unsqueeze(dim)


@alternative(SPARSE)
def bisection(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    with torch.no_grad():
        low, high = x.amax(dim, keepdim=True) - 1, x.amax(dim, keepdim=True)
        for _ in range(80):
            middle = (low + high) / 2
            too_much = (x - middle).clamp(min=0).sum(dim, keepdim=True) > 1
            low, high = torch.where(too_much, middle, low), torch.where(too_much, high, middle)
        kept = x > low
    size = kept.sum(dim, keepdim=True)
    tau = ((x * kept).sum(dim, keepdim=True) - 1) / size
    return torch.relu(x - tau)


@alternative(SPARSE)
def drop_until_none_is_negative(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    rows = x.movedim(dim, -1)
    out = []
    for row in rows.reshape(-1, rows.shape[-1]):
        alive = list(range(len(row)))
        while True:
            tau = (sum(row[i] for i in alive) - 1) / len(alive)
            left = [i for i in alive if row[i] > tau]
            if len(left) == len(alive):
                break
            alive = left
        out.append((row - tau).clamp(min=0))
    return torch.stack(out).reshape(rows.shape).movedim(-1, dim)


@alternative(SPARSE)
def every_size_tried(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    x = x.transpose(dim, -1)
    top = torch.sort(x, dim=-1, descending=True)[0]
    k = torch.arange(1, x.size(-1) + 1).to(x)
    taus = (torch.cumsum(top, -1) - 1) / k
    tau = taus.max(-1, keepdim=True).values  # the largest of all candidates is the right one
    return torch.maximum(x - tau, torch.zeros_like(x)).transpose(dim, -1)


alternative_edit(SPARSE, "not_strict", "1 + k * ordered > total", "1 + k * ordered >= total")
alternative_edit(SPARSE, "not_shifted", "z - z.amax(-1, keepdim=True)", "z")


@alternative(JACOBIAN)
def two_loops(p: torch.Tensor) -> torch.Tensor:
    n = len(p)
    J = torch.zeros(n, n, dtype=p.dtype)
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[i]) if i == j else -p[i] * p[j]
    return J


@alternative(JACOBIAN)
def eye_minus_p(p: torch.Tensor) -> torch.Tensor:
    return p[:, None] * (torch.eye(p.numel(), dtype=p.dtype, device=p.device) - p[None, :])


@alternative(JACOBIAN)
def einsum_outer(p: torch.Tensor) -> torch.Tensor:
    return torch.diag_embed(p) - torch.einsum("i,j->ij", p, p)


@alternative(JACOBIAN)
def autograd_at_log_p(p: torch.Tensor) -> torch.Tensor:
    jacobian = torch.func.jacrev(lambda z: torch.softmax(z, 0))
    J: torch.Tensor = jacobian(p.log())
    return J


@alternative(JACOBIAN)
def from_products(p: torch.Tensor) -> torch.Tensor:
    return torch.stack([p * (row - p @ row) for row in torch.eye(len(p)).to(p)])


@alternative(VJP)
def products_apart(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    weighted = p * grad
    return weighted - p * weighted.sum(dim=dim, keepdim=True)


@alternative(VJP)
def vjp_row_by_row(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    assert p.shape == grad.shape
    out = torch.empty_like(p)
    rows, given, made = p.movedim(dim, -1), grad.movedim(dim, -1), out.movedim(dim, -1)
    for at in torch.cartesian_prod(*map(torch.arange, rows.shape[:-1])).reshape(
            -1, rows.dim() - 1).tolist() if rows.dim() > 1 else [[]]:
        q, g = rows[tuple(at)], given[tuple(at)]
        made[tuple(at)] = q * (g - torch.dot(q, g))
    return out


@alternative(VJP)
def vjp_einsum(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    m = torch.einsum("...i,...i->...", p.movedim(dim, -1), grad.movedim(dim, -1))
    return p * (grad - m.unsqueeze(dim))


@alternative(VJP)
def autograd_of_softmax(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    z = p.log().requires_grad_()
    return torch.autograd.grad(torch.softmax(z, dim), z, grad)[0]


@alternative(VJP)
def backward_data(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    dz: torch.Tensor = torch.ops.aten._softmax_backward_data(grad, p, dim, p.dtype)
    return dz
