"""How the steps about difference quotients are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.differences.forward_error")
def forward_error(answer: Any, see: See) -> None:
    expression(see, answer, [{"eps": e} for e in (0.03, 0.7, 1.0)])


@hidden("steps.differences.central_error")
def central_error(answer: Any, see: See) -> None:
    expression(see, answer, [{"eps": e} for e in (0.03, 0.7, 3.0)])
