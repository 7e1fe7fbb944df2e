"""How the steps on order and sinusoids are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression, expression_at

from .. import hidden

ANGLES = [(1.0, 0.0, 0.3), (-0.6, -0.8, 2.2), (0.0, -1.0, -1.3)]


@hidden("steps.positions.start_share")
def start_share(answer: Any, see: See) -> None:
    expression_at(see, answer, "t", (0,), (7,), (1023,))


@hidden("steps.positions.sin_shifted")
def sin_shifted(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("s", "c", "x"), at, strict=True)) for at in ANGLES])


@hidden("steps.positions.cos_shifted")
def cos_shifted(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("s", "c", "x"), at, strict=True)) for at in ANGLES])


@hidden("steps.positions.pair_product")
def pair_product(answer: Any, see: See) -> None:
    expression_at(see, answer, "m k w", (0, 3, 0.4), (11, -2, 0.9), (5, 5, 0.01))
