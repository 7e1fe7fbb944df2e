"""Which runs there are: the table a run belongs to, and its settings."""

from dataclasses import dataclass
from typing import Any

from .. import corpus

Settings = dict[str, Any]
SEEDS = (0, 1, 2)
TABLES = ("heads", "positions", "recipes", "goal", "residual")

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
    one_line: bool = False  # with the source note's block, see `measures.one_line_blocks`

    @property
    def settings(self) -> dict[str, Any]:
        return {"table": self.table, "name": self.name, "seed": self.seed, "model": self.model,
                "training": self.training, "corpus": corpus.data().mark,
                **({"one_line": True} if self.one_line else {})}


def runs() -> list[Run]:
    """Every run there is."""
    found = []
    for seed in SEEDS:
        found += [Run("heads", f"{heads} heads" if heads > 1 else "1 head", seed,
                      {**SMALL, "n_head": heads}, TRAINED) for heads in (1, 2, 4, 8)]
        found += [Run("positions", kind, seed, {**SMALL, "position": kind}, TRAINED)
                  for kind in ("learned", "none")]  # RoPE is the run with 4 heads
    return found + recipes() + goal() + residual()


def goal() -> list[Run]:
    """The notes' recipe for much longer: how far from ln V does it get, and when?"""
    notes = recipes()[0]
    return [Run("goal", "notes, longer", 0, notes.model,
                {**notes.training, "steps": 800, "eval_every": 20})]


def residual() -> list[Run]:
    """A block that loses what attention found against one that keeps it, at several depths."""
    half = {**TRAINED, "steps": 400, "eval_every": 50}
    return [Run("residual", f"{layers} layers, {kind}", seed, {**SMALL, "n_layer": layers}, half,
                one_line=kind == "in one line")
            for seed in SEEDS for layers in (2, 4, 8) for kind in ("in one line", "in two")]


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
