"""Other forms of the right answers to the steps that lead a gradient backward."""

import math

import torch

from .. import also_right, alternative


@alternative("steps.attention_backward.value_grad")
def value_einsum(p: torch.Tensor, grad_out: torch.Tensor) -> torch.Tensor:
    return torch.einsum("ts,te->se", p, grad_out)


@alternative("steps.attention_backward.value_grad")
def value_transposed(p: torch.Tensor, grad_out: torch.Tensor) -> torch.Tensor:
    return (grad_out.transpose(0, 1) @ p).transpose(0, 1)


@alternative("steps.attention_backward.value_grad")
def value_by_query(p: torch.Tensor, grad_out: torch.Tensor) -> torch.Tensor:
    return sum((torch.outer(p[t], grad_out[t]) for t in range(1, len(p))),
               torch.outer(p[0], grad_out[0]))


@alternative("steps.attention_backward.weight_grad")
def weight_einsum(grad_out: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return torch.einsum("te,se->ts", grad_out, v)


@alternative("steps.attention_backward.weight_grad")
def weight_summed(grad_out: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return (grad_out[:, None, :] * v[None, :, :]).sum(-1)


@alternative("steps.attention_backward.weight_grad")
def weight_linear(grad_out: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.linear(grad_out, v)


@alternative("steps.attention_backward.score_grad")
def multiplied_out(p: torch.Tensor, dp: torch.Tensor) -> torch.Tensor:
    return p * dp - p * torch.sum(p * dp, dim=1, keepdim=True)


@alternative("steps.attention_backward.score_grad")
def with_jacobians(p: torch.Tensor, dp: torch.Tensor) -> torch.Tensor:
    rows = [(torch.diag(a) - torch.outer(a, a)) @ b for a, b in zip(p, dp, strict=True)]
    return torch.stack(rows)


@alternative("steps.attention_backward.score_grad")
def by_lesson_one(p: torch.Tensor, dp: torch.Tensor) -> torch.Tensor:
    from minillm import functional
    return functional.softmax_vjp(p, dp)


@alternative("steps.attention_backward.query_grad")
def query_einsum(ds: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    return torch.einsum("ts,sd->td", ds, k).div(math.sqrt(k.shape[1]))


@alternative("steps.attention_backward.query_grad")
def query_scaled_first(ds: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    return torch.matmul(ds / math.sqrt(k.size(1)), k)


@alternative("steps.attention_backward.query_grad")
def query_by_key(ds: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    total = torch.zeros(ds.shape[0], k.shape[1], dtype=ds.dtype)
    for s in range(ds.shape[1]):
        total += ds[:, s:s + 1] * k[s] / k.shape[1] ** 0.5
    return total


@alternative("steps.attention_backward.key_grad")
def key_einsum(ds: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    return torch.einsum("ts,td->sd", ds, q).div(math.sqrt(q.shape[1]))


@alternative("steps.attention_backward.key_grad")
def key_turned(ds: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    return ((q / math.sqrt(q.shape[1])).T @ ds).T


@alternative("steps.attention_backward.key_grad")
def key_by_query(ds: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    total = torch.zeros(ds.shape[1], q.shape[1], dtype=ds.dtype)
    for t in range(ds.shape[0]):
        total += torch.outer(ds[t], q[t]) / q.shape[1] ** 0.5
    return total


@alternative("steps.attention_backward.projection_grad")
def projection_einsum(x: torch.Tensor, dq: torch.Tensor) -> torch.Tensor:
    return torch.einsum("td,te->de", x, dq)


@alternative("steps.attention_backward.projection_grad")
def projection_turned(x: torch.Tensor, dq: torch.Tensor) -> torch.Tensor:
    return (dq.T @ x).T


@alternative("steps.attention_backward.projection_grad")
def projection_by_position(x: torch.Tensor, dq: torch.Tensor) -> torch.Tensor:
    return (x[:, :, None] * dq[:, None, :]).sum(0)


@alternative("steps.attention_backward.input_grad")
def in_one_product(
    dq: torch.Tensor, dk: torch.Tensor, dv: torch.Tensor,
    w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor,
) -> torch.Tensor:
    return torch.cat([dq, dk, dv], -1) @ torch.cat([w_q, w_k, w_v], -1).T


@alternative("steps.attention_backward.input_grad")
def as_linear_layers(
    dq: torch.Tensor, dk: torch.Tensor, dv: torch.Tensor,
    w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor,
) -> torch.Tensor:
    pairs = ((dq, w_q), (dk, w_k), (dv, w_v))
    return torch.stack([torch.nn.functional.linear(g, w) for g, w in pairs]).sum(0)


@alternative("steps.attention_backward.input_grad")
def turned_around(
    dq: torch.Tensor, dk: torch.Tensor, dv: torch.Tensor,
    w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor,
) -> torch.Tensor:
    return (w_q @ dq.T + w_k @ dk.T + w_v @ dv.T).T


also_right("steps.attention_backward.masked_score", "B")
also_right("steps.attention_backward.queries_of_a_key", 5 - 2)
also_right("steps.attention_backward.queries_of_a_key", 3.0)
also_right("steps.attention_backward.row_sum", "A")
