"""`grader selftest`: prove the checks with answers whose worth is known beforehand.

For every exercise the hole gets nothing, the reference all, each known mistake its own message, and
right answers in other styles all, in the visible and the hidden scenario.
"""

import importlib
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from course.build.lesson import Cell, Lesson, reference_source
from course.build.package import hole, make_package
from course.compare import ONE_IS_ENOUGH, Record
from course.source import answer
from course.workspace import MADE, use

from .errors import GraderError
from .notebooks import plain_python
from .observe import observe
from .outcome import Outcome, Own, decide, stored
from .private import private_folder
from .project import find, has_hidden, read_lessons

LEAST = 3  # right answers in other styles; a choice or a number needs none
CELL = "#| fill {}\n{}"


@dataclass
class Variant:
    """One answer and what it has to come to: full points, or the mistake (or hole) it is."""

    target: str
    kind: str  # hole, reference, mistake, alternative
    name: str
    source: str  # of the whole answer cell
    message: str = ""


@dataclass
class Line:
    """What came of one exercise."""

    cell: Cell
    lesson: str
    tried: dict[str, int] = field(default_factory=dict)
    well: dict[str, int] = field(default_factory=dict)
    observations: tuple[int, int] = (0, 0)
    faults: list[str] = field(default_factory=list)

    def add(self, kind: str, fault: str) -> None:
        self.tried[kind] = self.tried.get(kind, 0) + 1
        self.well[kind] = self.well.get(kind, 0) + (not fault)
        if fault:
            self.faults.append(f"{self.cell.target}: {fault}")


def variants(root: Path, lesson: Lesson) -> dict[str, list[Variant]]:
    """The answers that are known for each exercise of a lesson; needs the reference on sys.path."""
    from course import scenarios
    from course.alternatives import ALTERNATIVES
    from course.mistakes import MISTAKES
    found: dict[str, list[Variant]] = {}
    for cell in lesson.asked:
        for package in ("course.mistakes", "course.alternatives"):
            scenarios.load(cell.target, package)
        source = reference_source(cell, root / "solutions")
        made = [Variant(cell.target, "hole", "hole", hole(source, cell.where)),
                Variant(cell.target, "reference", "reference", answer(source))]
        made += [Variant(cell.target, "mistake", m.name, m.source, m.message)
                 for m in MISTAKES.get(cell.target, [])]
        made += [Variant(cell.target, "alternative", a.name, a.source)
                 for a in ALTERNATIVES.get(cell.target, [])]
        if cell.kind == "exercise":
            for each in made:
                each.source = CELL.format(cell.module, each.source)
        found[cell.target] = made
    return found


@contextmanager
def on_package(root: Path, lessons: list[Lesson], lesson: Lesson) -> Iterator[None]:
    """Run with the minillm that this lesson is graded on, and with the old one again after it."""
    from course.build.lesson import holes_from
    path, loaded = list(sys.path), {n: m for n, m in sys.modules.items()
                                    if n.split(".")[0] == "minillm"}
    with private_folder() as folder:
        make_package(root / "solutions/minillm", folder, MADE.format(lesson.number),
                     holes_from(lessons, lesson.number))
        use(folder)
        try:
            yield
        finally:
            sys.path[:] = path
            for name in [n for n in sys.modules if n.split(".")[0] == "minillm"]:
                del sys.modules[name]
            sys.modules.update(loaded)


Told = list[dict[str, str]]


def told(cell: Cell, variant: Variant, before: Told) -> Told:
    """A notebook of what stands before an answer and the answer, as the observer is told of it."""
    step = cell.kind == "step"
    return [*before, {"source": variant.source, "module": "" if step else cell.module,
                      "target": cell.target if step else ""}]


def try_answer(cell: Cell, variant: Variant, before: Told, visible: Record,
               hidden: Record | None, extra: Record | None = None) -> Outcome:
    """Observe one answer the way the grader does, but here, and decide."""
    cells = told(cell, variant, before)
    modules = [importlib.import_module(m) for m in {c["module"] for c in cells} if m]
    kept = [dict(vars(module)) for module in modules]
    try:
        reply: dict[str, Any] = observe(cells, cell.target)
    finally:
        for module, old in zip(modules, kept, strict=True):
            vars(module).clear()
            vars(module).update(old)
    first = decide(cell.target, Own(True), reply, visible, None)
    return decide(cell.target, Own(True), reply, visible, hidden, extra) if first.passed else first


def flat(text: str) -> str:
    """A text without any space: it may be wrapped, at hyphens too."""
    return "".join(text.split())


def judge(variant: Variant, outcome: Outcome) -> str:
    """What is wrong with an outcome, '' when it is what this answer has to come to."""
    if variant.kind in ("reference", "alternative"):
        if outcome.mistake:
            return f"the {variant.kind} {variant.name} is taken for the mistake {outcome.mistake}"
        return "" if outcome.passed else \
            f"the {variant.kind} {variant.name} does not pass: {outcome.why}: {outcome.shown}"
    if outcome.passed:
        return f"the {variant.kind} {variant.name} gets full points"
    if variant.kind == "hole":
        return "" if outcome.why == "hole" else f"the hole is not told as one: {outcome.why}"
    if outcome.mistake != variant.name:
        return (f"the mistake {variant.name} is told as {outcome.mistake or outcome.why!r} "
                f"({outcome.note or outcome.shown})")
    if flat(variant.message) not in flat("\n".join(outcome.shown)):
        return f"the mistake {variant.name} does not get its own message"
    return ""


