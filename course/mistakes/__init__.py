"""Known wrong answers as runnable code, each with what its author should look at."""

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..source import answer, text


@dataclass(frozen=True)
class Mistake:
    """One wrong answer: the object to observe, and the same as the text of an answer cell."""

    name: str
    message: str
    answer: Any
    source: str
    raises: bool = False


MISTAKES: dict[str, list[Mistake]] = {}


def add(target: str, mistake: Mistake) -> None:
    known = MISTAKES.setdefault(target, [])
    if mistake.name in (m.name for m in known):
        raise ValueError(f"{target} has two mistakes called {mistake.name}")
    known.append(mistake)


def cell_source(definition: Any, target: str) -> str:
    """A decorated function or class as an answer to `target`: no decorator of ours, its name."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(definition))).body[0]
    assert isinstance(tree, ast.FunctionDef | ast.ClassDef)
    ours = {"mistake", "alternative"}
    tree.decorator_list = [d for d in tree.decorator_list if not (
        isinstance(d, ast.Call) and isinstance(d.func, ast.Name) and d.func.id in ours)]
    tree.name = target.rpartition(".")[2]
    return ast.unparse(tree)


def reference(target: str) -> tuple[Any, str]:
    """The module that holds the reference answer, and that answer's source without markers."""
    family, _, name = target.rpartition(".")
    module = importlib.import_module(family if family.startswith("steps.") else f"minillm.{family}")
    path = Path(module.__file__ or "")
    if "solutions" not in path.parts:
        raise ImportError(f"mistakes are made from the reference package, not from {path}")
    return module, answer(text(path.read_text("utf-8"), name))


def edited(target: str, old: str, new: str) -> tuple[Any, str]:
    """The reference answer with a piece of its text replaced, as an object and as source."""
    module, source = reference(target)
    if old not in source:
        raise ValueError(f"{target}: its answer does not contain {old!r}")
    source = source.replace(old, new)
    space = dict(vars(module))
    exec(compile(source, f"<edited {target}>", "exec"), space)
    return space[target.rpartition(".")[2]], source


def mistake(target: str, message: str, raises: bool = False) -> Callable[[Any], Any]:
    """Register the decorated function or class as a wrong answer to `target`."""

    def register(wrong: Any) -> Any:
        source = cell_source(wrong, target)
        add(target, Mistake(wrong.__name__, message, wrong, source, raises))
        return wrong

    return register


def edit(target: str, name: str, old: str, new: str, message: str, raises: bool = False) -> None:
    """Register the reference answer with `old` replaced by `new`.

    Raises ValueError when the reference has no `old`.
    """
    wrong, source = edited(target, old, new)
    add(target, Mistake(name, message, wrong, source, raises))


def wrong_choice(target: str, choice: str, message: str) -> None:
    """Register a wrong choice with its explanation."""
    source = f"{target.rpartition('.')[2]} = {choice!r}"
    add(target, Mistake(f"choice {choice}", message, choice, source))


def wrong_value(target: str, name: str, value: Any, message: str, source: str | None = None,
                ) -> None:
    """Register a wrong list or other value; `source` where its repr is no code."""
    source = f"{target.rpartition('.')[2]} = {source or repr(value)}"
    add(target, Mistake(name, message, value, source))


def wrong_number(target: str, value: float, message: str) -> None:
    """Register a wrong number with its explanation."""
    source = f"{target.rpartition('.')[2]} = {value!r}"
    add(target, Mistake(f"number {value:g}", message, value, source))
