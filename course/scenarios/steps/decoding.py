"""How the answers of the steps about drawing, repeating, searching and contrasting are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

choice_steps("steps.decoding.divided", "steps.decoding.shifted")
number_steps("steps.decoding.best_path", "steps.decoding.winner")


@scenario("steps.decoding.frequency_std")
def frequency_std(answer: Any, see: See) -> None:
    expression(see, answer, [{"p": p, "n": n} for p, n in ((0.3, 100), (0.9, 50), (0.5, 8))])
