"""The experiments of lesson 17: small models, three seeds each, and their stored results.

`make experiments` runs what is missing from `course/data/experiments/` or was made from another
corpus or other settings, on one thread; `python -m course.experiments --all` runs them all again.
A result holds its settings, the seed, the mark of the corpus, the commit and the CPU-seconds. They
are not made in the lesson because they take some ten minutes of one core.
"""

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch

from . import corpus

FOLDER = Path(__file__).resolve().parent / "data/experiments"
Settings = dict[str, Any]
SEEDS = (0, 1, 2)
LONG = 512  # positions of experiment C, four times those of training
TABLES = ("heads", "positions", "recipes")

# The notes' kind of block in a smaller model, without dropout, trained with a schedule and small
# batches. Its positions come from RoPE where they are not what is compared: with a learned table
# runs as short as these stay on the plateau before attention does anything.
SMALL = {"block_size": 128, "n_layer": 2, "n_head": 4, "d_model": 64, "dropout": 0.0,
         "position": "rope"}
TRAINED = {"steps": 800, "batch_size": 4, "block_size": 128, "lr": 4e-3, "eval_every": 100,
           "eval_windows": 64, "fast": True}
MODERN = {"block_size": 128, "n_layer": 4, "n_head": 4, "d_model": 128, "dropout": 0.0}
SMALL_BATCH = {"batch_size": 8, "block_size": 128, "lr": 2e-3, "eval_windows": 64, "fast": True}
NEW_PARTS = {"norm": "rmsnorm", "ffn": "swiglu", "qk_norm": True, "bias": False}


@dataclass(frozen=True)
class Run:
    """One training run: the table it belongs to, what is special about it, and its settings."""

    table: str
    name: str
    seed: int
    model: dict[str, Any]
    training: dict[str, Any]

    @property
    def settings(self) -> dict[str, Any]:
        return {"table": self.table, "name": self.name, "seed": self.seed, "model": self.model,
                "training": self.training, "corpus": data().mark}


@dataclass(frozen=True)
class Data:
    """The corpus as ids: training and validation, whole documents in one of them only."""

    tokenizer: Any
    train_ids: torch.Tensor
    val_ids: torch.Tensor
    bytes_per_token: float  # of the validation text
    mark: str


@cache
def data() -> Data:
    """The corpus of the finale, split and encoded the same way for every run."""
    from minillm import data as documents
    from minillm import tokenizer

    texts = corpus.documents()
    train, val = documents.split_documents(texts, corpus.HELD_OUT, seed=corpus.SEED)
    train_text, val_text = "\n\n".join(train.values()), "\n\n".join(val.values())
    made = tokenizer.CharTokenizer.train(train_text)
    return Data(made, torch.tensor(made.encode(train_text)), torch.tensor(made.encode(val_text)),
                len(val_text.encode()) / len(val_text), corpus.mark(texts))


def bits_per_byte(loss: float) -> float:
    """A loss in nats per character of the validation text, in bits per byte (lesson 03)."""
    return loss / math.log(2) / data().bytes_per_token


def runs() -> list[Run]:
    """Every run there is."""
    found = []
    for seed in SEEDS:
        found += [Run("heads", f"{heads} heads" if heads > 1 else "1 head", seed,
                      {**SMALL, "n_head": heads}, TRAINED) for heads in (1, 2, 4, 8)]
        found += [Run("positions", kind, seed, {**SMALL, "position": kind}, TRAINED)
                  for kind in ("learned", "none")]  # RoPE is the run with 4 heads
    return found + recipes()


def recipes() -> list[Run]:
    """The notes' recipe, then one change at a time, each on top of those before it."""
    twenty: Settings = {**SMALL_BATCH, "steps": 330, "eval_every": 30}
    notes: Settings = {
        "batch_size": 32, "block_size": 256, "lr": 3e-4, "floor": 1.0, "warmup": 0.0, "fast": True,
        "decay_all": True, "seed": 1337, "steps": 40, "eval_every": 5, "eval_windows": 32}
    modern: Settings = {**MODERN, "position": "rope", **NEW_PARTS}
    chain: list[tuple[str, Settings, Settings]] = [
        ("notes", {**MODERN, "block_size": 256, "dropout": 0.1}, notes),
        ("small batches, schedule, no dropout", MODERN, twenty),
        ("… and RoPE", {**MODERN, "position": "rope"}, twenty),
        ("… and RMSNorm, SwiGLU, QK-norm", modern, twenty),
        ("… and Muon", modern, {**twenty, "optimizer": "muon"}),
        ("the same, longer", modern,
         {**twenty, "optimizer": "muon", "steps": 1500, "eval_every": 150})]
    return [Run("recipes", name, 0, model, training) for name, model, training in chain]


