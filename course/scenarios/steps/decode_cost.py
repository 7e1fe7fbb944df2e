"""How the answers of the steps about what one new token costs are tried."""

from typing import Any

from .. import See, choice_steps, expression, scenario

choice_steps("steps.decode_cost.batched_cache")


@scenario("steps.decode_cost.linear_products")
def linear_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 5.0}, {"D": 128.0}, {"D": 3.0}])


@scenario("steps.decode_cost.attention_products")
def attention_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 8.0, "S": 5.0}, {"D": 24.0, "S": 7.0}, {"D": 3.0, "S": 100.0}])


@scenario("steps.decode_cost.crossover")
def crossover(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 5.0}, {"D": 4096.0}, {"D": 7.0}])


@scenario("steps.decode_cost.intensity")
def intensity(answer: Any, see: See) -> None:
    expression(see, answer, [{"B": 1.0, "b": 2.0}, {"B": 8.0, "b": 2.0}, {"B": 5.0, "b": 4.0},
                             {"B": 3.0, "b": 1.0}])
