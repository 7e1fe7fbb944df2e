"""How the steps to the softmax Jacobian are tried."""

from typing import Any

from .. import See, choice_steps, expression, in_a_row, number_steps, pick, scenario

choice_steps("steps.softmax.shift", "steps.softmax.off_diagonal", "steps.softmax.one_hot")
number_steps("steps.softmax.largest_norm")


@scenario("steps.softmax.diagonal")
def diagonal(answer: Any, see: See) -> None:
    expression(see, answer, [{"p_i": p} for p in (0.1, 0.35, 0.8)])


@scenario("steps.softmax.first_row")
def first_row(answer: Any, see: See) -> None:
    answer = in_a_row(answer)
    for j in range(3):
        see(f"your ∂p₀/∂z{'₀₁₂'[j]}", lambda at=j: float(pick(answer, "", at, 3)), tol=1e-6)
    see("sum of your row", lambda: float(sum(answer)), tol=1e-6)
    see("entries in your row", lambda: len(answer))


@scenario("steps.softmax.vjp_entry")
def vjp_entry(answer: Any, see: See) -> None:
    points = [(0.2, 1.0, 0.5), (0.7, -2.0, 0.3), (0.4, 0.6, -1.5)]
    expression(see, answer, [dict(zip(("p_i", "g_i", "m"), at, strict=True)) for at in points])
