"""A copy of the gradebook before a run writes to it, and a look afterwards at what has to stay."""

import os
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from .errors import GraderError

KEPT = 20  # copies
BY_HAND = (
    "select notebook_id, cell_id, manual_score, extra_credit from grade "
    "where manual_score is not null or extra_credit is not null",
    "select notebook_id, cell_id, manual_comment, '' from comment "
    "where manual_comment is not null",
)


def back_up(database: Path) -> Path:
    """Copy the gradebook, whole or not at all, into `backups/` beside it; gives the copy."""
    folder = database.parent / "backups"
    folder.mkdir(exist_ok=True)
    for stray in folder.glob("*.part"):
        stray.unlink()
    copy = folder / f"gradebook-{datetime.now():%Y-%m-%d-%H%M%S-%f}.db"
    part = copy.with_suffix(".part")
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)
    os.replace(part, copy)
    for old_copy in sorted(folder.glob("gradebook-*.db"))[:-KEPT]:
        old_copy.unlink()
    return copy


def by_hand(database: Path) -> set[tuple[object, ...]]:
    """Every score, extra point and comment that a person has given."""
    with closing(sqlite3.connect(database)) as book:
        return {tuple(row) for query in BY_HAND for row in book.execute(query)}


def recorded(database: Path, lesson: str) -> set[str]:
    """The learners of whom nbgrader has a submission; without nbgrader, which loads for long."""
    with closing(sqlite3.connect(database)) as book:
        return {row[0] for row in book.execute(
            "select student_id from submitted_assignment join assignment "
            "on assignment.id = assignment_id where name = ?", (lesson,))}


def has_deadline(database: Path, lesson: str) -> bool:
    """Whether anybody can be late with a lesson, or has a penalty from when that was so.

    Also for a file that cannot be read: nbgrader, which is then asked, says what is wrong with it.
    """
    with closing(sqlite3.connect(database)) as book:
        try:
            return bool(book.execute(
                "select 1 from assignment "
                "left join submitted_assignment s on s.assignment_id = assignment.id "
                "left join submitted_notebook n on n.assignment_id = s.id where name = ? "
                "and (duedate is not null or late_submission_penalty is not null)",
                (lesson,)).fetchone())
        except sqlite3.DatabaseError:
            return True


def check(database: Path, copy: Path) -> None:
    """Compare with the copy from before. Raises GraderError when something was lost."""
    with closing(sqlite3.connect(database)) as book:
        said = [row[0] for row in book.execute("pragma integrity_check")]
    wrong = "" if said == ["ok"] else f"it is damaged: {said[0]}"
    if not wrong and (lost := by_hand(copy) - by_hand(database)):
        wrong = f"{len(lost)} scores or comments given by hand are missing or changed"
    if wrong:
        raise GraderError(f"{database}: {wrong}. As it was before this run: {copy}")
