"""What a graded cell is worth: the notebook's own check, and the answer observed a second time.

A check counts as passed when three agree: the notebook printed its tick, the visible scenario sees
the right values in a process of ours, and so does the hidden one (and the class's own, if any).
Nothing that a notebook prints can earn points alone.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from course.checks import HERE, CheckFailed
from course.compare import Record, Values, compare, derived
from course.values import Value, is_error, same

TAMPERING = "tampering suspected"
NOT_ANSWERED = "not answered"


@dataclass(frozen=True)
class Own:
    """How a check cell ended in the learner's notebook."""

    passed: bool
    said: str = ""  # the first line of its error, '' when there was none


@dataclass(frozen=True)
class Outcome:
    """What becomes of one check cell.

    `shown` are the lines to add to the cell as an error, `mistake` the known mistake that was
    recognised, `note` what a person should look at, `why` a word for the report.
    """

    passed: bool
    why: str = ""
    shown: list[str] = field(default_factory=list)
    mistake: str = ""
    note: str = ""


def own_result(cell: NotebookNode, target: str) -> Own:
    """Read a check cell that has run: only its tick, without any error, is a pass."""
    errors = [o for o in cell.outputs if o.output_type == "error"]
    if errors:
        lines = [*str(errors[0].get("evalue", "")).splitlines(), str(errors[0].get("ename", ""))]
        return Own(False, lines[0].removeprefix("✗ "))
    said = "".join(str(o.get("text", "")) for o in cell.outputs if o.output_type == "stream"
                   and o.get("name") == "stdout")
    tick = any(line.startswith(f"✓ {target}, from {HERE}") for line in said.splitlines())
    return Own(tick)


def stored(folder: Path, target: str) -> Record | None:
    """The expected values of a target, or None when there are none."""
    path = folder / f"{target}.json"
    return read_record(path, path.stat().st_mtime_ns) if path.is_file() else None


@cache
def read_record(path: Path, stamp: int) -> Record:
    record: Record = json.loads(path.read_text("utf-8"))
    return record


def well_formed(seen: Any, expected: Iterable[str]) -> bool:
    """Whether observations are what `course.values.plain` makes, one for each that is expected."""
    return isinstance(seen, dict) and seen.keys() == set(expected) and all(
        isinstance(value, dict) and value_is_plain(value) for value in seen.values())


def value_is_plain(value: Value) -> bool:
    if "error" in value or "text" in value:
        return all(isinstance(v, str) for v in value.values()) and "text" in value
    shape, data = value.get("shape"), value.get("data")
    return (isinstance(value.get("dtype"), str) and isinstance(shape, list)
            and isinstance(data, list) and all(isinstance(n, int) and n >= 0 for n in shape)
            and all(isinstance(x, int | float) for x in data) and math.prod(shape) == len(data))


def decide(target: str, own: Own, reply: dict[str, Any], visible: Record,
           hidden: Record | None, extra: Record | None = None) -> Outcome:
    """The outcome of one check from all that was seen of it; `extra` is the class's own."""
    lost = reply.get("lost")
    if not lost and not well_formed(reply.get("visible"), visible["right"]):
        lost = "its result cannot be read"
    if lost:
        return unconfirmed(own, str(lost))
    failure = compare(reply["visible"], visible)
    if failure:
        note = ""
        if own.passed:
            note = (f"{TAMPERING}: {target} passed in the notebook, but its answer alone gives "
                    f"{failure.came}")
        first, *rest = CheckFailed(str(failure))._render_traceback_()
        shown = ["✗ in a process of its own this answer is not right", f"  {first[2:]}", *rest]
        return Outcome(False, "hole" if failure.hole else "wrong",
                       shown if own.passed or not own.said else [], failure.mistake or "", note)
    if not own.passed:
        said = own.said or "no outcome"
        note = f"{target}: the answer alone is right, but the check in the notebook says: {said}"
        shown = [] if own.said else ["✗ the check had no outcome in the notebook"]
        return Outcome(False, "failed in the notebook", shown, note=note)
    for part, record in (("hidden", hidden), ("extra", extra)):
        if record is None:
            continue
        if not well_formed(reply.get(part), record["right"]):
            return Outcome(False, f"{part} check not confirmed",
                           ["✗ what else is tried when grading gave no result"])
        found = differing(reply[part], record)
        if found:
            return Outcome(False, f"{part}: {' gives '.join(found[0])}", hidden_lines(found))
    return Outcome(True)


def unconfirmed(own: Own, lost: str) -> Outcome:
    """Nothing could be observed of the answer itself."""
    hole = lost == NOT_ANSWERED
    note = ""
    if own.passed:
        note = f"{TAMPERING}: passed in the notebook without an answer" if hole else \
            f"passed in the notebook, but could not be confirmed: {lost}"
    shown = ["✗ not answered yet" if hole else f"✗ the answer could not be tried alone: {lost}"]
    return Outcome(False, "hole" if hole else f"not confirmed: {lost}",
                   shown if own.passed or not own.said else [], note=note)


def differing(seen: Values, record: Record) -> list[tuple[str, str]]:
    """What differs from the hidden record: the property, and in what way; never a value."""
    seen, found = derived(seen, record["derive"]), list[tuple[str, str]]()
    for what, right in record["right"].items():
        if same(seen[what], right, record["tolerance"][what]):
            continue
        here = seen[what]
        if is_error(here):
            way = f"{here['error']}"
        elif is_error(right):
            way = "a result where an error is asked for"
        elif "dtype" in here and right.get("dtype") not in ("number", here["dtype"]):
            way = f"dtype {here['dtype']}"
        elif here.get("shape") != right.get("shape"):
            way = "another shape"
        else:
            way = "other numbers"
        found.append((what, way))
    return found


def hidden_lines(found: list[tuple[str, str]]) -> list[str]:
    """The three lines of a failed hidden check."""
    (what, way), others = found[0], len(found) - 1
    more = f"; {others} more of what is tried when grading differ" if others else ""
    return [f"✗ also tried when grading: {what}", f"  came      {way}",
            f"  look at   whether yours holds for other inputs than the check's{more}."]
