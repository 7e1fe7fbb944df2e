"""The fork server: `python -m grader.warm FD`. Everything that runs a learner's code comes from it.

It has torch and the lesson's modules loaded and is spoken to over a socket pair that it inherits,
never over a path: whatever a confined process can connect to, it can make run things. A message
asks for one process: a `host` for a submission, which serves in turn, and in it a `kernel` or an
`observer`. When the other end closes, a server ends everything below it, and itself.
"""

import array
import ctypes
import gc
import importlib
import io
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from .confine import (
    Cage,
    Limits,
    call,
    close_all_but,
    confine,
    drop_capabilities,
    gaps,
    refuse_calls,
    separate,
)

PR_SET_CHILD_SUBREAPER = 36
MADV_COLLAPSE, HUGE = 25, 2 << 20  # since Linux 6.1; bytes of a huge page
# what IPython and matplotlib load late, in each process again
LATE = ("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.debugger",
        "tornado.platform.asyncio", "encodings.idna", "matplotlib_inline.backend_inline", "jedi",
        "IPython.core.completerlib", "IPython.core.debugger", "IPython.core.logger",
        "IPython.core.magics.extension", "IPython.core.oinspect", "IPython.extensions.storemagic",
        "faulthandler", "resource",
        "matplotlib.backends.backend_agg", "matplotlib.pyplot", "torch", "course.checks",
        "course.fill", "grader.observe")
HERE = str(Path(__file__).parents[1])  # a folder that no kernel may read
Request = dict[str, Any]


def receive(channel: socket.socket) -> tuple[Request | None, list[int]]:
    """The next request with the files that came along; None at the end."""
    message, extra, _, _ = channel.recvmsg(1 << 20, socket.CMSG_SPACE(4 * 4))
    files = array.array("i")
    for level, kind, data in extra:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            files.frombytes(data)
    return (json.loads(message) if message else None), list(files)


def reap(*_: Any) -> None:
    """Take leave of children that have ended, so that their CPU time counts as this process's."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def below(process: int) -> list[int]:
    """All processes that descend from one, by their numbers where /proc was mounted."""
    found, todo = [], [process]
    while todo:
        try:
            tasks = list(Path(f"/proc/{todo.pop()}/task").iterdir())
            for task in tasks:
                children = [int(n) for n in (task / "children").read_text().split()]
                found += children
                todo += children
        except (OSError, ValueError):
            continue  # it has just ended
    return found


def end_all() -> None:
    """End everything below this process, however it was detached, and wait until it is gone."""
    first = os.getpid() == 1  # of a namespace: one call reaches all, and no fork is quicker
    while True:
        with suppress(OSError):
            if first:
                os.kill(-1, signal.SIGKILL)
        for process in [] if first else below(os.getpid()):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def start(role: Any, request: Request, files: list[int], channel: socket.socket) -> None:
    """Fork a process for a role, and answer with its number and a handle on it."""
    waiting = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    try:
        process = os.fork()
        if not process:
            status = 1
            try:
                gc.freeze()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, waiting)
                channel.close()
                role(request, files)
                status = 0
            finally:
                os._exit(status)
        handle = os.pidfd_open(process)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, waiting)
    answer(channel, {"process": process}, handle)
    os.close(handle)


def answer(channel: socket.socket, reply: Request, *files: int) -> None:
    with suppress(OSError):  # nobody is there any more: the next receive says so
        socket.send_fds(channel, [json.dumps(reply).encode()], list(files))


def serve(channel: socket.socket, roles: dict[str, Any]) -> None:
    """Fork what is asked for until the other end closes."""
    call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGCHLD, reap)
    while True:
        request, files = receive(channel)
        if request is None:
            break
        if request["do"] == "end":
            end_all()
            answer(channel, {})
        else:
            start(roles[request["do"]], request, files, channel)
        for fd in files:
            os.close(fd)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end_all()


def host(request: Request, files: list[int]) -> None:
    """Fork the first process of a submission, in namespaces of its own, and hand it its channel.

    files: the channel it serves, and one on which its number is told.
    """
    channel, told = (socket.socket(fileno=fd) for fd in files)
    close_all_but((channel.fileno(), told.fileno()))
    joined = set()
    for folder in request["cgroups"]:
        with suppress(OSError):
            Path(folder, "cgroup.procs").write_text("0")
            joined |= {each for each in ("pids", "memory")
                       if list(Path(folder).glob(f"{each}.max*"))
                       or list(Path(folder).glob(f"{each}.limit*"))}
    spaces = separate()
    if not spaces and os.geteuid():  # in its own user namespace only its own are counted
        import resource  # there is none on Windows, which reads this file too
        most = int(request["processes"])
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    process = os.fork()
    if not process:
        told.close()
        try:
            os.setsid()
            drop_capabilities()
            serve(channel, {"kernel": kernel, "observer": observer})
        finally:
            os._exit(0)
    channel.close()
    handle = os.pidfd_open(process)
    answer(told, {"process": process, "gaps": gaps(spaces, joined)}, handle)


def enter(request: Request, kept: list[int]) -> None:
    cage = Cage(request["folder"], tuple(request["readable"]), Limits(**request["limits"]))
    os.setsid()
    confine(cage, tuple(kept))
    os.chdir(os.path.join(cage.folder, "work"))
    sys.path[:] = [path for path in sys.path if path != HERE]
    os.environ["PYTHONPATH"] = os.pathsep.join(
        path for path in os.environ["PYTHONPATH"].split(os.pathsep) if path != HERE)


def kernel(request: Request, files: list[int]) -> None:
    """Become a confined IPython kernel with this connection file."""
    enter(request, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["ipykernel"]
    from ipykernel.kernelapp import IPKernelApp
    application: Any = IPKernelApp.instance()
    application.initialize(request["arguments"])
    refuse_calls()
    application.start()


def observer(request: Request, files: list[int]) -> None:
    """Answer the one request for observations that comes over a stream.

    It may read the hidden scenarios, which no kernel can; no expected value is there for it.
    """
    from .observe import serve_once
    gc.disable()  # it would copy the memory that is shared with the server
    enter(request, files)
    sys.path.insert(0, HERE)
    refuse_calls()
    serve_once(files[0])


def draw() -> None:
    """A first figure, since that is what loads the fonts."""
    if plt := sys.modules.get("matplotlib.pyplot"):
        figure, axis = plt.subplots()
        axis.plot([0, 1], label="$x$")
        axis.set_title("title")
        axis.legend()
        figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
        plt.close(figure)


def huge_pages() -> None:
    """Put this process's own memory into huge pages, where the system can.

    A fork copies the page table of all of it, and most processes here live shorter than that takes.
    """
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, rights, _, _, _, *name = line.split(maxsplit=5)
        if rights != "rw-p" or name not in ([], ["[heap]"]):
            continue
        begin, end = (int(each, 16) for each in place.split("-"))
        begin, end = -(-begin // HUGE) * HUGE, end // HUGE * HUGE
        if begin < end:
            with suppress(OSError):
                call("madvise", ctypes.c_void_p(begin), ctypes.c_size_t(end - begin),
                     MADV_COLLAPSE)


def main() -> None:
    """Load what lessons need, then serve, and end without taking all of it down again."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    gc.disable()  # what is loaded stays
    for name in (*LATE, *sys.argv[2:]):
        with suppress(ImportError):  # the cell that imports it will say so
            importlib.import_module(name)
    draw()
    gc.freeze()
    gc.enable()
    huge_pages()
    answer(channel, {"ready": True})
    serve(channel, {"host": host})
    os._exit(0)


if __name__ == "__main__":
    main()
