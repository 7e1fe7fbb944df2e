"""Keep the stored values of all exercises up to date; torch is imported only if one is stale."""

import importlib
from pathlib import Path

from ..files import write
from ..scenarios import Scenario
from ..workspace import use
from .depends import reached
from .lesson import Cell
from .problems import Problems


def sources(root: Path, cell: Cell, package: str) -> list[Path]:
    """The files of its author that a stored record depends on.

    The course machine is not among them, or each change to it would touch every record; a test
    observes all answers again.
    """
    own = cell.authored(root / package / "scenarios")
    if package == "course":
        own += cell.authored(root / "course/mistakes")
    code = [f"import {cell.module}", *(p.read_text("utf-8") for p in own if p.is_file())]
    reference = reached(code, root / "solutions")
    return [*own, *reference]


def store_all(root: Path, cells: list[Cell], folder: Path, package: str, check: bool, force: bool,
              problems: Problems) -> list[Path]:
    """Observe what is stale and store it; gives the files that change (with `check`: would).

    `package` is `course` for visible scenarios and known mistakes, `grader` for hidden scenarios.
    """
    from . import expected, progress
    stale = []
    for cell in cells:
        path = folder / f"{cell.target}.json"
        key = expected.key(sources(root, cell, package), cell.choices)
        old = expected.load(path)
        if force or old is None or old.get("made_from") != key:
            stale.append((cell, path, key, old))
    if not stale:
        return []
    use(root / "solutions")
    changed = []
    for cell, path, key, old in progress(stale, "observing answers"):
        try:
            registry = load(cell.target, package)
            record = {"made_from": key, **expected.expect(cell.target, registry,
                                                          with_mistakes=package == "course")}
        except Exception as error:  # author's code: say whose
            problems.add(*place(root, cell, package), said(error))
            continue
        faults = step_faults(cell, record) if package == "course" else []
        for fault in faults:
            problems.add(*place(root, cell, package), fault)
        content = expected.dumps(expected.settled(record, old)) + "\n"
        if not path.is_file() or path.read_text("utf-8") != content:
            changed.append(path)
            if not check and not faults:
                write(path, content)
    return changed


def load(target: str, package: str) -> dict[str, Scenario]:
    """The registry that holds a target's scenario, with its mistakes loaded too."""
    from .. import scenarios
    if package != "course":
        hidden = importlib.import_module(f"{package}.scenarios")
        hidden.load(target)
        registry: dict[str, Scenario] = hidden.HIDDEN
        return registry
    scenarios.load(target)
    scenarios.load(target, "course.mistakes")
    return scenarios.SCENARIOS


def place(root: Path, cell: Cell, package: str) -> tuple[Path, int]:
    """Where a target's scenario (or else its mistakes) begins."""
    paths = cell.authored(root / package / "scenarios")
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if f'"{cell.target}"' in line:
                return path, number
    return paths[0], 1


def said(error: Exception) -> str:
    kind = "" if type(error).__name__ == "NotTold" else f"{type(error).__name__}: "
    return f"{kind}{error}"


def step_faults(cell: Cell, record: dict[str, object]) -> list[str]:
    """A choice: each letter offered is right or explained. Anything: at least one mistake."""
    mistakes = record["mistakes"]
    assert isinstance(mistakes, list)
    if not mistakes:
        return [f"{cell.target} has no known mistakes"]
    if record["kind"] == "choice" or cell.choices:
        from .expected import reference_answer
        offered = set(cell.choices)
        covered = {m["name"].removeprefix("choice ") for m in mistakes}
        covered.add(str(reference_answer(cell.target)).lower())
        if offered != covered:
            apart = ", ".join(sorted(offered ^ covered))
            return [f"{cell.target}: choices offered and choices explained differ: {apart}"]
    return []
