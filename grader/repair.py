"""Bring a learner's notebook into the shape that nbgrader grades, and say what had to be done.

Cells are recognised by their grade id, else by their cell id, else by what stands in them. What is
given is put back as it was released; what the learner wrote stays, graded or beside it.
"""

import re
from copy import deepcopy
from dataclasses import dataclass, field

from nbformat import NotebookNode

from course.source import NotPython, is_hole, text

from .notebooks import checked, defined, flags, grade_id, plain_python

SETUP = "setup"
# of nbgrader's, what decides; the bundle's notebooks lack what its release adds (checksum, type)
METADATA = ("grade", "grade_id", "locked", "points", "solution", "task")
DIRECTIVE = re.compile(r"^\s*#\s*\|.*$")


@dataclass(frozen=True)
class Asked:
    """One exercise or step of the released notebook."""

    target: str
    answer: NotebookNode
    check: NotebookNode

    @property
    def name(self) -> str:
        return self.target.rpartition(".")[2]

    @property
    def directive(self) -> str:
        """`#| fill minillm.x`, or '' for a step."""
        first = str(self.answer.source.splitlines()[0])
        return first if first.startswith("#|") else ""


@dataclass
class Found:
    """Where the parts of an exercise stand among the cells that came."""

    answer: int | None = None
    check: int | None = None
    doubles: list[int] = field(default_factory=list)  # further cells with the answer's grade id


def asked(released: NotebookNode) -> list[Asked]:
    """What a released notebook asks for, in its order."""
    found, answer = [], None
    for cell in released.cells:
        if flags(cell).get("solution"):
            answer = cell
        elif flags(cell).get("grade") and answer is not None:
            found.append(Asked(checked(cell), answer, cell))
    return found


def repair(raw: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The notebook to grade and the repairs that were made, in words; neither argument changes."""
    wanted, notes = asked(released), list[str]()
    found: dict[str, Found] = {}
    marks = [mark(cell) for cell in raw.cells]
    for each in wanted:
        taken = {f.answer for f in found.values()}
        found[each.target] = locate(each, raw.cells, marks, taken)
    setup = next((i for i, c in enumerate(raw.cells) if is_setup(c)), None)
    cells = assemble(raw.cells, wanted, found, setup, notes)
    put_holes(cells, wanted, found, notes)
    put_setup(cells, raw.cells, released, setup, notes)
    note_metadata(raw.cells, wanted, found, notes)
    unique_ids(cells)
    nb = NotebookNode(nbformat=4, nbformat_minor=5, metadata=deepcopy(released.metadata),
                      cells=cells)
    return nb, notes


def is_setup(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and (SETUP in (grade_id(cell), cell.id) or bool(
        re.search(r"^\s*%load_ext\s+course\b", cell.source, re.MULTILINE)))


def mark(cell: NotebookNode) -> str:
    """What a cell is known by: its grade id, or else its cell id."""
    return grade_id(cell) or f"cell {cell.id}"


def carries(own: str, original: NotebookNode) -> bool:
    """Whether the mark of a cell is that of a released one."""
    return own in (grade_id(original), f"cell {original.id}")


def answers(cell: NotebookNode, name: str) -> bool:
    """Whether this cell defines `name`, as more than a hole."""
    if cell.cell_type != "code" or name not in defined(cell.source):
        return False
    try:
        return not is_hole(text(plain_python(cell.source), name))
    except (NotPython, KeyError, SyntaxError):
        return False


def fills(cell: NotebookNode, directive: str) -> bool:
    lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
    return bool(directive) and bool(lines) and lines[0] == directive


def last(places: list[int]) -> int | None:
    return places[-1] if places else None


def locate(each: Asked, cells: list[NotebookNode], marks: list[str],
           taken: set[int | None]) -> Found:
    """The cells of one exercise: the last definition wins, since it is the one that stays."""
    free = [i for i in range(len(cells)) if i not in taken]
    own = [i for i in free if carries(marks[i], each.answer)]
    given = [i for i in free if answers(cells[i], each.name)
             and (i in own or fills(cells[i], each.directive))]
    if not given and not any(cells[i].source.strip() != each.answer.source for i in own):
        given = [i for i in free if answers(cells[i], each.name) and not checked(cells[i])]
    tried = [i for i in own if cells[i].source.strip() != each.answer.source]
    answer = last(given or tried or own)
    checks = [i for i in free if carries(marks[i], each.check)] or \
             [i for i in free if checked(cells[i]) == each.target]
    behind = [i for i in checks if answer is None or i > answer]
    check = last(behind or checks)
    return Found(answer, check, [i for i in own if i != answer])


def assemble(raw: list[NotebookNode], wanted: list[Asked], found: dict[str, Found],
             setup: int | None, notes: list[str]) -> list[NotebookNode]:
    """All cells but the setup, each check behind its answer; missing answers are not yet in."""
    by_answer = {found[each.target].answer: each for each in wanted}
    by_check = {found[each.target].check: each for each in wanted
                if found[each.target].answer is not None}
    cells: list[NotebookNode] = []
    for at, cell in enumerate(raw):
        if at in by_answer:
            each = by_answer[at]
            where = found[each.target]
            cells.append(answer_cell(each, cell, notes))
            if where.doubles:
                notes.append(f"{each.target}: {len(where.doubles) + 1} cells with its grade id; "
                             "the last one that defines it counts")
            if where.check is None:
                notes.append(f"{each.target}: the check had been deleted and was put back")
            elif where.check < at:
                notes.append(f"{each.target}: the check stood before its answer and was moved")
            if where.check is None or where.check < at or where.doubles:
                cells.append(deepcopy(each.check))
        elif at in by_check:
            each = by_check[at]
            where = found[each.target]
            if cell.source.strip() != each.check.source:
                notes.append(f"{each.target}: the check cell had been changed and was put back")
                cells += own_text(cell, each.target)
            if (where.answer or 0) < at and not where.doubles:
                cells.append(deepcopy(each.check))
        elif at != setup and (stray := stray_check(at, found)):
            cells += own_text(cell, stray)
        elif at != setup:
            cells.append(extra(cell, wanted, notes))
    return cells


def stray_check(at: int, found: dict[str, Found]) -> str:
    """The target of a check whose answer is missing: it comes back together with the hole."""
    return next((t for t, f in found.items() if f.answer is None and f.check == at), "")


def own_text(cell: NotebookNode, target: str) -> list[NotebookNode]:
    """What somebody wrote into a check cell, as a cell of its own."""
    return [extra(cell, [], [])] if cell.source.strip() and checked(cell) != target else []


def answer_cell(each: Asked, cell: NotebookNode, notes: list[str]) -> NotebookNode:
    """The learner's text in the released cell, with the directive as its first line."""
    new, source = deepcopy(each.answer), cell.source
    if cell.cell_type != "code":
        notes.append(f"{each.target}: its {cell.cell_type} cell was made a code cell again")
    lines = source.splitlines()
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].lstrip().startswith("%%"):
        notes.append(f"{each.target}: {lines[first].strip()} is left out when grading")
        lines[first] = f"# {lines[first].strip()}"
        source = "\n".join(lines)
    if each.directive and not fills(NotebookNode(source=source), each.directive):
        kept = [line for line in lines if not (DIRECTIVE.match(line) and "fill" in line)]
        source = "\n".join([each.directive, *kept])
        notes.append(f"{each.target}: the line `{each.directive}` was put back")
    new.source = source
    return new


