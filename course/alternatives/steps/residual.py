"""Right answers to the steps on residual connections in other styles."""

import math
from typing import Any

import torch

from .. import also_right, alternative, sympy_form

GRADIENT, THROUGH = "steps.residual.input_gradient", "steps.residual.through_blocks"
PRE, POST = "steps.residual.pre_norm", "steps.residual.post_norm"
PASSES, LAST, SHARE = (f"steps.residual.{n}" for n in ("attention_passes", "last_rms", "share"))


@alternative(GRADIENT)
def from_the_left(dy: Any, J: Any) -> Any:
    return dy @ J + dy


@alternative(GRADIENT)
def identity_matrix(dy: Any, J: Any) -> Any:
    identity = 0 * J
    for i in range(len(dy)):
        identity[i, i] = 1
    return (identity + J).T @ dy


@alternative(GRADIENT)
def summed(dy: Any, J: Any) -> Any:
    return dy + (J * dy[:, None]).sum(0)


sympy_form(THROUGH, "(s + 1)**n")
also_right(THROUGH, lambda s, n: math.prod([1 + s] * int(n)),
           "lambda s, n: __import__('math').prod([1 + s] * int(n))")


@alternative(THROUGH)
def in_a_loop(s: float, n: int) -> float:
    slope = 1.0
    for _ in range(n):
        slope += s * slope
    return slope


@alternative(THROUGH)
def of_torch(s: float, n: int) -> torch.Tensor:
    return torch.full((n,), 1 + s).prod()


@alternative(PRE)
def stepwise(x: Any, norm: Any, branch: Any) -> Any:
    h = norm(x)
    h = branch(h)
    return h + x


@alternative(PRE)
def added(x: Any, norm: Any, branch: Any) -> Any:
    return torch.add(branch(norm(x)), x)


@alternative(PRE)
def unnamed(x: Any, norm: Any, branch: Any) -> Any:
    return (lambda z: x + branch(z))(norm(x))


@alternative(POST)
def in_two_lines(x: Any, norm: Any, branch: Any) -> Any:
    total = branch(x) + x
    return norm(total)


@alternative(POST)
def summed_up(x: Any, norm: Any, branch: Any) -> Any:
    return norm(torch.stack([x, branch(x)]).sum(0))


@alternative(POST)
def rebound(x: Any, norm: Any, branch: Any) -> Any:
    x = x + branch(x)
    x = norm(x)
    return x


@alternative(PASSES)
def random_and_linear(block: Any) -> bool:
    x = torch.randn(1, 4, 2, generator=torch.Generator().manual_seed(0))
    out = block(x, lambda z: z / 2, lambda z: 3 * z, lambda z: z, lambda z: 0 * z)
    return bool(((out - 2.5 * x).abs() < 1e-5).all())


@alternative(PASSES)
def by_hand(block: Any) -> bool:
    out = block(torch.full((1, 1, 1), 2.0), lambda z: z + 1, lambda z: z * 10, lambda z: z,
                torch.zeros_like)
    return bool(out.item() == 32)


@alternative(PASSES)
def real_parts(block: Any) -> bool:
    torch.manual_seed(1)
    x, W = torch.randn(2, 5, 6), torch.randn(6, 6)
    mask = torch.ones(5, 5).tril()

    def attention(z: torch.Tensor) -> torch.Tensor:
        return (mask / mask.sum(1, keepdim=True)) @ z @ W

    norm = torch.nn.LayerNorm(6)
    with torch.no_grad():
        out = block(x, norm, attention, torch.nn.Tanh(), lambda z: torch.zeros(z.shape))
        return torch.equal(out, x + attention(norm(x)))


@alternative(PASSES)
def whole_numbers(block: Any) -> bool:
    x = torch.arange(24).view(2, 3, 4)

    def attention(z: torch.Tensor) -> torch.Tensor:
        return z.cumsum(1) + 1

    out = block(x, lambda z: 2 * z, attention, lambda z: -z, torch.zeros_like)
    return torch.allclose(out, x + attention(2 * x))


@alternative(LAST)
def with_sqrt(n: float, v: float) -> float:
    return math.sqrt(v * n + 1)


@alternative(LAST)
def by_length(n: float, v: float) -> float:
    return math.hypot(1.0, math.sqrt(n * v))


@alternative(LAST)
def one_after_the_other(n: int, v: float) -> torch.Tensor:
    mean_square = torch.tensor(1.0)
    for _ in range(n):
        mean_square += v
    return mean_square.sqrt()


@alternative(SHARE)
def of_a_list(n: int, v: float) -> float:
    return v / sum([1, *[v] * n])


sympy_form(LAST, "sqrt(1 + n*v)")
sympy_form(SHARE, "v/(n*v + 1)")
also_right(SHARE, lambda n, v: 1 / (1 / v + n), "lambda n, v: 1 / (1 / v + n)")
also_right(SHARE, lambda n, v: 1 - (1 + (n - 1) * v) / (1 + n * v),
           "lambda n, v: 1 - (1 + (n - 1) * v) / (1 + n * v)")
