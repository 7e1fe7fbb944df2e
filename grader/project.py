"""The course as the grader sees it: its lessons, and the copies of the kit that leave no secret."""

import json
import shutil
from collections import Counter
from collections.abc import Container, Iterable
from hashlib import sha256
from pathlib import Path

from course.build.lesson import Cell, Lesson, holes_from, read_all
from course.build.package import make_package
from course.build.problems import Problems
from course.workspace import MADE

from .errors import GraderError

ROOT = Path(__file__).resolve().parent.parent
SECRET = ("mistakes", "alternatives", "build", "lessons")  # folders of course/ that stay here
# an editable install would find in the project what the kit leaves out; Python runs this at start
ALONE = """import sys
sys.meta_path[:] = [f for f in sys.meta_path if "Editable" not in getattr(f, "__name__", "")]"""
CLUTTER = ("__pycache__", ".*", "*.egg-info")


def read_lessons(root: Path = ROOT) -> list[Lesson]:
    """All lessons in order. Raises BuildError for what is wrong with them."""
    problems = Problems(root)
    lessons = read_all(root, problems)
    problems.stop()
    if not lessons:
        raise GraderError(f"{root / 'course/lessons'} holds no lesson")
    return lessons


def built_lessons(root: Path = ROOT) -> list[Lesson]:
    """All lessons as the last build listed them: only what they ask for. Raises GraderError.

    To read their text again, which only authors change, takes longer than to grade a submission.
    """
    listed, lessons = root / "course/contents.json", []
    for row in json.loads(listed.read_text("utf-8")) if listed.is_file() else []:
        number, counts, cells = int(row["name"][:2]), Counter[str](), []
        for asked in row["asked"]:
            kind = "step" if asked["target"].startswith("steps.") else "exercise"
            counts[kind] += 1
            cells.append(Cell(kind, "", 0, asked["target"], asked["points"],
                              where=f"lesson {number:02d}, {kind} {counts[kind]}"))
        lessons.append(Lesson(number, row["name"], root / f"course/lessons/{row['name']}.md",
                              cells))
    if not lessons:
        raise GraderError(f"{listed} lists no lesson: run `course build` first")
    return lessons


def find(lessons: list[Lesson], name: str) -> Lesson:
    """A lesson by its name or the beginning of it (`00`). Raises GraderError."""
    found = [each for each in lessons if each.name.startswith(name)]
    if len(found) != 1:
        known = ", ".join(each.name for each in lessons)
        raise GraderError(f"{'no' if not found else 'more than one'} lesson is called {name!r}; "
                          f"there are {known}")
    return found[0]


def hidden_files(root: Path, cell: Cell) -> list[Path]:
    """The files that hold what else is tried of this answer when grading; none if nothing is."""
    files = [p for p in cell.authored(root / "grader/scenarios") if p.is_file()]
    return files if any(f'"{cell.target}"' in p.read_text("utf-8") for p in files) else []


def has_hidden(root: Path, cell: Cell) -> bool:
    """Whether something else is tried of this answer when grading."""
    return bool(hidden_files(root, cell))


def copy_kit(root: Path, folder: Path, expected: Container[str] | None = None) -> None:
    """Lay the `course` package into `folder` without what must not leave the author's machine.

    Of the files of expected values only those named in `expected`, where it is given.
    """
    secret = {str(root / "course" / name) for name in SECRET}
    clutter = shutil.ignore_patterns(*CLUTTER)

    def leave_out(here: str, names: list[str]) -> set[str]:
        left = {n for n in names if str(Path(here) / n) in secret}
        if expected is not None and Path(here) == root / "course/expected":
            left = {n for n in names if n not in expected}
        return clutter(here, names) | left

    shutil.copytree(root / "course", folder / "course", ignore=leave_out)


class Ground:
    """What a lesson is graded on, laid out in a folder of its own.

    `kit` holds the course's checks with the expected values of this lesson alone, `package` a
    minillm with reference code before this lesson and holes from it on, `observer` what runs the
    second process and the fork server: the scenarios, hidden ones and the class's own (`extra`)
    included, and no expected value.
    """

    def __init__(self, root: Path, lessons: list[Lesson], lesson: Lesson, folder: Path,
                 extra: Iterable[Path] = ()) -> None:
        self.root, self.lesson, self.folder = root, lesson, folder
        self.kit, self.package = folder / "kit", folder / "package"
        self.observer = folder / "observer"
        self.others = self.scenarios(lessons) - self.scenarios([lesson])
        copy_kit(root, self.kit, {f"{cell.target}.json" for cell in lesson.asked})
        (self.kit / "sitecustomize.py").write_text(f"{ALONE}\n", "utf-8")
        make_package(root / "solutions/minillm", self.package, MADE.format(lesson.number),
                     holes_from(lessons, lesson.number))
        grader = root / "grader"
        wanted = {grader / name for name in (
            "__init__.py", "confine.py", "observe.py", "warm.py", "scenarios/__init__.py")}
        for path in {p for c in lesson.asked for p in hidden_files(root, c)}:
            wanted |= {path, path.parent / "__init__.py"}
        for path in sorted(wanted):
            to = self.observer / path.relative_to(root)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)
        for path in extra:
            to = self.observer / "grader/scenarios/of_class" / path.name
            to.parent.mkdir(exist_ok=True)
            shutil.copy(path, to)

    def scenarios(self, lessons: list[Lesson]) -> set[Path]:
        """The files of visible scenarios that lessons use, as they lie in the kit."""
        return {self.kit / path.relative_to(self.root) for lesson in lessons
                for cell in lesson.asked for path in cell.authored(self.root / "course/scenarios")}

    def version(self) -> str:
        """What a run depends on besides the submission; of checks only this lesson's."""
        whole = sha256()
        for path in sorted(p for p in self.folder.rglob("*") if p.is_file()):
            if "__pycache__" not in path.parts and path not in self.others:
                whole.update(str(path.relative_to(self.folder)).encode() + b"\0")
                whole.update(path.read_bytes())
        return whole.hexdigest()[:32]
