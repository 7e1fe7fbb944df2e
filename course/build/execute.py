"""Run a solved notebook on a package that has holes from its lesson on."""

import json
import os
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from nbformat import NotebookNode

from ..source import without_magics
from ..workspace import MADE, TOOLS
from .depends import reached, widgets
from .lesson import Lesson
from .package import make_package, package_files
from .problems import Problems

TIMEOUT = 300  # seconds for one cell: a backstop, not a measure


def key(nb: NotebookNode, reference: Path, number: int, holes: dict[str, str]) -> str:
    """What the outputs of a notebook were made from: its code and the package it ran on."""
    code = [c.source for c in nb.cells if c.cell_type == "code"]
    plain = [without_magics(source) for source in code]
    package = package_files(reference, MADE.format(number), holes)
    used = {path.name: package[path.name] for path in reached(plain, reference.parent)
            if path.parent == reference}
    used |= {path.name: path.read_text("utf-8")
             for path in widgets(plain, reference.parent.parent)}
    return sha256(json.dumps([code, used]).encode()).hexdigest()[:16]


def keep_outputs(nb: NotebookNode, old: NotebookNode) -> None:
    """Outputs of an earlier run whose code was the same."""
    ran = iter([c for c in old.cells if c.cell_type == "code"])
    for cell in nb.cells:
        if cell.cell_type == "code":
            before = next(ran)
            cell.outputs, cell.execution_count = before.outputs, before.execution_count
    if "widgets" in old.metadata:
        nb.metadata["widgets"] = old.metadata["widgets"]


def execute(nb: NotebookNode, lesson: Lesson, holes: dict[str, str], root: Path,
            problems: Problems) -> None:
    """Fill in the outputs; a cell that fails, or writes to stderr, is a problem with its line."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    with TemporaryDirectory() as folder:
        make_package(root / "solutions/minillm", Path(folder), MADE.format(lesson.number), holes)
        env = {k: v for k, v in os.environ.items() if k not in TOOLS}
        env |= {"COURSE_MINILLM": folder, "PYTHONPATH": str(root)}
        env.setdefault("COURSE_SHORT", "0")  # the finale at full length
        client = NotebookClient(nb, timeout=TIMEOUT, kernel_name="python3", record_timing=False,
                                coalesce_streams=True,  # the same chunks every time
                                extra_arguments=["--log-level=ERROR"],
                                resources={"metadata": {"path": folder}})
        try:
            client.execute(env=env)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            said = str(error).strip().splitlines() or [repr(error)]
            problems.add(lesson.path, line_of_failure(nb, lesson), said[-1])
            return
    drop_bars(nb)
    nb.metadata["language_info"] = {"name": "python"}  # without the version of the Python that ran
    for cell, line in code_lines(nb, lesson):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                problems.add(lesson.path, line, "writes to stderr, which costs a grade its points "
                             f"and nbval its peace: {output.text.strip().splitlines()[-1]}")


def drop_bars(nb: NotebookNode) -> None:
    """Take progress bars out: a page without a kernel shows them as they began, at 0 %."""
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs
                            if not o.get("data", {}).get("text/plain", "").startswith("  0%|")]


def code_lines(nb: NotebookNode, lesson: Lesson) -> list[tuple[NotebookNode, int]]:
    """Each code cell of a notebook with the line of the lesson it comes from."""
    lines = []
    for cell in lesson.cells:
        if cell.kind != "markdown":
            lines += [cell.line] * (2 if cell.target else 1)
    lines.append(lesson.cells[-1].line)  # the progress cell, which the build adds
    return list(zip([c for c in nb.cells if c.cell_type == "code"], lines, strict=True))


def line_of_failure(nb: NotebookNode, lesson: Lesson) -> int:
    """The line of the cell that ran last."""
    ran = [line for cell, line in code_lines(nb, lesson) if cell.execution_count or cell.outputs]
    return ran[-1] if ran else 1
