"""How the steps about the embedding table and the output are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression, in_a_row
from course.scenarios.steps.embedding import numbers

from .. import hidden


@hidden("steps.embedding.repeated_row")
def repeated_row(answer: Any, see: See) -> None:
    see("the whole row", lambda: [float(v) for v in in_a_row(answer)], tol=1e-6)


@hidden("steps.embedding.scores")
def scores(answer: Any, see: See) -> None:
    expression(see, answer, [{"h": numbers(3, 5), "W": numbers(2, 5)},
                             {"h": numbers(4, 1), "W": numbers(3, 1) + 2}])


@hidden("steps.embedding.saved_by_tying")
def saved_by_tying(answer: Any, see: See) -> None:
    expression(see, answer, [{"V": 257, "D": 64}, {"V": 3, "D": 1024}])
