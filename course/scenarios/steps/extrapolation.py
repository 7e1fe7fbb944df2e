"""How the steps on longer texts than those of training are tried."""

from typing import Any

from .. import See, choice_steps, scenario
from .rope import near

choice_steps("steps.extrapolation.unseen")


@scenario("steps.extrapolation.turns")
def turns(answer: Any, see: See) -> None:
    near(see, answer, [{"theta": t, "L": L} for t, L in ((1.0, 64), (0.02, 4096), (0.3, 10))])


@scenario("steps.extrapolation.slowing")
def slowing(answer: Any, see: See) -> None:
    points = [(4.0, 3, 8), (2.5, 1, 6), (9.0, 10, 32)]
    near(see, answer, [dict(zip(("ratio", "i", "Dh"), at, strict=True)) for at in points])


@scenario("steps.extrapolation.ntk_exponent")
def ntk_exponent(answer: Any, see: See) -> None:
    near(see, answer, [{"Dh": Dh} for Dh in (8, 32, 128)])


@scenario("steps.extrapolation.ramp")
def ramp(answer: Any, see: See) -> None:
    points = [(5.0, 1.0, 32.0), (16.5, 1.0, 32.0), (3.0, 2.0, 7.0)]
    near(see, answer, [dict(zip(("r", "alpha", "beta"), at, strict=True)) for at in points])


@scenario("steps.extrapolation.logit_factor")
def logit_factor(answer: Any, see: See) -> None:
    near(see, answer, [{"s": s} for s in (2.0, 4.0, 16.0)])
