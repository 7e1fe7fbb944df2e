"""What the second process is told of a notebook, and what is taken from its reply."""

import ast
import re
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from course.source import NotPython, parse

from .confine import Limits
from .execute import Place
from .host import Lost
from .notebooks import checked, flags, grade_id, plain_python
from .observe import read_and_bound
from .repair import asked, is_setup


def cells_of(nb: NotebookNode, package: Path) -> list[dict[str, str]]:
    """What the observer is told of a repaired notebook: its code, and what each cell is for."""
    modules = {f"#| fill minillm.{p.stem}": f"minillm.{p.stem}"
               for p in (package / "minillm").glob("*.py") if p.stem != "__init__"}
    steps = {grade_id(a.answer): a.target for a in asked(nb) if not a.directive}
    told = []
    for cell in nb.cells:
        if cell.cell_type != "code" or checked(cell) or not cell.source.strip():
            continue
        first = next(line.strip() for line in cell.source.splitlines() if line.strip())
        told.append({"source": plain_python(cell.source), "module": modules.get(first, ""),
                     "target": steps.get(grade_id(cell), "")})
    return told


def idle(nb: NotebookNode, released: NotebookNode) -> set[int]:
    """The places of demos in a repaired notebook: given cells that no other cell takes a name from.

    What the learner wrote or changed is no demo, nor is a given cell that gives it a name, nor what
    that one uses in turn. Where several give a name, all of them count as used.
    """
    given = {cell.source.strip() for cell in released.cells if cell.cell_type == "code"}
    facts = [names_of(cell) for cell in nb.cells]
    demos = {at for at, cell in enumerate(nb.cells) if cell.cell_type == "code"
             and cell.source.strip() in given and not flags(cell) and not is_setup(cell)}
    todo = [at for at in range(len(nb.cells)) if at not in demos]
    while todo:
        used = facts[todo.pop()][0]
        needed = {at for at in demos if used & facts[at][1] or "*" in facts[at][1]}
        demos -= needed
        todo += needed
    return demos


def names_of(cell: NotebookNode) -> tuple[set[str], set[str]]:
    """The names that a cell may read, and those that it gives."""
    if cell.cell_type != "code":
        return set(), set()
    source = plain_python(cell.source)
    used, bound = read_and_bound(source)
    if UNSEEN.search(source) and not is_setup(cell):  # then any word of it may be one
        used = used | set(re.findall(r"\w+", source))
    return used, bound


# names in a magic's line, or in a text that is run, are not seen by a parser
UNSEEN = re.compile(r"get_ipython\(|\b(eval|exec|globals|locals|vars)\b")
# torch loads these at the first optimizer and the first gradient, for half a second and more
HEAVY = {"torch._dynamo": r"\boptim\b", "torch.fx.experimental.symbolic_shapes":
         r"\b(gradient|autograd|backward)\b"}


def imports(nb: NotebookNode) -> list[str]:
    """The modules that a released notebook imports, and what may be one; minillm is left out."""
    found = set[str]()
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        try:
            nodes = parse(plain_python(cell.source))
        except NotPython:
            continue
        for node in nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
    text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "code")
    found |= {name for name, sign in HEAVY.items() if re.search(sign, text)}
    return sorted(name for name in found if not name.startswith("minillm"))


def request_for(nb: NotebookNode, package: Path, limits: Limits) -> dict[str, Any]:
    """All that the observing process is told of a repaired notebook."""
    return {"cells": cells_of(nb, package), "targets": [each.target for each in asked(nb)],
            "cpu": limits.cell_cpu, "wall": limits.cell_wall,
            "total_cpu": limits.cpu, "total_wall": limits.wall}


def observe(nb: NotebookNode, package: Path, place: Place) -> dict[str, Any]:
    """A reply for each exercise of a repaired notebook: {"visible", "hidden"} or {"lost"}."""
    request = request_for(nb, package, place.limits)
    try:
        replies = place.observe(request)
    except Lost as lost:
        replies = {}
        why = f"the observing process was lost: {lost}"
    else:
        why = "the observing process said nothing of it"
    return {target: reply if isinstance(reply := replies.get(target), dict) else {"lost": why}
            for target in request["targets"]}
