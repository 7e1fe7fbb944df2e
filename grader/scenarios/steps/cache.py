"""How the steps about the cache are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden

POINTS = [{"P": 30, "n": 6}, {"P": 1, "n": 12}]


@hidden("steps.cache.rows_without")
def rows_without(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)


@hidden("steps.cache.rows_with")
def rows_with(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)
