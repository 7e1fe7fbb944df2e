"""How the steps about a mixture of experts are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression_at

from .. import hidden


@hidden("steps.experts.held")
def held(answer: Any, see: See) -> None:
    expression_at(see, answer, "D F E", (7, 9, 5), (3, 20, 2))


@hidden("steps.experts.used")
def used(answer: Any, see: See) -> None:
    expression_at(see, answer, "D F E k", (7, 9, 5, 3), (3, 20, 16, 1))


@hidden("steps.experts.collapsed")
def collapsed(answer: Any, see: See) -> None:
    expression_at(see, answer, "E", (5,), (64,))


@hidden("steps.experts.balance_slope")
def balance_slope(answer: Any, see: See) -> None:
    expression_at(see, answer, "E N p f m", (6, 11, 0.15, 0.45, 0.3), (2, 3, 0.7, 0.2, 0.6))


@hidden("steps.experts.traffic")
def traffic(answer: Any, see: See) -> None:
    expression_at(see, answer, "D k", (9, 4), (100, 8))
