"""`course update`: a newer release over a working copy, with everything its owner wrote kept."""

import ast
import json
import shlex
import shutil
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat

from .files import alone_in, write, write_if_changed
from .fill import patched, read_record
from .source import NotPython, is_hole, is_import, parse, spans, text
from .workspace import (
    BASE,
    RECORD,
    digest,
    first_record,
    keep_released,
    working_source,
)

KIT_FILES = ("Makefile", "README.md", "constraints.txt", "environment.yml", "pyproject.toml")

ADDED = ("progress", "how-far")  # cells that the build puts under every lesson


@dataclass
class Report:
    """What became of an update, in names."""

    kept: list[str] = field(default_factory=list)  # written by the learner
    new: list[str] = field(default_factory=list)  # holes that were not there before
    misfit: list[str] = field(default_factory=list)  # kept, but the release asks for another shape
    backup: Path | None = None


def is_outdated(release: Path, folder: Path) -> bool:
    """Whether a working copy was made from another release than `release`."""
    def state(root: Path) -> dict[str, bytes]:
        files = [*root.glob("notebooks/*.ipynb"), *root.glob("minillm/*.py")]
        return {str(p.relative_to(root)): p.read_bytes() for p in files}
    release = release / BASE if (release / BASE).is_dir() else release  # a bundle is worked in
    return (folder / BASE).is_dir() and state(release) != state(folder / BASE)


def arguments(definition: str) -> str | None:
    """How a function is called; None for anything else."""
    node = parse(definition)[-1]
    return ast.unparse(node.args) if isinstance(node, ast.FunctionDef) else None


def merge_module(old: str, new: str, base: str | None, record: dict[str, list[str]], stem: str,
                 report: Report) -> str:
    """A module of the new release with what the learner wrote in the old one.

    Theirs is what did not come with `base`, the release before (where that is not known: no hole,
    and text that `record` does not know). Raises NotPython for a module that is broken.
    """
    was, now = spans(old), spans(new)
    before = spans(base) if base is not None else {}
    keep = [n for n in was if is_import(n) and n not in now and n not in before]
    for name in [n for n in was if not is_import(n)]:
        own, target = text(old, name), f"{stem}.{name}"
        first = text(base or "", name) if name in before else None
        wanted = text(new, name) if name in now else None
        came = own == first or (base is None and not (wanted and is_hole(wanted))
                                and digest(own) in record.get(target, []))
        if own == wanted or came or (first is None and is_hole(own)):
            continue
        keep.append(name)
        report.kept.append(target)
        if wanted is None and first is not None:
            report.misfit.append(f"{target} is no longer asked for; yours is still there")
        elif wanted is not None and not is_hole(wanted) and wanted != first:
            report.misfit.append(f"{target} is given and has changed; the one you changed stays")
        elif wanted is not None and arguments(wanted) not in (None, arguments(own)):
            report.misfit.append(f"{target} is now called with ({arguments(wanted)}); yours takes "
                                 f"({arguments(own)})")
    report.new += [f"{stem}.{n}" for n in now if n not in was and not is_import(n)
                   and is_hole(text(new, n))]
    return patched(new, old, keep)


def is_generated(cell: Any) -> bool:
    """Whether a cell is as the build made it: its id is a hash of its text."""
    kind, _, tail = str(cell.get("id", "")).partition("-")
    made = sha256(cell.source.encode()).hexdigest()[:8]
    first = cell.source.partition("\n")[2]  # the first cell has a line above its text
    return kind in ("text", "code") and tail[:8] in (
        made, sha256(first.encode()).hexdigest()[:8])


def grade_id(cell: Any) -> str | None:
    return cell.metadata.get("nbgrader", {}).get("grade_id") or None


def written(cell: Any, given: dict[str, str]) -> bool:
    """Whether a cell holds something of the learner's; `given` are the answer cells as they were.

    Where one is not in `given`, an answer is what has no hole.
    """
    name = grade_id(cell)
    if not cell.source.strip():
        return False
    if cell.metadata.get("nbgrader", {}).get("solution"):
        return bool(cell.source != given[name] if name in given else not hole_cell(cell.source))
    return not name and cell.get("id") not in ADDED and not is_generated(cell)


def merge_notebook(old: Any, new: Any, base: Any = None) -> None:
    """Put answers, changed cells and own cells of an old notebook into a new one.

    What stands in a cell of the new release with the same id takes its place; other cells come
    behind the one they followed. `base` is the notebook as the old release had it.
    """
    given = {name: c.source for c in (base.cells if base else ()) if (name := grade_id(c))}
    places = {grade_id(c) or c.id: c for c in new.cells}
    after: Any = None
    for cell in old.cells:
        name = grade_id(cell)
        fresh = places.get(name or cell.id)
        if fresh is not None:
            if written(cell, given):
                fresh.source = cell.source
            if cell.cell_type == "code" and fresh.cell_type == "code" and (
                    fresh.source == cell.source):
                fresh.outputs, fresh.execution_count = cell.outputs, cell.execution_count
            after = fresh
        elif written(cell, given):
            cell.metadata.pop("nbgrader", None)  # no cell of the new release any more
            at = next((i for i, c in enumerate(new.cells) if c is after), -1)
            new.cells.insert(at + 1, cell)
            after = cell


