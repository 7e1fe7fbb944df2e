"""A process that tries answers and knows no expected value: `python -m grader.observe`.

It stands in a copy of its own (see `project.Ground`). The fork server makes one, confined, for each
submission; where nothing is confined, one for a lesson reads one request a line and answers with
one line. Answers run in forked children, one for each target, so that one that hangs, dies or
patches torch spoils only its own result. Arguments: modules that lessons import.
"""

import ast
import builtins
import gc
import importlib
import json
import math
import os
import select
import signal
import symtable
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

from course import checks, scenarios
from course.fill import filled
from course.source import NotPython, names, parse
from grader import scenarios as private

LARGEST = 8 << 20  # bytes of observations of one target
Cells = list[dict[str, str]]  # "source", Python; "module" it fills, or ""; a step's "target" or ""
Reply = dict[str, Any]  # {"visible", "hidden"}, or {"lost": why}


def run(statements: list[ast.stmt], space: dict[str, Any]) -> None:
    """Run statements one after another, as far as they go; IPython's own are left out."""
    for node in statements:
        if "get_ipython" in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
            continue
        try:
            exec(compile(ast.Module([node], []), "<answer>", "exec"), space)
        except Exception:
            return


@lru_cache(1024)  # read once, before the forks
def statements(source: str) -> list[ast.stmt]:
    """The top-level statements of a cell; none when it is no Python."""
    try:
        return parse(source)
    except NotPython:
        return []


@lru_cache(1024)
def given_by(source: str) -> tuple[str, ...]:
    """The names that a cell fills."""
    return tuple(filled(source)) if statements(source) else ()


def fill(source: str, user: dict[str, Any], target: str) -> None:
    """What the fill hook does, in memory: the cell's definitions, run in their module."""
    module = importlib.import_module(target)
    given = given_by(source)
    run([node for node in statements(source) if (these := names(node)) and these[0] in given],
        vars(module))
    user.update({n: getattr(module, n) for n in given if hasattr(module, n)})


@lru_cache(1024)
def read_and_bound(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell takes from outside, and those that it gives a value at its top level.

    A parameter or a local of a function is no name from outside, nor is what stands above in the
    cell; a function finds what it calls when it is called, so anywhere in the cell.
    """
    used, bound, nodes = set[str](), set[str](), statements(source)
    everything = set[str]().union(*map(binds, nodes))
    for node in nodes:
        at_once, later = references(node)
        loops = {n.id for each in ast.walk(node) if isinstance(each, ast.For | ast.withitem)
                 for n in ast.walk(each.target if isinstance(each, ast.For) else each)
                 if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        used |= (at_once - bound - loops) | (later - everything)
        bound |= binds(node)
    return used, everything


def references(node: ast.stmt) -> tuple[set[str], set[str]]:
    """The global names that a statement reads itself, and those that functions in it read."""
    at_once, later = set[str](), set[str]()

    def look(table: symtable.SymbolTable, into: set[str]) -> None:
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (into is at_once or symbol.is_global()):
                into.add(symbol.get_name())
        for child in table.get_children():
            look(child, later)

    look(symtable.symtable(ast.unparse(node), "<answer>", "exec"), at_once)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        at_once.add(node.target.id)
    return at_once, later


def binds(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value where it stands."""
    bound = set[str]()

    def top(node: ast.AST) -> Iterator[ast.AST]:
        for child in ast.iter_child_nodes(node):
            yield child
            if not isinstance(child, ast.FunctionDef | ast.ClassDef | ast.Lambda):
                yield from top(child)

    for node in top(ast.Module([statement], [])):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name):
                bound.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()) | \
                    ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()):
                bound.add(name)  # who reads it later wants it as it is then
            case ast.ClassDef(name=name):
                bound.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                bound |= {(a.asname or a.name).split(".")[0] for a in aliases}
    return bound


def needed(cells: Cells, at: int) -> list[int]:
    """The earlier cells that give what cell `at` uses, and what those use in turn; in order."""
    facts = {i: read_and_bound(cell["source"]) for i, cell in enumerate(cells[:at + 1])}
    stars = [i for i in facts if "*" in facts[i][1]]  # `from x import *` may give anything
    wanted, todo = set(stars), [at]
    while todo:
        here = todo.pop()
        for name in facts[here][0] - set(dir(builtins)):
            giving = [i for i in facts if i not in (here, at) and name in facts[i][1]]
            # what stands behind `here` counts for the names that a function looks up when called
            last = ([i for i in giving if i < here] or giving)[-1:]
            todo += [i for i in last if i not in wanted]
            wanted.update(last)
    return sorted(wanted)


