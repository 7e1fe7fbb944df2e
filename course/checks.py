"""`check("functional.softmax")`: find the learner's object, observe it, compare, say what came."""

import importlib
import json
import os
import sys
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

from . import progress, scenarios
from .compare import Failure, Record, compare
from .fill import FILLED, not_loading
from .scenarios import SCENARIOS, See
from .settings import as_usual
from .workspace import run_by_tool

EXPECTED = Path(__file__).parent / "expected"
HERE = "this notebook"


class CheckFailed(AssertionError):
    """Shown to the learner as its few lines, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        lines = [part for line in str(self).splitlines()  # a dialog shows about 90 columns
                 for part in wrap(line, 86, subsequent_indent=" " * 10)]
        return [f"{'  ' if at else '✗ '}{line}" for at, line in enumerate(lines)]


@cache
def stored(target: str) -> Record:
    """The stored record of an exercise. Raises CheckFailed for a name there is no check for."""
    path = EXPECTED / f"{target}.json"
    if not path.is_file():
        from difflib import get_close_matches
        known = sorted(p.stem for p in EXPECTED.glob("*.json"))
        near = [k for k in known if k.endswith(f".{target}")] or get_close_matches(target, known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise CheckFailed(f"there is no check called {target!r}{hint}")
    record: Record = json.loads(path.read_text("utf-8"))
    return record


def observe(target: str, answer: Any, registry: dict[str, scenarios.Scenario] = SCENARIOS) -> See:
    """Try an answer; needs no expected value, so a process that knows none can do it."""
    see, scenario = See(), registry[target]
    constants = [(t, t.clone()) for t in scenario.__globals__.values() if hasattr(t, "copy_")]
    try:
        with as_usual():
            scenario(answer, see)
    finally:  # an answer that works in place is wrong this time and must not be so the next
        for constant, kept in constants:
            constant.detach().copy_(kept)
    return see


def find(target: str) -> tuple[Any, str]:
    """The object under test and where it came from, in words that hold on every machine."""
    family, name = target.rsplit(".", 1)
    if family.startswith("steps."):
        from IPython import get_ipython
        return get_ipython().user_ns.get(name, ...), HERE
    try:
        module = sys.modules.get(f"minillm.{family}") or importlib.import_module(
            f"minillm.{family}")
    except Exception as error:
        raise CheckFailed(not_loading(f"minillm.{family}", error)) from error
    if f"minillm.{target}" in FILLED:
        return getattr(module, name), HERE
    path = Path(module.__file__ or "")
    if path.parent.parent.name == "solutions":
        raise CheckFailed(f"{target} comes from the reference package; a check wants your own")
    if not hasattr(module, name):
        raise CheckFailed(f"minillm/{path.name} has no {name} any more: run its answer cell again")
    return getattr(module, name), f"minillm/{path.name}"


def examine(target: str, answer: Any) -> tuple[Failure | None, See]:
    """Observe and compare. Raises CheckFailed when the check itself does not work."""
    record = stored(target)
    scenarios.load(target)
    seen = observe(target, answer)
    if not seen.values or seen.values.keys() != record["right"].keys():
        raise CheckFailed(f"{target}: the check itself is broken: {len(seen.values)} observations "
                          f"and {len(record['right'])} stored values. Nothing is wrong with yours.")
    return compare(seen.values, record), seen


def check(target: str) -> None:
    """Check one exercise; raises CheckFailed with three lines when it is not right yet."""
    stored(target)
    answer, origin = find(target)
    if answer is ...:
        raise CheckFailed(f"not answered yet: {target.rsplit('.', 1)[1]}")
    try:
        failure, seen = examine(target, answer)
    except KeyboardInterrupt:
        raise CheckFailed(f"{target}: stopped before it was done. If it hung, look for a loop that "
                          "does not end.") from None
    progress.note(target, failure is None)
    progress.refresh()
    if failure:
        show_picture(failure, seen, stored(target))
        raise CheckFailed(str(failure))
    if origin != HERE and os.environ.get("NBGRADER_EXECUTION"):  # a grade, or Validate before it
        raise CheckFailed(f"right in {origin}, but not in this notebook, and that is what is "
                          "graded: copy it into the answer cell")
    count = len(seen.values)
    print(f"✓ {target}, from {origin}" + (f": {count} observations agree" if count > 1 else ""))


def show_picture(failure: Failure, seen: See, record: Record) -> None:
    """Your matrix beside the expected one, where the thing is a matrix and somebody looks."""
    if not failure.where or failure.where in record["derive"] or run_by_tool():
        return
    yours, right = seen.values[failure.where], record["right"][failure.where]
    shape = yours.get("shape", [])
    if shape == right.get("shape") and len(shape) >= 2 and min(shape[-2:]) > 1:
        from .plots import beside
        beside(yours, right)
