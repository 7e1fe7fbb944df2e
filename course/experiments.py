"""Experiments A, B and C of lesson 17: heads, positions, longer texts; each cell with three seeds.

    python -m course.experiments        (the reference package; `make experiments`)

A cell is one training run. Its result is kept in course/data/experiments.json as soon as it is
there, with its settings, its seed, its processor seconds and a mark of the corpus; a cell that is
there with the same settings is not run again, so the command may be stopped at any time.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

from . import files
from .minillm_corpus import Corpus, corpus

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "data/experiments.json"
SEEDS = (0, 1, 2)
TRAINED, LONG = 128, 512  # positions in training, and of experiment C's longer texts
STEPS = 1000
BASE: dict[str, Any] = {"block_size": TRAINED, "n_layer": 4, "n_head": 4, "d_model": 128,
                        "dropout": 0.0}
# What differs from BASE: GPT-2's kind of model, with learned positions and four heads.
RUNS: dict[str, dict[str, Any]] = {
    "1 head": {"n_head": 1}, "2 heads": {"n_head": 2}, "learned, 4 heads": {},
    "8 heads": {"n_head": 8}, "no positions": {"position": "none"}, "RoPE": {"position": "rope"}}
METHODS = ("as it is", "PI", "NTK", "YaRN")


def settings(name: str, seed: int, steps: int) -> dict[str, Any]:
    """All that decides the result of a cell but the corpus."""
    return {"run": name, "seed": seed, "steps": steps, **BASE, **RUNS[name]}


@contextmanager
def stretched(method: str, scale: float, train_length: int) -> Iterator[None]:
    """Inside, `minillm.rope` turns queries and keys as `method` says for texts `scale` as long."""
    from minillm import rope
    frequencies, tables = rope.rope_frequencies, rope.rope_tables

    def ntk(Dh: int, base: float = 10000.0) -> Any:
        return frequencies(Dh, rope.ntk_base(base, scale, Dh))

    def pi(positions: Any, given: Any) -> Any:
        return tables(rope.interpolate_positions(positions, scale), given)

    def yarn(positions: Any, given: Any) -> Any:
        slower = rope.yarn_frequencies(given, scale, train_length)
        return tuple(rope.yarn_attention_factor(scale) * each for each in tables(positions, slower))

    with mock.patch.object(rope, "rope_frequencies", ntk if method == "NTK" else frequencies), \
         mock.patch.object(rope, "rope_tables", {"PI": pi, "YaRN": yarn}.get(method, tables)):
        yield


def loss_by_position(model: Any, ids: Any, length: int, windows: int) -> list[float]:
    """The mean loss in nats of each `TRAINED` positions of windows of `length` tokens."""
    import torch

    from minillm import sampling
    from minillm import train as training
    starts = training.window_starts(len(ids), length, windows, spread=True)
    rows = starts[:, None] + torch.arange(length)
    with sampling.at_rest(model):
        losses = torch.cat([torch.nn.functional.cross_entropy(
            model(ids[row])[0].transpose(1, 2), ids[row + 1], reduction="none")
            for row in torch.split(rows, 8)])  # (windows, length)
    return [float(part.mean()) for part in torch.split(losses, TRAINED, dim=1)]


def longer(model: Any, ids: Any, windows: int) -> dict[str, list[float]]:
    """Experiment C: the loss by position on texts of `LONG` tokens, for each way of stretching."""
    from dataclasses import replace

    from minillm import fast, gpt
    found = {}
    for method in METHODS:
        with stretched(method, LONG / TRAINED, TRAINED):
            wide = gpt.MiniGPT(replace(model.config, block_size=LONG))
            wide.load_state_dict(model.state_dict())
            found[method] = loss_by_position(fast.FastGPT(wide), ids, LONG, windows)
    return found


def run(cell: dict[str, Any], text: Corpus, windows: int = 64) -> dict[str, Any]:
    """Train one cell, and measure it on the held-out documents."""
    import torch

    from minillm import fast, gpt
    from minillm import train as training
    from minillm.config import GPTConfig
    fields = {name: value for name, value in cell.items() if name not in ("run", "seed", "steps")}
    begin = time.process_time()
    model = gpt.MiniGPT(GPTConfig(vocab_size=len(text.words), **fields),
                        torch.Generator().manual_seed(cell["seed"]))
    config = training.TrainConfig(steps=cell["steps"], seed=cell["seed"], fast=True,
                                  block_size=TRAINED, eval_every=max(1, cell["steps"] // 10),
                                  eval_windows=windows)
    history = training.train(model, text.train_ids, text.val_ids, config)
    spent = time.process_time() - begin
    result = {**cell, "step": history.step, "val_loss": history.val_loss,
              "bits_per_byte": history.val_loss[-1] * text.per_byte / 0.6931471805599453,
              "seconds": round(spent, 1)}
    if fields.get("position") == "rope":
        with fast.runtime():
            result["longer"] = longer(model, text.val_ids, max(1, windows // 4))
    return result


def mark(text: Corpus) -> str:
    """A few signs that change with the corpus."""
    every = text.train_ids.numpy().tobytes() + text.val_ids.numpy().tobytes()
    return sha256(every).hexdigest()[:12]


def complete(path: Path, text: Corpus, steps: int, seeds: tuple[int, ...],
             tell: Callable[[str], None], windows: int = 64) -> list[dict[str, Any]]:
    """Run the cells that `path` does not hold, and write it after each; all results."""
    kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    if kept.get("corpus") != mark(text):
        kept = {"corpus": mark(text), "cells": []}
    for seed in seeds:
        for name in RUNS:
            cell = settings(name, seed, steps)
            if any(cell.items() <= {**old}.items() for old in map(comparable, kept["cells"])):
                continue
            kept["cells"].append(run(cell, text, windows))
            files.write(path, json.dumps(kept, indent=1) + "\n")
            last = kept["cells"][-1]
            tell(f"{name:18} seed {seed}  {last['val_loss'][-1]:.3f} nats  {last['seconds']} s")
    cells: list[dict[str, Any]] = kept["cells"]
    return cells


def comparable(result: dict[str, Any]) -> dict[str, Any]:
    """The settings among what is kept of a cell; lists can't be compared as items."""
    return {name: value for name, value in result.items() if not isinstance(value, list | dict)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=HERE.parent)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    os.environ.setdefault("COURSE_MINILLM", str(HERE.parent / "solutions"))
    from . import workspace
    workspace.use(workspace.package_root())
    import torch
    torch.set_num_threads(1)
    complete(options.results, corpus(options.corpus, 100, LONG), options.steps, SEEDS, print)
    return 0


if __name__ == "__main__":
    sys.exit(main())
