"""How the answers of the steps about cutting a distribution are tried."""

from typing import Any

from .. import See, choice_steps, number, number_steps, scenario

choice_steps("steps.cutoffs.crossing", "steps.cutoffs.commutes", "steps.cutoffs.most_typical")
number_steps("steps.cutoffs.warm")


@scenario("steps.cutoffs.after_top_k")
def after_top_k(answer: Any, see: See) -> None:
    number(see, answer, tol=2.5e-3)


@scenario("steps.cutoffs.after_top_p")
def after_top_p(answer: Any, see: See) -> None:
    number(see, answer, tol=2.5e-3)


@scenario("steps.cutoffs.sizes")
def sizes(answer: Any, see: See) -> None:
    for at, p in enumerate(("0", "0.4", "0.75", "0.8", "1")):
        see(f"your number of tokens at p = {p}", lambda at=at: float(answer[at]))
    see("sum of your list", lambda: float(sum(answer)))
    see("entries in your list", lambda: len(answer))


@scenario("steps.cutoffs.kept")
def kept(answer: Any, see: See) -> None:
    for token in range(5):
        see(f"is token {token} kept, in your list", lambda i=token: i in [int(a) for a in answer])
    see("entries in your list", lambda: len(answer))
