"""How the steps to the relative position of RoPE are tried."""

from functools import partial
from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

near = partial(expression, tol=1e-6)  # float32 will do, as `rope.rotation_matrix` gives it

choice_steps("steps.rope.transpose", "steps.rope.wrong_way")
number_steps("steps.rope.whole_score", "steps.rope.next_position")
number_steps("steps.rope.slowest_wavelength", tol=1e-4)


@scenario("steps.rope.product_angle")
def product_angle(answer: Any, see: See) -> None:
    near(see, answer, [{"a": 0.4, "b": 1.5}, {"a": 2.0, "b": 0.3}, {"a": 1.2, "b": -0.5},
                       {"a": -1.0, "b": 0.7}])


@scenario("steps.rope.score_angle")
def score_angle(answer: Any, see: See) -> None:
    points = [(7, 3, 0.5), (2, 11, 0.1), (30, 5, 0.2), (40, 41, 1.3)]
    near(see, answer, [dict(zip(("m", "n", "theta"), at, strict=True)) for at in points])


@scenario("steps.rope.pair_score")
def pair_score(answer: Any, see: See) -> None:
    points = [(1.0, 2.0, 3.0, -1.0, 0.4), (0.5, -1.5, 2.0, 0.7, -1.1), (2.0, 0.3, 0.3, 2.0, 2.5)]
    names = ("q1", "q2", "k1", "k2", "x")
    near(see, answer, [dict(zip(names, at, strict=True)) for at in points])
