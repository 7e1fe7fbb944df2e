"""How the time of a step and of a token grow with the model and with the context, drawn.

    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/growth.py

Preset "modern" with the fast switch, 8 windows, one thread, processor time, median of the rounds.
Writes growth.svg beside this file. From the recipe's 4 layers of width 128 and 128 positions one
thing changes at a time. The last panel adds a token behind a context, with and without cache.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
import turns  # noqa: E402

turns.reference()
sys.path.append(str(turns.ROOT))
import matplotlib  # noqa: E402

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
import torch  # noqa: E402

from course import plots  # noqa: E402
from minillm import fast, gpt, kv_cache, stepper  # noqa: E402
from minillm import train as training  # noqa: E402
from minillm.config import GPTConfig  # noqa: E402

V, B = 1000, 8


def model_of(**fields: Any) -> Any:
    modern, _ = training.preset("modern")
    return fast.FastGPT(gpt.MiniGPT(GPTConfig(vocab_size=V, **{**modern, **fields})))


def step_of(**fields: Any) -> Callable[[], object]:
    model = model_of(**fields)
    optimizer = stepper.Stepper(model.model, training.TrainConfig(fast=True))
    T = model.config.block_size
    ids = torch.randint(V, (B, T + 1), generator=torch.Generator().manual_seed(0))
    return lambda: training.train_step(model, optimizer, ids[:, :-1], ids[:, 1:])


def token_of(length: int, cached: bool) -> Callable[[], object]:
    """One more token behind `length` others."""
    model = model_of(block_size=length + 1).eval()
    c, ids = model.config, torch.zeros(1, length + 1, dtype=torch.int64)

    @torch.inference_mode()
    def again() -> object:
        return model(ids)

    @torch.inference_mode()
    def next_one() -> object:
        cache = kv_cache.KVCache(c.n_layer, 1, c.kv_heads, length + 1, c.head_width)
        model(ids[:, :length], cache=cache)
        begin = time.process_time()
        model(ids[:, length:], cache=cache)
        return time.process_time() - begin

    return next_one if cached else again


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    fast.keep_memory()
    series: dict[str, dict[int, dict[str, Any]]] = {
        "layers": {n: {"n_layer": n} for n in (1, 2, 4, 8)},
        "width": {n: {"d_model": n} for n in (64, 128, 256)},
        "positions": {n: {"block_size": n} for n in (32, 64, 128, 256, 512)}}
    with fast.runtime():
        took = turns.in_turns_here({f"{name} {n}": step_of(**fields) for name, each
                                    in series.items() for n, fields in each.items()}, rounds)
    step = {name: {n: 1e3 * median(took[f"{name} {n}"]) for n in each}
            for name, each in series.items()}
    lengths = (32, 64, 128, 256, 512, 1024)
    token: dict[str, dict[int, float]] = {}
    again = turns.in_turns_here({str(n): token_of(n, False) for n in lengths}, rounds)
    token["without cache"] = {n: 1e3 * median(again[str(n)]) for n in lengths}
    cached: dict[int, list[float]] = {n: [] for n in lengths}
    works = {n: token_of(n, True) for n in lengths}
    for at in range(rounds + 1):
        for n, work in works.items():
            seconds = float(work())
            if at:
                cached[n].append(seconds)
    token["with cache"] = {n: 1e3 * median(cached[n]) for n in lengths}

    for name, each in {**{f"a step, {k}": v for k, v in step.items()},
                       **{f"a token, {k}": v for k, v in token.items()}}.items():
        print(f"{name:22}", "  ".join(f"{n:,}: {ms:.2f} ms" for n, ms in each.items()))
    plots.use_style()
    fig, axes = plt.subplots(1, 4, figsize=(13, 3.2), layout="constrained")
    for ax, (name, each) in zip(axes, step.items(), strict=False):
        ax.plot(list(each), list(each.values()), "o-")
        ax.set(xlabel=name, ylabel="ms for a step", xlim=(0, None), ylim=(0, None))
    for name, each in token.items():
        axes[3].plot(list(each), list(each.values()), "o-", label=name)
    axes[3].set(xlabel="positions before it", ylabel="ms for a token", xscale="log", yscale="log")
    axes[3].legend()
    fig.savefig(Path(__file__).with_name("growth.svg"), metadata={"Date": None})
    return 0


if __name__ == "__main__":
    sys.exit(main())
