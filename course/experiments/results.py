"""How a run is made, and how what came out is stored."""

import json
import math
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import torch

from ..corpus import bits_per_byte, data
from .measures import cost_of_shuffling, longer, one_line_blocks, samples, whole_loss
from .runs import Run

FOLDER = Path(__file__).resolve().parent.parent / "data/experiments"


def make(run: Run, on_step: Any = None) -> tuple[Any, Any]:
    """Train the model of a run; gives model and History."""
    from minillm import gpt, train
    from minillm.config import GPTConfig

    found = data()
    generator = torch.Generator().manual_seed(run.seed)
    model = gpt.MiniGPT(GPTConfig(vocab_size=len(found.tokenizer), **run.model),
                        generator=generator)
    config = train.TrainConfig(**{"seed": run.seed, **run.training})
    history = train.train(model, found.train_ids, found.val_ids, config,
                          on_step=on_step)
    return model, history


def measure(run: Run) -> dict[str, Any]:
    """Run it, and give what is stored about it."""
    with one_line_blocks() if run.one_line else nullcontext():
        return results_of(run)


def results_of(run: Run) -> dict[str, Any]:
    """What is stored about a run, of models as they are made now."""
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
    if run.table in ("recipes", "goal"):
        found["samples"] = samples(model)
    else:
        found["shuffled"] = round(cost_of_shuffling(model), 4)
    if run.name == "4 heads":
        found["by_method"] = longer(model)
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
