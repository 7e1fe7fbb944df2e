"""One lesson in jupytext Markdown, read into cells that know their line and what they ask for."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from ..source import text
from .problems import Problems

FENCE = re.compile(r"```(\{?)python\b")
HINT = re.compile(r"<summary>\s*Hint (\d)")


@dataclass(frozen=True)
class Cell:
    """One cell; `target` (functional.softmax, steps.softmax.diagonal) if it asks for an answer."""

    kind: str  # markdown, setup, exercise, step, or code for all that runs as it stands
    source: str
    line: int
    target: str = ""
    points: float = 0
    choices: str = ""
    where: str = ""  # lesson 01, exercise 2
    tags: tuple[str, ...] = ()
    minutes: int = 0  # of the whole lesson; only the setup cell says it

    @property
    def module(self) -> str:
        """The module its answer lives in: minillm.functional, or steps.softmax."""
        family = self.target.rpartition(".")[0]
        return family if family.startswith("steps.") else f"minillm.{family}"

    @property
    def name(self) -> str:
        return self.target.rpartition(".")[2]

    def authored(self, folder: Path) -> list[Path]:
        """Its scenarios or mistakes: `functional.py`, or the files of a folder `functional/`."""
        base = folder / self.target.rpartition(".")[0].replace(".", "/")
        return sorted(base.glob("*.py")) if base.is_dir() else [base.with_suffix(".py")]

    def file(self, solutions: Path) -> Path:
        return (solutions / self.module.replace(".", "/")).with_suffix(".py")


@dataclass(frozen=True)
class Lesson:
    """A lesson and its cells, in order."""

    number: int
    name: str
    path: Path
    cells: list[Cell] = field(default_factory=list)

    @property
    def minutes(self) -> int:
        """How long a learner needs, as the setup fence says."""
        return next((c.minutes for c in self.cells if c.kind == "setup"), 0)

    @property
    def asked(self) -> list[Cell]:
        """The cells that ask for an answer."""
        return [c for c in self.cells if c.target]


def read_all(root: Path, problems: Problems) -> list[Lesson]:
    """All lessons in order; what is wrong with one goes to `problems`."""
    paths = sorted((root / "course/lessons").glob("[0-9][0-9]_*.md"))
    return [read(path, problems) for path in paths]


def read(path: Path, problems: Problems) -> Lesson:
    """One lesson; line numbers come from its fences, which stand in the order of its code cells."""
    import jupytext

    content = path.read_text("utf-8")
    fences = [i for i, line in enumerate(content.splitlines(), 1) if FENCE.match(line)]
    lesson = Lesson(int(path.stem[:2]), path.stem, path)
    nb = jupytext.reads(content, fmt="md")
    codes = [c for c in nb.cells if c.cell_type == "code"]
    if len(codes) != len(fences):
        problems.add(path, 1, f"{len(fences)} ```python fences, but {len(codes)} code cells: a "
                              "fence is not closed, or stands inside a fold (use ~~~ there)")
        return lesson
    counts = {"exercise": 0, "step": 0}
    line = 1
    for cell in nb.cells:
        if cell.cell_type != "code":
            lesson.cells.append(Cell("markdown", cell.source, line))
            continue
        line = fences.pop(0)
        lesson.cells.append(code_cell(lesson, cell.source, cell.metadata, line, counts, problems))
    check_hints(lesson, problems)
    return lesson


def code_cell(lesson: Lesson, source: str, meta: dict[str, object], line: int,
              counts: dict[str, int], problems: Problems) -> Cell:
    kind = next((k for k in ("exercise", "step") if k in meta), "")
    listed = meta.get("tags", [])
    tags = tuple(map(str, listed if isinstance(listed, list) else []))
    if not kind:
        setup = meta.get("title") == "setup" or "setup" in meta
        minutes = meta.get("minutes", 0)
        return Cell("setup" if setup else "code", source, line, tags=tags,
                    minutes=minutes if isinstance(minutes, int) else 0)
    counts[kind] += 1
    where = f"lesson {lesson.number:02d}, {kind} {counts[kind]}"
    target = f"steps.{meta[kind]}" if kind == "step" else str(meta[kind])
    points = meta.get("points")
    if not isinstance(points, int | float) or points <= 0:
        problems.add(lesson.path, line, f"{target} has no points")
        points = 0
    if source.strip():
        problems.add(lesson.path, line, f"the cell of {target} is filled by the build: leave it "
                                        "empty")
    return Cell(kind, "", line, target, points, str(meta.get("choices", "")), where, tags)


def check_hints(lesson: Lesson, problems: Problems) -> None:
    """An exercise has three hints before the next cell that asks for something."""
    for at, cell in enumerate(lesson.cells):
        if cell.kind != "exercise":
            continue
        below = ""
        for later in lesson.cells[at + 1:]:
            if later.kind != "markdown":
                break
            below += later.source
        if HINT.findall(below) != ["1", "2", "3"]:
            problems.add(lesson.path, cell.line, f"{cell.target} is not followed by folds with "
                                                 "Hint 1, Hint 2 and Hint 3")


def check_setup(lesson: Lesson, problems: Problems) -> None:
    setups = [c for c in lesson.cells if c.kind == "setup"]
    if len(setups) != 1:
        problems.add(lesson.path, 1, "a lesson has one ```python setup cell")
    elif lesson.minutes <= 0:
        problems.add(lesson.path, setups[0].line, "the setup fence says how long the lesson takes: "
                     "```python setup minutes=110")


def holes_from(lessons: list[Lesson], number: int) -> dict[str, str]:
    """What is still open when lesson `number` begins: where it is asked for, by target."""
    return {c.target: c.where for lesson in lessons if lesson.number >= number
            for c in lesson.asked if c.kind == "exercise"}


def reference_source(cell: Cell, solutions: Path) -> str:
    """The reference definition with its markers. Raises FileNotFoundError or KeyError."""
    return text(cell.file(solutions).read_text("utf-8"), cell.name)

