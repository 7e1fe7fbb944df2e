"""The grader's end of the fork server: a warm server for a lesson, in it a host per submission."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import asdict
from itertools import count
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from jupyter_client.manager import AsyncKernelManager

from . import cgroups
from .confine import SYSTEM, Limits, landlock_version
from .environment import environment
from .errors import GraderError
from .kernels import Handle, Manager
from .private import private_folder
from .project import Ground
from .warm import below

START = 120  # seconds to load torch on a busy machine
LARGEST = 64 << 20  # bytes of a reply with observations
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class ServerBroken(GraderError):
    """The fork server does not work: no submission can be graded."""


class Lost(Exception):
    """A process did not answer; the message says how, in words for the report."""


def obstacle() -> str:
    """Why submissions cannot be confined on this machine; '' when they can."""
    if sys.platform != "linux":
        return f"only Linux can confine a process as grading needs it, and this is {sys.platform}"
    if not landlock_version():
        return "the kernel of this machine has no Landlock (it needs 5.13 or newer, with it on)"
    return ""


class Server:
    """Forks confined processes with everything loaded; use as a context manager.

    `meanwhile` is done while it loads. Attributes: `gaps`, what this machine cannot enforce, in
    words.
    """

    def __init__(self, ground: Ground, modules: list[str], limits: Limits,
                 meanwhile: Callable[[], object] = lambda: None) -> None:
        self.ground, self.modules, self.limits = ground, modules, limits
        self.meanwhile = meanwhile
        self.turn, self.numbers = Lock(), count()
        self.gaps: list[str] = []

    def __enter__(self) -> "Server":
        with ExitStack() as stack:
            private = stack.enter_context(private_folder())
            said = private / "said"
            self.channel, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.callback(self.channel.close)
            ground = self.ground
            env = environment([ground.observer, ground.kit, ground.package], ground.package,
                              private)
            with far, said.open("wb") as output:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "grader.warm", str(far.fileno()), *self.modules],
                    cwd=private, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                    pass_fds=[far.fileno()])
            stack.callback(self.stop)
            self.meanwhile()
            self.channel.settimeout(START)
            if not self.answer():
                text = said.read_text("utf-8", "replace").strip() or "it said nothing"
                raise ServerBroken(f"the fork server does not start: {text.splitlines()[-1]}")
            with self.host() as first:
                self.gaps = first.gaps
            self.stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stack.close()

    def stop(self) -> None:
        self.channel.close()  # it ends all that is left, and itself
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def answer(self) -> dict[str, Any] | None:
        try:
            message = self.channel.recv(1 << 16)
        except TimeoutError:
            return None
        return json.loads(message) if message else None

    def host(self, limits: Limits | None = None) -> "Host":
        """A new host for one submission; use it as a context manager. Raises ServerBroken."""
        limits = limits or self.limits
        groups = cgroups.make(next(self.numbers), limits)
        channel, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        told, tell = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with far, tell, told:
            told.settimeout(START)
            request = {"do": "host", "cgroups": list(map(str, groups)),
                       "processes": limits.processes}
            try:
                with self.turn:
                    handle = Handle(*ask(self.channel, request, far.fileno(), tell.fileno()))
                handle.close()
                tell.close()
                message, files, _, _ = socket.recv_fds(told, 1 << 16, 1)
                found = json.loads(message)
            except (OSError, ValueError, Lost) as error:
                channel.close()
                cgroups.remove(groups)
                raise ServerBroken(f"the fork server is lost: {error}") from error
        return Host(self, channel, Handle(found, files), groups, found["gaps"], limits)


def ask(channel: socket.socket, request: dict[str, Any], *files: int,
        ) -> tuple[dict[str, Any], list[int]]:
    """Send a request and give the reply, with the files that came along. Raises Lost, OSError."""
    socket.send_fds(channel, [json.dumps(request).encode()], list(files))
    message, handles, _, _ = socket.recv_fds(channel, 1 << 16, 1)
    if not message:
        raise Lost("it ended")
    return json.loads(message), handles


class Host:
    """Where one submission runs: a private folder, kernels and observers, and their CPU time."""

    def __init__(self, server: Server, channel: socket.socket, handle: Handle,
                 groups: tuple[Path, ...], gaps: list[str], limits: Limits) -> None:
        self.server, self.channel, self.handle = server, channel, handle
        self.groups, self.gaps, self.limits = groups, gaps, limits
        self.channel.settimeout(START)

    def __enter__(self) -> "Host":
        self.stack = ExitStack()
        self.private = self.stack.enter_context(private_folder())
        self.folder = self.private / "k"
        self.folder.mkdir()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.channel.close()
        if not self.handle.wait(10):
            self.handle.send(signal.SIGKILL)
            self.handle.wait(10)
        self.handle.close()
        cgroups.remove(self.groups)
        self.stack.close()

    def fork(self, what: str, folder: Path, readable: list[Path], *files: int, **more: Any,
             ) -> Handle:
        """A process that is confined to a folder, at work in `work` in it. Raises Lost."""
        (folder / "work").mkdir(parents=True, exist_ok=True)
        request = {"do": what, "folder": str(folder), "limits": asdict(self.limits),
                   "readable": [*SYSTEM, sys.prefix, sys.base_prefix, *site_folders(),
                                *map(str, readable)], **more}
        try:
            return Handle(*ask(self.channel, request, *files))
        except OSError as error:
            raise Lost(str(error)) from error

    def manager(self, life: int) -> AsyncKernelManager:
        """What starts a kernel here, for nbclient."""
        return Manager(self, life)

    def kernel(self, arguments: list[str]) -> Handle:
        ground = self.server.ground
        return self.fork("kernel", self.folder, [ground.kit, ground.package], arguments=arguments)

    def observe(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply of a fresh process that tries the answers. Raises Lost."""
        ground = self.server.ground
        folder = self.private / "o"
        readable = [ground.package, ground.observer, *(
            p for p in (ground.kit / "course").iterdir() if p.name != "expected")]
        near, far = socket.socketpair()
        with near:
            with far:
                handle = self.fork("observer", folder, readable, far.fileno())
            try:
                near.settimeout(START)
                near.sendall(json.dumps(request).encode())
                near.shutdown(socket.SHUT_WR)
                reply = json.loads(receive(near, request["total_wall"] + START))
            except (OSError, ValueError) as error:
                raise Lost(f"it cannot be read ({type(error).__name__})") from error
            finally:
                handle.close()
                self.end()
        if not isinstance(reply, dict):
            raise Lost("it cannot be read")
        return reply

    def end(self) -> None:
        """End every process of the submission but the host itself. Raises Lost."""
        try:
            ask(self.channel, {"do": "end"})
        except OSError as error:
            raise Lost(str(error)) from error

    def cpu(self) -> float:
        """Seconds of CPU time that this submission has used so far."""
        ticks = used(self.handle.process, own=False)
        return (ticks + sum(used(each) for each in below(self.handle.process))) / TICKS


def used(process: int, own: bool = True) -> int:
    """Clock ticks that a process and the children it has taken leave of have used."""
    with suppress(OSError, ValueError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11 if own else 13:15]))
    return 0


def receive(channel: socket.socket, seconds: float) -> bytes:
    """All that comes until the other end closes. Raises Lost."""
    said, end = bytearray(), time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        if left <= 0 or not select.select([channel], [], [], left)[0]:
            raise Lost("no answer in time")
        piece = channel.recv(1 << 20)
        if not piece:
            return bytes(said)
        said += piece
        if len(said) > LARGEST:
            raise Lost("it is too large")


def site_folders() -> list[str]:
    """Where installed packages lie that are outside of Python's own folders."""
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