def answer(cells: Cells, target: str) -> Any:
    """The learner's object: the package filled from the cells, and for a step its own cell run.

    Raises LookupError when no cell gives it.
    """
    family, _, name = target.rpartition(".")
    user: dict[str, Any] = {"__name__": "__main__"}
    step = next((i for i, c in enumerate(cells) if c["target"] == target), None)
    is_step = family.startswith("steps.")
    wanted = {*needed(cells, step), step} if is_step and step is not None else set()
    for at, cell in enumerate(cells):
        if cell["module"]:
            fill(cell["source"], user, cell["module"])
        elif at in wanted:
            run(statements(cell["source"]), user)
    if is_step:
        if name not in user:
            raise LookupError(f"no cell gives {name}")
        return user[name]
    module = vars(importlib.import_module(f"minillm.{family}"))
    if name not in module:
        raise LookupError(f"minillm.{family} has no {name} any more")
    return module[name]


def observe(cells: Cells, target: str) -> Reply:
    """What the visible and the hidden scenario see of an answer."""
    try:
        found = answer(cells, target)
    except LookupError as error:
        return {"lost": str(error.args[0])}
    if found is ...:
        return {"lost": "not answered"}
    seen = {"visible": checks.observe(target, found).values}
    for part, registry in (("hidden", private.HIDDEN), ("extra", private.EXTRA)):
        if target in registry:
            seen[part] = checks.observe(target, found, registry).values
    return seen


def in_child(cells: Cells, target: str, cpu: float, wall: float) -> Reply:
    """Observe in a forked process of its own, which may hang or die."""
    import resource
    reader, writer = os.pipe()
    child, most = os.fork(), max(1, math.ceil(cpu))
    if not child:
        code = 1
        try:
            gc.disable()  # it would copy the memory that is shared with the parent
            os.setsid()
            alone(writer)
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
            with os.fdopen(writer, "w", encoding="utf-8") as out:
                json.dump(observe(cells, target), out)
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    try:
        said, why = receive(reader, child, wall)
    finally:
        os.close(reader)
        for end in (os.killpg, os.kill):  # its group; or itself, if it has none yet
            try:
                end(child, signal.SIGKILL)
            except OSError:
                pass
        _, status = os.waitpid(child, 0)
    if why:
        return {"lost": why}
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return {"lost": f"it used more than {most:g} s of processor time"}
    try:
        reply = json.loads(said)
    except ValueError:
        return {"lost": "it ended its process" if status else "its result cannot be read"}
    return reply if isinstance(reply, dict) else {"lost": "its result cannot be read"}


def alone(writer: int) -> None:
    """Close every way out of this process but the pipe for its own result."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.closerange(3, writer)
    os.closerange(writer + 1, os.sysconf("SC_OPEN_MAX") if hasattr(os, "sysconf") else 4096)


def receive(reader: int, child: int, seconds: float) -> tuple[bytes, str]:
    """All that comes until the child ends, or why it was not waited for."""
    said, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if not select.select([reader], [], [], min(left, 0.2))[0]:
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return said, ""  # and left a process behind, which holds the pipe
            continue
        piece = os.read(reader, 1 << 16)
        said += piece
        if not piece:
            return said, ""
        if len(said) > LARGEST:
            return b"", "its result is too large"
    return b"", f"it did not finish in {seconds:g} s"


def main() -> int:
    """Answer requests until the input ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # what answers print goes nowhere
    for name in sys.argv[1:]:
        with suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"number": request["number"], "replies": serve(request)}
        print(json.dumps(reply), file=out, flush=True)
    return 0


def serve_once(stream: int) -> None:
    """Read a request to its end from a stream, and write the reply into it."""
    with os.fdopen(stream, "r+b", buffering=0) as both:
        request = json.loads(both.read())
        reply = memoryview(json.dumps(serve(request)).encode())
        while reply:
            reply = reply[both.write(reply):]


def serve(request: dict[str, Any]) -> dict[str, Reply]:
    """{"cells", "targets", "cpu" and "wall" seconds for each, "total_…" for all} → the replies."""
    end, replies, before = time.monotonic() + request["total_wall"], {}, os.times()
    for cell in request["cells"]:
        given_by(cell["source"]) if cell["module"] else read_and_bound(cell["source"])
    for target in request["targets"]:
        scenarios.load(target)
        private.load(target)
    for target in request["targets"]:
        spent = sum(os.times()[2:4]) - sum(before[2:4])  # of children that are done
        cpu, wall = request["total_cpu"] - spent, end - time.monotonic()
        if cpu <= 0 or wall <= 0:
            replies[target] = {"lost": "the answers before it had used up the time"}
        elif hasattr(os, "fork"):
            replies[target] = in_child(request["cells"], target, min(request["cpu"], cpu),
                                       min(request["wall"], wall))
        else:
            try:
                replies[target] = observe(request["cells"], target)
            except Exception as error:
                replies[target] = {"lost": f"{type(error).__name__}: {error}"}
    return replies


if __name__ == "__main__":
    sys.exit(main())
