"""How the steps of backpropagation by hand are tried."""

from typing import Any

import numpy as np

from .. import See, array_steps, choice_steps, expression, number, number_steps, scenario


class Several:
    """What is answered where one number is asked for; it says so when it is read."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __float__(self) -> float:
        raise ValueError(f"{self.count} numbers, and one is asked for: is a sum still to be taken?")


def one_number(answer: Any) -> Any:
    """A number as it is, or alone in a list or an array."""
    if hasattr(answer, "detach"):
        answer = answer.detach()
    flat = np.asarray(answer, dtype=object).reshape(-1)
    return flat[0] if len(flat) == 1 else Several(len(flat))


for target in ("steps.backprop.yhat", "steps.backprop.dyhat", "steps.backprop.db2"):
    scenario(target)(lambda answer, see: number(see, one_number(answer)))

number_steps("steps.backprop.L", "steps.backprop.terms_in_db")
array_steps("steps.backprop.z1", "steps.backprop.h", "steps.backprop.dh", "steps.backprop.dz1",
            "steps.backprop.db1", "steps.backprop.dx", flat=True)
array_steps("steps.backprop.dW2", "steps.backprop.dW1", "steps.backprop.W2_after")
choice_steps("steps.backprop.other_layout", "steps.backprop.which_W2")


@scenario("steps.backprop.residual_slope")
def residual_slope(answer: Any, see: See) -> None:
    points = [{"dy": 2.0, "s": 0.5}, {"dy": -3.0, "s": -0.2}, {"dy": 0.7, "s": 4.0}]
    expression(see, answer, points)
