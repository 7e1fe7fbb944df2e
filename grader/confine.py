"""Confine a process for good: what a learner's code may touch, and how much of it.

Runs in a freshly forked process, before any of the learner's code. Linux only; needs no privilege.
What a machine cannot enforce is given back in words for the report.
"""

import ctypes
import os
import platform
import signal
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom",
          "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu")
NEW_IPC, NEW_USER, NEW_PID, NEW_NET = 0x08000000, 0x10000000, 0x20000000, 0x40000000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LOOK = 0b1101  # execute, read a file, list a folder
OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # rights that a file can be given
# By machine: the number of the `seccomp` call and what marks the machine's own calls; the calls
# that are refused (a socket, since its own are open by then; a connection; what reaches into other
# processes; namespaces, keyrings, bpf; `truncate`, which Landlock before 3 lets through); those
# that are answered as done and not done: mode, owner, times and attributes of files, which Landlock
# lets through everywhere, and priorities, which ZeroMQ sets for its threads; then `prlimit`,
# `open`, `openat`, `openat2`, 0 where there is none.
CALLS = {
    "x86_64": (317, 0xC000003E, (41, 42, 76, 101, 248, 249, 250, 272, 308, 310, 311, 321, 425, 438,
                                 440),
               (90, 91, 92, 93, 94, 132, 141, 142, 144, 188, 189, 190, 197, 198, 199, 203, 235,
                251, 260, 261, 268, 280, 452, 463, 466, 469), (302, 2, 257, 437)),
    "aarch64": (277, 0xC00000B7, (45, 97, 117, 198, 203, 217, 218, 219, 268, 270, 271, 280, 425,
                                  438, 440),
                (5, 6, 7, 14, 15, 16, 30, 52, 53, 54, 55, 88, 118, 119, 122, 140, 452, 463, 466,
                 469),
                (261, 0, 56, 437)),
}
EPERM, ENOSYS = 1, 38


@dataclass(frozen=True)
class Limits:
    """What one submission may use: CPU time counts, wall time is a backstop for what sleeps."""

    cell_cpu: float = 30.0  # seconds
    cell_wall: float = 120.0
    cpu: float = 150.0  # of the whole notebook, and again of all observations
    wall: float = 300.0
    memory: int = 4 << 30  # bytes, of one process and (with a memory cgroup) of all together
    file_size: int = 64 << 20
    processes: int = 96  # threads count too; a kernel has a dozen

    @classmethod
    def scaled(cls, cell: float) -> "Limits":
        """All times from the seconds that one cell may take."""
        return cls(cell, 4 * cell, 5 * cell, 10 * cell)


@dataclass(frozen=True)
class Cage:
    """Where a confined process may write, what it may read, and its limits."""

    folder: str
    readable: tuple[str, ...]
    limits: Limits


class _Ruleset(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("fd", ctypes.c_int32)]


def call(name: str, *arguments: object) -> int:
    """A function of the C library. Raises OSError."""
    result: int = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def landlock_version() -> int:
    """The version of Landlock here, 0 when there is none."""
    try:
        return call("syscall", LANDLOCK_CREATE, None, 0, 1)
    except (OSError, AttributeError, TypeError):  # macOS has no such call, Windows no such library
        return 0


