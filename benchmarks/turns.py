"""Timing in turns: every candidate once, then every candidate again, all on one thread.

What is compared is processor time, which other people's processes lengthen far less than the time
on the wall, and their ratio, which they lengthen least of all. Each candidate has a process of its
own, since a setting of the allocator or of the matrix products counts for a whole process; one
works at a time.
"""

import importlib.util
import multiprocessing
import sys
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
Times = dict[str, list[float]]


def reference() -> None:
    """Use the reference package."""
    sys.path.insert(0, str(ROOT / "solutions"))


def load(path: Path) -> ModuleType:
    """A module from a file, for `--peer`."""
    spec = importlib.util.spec_from_file_location("peer", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = sys.modules["peer"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def serve(pipe: Connection, make: Callable[..., Callable[[], object]], inputs: tuple[Any, ...],
          times: int) -> None:
    """In a candidate's process: make it, then work whenever asked and send the seconds back."""
    work = make(*inputs)
    work()
    while pipe.recv():
        begin = time.process_time()
        for _ in range(times):
            work()
        pipe.send((time.process_time() - begin) / times)


def in_turns(candidates: Mapping[str, tuple[Any, ...]], rounds: int, times: int = 1) -> Times:
    """Seconds of processor time of each candidate in each round; a round before does not count.

    A candidate is `(make, *inputs)`: `make(*inputs)` gives the function that is timed, `times`
    calls in a round.
    """
    start = multiprocessing.get_context("spawn")
    took: Times = {name: [] for name in candidates}
    pipes, processes = {}, []
    for name, (make, *inputs) in candidates.items():
        pipes[name], other = start.Pipe()
        processes.append(start.Process(target=serve, args=(other, make, inputs, times)))
        processes[-1].start()
        other.close()
    try:
        for at in range(rounds + 1):
            for name, pipe in pipes.items():
                pipe.send(True)
                seconds = pipe.recv()
                if at:
                    took[name].append(seconds)
        for pipe in pipes.values():
            pipe.send(False)
    finally:
        for process in processes:
            process.join(5)
            process.kill()
    return took


def in_turns_here(candidates: Mapping[str, Callable[[], object]], rounds: int) -> Times:
    """The same in this process, for candidates that share all its settings."""
    took: Times = {name: [] for name in candidates}
    for at in range(rounds + 1):
        for name, work in candidates.items():
            begin = time.process_time()
            work()
            if at:
                took[name].append(time.process_time() - begin)
    return took


def ratio(took: Times, slow: str, quick: str) -> float:
    """How many times as fast `quick` is: the median of the rounds' ratios."""
    return median(a / b for a, b in zip(took[slow], took[quick], strict=True))


def table(took: Times, unit: float, against: str) -> str:
    """Median, least and largest of each candidate in `unit` seconds, and its speed."""
    width = max(map(len, took))
    lines = [f"{'':{width}}  {'median':>8}  {'from':>8}  {'to':>8}  times as fast as {against}"]
    for each, times in took.items():
        low, high = min(times), max(times)
        lines.append(f"{each:{width}}  {median(times) / unit:8.2f}  {low / unit:8.2f}  "
                     f"{high / unit:8.2f}  {ratio(took, against, each):.2f}")
    return "\n".join(lines)


def verdict(measured: Mapping[str, tuple[float, float]]) -> int:
    """Print each ratio beside the least it should be; 1 when one is below, else 0."""
    for name, (value, least) in measured.items():
        print(f"{'kept  ' if value >= least else 'BROKEN'}  {name}: {value:.2f}, at least {least}")
    return int(any(value < least for value, least in measured.values()))
