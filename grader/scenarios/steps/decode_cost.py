"""How the steps about the cost of a token are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.decode_cost.linear_products")
def linear_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 11.0}, {"D": 96.0}])


@hidden("steps.decode_cost.attention_products")
def attention_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 11.0, "S": 4.0}, {"D": 6.0, "S": 31.0}])


@hidden("steps.decode_cost.crossover")
def crossover(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 128.0}, {"D": 11.0}])


@hidden("steps.decode_cost.intensity")
def intensity(answer: Any, see: See) -> None:
    expression(see, answer, [{"B": 16.0, "b": 1.0}, {"B": 2.0, "b": 4.0}, {"B": 7.0, "b": 2.0}])
