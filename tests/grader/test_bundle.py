"""The learners' bundle: no answer in it, in any spelling; it stands alone; always the same."""

import ast
import json
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from course.build.lesson import holes_from
from course.build.package import marked_lines, package_files
from course.workspace import RELEASED
from grader.project import ALONE, read_lessons
from grader.release import NAME, make_bundle, make_zip

from .conftest import ROOT

# nodes of a syntax tree: a body of fewer is no answer, and a line of fewer no line of one
SMALL, LINE = 11, 17
DUMP = """
import json, sys
from pathlib import Path
from course.workspace import use
from grader.project import read_lessons
from grader.selftest import variants
root = Path(sys.argv[1])
use(root / "solutions")
print(json.dumps([[v.kind, v.target, v.name, v.source] for lesson in read_lessons(root)
                  for known in variants(root, lesson).values() for v in known]))
"""
Run = tuple[str, ...]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("release") / NAME
    make_bundle(ROOT, folder)
    return folder


def skeleton(node: Any, names: dict[str, str] | None) -> str:
    """A tree as text, without places; variables by the order they come in, or (None) all alike."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name):
            return "v" if names is None else names.setdefault(name, f"v{len(names)}")
        case ast.AST():
            fields = (skeleton(value, names) for _, value in ast.iter_fields(node))
            return f"{type(node).__name__}({','.join(fields)})"
        case list():
            return f"[{','.join(skeleton(each, names) for each in node)}]"
    return repr(node)


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements in a tree, without docstrings."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                first = body[0]
                doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
                if rest := (body[1:] if doc else body):
                    yield rest


def dumped(statements: list[ast.stmt]) -> Run:
    names: dict[str, str] = {}
    return tuple(skeleton(statement, names) for statement in statements)


def size(statements: list[ast.stmt]) -> int:
    return sum(1 for s in statements for n in ast.walk(s) if not isinstance(n, ast.expr_context))


def runs(tree: ast.AST, lengths: set[int], alike: set[str]) -> Iterator[Run]:
    """All runs of so many statements, in any block, that are `alike` one that is looked for."""
    for block in blocks(tree):
        known = [skeleton(statement, None) in alike for statement in block]
        for length in lengths:
            for start in range(len(block) - length + 1):
                if all(known[start:start + length]):
                    yield dumped(block[start:start + length])


def pieces(tree: ast.AST, lines: bool) -> Iterator[Run]:
    """What must not be found: a function's body, a block of several statements, and with `lines`
    each statement that says something by itself.
    """
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for block in blocks(tree):
        whole = any(block == body[-len(block):] for body in bodies)
        if size(block) >= SMALL and (whole or len(block) > 1):
            yield dumped(block)
        if lines:
            yield from (dumped([s]) for s in block if size([s]) >= LINE)


def fenced(text: str) -> str:
    """The code that a text cell shows."""
    parts = text.split("~~~")
    return "\n\n".join(part.removeprefix("python") for part in parts[1::2])


def sources(folder: Path, texts: bool) -> Iterator[tuple[str, str]]:
    """All code of a bundle, with the place it stands in; with `texts` also that in text cells."""
    for path in sorted(folder.rglob("*.py")):
        yield str(path.relative_to(folder)), path.read_text("utf-8")
    for path in sorted(folder.rglob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            source = cell.source if cell.cell_type == "code" else fenced(cell.source) * texts
            yield f"{path.name}, cell {cell.id}", source.replace("%load_ext", "# ")


def parsed(source: str) -> ast.AST | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


@pytest.fixture(scope="module")
def answers() -> list[tuple[str, str]]:
    """Every reference, alternative, mistake and oracle: what it is, and its source."""
    done = subprocess.run([sys.executable, "-c", DUMP, str(ROOT)], cwd=ROOT, text=True,
                          capture_output=True, check=True)
    found = [(f"{kind} {name} of {target}", source.replace("#| fill", "#"))
             for kind, target, name, source in json.loads(done.stdout) if kind != "hole"]
    found += [(f"oracle {path.name}", path.read_text("utf-8"))
              for path in sorted((ROOT / "tests/oracles").glob("*.py"))]
    assert len({what.split()[0] for what, _ in found}) == 4 and len(found) > 30
    return found


def given() -> set[Run]:
    """What learners get in the holes: an answer that repeats it gives nothing away."""
    files = package_files(ROOT / "solutions/minillm", RELEASED, holes_from(read_lessons(ROOT), 0))
    return {piece for text in files.values() for piece in pieces(ast.parse(text), lines=True)}


def leaks(folder: Path, answers: list[tuple[str, str]], texts: bool) -> list[str]:
    public = given()
    secret = {piece: what for what, source in answers if (tree := parsed(source))
              for piece in pieces(tree, what.startswith("reference") and not texts)
              if piece not in public}
    assert len(secret) > 30 or not texts
    found, lengths = [], {len(piece) for piece in secret}
    alike = {skeleton(statement, None) for _, source in answers if (tree := parsed(source))
             for block in blocks(tree) for statement in block}
    for place, source in sources(folder, texts):
        tree = parsed(source)
        if tree:
            found += [f"{place} holds {secret[run]}" for run in runs(tree, lengths, alike)
                      if run in secret]
    return found


def test_no_answer_is_in_it(bundle: Path, answers: list[tuple[str, str]]) -> None:
    """A lesson may show a wrong answer, to be tried or mended; the kit has none. A hint 3 is almost
    the code, and so may have a line of it, but no whole answer.
    """
    found = leaks(bundle, answers, texts=False)
    rest = [each for each in found if not (".ipynb" in each and "holds mistake" in each)]
    assert not rest, "\n".join(rest)
    right = [(what, source) for what, source in answers if not what.startswith("mistake")]
    assert leaks(bundle, right, texts=True) == []


def test_an_answer_would_be_found(bundle: Path, answers: list[tuple[str, str]],
                                  tmp_path: Path) -> None:
    """The test itself: renamed, in another block, beside other lines, it still shows."""
    hidden = ("class Helper:\n    def of(self, table):\n        if table is not None:\n"
              "            print(1)\n            return table / table.sum(-1, keepdim=True)\n")
    (tmp_path / "helper.py").write_text(hidden)
    found = leaks(tmp_path, answers, texts=False)
    assert found and "bigram.next_word_probabilities" in found[0]


def test_no_line_of_an_answer_is_in_it(bundle: Path) -> None:
    lines = {line for path in (ROOT / "solutions").glob("*/*.py")
             for line in marked_lines(path.read_text("utf-8")) if len(line) > 40}
    assert lines
    for place, source in sources(bundle, texts=False):
        assert not lines & {line.strip() for line in source.splitlines()}, place


def test_no_constant_answer_is_in_it(bundle: Path) -> None:
    names = {target.id for path in (ROOT / "solutions/steps").glob("*.py")
             for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.Assign)
             for target in node.targets if isinstance(target, ast.Name)}
    holes = 0
    for path in sorted(bundle.glob("notebooks/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.metadata.get("nbgrader", {}).get("solution"):
                for node in ast.parse(cell.source).body:
                    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in names:
                        assert ast.unparse(node.value) == "..."
                        holes += 1
    assert holes


def test_what_stays_here(bundle: Path) -> None:
    top = {p.name for p in bundle.iterdir()}
    assert top == {".released", "Makefile", "README.md", "constraints.txt", "course",
                   "environment.yml", "minillm", "notebooks", "pyproject.toml"}
    names = {p.relative_to(bundle).as_posix() for p in bundle.rglob("*")}
    assert not [n for n in names if n.split("/")[1:2] in (["mistakes"], ["alternatives"], ["build"],
                                                          ["lessons"]) or "__pycache__" in n]
    assert {"minillm/.course.json", "course/expected", "course/scenarios"} <= names
    assert not any(cell.get("outputs") for path in bundle.glob("notebooks/*.ipynb")
                   for cell in nbformat.read(path, as_version=4).cells)


def test_it_stands_alone(bundle: Path, tmp_path: Path) -> None:
    """The kit runs from the bundle, which is a working copy already."""
    def course(*words: str) -> Any:
        script = (f"import sys; sys.path.insert(0, {str(bundle)!r})\n"
                  f"{ALONE}\nfrom course.__main__ import main; sys.exit(main(sys.argv[1:]))")
        return subprocess.run([sys.executable, "-I", "-c", script, *words], cwd=tmp_path,
                              text=True, capture_output=True)

    started = course("start").stdout
    assert f"your working copy is {bundle}" in started and "has changed" not in started
    for words in (["build"], ["new-exercise", "01", "functional.mine"], ["lab", "--solutions"]):
        refused = course(*words)
        assert refused.returncode == 1 and "this is a learner's bundle" in refused.stderr
    project = tomllib.loads((bundle / "pyproject.toml").read_text())["project"]
    original = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["dependencies"]) < set(original["dependencies"])
    assert any(d.startswith("nbgrader") for d in project["dependencies"])
    assert project["scripts"] == {"course": "course.__main__:main",
                                  "minillm": "course.minillm_command:main"}
    readme = (bundle / "README.md").read_text()
    assert "pip install torch==" in readme and "{torch}" not in readme
    assert "grader" not in readme.replace("nbgrader", "").replace("a grader would", "")


def test_the_same_bytes_every_time(bundle: Path, tmp_path: Path) -> None:
    make_bundle(ROOT, tmp_path / "again")
    make_zip(bundle, tmp_path / "a.zip")
    make_zip(tmp_path / "again", tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = archive.namelist()
        assert names == sorted(names) and f"{NAME}/minillm/.course.json" in names
        assert all(name.startswith(f"{NAME}/") for name in names)
