"""Put the definitions of a cell that starts with `#| fill minillm.x` into that module.

A hook runs after each cell. It writes the learner's file (`save`), then runs the definitions again
in the module's own namespace, so that a missing import fails now and not two lessons later.
"""

import ast
import importlib
import json
import re
import sys
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from .files import alone_in, write
from .help import entry_for_error, pointer
from .progress import lessons
from .source import NotPython, alike, is_hole, is_import, names, parse, spans, text
from .workspace import RECORD, digest, may_write

FILLED: dict[str, str] = {}  # what cells of this process gave: minillm.functional.softmax → digest
CELLS: dict[str, str] = {}  # the cell that last defined it, for `%replace`
LOADED: dict[str, int] = {}  # modules by name → time stamp of the file that was read


class NotSaved(Exception):
    """What kept a cell from being saved, in words for the learner."""


def directive(cell: str, package: Path) -> str | None:
    """The module that the first line names. Raises NotSaved for a mistyped one."""
    first = next((line.strip() for line in cell.splitlines() if line.strip()), "")
    if not first.startswith("#|"):
        return None
    modules = [f"minillm.{p.stem}" for p in sorted(package.glob("*.py")) if p.stem != "__init__"]
    word, _, target = first[2:].strip().partition(" ")
    target = target.strip()
    if word.rstrip(":") == "fill" and target in modules:
        return target
    if "minillm" not in first and not get_close_matches(word.rstrip(":"), ["fill"], 1, 0.6):
        return None  # somebody else's directive
    full = target if target.startswith("minillm") else f"minillm.{target or first[2:].strip()}"
    near = get_close_matches(full, modules, 1, 0.4) or homes(cell, package)
    hint = f"did you mean `#| fill {near[0]}`?" if near else f"there are {', '.join(modules)}"
    raise NotSaved(f"`{first}` names no module of minillm; {hint}")


def homes(cell: str, package: Path) -> list[str]:
    """Modules that define what this cell defines."""
    try:
        given = {n for node in parse(cell) if isinstance(node, ast.FunctionDef | ast.ClassDef)
                 for n in names(node)}
        return [f"minillm.{path.stem}" for path in sorted(package.glob("*.py"))
                if given & spans(path.read_text("utf-8")).keys()]
    except (NotPython, OSError, UnicodeDecodeError):
        return []


def filled(cell: str) -> list[str]:
    """The names a cell gives, imports first; a hole that ran as it stands gives nothing."""
    where = spans(cell)
    given = [n for n in where if is_import(n) or not is_hole(text(cell, n))]
    return sorted(given, key=lambda n: not is_import(n))


def patched(module: str, cell: str, given: list[str]) -> str:
    """The module with the cell's definitions in place of its own.

    A new one goes before the next one of the same cell, else to the end; imports after the imports.
    """
    following: str | None = None
    for name in sorted(given, key=lambda n: (not is_import(n), spans(cell)[n]), reverse=True):
        where, new, lines = spans(module), text(cell, name).splitlines(), module.splitlines()
        if name in where:
            lines[slice(*where[name])] = new
        elif is_import(name):
            at = max((end for old, (_, end) in where.items() if is_import(old)), default=None)
            lines[(at or after_docstring(module)):(at or after_docstring(module))] = new
        elif following:
            first = where[following][0]
            lines[first:first] = [*new, "", ""]
        else:
            lines += ["", "", *new]
        module = "\n".join(lines) + "\n"
        if not is_import(name):
            following = name
    parse(module)
    return module


def after_docstring(module: str) -> int:
    body = parse(module)
    has_one = body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    if has_one:
        return body[0].end_lineno or 0
    lines = module.splitlines()
    return next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))


def read_record(package: Path) -> dict[str, list[str]]:
    """What has been written here by name; an unreadable record makes everything the learner's."""
    try:
        record: dict[str, list[str]] = json.loads((package / RECORD).read_text("utf-8"))
        return record
    except (OSError, ValueError):
        return {}


