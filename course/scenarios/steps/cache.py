"""How the answers of the steps about what is kept, where, and who sees it are tried."""

from typing import Any

from .. import See, array_steps, choice_steps, expression, number_steps, scenario

choice_steps("steps.cache.kept", "steps.cache.later_layers", "steps.cache.full_window")
number_steps("steps.cache.length_within", "steps.cache.chunk_pairs", "steps.cache.corner")
array_steps("steps.cache.positions", "steps.cache.needs_mask", flat=True)
POINTS = [{"P": P, "n": n} for P, n in ((5, 3), (16, 100), (9, 1), (2, 7))]  # for range(n)


@scenario("steps.cache.rows_without")
def rows_without(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)


@scenario("steps.cache.rows_with")
def rows_with(answer: Any, see: See) -> None:
    expression(see, answer, POINTS)
