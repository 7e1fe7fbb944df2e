"""How the answers of the steps about what one new token costs are tried."""

from typing import Any

from .. import See, choice_steps, expression, scenario

choice_steps("steps.decode_cost.batched_cache")


@scenario("steps.decode_cost.linear_products")
def linear_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 5}, {"D": 128}, {"D": 3}])


@scenario("steps.decode_cost.attention_products")
def attention_products(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 8, "S": 5}, {"D": 24, "S": 7}, {"D": 3, "S": 100}])


@scenario("steps.decode_cost.crossover")
def crossover(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 5}, {"D": 4096}, {"D": 7}])


@scenario("steps.decode_cost.intensity")
def intensity(answer: Any, see: See) -> None:
    expression(see, answer, [{"B": 1, "b": 2}, {"B": 8, "b": 2}, {"B": 5, "b": 4},
                             {"B": 3, "b": 1}])
