"""How much processor time each preset needs to reach the same validation loss.

    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/to_loss.py [--seconds 600] [--corpus FOLDER]

Preset "notes" trains for `--seconds` of processor time on one thread; its lowest validation loss is
the goal. Then "modern" trains, on its usual schedule, until it is there. Both see the same training
text, are measured on the same held-out documents (64 windows of 128 tokens) and use the fast
kernels; the time of the evaluations is not counted. Exits with 1 when "modern" is not 15 times as
quick.
"""

import argparse
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
import turns  # noqa: E402

turns.reference()
sys.path.append(str(turns.ROOT))
import torch  # noqa: E402

from course.minillm_corpus import Corpus, corpus  # noqa: E402
from minillm import fast, gpt  # noqa: E402
from minillm import train as training  # noqa: E402
from minillm.config import GPTConfig  # noqa: E402

LEAST, WINDOW, WINDOWS = 15.0, 128, 64


class Enough(Exception):
    """The run has what it was for."""


def run(preset: str, text: Corpus, every: int, seconds: float, goal: float) -> tuple[float, float]:
    """Train until `seconds` of processor time are over or a loss is at `goal`: (seconds, loss)."""
    fields, config = training.preset(preset)
    config = replace(config, fast=True, eval_every=10**6)
    model: Any = gpt.MiniGPT(GPTConfig(vocab_size=len(text.words), **fields),
                             torch.Generator().manual_seed(config.seed))
    quick = fast.FastGPT(model)
    begin, best, looked = time.process_time(), (0.0, float("inf")), 0.0

    def on_step(step: int, history: object) -> None:
        nonlocal best, looked
        if step % every:
            return
        now = time.process_time()
        loss = training.evaluate(quick, text.val_ids, WINDOW, WINDOWS, spread=True)
        looked += time.process_time() - now
        spent = now - begin - (looked - (time.process_time() - now))
        print(f"{preset:7} step {step:5,}  {spent:7.1f} s  {loss:.3f} nats per token", flush=True)
        if loss < best[1]:
            best = spent, loss
        if spent > seconds or loss <= goal:
            raise Enough

    try:
        training.train(model, text.train_ids, text.val_ids, config, on_step=on_step)
    except Enough:
        pass
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--corpus", type=Path, default=turns.ROOT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    text = corpus(options.corpus, 100, 256)
    print(f"{text.documents} documents, {len(text.train_ids):,} characters to train on, "
          f"{len(text.val_ids):,} held out, {len(text.words)} tokens")
    slow, goal = run("notes", text, 10, options.seconds, 0.0)
    quick, reached = run("modern", text, 10, options.seconds, goal)
    if reached > goal:
        print(f"modern did not reach {goal:.3f} in {options.seconds:g} s")
        return 1
    return turns.verdict({f"processor time to {goal:.3f} nats, notes over modern":
                          (slow / quick, LEAST)})


if __name__ == "__main__":
    sys.exit(main())
