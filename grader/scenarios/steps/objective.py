"""How the steps about targets and the units of the loss are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.objective.windows")
def windows(answer: Any, see: See) -> None:
    expression(see, answer, [{"n": 77, "T": 12}, {"n": 13, "T": 12}])


@hidden("steps.objective.per_word")
def per_word(answer: Any, see: See) -> None:
    names = ("ppl_char", "n_chars", "n_words")
    points = [(1.9, 64, 10), (11.0, 9, 6)]
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])
