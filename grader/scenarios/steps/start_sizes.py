"""How the steps on the sizes that weights start with are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.start_sizes.line_variance")
def line_variance(answer: Any, see: See) -> None:
    points = [(0.0, 0.5, 2.0), (48.0, 0.1, 0.4)]
    expression(see, answer, [dict(zip(("n_layer", "v", "x0"), at, strict=True)) for at in points])


@hidden("steps.start_sizes.scaled_variance")
def scaled_variance(answer: Any, see: See) -> None:
    points = [(3.0, 0.2), (0.25, 1.0)]
    expression(see, answer, [dict(zip("av", at, strict=True)) for at in points])


@hidden("steps.start_sizes.factor")
def factor(answer: Any, see: See) -> None:
    expression(see, answer, [{"n_layer": n} for n in (2.0, 50.0)])


@hidden("steps.start_sizes.logit_std")
def logit_std(answer: Any, see: See) -> None:
    points = [(768.0, 0.02), (4.0, 1.0)]
    expression(see, answer, [dict(zip(("D", "base"), at, strict=True)) for at in points])


@hidden("steps.start_sizes.first_loss")
def first_loss(answer: Any, see: See) -> None:
    points = [(50257.0, 0.5), (2.0, 0.1)]
    expression(see, answer, [dict(zip("Vs", at, strict=True)) for at in points])
