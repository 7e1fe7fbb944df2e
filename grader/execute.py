"""Run a learner's notebook with nbclient; a kernel that is lost costs one cell."""

import asyncio
import signal
import time
from collections.abc import Container
from contextlib import AbstractContextManager, suppress
from copy import deepcopy
from pathlib import Path
from typing import Any, Protocol

from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

from .confine import Limits

KEPT, FATAL = 1 << 20, 64 << 20  # bytes of a cell's output that are kept, and that end the kernel
LATE = "CellTimeout"
LEFT_OUT = "not run when grading: nothing that counts needs it\n"
STOPPED = "not run: a cell above had to be stopped\n"
QUIET = ["--HistoryManager.enabled=False", "--log-level=ERROR"]
LOOK = 0.1  # seconds between two looks at the CPU time of a cell
GRACE = 2.0  # seconds for an interrupted cell to end


class Place(Protocol):
    """Where one submission runs: `host.Host`, or `stock.Place` without any confinement."""

    limits: Limits
    folder: Path

    def manager(self, life: int) -> AsyncKernelManager: ...
    def observe(self, request: dict[str, Any]) -> dict[str, Any]: ...
    def cpu(self) -> float: ...
    def end(self) -> None: ...


class Places(Protocol):
    """What gives each submission its place. `gaps`: the limits that cannot be enforced here."""

    gaps: list[str]

    def host(self, limits: Limits | None = None) -> AbstractContextManager[Place]: ...


class OverTime(Exception):
    """A cell used up its time; the message says which."""


