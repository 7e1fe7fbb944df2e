"""Known wrong answers to the steps about heads."""

from ... import Mistake, add


def wrong_list(target: str, name: str, value: list[int], message: str) -> None:
    add(target, Mistake(name, message, value, f"{target.rpartition('.')[2]} = {value}"))
