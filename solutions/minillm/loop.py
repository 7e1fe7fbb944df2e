"""The loop of a training run: batches, evaluations, checkpoints, a bar, and an early stop.

The ideas stand in `train` (a step, a rate, an evaluation); this is what a run needs around them.
"""

import hashlib
import json
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from tqdm.auto import tqdm  # in a notebook a widget, elsewhere a line

from . import checkpoint, data, fast, parallel, stepper
from . import train as training
from .recipe import History, TrainConfig

RECENT, TOO_MUCH = 20, 2.0  # steps, nats: see `refuse_divergence`


def check(
    model: Any, train_ids: torch.Tensor, val_ids: torch.Tensor, config: TrainConfig, size: int
) -> None:
    """Refuse what would fail later, or worse, not fail. Raises ValueError with the numbers."""
    V, room = model.config.vocab_size, model.config.block_size
    if config.block_size > room:
        raise ValueError(f"windows of {config.block_size} tokens for a model with {room} positions")
    if size > 1 and config.device != "cpu":
        raise ValueError(f"{size} processes on {config.device!r}: they meet on CPUs alone")
    if config.batch_size % size:
        raise ValueError(f"a batch of {config.batch_size} can't be shared by {size} processes")
    for name, ids in (("train_ids", train_ids), ("val_ids", val_ids)):
        if ids.dim() != 1 or ids.dtype != torch.int64:
            raise ValueError(f"{name} is {tuple(ids.shape)} of {ids.dtype}, not [n] of int64")
        if len(ids) <= config.block_size:
            raise ValueError(f"{name} holds {len(ids)} ids: no window of {config.block_size} "
                             "tokens and its targets")
        low, high = int(ids.min()), int(ids.max())
        if low < 0 or high >= V:
            raise ValueError(f"{name} holds ids {low} … {high}; the model knows 0 … {V - 1}")


def refuse_divergence(losses: list[float]) -> None:
    """Raise Diverged when the last losses are on average far above the very first one."""
    recent = losses[-RECENT:]
    if len(losses) > RECENT and sum(recent) / len(recent) > losses[0] + TOO_MUCH:
        raise training.Diverged(f"the mean loss of the last {RECENT} steps is "
                                f"{sum(recent) / len(recent):.2f}; it began at {losses[0]:.2f}")


