"""`course/contents.json`: what a learner's commands know of the lessons, without the lessons."""

import json
from pathlib import Path

from ..source import without_magics
from .depends import reached
from .lesson import Lesson


def builds_on(lesson: Lesson, solutions: Path) -> set[Path]:
    """The modules of the package that a lesson's code reaches."""
    code = [f"import {c.module}" for c in lesson.asked]
    code += [without_magics(c.source) for c in lesson.cells if c.kind in ("setup", "code")]
    return set(reached(code, solutions))


def title(lesson: Lesson) -> str:
    """Its first heading, without the number."""
    first = lesson.cells[0].source.splitlines()[0]
    return first.lstrip("# ").removeprefix(f"{lesson.number:02d}").strip()


def contents(lessons: list[Lesson], solutions: Path) -> str:
    """All lessons: title, minutes, what is asked for, and which later ones build on it."""
    needs = {lesson.name: builds_on(lesson, solutions) for lesson in lessons}
    rows = []
    for lesson in lessons:
        own = {c.file(solutions) for c in lesson.asked if c.kind == "exercise"}
        rows.append({
            "name": lesson.name, "title": title(lesson), "minutes": lesson.minutes,
            "unlocks": [later.name for later in lessons
                        if later.number > lesson.number and own & needs[later.name]],
            "asked": [{"target": c.target, "points": c.points} for c in lesson.asked]})
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
