"""The experiments of lesson 17: cells that are kept, and what stretching the positions does."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from course import experiments, workspace
from course.minillm_corpus import Corpus

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def reference() -> Iterator[None]:
    modules = {n: m for n, m in sys.modules.items() if n.split(".")[0] == "minillm"}
    path, threads = list(sys.path), torch.get_num_threads()
    torch.set_num_threads(1)
    workspace.use(ROOT / "solutions")
    yield
    torch.set_num_threads(threads)
    sys.path[:] = path
    for name in [n for n in sys.modules if n.split(".")[0] == "minillm"]:
        del sys.modules[name]
    sys.modules.update(modules)


def text() -> Corpus:
    ids = torch.arange(2500) * 7 % 11 + torch.arange(2500) // 9 % 3
    return Corpus(range(13), ids[:1500], ids[1500:], 0.9, 2)


def test_a_cell_is_run_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("d_model", 16), ("n_layer", 1)):
        monkeypatch.setitem(experiments.BASE, name, value)
    monkeypatch.setattr(experiments, "RUNS", {
        name: experiments.RUNS[name] for name in ("8 heads", "RoPE")})
    path, said = tmp_path / "kept.json", []
    real, runs = experiments.run, []

    def run(cell: dict[str, Any], *rest: Any) -> dict[str, Any]:
        runs.append((cell["run"], cell["seed"]))
        if len(runs) == 2:
            raise KeyboardInterrupt
        return real(cell, *rest)

    monkeypatch.setattr(experiments, "run", run)
    with pytest.raises(KeyboardInterrupt):
        experiments.complete(path, text(), 3, (0,), said.append, 2)
    [kept] = json.loads(path.read_text("utf-8"))["cells"]
    assert kept["run"] == "8 heads" and kept["n_head"] == 8 and kept["seconds"] > 0
    cells = experiments.complete(path, text(), 3, (0,), said.append, 2)
    assert cells[0] == kept and runs == [("8 heads", 0), ("RoPE", 0), ("RoPE", 0)]
    assert len(said) == 2 and len(cells[1]["longer"]["YaRN"]) == 4
    assert experiments.complete(path, text(), 3, (0,), said.append, 2) == cells
    assert len(runs) == 3
    again = real(experiments.settings("8 heads", 0, 3), text(), 2)  # a cell can be made again
    assert again["val_loss"] == kept["val_loss"]
    other = text()
    other.train_ids[0] = 12
    monkeypatch.setattr(experiments, "RUNS", {"8 heads": {"n_head": 8}})
    assert len(experiments.complete(path, other, 3, (0,), said.append, 2)) == 1  # another corpus


def test_stretching_changes_what_it_should() -> None:
    from minillm import attention, config, rope
    torch.manual_seed(0)
    layer = attention.CausalSelfAttention(config.GPTConfig(
        13, 64, 1, 2, d_model=32, dropout=0.0, position="rope"))
    x = torch.randn(1, 40, 32)
    plain = layer(x)
    made = {}
    for method in experiments.METHODS:
        with experiments.stretched(method, 4.0, 16):
            made[method] = layer(x)
    assert torch.equal(made["as it is"], plain)
    for i, a in enumerate(experiments.METHODS):
        for b in experiments.METHODS[:i]:
            assert not torch.allclose(made[a], made[b], atol=1e-5), (a, b)
    assert torch.equal(layer(x), plain)
    slower = rope.rope_tables(torch.arange(40) / 4, rope.rope_frequencies(16))
    with experiments.stretched("PI", 4.0, 16):
        for a, b in zip(rope.rope_tables(torch.arange(40), rope.rope_frequencies(16)), slower,
                        strict=True):
            torch.testing.assert_close(a, b)


def test_loss_by_position_is_the_loss_in_parts() -> None:
    from minillm import config, gpt, train
    model = gpt.MiniGPT(config.GPTConfig(13, 512, 1, 2, d_model=16, dropout=0.0))
    ids = text().val_ids.repeat(3)
    parts = experiments.loss_by_position(model, ids, 512, 3)
    assert len(parts) == 4
    assert sum(parts) / 4 == pytest.approx(train.evaluate(model, ids, 512, 3, spread=True))