def back_up(path: Path, name: str, old: str) -> Path:
    """Keep a definition that is about to be replaced."""
    now = datetime.now().strftime("%Y-%m-%d_%H-%M-%S-%f")
    kept = path.parent.parent / "backups" / f"{path.stem}.{name}.{now}.py"
    write(kept, old + "\n")
    return kept


def rehearse(source: str, module: ModuleType) -> None:
    """Run the new module aside: what fails here would have broken every later import."""
    scratch = ModuleType(module.__name__)
    scratch.__dict__.update(__file__=module.__file__, __package__=module.__package__)
    exec(compile(source, module.__file__ or "", "exec"), scratch.__dict__)


def save(module: ModuleType, cell: str, given: list[str], replace: bool = False) -> list[str]:
    """Write a cell's definitions into the module's file; gives the names that were left alone.

    A definition in the file that is not what a cell wrote there was changed by hand: it stays,
    unless `replace`, which keeps a backup. The record is written first: killed in between, the old
    text of the file is still known as ours.
    """
    path = Path(module.__file__ or "")
    with alone_in(path.parent):
        source, record = path.read_text("utf-8"), read_record(path.parent)
        left = []
        try:
            parse(source)
        except NotPython as error:
            raise NotSaved(f"minillm/{path.name} is no Python any more: {error}"
                           f"{pointer('import')}") from error
        for name in [n for n in given if not is_import(n) and n in spans(source)]:
            old, new = text(source, name), text(cell, name)
            if digest(old) in [digest(new), *record.get(f"{path.stem}.{name}", [])]:
                continue
            if replace or is_hole(old):
                back_up(path, name, old)
            else:
                left.append(name)
        given = [n for n in given if n not in left]
        content = patched(source, cell, given)
        rehearse(content, module)
        for name in [n for n in given if not is_import(n)]:
            known = record.setdefault(f"{path.stem}.{name}", [])
            known[:] = [*[d for d in known if d != digest(text(cell, name))][-9:],
                        digest(text(cell, name))]
        if content != source:
            write(path.parent / RECORD, json.dumps(record, indent=1, sort_keys=True) + "\n")
            write(path, content)
        LOADED[module.__name__] = path.stat().st_mtime_ns
    return left


def not_loading(name: str, error: Exception) -> str:
    """What a learner is told when a module of theirs can't be imported."""
    return f"{name} itself does not load: {type(error).__name__}: {error}{pointer('import')}"


def fill(cell: str, target: str, shell: Any, replace: bool = False) -> str:
    """Fill `target` from a cell that has run; gives the report for the learner."""
    try:
        module = importlib.import_module(target)
    except Exception as error:
        raise NotSaved(not_loading(target, error)) from error
    given, left = filled(cell), list[str]()
    defined = [n for n in given if not is_import(n)]
    if not defined:
        return f"{target}: nothing filled in yet"
    CELLS.update({f"{target}.{name}": cell for name in defined})
    path, place = Path(module.__file__ or ""), "for this session; nothing is written to disk here"
    if may_write(path):
        try:
            left = save(module, cell, given, replace)
            place = f"in minillm/{path.name}"
        except OSError as error:
            place = (f"for this session only: minillm/{path.name} could not be written "
                     f"({error.strerror or error})")
    file = shell.compile.cache(shell.transform_cell(cell))
    for node in parse(cell):
        if (these := names(node)) and these[0] in given and these[0] not in left:
            exec(compile(ast.Module([node], []), file, "exec"), module.__dict__)
    done = [n for n in defined if n not in left]
    FILLED.update({f"{target}.{name}": digest(text(cell, name)) for name in done})
    shell.user_ns.update({name: getattr(module, name) for name in defined})
    report = [f"filled {', '.join(done)} {place}"] if done else []
    for name in left:
        report.append(f"{name} was changed by hand in minillm/{path.name} and stays as it is "
                      f"there.\nTo put this cell's version in its place: %replace {target}.{name}")
    return "\n".join(report)


