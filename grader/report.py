"""`grader report`: a page for people, CSV for spreadsheets, and a file for an LMS to import."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.files import write

from . import late, page
from .classroom import Classroom
from .collect import UNKNOWN, Index
from .errors import GraderError
from .journal import Journal
from .notebooks import grade_id
from .outcome import stored
from .project import ROOT
from .repair import Asked, asked
from .similar import in_class

FIRST = ["learner", "name", "lesson", "score", "max", "late", "penalty", "status", "reason",
         "needs a person", "repairs"]
EXPECTED = ROOT / "course/expected"
Row = dict[str, Any]


@dataclass
class Lesson:
    """What there is to say of one lesson of a class; `gaps`: limits that were not enforced."""

    name: str
    targets: dict[str, float]
    rows: list[Row]
    gaps: list[str]


def report(classroom: Classroom, lessons: list[str]) -> tuple[Path, list[Row]]:
    """Write `report.html`, `report.csv` and `lms/LESSON.csv` for these lessons.

    Without any: for all that somebody has handed in, or all that were released if nobody has.

    Gives the path of the CSV and its rows. Raises GraderError when a lesson has not been
    released, or there is no gradebook yet.
    """
    index = Index(classroom.folder)
    released = classroom.lessons()
    lessons = lessons or [n for n in released if classroom.submissions(n)
                          or any(a["lesson"] == n for a in index.attempts)] or released
    if not classroom.database.is_file() or not lessons:
        raise GraderError(f"{classroom.folder} holds no gradebook yet; `grader release` makes it")
    for lesson in lessons:
        late.settle(classroom, lesson)
    with classroom.gradebook() as book:
        found = [look(classroom, book, index, lesson) for lesson in lessons]
    rows = [row for each in found for row in each.rows]
    path = classroom.folder / "report.csv"
    write(path, table(rows, list({t: None for each in found for t in each.targets})))
    sections = []
    for each in found:
        write(classroom.folder / f"lms/{each.name}.csv", for_lms(each, index))
        alike = in_class(classroom.submissions(each.name), classroom.released(each.name))
        sections.append(page.section(each.name, each.rows, each.targets, each.gaps, alike,
                                     EXPECTED))
    write(classroom.folder / "report.html", page.page(sections))
    return path, rows


def look(classroom: Classroom, book: Any, index: Index, lesson: str) -> Lesson:
    """A row for everybody in the class."""
    wanted, journal = asked(classroom.released(lesson)), classroom.journal(lesson)
    points = {each.target: float(each.check.metadata["nbgrader"]["points"]) for each in wanted}
    scores, gaps, hands = graded(book, lesson), dict[str, None](), by_hand(book, lesson)
    lateness = {s.student.id: (late.for_people(s), s.late_submission_penalty)
                for s in book.assignment_submissions(lesson)}
    names = {s.id: full_name(s) for s in book.students} | {
        k: v["name"] for k, v in index.learners.items()}
    rows = list[Row]()
    for learner in sorted({*names, *scores, *classroom.submissions(lesson)}):
        run = journal.load(learner, "run") or {}
        gaps.update(dict.fromkeys(run.get("gaps", [])))
        rows.append({"learner": learner, "name": names.get(learner, ""), "lesson": lesson,
                     "max": sum(points.values()),
                     **line(classroom, journal, index, lesson, learner, scores, wanted, run)})
        if rows[-1]["status"] == "graded":
            hand = {e.target for e in wanted if grade_id(e.check) in hands[learner]}
            rows[-1]["by hand"] = hand
            rows[-1] |= dict(zip(("late", "penalty"), lateness[learner], strict=True))
            if why := outdated(rows[-1], points):
                del rows[-1]["score"]
                rows[-1] |= {"status": "not graded", "reason": why}
    return Lesson(lesson, points, rows, list(gaps))


def outdated(row: Row, points: dict[str, float]) -> str:
    """Why a grade is none: what nbgrader gave is neither nothing nor the points of today."""
    old = [t for t in points if t not in row["by hand"] and row[t] not in (0, points[t])]
    return f"`grader grade` has not been run since the points of {', '.join(old)} changed" \
        if old else ""


def for_lms(lesson: Lesson, index: Index) -> str:
    """Name, id, score and comment of everybody who has a grade; nothing of hidden checks."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("name", "id", "score", "comment"))
    for row in lesson.rows:
        if row["status"] == "graded":
            told = [f"{t}: {said}" for t, points in lesson.targets.items()
                    if (said := by_person(row, t, points) or comment(t, row[f"{t}: why"]))]
            told = told or ["All checks passed."]
            if row.get("penalty"):
                told.append(f"{row['late']} late: {row['penalty']:g} points less.")
            writer.writerow(map(harmless, (
                row["name"] or row["learner"], number(row["learner"], index), row["score"],
                " ".join(told))))
    return "\ufeff" + out.getvalue()


