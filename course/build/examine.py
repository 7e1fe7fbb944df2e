"""What can be told to be wrong from the sources alone, before anything runs."""

from pathlib import Path

from ..source import spans, text
from .lesson import Cell, Lesson, check_setup, reference_source
from .package import marked_lines, marker_fault
from .problems import Problems
from .skeleton import unfinished


def examine(root: Path, lessons: list[Lesson], problems: Problems) -> None:
    """What can be told from the sources alone."""
    solutions, asked = root / "solutions", dict[str, str]()
    for path in sorted(solutions.glob("minillm/*.py")) + sorted(solutions.glob("steps/*.py")):
        if fault := marker_fault(path.read_text("utf-8")):
            problems.add(path, *fault)
    problems.stop()
    for path, line in unfinished(authored(root, lessons)):
        problems.add(path, line, "TODO: this is still to be written")
    for lesson in lessons:
        check_setup(lesson, problems)
        for cell in lesson.asked:
            if cell.target in asked:
                problems.add(lesson.path, cell.line, f"{cell.target} is asked for twice: the grade "
                             f"id would be that of {asked[cell.target]}")
            asked[cell.target] = cell.where
            examine_answer(lesson, cell, solutions, problems)
            examine_checks(root, lesson, cell, problems)
    for path in sorted(solutions.glob("minillm/*.py")):
        source = path.read_text("utf-8")
        for name, (first, _) in spans(source).items():
            if marked_lines(text(source, name)) and f"{path.stem}.{name}" not in asked:
                problems.add(path, first + 1, f"{name} has a hole that no lesson asks for")


def authored(root: Path, lessons: list[Lesson]) -> list[Path]:
    """Every file an author writes for these lessons, once."""
    folders = ("course/scenarios", "course/mistakes", "course/alternatives", "grader/scenarios")
    cells = [c for lesson in lessons for c in lesson.asked]
    paths = [lesson.path for lesson in lessons] + [c.file(root / "solutions") for c in cells]
    return list(dict.fromkeys(paths + [p for c in cells for f in folders
                                       for p in c.authored(root / f)]))


def examine_answer(lesson: Lesson, cell: Cell, solutions: Path, problems: Problems) -> None:
    try:
        source = reference_source(cell, solutions)
    except (FileNotFoundError, KeyError):
        problems.add(lesson.path, cell.line, f"the reference has no {cell.module}.{cell.name}")
        return
    if not marked_lines(source) and source.lstrip().startswith(("def ", "class ", "@")):
        problems.add(lesson.path, cell.line, f"{cell.module}.{cell.name} has no ### BEGIN SOLUTION")


def examine_checks(root: Path, lesson: Lesson, cell: Cell, problems: Problems) -> None:
    """An exercise has a scenario, known mistakes, and (no choice or number) a hidden scenario."""
    folders = ["course/scenarios", "course/mistakes"]
    folders += [] if cell.kind == "step" else ["grader/scenarios", "course/alternatives"]
    for folder in folders:
        files = cell.authored(root / folder)
        if not any(f'"{cell.target}"' in p.read_text("utf-8") for p in files if p.is_file()):
            problems.add(lesson.path, cell.line, f"{cell.target} is not named in "
                         f"{files[0].relative_to(root) if files else folder}")