def examine(root: Path, lesson: Lesson, known: dict[str, list[Variant]],
            extra: Mapping[str, Record] = MappingProxyType({})) -> list[Line]:
    """Try every known answer of a lesson, on the package that is in use.

    `extra`: what a class tries besides, if it has loaded it.
    """
    from course import scenarios

    from . import scenarios as private
    from .repair import SETUP
    lines = []
    prelude = next((c.source for c in released_cells(root, lesson) if c.id == SETUP), "")
    before = [{"source": plain_python(prelude), "module": "", "target": ""}]
    for cell in lesson.asked:
        line = Line(cell, lesson.name)
        lines.append(line)
        visible = stored(root / "course/expected", cell.target)
        hidden = stored(root / "grader/expected", cell.target)
        if visible is None or (hidden is None and has_hidden(root, cell)):
            line.faults.append(f"{cell.target}: its expected values have not been made; "
                               "`make build` does that")
            continue
        scenarios.load(cell.target)
        private.load(cell.target)
        line.observations = len(visible["right"]), len(hidden["right"]) if hidden else 0
        for variant in known[cell.target]:
            outcome = try_answer(cell, variant, before, visible, hidden,
                                 extra.get(cell.target))
            line.add(variant.kind, judge(variant, outcome))
            if variant.kind == "hole" and hidden is not None:
                line.faults += hole_passes_hidden(cell, variant, before, hidden)
        if not line.tried.get("mistake"):
            line.faults.append(f"{cell.target}: no known mistake is tried")
        few = line.tried.get("alternative", 0)
        if few < LEAST and visible["kind"] not in ONE_IS_ENOUGH:
            line.faults.append(f"{cell.target}: {few} right answers in other styles, not {LEAST}")
        right = next(v for v in known[cell.target] if v.kind == "reference")
        if cell.kind == "exercise":  # a later one of the same lesson may be built on it
            before = told(cell, right, before)
    return lines


def hole_passes_hidden(cell: Cell, variant: Variant, before: Told, hidden: Record) -> list[str]:
    """The hidden check alone has to refuse a hole too."""
    seen = observe(told(cell, variant, before), cell.target).get("hidden")
    outcome = decide(cell.target, Own(True), {"visible": seen}, hidden, None)
    return [f"{cell.target}: the hole passes the hidden check"] if outcome.passed else []


def released_cells(root: Path, lesson: Lesson) -> list[Any]:
    import nbformat
    path = root / f"notebooks/{lesson.name}.ipynb"
    if not path.is_file():
        raise GraderError(f"{path} is not there: run `course build` first")
    return list(nbformat.read(path, as_version=4).cells)


def table(lines: list[Line]) -> str:
    """A line for each exercise: what was tried, and how much of it came to what it should."""
    width = max(len(line.cell.target) for line in lines)
    rows = [f"{'exercise':{width}}  points  seen+hidden  hole  reference  mistakes  alternatives"]
    for line in lines:
        parts = [f"{line.well.get(k, 0)}/{line.tried.get(k, 0)}"
                 for k in ("hole", "reference", "mistake", "alternative")]
        seen = f"{line.observations[0]}+{line.observations[1]}"
        rows.append(f"{line.cell.target:{width}}  {line.cell.points:>6g}  {seen:>11}  "
                    f"{parts[0]:>4}  {parts[1]:>9}  {parts[2]:>8}  {parts[3]:>12}")
    return "\n".join(rows)


def selftest(root: Path, names: list[str], with_nbgrader: bool = False) -> int:
    """Run it for these lessons (all, if none is named) and print the table; 0 when all is well."""
    begin, lessons = time.monotonic(), read_lessons(root)
    chosen = [find(lessons, name) for name in names] or lessons
    use(root / "solutions")
    known = {lesson.name: variants(root, lesson) for lesson in chosen}
    lines: list[Line] = []
    for lesson in chosen:
        with on_package(root, lessons, lesson):
            lines += examine(root, lesson, known[lesson.name])
    if not lines:
        raise GraderError("no exercise was tried")
    print(table(lines))
    count = sum(sum(line.tried.values()) for line in lines)
    faults = [fault for line in lines for fault in line.faults]
    if not count:
        faults.append("no answer was tried at all")
    print(f"{count} answers to {len(lines)} exercises tried in {time.monotonic() - begin:.0f} s")
    if with_nbgrader:
        from .realtest import realtest
        for lesson in chosen:
            faults += realtest(root, lesson, known[lesson.name])
    for fault in faults:
        print(f"FAULT {fault}", file=sys.stderr)
    return 1 if faults else 0