def number(learner: str, index: Index) -> str:
    """The id that the LMS gave a learner, if it came with the submission; else ours."""
    for key in index.learners.get(learner, {}).get("keys", []):
        kind, _, rest = key.partition(" ")
        if kind in ("canvas", "blackboard"):
            return str(rest)
        if kind == "moodle":
            return str(rest.rpartition(" ")[2])
    return learner


def by_person(row: Row, target: str, points: float) -> str:
    """What the learner is told of a check that somebody marked by hand; '' of others."""
    marked = target in row.get("by hand", ())
    return f"{row[target]:g} of {points:g}, marked by hand." if marked else ""


def comment(target: str, why: str) -> str:
    """A sentence on a check that failed, for the learner; '' when it passed."""
    if not why:
        return ""
    for mistake in (stored(EXPECTED, target) or {"mistakes": []})["mistakes"]:
        if mistake["name"] == why:
            told = str(mistake["message"])
            return told[:1].upper() + told[1:]
    if why == "hole":
        return "Not answered."
    if why.startswith(("hidden", "extra")):
        return "Right for the inputs of the check, not for others."
    if why.startswith("its cell fails"):
        return f"I{why[1:]}"
    if why.startswith("not confirmed"):
        return "Your answer does not end, ends its process, or gives nothing that can be read."
    if why == "failed in the notebook":
        return "Right when tried alone, not passed in your notebook."
    return "Not passed."


def full_name(student: Any) -> str:
    return " ".join(filter(None, (student.first_name, student.last_name)))


def graded(book: Any, lesson: str) -> dict[str, dict[str, float]]:
    """Scores by learner and grade id; '' is the whole lesson, less what being late costs.

    Manual scores count.
    """
    found: dict[str, dict[str, float]] = {}
    for submission in book.assignment_submissions(lesson):
        scores = {"": submission.score - submission.late_submission_penalty}
        for notebook in submission.notebooks:
            scores |= {grade.name: grade.score for grade in notebook.grades}
        found[submission.student.id] = scores
    return found


def by_hand(book: Any, lesson: str) -> dict[str, set[str]]:
    """The grade ids whose score a person gave, by learner."""
    return {s.student.id: {g.name for nb in s.notebooks for g in nb.grades
                           if g.manual_score is not None or g.extra_credit}
            for s in book.assignment_submissions(lesson)}


def line(classroom: Classroom, journal: Journal, index: Index, lesson: str, learner: str,
         scores: dict[str, dict[str, float]], wanted: list[Asked], run: dict[str, Any]) -> Row:
    """What there is to say of one learner's lesson."""
    result, failed = journal.load(learner, "result"), journal.load(learner, "failed")
    attempts = index.of(learner, lesson)
    counts = index.newest(learner, lesson)
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
        row |= {"status": "not handed in", "reason": "; ".join(
            f"came, of no known lesson: {a['from']} ({a['fault']})"
            for a in index.of(learner, UNKNOWN))}
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
    writer = csv.DictWriter(out, columns, restval="", extrasaction="ignore", lineterminator="\n")
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
