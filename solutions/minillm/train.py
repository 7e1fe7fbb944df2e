"""Training: a step, a schedule, an evaluation, and the loop that puts them together.

Letters: B windows in a batch, T tokens of a window. A loss is a mean over tokens, in nats. What
belongs to a run and is no idea of its own stands in modules that are given: settings and presets in
`recipe`, files in `checkpoint`, optimisers in `stepper`, several processes in `parallel`, the loop
in `loop`.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from . import optim, sampling
from .checkpoint import load_checkpoint, save_checkpoint
from .recipe import History, TrainConfig, preset

__all__ = ["Diverged", "History", "TrainConfig", "evaluate", "learning_rate", "load_checkpoint",
           "preset", "save_checkpoint", "train", "train_step"]

# Lesson 17 asks for: learning_rate, train_step and evaluate. Everything else here is given.

BALANCE = 0.01  # weight of the load-balancing loss. Source: Fedus et al. (2021)
EVAL_ROWS = 16  # windows that are evaluated at once


class Diverged(ArithmeticError):
    """The loss is no number any more, or has grown far beyond where it began."""


def learning_rate(step: int, config: TrainConfig) -> float:
    """The rate of a step, which counts from 1: warm-up, then a cosine down to the floor.

    `config.warmup` is a share of `config.steps` (rounded to whole steps), `config.floor` a share
    of `config.lr`. Step `config.steps` is made with the floor.
    """
    ### BEGIN SOLUTION
    warmup = round(config.warmup * config.steps)
    floor = config.floor * config.lr
    return optim.warmup_cosine(step, warmup, config.steps, config.lr, floor)
    ### END SOLUTION


def balance_loss(model: torch.nn.Module) -> torch.Tensor | float:
    """What the mixtures of experts of a model add to what is minimised: 0 where there are none."""
    found = [loss for part in model.modules()
             if isinstance(loss := getattr(part, "balance_loss", None), torch.Tensor)]
    return BALANCE * sum(found, torch.zeros(())) if found else 0.0


def train_step(
    model: torch.nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, clip: float = 1.0
) -> float:
    """Make one step on the windows `x` and their targets `y`, both [B, T]; give the loss before it.

    The model is put in training mode, with fresh gradients. What is minimised is its loss plus
    `balance_loss(model)`. The gradients of all parameters together are no longer than `clip`, and
    then `optimizer` steps. Raises Diverged, before the step, when loss or gradient is no number.
    """
    ### BEGIN SOLUTION
    model.train()
    optimizer.zero_grad()
    _, loss = model(x, y)
    (loss + balance_loss(model)).backward()
    norm = optim.clip_grad_norm(model.parameters(), clip)
    ### END SOLUTION
    refuse_nan(loss.item(), float(norm))  # given: before the step, so that the weights stay whole
    ### BEGIN SOLUTION
    optimizer.step()
    ### END SOLUTION
    return float(loss.item())


def refuse_nan(loss: float, norm: float) -> None:
    """Raise Diverged unless the loss of a batch and the length of its gradient are numbers."""
    if not math.isfinite(loss) or not math.isfinite(norm):
        raise Diverged(f"the loss is {loss} and the length of its gradient {norm}")


def window_starts(
    n: int, block_size: int, windows: int | None = None, spread: bool = False
) -> torch.Tensor:
    """Where the non-overlapping windows of `n` ids begin: the first `windows` of them, or all.

    With `spread` the `windows` are taken evenly from all there are. A window has `block_size`
    tokens and one more, the last target, which is also the first token of the next window.
    Raises ValueError when there is no window.
    """
    starts = torch.arange(0, n - block_size, block_size)  # (windows,)
    if not len(starts) or windows is not None and windows < 1:
        raise ValueError(f"{n} ids hold no window of {block_size} and its targets, or "
                         f"windows = {windows} asks for none")
    if windows is None or windows >= len(starts):
        return starts
    if spread:
        return starts[torch.linspace(0, len(starts) - 1, windows).long()]
    return starts[:windows]


def evaluate(
    model: Callable[..., Any], ids: torch.Tensor, block_size: int, windows: int | None = None,
    spread: bool = False,
) -> float:
    """The mean loss of `model` in nats over windows of `ids` [n] that do not overlap.

    `windows`: how many, the first ones, or with `spread` evenly distributed ones; None: all that
    fit. Every token counts the same. The model runs without dropout and without gradients and is
    left in the mode it was in. Raises ValueError when not one window fits.
    """
    starts = window_starts(len(ids), block_size, windows, spread)  # given: (windows,)
    device = next((p.device for p in getattr(model, "parameters", list)()), None)
    total = 0.0  # of all losses, in nats times windows
    with sampling.at_rest(model):
        for at in torch.split(starts, EVAL_ROWS):  # (B,)
            ### BEGIN SOLUTION
            rows = at[:, None] + torch.arange(block_size)  # (B, T)
            x, y = ids[rows].to(device), ids[rows + 1].to(device)
            _, loss = model(x, y)
            total += loss.item() * len(at)
            ### END SOLUTION
    return total / len(starts)


def train(
    model: torch.nn.Module, train_ids: torch.Tensor, val_ids: torch.Tensor, config: TrainConfig, *,
    out: str | Path | None = None, resume: bool = False,
    on_step: Callable[[int, History], None] | None = None, tokenizer: Any = None,
    progress: bool | None = None,
) -> History:
    """Train `model` in place on `train_ids` [n], and look at `val_ids` [m] now and then.

    After step 1, every `eval_every` steps and at the end the model is evaluated, and `out`/last
    gets a checkpoint that a run can go on from, `out`/best the one with the lowest validation loss
    so far; `tokenizer` goes into both. `resume=True` goes on from `out`/last, if it is there: on
    one thread of one machine to the same numbers, bit for bit. `on_step(step, history)` is called
    after each step. `progress` shows a bar, None only in a terminal.

    A step's batch and its dropout depend on `config.seed` and the step alone, not on what was drawn
    before. Under torchrun each process takes its rows of every batch, and only the first evaluates,
    writes and shows. Raises Diverged, with the step and what to try, and ValueError for ids or a
    config that do not fit the model.
    """
    from .loop import run  # given, and long: what has to be kept, shown and written

    return run(model, train_ids, val_ids, config, out=out, resume=resume, on_step=on_step,
               tokenizer=tokenizer, progress=progress)
