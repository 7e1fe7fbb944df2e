"""A class's own checks: scenarios in `checks/` of its folder, tried besides the course's.

What is right is what the reference gives. Before they count, every known right answer has to pass.
"""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

from course.build.depends import reached
from course.build.lesson import Lesson
from course.compare import Record
from course.files import write

from .classroom import Classroom
from .errors import GraderError
from .outcome import stored

DECORATED = re.compile(r"""^@extra\(\s*["']([\w.]+)["']\s*\)""", re.MULTILINE)


def targets(path: Path) -> list[str]:
    """What a file of checks is about."""
    return DECORATED.findall(path.read_text("utf-8"))


def files(classroom: Classroom, lesson: Lesson) -> list[Path]:
    """The files with checks of this lesson's answers."""
    asked = {cell.target for cell in lesson.asked}
    return [path for path in sorted((classroom.folder / "checks").glob("*.py"))
            if asked & set(targets(path))]


def find_faults(classroom: Classroom, lessons: list[Lesson]) -> None:
    """Raises GraderError for a file that would never be used, or not all of it."""
    known = {cell.target for lesson in lessons for cell in lesson.asked}
    seen: dict[str, Path] = {}
    for path in sorted((classroom.folder / "checks").glob("*.py")):
        found = targets(path)
        if not found:
            raise GraderError(f"{path}: no line begins with @extra(\"…\")")
        for target in found:
            if target not in known:
                raise GraderError(f"{path}: no lesson asks for {target}")
            if target in seen:
                raise GraderError(f"{path}: {target} has a check in {seen[target]} too; "
                                  "one function can try several things")
            seen[target] = path


def load(path: Path) -> ModuleType:
    """Run a file of checks, which registers what is in it. Raises GraderError."""
    spec = importlib.util.spec_from_file_location(f"checks_of_class_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise GraderError(f"{path}: {type(error).__name__}: {error}") from error
    return module


def records(root: Path, classroom: Classroom, lessons: list[Lesson],
            lesson: Lesson) -> dict[str, Record]:
    """What the class's own checks of a lesson expect, by target; made again when one has changed.

    Raises GraderError for a check with an error in it, or one that refuses a right answer.
    """
    find_faults(classroom, lessons)
    mine = files(classroom, lesson)
    if not mine:
        return {}
    from course.build import expected
    folder, asked = classroom.folder / "checks/expected", {c.target: c for c in lesson.asked}
    made_from = {target: expected.key([path, *reached(
        [f"import {asked[target].module}", path.read_text("utf-8")], root / "solutions")], "")
        for path in mine for target in targets(path) if target in asked}
    found = {target: stored(folder, target) for target in made_from}
    if all(r and r["made_from"] == made_from[target] for target, r in found.items()):
        return {target: record for target, record in found.items() if record}
    made = make(root, lessons, lesson, mine, list(made_from))
    for target, record in made.items():
        write(folder / f"{target}.json", expected.dumps(
            {"made_from": made_from[target], **record}) + "\n")
    return made


def make(root: Path, lessons: list[Lesson], lesson: Lesson, paths: list[Path],
         wanted: list[str]) -> dict[str, Record]:
    """Observe the reference, then try all known answers against that. Raises GraderError."""
    from course.build import expected
    from course.workspace import use

    from .scenarios import EXTRA
    from .selftest import examine, on_package, variants
    EXTRA.clear()
    for path in paths:
        load(path)
    try:
        with on_package(root, lessons, lesson):
            use(root / "solutions")
            known, made = variants(root, lesson), {}
            for target in wanted:
                try:
                    made[target] = expected.expect(target, EXTRA, with_mistakes=False)
                except Exception as error:
                    raise GraderError(f"{target}: the class's own check fails on the reference: "
                                      f"{type(error).__name__}: {error}") from error
        with on_package(root, lessons, lesson):
            faults = [f for line in examine(root, lesson, known, made) for f in line.faults]
    finally:
        EXTRA.clear()
    if faults:
        raise GraderError("\n".join(["the class's own check is not right yet:", *faults]))
    return made
