"""How the steps that derive AdamW are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

number_steps("steps.adamw.first_raw", "steps.adamw.first_half", tol=3e-3)
number_steps("steps.adamw.decoupled", "steps.adamw.coupled", tol=1e-4)
number_steps("steps.adamw.tiny_gradient")
number_steps("steps.adamw.bytes_per_parameter")
choice_steps("steps.adamw.thousandfold")


@scenario("steps.adamw.weight_of")
def weight_of(answer: Any, see: See) -> None:
    points = [(0.9, 3, 7), (0.5, 4, 4), (0.8, 1, 3)]
    expression(see, answer, [{"beta": b, "i": i, "t": t} for b, i, t in points])


@scenario("steps.adamw.constant_gradient")
def constant_gradient(answer: Any, see: See) -> None:
    points = [(2.0, 0.9, 1), (-3.0, 0.5, 4), (0.7, 0.95, 20)]  # so that range(t) works
    expression(see, answer, [{"g": g, "beta": b, "t": t} for g, b, t in points])


@scenario("steps.adamw.divisor")
def divisor(answer: Any, see: See) -> None:
    expression(see, answer, [{"beta": b, "t": t} for b, t in ((0.9, 1), (0.5, 3),
                                                              (0.99, 40))])


@scenario("steps.adamw.first_direction")
def first_direction(answer: Any, see: See) -> None:
    expression(see, answer, [{"g": g} for g in (3.0, -0.02, -500.0)])


@scenario("steps.adamw.left_after")
def left_after(answer: Any, see: See) -> None:
    points = [(5.0, 0.1, 0.5, 3), (-2.0, 0.3, 0.9, 4), (1.5, 0.02, 2.0, 10)]
    expression(see, answer, [{"w": w, "lr": lr, "lam": lam, "k": k} for w, lr, lam, k in points])
