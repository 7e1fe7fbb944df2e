"""How the steps about an engine for derivatives are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

number_steps("steps.autograd.used_twice", "steps.autograd.two_calls")
choice_steps("steps.autograd.order")


@scenario("steps.autograd.power_slope")
def power_slope(answer: Any, see: See) -> None:
    expression(see, answer, [{"a": a, "n": n} for a, n in ((2.0, 3.0), (0.5, -2.0), (3.0, 0.5))])


@scenario("steps.autograd.tanh_slope")
def tanh_slope(answer: Any, see: See) -> None:
    expression(see, answer, [{"t": t} for t in (0.1, -0.45, 0.8)])
