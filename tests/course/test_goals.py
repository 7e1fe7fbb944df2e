"""What lesson 17 says about a learner's own run and own experiment."""

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from course import experiments, goals, workspace

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.usefixtures("reference")


def history(*losses: float, first: int = 1) -> Any:
    from minillm.recipe import History

    made = History()
    for i, loss in enumerate(losses):
        step = first if i == 0 else 50 * i
        made.batch_loss += [loss] * (step - len(made.batch_loss))
        made.record(step, loss, 1e-3, 3.0 * i, 100)
    return made


@pytest.mark.parametrize("losses, V, said", [
    ((5.3, 3.0, 2.4, 2.2, 2.3), 206, "✓ began at 5.30 nats per character, ln V = 5.33; 2.40 at "
     "step 100, after 6 s; the best is 2.20"),
    ((8.31, 2.49), 4000, "✓ began at 8.31"),
    ((5.3, 3.0, 2.6), 206, "✗ began at 5.30 nats per character, ln V = 5.33; the best is 2.60 at "
     "step 100, not below 2.5: go on"),
    ((8.3, 2.4), 206, "✗ began at 8.30 nats per character, ln V = 5.33: something is wrong"),
    ((), 206, "✗ nothing has been evaluated yet")])
def test_a_run_is_read(losses: tuple[float, ...], V: int, said: str) -> None:
    told = goals.goal(history(*losses), V)
    assert told.startswith(said)


def test_a_run_that_was_begun_elsewhere_is_no_whole_run() -> None:
    assert goals.goal(history(5.3, 2.4, first=20), 206).startswith("✗ the first steps are missing")


def test_a_folder_is_read(tmp_path: Path) -> None:
    from minillm import gpt, train
    from minillm.config import GPTConfig

    small = GPTConfig(vocab_size=3, block_size=4, n_layer=1, n_head=1, d_model=8, dropout=0.0)
    model = gpt.MiniGPT(small, torch.Generator().manual_seed(0))
    ids = torch.arange(60) % 3
    train.train(model, ids, ids, train.TrainConfig(steps=60, block_size=4, lr=0.05, eval_every=10),
                out=tmp_path / "run", progress=False)
    told = goals.goal(tmp_path / "run", below=0.9)
    assert told.startswith("✓ began at 1.") and f"ln V = {math.log(3):.2f}" in told
    assert goals.goal(str(tmp_path / "run/last"), below=0.0).startswith("✗")


def test_a_folder_is_named_as_in_a_terminal_of_lab(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    monkeypatch.setattr(workspace, "package_root", lambda: tmp_path)
    with pytest.raises(FileNotFoundError, match=str(tmp_path / "runs/modern")):
        goals.goal("runs/modern")


def test_one_thing_is_changed_or_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_SHORT", "0")
    asked = []

    def measured(run: experiments.Run) -> dict[str, float]:
        asked.append(run)
        return {"bits_per_byte": 2.5}

    monkeypatch.setattr(experiments, "measure", measured)
    for model in ({}, {"n_head": 4}, {"bias": True}):
        assert goals.experiment(model, {}) == "nothing is changed yet"
    for model, training in (({"n_layer": 3, "n_head": 2}, {}), ({"n_layer": 3}, {"lr": 1e-3})):
        assert goals.experiment(model, training).startswith("✗ changed: n_layer, ")
    assert not asked
    assert goals.experiment({"qk_norm": True}, {}).startswith("✓ qk_norm: False → True: 2.500")
    assert goals.experiment({}, {"lr": 1e-3}, seed=5).startswith("✓ lr: 0.004 → 0.001")
    assert [run.seed for run in asked] == [0, 5]
    monkeypatch.setenv("COURSE_SHORT", "1")
    assert "short mode" in goals.experiment({"qk_norm": True}, {})


def test_the_verdict_knows_how_far_seeds_differ() -> None:
    stored = [r["bits_per_byte"] for r in experiments.stored("heads") if r["name"] == goals.LIKE]
    mean, deviation = experiments.spread(stored)
    changed = {"lr": (1, 2)}
    assert "no difference" in goals.verdict(changed, mean)
    assert "better by 2.0 standard" in goals.verdict(changed, mean - 2 * deviation)
    assert "more seeds" in goals.verdict(changed, mean - 2 * deviation)
    assert goals.verdict(changed, mean + 5 * deviation).endswith("do not differ as much")
