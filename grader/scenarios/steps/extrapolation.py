"""How the steps on longer texts than those of training are tried when a submission is graded."""

from typing import Any

from course.scenarios import See
from course.scenarios.steps.rope import near

from .. import hidden


@hidden("steps.extrapolation.turns")
def turns(answer: Any, see: See) -> None:
    near(see, answer, [{"theta": t, "L": L} for t, L in ((0.5, 128), (1e-4, 8192), (2.0, 3))])


@hidden("steps.extrapolation.slowing")
def slowing(answer: Any, see: See) -> None:
    points = [(40.0, 5, 12), (3.0, 0, 8), (1.5, 63, 128)]
    near(see, answer, [dict(zip(("ratio", "i", "Dh"), at, strict=True)) for at in points])


@hidden("steps.extrapolation.ntk_exponent")
def ntk_exponent(answer: Any, see: See) -> None:
    near(see, answer, [{"Dh": Dh} for Dh in (4, 10, 64)])


@hidden("steps.extrapolation.ramp")
def ramp(answer: Any, see: See) -> None:
    points = [(4.5, 4.0, 5.0), (31.0, 1.0, 32.0), (2.0, 1.5, 12.0)]
    near(see, answer, [dict(zip(("r", "alpha", "beta"), at, strict=True)) for at in points])


@hidden("steps.extrapolation.logit_factor")
def logit_factor(answer: Any, see: See) -> None:
    near(see, answer, [{"s": s} for s in (3.0, 8.0, 32.0)])
