"""How the steps of RMSNorm's gradient are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.norm_backward.rms_slope")
def rms_slope(answer: Any, see: See) -> None:
    points = [(-1.0, 3.0, 4.0), (7.0, 1.3, 64.0)]
    expression(see, answer, [dict(zip(("x_j", "r", "D"), at, strict=True)) for at in points])


@hidden("steps.norm_backward.diagonal")
def diagonal(answer: Any, see: See) -> None:
    points = [(-2.0, 3.0, 4.0), (0.3, 1.3, 64.0)]
    expression(see, answer, [dict(zip(("xhat_i", "r", "D"), at, strict=True)) for at in points])


@hidden("steps.norm_backward.off_diagonal")
def off_diagonal(answer: Any, see: See) -> None:
    points = [(-2.0, 0.5, 3.0, 4.0), (0.3, 1.7, 1.3, 64.0)]
    names = ("xhat_i", "xhat_j", "r", "D")
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])
