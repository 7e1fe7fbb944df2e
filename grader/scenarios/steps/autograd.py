"""How the steps about an engine for derivatives are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.autograd.power_slope")
def power_slope(answer: Any, see: See) -> None:
    expression(see, answer, [{"a": a, "n": n} for a, n in ((1.5, 4.0), (0.2, 1.0), (4.0, -0.5))])


@hidden("steps.autograd.tanh_slope")
def tanh_slope(answer: Any, see: See) -> None:
    expression(see, answer, [{"t": t} for t in (0.0, -0.9, 0.33)])
