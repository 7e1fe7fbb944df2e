"""How the steps to the cross-entropy gradient are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.cross_entropy.token_loss")
def token_loss(answer: Any, see: See) -> None:
    points = [{"z_y": -1.3, "S": 2.2}, {"z_y": 0.0, "S": 5.0}, {"z_y": 3.1, "S": 70.0}]
    expression(see, answer, points)


@hidden("steps.cross_entropy.uniform_loss")
def uniform_loss(answer: Any, see: See) -> None:
    expression(see, answer, [{"V": v} for v in (3, 27, 50257)])


@hidden("steps.cross_entropy.log_sum_slope")
def log_sum_slope(answer: Any, see: See) -> None:
    points = [{"z_i": -2.2, "S": 2.2}, {"z_i": 0.0, "S": 5.0}, {"z_i": 3.1, "S": 70.0}]
    expression(see, answer, points)


@hidden("steps.cross_entropy.logit_slope")
def logit_slope(answer: Any, see: See) -> None:
    points = [{"p_i": p, "y_i": y} for p, y in ((0.55, 1.0), (0.55, 0.0), (0.01, 1.0), (0.3, 0.0))]
    expression(see, answer, points)


@hidden("steps.cross_entropy.squared_slope")
def squared_slope(answer: Any, see: See) -> None:
    points = [{"p": p, "y": y} for p, y in ((0.55, 1.0), (0.55, 0.0), (0.01, 1.0), (0.99, 0.0))]
    expression(see, answer, points)
