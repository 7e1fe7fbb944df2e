"""What keeps a course from being built: each with the file and the line to look at."""

from pathlib import Path


class BuildError(Exception):
    """One or more problems, a line each: `file:line: what is wrong`."""


class Problems:
    """Collects problems, so that one run names them all."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lines: list[str] = []

    def add(self, path: Path, line: int, what: str) -> None:
        name = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        self.lines.append(f"{name}:{line}: {what}")

    def stop(self) -> None:
        """Raises BuildError when something was found."""
        if self.lines:
            raise BuildError("\n".join(self.lines))
