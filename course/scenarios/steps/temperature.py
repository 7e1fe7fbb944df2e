"""How the answers of the steps about temperature are tried."""

from typing import Any

from .. import See, array, choice_steps, expression, scenario

choice_steps("steps.temperature.limit")


@scenario("steps.temperature.ratio")
def ratio(answer: Any, see: See) -> None:
    expression(see, answer, [{"r": 4.0, "t": 2.0}, {"r": 3.0, "t": 0.5}, {"r": 0.2, "t": 1.6}])


@scenario("steps.temperature.by_hand")
def by_hand(answer: Any, see: See) -> None:
    array(see, answer, tol=2.5e-3)


@scenario("steps.temperature.p_slope")
def p_slope(answer: Any, see: See) -> None:
    points = [(0.2, 1.0, 0.4), (0.7, -2.0, 0.3), (0.4, 0.6, -1.5)]
    expression(see, answer, [dict(zip(("p_i", "z_i", "m"), at, strict=True)) for at in points])


@scenario("steps.temperature.entropy_slope")
def entropy_slope(answer: Any, see: See) -> None:
    points = [(0.5, 1.2, 0.7), (2.0, -0.4, 1.3), (1.3, 0.9, 0.2)]
    expression(see, answer, [dict(zip(("beta", "m", "v"), at, strict=True)) for at in points])
