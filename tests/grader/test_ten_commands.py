"""From release to marks: the commands of grader/README.md, read out of it, run in their order."""

import csv
import io
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from grader.__main__ import main
from grader.classroom import Classroom
from grader.notebooks import grade_id
from grader.project import read_lessons

from .conftest import (
    ANSWER,
    CHECK,
    EXERCISE,
    LESSON,
    ROOT,
    ROWS,
    STEP,
    WHOLE,
    Make,
    fences,
    in_my_class,
)

FULL = 7
Capture = pytest.CaptureFixture[str]


def commands() -> list[str]:
    page = (ROOT / "grader/README.md").read_text("utf-8")
    [(_, block)] = fences(page, "From release to marks")
    return [line.partition("  #")[0].strip() for line in block.splitlines()]


def came(folder: Path, make: Make, right: dict[str, str]) -> None:
    """`downloads/` with two learners, one of whom makes a known mistake; `late.zip` with one."""
    wrong = make(**{ANSWER.replace("-", "__"): right[ANSWER].replace(ROWS, WHOLE)})
    for name, nb in (("downloads/ana", make()), ("downloads/bo", wrong),
                     ("late/cy", make(**{STEP.replace("-", "__"): "p_cat = 75"}))):
        nb.cells = [c for c in nb.cells if grade_id(c)]  # demos take time
        (folder / name).mkdir(parents=True)
        (folder / name / f"{LESSON}.ipynb").write_text(json.dumps(nb), "utf-8")
    shutil.make_archive(str(folder / "late"), "zip", folder / "late")


def look_at_formgrader(words: list[str]) -> None:
    """Start it as a person does, wait until it shows the lesson, and end it with Ctrl-C."""
    with socket.socket() as here:
        here.bind(("127.0.0.1", 0))
        port = here.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "grader", *words, "--class", "my-class", "--no-browser",
         "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "JUPYTER_TOKEN": "t"}, start_new_session=True)
    try:
        end, address = time.monotonic() + 90, f"http://127.0.0.1:{port}/formgrader"
        while True:
            assert server.poll() is None and time.monotonic() < end
            try:
                shown = requests.get(f"{address}/api/assignment/{LESSON}", params={"token": "t"},
                                     timeout=30)
                break
            except requests.ConnectionError:
                time.sleep(0.3)
        assert shown.json()["num_submissions"] == 2 and shown.json()["average_score"] == FULL - 1
        for _ in range(2):  # Jupyter wants it twice
            os.killpg(server.pid, signal.SIGINT)
            time.sleep(0.5)
        server.wait(60)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def score_by_hand() -> None:
    """What formgrader writes when a person gives one point to Bo; a browser test does it there."""
    with Classroom(Path("my-class")).gradebook() as book:
        book.find_grade(CHECK, LESSON, LESSON, "bo").manual_score = 1
        book.find_comment(ANSWER, LESSON, LESSON, "bo").manual_comment = "nearly"
        book.db.commit()


def test_a_class_in_ten_commands(tmp_path: Path, make: Make, right: dict[str, str],
                                 monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("grader.release.read_lessons", lambda root: read_lessons(root)[:1])
    came(tmp_path, make, right)
    said = []
    for line in commands():
        program, *words = shlex.split(line)
        assert program == "grader"
        if words[0] == "formgrader":
            look_at_formgrader(words)
            score_by_hand()
            said.append("")
            continue
        assert main(in_my_class(line)) == 0, line
        said.append(capsys.readouterr().out)
    room = Classroom(Path("my-class"))
    assert len(said) == 10
    assert (room.folder / "bundle/minillm-course.zip").is_file() and "released" in said[0]
    assert "2026-12-07 23:59" in said[1]
    assert said[2].endswith("2 taken, 0 were known, 0 problems\n")
    assert said[3].startswith("2 graded, 0 as before, 0 not graded")
    page = room.notebook("feedback", LESSON, "bo").with_suffix(".html").read_text("utf-8")
    assert "nearly" in page and f"Score: {FULL - 1}.0 / {FULL}.0" in page
    assert "whole_sum" in (room.folder / "report.html").read_text("utf-8")
    assert said[7].endswith("1 taken, 0 were known, 0 problems\n")
    assert said[8].startswith("1 graded, 2 as before, 0 not graded")
    assert said[9].endswith("3 as before\nnobody's grade or reason changed\n")
    assert main(["report", "--class", "my-class"]) == 0
    rows = list(csv.DictReader(io.StringIO((room.folder / "report.csv").read_text("utf-8-sig"))))
    assert {row["learner"]: row["score"] for row in rows} == {
        "ana": str(FULL), "bo": str(FULL - 1), "cy": str(FULL - 1)}
    assert next(row for row in rows if row["learner"] == "bo")[EXERCISE] == "1"
