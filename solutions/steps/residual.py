"""Answers of the steps on residual connections and where the norm stands (lesson 08)."""

from collections.abc import Callable
from typing import Any

import torch


def input_gradient(dy: torch.Tensor, J: torch.Tensor) -> torch.Tensor:
    """dx for y = x + F(x), from tensors dy [D] and J [D, D] with J[i, j] = ∂F_i/∂x_j."""
    ### BEGIN SOLUTION
    return dy + J.T @ dy
    ### END SOLUTION


cancelled = 0


def through_blocks(s: float, n: int) -> float:
    """What a gradient is multiplied by on its way through n blocks x + f(x), each with f′ = s."""
    ### BEGIN SOLUTION
    return (1 + s) ** n
    ### END SOLUTION


def pre_norm(x: Any, norm: Any, branch: Any) -> Any:
    """One residual step with the norm inside the branch; `norm` and `branch` are functions of x."""
    ### BEGIN SOLUTION
    return x + branch(norm(x))
    ### END SOLUTION


def post_norm(x: Any, norm: Any, branch: Any) -> Any:
    """One residual step with the norm after the sum, on the line itself."""
    ### BEGIN SOLUTION
    return norm(x + branch(x))
    ### END SOLUTION


def attention_passes(block: Callable[..., torch.Tensor]) -> bool:
    """Whether a block whose feed-forward gives 0 gives exactly x + attention(norm_1(x)).

    `block(x, norm_1, attention, norm_2, feed_forward)` takes x [B, T, D] and four functions of
    such tensors; it is yours to choose x, the norms and the attention.
    """
    ### BEGIN SOLUTION
    x = torch.sin(torch.arange(24.0)).view(2, 3, 4)

    def attention(z: torch.Tensor) -> torch.Tensor:
        return z.cumsum(1) + 1

    out = block(x, torch.tanh, attention, torch.sigmoid, torch.zeros_like)
    return torch.allclose(out, x + attention(torch.tanh(x)))
    ### END SOLUTION


def last_rms(n: int, v: float) -> float:
    """The RMS of the line after n branches that add v each; it starts with a mean square of 1."""
    ### BEGIN SOLUTION
    return float((1 + n * v) ** 0.5)
    ### END SOLUTION


post_depth = "b"


def share(n: int, v: float) -> float:
    """The share that branch n has in the variance of the line, right after it was added."""
    ### BEGIN SOLUTION
    return v / (1 + n * v)
    ### END SOLUTION


which_models = "c"
