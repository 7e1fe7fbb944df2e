"""`course catch-up`, `course reset`, `course restore`: go on, start again, get one's own work back.

What stood in the package before is kept in `minillm/.lent.json` first, and only then replaced: a
process that is killed in between loses nothing.
"""

import importlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from .checks import CheckFailed, examine
from .files import alone_in, write
from .fill import back_up, patched, read_record
from .progress import CHECKED, LENT, REFERENCE, Lesson, definition, lessons, read, states
from .source import NotPython, answer, is_hole, parse, pieces, text
from .update import Report, merge_module
from .workspace import BASE, RECORD, digest, use, working_source


class NoReference(ValueError):
    """There is no reference code to take; shown as one line."""


def reference_package(given: Path | None, project: Path) -> Path:
    """The folder of modules to catch up with: the one given, or the project's own reference.

    Raises NoReference where there is none: a learner's bundle holds no answers.
    """
    folder = given or project / "solutions/minillm"
    folder = folder if (folder / "__init__.py").is_file() else folder / "minillm"
    if not (folder / "__init__.py").is_file():
        inside = sorted(p.parents[1] for p in (given or folder).glob("*/minillm/__init__.py"))
        raise NoReference(
            f"{given} holds no minillm, but {inside[0]} does" if given and inside else
            f"{given} holds no minillm" if given else
            "this bundle holds no reference code. Ask your instructor for the catch-up folder of "
            "your lesson (`grader catch-up`), and name it: course catch-up 07 --from FOLDER")
    return folder


def put(root: Path, target: str, new: str, known_as_ours: bool = True) -> None:
    """Put one definition into the package; with `known_as_ours` a cell may replace it again."""
    family, name = target.rsplit(".", 1)
    path = root / f"minillm/{family}.py"
    record = read_record(path.parent)
    if known_as_ours:
        known = record.setdefault(target, [])
        known[:] = [*[d for d in known if d != digest(new)][-9:], digest(new)]
        write(path.parent / RECORD, json.dumps(record, indent=1, sort_keys=True) + "\n")
    write(path, patched(path.read_text("utf-8"), new + "\n", [name]))


def lend(root: Path, target: str, new: str) -> None:
    """Put `new` in the place of what stands there, which is kept for `give_back`."""
    old = definition(root, target) or ""
    with alone_in(root / "minillm"):
        lent = read(root / f"minillm/{LENT}")
        before = lent.get(target, {})
        # reference code over reference code: what is to come back is still the first
        own = before["own"] if before.get("lent") == digest(old) else old
        lent[target] = {"own": own, "lent": digest(new)}
        write(root / f"minillm/{LENT}", json.dumps(lent, indent=1) + "\n")
        put(root, target, new)


def right(root: Path, target: str) -> bool:
    """Whether the visible check accepts what stands in the package now."""
    family, name = target.rsplit(".", 1)
    use(root)
    try:
        failure, _ = examine(target, getattr(importlib.import_module(f"minillm.{family}"), name))
    except CheckFailed:
        raise
    except Exception:  # a module that does not load, a name that is gone
        return False
    return failure is None


def mend(root: Path, family: str, base: Path) -> Path | None:
    """Make a module Python again that is none, or is gone; gives the place where it was put aside.

    What still is Python in it stays; everything else is as in the release `base`.
    """
    path, name = root / f"minillm/{family}.py", f"minillm/{family}.py"
    source = path.read_text("utf-8", errors="replace") if path.is_file() else ""
    try:
        if parse(source):
            return None
    except NotPython:
        pass
    with alone_in(path.parent):
        kept = back_up(path, "module", source)
        fresh = working_source((base / name).read_text("utf-8"))
        write(path, merge_module("".join(pieces(source)), fresh, fresh, read_record(path.parent),
                                 family, Report()))
    return kept


def mend_all(root: Path, lesson: Lesson, base: Path, tell: Callable[[str], None]) -> None:
    """Mend the modules that a lesson fills."""
    for family in sorted({target.rpartition(".")[0] for target in lesson.exercises}):
        if kept := mend(root, family, base):
            tell(f"minillm/{family}.py was no Python; it is put aside in {kept}")


def catch_up(root: Path, wanted: Lesson, reference: Path, everything: bool = False,
             tell: Callable[[str], None] = print) -> tuple[list[str], list[str]]:
    """Fill what is missing or wrong before a lesson; gives the targets filled and those kept.

    A function of one's own that its check accepts stays, unless `everything`.
    """
    filled, kept = [], []
    for lesson in [each for each in lessons() if each.number < wanted.number]:
        tell(f"lesson {lesson.number} …")
        if (root / BASE).is_dir():
            mend_all(root, lesson, root / BASE, tell)
        state = states(root, lesson)
        for target in lesson.exercises:
            if state[target] == REFERENCE:
                continue
            own = definition(root, target)
            good = own is not None and not is_hole(own) and (
                state[target] == CHECKED or right(root, target))
            if good and not everything:
                kept.append(target)
                continue
            family, name = target.rsplit(".", 1)
            lend(root, target, answer(text((reference / f"{family}.py").read_text("utf-8"), name)))
            filled.append(target)
    return filled, kept


def reset(root: Path, lesson: Lesson, project: Path,
          tell: Callable[[str], None] = print) -> list[str]:
    """Make holes of a lesson's functions again; gives the targets. `give_back` undoes it."""
    base = root / BASE if (root / BASE).is_dir() else project
    done = []
    mend_all(root, lesson, base, tell)
    for target in lesson.exercises:
        family, name = target.rsplit(".", 1)
        hole = text((base / f"minillm/{family}.py").read_text("utf-8"), name)
        if (definition(root, target) or "") != hole:
            lend(root, target, hole)
            done.append(target)
    return done


def give_back(root: Path, targets: Iterable[str] | None = None) -> tuple[list[str], list[str]]:
    """Bring back what was there before; gives the targets, and those changed since, left alone."""
    back, left = [], []
    with alone_in(root / "minillm"):
        lent = read(root / f"minillm/{LENT}")
        for target in [t for t in lent if targets is None or t in set(targets)]:
            family, name = target.rsplit(".", 1)
            now, own = definition(root, target), lent[target]["own"]
            if own and now is not None and digest(now) == lent[target]["lent"]:
                put(root, target, own, known_as_ours=False)  # it is what it was before
                back.append(target)
            elif own and now != own:
                back_up(root / f"minillm/{family}.py", name, own)
                left.append(target)
        rest = {t: kept for t, kept in lent.items() if t not in {*back, *left}
                and definition(root, t) != kept["own"]}
        write(root / f"minillm/{LENT}", json.dumps(rest, indent=1) + "\n")
    return back, left
