"""A learner's whole way: every lesson's notebook from holes to answers, into one package.

Cells are executed in real kernels and the fill hook writes the package; demos are left out, which
nbval runs. At the end the package so filled trains and writes; then three answers are spoilt.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from course import catchup, progress, scenarios, workspace
from course.mistakes import MISTAKES, Mistake
from course.source import is_hole, is_import, spans, text

from .conftest import ROOT, clean_environment

WRONG = {"functional.softmax": "01", "attention.scaled_dot_product_attention": "04",
         "rope.apply_rope": "07"}


def solve(folder: Path, lesson: progress.Lesson, **instead: str) -> NotebookNode:
    """The learner's notebook, answered as the solved one is (or `instead`), run, and saved."""
    path = folder / f"notebooks/{lesson.name}.ipynb"
    nb = nbformat.read(path, as_version=4)
    solved = nbformat.read(ROOT / f"solutions/{lesson.name}.ipynb", as_version=4)
    answers = {c.id: c.source for c in solved.cells if c.metadata.get("nbgrader")}
    for cell in nb.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = instead.get(cell.id, answers[cell.id])
    nbformat.write(nb, path)
    short = nbformat.from_dict({**nb, "cells": [
        c for c in nb.cells if c.metadata.get("nbgrader") or c.id == "progress"]})
    client = NotebookClient(short, timeout=300, kernel_name="python3", allow_errors=True,
                            resources={"metadata": {"path": str(path.parent)}})
    client.execute(env=clean_environment(OMP_NUM_THREADS="1"))
    return short


def failed(nb: NotebookNode) -> list[str]:
    """The checks that raised something."""
    return [c.source.split('"')[1] for c in nb.cells if c.source.startswith("check(")
            and any(o.output_type == "error" for o in c.outputs)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working copy in which every lesson has been done."""
    folder = tmp_path_factory.mktemp("learner") / "my course"
    assert workspace.start(ROOT, folder)
    for lesson in progress.lessons():
        nb = solve(folder, lesson)
        assert failed(nb) == [], lesson.name
        assert f"Lesson {lesson.number}: {len(lesson.asked)} of {len(lesson.asked)} checked" in str(
            nb.cells[-1].outputs), lesson.name
    return folder


def test_no_hole_is_left(filled: Path) -> None:
    for path in (filled / "minillm").glob("*.py"):
        source = path.read_text("utf-8")
        assert not [n for n in spans(source) if not is_import(n) and is_hole(text(source, n))]


def test_the_package_so_filled_gives_what_the_reference_gives(filled: Path) -> None:
    """Train a few steps and write a few tokens, with the learner's package and the reference."""
    script = (
        "import torch\n"
        "from minillm import gpt, sampling, train\n"
        "from minillm.config import GPTConfig\n"
        "torch.set_num_threads(1); torch.manual_seed(0)\n"
        "config = GPTConfig(vocab_size=61, block_size=16, n_layer=2, n_head=4, n_kv_head=2,\n"
        "    d_model=32, dropout=0.0, norm='rmsnorm', position='rope', ffn='swiglu', bias=False)\n"
        "model = gpt.MiniGPT(config)\n"
        "ids = torch.arange(3000) * 7 % 61\n"
        "history = train.train(model, ids[:2500], ids[2500:], train.TrainConfig(steps=20,\n"
        "    batch_size=4, block_size=16, eval_every=10, eval_windows=4))\n"
        "model.eval()\n"
        "out = sampling.generate(model, ids[None, :5], 24, k=5,\n"
        "    generator=torch.Generator().manual_seed(1))\n"
        "print(history.val_loss, out.tolist())\n")
    said = [subprocess.run([sys.executable, "-c", script], text=True, capture_output=True,
                           env=clean_environment(PYTHONPATH=str(root), PYTHONSAFEPATH="1")
                           ) for root in (filled, ROOT / "solutions")]
    assert said[0].returncode == 0, said[0].stderr
    assert said[0].stdout == said[1].stdout


@pytest.fixture
def mistakes() -> Iterator[dict[str, Mistake]]:
    """One known mistake for each target of WRONG; they are made from the reference package."""
    path = list(sys.path)
    workspace.use(ROOT / "solutions")
    for target in WRONG:
        scenarios.load(target, "course.mistakes")
    yield {target: next(m for m in MISTAKES[target] if not m.raises) for target in WRONG}
    sys.path[:] = path
    for name in [n for n in sys.modules if n.split(".")[0] == "minillm"]:
        del sys.modules[name]


def test_three_wrong_answers_are_named_and_the_rest_can_go_on(
        filled: Path, mistakes: dict[str, Mistake], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SEEN", {})
    for target, number in WRONG.items():
        mistake = mistakes[target]
        family = target.rpartition(".")[0]
        cell = f"#| fill minillm.{family}\n{mistake.source}"
        nb = solve(filled, progress.find(number), **{target.replace(".", "-"): cell})
        assert target in failed(nb)
        said = str(next(c for c in nb.cells if c.source == f'check("{target}")').outputs)
        assert " ".join(mistake.message.split()[:3]) in " ".join(said.split())
    last = progress.lessons()[-1]
    said = catchup.catch_up(filled, last, catchup.reference_package(None, ROOT),
                            tell=lambda _: None)
    assert set(WRONG) <= set(said[0])
    assert failed(solve(filled, last)) == []
    back, left = catchup.give_back(filled, WRONG)
    assert set(back) == set(WRONG) and not left
