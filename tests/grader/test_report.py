"""The page, the file for an LMS, similar submissions: what a teacher reads and hands on."""

import csv
import io
from typing import Any

from grader import page
from grader.classroom import Classroom
from grader.collect import Index
from grader.report import EXPECTED, Lesson, for_lms, line, outdated
from grader.similar import Pair, in_class, similar

from .conftest import ANSWER, EXERCISE, LESSON, Make

STEP = "steps.start.p_cat"
TARGETS = {EXERCISE: 2.0, STEP: 1.0}
LONG = '''#| fill minillm.bigram
def next_word_probabilities(counts):
    total = torch.zeros(counts.shape[0], dtype=counts.dtype)
    for row in range(counts.shape[0]):
        for column in range(counts.shape[1]):
            total[row] = total[row] + counts[row, column]
    out = torch.empty_like(counts)
    for row in range(counts.shape[0]):
        out[row] = counts[row] / total[row]
    return out
'''


def row(learner: str, why: str = "", **more: Any) -> dict[str, Any]:
    return {"learner": learner, "name": f"{learner} <b>", "lesson": LESSON, "status": "graded",
            "reason": "", "needs a person": "", "repairs": "", "max": 3, "score": 1 if why else 3,
            EXERCISE: 0 if why else 2, f"{EXERCISE}: why": why, STEP: 1, f"{STEP}: why": "", **more}


ROWS = [row("ana"), row("ben", "whole_sum"), row("cy", "whole_sum"), row("dee", "hole"),
        row("eli", "hidden: rows sum to one gives other numbers"),
        row("flo", **{"needs a person": "tampering suspected: x"}),
        {"learner": "gil", "name": "", "lesson": LESSON, "max": 3, "status": "not graded",
         "reason": "no JSON", "needs a person": "", "repairs": ""}]


def test_the_page() -> None:
    alike = [Pair(("ana", "ben"), (0.9, 0.8), ["x = <1>"])]
    text = page.page([page.section(LESSON, ROWS, TARGETS, ["network: nothing"], alike, EXPECTED)])
    assert "6 of 7 graded; mean 1.67, median 1 of 3 points" in text
    assert '<td>whole_sum</td><td class="n">2</td>' in text and "sum of the whole table" in text
    assert text.index(f"<td>{EXERCISE}</td>") < text.index(f"<td>{STEP}</td>"), "most failed first"
    assert "whole_sum (2)" in text and "tampering suspected: x" in text and "no JSON" in text
    assert "Not enforced: network" in text and "90% of their own code" in text
    assert '<td class="n">0.67</td>' in text, "a mean in two digits"
    assert '<td>ben</td><td>ben &lt;b&gt;</td><td class="n">1</td>' in text, "the points of each"
    assert "flo &lt;b&gt;" in text and "x = &lt;1&gt;" in text and "<b>" not in text


def test_the_page_of_nobody() -> None:
    assert "0 of 0 graded" in page.section(LESSON, [], TARGETS, [], [], EXPECTED)


def test_the_file_for_an_lms(room: Classroom) -> None:
    index = Index(room.folder)
    index.learners = {"ana": {"name": "Ana", "keys": ["canvas 77"]},
                      "ben": {"name": "Ben", "keys": ["moodle Ben 12"]}}
    text = for_lms(Lesson(LESSON, TARGETS, ROWS, []), index)
    found = {r["name"]: r for r in csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))}
    assert len(found) == 6 and found["ana <b>"]["comment"] == "All checks passed."
    assert [found[f"{n} <b>"]["id"] for n in ("ana", "ben", "cy")] == ["77", "12", "cy"]
    assert "You divided by the sum of the whole table" in found["ben <b>"]["comment"]
    assert found["dee <b>"]["comment"] == f"{EXERCISE}: Not answered."
    hidden = found["eli <b>"]["comment"]
    assert "not for others" in hidden and "rows sum to one" not in hidden
    assert found["eli <b>"]["score"] == "1"


def test_the_file_for_an_lms_says_what_the_score_says(room: Classroom) -> None:
    hand = {"by hand": {EXERCISE}}
    rows = [row("ana", "hole") | {EXERCISE: 2.0, **hand}, row("ben") | {EXERCISE: 1.5, **hand},
            row("cy", "its cell fails: SyntaxError: invalid syntax"),
            row("dee", "not confirmed: it ran too long"), row("eli", "failed in the notebook")]
    text = for_lms(Lesson(LESSON, TARGETS, rows, []), Index(room.folder))
    found = [r["comment"].removeprefix(f"{EXERCISE}: ")
             for r in csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))]
    assert found[:2] == ["2 of 2, marked by hand.", "1.5 of 2, marked by hand."]
    assert found[2] == "Its cell fails: SyntaxError: invalid syntax"
    assert "does not end" in found[3] and "Right when tried alone" in found[4]


def test_a_grade_in_points_of_yesterday_is_none() -> None:
    mine = row("ana") | {"by hand": set[str]()}
    assert outdated(mine, TARGETS) == ""
    assert EXERCISE in outdated(mine, TARGETS | {EXERCISE: 4.0})
    assert outdated(mine | {EXERCISE: 1.5, "by hand": {EXERCISE}}, TARGETS) == ""


def test_who_sent_what_cannot_be_read_is_not_called_absent(room: Classroom) -> None:
    index = Index(room.folder)
    index.learners = {"ana": {"name": "Ana", "keys": ["name Ana"]}}
    index.add({"learner": "ana", "lesson": "unknown", "from": "Ana/work.ipynb", "fault": "no JSON",
               "when": 0, "order": 0, "sha256": "", "file": ""})
    found = line(room, room.journal(LESSON), index, LESSON, "ana", {}, [], {})
    assert found["status"] == "not handed in" and "Ana/work.ipynb (no JSON)" in found["reason"]


def test_similar_answers() -> None:
    renamed = LONG.replace("total", "s").replace("row", "i")
    renamed = renamed.replace("    out", "    # mine\n    out")
    short = "#| fill minillm.bigram\ndef next_word_probabilities(counts):\n    return counts\n"
    released = "#| fill minillm.bigram\ndef next_word_probabilities(counts):\n    ...\n"
    [pair] = similar({"ana": LONG, "ben": renamed, "cy": short, "dee": short}, released)
    assert pair.learners == ("ana", "ben") and min(pair.shares) > 0.8
    assert any("for column in" in part for part in pair.parts)
    many = {f"n{i}": LONG for i in range(6)} | {"ana": LONG, "ben": renamed}
    assert similar(many, released) == [], "what several wrote alike says nothing"


def test_similar_submissions(room: Classroom, make: Make, released: Any) -> None:
    import nbformat
    for learner in ("ana", "ben"):
        path = room.notebook("submitted", LESSON, learner)
        path.parent.mkdir(parents=True)
        nbformat.write(make(**{ANSWER.replace("-", "__"): LONG}), path)
    path = room.notebook("submitted", LESSON, "cy")
    path.parent.mkdir(parents=True)
    path.write_text("{")
    [pair] = in_class(room.submissions(LESSON), released)
    assert pair.learners == ("ana", "ben")
