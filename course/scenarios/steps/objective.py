"""How the steps about targets, the loss of a text, and its units are tried."""

from typing import Any

from .. import See, choice_steps, expression, number, number_steps, scenario

choice_steps("steps.objective.targets", "steps.objective.better", "steps.objective.forced")
number_steps("steps.objective.text_perplexity", "steps.objective.first_perplexity")


@scenario("steps.objective.text_loss")
def text_loss(answer: Any, see: See) -> None:
    number(see, answer, tol=1e-3)  # a calculator's three digits will do


@scenario("steps.objective.chinese")
def chinese(answer: Any, see: See) -> None:
    number(see, answer, tol=1e-3)


@scenario("steps.objective.windows")
def windows(answer: Any, see: See) -> None:
    expression(see, answer, [{"n": 10.0, "T": 4.0}, {"n": 5.0, "T": 4.0}, {"n": 1000.0, "T": 1.0}])


@scenario("steps.objective.per_word")
def per_word(answer: Any, see: See) -> None:
    points = [(2.5, 570.0, 100.0), (3.0, 12.0, 4.0), (7.0, 30.0, 24.0)]
    names = ("ppl_char", "n_chars", "n_words")
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])
