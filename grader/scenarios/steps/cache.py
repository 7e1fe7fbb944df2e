"""How the steps about the cache are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden

POINTS = [{"P": 30.0, "n": 6.0}, {"P": 1.0, "n": 12.0}]


@hidden("steps.cache.rows_without")
def rows_without(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)


@hidden("steps.cache.rows_with")
def rows_with(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)
