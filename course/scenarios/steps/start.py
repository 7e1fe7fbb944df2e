"""How the answers of the steps of lesson 00 are tried."""

from typing import Any

from .. import See, choice, number, scenario


@scenario("steps.start.p_cat")
def p_cat(answer: Any, see: See) -> None:
    number(see, answer)


@scenario("steps.start.what_stays")
def what_stays(answer: Any, see: See) -> None:
    choice(see, answer)
