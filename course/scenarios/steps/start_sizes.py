"""How the steps on the sizes that weights start with are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

choice_steps("steps.start_sizes.along_depth")
number_steps("steps.start_sizes.touched")


@scenario("steps.start_sizes.line_variance")
def line_variance(answer: Any, see: See) -> None:
    points = [(4.0, 0.5, 1.0), (12.0, 2.0, 3.0), (1.0, 0.3, 0.7)]
    expression(see, answer, [dict(zip(("n_layer", "v", "x0"), at, strict=True)) for at in points])


@scenario("steps.start_sizes.scaled_variance")
def scaled_variance(answer: Any, see: See) -> None:
    points = [(0.5, 3.0), (2.0, 0.7), (0.1, 5.0)]
    expression(see, answer, [dict(zip("av", at, strict=True)) for at in points])


@scenario("steps.start_sizes.factor")
def factor(answer: Any, see: See) -> None:
    expression(see, answer, [{"n_layer": n} for n in (1.0, 8.0, 12.0)])


@scenario("steps.start_sizes.logit_std")
def logit_std(answer: Any, see: See) -> None:
    points = [(128.0, 0.02), (9.0, 0.5), (50.0, 0.1)]
    expression(see, answer, [dict(zip(("D", "base"), at, strict=True)) for at in points])


@scenario("steps.start_sizes.first_loss")
def first_loss(answer: Any, see: See) -> None:
    points = [(4000.0, 0.226), (50.0, 1.5), (10.0, 0.0)]
    expression(see, answer, [dict(zip("Vs", at, strict=True)) for at in points])
