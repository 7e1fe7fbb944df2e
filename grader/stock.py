"""Grading where nothing can be confined: the kernel that Jupyter starts, and an observer beside it.

A submission then runs as whoever grades, and may do what they may. Only wall time is limited.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from .confine import Limits
from .environment import environment
from .host import LARGEST, START, Lost, ServerBroken
from .private import private_folder
from .project import Ground

GAPS = ["NOT CONFINED: a submission can do all that you can (files, network, other programs)",
        "processor time, memory, file size and number of processes"]


class Manager(AsyncKernelManager):
    """Starts the kernel of this very Python, whatever kernels the user has installed."""

    def __init__(self, folder: Path, life: int, env: dict[str, str]) -> None:
        super().__init__(connection_file=str(folder / f"kernel-{life}.json"))
        self.folder, self.env = folder, env
        self._kernel_spec = KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            display_name="grading", language="python")

    async def _async_pre_start_kernel(self, **kw: Any) -> Any:
        return await super()._async_pre_start_kernel(
            **kw, env=self.env, cwd=str(self.folder / "work"))

    pre_start_kernel = _async_pre_start_kernel


class Stock:
    """Gives each submission a folder, and to all one observing process; a context manager."""

    def __init__(self, ground: Ground, modules: list[str], limits: Limits) -> None:
        self.ground, self.modules, self.limits = ground, modules, limits
        self.process: subprocess.Popen[bytes] | None = None
        self.turn, self.asked, self.gaps = Lock(), 0, GAPS

    def __enter__(self) -> "Stock":
        self.stack = ExitStack()
        self.private = self.stack.enter_context(private_folder())
        self.said = self.private / "said"
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()
        self.stack.close()

    @contextmanager
    def host(self, limits: Limits | None = None) -> Iterator["Place"]:
        """The place of one submission; what a cell may use of the CPU is its wall time here."""
        limits = limits or self.limits
        with private_folder() as folder:
            yield Place(self, folder, replace(limits, cell_wall=limits.cell_cpu))

    def start(self) -> "subprocess.Popen[bytes]":
        """The observing process; it is started when the first submission needs it."""
        if self.process is None:
            ground = self.ground
            env = environment([ground.observer, ground.kit, ground.package], ground.package,
                              self.private, confined=False)
            with self.said.open("wb") as said:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "grader.observe", *self.modules],
                    cwd=self.private, env=env,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        return self.process

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def observe(self, request: dict[str, Any]) -> dict[str, Any]:
        """The replies of the observing process. Raises Lost, and ServerBroken if it never works."""
        with self.turn:
            self.asked += 1
            started = self.process is not None
            try:
                return self.ask(request | {"number": self.asked})
            except Lost as lost:
                self.stop()
                said = self.said.read_text("utf-8", "replace") if self.said.exists() else ""
                if not started and "Error" in said:  # our own code or set-up, not an answer
                    raise ServerBroken(f"the observing process does not start: "
                                       f"{said.strip().splitlines()[-1]}") from lost
                raise
            finally:
                if not hasattr(os, "fork"):  # answers ran in the process itself
                    self.stop()

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self.start()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise Lost("it had ended") from error
        said, end = b"", time.monotonic() + request["total_wall"] + START
        while not said.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or len(said) > LARGEST:
                raise Lost("no answer in time")
            if hasattr(os, "fork") and not select.select([process.stdout], [], [], left)[0]:
                continue
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                raise Lost("it ended")
            said += piece
        reply = json.loads(said)
        if reply["number"] != request["number"]:
            raise Lost("it answered another request")
        replies: dict[str, Any] = reply["replies"]
        return replies


class Place:
    """A folder, and kernels that Jupyter starts in it."""

    def __init__(self, stock: Stock, folder: Path, limits: Limits) -> None:
        self.stock, self.folder, self.limits = stock, folder, limits

    def manager(self, life: int) -> AsyncKernelManager:
        ground = self.stock.ground
        return Manager(self.folder, life, environment(
            [ground.kit, ground.package], ground.package, self.folder, confined=False))

    def observe(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.stock.observe(request)

    def cpu(self) -> float:
        """Not counted here."""
        return 0.0

    def end(self) -> None:
        """The client ends its own kernel; what that has started stays."""
