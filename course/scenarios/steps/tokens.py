"""How the steps about characters, bytes and byte-pair encoding are tried."""

from typing import Any

from .. import See, choice_steps, in_a_row, number_steps, scenario

number_steps("steps.tokens.vocab_size", "steps.tokens.n_bytes")
choice_steps("steps.tokens.first_merge", "steps.tokens.overlap")


@scenario("steps.tokens.count_changes")
def count_changes(answer: Any, see: See) -> None:
    answer = in_a_row(answer)
    for at, pair in enumerate(("(c,a)", "(a,b)", "(b,d)", "(c,X)", "(X,d)")):
        see(f"your change of {pair}", lambda at=at: float(answer[at]), tol=1e-6)
    see("sum of your changes", lambda: float(sum(answer)), tol=1e-6)
    see("numbers in your list", lambda: len(answer))
