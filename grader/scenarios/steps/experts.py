"""How the steps about a mixture of experts are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.experts.held")
def held(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 7.0, "F": 9.0, "E": 5.0}, {"D": 3.0, "F": 20.0, "E": 2.0}])


@hidden("steps.experts.used")
def used(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 7.0, "F": 9.0, "E": 5.0, "k": 3.0},
                             {"D": 3.0, "F": 20.0, "E": 16.0, "k": 1.0}])


@hidden("steps.experts.collapsed")
def collapsed(answer: Any, see: See) -> None:
    expression(see, answer, [{"E": 5.0}, {"E": 64.0}])


@hidden("steps.experts.balance_slope")
def balance_slope(answer: Any, see: See) -> None:
    expression(see, answer, [{"E": 6.0, "N": 11.0, "p": 0.15, "f": 0.45, "m": 0.3},
                             {"E": 2.0, "N": 3.0, "p": 0.7, "f": 0.2, "m": 0.6}])


@hidden("steps.experts.traffic")
def traffic(answer: Any, see: See) -> None:
    expression(see, answer, [{"D": 9.0, "k": 4.0}, {"D": 100.0, "k": 8.0}])
