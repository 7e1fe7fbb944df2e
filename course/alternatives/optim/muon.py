"""Right answers to the iteration of Muon, and to its step, in other styles."""

from typing import Any

import torch

from minillm.optim import orthogonalize

from .. import alternative

ORTHO, STEP = "optim.orthogonalize", "optim.muon_step"


@alternative(ORTHO)
def never_turned(matrix: torch.Tensor, steps: int = 5) -> Any:
    """A tall matrix costs more this way, and gives the same."""
    a, b, c = 3.4445, -4.7750, 2.0315
    X = matrix / (torch.linalg.matrix_norm(matrix) + 1e-7)
    for _ in range(steps):
        A = X @ X.T
        X = a * X + b * (A @ X) + c * (A @ (A @ X))
    return X


@alternative(ORTHO)
def other_side(matrix: torch.Tensor, steps: int = 5) -> Any:
    X = matrix.div(matrix.norm().clamp(min=1e-7))
    for _ in range(steps):
        A = torch.matmul(X.transpose(0, 1), X)
        X = torch.matmul(X, 3.4445 * torch.eye(len(A), dtype=X.dtype) - 4.775 * A + 2.0315 * A @ A)
    return X


@alternative(ORTHO)
def singular_values(matrix: torch.Tensor, steps: int = 5) -> Any:
    U, s, Vh = torch.linalg.svd(matrix, full_matrices=False)
    s = s / (s.norm() + 1e-7)
    for _ in range(steps):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    return U @ torch.diag(s) @ Vh


@alternative(ORTHO)
def like_the_source(matrix: torch.Tensor, steps: int = 5) -> Any:
    X = matrix.clone()
    if matrix.size(0) > matrix.size(1):
        X = X.T
    X = X / (X.square().sum().sqrt() + 1e-7)
    for _ in range(steps):
        A = X @ X.T
        B = torch.addmm(A, A, A, beta=-4.7750, alpha=2.0315)
        X = torch.addmm(X, B, X, beta=3.4445)
    return X.T if matrix.size(0) > matrix.size(1) else X


@alternative(STEP)
def with_lerp(param: torch.Tensor, grad: torch.Tensor, momentum: torch.Tensor, lr: float,
              beta: float = 0.95, steps: int = 5) -> Any:
    momentum = momentum.lerp(grad, 1 - beta)
    direction = orthogonalize(grad.lerp(momentum, beta), steps)
    return param.sub(direction, alpha=lr * max(1, param.size(0) / param.size(1)) ** 0.5), momentum


@alternative(STEP)
def lerped(param: torch.Tensor, grad: torch.Tensor, momentum: torch.Tensor, lr: float,
           beta: float = 0.95, steps: int = 5) -> Any:
    momentum = grad.lerp(momentum, beta)
    rows, columns = param.shape
    move = orthogonalize(grad.lerp(momentum, beta), steps)
    if rows > columns:
        move = move * (rows / columns) ** 0.5
    return param - lr * move, momentum


@alternative(STEP)
def on_copies(param: torch.Tensor, grad: torch.Tensor, momentum: torch.Tensor, lr: float,
              beta: float = 0.95, steps: int = 5) -> Any:
    kept = momentum.clone().mul_(beta).add_(grad, alpha=1 - beta)
    ahead = kept.clone().mul_(beta).add_(grad, alpha=1 - beta)
    size = torch.tensor(param.shape[0] / param.shape[1], dtype=param.dtype).clamp(min=1).sqrt()
    return [param - lr * size * orthogonalize(ahead, steps), kept]
