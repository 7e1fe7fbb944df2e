"""What README, CONTRIBUTING and the grader's pages tell a reader to type: run here or elsewhere.

The cheap ones run in a copy of the project, as they stand and in their order. That all the others
are taken by their program is in `test_documents`; here each has a test or stage that runs it.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .test_documents import ROOT, commands

PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "grader/README.md",
                                  "grader/CLASS.md")]
# the command as it stands: its exit status (a check of holes fails), and what it says
CHEAP = {
    "course start": (0, "my-course"),
    "course progress": (0, "00 Start here"),
    "course progress 04": (0, "attention.scaled_dot_product_attention: open"),
    "course check 04": (1, "not answered yet"),
    "course catch-up 07": (0, "course restore"),
    "course reset 04": (0, "holes again: attention."),
    "course restore": (0, "back in place: bigram."),
    "course update": (0, "is at this release"),
    "course new-exercise 04 attention.name": (0, "course/scenarios/attention/name.py"),
    "course new-exercise 04 attention.causal_mask": (1, "has a causal_mask already"),
    "grader catch-up 07": (0, "catch-up/07_rope"),
    "make help": (0, "lab"),
    "benchmarks/grade.py": (0, "usage"), "benchmarks/train.py": (0, "usage"),
    "benchmarks/generate.py": (0, "usage"), "benchmarks/to_loss.py": (0, "usage"),
}
TEN, RULES = "tests/grader/test_ten_commands.py", "tests/grader/test_rules.py"
# what begins so: the file that runs it, and words in it that show that it does
ELSEWHERE = {
    "course lab": ("tests/browser/conftest.py", "lab"),
    "course catch-up 07 --from": ("tests/course/test_progress.py", "reference_package"),
    "course build --watch": ("tests/course/test_build.py", "watch"),
    "course build": ("Makefile", "course build"), "grader build": ("Makefile", "grader build"),
    "minillm train": ("tests/course/test_minillm_command.py", '"train"'),
    "minillm generate": ("tests/course/test_minillm_command.py", '"generate"'),
    "grader due 00 never": (RULES, "grader due 00 never"),
    **{f"grader {name}": (TEN, "grader/README.md") for name in (
        "release", "due", "collect", "grade", "feedback", "report", "formgrader", "regrade")},
    "grader selftest": ("Makefile", "grader selftest"),
    "make": (".ci/run", "make test"),
}
SET_UP = {  # not ours; what they install is compared by tests/test_environment.py, and CI installs
    "python3.11 -m venv .venv", "py -3.11 -m venv .venv", "source .venv/bin/activate",
    r".venv\Scripts\Activate.ps1", "pip install torch==2.13.0", "conda activate minillm-course",
    "pip install -e . -c constraints.txt", "conda env create -f environment.yml",
}


def told(page: Path) -> list[str]:
    """The commands of a page, benchmarks included."""
    scripts = re.findall(r"(?<!`)`(benchmarks/\w+\.py)`(?!`)", page.read_text("utf-8"))
    return list(dict.fromkeys([*commands(page), *scripts]))


def elsewhere(line: str) -> tuple[str, str] | None:
    return next((where for start, where in ELSEWHERE.items()
                 if f"{line} ".startswith(f"{start} ")), None)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, as somebody has it who cloned it."""
    folder: Path = tmp_path_factory.mktemp("clone") / "project"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(
        ".*", "__pycache__", "*.egg-info", "tests", "my-*"))
    return folder


def run(line: str, folder: Path) -> tuple[int, str]:
    """Run a command of a page in a project, as if that were installed."""
    words = shlex.split(line)
    if words[0].endswith(".py"):
        words = [sys.executable, *words, "--help"]
    elif words[0] != "make":
        words = [sys.executable, "-m", *words]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COURSE_", "PYTEST"))}
    done = subprocess.run(words, cwd=folder, text=True, capture_output=True, check=False,
                          env=env | {"PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"})
    return done.returncode, done.stdout + done.stderr


def test_the_cheap_ones_run(project: Path) -> None:
    """One after another, since each goes on from what the one before has made."""
    lines = list(dict.fromkeys(line for page in PAGES for line in told(page) if line in CHEAP))
    assert set(lines) == set(CHEAP), "named here, and on no page any more"
    lines.remove("course start")
    for line in ["course start", *lines]:
        status, said = run(line, project)
        assert status == CHEAP[line][0], f"{line}\n{said}"
        assert CHEAP[line][1] in said and "Traceback" not in said, f"{line}\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_others_run_somewhere(page: Path) -> None:
    for line in told(page):
        if line not in CHEAP:
            where = elsewhere(line)
            assert where, f"{page.name} names `{line}`, and nothing runs it"
            assert where[1] in (ROOT / where[0]).read_text("utf-8"), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_else_a_reader_types(page: Path) -> None:
    blocks = re.findall(r"^```(?:bash|powershell)\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    lines = {line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()}
    assert lines - set(commands(page)) <= SET_UP


def test_make_knows_what_its_targets_need() -> None:
    """`make -n` reads every rule that a page names and runs none."""
    for page in PAGES:
        for line in (each for each in told(page) if each.startswith("make ")):
            done = subprocess.run(["make", "-n", *line.split()[1:]], cwd=ROOT, text=True,
                                  capture_output=True, check=False)
            assert not done.returncode, done.stderr