def make(run: Run, on_step: Any = None) -> tuple[Any, Any]:
    """Train the model of a run; gives model and History."""
    from minillm import gpt, train
    from minillm.config import GPTConfig

    found = data()
    generator = torch.Generator().manual_seed(run.seed)
    model = gpt.MiniGPT(GPTConfig(vocab_size=len(found.tokenizer), **run.model),
                        generator=generator)
    config = train.TrainConfig(**{"seed": run.seed, **run.training})
    history = train.train(model, found.train_ids, found.val_ids, config, progress=False,
                          on_step=on_step)
    return model, history


def measure(run: Run) -> dict[str, Any]:
    """Run it, and give what is stored about it."""
    begin, seconds = time.process_time(), list[float]()

    def on_step(step: int, history: Any) -> None:
        if len(history.step) > len(seconds):
            seconds.append(round(time.process_time() - begin, 2))

    model, history = make(run, on_step)
    spent = time.process_time() - begin
    loss = whole_loss(model, run.training["block_size"])
    found = {**run.settings, "val_loss": round(loss, 4), "bits_per_byte": round(
        bits_per_byte(loss), 4), "cpu_seconds": round(spent, 1),
        "curve": {"step": history.step, "cpu_seconds": seconds,
                  "val_loss": [round(v, 4) for v in history.val_loss]}}
    if run.table != "recipes":
        found["shuffled"] = round(cost_of_shuffling(model), 4)
    if run.name == "4 heads":
        found["by_method"] = longer(model)
    if run.table == "recipes":
        found["samples"] = samples(model)
    return found


def whole_loss(model: Any, block_size: int) -> float:
    """The loss over the whole validation text, in windows that do not overlap."""
    from minillm import fast, train

    return float(train.evaluate(fast.FastGPT(model), data().val_ids, block_size))


def samples(model: Any, count: int = 20, n: int = 600) -> list[str]:
    """What a model writes behind the mark of a heading, `count` times."""
    from minillm import fast, sampling

    coder = data().tokenizer
    start = torch.tensor([coder.encode("\n## ")]).expand(count, -1)
    ids = sampling.generate(fast.FastGPT(model), start, n, t=0.7, p=0.95,
                            generator=torch.Generator().manual_seed(0))
    return [str(coder.decode(row.tolist())) for row in ids]


def cost_of_shuffling(model: Any, windows: int = 256) -> float:
    """How many nats the last prediction of a window loses when all before its last token is mixed.

    0 means that the model does not use the order of what came before.
    """
    from minillm import functional as F
    from minillm import sampling

    ids, T = data().val_ids, model.config.block_size
    generator = torch.Generator().manual_seed(0)
    starts = torch.linspace(0, len(ids) - T - 1, windows).long()
    rows = ids[starts[:, None] + torch.arange(T)]  # (windows, T)
    mixed = torch.stack([torch.cat([row[:-1][torch.randperm(T - 1, generator=generator)], row[-1:]])
                         for row in rows])
    with sampling.at_rest(model):
        losses = [float(F.cross_entropy(model(x)[0][:, -1], ids[starts + T]))
                  for x in (rows, mixed)]
    return losses[1] - losses[0]


