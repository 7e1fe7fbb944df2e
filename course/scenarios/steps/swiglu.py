"""How the steps about SwiGLU are tried."""

from typing import Any

from .. import See, choice_steps, expression, expression_at, number_steps, scenario

choice_steps("steps.swiglu.gate")
number_steps("steps.swiglu.llama_width")
number_steps("steps.swiglu.excess", tol=1e-3)


@scenario("steps.swiglu.plain_weights")
def plain_weights(answer: Any, see: See) -> None:
    expression_at(see, answer, "d", (3,), (5,), (12,))


@scenario("steps.swiglu.gated_weights")
def gated_weights(answer: Any, see: See) -> None:
    expression_at(see, answer, "d f", (3, 7), (5, 11), (12, 32))


@scenario("steps.swiglu.width")
def width(answer: Any, see: See) -> None:
    expression_at(see, answer, "d", (3,), (5,), (12,))


POINTS = [(0.7, 0.9, -1.3, 0.6), (-1.1, -0.8, 0.4, 0.3), (0.5, 2.0, 1.7, 0.85)]


@scenario("steps.swiglu.up_gradient")
def up_gradient(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("dh", "g", "u", "s"), at, strict=True)) for at in POINTS])


@scenario("steps.swiglu.gate_gradient")
def gate_gradient(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("dh", "g", "u", "s"), at, strict=True)) for at in POINTS])