def extra(cell: NotebookNode, wanted: list[Asked], notes: list[str]) -> NotebookNode:
    """A cell of the learner's own: it stays and runs, and is not graded."""
    new = deepcopy(cell)
    name = grade_id(cell)
    if name and name not in (SETUP, *(grade_id(c) for e in wanted for c in (e.answer, e.check))):
        notes.append(f"a cell with the unknown grade id {name[:60]!r} is kept, ungraded")
    tags = cell.metadata.get("tags")
    kept = [t for t in tags if isinstance(t, str)] if isinstance(tags, list) else []
    new.metadata = NotebookNode(tags=kept) if kept else NotebookNode()
    return new


def put_holes(cells: list[NotebookNode], wanted: list[Asked], found: dict[str, Found],
              notes: list[str]) -> None:
    """Missing answers, as they were released: before a cell that gives them, else in order."""
    for at, each in enumerate(wanted):
        if found[each.target].answer is not None:
            continue
        notes.append(f"{each.target}: the answer cell was missing and was put back as a hole")
        places = {grade_id(cell): i for i, cell in enumerate(cells)}
        giving = next((i for i, cell in enumerate(cells) if answers(cell, each.name)), None)
        earlier = [places[grade_id(w.check)] for w in wanted[:at] if grade_id(w.check) in places]
        later = [places[grade_id(w.answer)] for w in wanted[at:] if grade_id(w.answer) in places]
        place = earlier[-1] + 1 if earlier else later[0] if later else len(cells)
        if giving is not None and giving < place:
            cells.insert(giving, deepcopy(each.answer))
            cells.insert(max(place + 1, giving + 2), deepcopy(each.check))
        else:
            cells[place:place] = [deepcopy(each.answer), deepcopy(each.check)]


def put_setup(cells: list[NotebookNode], raw: list[NotebookNode], released: NotebookNode,
              at: int | None, notes: list[str]) -> None:
    """The setup cell as released, before every graded cell; what was added to it comes behind."""
    original = next((c for c in released.cells if grade_id(c) == SETUP), None)
    if original is None:
        return
    new = [deepcopy(original)]
    if at is None:
        notes.append("the setup cell was missing and was put back")
    elif raw[at].source.strip() != original.source.strip():
        notes.append("the setup cell had been changed; it was put back, the other runs after it")
        new.append(extra(raw[at], [], notes))
    graded = next((i for i, c in enumerate(cells) if grade_id(c)), len(cells))
    if at is not None and at > graded:
        notes.append("the setup cell stood behind an answer and was moved to the front")
    front = next((i for i, c in enumerate(cells) if c.cell_type == "code"), len(cells))
    place = at if at is not None and at <= graded else min(front, graded)
    cells[place:place] = new


def note_metadata(raw: list[NotebookNode], wanted: list[Asked], found: dict[str, Found],
                  notes: list[str]) -> None:
    """Say how many cells had lost what nbgrader wrote into them, or had it changed."""
    lost, changed = 0, list[str]()
    for each in wanted:
        where = found[each.target]
        for at, original in ((where.answer, each.answer), (where.check, each.check)):
            if at is None:
                continue
            if not flags(raw[at]):
                lost += 1
            elif any(flags(raw[at]).get(key) != flags(original).get(key) for key in METADATA):
                changed.append(each.target)
    if lost:
        notes.append(f"{lost} cells had lost their metadata; they were recognised and restored")
    for target in dict.fromkeys(changed):
        notes.append(f"{target}: metadata (points, locks or ids) had been changed and was restored")


def unique_ids(cells: list[NotebookNode]) -> None:
    """A valid id for each cell; released ones keep theirs."""
    taken = {c.id for c in cells if grade_id(c)}
    for number, cell in enumerate(c for c in cells if not grade_id(c)):
        if not re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", cell.id) or cell.id in taken:
            cell.id = next(name for n in range(len(cells) + 1)
                           if (name := f"extra-{number + n}") not in taken)
        taken.add(cell.id)