def landlock(writable: tuple[str, ...], readable: tuple[str, ...]) -> None:
    """Leave this process these paths, no TCP, and no signals to processes outside."""
    version = landlock_version()
    every = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)) - 1
    rights = _Ruleset(every, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = call("syscall", LANDLOCK_CREATE, ctypes.byref(rights), size, 0)
    for paths, access in ((writable, every), (readable, LOOK)):
        for path in filter(os.path.exists, paths):
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
            allowed = access if os.path.isdir(path) else access & OF_FILES & every
            call("syscall", LANDLOCK_ADD, rules, 1, ctypes.byref(_PathRule(allowed, fd)), 0)
            os.close(fd)
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("syscall", LANDLOCK_RESTRICT, rules, 0)
    os.close(rules)


def refuse_calls() -> bool:
    """Refuse the calls above to all threads of this process; False where that is not possible.

    It goes last: a kernel opens its own sockets before.
    """
    machine = platform.machine()
    if machine not in CALLS:
        return False
    number, own, refused, ignored, (prlimit, plain_open, openat, openat2) = CALLS[machine]
    load, both, equal, at_least, give = 0x20, 0x54, 0x15, 0x35, 0x06
    allow, refuse = (give, 0, 0, 0x7FFF0000), (give, 0, 0, 0x00050000 | EPERM)
    code = [(load, 0, 0, 4), (equal, 1, 0, own), refuse,
            (load, 0, 0, 0), (at_least, 0, 1, 0x40000000), refuse,
            (equal, 0, 1, openat2), (give, 0, 0, 0x00050000 | ENOSYS)]  # its flags lie in memory
    for each in refused:
        code += [(equal, 0, 1, each), refuse]
    for each in ignored:
        code += [(equal, 0, 1, each), (give, 0, 0, 0x00050000)]
    for each, flags in ((plain_open, 24), (openat, 32)):  # reading may not empty a file
        code += [(equal, 0, 5, each), (load, 0, 0, flags), (both, 0, 0, os.O_TRUNC | os.O_ACCMODE),
                 (equal, 0, 1, os.O_TRUNC), refuse, allow]
    code += [(equal, 0, 3, prlimit), (load, 0, 0, 16), (equal, 1, 0, 0), refuse, allow]
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in code))
    whole = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code),
                                                    ctypes.addressof(program)))
    try:
        call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        call("syscall", number, 1, 1, whole)  # a filter, for all threads
    except OSError:
        return False
    return True


def separate() -> list[str]:
    """Namespaces of its own for what this process forks next; what could not be had.

    A process that is not root takes a user namespace with itself in it, where that is allowed.
    """
    spaces = NEW_PID | NEW_NET | NEW_IPC
    user, group = os.geteuid(), os.getegid()
    for more in (0, NEW_USER):
        try:
            call("unshare", spaces | more)
        except OSError:
            continue
        if more:
            with suppress(OSError):
                Path("/proc/self/setgroups").write_text("deny")
                Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
                Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        return []
    return ["namespaces: other processes of the same user can be seen, though not reached"]


def drop_capabilities() -> None:
    """Root without rights: no limit can be raised again, nothing mounted, no module loaded."""
    libc, capability = ctypes.CDLL(None), 0
    while libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    call("capset", (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())


def close_all_but(kept: tuple[int, ...] = ()) -> None:
    """Nothing to read, nothing to write but `kept`: inherited pipes go too."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    low = 3
    for fd in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(low, fd)
        low = fd + 1


def confine(cage: Cage, kept: tuple[int, ...] = ()) -> None:
    """Confine this process but for `refuse_calls`, which comes when its sockets are open.

    Raises OSError when something cannot be done that could be when the run began.
    """
    import resource  # there is none on Windows, which reads this file too
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    close_all_but(kept)
    temporary = os.path.join(cage.folder, "tmp")
    os.makedirs(temporary, exist_ok=True)
    os.environ.update(dict.fromkeys(
        ("TMPDIR", "HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"), temporary))
    limits = cage.limits
    for what, most in ((resource.RLIMIT_CPU, int(limits.cpu) + 1), (resource.RLIMIT_CORE, 0),
                       (resource.RLIMIT_DATA, limits.memory),
                       (resource.RLIMIT_FSIZE, limits.file_size)):
        resource.setrlimit(what, (most, most))
    landlock((cage.folder, "/dev/null"), cage.readable)
    drop_capabilities()


def gaps(spaces: list[str], cgroups: set[str]) -> list[str]:
    """What this machine cannot enforce, in words."""
    version, found = landlock_version(), list(spaces)
    if spaces and platform.machine() not in CALLS:
        found.append("network: no namespace, " + (
            "only TCP is closed (Landlock)" if version >= 4 else "nothing is closed"))
    if spaces and version < 6:
        found.append("signals to other processes of the same user (Landlock is older than 6)")
    if "pids" not in cgroups and (os.geteuid() == 0 or spaces):
        found.append("number of processes: no pids cgroup")
    if "memory" not in cgroups:
        found.append("memory of all processes of a submission together: no memory cgroup")
    return found
