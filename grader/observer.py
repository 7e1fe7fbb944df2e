"""The grader's end of `observe.py`: a warm process for a lesson, asked once a submission."""

import json
import os
import select
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from nbformat import NotebookNode

from course.source import parse

from .errors import GraderError
from .execute import TIMEOUT, environment
from .notebooks import checked, grade_id, plain_python
from .private import private_folder
from .project import Ground
from .repair import SETUP, asked

START = 120  # seconds for a process to load torch on a busy machine
LARGEST = 64 << 20


class ObserverBroken(GraderError):
    """The process does not even start: no submission can be graded."""


class ObserverLost(Exception):
    """The process ended or said nothing in time; the next request starts a new one."""


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


def imports(nb: NotebookNode) -> list[str]:
    """The modules that the setup cell of a released notebook imports, minillm left out."""
    import ast
    found = set[str]()
    for cell in nb.cells:
        if grade_id(cell) == SETUP:
            for node in parse(plain_python(cell.source)):
                if isinstance(node, ast.Import):
                    found |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    found.add(node.module)
    return sorted(name for name in found if not name.startswith("minillm"))


class Observer:
    """Observes answers in another process; use as a context manager. Threads take turns."""

    def __init__(self, ground: Ground, released: NotebookNode) -> None:
        self.ground, self.imports = ground, imports(released)
        self.process: subprocess.Popen[bytes] | None = None
        self.turn, self.asked = Lock(), 0

    def __enter__(self) -> "Observer":
        self.stack = ExitStack()
        self.private = self.stack.enter_context(private_folder())
        self.said = self.private / "stderr"
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()
        self.stack.close()

    def start(self) -> "subprocess.Popen[bytes]":
        """The running process; it is started when the first submission needs it."""
        if self.process is None:
            ground = self.ground
            env = environment([ground.observer, ground.kit, ground.package], ground.package,
                              self.private)
            with self.said.open("wb") as said:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "grader.observe", *self.imports],
                    cwd=self.private, env=env,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        return self.process

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def observe(self, nb: NotebookNode, seconds: float = TIMEOUT) -> dict[str, Any]:
        """A reply for each exercise of a repaired notebook: {"visible", "hidden"} or {"lost"}.

        Raises ObserverBroken when the process cannot be started at all.
        """
        targets = [each.target for each in asked(nb)]
        request = {"cells": cells_of(nb, self.ground.package), "targets": targets,
                   "seconds": seconds, "budget": 3 * seconds}
        with self.turn:
            self.asked += 1
            return self.answered(request | {"number": self.asked})

    def answered(self, request: dict[str, Any]) -> dict[str, Any]:
        started = self.process is not None
        try:
            return self.ask(request)
        except ObserverLost as lost:
            self.stop()
            said = self.said.read_text("utf-8", "replace") if self.said.exists() else ""
            if not started and "Error" in said:  # our own code or set-up, not an answer
                raise ObserverBroken(f"the observing process does not start: "
                                  f"{said.strip().splitlines()[-1]}") from lost
            return {target: {"lost": f"the observing process was lost: {lost}"}
                    for target in request["targets"]}
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
            raise ObserverLost("it had ended") from error
        said, end = b"", time.monotonic() + request["budget"] + START
        while not said.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or len(said) > LARGEST:
                raise ObserverLost("no answer in time")
            if hasattr(os, "fork") and not select.select([process.stdout], [], [], left)[0]:
                continue
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                raise ObserverLost("it ended")
            said += piece
        reply = json.loads(said)
        if reply["number"] != request["number"]:
            raise ObserverLost("it answered another request")
        return {target: reply["replies"][target] for target in request["targets"]}
