"""How the steps of RMSNorm's gradient are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression_at

from .. import hidden


@hidden("steps.norm_backward.rms_slope")
def rms_slope(answer: Any, see: See) -> None:
    expression_at(see, answer, "x_j r D", (-1.0, 3.0, 4), (7.0, 1.3, 64))


@hidden("steps.norm_backward.diagonal")
def diagonal(answer: Any, see: See) -> None:
    expression_at(see, answer, "xhat_i r D", (-2.0, 3.0, 4), (0.3, 1.3, 64))


@hidden("steps.norm_backward.off_diagonal")
def off_diagonal(answer: Any, see: See) -> None:
    expression_at(see, answer, "xhat_i xhat_j r D", (-2.0, 0.5, 3.0, 4), (0.3, 1.7, 1.3, 64))
