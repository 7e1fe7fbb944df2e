"""Where a definition stands in a Python source, and whether it is a hole."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

HOLE = "not filled in yet"
MARKER = re.compile(r" *### (BEGIN|END) SOLUTION\n?")


class NotPython(ValueError):
    """The text is no Python; the message names the line."""


def parse(source: str) -> list[ast.stmt]:
    """Top-level statements of a module. Raises NotPython with the line."""
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError) as error:
        line = f"line {error.lineno}: " if isinstance(error, SyntaxError) else ""
        raise NotPython(f"{line}{getattr(error, 'msg', error)}") from error


def names(node: ast.stmt) -> list[str]:
    """What a top-level statement defines; an import counts as its own text."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            parts = [t.elts if isinstance(t, ast.Tuple) else [t] for t in targets]
            return [n.id for part in parts for n in part if isinstance(n, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Import() | ast.ImportFrom():
            return [ast.unparse(node)]
    return []


def is_import(name: str) -> bool:
    return " " in name


def spans(source: str) -> dict[str, tuple[int, int]]:
    """First line and end (0-based, half open) of each definition, by name.

    Decorators and the comment lines right above belong to it, and so do indented comments below:
    they are no part of the syntax tree (`### END SOLUTION` is one).
    """
    lines, found = source.splitlines(), {}
    for node in parse(source):
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
        while first and re.match(r"#(?!\|)", lines[first - 1]):
            first -= 1
        end = node.end_lineno or node.lineno
        while end < len(lines) and re.match(r"\s+#", lines[end]):
            end += 1
        for name in names(node):
            found[name] = (first, end)
    return found


def text(source: str, name: str) -> str:
    """The lines of one definition. Raises KeyError when there is none of that name."""
    return "\n".join(source.splitlines()[slice(*spans(source)[name])])


def answer(source: str) -> str:
    """A definition of the reference package without the markers round its answer."""
    return MARKER.sub("", source + "\n").rstrip()


def is_hole(definition: str) -> bool:
    """Whether something in this definition still has to be filled in."""
    for node in ast.walk(ast.parse(definition)):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id="NotImplementedError"),
                                        args=[ast.Constant(value=str(said))])) if HOLE in said:
                return True
            case ast.Assign(value=ast.Constant(value=value)) if value is ...:
                return True
    return False


def alike(own: str, theirs: str) -> bool:
    """Whether two functions take arguments of the same names; a class, the other's methods."""
    match parse(own)[-1], parse(theirs)[-1]:
        case ast.FunctionDef(args=a), ast.FunctionDef(args=b):
            return [x.arg for x in ast.walk(a) if isinstance(x, ast.arg)] == [
                x.arg for x in ast.walk(b) if isinstance(x, ast.arg)]
        case ast.ClassDef(body=a), ast.ClassDef(body=b):
            return {x.name for x in b if isinstance(x, ast.FunctionDef)} <= {
                x.name for x in a if isinstance(x, ast.FunctionDef)}
    return False


def pieces(source: str) -> Iterator[str]:
    """The top-level pieces of a text that are Python by themselves, where the whole is not."""
    whole = ""
    for piece in re.split(r"^(?=[\w@])", source, flags=re.MULTILINE):
        whole += piece
        if piece.startswith("@"):
            continue  # what it decorates comes next
        try:
            parse(whole)
            yield whole
        except NotPython:
            pass
        whole = ""


def without_magics(cell: str) -> str:
    """A notebook cell as Python can read it."""
    return re.sub(r"(?m)^ *[%!?].*", "", cell)


def comments(source: str) -> Iterator[str]:
    """The comments of a source, without `#`."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ").rstrip()
