"""How the steps to the relative position of RoPE are tried when a submission is graded."""

from typing import Any

from course.scenarios import See
from course.scenarios.steps.rope import near

from .. import hidden


@hidden("steps.rope.product_angle")
def product_angle(answer: Any, see: See) -> None:
    near(see, answer, [{"a": 0.1, "b": -2.2}, {"a": 3.0, "b": 3.0}, {"a": -0.5, "b": -0.9}])


@hidden("steps.rope.score_angle")
def score_angle(answer: Any, see: See) -> None:
    points = [(0, 5, 0.7), (9, 9, 2.0), (300, 12, 0.01)]
    near(see, answer, [dict(zip(("m", "n", "theta"), at, strict=True)) for at in points])


@hidden("steps.rope.pair_score")
def pair_score(answer: Any, see: See) -> None:
    points = [(-1.0, 0.2, 1.4, 0.6, 1.9), (0.0, 1.0, 1.0, 0.0, 0.8), (2.0, 1.0, 2.0, 1.0, -0.3)]
    names = ("q1", "q2", "k1", "k2", "x")
    near(see, answer, [dict(zip(names, at, strict=True)) for at in points])
