"""How the steps of RMSNorm's gradient are tried."""

from typing import Any

from .. import See, choice_steps, expression_at, number_steps, scenario

choice_steps("steps.norm_backward.along_x", "steps.norm_backward.centring")
number_steps("steps.norm_backward.doubled")


@scenario("steps.norm_backward.rms_slope")
def rms_slope(answer: Any, see: See) -> None:
    expression_at(see, answer, "x_j r D", (3.0, 2.0, 5), (-4.0, 2.5, 8), (0.5, 0.8, 3))


@scenario("steps.norm_backward.diagonal")
def diagonal(answer: Any, see: See) -> None:
    expression_at(see, answer, "xhat_i r D", (1.5, 2.0, 5), (-0.6, 2.5, 8), (0.5, 0.8, 3))


@scenario("steps.norm_backward.off_diagonal")
def off_diagonal(answer: Any, see: See) -> None:
    expression_at(see, answer, "xhat_i xhat_j r D", (1.5, -0.7, 2.0, 5), (-0.6, -1.2, 2.5, 8),
                  (0.5, 1.4, 0.8, 3))