def hole_cell(source: str) -> bool:
    """Whether an answer cell holds nothing of the learner's."""
    try:
        return any(is_hole(text(source, n)) for n in spans(source) if not is_import(n))
    except NotPython:
        return False


def back_up_all(folder: Path) -> Path:
    """Copy notebooks and package to `backups/`, whole; gives the place."""
    now = datetime.now().strftime("%Y-%m-%d_%H-%M-%S-%f")
    kept = folder / "backups" / f"update-{now}"
    for part in ("notebooks", "minillm"):
        shutil.copytree(folder / part, kept / part, ignore=shutil.ignore_patterns("__pycache__"))
    return kept


def update(project: Path, folder: Path) -> Report:
    """Bring a working copy to the release in `project`: a repository, or an unpacked bundle.

    Everything in it is copied to `backups/` first; each file is then replaced whole, so that an
    update that was killed is finished by running it again. Raises ValueError for a module that is
    no Python, and for a bundle that is to be brought to itself, with nothing changed.
    """
    if folder.resolve() == project.resolve():
        raise ValueError(f"this command belongs to {folder} itself, which has nothing newer. "
                         "Unpack the newer bundle beside it, install that one as its README says, "
                         f"and run there: course update --folder {shlex.quote(str(folder))}")
    release = project / BASE if (project / BASE).is_dir() else project
    report, package = Report(), folder / "minillm"
    with alone_in(package):
        record = read_record(package)
        modules = {path.name: merged_module(path, folder, record, report)
                   for path in sorted((release / "minillm").glob("*.py"))}
        files = sorted(path for path in (release / "notebooks").iterdir() if path.is_file())
        flat = any((folder / "notebooks" / path.name).is_file() for path in files
                   if path.suffix == ".ipynb")
        notebooks = {mine: merged_notebook(path, mine, folder)
                     if path.suffix == ".ipynb" else path.read_text("utf-8")
                     for path in files for mine in places(folder, path, flat)}
        report.backup = back_up_all(folder)
        for target, known in json.loads(first_record(release / "minillm")).items():
            record[target] = list(dict.fromkeys([*record.get(target, []), *known]))[-10:]
        write(package / RECORD, json.dumps(record, indent=1, sort_keys=True) + "\n")
        for name, content in modules.items():
            write_if_changed(package / name, content)
        for mine, content in notebooks.items():
            write_if_changed(mine, content)
        if (folder / "course").is_dir() and folder.resolve() != project.resolve():
            update_kit(project, folder)
        keep_released(release, folder)
    return report


def merged_module(fresh: Path, folder: Path, record: dict[str, list[str]],
                  report: Report) -> str:
    """The text of one module of the release with what `folder` has of it."""
    new, mine = working_source(fresh.read_text("utf-8")), folder / "minillm" / fresh.name
    base = folder / BASE / "minillm" / fresh.name
    if not mine.is_file():
        report.new += [f"{fresh.stem}.{n}" for n in spans(new)
                       if not is_import(n) and is_hole(text(new, n))]
        return new
    start = working_source(base.read_text("utf-8")) if base.is_file() else None
    try:
        return merge_module(mine.read_text("utf-8"), new, start, record, fresh.stem, report)
    except NotPython as error:
        raise ValueError(f"minillm/{fresh.name} is no Python ({error}): mend it, then update "
                         "again. Nothing has been changed.") from error


def places(folder: Path, fresh: Path, flat: bool) -> list[Path]:
    """Where a working copy has, or is to have, a file of the release's `notebooks/`.

    A lesson fetched from nbgrader's exchange lies in a folder of its own. A copy with no notebook
    beside those folders (`flat` is False) gets its lessons from there, so that none is added.
    """
    mine = folder / "notebooks" / fresh.name
    fetched = folder / "notebooks" / fresh.stem / fresh.name
    found = [path for path in (mine, fetched) if path.is_file()]
    return found or ([mine] if flat or fresh.suffix != ".ipynb" else [])


def merged_notebook(fresh: Path, mine: Path, folder: Path) -> str:
    """The text of one notebook of the release with what is in `mine` of it."""
    new = nbformat.read(fresh, as_version=4)
    base = folder / BASE / "notebooks" / fresh.name
    if mine.is_file():
        try:
            old = nbformat.read(mine, as_version=4)
        except (ValueError, OSError):  # no notebook any more; the backup has it, whatever it is
            return fresh.read_text("utf-8")
        merge_notebook(old, new, nbformat.read(base, as_version=4) if base.is_file() else None)
    return str(nbformat.writes(new)) + "\n"


def update_kit(project: Path, folder: Path) -> None:
    """Bring what runs the course in a bundle to the new release; nothing of it is a learner's."""
    making, old = folder / ".course.making", folder / ".course.old"
    for stray in (making, old):
        shutil.rmtree(stray, ignore_errors=True)
    shutil.copytree(project / "course", making, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "course").rename(old)
    making.rename(folder / "course")
    shutil.rmtree(old, ignore_errors=True)
    for name in KIT_FILES:
        if (project / name).is_file():
            write(folder / name, (project / name).read_bytes())
