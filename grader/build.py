"""`grader build`: the values that hidden scenarios give on the reference package."""

from pathlib import Path

from course.build.problems import Problems
from course.build.stored import store_all

from .project import has_hidden, read_lessons


def build(root: Path, check: bool = False, force: bool = False) -> list[Path]:
    """Make `grader/expected`; gives what was written, or with `check` what is stale.

    Raises BuildError, which names every problem with file and line.
    """
    cells = [c for lesson in read_lessons(root) for c in lesson.asked if has_hidden(root, c)]
    folder, problems = root / "grader/expected", Problems(root)
    changed = store_all(root, cells, folder, "grader", check, force, problems)
    problems.stop()
    wanted = {f"{c.target}.json" for c in cells}
    old = [path for path in sorted(folder.glob("*.json")) if path.name not in wanted]
    if not check:
        for path in old:
            path.unlink()
    return changed + old