@contextmanager
def stretched(method: str, scale: float, base: float, width: int, trained: int) -> Iterator[None]:
    """Inside, RoPE turns by other angles: "PI", "NTK" or "YaRN" for `scale` times the length.

    They are lesson 07's functions, put in the place of the one that attention asks for its
    frequencies; YaRN also makes the scores larger, by a factor on cos and sin.
    """
    from minillm import rope as given

    rope: Any = given  # its functions are replaced for a while
    plain, tables = rope.rope_frequencies, rope.rope_tables

    def frequencies(width: int, base: float = base) -> Any:
        if method == "PI":
            return plain(width, base) / scale
        if method == "NTK":
            return plain(width, rope.ntk_base(base, scale, width))
        return rope.yarn_frequencies(plain(width, base), scale, trained)

    def scaled(positions: torch.Tensor, turns: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        factor = rope.yarn_attention_factor(scale)
        cos, sin = tables(positions, turns)
        return cos * factor, sin * factor

    try:
        if method != "plain":
            rope.rope_frequencies = frequencies
        if method == "YaRN":
            rope.rope_tables = scaled
        yield
    finally:
        rope.rope_frequencies, rope.rope_tables = plain, tables


def longer(model: Any, windows: int = 24) -> dict[str, dict[str, float]]:
    """Losses in windows of `LONG` positions, by method: at positions seen in training, and beyond.

    "as trained" is the same text in windows of the trained length.
    """
    from minillm import functional as F
    from minillm import gpt, sampling

    trained, config = model.config.block_size, model.config
    ids = data().val_ids
    starts = torch.linspace(0, len(ids) - LONG - 1, windows).long()
    x = ids[starts[:, None] + torch.arange(LONG)]  # (windows, LONG)
    y = ids[starts[:, None] + torch.arange(1, LONG + 1)]

    def by_place(network: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        with sampling.at_rest(network):
            log_p = F.log_softmax(torch.cat([network(part)[0] for part in torch.split(x, 8)]))
        return -log_p.gather(-1, y[..., None]).squeeze(-1)  # (rows, T)

    short = by_place(model, x.reshape(-1, trained), y.reshape(-1, trained)).mean()
    found = {"as trained": {"inside": round(float(short), 4), "beyond": round(float(short), 4)}}
    for method in ("plain", "PI", "NTK", "YaRN"):
        with stretched(method, LONG / trained, config.rope_base, config.rope_width, trained):
            wide = gpt.MiniGPT(replace(config, block_size=LONG))  # it keeps its frequencies
            wide.load_state_dict(model.state_dict())  # RoPE has no table, so every weight fits
            losses = by_place(wide, x, y)
        found[method] = {"inside": round(float(losses[:, :trained].mean()), 4),
                         "beyond": round(float(losses[:, trained:].mean()), 4)}
    return found


def stored(table: str) -> list[dict[str, Any]]:
    """The stored results of one table, in the order of `runs()`; empty when there are none."""
    path = FOLDER / f"{table}.json"
    if not path.is_file():
        return []
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["runs"]
    return found


def spread(values: list[float]) -> tuple[float, float]:
    """Mean and standard deviation (over n - 1) of what several seeds gave."""
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1))


def write(table: str, results: list[dict[str, Any]], commit: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = {"made": "by `make experiments`; not edited by hand", "commit": commit,
            "torch": torch.__version__, "cpu_seconds": round(sum(
                r["cpu_seconds"] for r in results), 1), "runs": results}
    text = json.dumps(made, ensure_ascii=False, indent=1)
    (FOLDER / f"{table}.json").write_text(text + "\n", "utf-8")


def same(result: dict[str, Any], run: Run) -> bool:
    """Was this stored result made by this run?"""
    wanted: dict[str, Any] = json.loads(json.dumps(run.settings))
    return all(result.get(key) == value for key, value in wanted.items())


def main() -> None:
    """Run what is missing, one table after another; each run is kept as soon as it is done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=TABLES, help=f"of {', '.join(TABLES)}")
    parser.add_argument("--all", action="store_true", help="also those that are stored")
    options = parser.parse_args()
    torch.set_num_threads(1)
    state = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    for table in options.tables:
        wanted = [run for run in runs() if run.table == table]
        old = [] if options.all else stored(table)
        results = []
        for at, run in enumerate(wanted):
            kept = [r for r in old if same(r, run)]
            result = kept[0] if kept else measure(run)
            results.append(result)
            if not kept:
                rest = [r for later in wanted[at + 1:] for r in old if same(r, later)]
                write(table, results + rest, state.stdout.strip())
                print(f"{table}: {run.name}, seed {run.seed}: {result['bits_per_byte']:.3f} bits "
                      f"per byte, {result['cpu_seconds']:.0f} CPU-seconds", flush=True)
        write(table, results, state.stdout.strip())


if __name__ == "__main__":
    if (solutions := Path(__file__).resolve().parent.parent / "solutions").is_dir():
        sys.path.insert(0, str(solutions))
    main()
