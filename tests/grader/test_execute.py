"""Running a notebook: what one cell does to its kernel costs that cell, and no other."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import nbformat
import pytest

from grader import execute as module
from grader.confine import Limits
from grader.execute import LEFT_OUT, STOPPED, Places, execute

from .conftest import code, confined

Ran = Callable[..., list[Any]]


@pytest.fixture
def ran(places: Places) -> Ran:
    """Gives the cells of a small notebook after a run."""

    def run(*sources: str, demos: tuple[int, ...] = (), whole: bool = False, **limits: float,
            ) -> list[Any]:
        nb = nbformat.v4.new_notebook(cells=[code(source) for source in sources])
        with places.host(replace(Limits(), **limits)) as place:
            done = asyncio.run(execute(nb, place, demos, whole))
        assert [c.source for c in done.cells] == list(sources)
        assert not any(c.outputs for c in nb.cells)
        return list(done.cells)

    return run


def shown(cell: Any) -> str:
    return "\n".join(o.get("text", "") or o.get("evalue", "") for o in cell.outputs)


def test_kernels_that_are_lost(ran: Ran) -> None:
    cells = ran("import os; x = 1; print('once')", "os.kill(os.getpid(), 9)",
                "print(x + 1)", "print('so far', flush=True); os._exit(0)", "print(x + 2)")
    assert [shown(c).strip() for c in cells[::2]] == ["once", "2", "3"]
    assert all("the kernel ended in this cell" in shown(c) for c in cells[1::2])


STUBBORN = "import time\nwhile True:\n    try: {}\n    except BaseException: pass"


@confined
def test_cells_that_use_too_much_processor_time(ran: Ran) -> None:
    cells = ran("x = 1", "while True: pass", "print(x + 1)", STUBBORN.format("sum(range(9**6))"),
                "print(x + 2)", cell_cpu=0.5)
    assert "✗ stopped: the cell used more than 0.5 s of processor time" in shown(cells[1])
    assert len([o for o in cells[1].outputs if o.output_type == "error"]) == 1
    assert shown(cells[2]).strip() == "2" and "could not be stopped" in shown(cells[3])
    assert shown(cells[4]).strip() == "3"


def test_cells_that_take_too_long(ran: Ran) -> None:
    cells = ran("x = 1", "import time\ntime.sleep(60)", "print(x + 1)", cell_wall=1, cell_cpu=1)
    assert "✗ stopped: it ran longer than 1 s" in shown(cells[1])
    assert shown(cells[2]).strip() == "2"


def test_a_sleeper_that_cannot_be_woken(ran: Ran) -> None:
    cells = ran("x = 1", STUBBORN.format("time.sleep(60)"), "print(x + 1)", cell_wall=1, cell_cpu=1)
    assert "could not be stopped" in shown(cells[1]) and shown(cells[2]).strip() == "2"


@confined
def test_a_notebook_has_one_budget(ran: Ran) -> None:
    cells = ran("import time; time.sleep(60)", "print(1)", wall=1.5)
    assert "went on when the notebook's 1.5 s were over" in shown(cells[0])
    assert "time was used up" in shown(cells[1])
    cells = ran("while True: pass", "print(1)", "print(2)", cpu=0.8)
    assert "processor time" in shown(cells[0]) and "time was used up" in shown(cells[2])


@pytest.mark.parametrize("body", ["while True: pass", "time.sleep(60)"])
def test_an_answer_that_does_not_end_leaves_time_for_others(ran: Ran, body: str) -> None:
    """Each demo that calls it used up a cell's time, and the checks of right answers had none."""
    demos = [f"print({n}, softmax())" for n in range(6)]
    cells = ran("print('a demo above')", f"import time\ndef softmax():\n    {body}", "softmax()",
                *demos, "print('another answer')", demos=(0, *range(3, 9)), whole=True,
                cell_cpu=1, cell_wall=2, cpu=5, wall=10)
    assert shown(cells[0]).strip() == "a demo above" and "✗ stopped" in shown(cells[2])
    assert all(shown(c) == STOPPED for c in cells[3:-1])
    assert shown(cells[-1]).strip() == "another answer"


def test_demos_are_left_out(ran: Ran) -> None:
    cells = ran("print(1)", "x = 2", "print('x' in globals())", demos=(0, 1))
    assert [shown(c) for c in cells[:2]] == [LEFT_OUT, LEFT_OUT]
    assert shown(cells[2]).strip() == "False"


def test_output_is_limited(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 10_000)
    cells = ran("for i in range(50): print('x' * 1000, flush=True)", "print('after')")
    assert len(shown(cells[0])) < 15_000 and shown(cells[1]).strip() == "after"


def test_a_large_output_comes_whole(ran: Ran) -> None:
    """ZeroMQ starts a thread of its own for messages of 64 KB and more."""
    [cell] = ran("print('x' * 300_000)")
    assert shown(cell) == "x" * 300_000 + "\n"


def test_a_hidden_error_shows(ran: Ran) -> None:
    cells = ran("get_ipython().showtraceback = lambda *a, **k: None", "1 / 0")
    assert "ZeroDivisionError" in shown(cells[1])


def test_where_it_runs(ran: Ran) -> None:
    [cell] = ran("import os, sys; print(os.listdir(), sys.flags.safe_path, sys.prefix)")
    assert shown(cell).strip() == f"[] True {sys.prefix}"