class Client(NotebookClient):
    """Runs every cell; one that ends or blocks the kernel gets the reason as its error."""

    def __init__(self, nb: NotebookNode, place: Place, demos: Container[int] = (),
                 whole: bool = False) -> None:
        limits = place.limits
        super().__init__(
            nb, timeout=max(1, round(limits.cell_wall)), interrupt_on_timeout=True,
            allow_errors=True, error_on_timeout={
                "ename": LATE, "evalue": f"it ran longer than {limits.cell_wall:g} s"},
            shutdown_kernel="immediate", extra_arguments=QUIET, record_timing=False,
            raise_on_iopub_timeout=True, skip_cells_with_tag="",
            iopub_timeout=max(4, round(limits.cell_wall / 2)),
            on_cell_executed=show_suppressed)
        self.place, self.limits, self.lives, self.seen = place, limits, 0, 0
        self.over, self.used, self.looked = "", 0.0, 0.0
        self.demos, self.whole, self.stopped = demos, whole, False
        self.deadline = time.monotonic() + limits.wall
        self.log.setLevel("CRITICAL")

    async def run_all(self) -> None:
        """Every cell in order; after a lost kernel, a new one runs what had survived again.

        Demos are left out unless the whole notebook is wanted, and then too once a cell had to be
        stopped: those that call the same answer would use up the time of all other checks.
        """
        done: list[int] = []
        await self.start()
        try:
            for at, cell in enumerate(self.nb.cells):
                if cell.cell_type != "code" or not cell.source.strip():
                    continue
                self.look()
                if time.monotonic() > self.deadline or self.used > self.limits.cpu:
                    cell.outputs = [error("NotRun", "✗ not run: the notebook's time was used up")]
                elif at in self.demos and (self.stopped or not self.whole):
                    cell.outputs = [new_output("stream", name="stdout", text=(
                        STOPPED if self.whole else LEFT_OUT))]
                elif await self.run(cell, at):
                    done.append(at)
                else:
                    await self.restart(done)
        finally:
            await self.stop()

    async def run(self, cell: NotebookNode, at: int) -> bool:
        """Run one cell; False when the kernel was lost, and then the cell says so."""
        self.seen, self.over = 0, ""
        watch = asyncio.create_task(self.watch())
        try:
            await self.async_execute_cell(cell, at, execution_count=self.code_cells_executed + 1)
            if self.seen > FATAL:  # the reply overtook the flood
                raise DeadKernelError("too much output")
            if self.over:
                show_late(cell, f"the cell {self.over}")
            return True
        except (DeadKernelError, CellTimeoutError, RuntimeError) as why:
            self.stopped = self.stopped or isinstance(why, CellTimeoutError)
            told = f"✗ the cell ran longer than {self.timeout} s and could not be stopped"
            if self.over:
                told = f"✗ the cell {self.over} and could not be stopped"
            elif isinstance(why, DeadKernelError):
                told = "✗ the kernel ended in this cell"
            if self.seen > FATAL:
                told = "✗ the cell printed too much"
            cell.outputs = [*cell.get("outputs", [])[:20], error("KernelLost", told)]
            return False
        finally:
            self.stopped = self.stopped or bool(self.over) or any(
                o.get("ename") == LATE for o in cell.get("outputs", []))
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch

    def look(self) -> None:
        """Note the CPU time used so far, though not again for each of many short cells."""
        if time.monotonic() - self.looked >= LOOK:
            self.used, self.looked = self.place.cpu(), time.monotonic()

    async def watch(self) -> None:
        """Interrupt a cell that uses too much CPU time, then end it; counted from outside."""
        begin, used = self.used, 0.0
        most = min(self.limits.cell_cpu, self.limits.cpu - begin)
        while used < most and time.monotonic() < self.deadline:
            await asyncio.sleep(LOOK)
            used = self.place.cpu() - begin
        self.over = f"used more than {most:.3g} s of processor time" if used >= most else \
            f"went on when the notebook's {self.limits.wall:g} s were over"
        await self.signal(signal.SIGINT)
        await asyncio.sleep(GRACE)
        await asyncio.to_thread(self.place.end)

    async def signal(self, number: int) -> None:
        assert isinstance(self.km, AsyncKernelManager)
        await self.km._async_signal_kernel(number)

    async def start(self) -> None:
        self.lives += 1
        (self.place.folder / "work").mkdir(exist_ok=True)
        self.km = self.place.manager(self.lives)
        await self.async_start_new_kernel()
        await self.async_start_new_kernel_client()

    async def stop(self) -> None:
        await asyncio.to_thread(self.place.end)
        if self.km is not None:
            await self._async_cleanup_kernel()

    async def restart(self, done: list[int]) -> None:
        await self.stop()
        await self.start()
        for at in done:
            self.look()
            if not await self.run(deepcopy(self.nb.cells[at]), at):
                return

    async def async_execute_cell(self, cell: NotebookNode, cell_index: int,
                                 execution_count: int | None = None,
                                 store_history: bool = True) -> NotebookNode:
        before = self.nb.cells[cell_index]
        try:
            return await super().async_execute_cell(cell, cell_index, execution_count,
                                                    store_history)
        finally:
            self.nb.cells[cell_index] = before  # a second run of it shows nothing

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        if msg["msg_type"] in ("stream", "display_data", "execute_result", "error"):
            self.seen += len(repr(msg["content"]))
            if self.seen > FATAL:
                asyncio.ensure_future(self.signal(signal.SIGTERM))
            if self.seen > KEPT:
                return None
        return super().process_message(msg, cell, cell_index)


def error(name: str, *lines: str) -> NotebookNode:
    """An error output that shows these lines and nothing else."""
    output: NotebookNode = new_output("error", ename=name, evalue="\n".join(lines),
                                      traceback=["\n".join(lines)])
    return output


def show_late(cell: NotebookNode, why: str) -> None:
    """A cell that was interrupted says so instead of how."""
    cell.outputs = [o for o in cell.outputs if o.output_type != "error"]
    cell.outputs.append(error(LATE, f"✗ stopped: {why}"))


def show_suppressed(cell: NotebookNode, cell_index: int, execute_reply: dict[str, Any]) -> None:
    """A cell whose reply says error shows one, even with `showtraceback` replaced."""
    reply = execute_reply["content"]
    if reply.get("ename") == LATE:
        show_late(cell, str(reply["evalue"]))
    elif reply["status"] == "error" and not any(o.output_type == "error" for o in cell.outputs):
        name, text = str(reply.get("ename")), str(reply.get("evalue"))[:500]
        cell.outputs.append(error(name, f"{name}: {text}"))


async def execute(nb: NotebookNode, place: Place, demos: Container[int] = (),
                  whole: bool = False) -> NotebookNode:
    """The notebook with the outputs of a run in a fresh kernel and an empty folder.

    `demos`: the places of cells that count for nothing and that no other needs; run if `whole`.
    """
    ran = deepcopy(nb)
    await Client(ran, place, demos, whole).run_all()
    ran.metadata["language_info"] = {"name": "python"}
    return ran
