"""Submissions that attack the grader, all in one run: none costs another's grade, or its own."""

import csv
import io
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest

from grader.classroom import Classroom
from grader.confine import Limits
from grader.execute import Places
from grader.grade import Grading, Summary
from grader.notebooks import grade_id
from grader.release import register
from grader.report import report

from .conftest import ANSWER, CHECK, EXERCISE, LESSON, ROOT, ROWS, WHOLE, Make, at, code, confined
from .hostile import FULL, HOSTILE, WRONG, Hostile

pytestmark = confined
LIMITS = Limits(cell_cpu=2, cell_wall=25, cpu=20, wall=120)


@dataclass
class Graded:
    """The class after the run, and what could be seen of it from outside."""

    room: Classroom
    summary: Summary
    rows: dict[str, dict[str, Any]]
    reached: bool  # somebody connected to where the test listens


def notebook(each: Hostile, make: Make, right: dict[str, str], places: dict[str, Any]) -> Any:
    answer = right[ANSWER].replace(ROWS, WHOLE) if each.wrong else right[ANSWER]
    if each.line:
        answer = answer.replace("    return ", f"    {each.line}\n    return ", 1)
        answer = answer.replace("{{", "{").replace("}}", "}")
    nb = make(**{ANSWER.replace("-", "__"): answer})
    nb.cells = [c for c in nb.cells if grade_id(c)]
    if each.cell:
        text = each.cell
        for name, value in places.items():
            text = text.replace("{" + name + "}", str(value))
        nb.cells.insert(at(nb, "setup") + 1, code(text))
    return nb


def possible(places: Places) -> dict[str, Hostile]:
    """Those whose limit is enforced here; a fork bomb without one would stop the machine."""
    return {name: each for name, each in HOSTILE.items()
            if not each.needs or not any(gap.startswith(each.needs) for gap in places.gaps)}


def submit(room: Classroom, learner: str, nb: Any) -> None:
    path = room.notebook("submitted", LESSON, learner)
    path.parent.mkdir(parents=True)
    nbformat.write(nb, path)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, make: Make, right: dict[str, str],
           places: Places) -> Iterator[Graded]:
    from grader.project import find, read_lessons
    folder = tmp_path_factory.mktemp("hostile")
    room = Classroom(folder / "class")
    room.folder.mkdir()
    register(ROOT, room, find(read_lessons(ROOT), LESSON))
    os.environ["SECRET_OF_THE_GRADER"] = "secret"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(
            socket.AF_UNIX) as local, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        port, path = tcp.getsockname()[1], f"/tmp/grader-test-{os.getpid()}"
        udp.bind(("127.0.0.1", port))
        local.bind(path)
        local.listen()
        filled = {"root": ROOT, "room": room.folder, "port": port, "socket": path,
                  "process": os.getpid()}
        for learner in ("a-right", "z-right"):
            submit(room, learner, notebook(Hostile(), make, right, filled))
        for learner, each in possible(places).items():
            submit(room, learner, notebook(each, make, right, filled))
        edited = notebook(Hostile(wrong=True), make, right, filled)
        edited.cells[at(edited, CHECK)].source = "print('✓')"
        edited.cells[at(edited, CHECK)].metadata.nbgrader.points = 100
        submit(room, "edits-its-check", edited)
        before = set(psutil.Process().children(recursive=True))
        summary = Grading(ROOT, room, LESSON, limits=LIMITS, jobs=2).run()
        left = set(psutil.Process().children(recursive=True)) - before
        assert not left, "processes are left"
        reached = False
        for heard in (tcp, local, udp):
            heard.setblocking(False)
            try:
                heard.recv(1) if heard is udp else heard.accept()
                reached = True
            except OSError:
                pass
        os.unlink(path)
    del os.environ["SECRET_OF_THE_GRADER"]
    rows = {row["learner"]: row for row in report(room, [LESSON])[1]}
    yield Graded(room, summary, rows, reached)


def shown(graded: Graded, learner: str) -> str:
    nb = nbformat.read(graded.room.notebook("autograded", LESSON, learner), as_version=4)
    return "\n".join(str(o) for c in nb.cells for o in c.get("outputs", []))


def test_everybody_is_graded(graded: Graded, places: Places) -> None:
    assert not graded.summary.failed
    assert len(graded.rows) == len(possible(places)) + 3
    assert {graded.rows[name]["score"] for name in ("a-right", "z-right")} == {FULL}


@pytest.mark.parametrize("learner", HOSTILE)
def test_it_gets_what_it_earned(graded: Graded, learner: str) -> None:
    if learner not in graded.rows:
        pytest.skip(f"not enforced here: {HOSTILE[learner].needs}")
    each, row, said = HOSTILE[learner], graded.rows[learner], shown(graded, learner)
    assert row["score"] == each.score, (row, said[:3000])
    assert "LEAK" not in said, said
    assert each.says in said, said[:3000]
    assert each.why in row[f"{EXERCISE}: why"], row
    assert ("tampering suspected" in row["needs a person"]) == each.tampering, row


def test_an_edited_check_is_put_back(graded: Graded) -> None:
    row = graded.rows["edits-its-check"]
    assert row["score"] == WRONG and row["max"] == FULL
    assert "the check cell had been changed and was put back" in row["repairs"]


def test_nothing_was_reached(graded: Graded) -> None:
    assert not graded.reached and not Path("/tmp/late").exists()
    facts = graded.room.database.stat()
    assert facts.st_mode & 0o777 == 0o644 and facts.st_mtime > 1
    with graded.room.gradebook() as book:
        assert not [g for s in book.assignment_submissions(LESSON) for n in s.notebooks
                    for g in n.grades if g.manual_score]


def test_the_second_process_holds_no_expected_value(graded: Graded) -> None:
    """An answer that searches its callers' frames, the heap and the disk finds inputs only."""
    run = graded.room.journal(LESSON).load("frames", "run")
    assert run
    seen = run["observed"][EXERCISE]
    texts = {value["text"] for part in ("visible", "hidden") for value in seen[part].values()}
    assert texts == {"FOUND []"}


def test_a_tampered_result_shows_both(graded: Graded) -> None:
    note = graded.rows["forged-output"]["needs a person"]
    assert "passed in the notebook" in note and "but its answer alone gives" in note
    assert "in a process of its own this answer is not right" in shown(graded, "forged-output")
    assert graded.rows["a-right"]["needs a person"] == ""
    text = (graded.room.folder / "report.csv").read_text("utf-8-sig")
    assert len(list(csv.DictReader(io.StringIO(text)))) == len(graded.rows)
