"""How the steps to the softmax Jacobian are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression, in_a_row

from .. import hidden


@hidden("steps.softmax.diagonal")
def diagonal(answer: Any, see: See) -> None:
    expression(see, answer, [{"p_i": p} for p in (0.03, 0.61, 0.94)])


@hidden("steps.softmax.first_row")
def first_row(answer: Any, see: See) -> None:
    see("the whole row", lambda: [float(v) for v in in_a_row(answer)], tol=1e-6)


@hidden("steps.softmax.vjp_entry")
def vjp_entry(answer: Any, see: See) -> None:
    points = [(0.9, 0.3, -0.2), (0.05, -7.0, 1.1), (0.5, 2.0, 2.0)]
    expression(see, answer, [dict(zip(("p_i", "g_i", "m"), at, strict=True)) for at in points])
