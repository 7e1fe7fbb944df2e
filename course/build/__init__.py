"""Lessons, reference and mistakes in; notebooks, package and expected values out."""

# ruff: noqa: E402 - the line below has to stand before whatever imports nbformat
import sys

# jsonschema tries to import it and does without; it builds a grammar of URIs for 1.7 s, and the
# schema of notebooks has no URI in it. A change of prose is to be through in 3 s.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from ..files import write_if_changed
from ..source import is_hole, is_import, spans, text
from ..workspace import RELEASED
from .examine import examine
from .lesson import Lesson, holes_from, read_all, reference_source
from .package import answer, marked_lines, package_files
from .problems import BuildError, Problems

T = TypeVar("T")

__all__ = ["BuildError", "build"]


def build(root: Path, check: bool = False, force: bool = False) -> list[str]:
    """Make everything that is generated; gives what was written, or with `check` what is stale.

    Raises BuildError, which names every problem with file and line; nothing is written then but
    expected values and notebooks that were finished before. `force` runs every notebook again.
    """
    problems = Problems(root)
    lessons = read_all(root, problems)
    problems.stop()
    examine(root, lessons, problems)
    problems.stop()
    made = released_package(root, lessons, problems)
    made |= learner_notebooks(root, lessons, problems)
    problems.stop()
    changed = [path for path, content in made.items() if differs(path, content)]
    if not check:
        for path in changed:
            write_if_changed(path, made[path])
    changed += expected_values(root, lessons, check, force, problems)
    problems.stop()
    changed += solved_notebooks(root, lessons, check, force, problems)
    problems.stop()
    changed += leftovers(root, lessons, set(made), check)
    return [str(path.relative_to(root)) for path in changed]


def differs(path: Path, content: str) -> bool:
    return not path.is_file() or path.read_bytes() != content.encode("utf-8")


def released_package(root: Path, lessons: list[Lesson], problems: Problems) -> dict[Path, str]:
    """`minillm/` with every hole; refuses to replace what somebody has filled in there."""
    holes = holes_from(lessons, 0)
    made = {}
    for name, content in package_files(root / "solutions/minillm", RELEASED, holes).items():
        path = root / "minillm" / name
        made[path] = content
        if path.is_file():
            old = path.read_text("utf-8")
            reference = (root / "solutions/minillm" / name).read_text("utf-8")
            for own, (first, _) in spans(old).items():
                was = text(old, own)
                target = f"{path.stem}.{own}"
                given = own in spans(reference) and was == answer(text(reference, own))
                if target in holes and not is_import(own) and not is_hole(was) and not given:
                    problems.add(path, first + 1, f"somebody has filled in {own} here; move it to "
                                 "a working copy (`course start`) first")
    return made


def learner_notebooks(root: Path, lessons: list[Lesson], problems: Problems) -> dict[Path, str]:
    from . import notebook
    solutions, made = root / "solutions", {}
    for lesson in lessons:
        nb = notebook.make(lesson, solutions, solved=False)
        answers = {line for c in lesson.asked
                   for line in marked_lines(reference_source(c, solutions)) if len(line) > 20}
        for line in notebook.leaks(nb, answers):
            problems.add(lesson.path, line_of(lesson, line),
                         f"a line of an answer stands in the learner's notebook: {line}")
        made[root / f"notebooks/{lesson.name}.ipynb"] = notebook.dumps(nb)
    return made


def line_of(lesson: Lesson, line: str) -> int:
    lines = lesson.path.read_text("utf-8").splitlines()
    return next((i for i, each in enumerate(lines, 1) if each.strip() == line), 1)


def progress(items: list[T], what: str) -> Iterable[T]:
    """A bar on a terminal, and nothing where there is nothing to do."""
    from tqdm import tqdm
    return tqdm(items, desc=what, disable=not items or None)


def expected_values(root: Path, lessons: list[Lesson], check: bool, force: bool,
                    problems: Problems) -> list[Path]:
    """`course/expected`: only what its sources have changed is observed again."""
    from .stored import store_all
    asked = [c for lesson in lessons for c in lesson.asked]
    return store_all(root, asked, root / "course/expected", "course", check, force, problems)


def solved_notebooks(root: Path, lessons: list[Lesson], check: bool, force: bool,
                     problems: Problems) -> list[Path]:
    """`solutions/*.ipynb`: a change of prose keeps the outputs, one of code runs them again."""
    import nbformat

    from . import execute, notebook
    changed, todo = [], []
    for lesson in lessons:
        path = root / f"solutions/{lesson.name}.ipynb"
        nb = notebook.make(lesson, root / "solutions", solved=True)
        holes = holes_from(lessons, lesson.number)
        nb.metadata["course"]["made_from"] = execute.key(
            nb, root / "solutions/minillm", lesson.number, holes)
        try:
            old = nbformat.read(path, as_version=4)
        except (OSError, ValueError):
            old = None
        same = old and old.metadata.get("course", {}).get("made_from") == \
            nb.metadata["course"]["made_from"] and \
            [c.source for c in old.cells if c.cell_type == "code"] == \
            [c.source for c in nb.cells if c.cell_type == "code"]
        if not same or (force and not check):
            todo.append((lesson, nb, holes, path))
        else:
            execute.keep_outputs(nb, old)
            if differs(path, notebook.dumps(nb)):
                changed.append(path)
                if not check:
                    write_if_changed(path, notebook.dumps(nb))
    if check:
        return changed + [path for *_, path in todo]
    for lesson, nb, holes, path in progress(todo, "running lessons"):
        before = len(problems.lines)
        execute.execute(nb, lesson, holes, root, problems)
        if len(problems.lines) == before:
            write_if_changed(path, notebook.dumps(nb))
            changed.append(path)
    return changed


def leftovers(root: Path, lessons: list[Lesson], made: set[Path], check: bool) -> list[Path]:
    """Generated files whose source is gone."""
    names = {f"{lesson.name}.ipynb" for lesson in lessons}
    targets = {f"{c.target}.json" for lesson in lessons for c in lesson.asked}
    folders = root / "notebooks", root / "solutions"
    old = [p for folder in folders for p in sorted(folder.glob("*.ipynb")) if p.name not in names]
    old += [p for p in sorted((root / "course/expected").glob("*.json")) if p.name not in targets]
    old += [p for p in sorted((root / "minillm").glob("*.py"))
            if p not in made and p.read_text("utf-8").startswith(RELEASED)]
    if not check:
        for path in old:
            path.unlink()
    return old
