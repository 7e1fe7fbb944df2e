"""How the steps on order, sinusoids and learned tables are tried."""

from typing import Any

from .. import See, choice_steps, expression, expression_at, number_steps, scenario

choice_steps("steps.positions.permuted_scores", "steps.positions.cancel",
             "steps.positions.swapped_prefix", "steps.positions.which_side")
number_steps("steps.positions.position_terms", "steps.positions.table_parameters")
number_steps("steps.positions.slowest_wave", tol=1e-4)
ANGLES = [(0.6, 0.8, 0.5), (-0.28, 0.96, 1.7), (0.8, -0.6, -0.4)]


@scenario("steps.positions.start_share")
def start_share(answer: Any, see: See) -> None:
    expression_at(see, answer, "t", (1,), (4,), (99,))


@scenario("steps.positions.sin_shifted")
def sin_shifted(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("s", "c", "x"), at, strict=True)) for at in ANGLES])


@scenario("steps.positions.cos_shifted")
def cos_shifted(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(("s", "c", "x"), at, strict=True)) for at in ANGLES])


@scenario("steps.positions.pair_product")
def pair_product(answer: Any, see: See) -> None:
    expression_at(see, answer, "m k w", (3, 4, 0.7), (8, 1, 0.2), (2, 9, 1.0))
