"""`grader report`: a line for each learner and lesson, as CSV that spreadsheets take as it is."""

import csv
import io
from pathlib import Path
from typing import Any

from course.files import write

from .classroom import Classroom
from .collect import Index
from .errors import GraderError
from .journal import Journal
from .notebooks import grade_id
from .repair import asked

FIRST = ["learner", "name", "lesson", "score", "max", "status", "reason", "needs a person",
         "repairs"]
Row = dict[str, Any]


def report(classroom: Classroom, lessons: list[str]) -> tuple[Path, list[Row]]:
    """Write `report.csv` for these lessons (all that were released, if none is named).

    Raises GraderError when a lesson has not been released, or there is no gradebook yet.
    """
    lessons = lessons or classroom.lessons()
    if not classroom.database.is_file() or not lessons:
        raise GraderError(f"{classroom.folder} holds no gradebook yet; `grader release` makes it")
    index, rows, targets = Index(classroom.folder), list[Row](), dict[str, None]()
    with classroom.gradebook() as book:
        for lesson in lessons:
            wanted, journal = asked(classroom.released(lesson)), classroom.journal(lesson)
            targets.update(dict.fromkeys(each.target for each in wanted))
            scores = graded(book, lesson)
            names = {s.id: full_name(s) for s in book.students} | {
                k: v["name"] for k, v in index.learners.items()}
            for learner in sorted({*names, *scores, *classroom.submissions(lesson)}):
                rows.append({"learner": learner, "name": names.get(learner, ""), "lesson": lesson,
                             "max": sum(each.check.metadata["nbgrader"]["points"]
                                        for each in wanted),
                             **line(classroom, journal, index, lesson, learner, scores, wanted)})
    path = classroom.folder / "report.csv"
    write(path, table(rows, list(targets)))
    return path, rows


def full_name(student: Any) -> str:
    return " ".join(filter(None, (student.first_name, student.last_name)))


def graded(book: Any, lesson: str) -> dict[str, dict[str, float]]:
    """Scores by learner and grade id; '' is the whole lesson. Manual scores count."""
    found: dict[str, dict[str, float]] = {}
    for submission in book.assignment_submissions(lesson):
        scores = {"": submission.score}
        for notebook in submission.notebooks:
            scores |= {grade.name: grade.score for grade in notebook.grades}
        found[submission.student.id] = scores
    return found


def line(classroom: Classroom, journal: Journal, index: Index, lesson: str, learner: str,
         scores: dict[str, dict[str, float]], wanted: list[Any]) -> Row:
    """What there is to say of one learner's lesson."""
    result, failed = journal.load(learner, "result"), journal.load(learner, "failed")
    attempts = index.of(learner, lesson)
    counts = index.newest(learner, lesson)
    run = journal.load(learner, "run") or {}
    repairs = [*(counts or {}).get("repairs", []), *run.get("repairs", [])]
    row: Row = {"repairs": "; ".join(dict.fromkeys(repairs)), "reason": "", "needs a person": ""}
    handed_in = classroom.notebook("submitted", lesson, learner).is_file()
    if failed and handed_in:
        row |= {"status": "not graded", "reason": failed["why"]}
    elif attempts and counts is None and not handed_in:
        row |= {"status": "not graded", "reason": attempts[-1]["fault"]}
    elif result and result.get("recorded") and learner in scores:
        row |= {"status": "graded"}
    elif handed_in:
        row |= {"status": "not graded", "reason": "`grader grade` has not been run since it came"}
    else:
        row |= {"status": "not handed in"}
    if row["status"] != "graded" or result is None:
        return row
    mine, outcomes = scores[learner], result["outcomes"]
    row["score"] = mine[""]
    notes = [o["note"] for o in outcomes.values() if o["note"]]
    row["needs a person"] = "; ".join(notes)
    for each in wanted:
        outcome = outcomes.get(grade_id(each.check), {})
        row[each.target] = mine.get(grade_id(each.check), 0)
        row[f"{each.target}: why"] = outcome.get("mistake") or outcome.get("why", "")
    return row


def table(rows: list[Row], targets: list[str]) -> str:
    """The rows as CSV; the mark at the front tells spreadsheets that it is UTF-8."""
    columns = [*FIRST, *(c for target in targets for c in (target, f"{target}: why"))]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: harmless(v) for k, v in row.items()})
    return "\ufeff" + out.getvalue()


def harmless(value: Any) -> Any:
    """A learner's text that a spreadsheet does not take for a formula; whole numbers as such."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    if isinstance(value, float):
        return int(value) if value == int(value) else round(value, 4)
    return value
