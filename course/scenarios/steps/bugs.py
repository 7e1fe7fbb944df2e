"""How the steps that find broken attention layers are tried."""

from typing import Any

import torch

from .. import See, choice_steps, gradient, number_steps, scenario
from ..attention.heads import counted, wave

choice_steps("steps.bugs.in_a", "steps.bugs.in_b", "steps.bugs.in_c", "steps.bugs.in_d",
             "steps.bugs.sees_a", "steps.bugs.sees_b", "steps.bugs.sees_c", "steps.bugs.sees_d",
             "steps.bugs.effect")
number_steps("steps.bugs.divisor", tol=2e-3)
number_steps("steps.bugs.hand_weight", tol=1e-4)


class Mix(torch.nn.Module):
    """Mixes the tokens with one matrix [T, T] and the columns with another, [D, D]."""

    def __init__(self, tokens: torch.Tensor, columns: torch.Tensor) -> None:
        super().__init__()
        self.tokens, self.columns = tokens, columns

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.tokens @ x @ self.columns


class Squared(Mix):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x) ** 2


@scenario("steps.bugs.reach")
def reach(answer: Any, see: See) -> None:
    causal = wave(4, 4, by=0.9).tril()
    leaky = causal.clone()
    leaky[1, 3] = -0.8
    columns, x = wave(3, 3, by=2.3), wave(1, 4, 3, by=0.6)
    swapped = torch.tensor([[1.0, -1.0], [-1.0, 1.0]], dtype=torch.float64)
    see("reach of a layer that sees no later token", answer, Mix(causal, columns), x)
    see("reach of a layer whose token 1 sees token 3", answer, Mix(leaky, columns), x)
    see("reach of a layer whose slopes depend on x", answer, Squared(leaky, columns), x)
    see("reach where the slopes of a token add up to 0", answer, Mix(leaky[1:3, [1, 3]], swapped),
        wave(1, 2, 2, by=0.6))
    see("reach of a layer with 5 tokens", answer, Squared(wave(5, 5), columns),
        wave(1, 5, 3, by=0.8))
    see("reach in float32", answer, Mix(causal.float(), columns.float()), x.float(), tol=1e-5)


@scenario("steps.bugs.block")
def block(answer: Any, see: See) -> None:
    def norm_1(x: torch.Tensor) -> torch.Tensor:
        return x / 2

    def norm_2(x: torch.Tensor) -> torch.Tensor:
        return x - 3

    def attention(x: torch.Tensor) -> torch.Tensor:
        return x**2

    def feed_forward(x: torch.Tensor) -> torch.Tensor:
        return 5 * x

    def tried(x: torch.Tensor, *parts: Any) -> Any:
        return answer(x, *parts)

    def mixing(x: torch.Tensor) -> torch.Tensor:
        return x.flip(1) + 2 * x

    def mixed(x: torch.Tensor) -> Any:
        return answer(x, norm_1, mixing, norm_2, feed_forward)

    def squared(x: torch.Tensor) -> Any:
        return answer(x, norm_1, attention, norm_2, feed_forward)

    x = counted(1, 2, 3) + 1
    see("block whose attention mixes the tokens", tried, x, norm_1, mixing, norm_2, feed_forward)
    see("block of two tokens", tried, x, norm_1, attention, norm_2, feed_forward)
    see("block whose feed-forward gives 0", tried, x, norm_1, attention, norm_2, torch.zeros_like)
    see("block whose attention gives 0", tried, x, norm_1, torch.zeros_like, norm_2, feed_forward)
    see("block without anything in its branches", tried, x, norm_1, torch.zeros_like, norm_2,
        torch.zeros_like)
    see("gradient through the block, attention mixes the tokens", gradient(mixed), x, wave(1, 2, 3))
    see("gradient through the block of two tokens", gradient(squared), x, wave(1, 2, 3))
