"""How the steps about targets and the units of the loss are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.objective.windows")
def windows(answer: Any, see: See) -> None:
    expression(see, answer, [{"n": 77.0, "T": 12.0}, {"n": 13.0, "T": 12.0}])


@hidden("steps.objective.per_word")
def per_word(answer: Any, see: See) -> None:
    names = ("ppl_char", "n_chars", "n_words")
    points = [(1.9, 64.0, 10.0), (11.0, 9.0, 6.0)]
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])
