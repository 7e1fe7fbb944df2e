"""Notebooks as they really arrive: read what can be read, and say what a notebook is."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import nbformat
from nbformat import NotebookNode

from course.source import NotPython, parse

CHECK = re.compile(r"""^\s*check\(\s*["']([\w.]+)["']\s*\)\s*;?\s*(?:#.*)?$""")
LIMIT = 100 << 20  # bytes of a notebook that is looked at


class NotANotebook(ValueError):
    """Why a file cannot be graded, in words for the instructor."""


def read(content: bytes) -> NotebookNode:
    """A notebook of any age as version 4, with every cell well formed. Raises NotANotebook."""
    if len(content) > LIMIT:
        raise NotANotebook(f"larger than {LIMIT >> 20} MB")
    try:
        raw = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotANotebook("no text in UTF-8, so no notebook") from error
    except (ValueError, RecursionError) as error:
        what = "an empty file" if not content.strip() else f"no JSON ({error})"
        raise NotANotebook(what) from error
    if not isinstance(raw, dict) or not isinstance(raw.get("nbformat"), int):
        raise NotANotebook("JSON, but no notebook: it has no nbformat")
    if not {"cells", "worksheets"} & raw.keys():
        raise NotANotebook("JSON, but no notebook: it has no cells")
    try:
        nb: NotebookNode = nbformat.from_dict(raw)
        if nb.nbformat < 4:
            nb = nbformat.convert(nb, 4)
    except Exception as error:  # nbformat raises what it comes upon
        raise NotANotebook(f"a notebook of version {raw['nbformat']} that cannot be read "
                           f"({type(error).__name__}: {error})") from error
    if nb.nbformat != 4:
        raise NotANotebook(f"a notebook of version {nb.nbformat}; version 4 is known here")
    nb.cells = [tidy(nbformat.from_dict(cell)) for cell in nb.get("cells", [])
                if isinstance(cell, dict)]
    nb.metadata = nb.get("metadata") if isinstance(nb.get("metadata"), dict) else NotebookNode()
    if not nb.cells:
        raise NotANotebook("a notebook without cells")
    return nb


def tidy(cell: NotebookNode) -> NotebookNode:
    """A cell with the fields every cell has, of the kinds they have, and without outputs."""
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(map(str, source))
    kind = cell.get("cell_type")
    new = NotebookNode(cell_type=kind if kind in ("code", "markdown", "raw") else "raw",
                       source=str(source).replace("\r\n", "\n"), metadata=NotebookNode())
    if isinstance(cell.get("metadata"), dict):
        new.metadata = cell.metadata
    new.id = cell.id if isinstance(cell.get("id"), str) else ""
    if new.cell_type == "code":
        new.outputs, new.execution_count = [], None
    elif isinstance(cell.get("attachments"), dict):
        new.attachments = cell.attachments
    return new


def flags(cell: NotebookNode) -> dict[str, Any]:
    """What nbgrader knows of a cell; empty for a cell of no interest to it."""
    known = cell.metadata.get("nbgrader")
    return known if isinstance(known, dict) else {}


def grade_id(cell: NotebookNode) -> str:
    name = flags(cell).get("grade_id")
    return name if isinstance(name, str) else ""


def checked(cell: NotebookNode) -> str:
    """The target of a cell that is one `check("…")`, else ''."""
    lines = [line for line in cell.source.splitlines()
             if line.strip() and not line.lstrip().startswith("#")]
    match = CHECK.match(lines[0]) if len(lines) == 1 and cell.cell_type == "code" else None
    return match[1] if match else ""


@lru_cache(4096)
def plain_python(source: str) -> str:
    """A cell's text with IPython's own syntax turned into Python."""
    from IPython.core.inputtransformer2 import TransformerManager
    try:
        return str(TransformerManager().transform_cell(source))  # type: ignore[no-untyped-call]
    except (SyntaxError, ValueError, RecursionError):
        return source


@lru_cache(4096)
def defined(source: str) -> frozenset[str]:
    """The names that the top-level statements of a cell define; none when it is no Python."""
    from course.source import names
    try:
        return frozenset(n for node in parse(plain_python(source)) for n in names(node))
    except NotPython:
        return frozenset()


def lesson_of(nb: NotebookNode, released: dict[str, NotebookNode], file: str) -> str:
    """Which of the released lessons a notebook is: by what it says, by its cells, by its name.

    Raises NotANotebook when nothing tells.
    """
    course = nb.metadata.get("course")
    said = course.get("lesson") if isinstance(course, dict) else None
    if said in released:
        return str(said)
    ids = count(released, lambda cell: grade_id(cell), nb, ("setup",))
    checks = count(released, checked, nb, ())
    for votes in (ids, checks):
        best = sorted(votes, key=lambda name: -votes[name])
        if best and votes[best[0]] and (len(best) == 1 or votes[best[0]] > votes[best[1]]):
            return best[0]
    by_name = [name for name in released if name in file] or \
        [name for name in released if re.search(rf"(?<!\d){name[:2]}(?!\d)", file)]
    if len(by_name) == 1 and said is None:
        return by_name[0]
    if said is not None:
        raise NotANotebook(f"the notebook of lesson {said!r}, which has not been released here")
    raise NotANotebook("a notebook, but of no lesson of this course: it has none of its cells")


def count(released: dict[str, NotebookNode], key: Any, nb: NotebookNode,
          common: Iterable[str]) -> dict[str, int]:
    """How many of a lesson's cells (by `key`) a notebook has, for each lesson."""
    mine = {key(cell) for cell in nb.cells} - {"", *common}
    return {name: len(mine & {key(cell) for cell in master.cells})
            for name, master in released.items()}
