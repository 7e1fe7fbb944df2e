"""The self-test once more, through real notebooks, kernels and a real gradebook."""

import ast
import re
import time
from copy import deepcopy
from pathlib import Path

import nbformat

from course.build.lesson import Lesson
from course.source import NotPython, parse

from .classroom import Classroom
from .collect import Collecting
from .grade import Grading
from .host import obstacle
from .notebooks import grade_id
from .private import private_folder
from .release import register
from .repair import asked
from .report import Row, report
from .selftest import Variant

Plan = dict[str, Variant]  # a submission: one answer for each exercise


def code(source: str) -> str:
    """The text of an answer without comments and docstrings."""
    try:
        tree = ast.Module(parse(source), [])
    except NotPython:
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def mentions(variant: Variant, targets: list[str]) -> set[str]:
    """The other exercises that an answer may call, and so depends on."""
    text = code(variant.source)
    return {t for t in targets if t != variant.target
            and re.search(rf"\b{t.rpartition('.')[2]}\b", text)}


def pack(known: dict[str, list[Variant]]) -> list[Plan]:
    """All answers in few submissions: none depends on a wrong answer of the same submission."""
    targets, plans = list(known), list[Plan]()
    reference = {t: next(v for v in known[t] if v.kind == "reference") for t in targets}
    hole = {t: next(v for v in known[t] if v.kind == "hole") for t in targets}
    left = {t: list(known[t]) for t in targets}

    def needs(variant: Variant) -> set[str]:
        """What has to be right for this answer, and for what it depends on."""
        found, todo = set[str](), mentions(variant, targets)
        while todo:
            found |= todo
            todo = set().union(*(mentions(reference[t], targets) for t in todo)) - found
        return found - {variant.target}

    def fits(variant: Variant, plan: Plan) -> bool:
        right = set().union(*(needs(v) for v in plan.values()))
        return (variant.target not in right or variant.kind == "reference") and all(
            plan.get(t, reference[t]).kind == "reference" for t in needs(variant))

    while any(left.values()):
        plan: Plan = {}
        for target in sorted(targets, key=lambda t: -len(left[t])):
            chosen = next((v for v in left[target] if fits(v, plan)), None)
            if chosen:
                plan[target] = chosen
                left[target].remove(chosen)
        for target in targets:
            if target not in plan:
                plan[target] = reference[target] if fits(reference[target], plan) else hole[target]
        plans.append(plan)
    return plans


def faults_of(row: Row, plan: Plan, points: dict[str, float]) -> list[str]:
    """Where a line of the report differs from what its answers have to come to."""
    if row["status"] != "graded":
        return [f"{row['learner']} is {row['status']}: {row['reason']}"]
    faults = []
    for target, variant in plan.items():
        full = variant.kind in ("reference", "alternative")
        score, why = row[target], row[f"{target}: why"]
        said = f"{row['learner']}: {target}: the {variant.kind} {variant.name}"
        if score != (points[target] if full else 0):
            faults.append(f"{said} gets {score} points ({why or 'passed'})")
        elif variant.kind == "mistake" and why != variant.name:
            faults.append(f"{said} is told as {why!r}")
    if row["needs a person"]:
        faults.append(f"{row['learner']}: {row['needs a person']}")
    total = sum(points[t] for t, v in plan.items() if v.kind in ("reference", "alternative"))
    if not faults and row["score"] != total:
        faults.append(f"{row['learner']} has {row['score']} points in all, not {total}")
    return faults


def realtest(root: Path, lesson: Lesson, known: dict[str, list[Variant]]) -> list[str]:
    """Grade every known answer of a lesson for real; gives the faults."""
    begin, plans = time.monotonic(), pack(known)
    with private_folder() as folder:
        room = Classroom(folder / "class")
        room.folder.mkdir()
        register(root, room, lesson)
        released = room.released(lesson.name)
        ids = {a.target: grade_id(a.answer) for a in asked(released)}
        for number, plan in enumerate(plans):
            nb, sources = deepcopy(released), {ids[t]: v.source for t, v in plan.items()}
            for cell in nb.cells:
                cell.source = sources.get(grade_id(cell), cell.source)
            path = folder / f"came/answers-{number:02d}/{lesson.name}.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(nb, path)
        Collecting(room).run(folder / "came")
        free = bool(obstacle())  # the answers are our own
        Grading(root, room, lesson.name, unconfined=free).run()
        Grading(root, room, lesson.name, unconfined=free, whole=True).run("answers-00")
        rows = {row["learner"]: row for row in report(room, [lesson.name])[1]}
    points = {c.target: c.points for c in lesson.asked}
    faults = [fault for number, plan in enumerate(plans)
              for fault in faults_of(rows[f"answers-{number:02d}"], plan, points)]
    count = sum(len(each) for each in known.values())
    print(f"{lesson.name}: {count} answers in {len(plans)} submissions through nbgrader in "
          f"{time.monotonic() - begin:.0f} s, {len(faults)} faults")
    return faults
