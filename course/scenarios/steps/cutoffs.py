"""How the answers of the steps about cutting a distribution are tried."""

from typing import Any

from .. import See, array_steps, choice_steps, number, number_steps, scenario

choice_steps("steps.cutoffs.crossing", "steps.cutoffs.commutes", "steps.cutoffs.most_typical")
number_steps("steps.cutoffs.warm")
array_steps("steps.cutoffs.sizes", flat=True)


@scenario("steps.cutoffs.after_top_k")
def after_top_k(answer: Any, see: See) -> None:
    number(see, answer, tol=2.5e-3)


@scenario("steps.cutoffs.after_top_p")
def after_top_p(answer: Any, see: See) -> None:
    number(see, answer, tol=2.5e-3)


@scenario("steps.cutoffs.kept")
def kept(answer: Any, see: See) -> None:
    see.kind = "array"
    see("your tokens, in order", lambda: sorted(float(token) for token in answer))
