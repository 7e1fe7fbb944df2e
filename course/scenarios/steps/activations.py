"""How the steps about activations are tried."""

from typing import Any

from .. import See, array_steps, choice_steps, expression, number_steps, scenario

choice_steps("steps.activations.dead")
number_steps("steps.activations.silu_minimum", tol=2e-3)
array_steps("steps.activations.order", flat=True)


@scenario("steps.activations.gelu_slope")
def gelu_slope(answer: Any, see: See) -> None:
    points = [(0.7, 0.758, 0.312), (-1.3, 0.097, 0.171), (2.1, 0.982, 0.044)]
    expression(see, answer, [dict(zip(("x", "Phi", "phi"), at, strict=True)) for at in points])


@scenario("steps.activations.silu_slope")
def silu_slope(answer: Any, see: See) -> None:
    # not σ(x) itself, so that an answer has to use both arguments
    points = [(0.8, 0.6), (-1.5, 0.25), (2.3, 0.9), (-0.4, 0.45)]
    expression(see, answer, [dict(zip(("x", "s"), at, strict=True)) for at in points])


@scenario("steps.activations.silu_lowest")
def silu_lowest(answer: Any, see: See) -> None:
    expression(see, answer, [{"x": -1.5}, {"x": -1.1}, {"x": -0.4}])
