"""How the steps about difference quotients are tried."""

from typing import Any

from .. import See, expression, number_steps, scenario

number_steps("steps.differences.at_the_kink")


@scenario("steps.differences.forward_error")
def forward_error(answer: Any, see: See) -> None:
    expression(see, answer, [{"eps": e} for e in (0.1, 0.5, 2.0)])


@scenario("steps.differences.central_error")
def central_error(answer: Any, see: See) -> None:
    expression(see, answer, [{"eps": e} for e in (0.1, 0.5, 2.0)])
