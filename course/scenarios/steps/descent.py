"""How the steps on plain steps, momentum and running averages are tried."""

from typing import Any

from .. import See, expression, number_steps, scenario

number_steps("steps.descent.largest_rate")


@scenario("steps.descent.shrink")
def shrink(answer: Any, see: See) -> None:
    expression(see, answer, [{"lr": lr, "lam": lam} for lr, lam in ((0.02, 50.0), (0.1, 3.0),
                                                                    (0.5, 7.0))])


@scenario("steps.descent.terminal")
def terminal(answer: Any, see: See) -> None:
    expression(see, answer, [{"g": g, "beta": b} for g, b in ((1.0, 0.9), (-3.0, 0.5),
                                                              (0.2, 0.95))])


@scenario("steps.descent.same_path")
def same_path(answer: Any, see: See) -> None:
    expression(see, answer, [{"lr": lr, "beta": b} for lr, b in ((0.1, 0.9), (0.03, 0.8),
                                                                 (2.0, 0.25))])


@scenario("steps.descent.noise_left")
def noise_left(answer: Any, see: See) -> None:
    expression(see, answer, [{"beta": b} for b in (0.9, 0.5, 0.99)])
