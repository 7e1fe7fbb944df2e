"""What makes grading fast changes nothing: the same lessons, records, memory and modules."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pytest

from grader import gradebook
from grader.__main__ import main
from grader.classroom import Classroom
from grader.confine import Limits
from grader.errors import GraderError
from grader.execute import LOOK, Client, Places, execute
from grader.grade import jobs_here
from grader.notebooks import grade_id
from grader.project import built_lessons, find, read_lessons
from grader.release import register

from .conftest import HERE, LESSON, ROOT, Make, code, confined

HUGE = """
from pathlib import Path
from grader.warm import huge_pages
whole = bytes(range(256)) * (1 << 16)
copy = bytearray(whole)
huge_pages()
assert copy == whole
"""
LOADED = """
import importlib, sys
from grader.warm import LATE
for name in LATE:
    importlib.import_module(name)
print(*sys.modules)
"""


def python(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True).stdout


def test_the_list_of_the_build_says_what_the_lessons_say(tmp_path: Path) -> None:
    def asked(lessons: list[Any]) -> list[Any]:
        return [(x.number, x.name, x.path, [(c.target, c.points, c.kind, c.where, c.module)
                                            for c in x.asked]) for x in lessons]

    assert asked(built_lessons(ROOT)) == asked(read_lessons(ROOT))
    with pytest.raises(GraderError, match="run `course build` first"):
        built_lessons(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="huge pages of Linux")
def test_memory_in_huge_pages_holds_what_it_held() -> None:
    python(HUGE)


@confined
def test_a_kernel_loads_nothing_that_the_server_could_have_loaded(places: Places) -> None:
    nb = nbformat.v4.new_notebook(cells=[code("import sys\nprint(*sys.modules)")])
    with places.host() as place:
        ran = asyncio.run(execute(nb, place))
    shown = "".join(o.get("text", "") for o in ran.cells[0].outputs)
    late = set(shown.split()) - set(python(LOADED).split())
    assert not {n for n in late if n.partition(".")[0] in ("IPython", "ipykernel", "zmq", "pdb")}


def test_cpu_time_is_not_looked_at_for_each_short_cell() -> None:
    class Counting:
        limits, looks = Limits(), 0

        def cpu(self) -> float:
            self.looks += 1
            return float(self.looks)

    place: Any = Counting()
    client = Client(nbformat.v4.new_notebook(), place)
    client.look()
    client.look()
    assert (place.looks, client.used) == (1, 1.0)
    client.looked -= LOOK
    client.look()
    assert (place.looks, client.used) == (2, 2.0)


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader itself
def test_nbgrader_makes_its_engine_once_and_still_refuses_bad_metadata(tmp_path: Path) -> None:
    from nbgrader.api import Gradebook
    from nbgrader.nbgraderformat import MetadataValidator, ValidationError

    from grader.classroom import prepare_path
    from grader.once import once
    prepare_path()  # of alembic
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    good = {"grade": True, "solution": False, "locked": True, "task": False, "points": 1,
            "grade_id": "a", "schema_version": 3, "cell_type": "code", "checksum": "0" * 32}
    nb = nbformat.v4.new_notebook(cells=[code("")])
    with once():
        with Gradebook(url, "c") as first, Gradebook(url, "c") as second:
            assert first.engine is second.engine
            first.add_assignment("one")
        with Gradebook(url, "c") as third:
            assert [each.name for each in third.assignments] == ["one"]
            third.add_student("ana")
            third.add_submission("one", "ana")
        assert gradebook.recorded(tmp_path / "gradebook.db", "one") == {"ana"}
        assert not gradebook.recorded(tmp_path / "gradebook.db", "two")
        nb.cells[0].metadata = nbformat.from_dict({"nbgrader": good})
        MetadataValidator().validate_nb(nb)
        nb.cells[0].metadata.nbgrader.points = "many"
        with pytest.raises(ValidationError):
            MetadataValidator().validate_nb(nb)
    with Gradebook(url, "c") as own:
        assert own.engine is not first.engine
    with closing(sqlite3.connect(tmp_path / "gradebook.db", timeout=0)) as book:
        book.execute("BEGIN EXCLUSIVE")  # no connection was left open with a lock


def test_what_is_forked_for_each_answer_has_no_file_locks() -> None:
    # at each fork they cost as much again as half of it
    code = ("import sys, course.checks, course.fill, course.progress, grader.observe, grader.warm\n"
            "assert 'filelock' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_how_many_at_a_time() -> None:
    tight = Limits(memory=1 << 60)
    assert (jobs_here(tight, 3), jobs_here(Limits(memory=1), 3)) in ((3, 6), (3, 3))


def test_a_class_with_nothing_new_needs_no_nbgrader(tmp_path: Path, make: Make) -> None:
    room = Classroom(tmp_path)
    register(ROOT, room, find(read_lessons(ROOT), LESSON))
    nb = make()
    nb.cells = [c for c in nb.cells if grade_id(c)]
    path = room.notebook("submitted", LESSON, "ana")
    path.parent.mkdir(parents=True)
    nbformat.write(nb, path)
    words = ["grade", "00", *HERE, "--class", str(tmp_path)]
    again = (f"import sys\nfrom grader.__main__ import main\nassert main({words}) == 0\n"
             "print(*sys.modules)")
    assert main(words) == 0
    said = python(again)
    assert "0 graded, 1 as before" in said
    assert not {"nbgrader.api", "nbgrader.preprocessors"} & set(said.split())
