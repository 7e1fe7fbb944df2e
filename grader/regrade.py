"""`grader regrade`: after a check was corrected, grade what it touches and say who changed."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .classroom import Classroom
from .errors import GraderError
from .grade import Grading
from .report import graded


@dataclass
class Done:
    """The table, a line each, and who was not graded."""

    lines: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def regrade(root: Path, classroom: Classroom, lessons: list[str], jobs: int = 0,
            unconfined: bool = False) -> Done:
    """Grade these lessons again, or all that were graded; nothing runs where nothing changed.

    Raises GraderError when no lesson has been graded yet.
    """
    known = [n for n in classroom.lessons() if classroom.journal(n).learners("result")]
    if not (lessons or known):
        raise GraderError(f"no lesson has been graded in {classroom.folder}")
    done, changes = Done(), list[tuple[str, ...]]()
    for lesson in lessons or known:
        before = results(classroom, lesson)
        summary = Grading(root, classroom, lesson, jobs=jobs, unconfined=unconfined).run()
        done.failed |= {f"{learner}, {lesson}": why for learner, why in summary.failed.items()}
        changes += changed(lesson, before, results(classroom, lesson))
        done.lines.append(f"{lesson}: {len(summary.ran)} run again, {len(summary.graded)} recorded "
                          f"again, {len(summary.unchanged)} as before")
    done.lines += table(changes) if changes else ["nobody's grade or reason changed"]
    return done


def results(classroom: Classroom, lesson: str) -> dict[str, dict[str, Any]]:
    """Outcomes and scores by learner."""
    journal = classroom.journal(lesson)
    with classroom.gradebook() as book:
        scores = graded(book, lesson)
    return {learner: {"outcomes": result["outcomes"], "scores": scores.get(learner, {})}
            for learner in journal.learners("result")
            if (result := journal.load(learner, "result"))}


def changed(lesson: str, before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, ...]]:
    """A line for each exercise of each learner whose score or reason is another one now."""
    found = []
    for learner, new in after.items():
        old = before.get(learner, {"outcomes": {}, "scores": {}})
        for name, outcome in new["outcomes"].items():
            was = old["outcomes"].get(name, {})
            points = [f"{r['scores'].get(name, 0):g}" for r in (old, new)]
            whys = [say(o) for o in (was, outcome)]
            if points[0] != points[1] or whys[0] != whys[1]:
                found.append((learner, lesson, outcome["target"], points[0], points[1], *whys))
        taken = [taken_off(r["scores"]) for r in (old, new)]
        if taken[0] != taken[1]:
            found.append((learner, lesson, "(late)", *taken, "", "of the late policy"))
    return found


def taken_off(scores: dict[str, float]) -> str:
    """What being late costs, as points."""
    return f"{scores.get('', 0) - sum(v for k, v in scores.items() if k):g}"


def say(outcome: dict[str, Any]) -> str:
    if not outcome:
        return "not graded"
    return "passed" if outcome["passed"] else str(outcome["mistake"] or outcome["why"])


def table(rows: list[tuple[str, ...]]) -> list[str]:
    head = ("learner", "lesson", "exercise", "was", "is", "because it was", "because it is")
    whole = [head, *rows]
    widths = [max(len(row[at]) for row in whole) for at in range(len(head))]
    return ["  ".join(f"{text:{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
            for row in whole]