def replace(line: str) -> None:
    """`%replace minillm.x.name`: the last run cell's version into the file; the old one is kept."""
    from IPython import get_ipython
    name = line.strip()
    if name not in CELLS:
        print(f"✗ no cell of this session defined {name or 'that'}; run the answer cell first")
        return
    try:
        print(fill(CELLS[name], name.rpartition(".")[0], get_ipython(), replace=True))
        print("the version that was there is kept in backups/")
    except Exception as error:
        print(f"✗ not replaced: {type(error).__name__}: {error}")


def undirected(cell: str, package: Path) -> str | None:
    """A hint for a cell that gives an exercise's answer but has lost its first line.

    Demos define names too (`loss`, `generate`): it is the exercise's only where it is called or
    built like it, and it is no news where the package holds the same.
    """
    asked = {target for lesson in lessons() for target in lesson.exercises}
    for home in homes(cell, package):
        source = (package / f"{home.rpartition('.')[2]}.py").read_text("utf-8")
        for name in [n for n in spans(cell) if f"{home}.{n}".partition(".")[2] in asked]:
            own, theirs = text(cell, name), text(source, name) if name in spans(source) else ""
            if theirs and alike(own, theirs) and not is_hole(own) and digest(own) != digest(theirs):
                return (f"{name} is not saved, and its check does not see it: to fill it into your "
                        f"package, make `#| fill {home}` the first line of the cell")
    return None


def after_cell(result: Any) -> None:
    """The `post_run_cell` hook; whatever happens here, the cell itself has run."""
    from IPython import get_ipython
    shell = get_ipython()
    package = Path(importlib.import_module("minillm").__file__ or "").parent
    cell = result.info.raw_cell or ""
    note_stamps()
    try:
        target = directive(cell, package)
        step = (getattr(result.info, "cell_id", None) or "").startswith("steps-")
        if target is None and not step:
            if result.success and re.search(r"^(def|class) ", cell, re.MULTILINE):
                if hint := undirected(shell.transform_cell(cell), package):
                    print(hint)
        elif not result.success:
            error = result.error_in_exec or result.error_before_exec
            more = pointer(entry_for_error(type(error).__name__, str(error)))
            print(f"the cell failed, so {target or 'the answer'} is as it was{more}")
        elif target:
            print(fill(shell.transform_cell(cell), target, shell))
    except NotSaved as error:
        print(f"✗ not saved: {error}")
    except Exception as error:
        print(f"✗ not saved: {type(error).__name__}: {error}")


def note_stamps() -> list[tuple[str, ModuleType, Path, int]]:
    """Remember when each loaded module's file was written; gives those that have changed since."""
    changed = []
    within = list(vars(sys.modules["minillm"])) if "minillm" in sys.modules else []
    for name in [n for each in within if (n := f"minillm.{each}") in sys.modules]:
        module = sys.modules[name]
        path = Path(getattr(module, "__file__", None) or "")
        if path.is_file():
            stamp = path.stat().st_mtime_ns
            if LOADED.setdefault(name, stamp) != stamp:
                changed.append((name, module, path, stamp))
    return changed


def before_cell(info: Any) -> None:
    """The `pre_run_cell` hook: read modules again whose file an editor or a notebook changed."""
    for name, module, path, stamp in note_stamps():
        LOADED[name] = stamp
        try:
            importlib.reload(module)
            source = path.read_text("utf-8")
            for target in [t for t in FILLED if t.rpartition(".")[0] == name]:
                own = target.rpartition(".")[2]
                if own not in spans(source) or digest(text(source, own)) != FILLED[target]:
                    del FILLED[target]
        except Exception as error:
            print(f"✗ minillm/{path.name} has changed and does not load: "
                  f"{type(error).__name__}: {error}")
