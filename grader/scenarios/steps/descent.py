"""How the steps on plain steps, momentum and averages are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.descent.shrink")
def shrink(answer: Any, see: See) -> None:
    expression(see, answer, [{"lr": lr, "lam": lam}
                             for lr, lam in ((0.7, 2.0), (0.01, 30.0), (1.0, 0.25))])


@hidden("steps.descent.terminal")
def terminal(answer: Any, see: See) -> None:
    expression(see, answer, [{"g": g, "beta": b}
                             for g, b in ((-0.5, 0.7), (4.0, 0.99), (1.0, 0.0))])


@hidden("steps.descent.same_path")
def same_path(answer: Any, see: See) -> None:
    expression(see, answer, [{"lr": lr, "beta": b}
                             for lr, b in ((0.7, 0.6), (0.01, 0.99), (0.2, 0.0))])


@hidden("steps.descent.noise_left")
def noise_left(answer: Any, see: See) -> None:
    expression(see, answer, [{"beta": b} for b in (0.0, 0.75, 0.999)])
