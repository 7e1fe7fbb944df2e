"""What lesson 17 needs around the learner's own pieces: budgets, a markdown check, a dashboard.

The lesson runs in two modes on the same path. Where somebody sits in front of it, and in `course
build`, the runs get the seconds that the text speaks of; where nbval or a grade runs it they get a
few steps each. `COURSE_SHORT=0` or `1` in the environment decides otherwise.
"""

import copy
import ctypes
import gc
import os
import platform
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import torch

from .workspace import run_by_tool

CODE = re.compile(r"[\w.()\[\]=,+*/ -]{2,40}")
FEW, ROWS = 8, 4  # steps of a run, and windows in a batch, in the short mode


def short() -> bool:
    """Are the runs of this process to be a few steps each?"""
    if wish := os.environ.get("COURSE_SHORT"):
        return wish != "0"
    return run_by_tool()


def sized(model: Any, config: Any, ids: torch.Tensor, seconds: float) -> Any:
    """`config` with as many steps as fit in so many seconds; in the short mode a few small ones.

    A copy of the model makes three steps to see what one costs.
    """
    if short():
        rows = min(ROWS, config.batch_size)
        return replace(config, steps=FEW, eval_every=FEW // 2, eval_windows=4, batch_size=rows)
    steps = max(20, int(seconds / seconds_of_a_step(model, config, ids)))
    return replace(config, steps=steps, eval_every=max(1, steps // 10))


def seconds_of_a_step(model: Any, config: Any, ids: torch.Tensor, count: int = 3) -> float:
    """Time for one step of training, measured on a copy of the model."""
    from minillm import data, fast, stepper, train

    model = copy.deepcopy(model)
    optimizer = stepper.Stepper(model, config)
    runner = fast.FastGPT(model) if config.fast else model
    x, y = data.get_batch(ids, config.block_size, config.batch_size)
    if config.keep_memory:
        fast.keep_memory()
    with fast.runtime() if config.fast else nullcontext():
        train.train_step(runner, optimizer, x, y, config.clip)  # warms up
        begin = time.perf_counter()
        for _ in range(count):
            train.train_step(runner, optimizer, x, y, config.clip)
    return (time.perf_counter() - begin) / count


@contextmanager
def recorded_weights() -> Iterator[list[torch.Tensor]]:
    """Inside, the attention weights [B, H, T, S] of every layer that runs, in order.

    They are what `scaled_dot_product_attention` of lesson 04 gives; a layer that was written
    without it leaves nothing.
    """
    from minillm import attention

    plain, seen = attention.scaled_dot_product_attention, list[torch.Tensor]()

    def recorder(*given: Any, **named: Any) -> Any:
        out, weights = plain(*given, **named)
        seen.append(weights.detach())
        return out, weights

    attention.scaled_dot_product_attention = recorder
    try:
        yield seen
    finally:
        attention.scaled_dot_product_attention = plain


@dataclass(frozen=True)
class Structure:
    """What a markdown parser finds in a text."""

    headings: int  # with text in them
    fences: int  # that are closed
    open_fences: int
    items: int  # with text in them, of lists of two and more: noise has lines that begin with "-"
    code: int  # pieces of `code` that could be a name or a formula

    @property
    def any(self) -> bool:
        """Is there a heading, a closed fence or a list? A stray pair of backticks is none."""
        return self.headings + self.fences + self.items > 0


def structure(text: str) -> Structure:
    """Headings, fences, list items and code that CommonMark sees in `text`."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(text)
    lines = text.split("\n")

    def filled(at: int) -> bool:
        inside = [t for t in tokens[at + 1 : at + 4] if t.type == "inline"]
        return bool(inside and inside[0].content.strip())

    def closed(token: Any) -> bool:
        last = lines[token.map[1] - 1].strip() if token.map[1] - 1 < len(lines) else ""
        return token.map[1] - token.map[0] > 1 and last.startswith(token.markup)

    fences = [closed(t) for t in tokens if t.type == "fence"]
    items, lists = 0, list[int]()  # of the lists that are open, how many items so far
    for i, token in enumerate(tokens):
        if token.type.endswith("_list_open"):
            lists.append(0)
        elif token.type == "list_item_open":
            lists[-1] += filled(i)
        elif token.type.endswith("_list_close"):
            items += count if (count := lists.pop()) > 1 else 0
    return Structure(
        sum(t.type == "heading_open" and filled(i) for i, t in enumerate(tokens)),
        sum(fences), len(fences) - sum(fences),
        items,
        sum(c.type == "code_inline" and bool(CODE.fullmatch(c.content))
            for t in tokens for c in t.children or ()))


def structured(texts: Sequence[str]) -> dict[str, float]:
    """Of several texts: the share with structure, and what there is in 1000 characters."""
    found = [structure(text) for text in texts]
    thousands = sum(map(len, texts)) / 1000
    return {"with structure": sum(s.any for s in found) / len(found),
            "headings": sum(s.headings for s in found) / thousands,
            "closed fences": sum(s.fences for s in found) / thousands,
            "list items": sum(s.items for s in found) / thousands,
            "code": sum(s.code for s in found) / thousands}


def saved_bytes(run: Callable[[], torch.Tensor]) -> dict[tuple[int, ...], int]:
    """Bytes that a forward pass keeps for backward, by shape; a tensor kept twice counts once.

    Weights are not counted, and neither are views of them: they would be there anyway.
    """
    seen: dict[int, torch.Tensor] = {}

    def pack(t: torch.Tensor) -> torch.Tensor:
        whole = t if t._base is None else t._base
        if not (whole.is_leaf and whole.requires_grad):
            seen.setdefault(t.untyped_storage().data_ptr(), t)
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        loss = run()
    sizes: dict[tuple[int, ...], int] = {}
    for t in seen.values():
        sizes[tuple(t.shape)] = sizes.get(tuple(t.shape), 0) + t.untyped_storage().nbytes()
    del loss
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def peak_bytes(run: Callable[[], object], every: float = 0.002) -> int:
    """The most memory that this process has while `run` runs, above what it had before.

    Looked at every two thousandths of a second from a second thread, by what the system says. What
    was freed before and is still kept for the process is given back first where that is possible.
    """
    import psutil  # type: ignore[import-untyped]

    gc.collect()
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)
    process, done = psutil.Process(), threading.Event()
    before: int = process.memory_info().rss
    most = [before]

    def look() -> None:
        while not done.wait(every):
            most.append(max(most.pop(), process.memory_info().rss))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        run()
    finally:
        done.set()
        watcher.join()
    return most[0] - before


class Watch:
    """A live view of a run: the losses so far, and what the model writes at some steps.

    Give it to `train` as `on_step`. With ipywidgets in a live notebook it redraws one picture and
    one text; elsewhere it only keeps what it saw, in `losses` and `samples`, for a static picture.
    """

    def __init__(self, write: Callable[[], str], at: Sequence[int] = (1, 100, 300, 1000, 3000),
                 every: float = 2.0) -> None:
        self.write, self.at, self.every = write, set(at), every
        self.losses: list[float] = []
        self.samples: dict[int, str] = {}
        self.drawn = 0.0
        self.panel = self.make_panel() if not short() else None

    def make_panel(self) -> Any:
        import ipywidgets  # type: ignore[import-untyped]
        from IPython.display import display

        self.picture, self.text = ipywidgets.Output(), ipywidgets.HTML(
            layout=ipywidgets.Layout(width="48%", height="230px", overflow="auto"))
        panel = ipywidgets.HBox([self.picture, self.text])
        display(panel)  # type: ignore[no-untyped-call]
        return panel

    def __call__(self, step: int, history: Any) -> None:
        self.losses.append(history.batch_loss[-1])
        if step in self.at:
            self.samples[step] = self.write()
        due = step in self.at or time.perf_counter() - self.drawn > self.every
        if self.panel is not None and due:
            self.draw()
            self.drawn = time.perf_counter()

    def draw(self) -> None:
        """Redraw the panel."""
        import matplotlib.pyplot as plt
        from IPython.display import display

        from .pictures_finale import progress

        figure = progress(self.losses, (4.2, 2.2))
        with self.picture:
            self.picture.clear_output(wait=True)
            display(figure)  # type: ignore[no-untyped-call]
        plt.close(figure)
        if self.samples:
            step = max(self.samples)
            self.text.value = ('<pre style="white-space:pre-wrap;margin:0 0 0 1em">'
                               f"after step {step}:\n{escape(self.samples[step])}</pre>")
