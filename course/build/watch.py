"""`course build --watch`: build, and again whenever a source changes."""

import subprocess
import sys
from pathlib import Path

from watchfiles import watch as changes


def is_source(_: object, path: str) -> bool:
    """Whether this is something an author writes, and no product of a build."""
    made = "expected" in Path(path).parts or path.endswith(("contents.json", ".ipynb"))
    return path.endswith((".md", ".py", ".js")) and not made


def build(root: Path) -> None:
    """What `make build` does, each in a fresh process; the second needs what the first made."""
    for program in ("course", "grader"):
        if subprocess.run([sys.executable, "-m", program, "build"], cwd=root).returncode:
            return


def watch(root: Path) -> int:
    """Build, and again at each change, until Ctrl-C."""
    folders = [root / "course", root / "solutions", root / "grader/scenarios"]
    print("building", flush=True)  # what much hangs on takes minutes
    build(root)
    said = False
    for changed in changes(*folders, watch_filter=is_source, raise_interrupt=False,
                           rust_timeout=500, yield_on_timeout=True):
        if changed:
            build(root)
        elif not said:  # from here on no change is missed
            print("watching; Ctrl-C ends it", flush=True)
            said = True
    return 0