class Run:
    """One training run of `model`: see `train.train`, which says what the arguments mean."""

    def __init__(
        self, model: Any, train_ids: torch.Tensor, val_ids: torch.Tensor, config: TrainConfig,
        group: parallel.Group, out: Path | None, tokenizer: Any,
    ) -> None:
        self.model, self.config, self.group = model.to(config.device), config, group
        self.train_ids, self.val_ids = train_ids, val_ids
        self.out = out if group.first else None
        self.tokenizer, self.history, self.done = tokenizer, History(), 0
        self.optimizer = stepper.Stepper(self.model, config)
        whole = fast.FastGPT(self.model) if config.fast else self.model
        self.runner = group.wrap(whole, some_unused=model.config.ffn == "moe")
        self.generator = torch.Generator()
        self.begin = time.perf_counter()

    def settings(self) -> dict[str, Any]:
        """What has to be equal for a run to be the same run; JSON can hold it."""
        marks = [hashlib.sha256(ids.numpy().tobytes()).hexdigest()[:16]
                 for ids in (self.train_ids, self.val_ids)]
        kept = {k: v for k, v in asdict(self.config).items() if k not in ("device", "keep_memory")}
        made: dict[str, Any] = json.loads(json.dumps({**kept, "data": marks}))
        return made

    def go_on(self, folder: Path) -> None:
        """Take over the state of the run whose last checkpoint is in `folder`, if there is one."""
        if not (folder / checkpoint.MANIFEST).exists():
            return
        model, _, info = checkpoint.load_checkpoint(folder)
        old = {**info["extra"]["settings"], **asdict(model.config)}
        now = {**self.settings(), **asdict(self.model.config)}
        if old != now:
            other = [f"{k} was {old.get(k)!r} and is {now.get(k)!r}"
                     for k in {**old, **now} if old.get(k) != now.get(k)]
            raise ValueError(f"{folder} holds another run: {'; '.join(other)}")
        self.model.load_state_dict(model.state_dict())
        self.optimizer.load(info["training"])
        self.history, self.done = info["history"], info["step"]
        self.begin -= self.history.seconds[-1]

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """This process's rows of the batch of a step; they depend on seed and step alone."""
        seed = self.config.seed * 1_000_003 + step
        self.generator.manual_seed(seed)
        torch.manual_seed(seed + self.group.rank)  # dropout
        x, y = data.get_batch(
            self.train_ids, self.config.block_size, self.config.batch_size, self.generator)
        device = self.config.device
        return self.group.rows(x).to(device), self.group.rows(y).to(device)

    def step(self, step: int) -> float:
        """Make one step; gives the loss of the whole batch."""
        self.optimizer.lr = training.learning_rate(step, self.config)
        loss = training.train_step(self.runner, self.optimizer, *self.batch(step), self.config.clip)
        loss = self.group.mean(loss)
        self.history.batch_loss.append(loss)
        refuse_divergence(self.history.batch_loss)
        return loss

    def look(self, step: int) -> None:
        """Evaluate, record, and write what is worth keeping."""
        loss = 0.0
        if self.group.first:
            model = self.runner if self.group.size == 1 else self.model
            loss = training.evaluate(model, self.val_ids, self.config.block_size,
                                     self.config.eval_windows, spread=True)
        loss = self.group.from_first(loss)
        training.refuse_nan(loss, 0.0)
        tokens = step * self.config.batch_size * self.config.block_size
        self.history.record(step, loss, self.optimizer.lr, time.perf_counter() - self.begin, tokens)
        if self.out is not None:
            extra = {"settings": self.settings()}
            if self.history.best[0] == step:
                checkpoint.save_checkpoint(self.out / "best", self.model, self.tokenizer, step=step,
                                           history=self.history, extra=extra)
            checkpoint.save_checkpoint(
                self.out / "last", self.model, self.tokenizer, step=step, history=self.history,
                extra=extra, training=self.optimizer.state())

    def explain(self, step: int, error: ArithmeticError) -> str:
        """What to do about a loss that has gone astray."""
        kept = f" {self.out / 'last'} holds step {self.done}." if self.out and self.done else ""
        return (f"step {step}: {error}. Try a smaller lr than {self.config.lr}, a longer warm-up "
                f"than {self.config.warmup} of the steps, or a smaller clip than "
                f"{self.config.clip}.{kept}")

    def train(self, on_step: Callable[[int, History], None] | None, hide: bool | None) -> History:
        """All steps that are left."""
        last = self.config.steps
        with tqdm(total=last, initial=self.done, unit="step", disable=hide) as bar:
            for step in range(self.done + 1, last + 1):
                try:
                    loss = self.step(step)
                    if step == 1 or step % self.config.eval_every == 0 or step == last:
                        self.look(step)
                        self.done = step
                except training.Diverged as error:
                    raise training.Diverged(self.explain(step, error)) from error
                if not bar.disable:
                    per_step = self.config.batch_size * self.config.block_size
                    rate = (bar.format_dict["rate"] or 0) * per_step
                    bar.set_postfix_str(f"loss {loss:.3f}, {rate:,.0f} tokens/s", refresh=False)
                bar.update()
                if on_step is not None and self.group.first:
                    on_step(step, self.history)
        return self.history


def run(
    model: Any, train_ids: torch.Tensor, val_ids: torch.Tensor, config: TrainConfig, *,
    out: str | Path | None, resume: bool, on_step: Callable[[int, History], None] | None,
    tokenizer: Any, progress: bool | None,
) -> History:
    """What `train.train` promises."""
    devices: list[int] | None = None if torch.device(config.device).type == "cuda" else []
    runtime = fast.runtime() if config.fast and config.device == "cpu" else nullcontext()
    if config.keep_memory and config.device == "cpu":
        fast.keep_memory()
    with parallel.group() as group, runtime, torch.random.fork_rng(devices):
        check(model, train_ids, val_ids, config, group.size)
        folder = None if out is None else Path(out)
        it = Run(model, train_ids, val_ids, config, group, folder, tokenizer)
        if resume and folder is not None:
            it.go_on(folder / "last")
        hide = True if not group.first else None if progress is None else not progress
        history = it.train(on_step, hide)
        del it  # its connection to other processes ends before the group does
    return history
