"""How the steps about SwiGLU are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression, expression_at

from .. import hidden

POINTS = [{"dh": 1.3, "g": -2.1, "u": 0.6, "s": 0.2}, {"dh": -0.4, "g": 1.5, "u": 2.2, "s": 0.7}]


@hidden("steps.swiglu.plain_weights")
def plain_weights(answer: Any, see: See) -> None:
    expression_at(see, answer, "d", (7,), (64,))


@hidden("steps.swiglu.gated_weights")
def gated_weights(answer: Any, see: See) -> None:
    expression_at(see, answer, "d f", (7, 20), (64, 9))


@hidden("steps.swiglu.width")
def width(answer: Any, see: See) -> None:
    expression_at(see, answer, "d", (7,), (64,))


@hidden("steps.swiglu.up_gradient")
def up_gradient(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)


@hidden("steps.swiglu.gate_gradient")
def gate_gradient(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)
