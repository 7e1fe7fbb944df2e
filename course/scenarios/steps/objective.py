"""How the steps about targets, the loss of a text, and its units are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

choice_steps("steps.objective.targets", "steps.objective.better", "steps.objective.forced")
number_steps("steps.objective.first_perplexity")
number_steps("steps.objective.text_loss", "steps.objective.chinese", tol=2e-3)  # three digits
number_steps("steps.objective.text_perplexity", tol=4e-3)  # exp of a loss of three digits


@scenario("steps.objective.windows")
def windows(answer: Any, see: See) -> None:
    expression(see, answer, [{"n": 10, "T": 4}, {"n": 5, "T": 4}, {"n": 1000, "T": 1}])


@scenario("steps.objective.per_word")
def per_word(answer: Any, see: See) -> None:
    points = [(2.5, 570, 100), (3.0, 12, 4), (7.0, 30, 24)]
    names = ("ppl_char", "n_chars", "n_words")
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])
