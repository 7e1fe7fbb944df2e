"""The course as the grader sees it: its lessons, and the copies of the kit that leave no secret."""

import shutil
from hashlib import sha256
from pathlib import Path

from course.build.lesson import Cell, Lesson, holes_from, read_all
from course.build.package import make_package
from course.build.problems import Problems
from course.workspace import MADE

from .errors import GraderError

ROOT = Path(__file__).resolve().parent.parent
SECRET = ("mistakes", "alternatives", "build", "lessons")  # folders of course/ that stay here
CLUTTER = ("__pycache__", ".*", "*.egg-info")


def read_lessons(root: Path = ROOT) -> list[Lesson]:
    """All lessons in order. Raises BuildError for what is wrong with them."""
    problems = Problems(root)
    lessons = read_all(root, problems)
    problems.stop()
    if not lessons:
        raise GraderError(f"{root / 'course/lessons'} holds no lesson")
    return lessons


def find(lessons: list[Lesson], name: str) -> Lesson:
    """A lesson by its name or the beginning of it (`00`). Raises GraderError."""
    found = [each for each in lessons if each.name.startswith(name)]
    if len(found) != 1:
        known = ", ".join(each.name for each in lessons)
        raise GraderError(f"{'no' if not found else 'more than one'} lesson is called {name!r}; "
                          f"there are {known}")
    return found[0]


def scenario_file(target: str) -> str:
    """Where the scenario of a target stands, below `scenarios/`."""
    return target.rpartition(".")[0].replace(".", "/") + ".py"


def has_hidden(root: Path, cell: Cell) -> bool:
    """Whether something else is tried of this answer when grading."""
    path = root / "grader/scenarios" / scenario_file(cell.target)
    return path.is_file() and f'"{cell.target}"' in path.read_text("utf-8")


def copy_kit(root: Path, folder: Path) -> None:
    """Lay the `course` package into `folder` without what must not leave the author's machine."""
    secret = {str(root / "course" / name) for name in SECRET}
    clutter = shutil.ignore_patterns(*CLUTTER)

    def leave_out(here: str, names: list[str]) -> set[str]:
        return clutter(here, names) | {n for n in names if str(Path(here) / n) in secret}

    shutil.copytree(root / "course", folder / "course", ignore=leave_out)


class Ground:
    """What a lesson is graded on, laid out in a folder of its own.

    `kit` holds the course's checks, `package` a minillm with reference code before this lesson and
    holes from it on, `observer` the scenarios, hidden ones included, and no expected value.
    """

    def __init__(self, root: Path, lessons: list[Lesson], lesson: Lesson, folder: Path) -> None:
        self.root, self.lesson, self.folder = root, lesson, folder
        self.kit, self.package = folder / "kit", folder / "package"
        self.observer = folder / "observer"
        copy_kit(root, self.kit)
        make_package(root / "solutions/minillm", self.package, MADE.format(lesson.number),
                     holes_from(lessons, lesson.number))
        wanted = ["__init__.py", "observe.py", "scenarios/__init__.py"]
        if any(has_hidden(root, c) and c.kind == "step" for c in lesson.asked):
            wanted.append("scenarios/steps/__init__.py")
        wanted += sorted({f"scenarios/{scenario_file(c.target)}" for c in lesson.asked
                          if has_hidden(root, c)})
        for name in wanted:
            (self.observer / "grader" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / "grader" / name, self.observer / "grader" / name)

    def version(self) -> str:
        """What a result depends on besides the submission."""
        whole = sha256()
        for path in sorted(p for p in self.folder.rglob("*") if p.is_file()):
            if "__pycache__" not in path.parts and "expected" not in path.parts:
                whole.update(str(path.relative_to(self.folder)).encode() + b"\0")
                whole.update(path.read_bytes())
        return whole.hexdigest()[:32]
