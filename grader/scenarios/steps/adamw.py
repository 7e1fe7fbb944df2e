"""How the steps that derive AdamW are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.adamw.weight_of")
def weight_of(answer: Any, see: See) -> None:
    expression(see, answer, [{"beta": b, "i": i, "t": t}
                             for b, i, t in ((0.7, 2, 9), (0.99, 5, 6))])


@hidden("steps.adamw.constant_gradient")
def constant_gradient(answer: Any, see: See) -> None:
    expression(see, answer, [{"g": g, "beta": b, "t": t}
                             for g, b, t in ((-0.3, 0.8, 2), (5.0, 0.99, 7))])


@hidden("steps.adamw.divisor")
def divisor(answer: Any, see: See) -> None:
    expression(see, answer, [{"beta": b, "t": t} for b, t in ((0.7, 2), (0.999, 5))])


@hidden("steps.adamw.first_direction")
def first_direction(answer: Any, see: See) -> None:
    expression(see, answer, [{"g": g} for g in (-1e-3, 0.4, 2000.0)])


@hidden("steps.adamw.left_after")
def left_after(answer: Any, see: See) -> None:
    expression(see, answer, [{"w": w, "lr": lr, "lam": lam, "k": k}
                             for w, lr, lam, k in ((-3.0, 0.2, 0.7, 5), (0.5, 0.9, 0.4, 2))])
