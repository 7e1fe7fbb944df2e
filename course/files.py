"""Files that are written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

TEMPORARY = ".course-tmp-"


def write(path: Path, content: str | bytes) -> None:
    """Replace `path`; whoever reads it sees the old content or the new, at any instant.

    Raises OSError (read-only folder, full disk) and leaves the old file and no temporary one.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{TEMPORARY}{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files private: a new file gets the usual rights, an old one keeps its own
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_if_changed(path: Path, content: str) -> bool:
    """Write unless the file has this content already; True when it was written."""
    if path.is_file() and path.read_bytes() == content.encode("utf-8"):
        return False
    write(path, content)
    return True


def lock(path: Path, seconds: float = 10) -> AbstractContextManager[object]:
    """Hold the lock at `path` from its `with` on, alone among all processes.

    Raises OSError: filelock.Timeout when another holds it for longer, or that it cannot be made.
    """
    from filelock import FileLock  # late: what it does at each fork takes a third of a fork's time
    return FileLock(path, timeout=seconds)


def sweep(folder: Path) -> None:
    """Remove what killed writers left in `folder`; call it while nobody else writes there."""
    for stray in folder.glob(f"{TEMPORARY}*"):
        stray.unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Work on files of `folder` alone; what killed writers left there goes. Raises as `lock`."""
    with lock(folder / ".course.lock"):
        sweep(folder)
        yield
