"""How the steps about activations are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.activations.gelu_slope")
def gelu_slope(answer: Any, see: See) -> None:
    expression(see, answer, [{"x": 1.7, "Phi": 0.4, "phi": 0.9},
                             {"x": -0.6, "Phi": 0.8, "phi": 0.2}])


@hidden("steps.activations.silu_slope")
def silu_slope(answer: Any, see: See) -> None:
    expression(see, answer, [{"x": 3.1, "s": 0.35}, {"x": -2.2, "s": 0.7}])


@hidden("steps.activations.silu_lowest")
def silu_lowest(answer: Any, see: See) -> None:
    expression(see, answer, [{"x": -2.5}, {"x": -0.7}])
