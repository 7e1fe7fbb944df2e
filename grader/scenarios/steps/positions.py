"""How the steps on order and sinusoids are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden

ANGLES = [(1.0, 0.0, 0.3), (-0.6, -0.8, 2.2), (0.0, -1.0, -1.3)]


@hidden("steps.positions.start_share")
def start_share(answer: Any, see: See) -> None:
    expression(see, answer, [{"t": t} for t in (0.0, 7.0, 1023.0)])


@hidden("steps.positions.sin_shifted")
def sin_shifted(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("s", "c", "x"), at, strict=True)) for at in ANGLES])


@hidden("steps.positions.cos_shifted")
def cos_shifted(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("s", "c", "x"), at, strict=True)) for at in ANGLES])


@hidden("steps.positions.pair_product")
def pair_product(answer: Any, see: See) -> None:
    points = [(0.0, 3.0, 0.4), (11.0, -2.0, 0.9), (5.0, 5.0, 0.01)]
    expression(see, answer, [dict(zip(("m", "k", "w"), at, strict=True)) for at in points])
