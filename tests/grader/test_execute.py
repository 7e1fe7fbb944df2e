"""Running a notebook: what one cell does to its kernel costs that cell, and no other."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from grader import execute as module
from grader.execute import execute

from .conftest import code


def ran(tmp_path: Path, *sources: str, timeout: float = 30) -> list[Any]:
    """The cells of a small notebook after a run without course and torch."""
    (tmp_path / "package/minillm").mkdir(parents=True)
    nb = nbformat.v4.new_notebook(cells=[code(source) for source in sources])
    done = asyncio.run(execute(nb, tmp_path / "kit", tmp_path / "package", timeout))
    assert [c.source for c in done.cells] == list(sources)
    assert not any(c.outputs for c in nb.cells)
    return list(done.cells)


def shown(cell: Any) -> str:
    return "\n".join(o.get("text", "") or o.get("evalue", "") for o in cell.outputs)


def test_kernels_that_are_lost(tmp_path: Path) -> None:
    cells = ran(tmp_path, "import os; x = 1; print('once')", "os.kill(os.getpid(), 9)",
                "print(x + 1)", "print('so far', flush=True); os._exit(0)", "print(x + 2)")
    assert [shown(c).strip() for c in cells[::2]] == ["once", "2", "3"]
    assert all("the kernel ended in this cell" in shown(c) for c in cells[1::2])


def test_cells_that_take_too_long(tmp_path: Path) -> None:
    stubborn = ("import time\nwhile True:\n    try: time.sleep(60)\n"
                "    except BaseException: pass")
    cells = ran(tmp_path, "x = 1", "while True: pass", "print(x + 1)", stubborn, "print(x + 2)",
                timeout=3)
    assert "✗ stopped: it ran longer than 3 s" in shown(cells[1])
    assert len([o for o in cells[1].outputs if o.output_type == "error"]) == 1
    assert shown(cells[2]).strip() == "2" and "could not be stopped" in shown(cells[3])
    assert shown(cells[4]).strip() == "3"


def test_a_notebook_has_one_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUDGET", 0)
    [cell] = ran(tmp_path, "print(1)")
    assert "time was used up" in shown(cell)


def test_output_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 10_000)
    cells = ran(tmp_path, "for i in range(50): print('x' * 1000, flush=True)", "print('after')")
    assert len(shown(cells[0])) < 15_000 and shown(cells[1]).strip() == "after"


def test_a_hidden_error_shows(tmp_path: Path) -> None:
    cells = ran(tmp_path, "get_ipython().showtraceback = lambda *a, **k: None", "1 / 0")
    assert "ZeroDivisionError" in shown(cells[1])


def test_where_it_runs(tmp_path: Path) -> None:
    [cell] = ran(tmp_path, "import os, sys; print(os.listdir(), sys.flags.safe_path, sys.prefix)")
    assert shown(cell).strip() == f"[] True {sys.prefix}"
