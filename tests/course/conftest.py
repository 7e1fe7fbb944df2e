"""A small course of lesson 00 alone, a working copy of it, and a shell that runs cells in it."""

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course import fill, workspace

ROOT = Path(__file__).parents[2]
TOOLS = ("PYTEST_VERSION", "NBGRADER_EXECUTION", "COURSE_MINILLM", "JPY_SESSION_NAME")
OTHER_MODULES = [p.stem for p in (ROOT / "solutions/minillm").glob("*.py")
                 if p.stem not in ("__init__", "bigram")]


def clean_environment(**more: str) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in TOOLS} | more


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with lesson 00 only, as its build left it."""
    root = tmp_path_factory.mktemp("built") / "project"
    generated = shutil.ignore_patterns(".*", "my-c*", "__pycache__", "*.egg-info", "tests")
    shutil.copytree(ROOT, root, ignore=generated)
    for folder in ("course/lessons", "notebooks", "solutions"):
        for path in (root / folder).glob("[0-9]*"):
            if not path.name.startswith("00_"):
                path.unlink()
    for module in OTHER_MODULES:
        (root / f"solutions/minillm/{module}.py").unlink()
    shutil.rmtree(root / "minillm", ignore_errors=True)
    course(root, "build")
    return root


@pytest.fixture
def project(built: Path, tmp_path: Path) -> Path:
    """A copy of the small course that a test may spoil."""
    return Path(shutil.copytree(built, tmp_path / "project"))


def course(root: Path, *arguments: str, fails: bool = False, **env: str) -> str:
    """Run the `course` command of the project in `root`; what it said."""
    env = clean_environment(PYTHONPATH=str(root), **env)
    done = subprocess.run([sys.executable, "-m", "course", *arguments], cwd=root, env=env,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert (done.returncode != 0) == fails, done.stdout
    return done.stdout


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """A learner's working copy, in a folder whose name is not plain ASCII."""
    folder = tmp_path / "mein Kurs é"
    assert workspace.start(built, folder)
    return folder


Run = Callable[..., str]


@pytest.fixture
def run(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Run cells as a notebook in the working copy would; gives all that was printed."""
    for name in TOOLS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(copy / "notebooks")
    before = list(sys.path)
    shell = InteractiveShell.instance()
    shell.colors = "nocolor"
    for state in (fill.FILLED, fill.CELLS, fill.LOADED):
        state.clear()

    def cells(*sources: str) -> str:
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            for source in sources:
                shell.run_cell(source, store_history=True)
        return said.getvalue()

    said = cells("%reload_ext course", "import torch")
    assert not said, said
    yield cells
    shell.reset(new_session=False)
    for event, hook in (("pre_run_cell", fill.before_cell), ("post_run_cell", fill.after_cell)):
        if hook in shell.events.callbacks[event]:
            shell.events.unregister(event, hook)
    sys.path[:] = before
    for name in [n for n in sys.modules if n.split(".")[0] == "minillm"]:
        del sys.modules[name]


def module(folder: Path) -> str:
    return (folder / "minillm/bigram.py").read_text("utf-8")


def everything(folder: Path) -> dict[Path, Any]:
    """All files below a folder with what is in them."""
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()
            and "__pycache__" not in p.parts and p.name != ".course.lock"}


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The reference package, whatever minillm another test has left behind."""
    kept = {n: sys.modules.pop(n) for n in list(sys.modules) if n.split(".")[0] == "minillm"}
    monkeypatch.syspath_prepend(str(ROOT / "solutions"))
    yield
    for name in [n for n in sys.modules if n.split(".")[0] == "minillm"]:
        del sys.modules[name]
    sys.modules.update(kept)
