"""Right answers in other styles: what the checks must accept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..mistakes import cell_source, edited


@dataclass(frozen=True)
class Alternative:
    """One right answer: the object to observe, and the same as the text of an answer cell."""

    name: str
    answer: Any
    source: str


ALTERNATIVES: dict[str, list[Alternative]] = {}


def add(target: str, other: Alternative) -> None:
    ALTERNATIVES.setdefault(target, []).append(other)


def alternative(target: str) -> Callable[[Any], Any]:
    """Register the decorated function or class as a right answer to `target`."""

    def register(right: Any) -> Any:
        add(target, Alternative(right.__name__, right, cell_source(right, target)))
        return right

    return register


def also_right(target: str, value: Any, source: str | None = None) -> None:
    """Register another form of a right number or expression; `source` where repr is no code."""
    name = target.rpartition(".")[2]
    add(target, Alternative(str(value), value, f"{name} = {source or repr(value)}"))


def sympy_form(target: str, text: str) -> None:
    """Register an expression step's answer as a sympy object, from its text (the author's)."""
    import sympy
    also_right(target, sympy.sympify(text), f"__import__('sympy').sympify({text!r})")


def alternative_edit(target: str, name: str, old: str, new: str) -> None:
    """Register the reference answer with a piece replaced by an equal one."""
    right, source = edited(target, old, new)
    add(target, Alternative(name, right, source))
