"""How the steps about the cost of a token are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.decode_cost.linear_products")
def linear_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 11}, {"D": 96}])


@hidden("steps.decode_cost.attention_products")
def attention_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 11, "S": 4}, {"D": 6, "S": 31}])


@hidden("steps.decode_cost.crossover")
def crossover(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 128}, {"D": 11}])


@hidden("steps.decode_cost.intensity")
def intensity(answer: Any, see: See) -> None:
    expression(see, answer, [{"B": 16, "b": 1}, {"B": 2, "b": 4}, {"B": 7, "b": 2}])
