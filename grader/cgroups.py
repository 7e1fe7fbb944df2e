"""A control group for each submission, where the machine has them and lets us: counts and caps."""

import os
from contextlib import suppress
from pathlib import Path

from .confine import Limits
from .private import is_running

ROOT = Path("/sys/fs/cgroup")
NAME = "grader-{}-{}"  # the process that made it, and a number


def make(number: int, limits: Limits) -> tuple[Path, ...]:
    """The folders of a new group; none where there are no groups or we may not make any."""
    name, made = NAME.format(os.getpid(), number), []
    for parent, files in (
            (ROOT / "pids", {"pids.max": limits.processes}),
            (ROOT / "memory", {"memory.limit_in_bytes": limits.memory}),
            (ROOT, {"pids.max": limits.processes, "memory.max": limits.memory})):
        folder = parent / name
        try:
            if parent == ROOT and not (ROOT / "cgroup.subtree_control").is_file():
                continue  # version 1: a folder for each controller, and those are above
            folder.mkdir()
        except OSError:
            continue
        for file, most in files.items():
            with suppress(OSError):
                (folder / file).write_text(str(most))
        made.append(folder)
    return tuple(made)


def remove(folders: tuple[Path, ...]) -> None:
    """Take an empty group away; one that still has a process stays for `sweep`."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def sweep() -> None:
    """Take away what graders left that are no longer running."""
    for parent in (ROOT, ROOT / "pids", ROOT / "memory"):
        for folder in parent.glob("grader-*-*"):
            maker = folder.name.split("-")[1]
            if maker.isdigit() and not is_running(int(maker)):
                remove((folder,))
