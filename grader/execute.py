"""Run a learner's notebook with nbclient; a kernel that is lost costs one cell."""

import asyncio
import os
import signal
import sys
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

from .private import private_folder

TIMEOUT = 60  # seconds of wall time for a cell: a backstop, so that a busy machine changes nothing
BUDGET = 10  # times that for the whole notebook
KEPT, FATAL = 1 << 20, 64 << 20  # bytes of a cell's output that are kept, and that end the kernel
LATE = "CellTimeout"
QUIET = ["--HistoryManager.enabled=False", "--log-level=ERROR"]
TOOLS = ("PYTEST", "NBGRADER", "JPY_", "COURSE_", "PYTHON")  # of whoever runs the grader, not ours


def environment(path: list[Path], package: Path, private: Path) -> dict[str, str]:
    """What a process that runs a learner's code is told: our kit and package, no settings."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(TOOLS)}
    return env | {
        "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONSAFEPATH": "1",
        "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
        "COURSE_MINILLM": str(package), "NBGRADER_EXECUTION": "autograde",
        "OMP_NUM_THREADS": "1", "IPYTHONDIR": str(private), "JUPYTER_RUNTIME_DIR": str(private),
    }


class Manager(AsyncKernelManager):
    """Starts the kernel of this very Python, whatever kernels the user has installed."""

    def __init__(self, private: Path) -> None:
        super().__init__(connection_file=str(private / "kernel.json"))
        self._kernel_spec = KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            display_name="grading", language="python")


class Client(NotebookClient):
    """Runs every cell; one that ends or blocks the kernel gets the reason as its error."""

    def __init__(self, nb: NotebookNode, private: Path, env: dict[str, str],
                 timeout: float) -> None:
        super().__init__(
            nb, timeout=max(1, round(timeout)), interrupt_on_timeout=True, allow_errors=True,
            error_on_timeout={"ename": LATE, "evalue": f"it ran longer than {timeout:g} s"},
            shutdown_kernel="immediate", extra_arguments=QUIET, record_timing=False,
            raise_on_iopub_timeout=True, skip_cells_with_tag="",
            iopub_timeout=max(4, round(timeout / 2)),
            on_cell_executed=show_suppressed)
        self.private, self.env, self.lives, self.seen = private, env, 0, 0
        self.deadline = time.monotonic() + BUDGET * timeout
        self.log.setLevel("CRITICAL")

    async def run_all(self) -> None:
        """Every cell in order; after a lost kernel, a new one runs what had survived again."""
        done: list[int] = []
        await self.start()
        try:
            for at, cell in enumerate(self.nb.cells):
                if cell.cell_type != "code" or not cell.source.strip():
                    continue
                if time.monotonic() > self.deadline:
                    cell.outputs = [error("NotRun", "✗ not run: the notebook's time was used up")]
                elif await self.run(cell, at):
                    done.append(at)
                else:
                    await self.restart(done)
        finally:
            await self.stop()

    async def run(self, cell: NotebookNode, at: int) -> bool:
        """Run one cell; False when the kernel was lost, and then the cell says so."""
        self.seen = 0
        try:
            await self.async_execute_cell(cell, at, execution_count=self.code_cells_executed + 1)
            return True
        except (DeadKernelError, CellTimeoutError, RuntimeError) as why:
            told = f"✗ the cell ran longer than {self.timeout} s and could not be stopped"
            if isinstance(why, DeadKernelError):
                told = "✗ the kernel ended in this cell"
            if self.seen > FATAL:
                told = "✗ the cell printed too much"
            cell.outputs = [*cell.get("outputs", [])[:20], error("KernelLost", told)]
            return False

    async def start(self) -> None:
        self.lives += 1
        private = self.private / f"kernel-{self.lives}"
        private.mkdir()
        self.km = Manager(private)
        await self.async_start_new_kernel(env=self.env, cwd=str(self.private / "work"))
        await self.async_start_new_kernel_client()

    async def stop(self) -> None:
        if self.km is not None:
            await self._async_cleanup_kernel()

    async def restart(self, done: list[int]) -> None:
        await self.stop()
        await self.start()
        for at in done:
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
            if self.seen > FATAL and isinstance(self.km, Manager):
                asyncio.ensure_future(self.km.signal_kernel(signal.SIGTERM))
            if self.seen > KEPT:
                return None
        return super().process_message(msg, cell, cell_index)


def error(name: str, *lines: str) -> NotebookNode:
    """An error output that shows these lines and nothing else."""
    output: NotebookNode = new_output("error", ename=name, evalue="\n".join(lines),
                                      traceback=["\n".join(lines)])
    return output


def show_suppressed(cell: NotebookNode, cell_index: int, execute_reply: dict[str, Any]) -> None:
    """A cell whose reply says error shows one, even with `showtraceback` replaced."""
    reply = execute_reply["content"]
    if reply.get("ename") == LATE:
        cell.outputs = [o for o in cell.outputs if o.output_type != "error"]
        cell.outputs.append(error(LATE, f"✗ stopped: {reply['evalue']}"))
    elif reply["status"] == "error" and not any(o.output_type == "error" for o in cell.outputs):
        name, text = str(reply.get("ename")), str(reply.get("evalue"))[:500]
        cell.outputs.append(error(name, f"{name}: {text}"))


async def execute(nb: NotebookNode, kit: Path, package: Path, timeout: float = TIMEOUT,
                  ) -> NotebookNode:
    """The notebook with the outputs of a run in a fresh kernel and an empty folder."""
    ran = deepcopy(nb)
    with private_folder() as private:
        (private / "work").mkdir()
        await Client(ran, private, environment([kit, package], package, private),
                     timeout).run_all()
    ran.metadata["language_info"] = {"name": "python"}
    return ran
