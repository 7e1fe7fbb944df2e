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
from .observe import read_and_bound, statements
from .repair import asked


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


def callers(nb: NotebookNode) -> set[str]:
    """The text of given cells of a released notebook that use an answer, or what such a cell made.

    What other given cells make, an array of numbers say, answers may use.
    """
    answers, found = set[str](), set[str]()
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        source = plain_python(cell.source)
        used, bound = read_and_bound(source)
        for node in statements(source):
            if isinstance(node, ast.ImportFrom) and node.module == "minillm":
                answers |= {alias.asname or alias.name for alias in node.names}
        if flags(cell).get("solution"):
            answers |= bound
        elif not flags(cell) and used & answers:
            found.add(cell.source.strip())
            answers |= bound
    return found


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
