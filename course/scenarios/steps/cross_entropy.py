"""How the steps to the cross-entropy gradient are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

choice_steps("steps.cross_entropy.moves")
number_steps("steps.cross_entropy.divisor")


@scenario("steps.cross_entropy.token_loss")
def token_loss(answer: Any, see: See) -> None:
    points = [{"z_y": 0.5, "S": 3.0}, {"z_y": 2.0, "S": 9.5}, {"z_y": 1.5, "S": 40.0}]
    expression(see, answer, points)


@scenario("steps.cross_entropy.uniform_loss")
def uniform_loss(answer: Any, see: See) -> None:
    expression(see, answer, [{"V": v} for v in (2, 10, 4000)])


@scenario("steps.cross_entropy.log_sum_slope")
def log_sum_slope(answer: Any, see: See) -> None:
    points = [{"z_i": 0.5, "S": 3.0}, {"z_i": -1.0, "S": 9.5}, {"z_i": 1.5, "S": 40.0}]
    expression(see, answer, points)


@scenario("steps.cross_entropy.logit_slope")
def logit_slope(answer: Any, see: See) -> None:
    points = [{"p_i": p, "y_i": y} for p, y in ((0.2, 0.0), (0.7, 1.0), (0.9, 0.0), (0.4, 1.0))]
    expression(see, answer, points)


@scenario("steps.cross_entropy.squared_slope")
def squared_slope(answer: Any, see: See) -> None:
    points = [{"p": p, "y": y} for p, y in ((0.2, 0.0), (0.7, 1.0), (0.9, 0.0), (0.4, 1.0))]
    expression(see, answer, points)
