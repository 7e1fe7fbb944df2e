"""How the steps about the embedding table, its gradient and the output layer are tried."""

from typing import Any

import torch

from .. import See, choice_steps, expression, in_a_row, number_steps, scenario

number_steps("steps.embedding.one_hot_distance", "steps.embedding.multiplications",
             "steps.embedding.rows_without_gradient")
choice_steps("steps.embedding.tied_gradient")


def numbers(*shape: int) -> torch.Tensor:
    count = int(torch.tensor(shape).prod())
    return torch.arange(1, count + 1, dtype=torch.float64).mul(1.7).sin().mul(8).round().view(shape)


@scenario("steps.embedding.repeated_row")
def repeated_row(answer: Any, see: See) -> None:
    answer = in_a_row(answer)
    for at in range(2):
        see(f"entry {at} of your row", lambda at=at: float(answer[at]), tol=1e-6)
    see("entries in your row", lambda: len(answer))


@scenario("steps.embedding.scores")
def scores(answer: Any, see: See) -> None:
    expression(see, answer, [{"h": numbers(2, 3), "W": numbers(4, 3)},
                             {"h": numbers(1, 2) + 1, "W": numbers(3, 2)}])


@scenario("steps.embedding.saved_by_tying")
def saved_by_tying(answer: Any, see: See) -> None:
    expression(see, answer, [{"V": 4000, "D": 128}, {"V": 50, "D": 7},
                             {"V": 50257, "D": 768}])
