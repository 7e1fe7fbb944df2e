"""Lesson 00 as it is released, its right answers, and notebooks made from them."""

import re
import shlex
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
import pytest

from grader.classroom import Classroom
from grader.confine import Limits
from grader.execute import Places
from grader.host import Server, obstacle
from grader.notebooks import flags, grade_id
from grader.observer import imports
from grader.project import Ground, find, read_lessons
from grader.stock import Stock

ROOT = Path(__file__).parents[2]
LESSON = "00_start_here"
EXERCISE = "bigram.next_word_probabilities"
ANSWER, CHECK = "bigram-next_word_probabilities", "check-bigram-next_word_probabilities"
STEP, STEP_CHECK = "steps-start-p_cat", "check-steps-start-p_cat"
ROWS, WHOLE = ".sum(-1, keepdim=True)", ".sum()"  # the right answer, and a known mistake
Make = Callable[..., Any]
CONFINED = not obstacle()
HERE = [] if CONFINED else ["--unconfined"]  # how `grader grade` runs on this machine
confined = pytest.mark.skipif(not CONFINED, reason=f"nothing is confined here: {obstacle()}")


@pytest.fixture(scope="session")
def released() -> Any:
    """The notebook that learners get."""
    return nbformat.read(ROOT / f"notebooks/{LESSON}.ipynb", as_version=4)


@pytest.fixture(scope="session")
def right() -> dict[str, str]:
    """The right answers by grade id."""
    nb = nbformat.read(ROOT / f"solutions/{LESSON}.ipynb", as_version=4)
    return {grade_id(c): c.source for c in nb.cells if flags(c).get("solution")}


@pytest.fixture(scope="session")
def make(released: Any, right: dict[str, str]) -> Make:
    """A notebook with right answers, but for the sources given by grade id (- written as _)."""

    def notebook(**sources: str) -> Any:
        nb = deepcopy(released)
        mine = right | {name.replace("__", "-"): source for name, source in sources.items()}
        for cell in nb.cells:
            cell.source = mine.get(grade_id(cell), cell.source)
        return nb

    return notebook


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """What lesson 00 is graded on."""
    lessons = read_lessons(ROOT)
    return Ground(ROOT, lessons, find(lessons, LESSON), tmp_path_factory.mktemp("ground"))


@pytest.fixture(scope="session")
def places(ground: Ground, released: Any) -> Iterator[Places]:
    """Where submissions to lesson 00 run: confined, if this machine can."""
    kind = Server if CONFINED else Stock
    with kind(ground, imports(released), Limits()) as found:
        yield found


@pytest.fixture
def room(tmp_path: Path, released: Any) -> Classroom:
    """A class to which lesson 00 was released; there is no gradebook yet."""
    room = Classroom(tmp_path / "class")
    path = room.notebook("release", LESSON)
    path.parent.mkdir(parents=True)
    nbformat.write(released, path)
    return room


def fences(page: str, heading: str) -> list[tuple[str, str]]:
    """The fenced blocks of one part of a page: language and text."""
    part = page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^```(\w+)\n(.*?)^```$", part, re.M | re.S)


def in_my_class(line: str) -> list[str]:
    """The arguments of a command that a page tells instructors, for the class `my-class/`."""
    program, *words = shlex.split(line)
    assert program == "grader", line
    return [*words, *(HERE if words[0] in ("grade", "regrade") else []), "--class", "my-class"]


def at(nb: Any, name: str) -> int:
    """Where the cell with this grade id stands."""
    return next(i for i, cell in enumerate(nb.cells) if grade_id(cell) == name)


def ids(nb: Any) -> list[str]:
    return [grade_id(cell) for cell in nb.cells if grade_id(cell)]


def code(source: str) -> Any:
    return nbformat.v4.new_code_cell(source)
