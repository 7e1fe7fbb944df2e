"""The package with holes, made from the reference package."""

import ast
import re
from pathlib import Path

from ..files import write_if_changed
from ..source import HOLE, answer, is_import, parse, spans

MARKED = re.compile(r"( *)### BEGIN SOLUTION\n.*?### END SOLUTION", re.DOTALL)


def hole(source: str, where: str) -> str:
    """A definition without its answer; `where` names the lesson and the exercise.

    Raises ValueError for a definition that has no marked part.
    """
    node = parse(source)[-1]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return f"{ast.unparse(target)} = ..."
    made, count = MARKED.subn(rf'\1raise NotImplementedError("{HOLE}: {where}")', source)
    if not count:
        raise ValueError("no ### BEGIN SOLUTION")
    return made


def marked_lines(source: str) -> list[str]:
    """The lines of the answer, stripped."""
    return [line.strip() for match in MARKED.finditer(source)
            for line in match[0].splitlines()[1:-1]]


def marker_fault(source: str) -> tuple[int, str] | None:
    """The first line (1-based) where markers do not pair up inside one definition, and why."""
    opened = 0
    for number, line in enumerate(source.splitlines(), 1):
        if "### BEGIN SOLUTION" in line:
            if opened:
                return opened, "### BEGIN SOLUTION without ### END SOLUTION"
            opened = number
        elif "### END SOLUTION" in line:
            if not opened:
                return number, "### END SOLUTION without ### BEGIN SOLUTION"
            opened = 0
        elif opened and re.match(r"(def|class|async def|@)\b", line):
            return opened, "### BEGIN SOLUTION without ### END SOLUTION"
    return (opened, "### BEGIN SOLUTION without ### END SOLUTION") if opened else None


def with_holes(source: str, holes: dict[str, str]) -> str:
    """A module in which the definitions named in `holes` are blank and all others are whole."""
    lines, whole = source.splitlines(), source.splitlines()
    for name, (first, end) in sorted(spans(source).items(), key=lambda item: -item[1][0]):
        if is_import(name):
            continue
        old = "\n".join(whole[first:end])
        lines[first:end] = (hole(old, holes[name]) if name in holes else answer(old)).splitlines()
    return "\n".join(lines) + "\n"


def package_files(reference: Path, header: str, holes: dict[str, str]) -> dict[str, str]:
    """Contents of a `minillm` by file name; `holes` says where each target is asked for."""
    made = {}
    for path in sorted(reference.glob("*.py")):
        here = {k.split(".")[1]: v for k, v in holes.items() if k.split(".")[0] == path.stem}
        made[path.name] = f"{header}\n{with_holes(path.read_text('utf-8'), here)}"
    return made


def make_package(reference: Path, folder: Path, header: str, holes: dict[str, str]) -> None:
    """Write `folder`/minillm with these holes."""
    for name, content in package_files(reference, header, holes).items():
        write_if_changed(folder / "minillm" / name, content)
