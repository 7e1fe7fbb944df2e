"""`course build --watch`: build, and again whenever a source changes."""

import subprocess
import sys
from pathlib import Path

from watchfiles import watch as changes


def is_source(_: object, path: str) -> bool:
    """Whether this is something an author writes, and no product of a build."""
    made = "expected" in Path(path).parts or path.endswith(("contents.json", ".ipynb"))
    return path.endswith((".md", ".py", ".js")) and not made


def watch(root: Path) -> int:
    """Build in a fresh process each time, until Ctrl-C."""
    folders = [root / "course", root / "solutions", root / "grader/scenarios"]
    command = [sys.executable, "-m", "course", "build"]
    subprocess.run(command, cwd=root)
    said = False
    for changed in changes(*folders, watch_filter=is_source, raise_interrupt=False,
                           rust_timeout=500, yield_on_timeout=True):
        if changed:
            subprocess.run(command, cwd=root)
        elif not said:  # from here on no change is missed
            print("watching; Ctrl-C ends it", flush=True)
            said = True
    return 0
