"""A class is graded, a teacher corrects a score in formgrader, and it is there ever after."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from grader.classroom import Classroom
from grader.host import obstacle
from grader.notebooks import flags, grade_id
from grader.project import find, read_lessons
from grader.release import register

ROOT = Path(__file__).parents[2]
LESSON, CHECK = "00_start_here", "check-bigram-next_word_probabilities"
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S+")
HERE = ["--unconfined"] if obstacle() else []


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """A graded class: one right, one with a known mistake."""
    room = Classroom(tmp_path_factory.mktemp("formgrader") / "class")
    room.folder.mkdir()
    register(ROOT, room, find(read_lessons(ROOT), LESSON))
    solved = nbformat.read(ROOT / f"solutions/{LESSON}.ipynb", as_version=4)
    right = {grade_id(c): c.source for c in solved.cells if flags(c).get("solution")}
    for learner in ("ana", "ben"):
        nb = room.released(LESSON)
        nb.cells = [c for c in nb.cells if grade_id(c)]
        for cell in nb.cells:
            cell.source = right.get(grade_id(cell), cell.source)
            if learner == "ben":
                cell.source = cell.source.replace(".sum(-1, keepdim=True)", ".sum()")
        path = room.notebook("submitted", LESSON, learner)
        path.parent.mkdir(parents=True)
        nbformat.write(nb, path)
    grader(room, "grade", "00", *HERE)
    return room


def grader(room: Classroom, *words: str) -> None:
    """Run a command in a process of its own: Playwright keeps an event loop in this one."""
    done = subprocess.run([sys.executable, "-m", "grader", *words, "--class", str(room.folder)],
                          env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def address(room: Classroom) -> Any:
    """Where `grader formgrader` serves the class."""
    log = room.folder / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, "-m", "grader", "formgrader", "--no-browser", "--class",
             str(room.folder)], stdout=out, stderr=out, start_new_session=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        end = time.monotonic() + 90
        while not (found := ADDRESS.search(log.read_text("utf-8", "replace"))):
            assert time.monotonic() < end and server.poll() is None, log.read_text()
            time.sleep(0.2)
        yield found[0]
    finally:
        os.killpg(server.pid, 15)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, 9)


def test_a_score_by_hand_stays(room: Classroom, address: str, chromium: Browser) -> None:
    with room.gradebook() as book:
        notebook = book.find_submission_notebook(LESSON, LESSON, "ben").id
        assert book.find_submission(LESSON, "ben").score == 5
    base = address.partition("/formgrader")[0]
    page = chromium.new_page()
    page.set_default_navigation_timeout(90_000)
    page.goto(address, wait_until="domcontentloaded")  # with the token, which becomes a cookie
    page.goto(f"{base}/formgrader/submissions/{notebook}/", wait_until="domcontentloaded")
    score = page.locator(f"input.score#{CHECK}")
    expect(score).to_have_attribute("placeholder", "0", timeout=90_000)  # what `grade` gave
    with page.expect_response(re.compile("/api/grade/"), timeout=60_000) as saved:
        score.fill("1.5")
        score.press("Tab")
    assert saved.value.ok
    page.close()
    grader(room, "grade", "00", "--force", *HERE)
    grader(room, "feedback", "00")
    with room.gradebook() as book:
        assert book.find_grade(CHECK, LESSON, LESSON, "ben").manual_score == 1.5
        assert book.find_submission(LESSON, "ben").score == 6.5
    feedback = room.notebook("feedback", LESSON, "ben").with_suffix(".html").read_text("utf-8")
    assert "Score: 6.5 / 7.0" in feedback
