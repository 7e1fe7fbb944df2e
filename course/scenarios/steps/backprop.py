"""How the steps of backpropagation by hand are tried."""

from typing import Any

from .. import See, array_steps, choice_steps, expression, number_steps, scenario

number_steps("steps.backprop.yhat", "steps.backprop.L", "steps.backprop.dyhat",
             "steps.backprop.db2", "steps.backprop.terms_in_db")
array_steps("steps.backprop.z1", "steps.backprop.h", "steps.backprop.dh", "steps.backprop.dz1",
            "steps.backprop.db1", "steps.backprop.dx", flat=True)
array_steps("steps.backprop.dW2", "steps.backprop.dW1", "steps.backprop.W2_after")
choice_steps("steps.backprop.other_layout", "steps.backprop.which_W2")


@scenario("steps.backprop.residual_slope")
def residual_slope(answer: Any, see: See) -> None:
    points = [{"dy": 2.0, "s": 0.5}, {"dy": -3.0, "s": -0.2}, {"dy": 0.7, "s": 4.0}]
    expression(see, answer, points)
