"""kill -9 at any moment, and again: nothing is lost, and nothing half done stays."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest

from grader import grade as module
from grader import gradebook
from grader.classroom import Classroom
from grader.errors import GraderError
from grader.grade import Grading
from grader.notebooks import grade_id
from grader.project import Ground, find, read_lessons
from grader.release import register

from .conftest import ANSWER, CHECK, HERE, LESSON, ROOT, ROWS, WHOLE, Make

LEARNERS = ("ana", "ben", "eva")
KILLS = 50


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, make: Make, right: dict[str, str],
         ) -> Classroom:
    """A graded class of three, with a score and a comment by hand."""
    room = Classroom(tmp_path_factory.mktemp("killed") / "class")
    room.folder.mkdir()
    register(ROOT, room, find(read_lessons(ROOT), LESSON))
    for learner in LEARNERS:
        nb = make(**({} if learner == "ana" else
                     {ANSWER.replace("-", "__"): right[ANSWER].replace(ROWS, WHOLE)}))
        nb.cells = [c for c in nb.cells if grade_id(c)]
        path = room.notebook("submitted", LESSON, learner)
        path.parent.mkdir(parents=True)
        nbformat.write(nb, path)
    assert not grading(room).run().failed
    with room.gradebook() as book:
        book.find_grade(CHECK, LESSON, LESSON, "ben").manual_score = 1.5
        book.find_comment(ANSWER, LESSON, LESSON, "ben").manual_comment = "nearly"
        book.db.commit()
    return room


def grading(room: Classroom, **options: Any) -> Grading:
    return Grading(ROOT, room, LESSON, unconfined=bool(HERE), **options)


@pytest.fixture
def canned(room: Classroom, ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """Phase one without kernels: the entries of the first run, after a moment."""
    runs = {}
    for learner in LEARNERS:
        run = room.journal(LESSON).load(learner, "run")
        assert run
        runs[json.dumps([c["source"] for c in run["notebook"]["cells"]])] = run

    class Nowhere:
        gaps: list[str] = []

        def host(self) -> Any:
            from contextlib import nullcontext
            return nullcontext()

    async def examine(nb: Any, package: Path, place: Any, *of: Any) -> Any:
        await asyncio.sleep(0.1)
        run = runs[json.dumps([c.source for c in nb.cells])]
        return {name: run[name] for name in ("notebook", "observed", "cpu")}

    monkeypatch.setattr(module, "examine", examine)
    monkeypatch.setattr(Grading, "places", Nowhere())
    monkeypatch.setattr(module, "Ground", lambda *of: ground)


def state(room: Classroom) -> dict[str, Any]:
    """All that the gradebook says of the lesson."""
    with room.gradebook() as book:
        return {s.student.id: (s.score, [(g.name, g.auto_score, g.manual_score) for n in s.notebooks
                                         for g in sorted(n.grades, key=lambda g: g.name)],
                               [c.manual_comment for n in s.notebooks for c in n.comments
                                if c.manual_comment])
                for s in book.assignment_submissions(LESSON)}


def in_child(work: Any, seconds: float) -> bool:
    """Run in a forked process that is killed after some time; whether it was done before."""
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    handle = os.pidfd_open(child)
    import select
    done = bool(select.select([handle], [], [], seconds)[0])
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(handle)
    return done


@pytest.mark.skipif(sys.platform != "linux", reason="forks, which is safe on Linux only")
def test_killed_at_any_moment(room: Classroom, canned: None,
                              monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, chance, mark = state(room), random.Random(8), room.folder / "phase-two"
    phase_two = Grading.phase_two

    def marked(self: Grading, *of: str) -> None:
        if not mark.exists():
            mark.touch()
        phase_two(self, *of)

    monkeypatch.setattr(Grading, "phase_two", marked)
    begin = time.time()
    assert len(grading(room, force=True).run().graded) == 3
    whole, killed, in_phase = time.time() - begin, 0, {"one": 0, "two": 0}
    first = mark.stat().st_ctime - begin  # how long phase one takes, which is short here
    for number in range(KILLS):
        force = number % 3 != 0  # a run of its own, or one that goes on where the last was killed

        def run(force: bool = force) -> None:
            with room.mine():
                grading(room, force=force).run()

        mark.unlink(missing_ok=True)
        killed += not in_child(run, chance.uniform(0, whole if number % 2 else first))
        in_phase["two" if mark.exists() else "one"] += 1
        with closing(sqlite3.connect(room.database)) as book:
            assert book.execute("pragma quick_check").fetchone() == ("ok",)
        found = state(room)
        assert found.keys() == wanted.keys()
        assert found["ben"][2] == ["nearly"]
        assert [g[2] for g in found["ben"][1] if g[0] == CHECK] == [1.5]
    assert killed > KILLS // 3 and min(in_phase.values()) > KILLS // 10, (killed, in_phase)
    summary = grading(room).run()
    assert not summary.failed and state(room) == wanted
    assert grading(room).run().unchanged == list(LEARNERS)
    left = [p for p in room.folder.rglob("*") if ".course-tmp-" in p.name or p.suffix == ".part"]
    assert not left


def test_a_real_run_that_is_killed(room: Classroom) -> None:
    """With its kernels: they go with it, and the next run has everything."""
    wanted = state(room)
    command = [sys.executable, "-m", "grader", "grade", "00", "--force", "--class",
               str(room.folder), "--jobs", "2", *HERE]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    me, seen = psutil.Process(process.pid), set[psutil.Process]()
    while process.poll() is None and len(seen) < 4:  # the server, a host or two, a kernel
        seen |= set(me.children(recursive=True))
        time.sleep(0.05)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(seen, timeout=15)
    assert len(seen) >= 4 and (not alive or HERE)
    assert not grading(room).run().failed and state(room) == wanted


def test_the_gradebook_is_backed_up_and_checked(room: Classroom, canned: None,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    copies = sorted((room.folder / "backups").glob("*.db"))
    assert copies and len(copies) <= gradebook.KEPT
    assert grading(room).run().unchanged and sorted(
        (room.folder / "backups").glob("*.db")) == copies, "nothing is written, nothing is copied"

    def spoil(self: Grading, learner: str, locked: str = "") -> None:
        _ = self.copy
        with closing(sqlite3.connect(room.database)) as book:
            book.execute("update grade set manual_score = null")
            book.commit()

    before = room.database.read_bytes()
    monkeypatch.setattr(Grading, "phase_two", spoil)
    with pytest.raises(GraderError, match="1 scores or comments given by hand are.*backups"):
        grading(room, force=True).run()
    copy = max((room.folder / "backups").glob("*.db"))
    assert len(gradebook.by_hand(copy) - gradebook.by_hand(room.database)) == 1
    room.database.write_bytes(before)


def test_a_damaged_gradebook_is_named(tmp_path: Path) -> None:
    database = tmp_path / "gradebook.db"
    with closing(sqlite3.connect(database)) as book:
        for query in ("create table grade (notebook_id, cell_id, manual_score, extra_credit)",
                      "create table comment (notebook_id, cell_id, manual_comment)",
                      "create index i on grade (cell_id)"):
            book.execute(query)
        book.executemany("insert into grade values (1, ?, 1, 1)", [(n,) for n in range(999)])
        book.commit()
    copy = gradebook.back_up(database)
    gradebook.check(database, copy)
    content = bytearray(database.read_bytes())
    content[-3000:-1000] = bytes(2000)
    database.write_bytes(content)
    with pytest.raises((GraderError, sqlite3.DatabaseError), match="damaged|malformed"):
        gradebook.check(database, copy)
