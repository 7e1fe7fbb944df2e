"""Answers of the steps that lead a gradient backward through attention (lesson 04).

One head, so everything is a matrix: p, dp and ds [T, S], q [T, Dh], k [S, Dh], v [S, Dv].
"""

import math

import torch


def value_grad(p: torch.Tensor, grad_out: torch.Tensor) -> torch.Tensor:
    """dv [S, Dv] from the weights p [T, S] and grad_out [T, Dv]."""
    ### BEGIN SOLUTION
    return p.T @ grad_out
    ### END SOLUTION


def weight_grad(grad_out: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """dp [T, S] from grad_out [T, Dv] and v [S, Dv]."""
    ### BEGIN SOLUTION
    return grad_out @ v.T
    ### END SOLUTION


def score_grad(p: torch.Tensor, dp: torch.Tensor) -> torch.Tensor:
    """ds [T, S] from the weights p [T, S] and dp [T, S]."""
    ### BEGIN SOLUTION
    return p * (dp - (p * dp).sum(-1, keepdim=True))
    ### END SOLUTION


def query_grad(ds: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """dq [T, Dh] from ds [T, S] and k [S, Dh], where s = q kᵀ / √Dh."""
    ### BEGIN SOLUTION
    return ds @ k / math.sqrt(k.shape[-1])
    ### END SOLUTION


def key_grad(ds: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """dk [S, Dh] from ds [T, S] and q [T, Dh], where s = q kᵀ / √Dh."""
    ### BEGIN SOLUTION
    return ds.T @ q / math.sqrt(q.shape[-1])
    ### END SOLUTION


masked_score = "b"

queries_of_a_key = 3

row_sum = "a"


def projection_grad(x: torch.Tensor, dq: torch.Tensor) -> torch.Tensor:
    """The gradient to W_q [D, Dh], from x [T, D] and dq [T, Dh], where q = x W_q."""
    ### BEGIN SOLUTION
    return x.T @ dq
    ### END SOLUTION


def input_grad(
    dq: torch.Tensor,
    dk: torch.Tensor,
    dv: torch.Tensor,
    w_q: torch.Tensor,
    w_k: torch.Tensor,
    w_v: torch.Tensor,
) -> torch.Tensor:
    """dx [T, D] from dq, dk [T, Dh], dv [T, Dv] and w_q, w_k [D, Dh], w_v [D, Dv]."""
    ### BEGIN SOLUTION
    return dq @ w_q.T + dk @ w_k.T + dv @ w_v.T
    ### END SOLUTION
