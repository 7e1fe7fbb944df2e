"""A class with rules of its own: the examples of grader/CLASS.md, read out of it and run."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import nbformat
import pytest

from grader import late
from grader.__main__ import main
from grader.classroom import Classroom
from grader.errors import GraderError
from grader.notebooks import grade_id
from grader.project import read_lessons

from .conftest import ANSWER, EXERCISE, HERE, LESSON, ROOT, STEP, Make, fences, in_my_class

PAGE = (ROOT / "grader/CLASS.md").read_text("utf-8")
DUE = datetime(2026, 12, 7, 18).astimezone(UTC)
FULL = 7
WHAT_STAYS = "steps.start.what_stays"
Say = Callable[[str], None]


def examples(heading: str) -> list[tuple[str, str]]:
    """The fenced blocks of one part of the page: language and text."""
    return fences(PAGE, heading)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, make: Make,
           right: dict[str, str]) -> Iterator[Path]:
    """Ana, Bo and Cy have handed in lesson 00: two days before, 26 hours after, and both."""
    folder: Path = tmp_path_factory.mktemp("rules")
    cell = ANSWER.replace("-", "__")
    single = right[ANSWER].replace("    return ", "    if len(counts) == 1:\n"
                                   "        return counts\n    return ")
    assert single != right[ANSWER]
    hand_in(folder, "ana", make(**{cell: single}), -48)
    hand_in(folder, "bo", make(), 26)
    hand_in(folder, "cy", make(**{STEP.replace("-", "__"): "p_cat = 75"}), -2, "first")
    hand_in(folder, "cy", make(), 200, "second")
    here = Path.cwd()
    os.chdir(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.release.read_lessons", lambda root: read_lessons(root)[:1])
        run("grader release")
        run("grader collect came")
        yield folder
    os.chdir(here)


def hand_in(folder: Path, learner: str, nb: Any, hours: float, name: str = LESSON) -> None:
    """Lay out a notebook without its demos, as of so many hours after the deadline."""
    nb.cells = [c for c in nb.cells if grade_id(c)]
    path = folder / "came" / learner / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(nb), "utf-8")
    when = (DUE + timedelta(hours=hours)).timestamp()
    os.utime(path, (when, when))


def run(line: str) -> None:
    """One command of the page, in a folder with `my-class/`."""
    assert main(in_my_class(line)) == 0, line


def follow(heading: str) -> None:
    """Do what a part of the page says: write its files, run its commands."""
    for language, text in examples(heading):
        if language == "bash":
            for line in text.splitlines():
                run(line)
        else:
            path = Path(text.splitlines()[0].removeprefix("# "))
            path.parent.mkdir(exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n{text}")


def rows(folder: Path) -> dict[str, dict[str, str]]:
    run("grader report 00")
    text = (folder / "my-class/report.csv").read_text("utf-8-sig")
    return {row["learner"]: row for row in csv.DictReader(io.StringIO(text))}


def scores(folder: Path) -> dict[str, float]:
    return {learner: float(row["score"]) for learner, row in rows(folder).items()}


def feedback(folder: Path, learner: str) -> str:
    return (folder / f"my-class/feedback/{learner}/{LESSON}/{LESSON}.html").read_text("utf-8")


def test_deadlines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    follow("Deadlines")
    said = capsys.readouterr().out.splitlines()
    assert [line.rsplit(" ", 1)[0] for line in said[-2:]] == [
        f"{LESSON}: 2026-12-07 18:00", "  ana: 2026-12-09 18:00"]
    run("grader grade 00")
    found = rows(folder)
    assert {k: row["late"] for k, row in found.items()} == {
        "ana": "", "bo": "1 d 2 h", "cy": "8 d 8 h"}
    assert {k: row["score"] for k, row in found.items()} == dict.fromkeys(found, str(FULL))
    page = (folder / "my-class/report.html").read_text("utf-8")
    assert "1 d 2 h" in page.split("Handed in late")[1].split("<h3>")[0]


def test_what_being_late_costs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    follow("What being late costs")
    assert "0 graded, 3 as before" in capsys.readouterr().out, "nothing runs again for it"
    found = rows(folder)
    assert {k: (row["score"], row["penalty"]) for k, row in found.items()} == {
        "ana": ("7", "0"), "bo": ("5.6", "1.4"), "cy": ("0.7", "6.3")}
    page = feedback(folder, "bo")
    assert '"score": 5.6, "max": 7.0' in page and "Late submission penalty" in page
    assert not re.findall(r'(?:src|href)="?(?:https?:)?//[^"]*(?:js|css)', page), "needs a network"
    lms = (folder / f"my-class/lms/{LESSON}.csv").read_text("utf-8")
    assert "bo,bo,5.6,All checks passed. 1 d 2 h late: 1.4 points less." in lms


def test_a_penalty_follows_what_comes_later(folder: Path) -> None:
    """A score by hand, an extension, another deadline: nbgrader itself would keep the old one."""
    room = Classroom(folder / "my-class")
    with room.gradebook() as book:
        grade = book.find_grade(f"check-{STEP}", LESSON, LESSON, "bo")
        grade.manual_score = grade.auto_score - 1
        book.db.commit()
    assert scores(folder)["bo"] == pytest.approx(6 - 1.2)
    run("grader due 00 2026-12-08 --learner bo")
    assert rows(folder)["bo"]["penalty"] == "0"
    run("grader due 00 never --learner bo")
    run("grader due 00 never")
    assert rows(folder)["bo"]["penalty"] == "0" and late.say(room, [LESSON]) == [f"{LESSON}: never"]
    follow("Deadlines")
    with room.gradebook() as book:
        book.find_grade(f"check-{STEP}", LESSON, LESSON, "bo").manual_score = None
        book.db.commit()
    assert scores(folder)["bo"] == 5.6


def test_regrade_says_whose_penalty_changed(folder: Path, capsys: pytest.CaptureFixture[str],
                                            ) -> None:
    run("grader due 00 2026-12-10 --learner bo")
    capsys.readouterr()
    run("grader regrade")
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("0 run again, 0 recorded again, 3 as before")
    assert said[2].split() == ["bo", LESSON, "(late)", "-1.4", "0", "of", "the", "late", "policy"]
    run("grader due 00 never --learner bo")
    assert scores(folder)["bo"] == 5.6


def test_handing_in_again(folder: Path) -> None:
    path = folder / f"my-class/submitted/cy/{LESSON}/{LESSON}.ipynb"
    assert "p_cat = 75" not in path.read_text("utf-8"), "the newest"
    follow("Handing in again")
    assert "p_cat = 75" in path.read_text("utf-8"), "the newest in time"
    assert scores(folder) == {"ana": 7, "bo": 5.6, "cy": 6}, "bo has none in time"


def test_other_points(folder: Path) -> None:
    follow("Other points")
    found = rows(folder)
    assert {row["max"] for row in found.values()} == {"9"}
    assert found["ana"]["score"] == "9" and found["ana"][EXERCISE] == "5"
    assert found["cy"]["score"] == "8" and found["cy"][WHAT_STAYS] == "0"
    with Classroom(folder / "my-class").gradebook() as book:
        assert book.find_assignment(LESSON).max_score == 9
        assert late.show(book.find_assignment(LESSON).duedate).startswith("2026-12-07 18:00")
    bundle = folder / "my-class/bundle/minillm-course"
    asked = json.loads((bundle / "course/contents.json").read_text("utf-8"))[0]["asked"]
    assert {"target": EXERCISE, "points": 5} in asked
    nb = nbformat.read(bundle / f"notebooks/{LESSON}.ipynb", as_version=4)
    assert 5 in [c.metadata.nbgrader.get("points") for c in nb.cells if "nbgrader" in c.metadata]


def test_checks_of_ones_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scores(folder)["ana"] == 9
    follow("Checks of your own")
    found = rows(folder)
    assert (found["ana"]["score"], found["bo"]["penalty"]) == ("4", "1.8")
    assert found["ana"][f"{EXERCISE}: why"] == \
        "extra: a table with a single row gives other numbers"
    run("grader feedback 00")
    said = " ".join(re.sub("<[^>]*>", "", feedback(folder, "ana")).split())
    assert "also tried when grading: a table with a single row" in said
    assert "0.375" not in said and "extra(" not in said
    run("grader release")
    assert not [p for p in (folder / "my-class/bundle/minillm-course").rglob("*")
                if "checks" in p.relative_to(folder).parts or p.suffix in (".py", ".ipynb", ".json")
                and p.name != "corpus.json"  # the course's pages, the one with this example too
                and "a table with a single row" in p.read_text("utf-8")]
    made = folder / f"my-class/checks/expected/{EXERCISE}.json"
    stamp = made.stat().st_mtime_ns
    capsys.readouterr()
    run("grader grade 00")
    assert "0 graded, 3 as before" in capsys.readouterr().out and made.stat().st_mtime_ns == stamp
    check = folder / "my-class/checks/bigram.py"
    check.rename(check.with_suffix(".off"))
    run("grader grade 00")
    assert scores(folder)["ana"] == 9
    check.with_suffix(".off").rename(check)


@pytest.mark.parametrize(("text", "why"), [
    ("x = 1\n", "no line begins with @extra"),
    ('@extra("bigram.nothing")\ndef f(g, see): ...\n', "no lesson asks for bigram.nothing"),
    ('@extra("bigram.next_word_probabilities")\ndef f(g, see):\n    see("x", g, 1 / 0)\n',
     "fails on the reference: ZeroDivisionError"),
    ('from nowhere import x\n@extra("bigram.next_word_probabilities")\ndef f(g, see): ...\n',
     "bigram.py: ModuleNotFoundError"),
    # its last digits depend on the order of operations, and with no tolerance nobody is right
    ('@extra("bigram.next_word_probabilities")\ndef f(g, see):\n'
     '    see("thirds", g, torch.rand(9, 9).float(), tol=-1.0)\n', "does not pass: extra: thirds"),
])
def test_a_check_that_is_none_is_refused(folder: Path, capsys: pytest.CaptureFixture[str],
                                         text: str, why: str) -> None:
    path = folder / "my-class/checks/bigram.py"
    before = path.read_text("utf-8")
    path.write_text(f"import torch\nfrom grader.scenarios import extra\n{text}", "utf-8")
    try:
        assert main(["grade", "00", *HERE, "--class", "my-class"]) == 1
        assert why in capsys.readouterr().err
    finally:
        path.write_text(before, "utf-8")


@pytest.mark.parametrize(("line", "why"), [
    ("due 00 tomorrow", "'tomorrow' is no date"), ("due 00 2026-13-01", "is no date"),
    ("due 00 2026-12-24 --learner dora", "nobody called 'dora'"),
    ("due 01 2026-12-24", "01_softmax has not been released"), ("due 99", "no lesson is called"),
])
def test_deadlines_that_are_none(folder: Path, capsys: pytest.CaptureFixture[str], line: str,
                                 why: str) -> None:
    assert main([*line.split(), "--class", "my-class"]) == 1
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(("line", "why"), [
    ("c.Lessons.points = {'bigram.nothing': 1}", "no lesson asks for it"),
    (f"c.Lessons.points = {{'{EXERCISE}': -1}}", "not a number from 0 up"),
    ("c.Lessons.points = {", "SyntaxError"),
    ("class Broken(LateSubmissionPlugin):\n    def late_submission_penalty(self, *of):\n"
     "        return 1 / 0\nc.AssignLatePenalties.plugin_class = Broken", "ZeroDivisionError"),
])
def test_rules_that_are_wrong_are_named(folder: Path, capsys: pytest.CaptureFixture[str],
                                        line: str, why: str) -> None:
    path = folder / "my-class/nbgrader_config.py"
    before = path.read_text("utf-8")
    path.write_text(f"{before}\n{line}\n", "utf-8")
    try:
        assert main(["report" if "Broken" in line else "release", "--class", "my-class"]) == 1
        said = capsys.readouterr().err
        assert why in said and "nbgrader_config.py" in said and "Traceback" not in said
    finally:
        path.write_text(before, "utf-8")


def test_times_are_local_unless_a_zone_is_said() -> None:
    assert late.parse("2026-12-07 18:00+01:00") == datetime(2026, 12, 7, 17)
    assert late.parse("2026-12-07 18:00") == DUE.replace(tzinfo=None)
    assert late.parse("2026-12-07T18:00Z") == datetime(2026, 12, 7, 18)
    assert late.show(late.parse("2026-12-07")).startswith("2026-12-07 23:59")
    with pytest.raises(GraderError, match="is no date"):
        late.parse("18:00")
