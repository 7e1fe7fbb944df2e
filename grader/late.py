"""Deadlines, and what it costs to miss one: nbgrader's own, in local time and always up to date.

nbgrader keeps a deadline for each lesson and an extension for each learner, and asks a plugin for
the penalty. It does so only in the moment it grades; a deadline, an extension or a score by hand
may come later, so that `grader` asks the plugin again wherever it shows a score.
"""

import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from . import gradebook
from .classroom import Classroom
from .errors import GraderError

NEVER = "never"


def parse(text: str) -> datetime:
    """A date, or date and time (of this computer, if no zone is said), as nbgrader keeps it: UTC.

    nbgrader's own reading takes "+0100" for 100 seconds and an unknown zone for UTC. A date alone
    means the end of that day. Raises GraderError.
    """
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise GraderError(f"{text!r} is no date: write 2026-12-07, '2026-12-07 18:00' or "
                          f"'2026-12-07 18:00+01:00', or {NEVER}") from error
    if len(text.strip()) <= len("2026-12-07"):
        when = when.replace(hour=23, minute=59, second=59)
    return when.astimezone(UTC).replace(tzinfo=None)


def show(when: datetime | None) -> str:
    return f"{when.replace(tzinfo=UTC).astimezone():%Y-%m-%d %H:%M %Z}" if when else NEVER


def for_people(submission: Any) -> str:
    """By how much a submission is late: `2 d 3 h`, `5 min`, or '' when it is not."""
    if submission.assignment.duedate is None or not submission.total_seconds_late:
        return ""
    minutes = max(1, int(submission.total_seconds_late // 60))
    hours, days = minutes // 60 % 24, minutes // 1440
    return f"{days} d {hours} h" if days else f"{hours} h {minutes % 60} min" if hours \
        else f"{minutes} min"


def set_due(classroom: Classroom, lesson: str, text: str, learner: str = "") -> None:
    """Give a lesson a deadline; or one learner another one than the class has.

    Raises GraderError for a date that is none, a lesson or a learner that nobody knows.
    """
    from .collect import Index
    when = None if text == NEVER else parse(text)
    if lesson not in classroom.lessons() or not classroom.database.is_file():
        raise GraderError(f"{lesson} has not been released in {classroom.folder}")
    with classroom.gradebook() as book:
        assignment = book.find_assignment(lesson)
        if not learner:
            assignment.duedate = when
        else:
            if learner not in {s.id for s in book.students} | set(Index(classroom.folder).learners):
                raise GraderError(f"nobody called {learner!r} has handed anything in; an id is the "
                                  f"name of a folder in {classroom.folder / 'submitted'}")
            if when and assignment.duedate is None:
                raise GraderError(f"{lesson} has no deadline, so nobody needs another one")
            with warnings.catch_warnings():  # sqlalchemy has opinions on nbgrader's sessions
                warnings.simplefilter("ignore")
                book.update_or_create_student(learner)
                theirs = book.update_or_create_submission(lesson, learner)
            theirs.extension = when and when - assignment.duedate
        book.db.commit()


def say(classroom: Classroom, lessons: list[str]) -> list[str]:
    """The deadlines as they are, a line each."""
    lines = []
    with classroom.gradebook() as book:
        for assignment in sorted(book.assignments, key=lambda a: a.name):
            if assignment.name in lessons:
                lines.append(f"{assignment.name}: {show(assignment.duedate)}")
                lines += [f"  {each.student.id}: {show(each.duedate)}"
                          for each in assignment.submissions
                          if each.extension and assignment.duedate]
    return lines


def cut_off(classroom: Classroom) -> Callable[[str, str], float | None]:
    """Until when an attempt of a learner (first) at a lesson (second) is preferred to later ones.

    Always None, unless nbgrader's `ExchangeCollect.before_duedate` is set for this class.
    """
    until: dict[tuple[str, str], float] = {}
    if classroom.config["ExchangeCollect"].get("before_duedate") and classroom.database.is_file():
        with classroom.gradebook() as book:
            for each in book.assignments:
                if each.duedate:
                    until["", each.name] = each.duedate.replace(tzinfo=UTC).timestamp()
                    until |= {(s.student.id, each.name): s.duedate.replace(tzinfo=UTC).timestamp()
                              for s in each.submissions}
    return lambda learner, lesson: until.get((learner, lesson), until.get(("", lesson)))


def penalty(rule: Any, submission: Any, notebook: Any) -> float | None:
    """What the class's plugin takes off, between nothing and the whole score; None is nothing."""
    if submission.assignment.duedate is None or not (late := submission.total_seconds_late):
        return None
    taken = rule.plugin_inst.late_submission_penalty(submission.student.id, notebook.score, late)
    return None if taken is None else min(max(float(taken), 0.0), notebook.score)


def settle(classroom: Classroom, lesson: str, before: Callable[[], object] = lambda: None) -> int:
    """Bring all penalties of a lesson up to date; gives how many changed, and calls `before` first.

    Raises GraderError when the plugin of the class fails.
    """
    if not gradebook.has_deadline(classroom.database, lesson):
        return 0  # without loading nbgrader, which takes long
    from nbgrader.preprocessors import AssignLatePenalties
    with classroom.gradebook() as book:
        changes = []
        try:
            rule = AssignLatePenalties(config=classroom.config)
            rule.init_plugin()
            for each in book.assignment_submissions(lesson):
                changes += [(nb, new) for nb in each.notebooks
                            if (new := penalty(rule, each, nb)) != nb.late_submission_penalty]
        except Exception as error:
            where = classroom.folder / "nbgrader_config.py"
            raise GraderError(f"the late policy in {where} fails: "
                              f"{type(error).__name__}: {error}") from error
        if changes:
            before()
            for notebook, new in changes:
                notebook.late_submission_penalty = new
            book.db.commit()
    return len(changes)
