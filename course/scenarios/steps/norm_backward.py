"""How the steps of RMSNorm's gradient are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

choice_steps("steps.norm_backward.along_x", "steps.norm_backward.centring")
number_steps("steps.norm_backward.doubled")


@scenario("steps.norm_backward.rms_slope")
def rms_slope(answer: Any, see: See) -> None:
    points = [(3.0, 2.0, 5.0), (-4.0, 2.5, 8.0), (0.5, 0.8, 3.0)]
    expression(see, answer, [dict(zip(("x_j", "r", "D"), at, strict=True)) for at in points])


@scenario("steps.norm_backward.diagonal")
def diagonal(answer: Any, see: See) -> None:
    points = [(1.5, 2.0, 5.0), (-0.6, 2.5, 8.0), (0.5, 0.8, 3.0)]
    expression(see, answer, [dict(zip(("xhat_i", "r", "D"), at, strict=True)) for at in points])


@scenario("steps.norm_backward.off_diagonal")
def off_diagonal(answer: Any, see: See) -> None:
    points = [(1.5, -0.7, 2.0, 5.0), (-0.6, -1.2, 2.5, 8.0), (0.5, 1.4, 0.8, 3.0)]
    names = ("xhat_i", "xhat_j", "r", "D")
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])
