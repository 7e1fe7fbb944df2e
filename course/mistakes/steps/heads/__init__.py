"""Known wrong answers to the steps about heads."""

from collections.abc import Sequence

from ... import Mistake, add


def wrong_list(target: str, name: str, value: Sequence[float], message: str) -> None:
    add(target, Mistake(name, message, value, f"{target.rpartition('.')[2]} = {value}"))
