"""How a model is trained: one frozen object, two presets, and what a run leaves behind."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

OptimizerName = Literal["adamw", "muon"]
Presets = dict[str, tuple[dict[str, Any], dict[str, Any]]]

# The recipe of the course's source note: GPTConfig's defaults, a batch of 32 × 256 tokens, a
# constant learning rate, weight decay on everything; and one that learns the same in a fraction
# of the time. "modern" trains on 128 tokens, so 128 positions are what its model can look at.
PRESETS: Presets = {
    "notes": (
        {"block_size": 256, "n_layer": 4, "n_head": 4, "d_model": 128, "dropout": 0.1,
         "norm": "layernorm", "position": "learned", "ffn": "gelu"},
        {"steps": 3000, "batch_size": 32, "block_size": 256, "lr": 3e-4, "floor": 1.0,
         "warmup": 0.0, "decay_all": True, "seed": 1337}),
    "modern": (
        {"block_size": 128, "n_layer": 4, "n_head": 4, "d_model": 128, "dropout": 0.0,
         "norm": "rmsnorm", "position": "rope", "ffn": "swiglu", "qk_norm": True, "bias": False},
        {}),
}


@dataclass(frozen=True)
class TrainConfig:
    """How long, on what batches and by which rule a model is trained.

    Raises ValueError, with the offending numbers, for a config that can't work.
    """

    steps: int = 3000
    batch_size: int = 8  # B, windows in a step; under torchrun those of all processes together
    block_size: int = 128  # T, tokens of a window
    lr: float = 2e-3  # the largest learning rate, at the end of the warm-up
    floor: float = 0.1  # of lr: where the cosine ends; 1.0 keeps the rate constant
    warmup: float = 0.03  # of steps
    weight_decay: float = 0.1
    betas: tuple[float, float] = (0.9, 0.95)
    clip: float = 1.0  # the largest norm of all gradients together
    eval_every: int = 250
    eval_windows: int = 64  # windows of the validation ids that are looked at each time
    optimizer: OptimizerName = "adamw"  # "muon": for the blocks' matrices, AdamW for the rest
    seed: int = 0
    device: str = "cpu"
    fast: bool = False  # torch's kernels in place of your functions: see minillm/fast.py
    keep_memory: bool = True  # freed memory stays with the process: see minillm/fast.py
    decay_all: bool = False  # weight decay on norms and biases too, not on matrices alone

    def __post_init__(self) -> None:
        if faults := [*self._whole_numbers(), *self._ranges()]:
            raise ValueError("; ".join(faults))

    def _whole_numbers(self) -> list[str]:
        names = ("steps", "batch_size", "block_size", "eval_every", "eval_windows")
        return [f"{name} = {value!r}, but it has to be a whole number of at least 1"
                for name in names if not (isinstance(value := getattr(self, name), int)
                                          and not isinstance(value, bool) and value >= 1)]

    def _ranges(self) -> list[str]:
        def outside(name: str, value: float, low: float, high: float) -> list[str]:
            return [] if low <= value <= high else [f"{name} = {value} is outside {low} … {high}"]

        found = [f"{name} = {value}, but it has to be above 0" for name in ("lr", "clip")
                 if not (value := getattr(self, name)) > 0 or name == "lr" and value == math.inf]
        found += outside("floor", self.floor, 0, 1) + outside("warmup", self.warmup, 0, 1)
        found += outside("weight_decay", self.weight_decay, 0, math.inf)
        for beta in self.betas:
            found += [] if 0 <= beta < 1 else [f"beta = {beta} is outside 0 ≤ beta < 1"]
        if self.optimizer not in get_args(OptimizerName):
            found.append(f"optimizer is {self.optimizer!r}; there are adamw, muon")
        return found


def preset(name: str) -> tuple[dict[str, Any], TrainConfig]:
    """The fields of a GPTConfig (all but `vocab_size`) and a TrainConfig: "notes" or "modern".

    Raises ValueError for another name.
    """
    if name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    model, training = PRESETS[name]
    return dict(model), TrainConfig(**training)


@dataclass
class History:
    """What a run was like: one entry in each of six lists for every evaluation.

    `step` counts from 1; `train_loss` is the mean over the steps since the last entry and
    `val_loss` that over the validation windows, both in nats per token; `lr` the rate of this
    step; `seconds` of training so far, evaluation included; `tokens` trained on so far.
    `batch_loss` has one entry for every step.
    """

    step: list[int] = field(default_factory=list)
    train_loss: list[float] = field(default_factory=list)
    val_loss: list[float] = field(default_factory=list)
    lr: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    batch_loss: list[float] = field(default_factory=list)

    def record(self, step: int, val_loss: float, lr: float, seconds: float, tokens: int) -> None:
        """Add an entry; its training loss is that of the steps since the one before."""
        since = self.batch_loss[self.step[-1] if self.step else 0 :]
        self.step.append(step)
        self.train_loss.append(sum(since) / len(since))
        self.val_loss.append(val_loss)
        self.lr.append(lr)
        self.seconds.append(seconds)
        self.tokens.append(tokens)

    @property
    def best(self) -> tuple[int, float]:
        """The step with the lowest validation loss, and that loss."""
        loss, step = min(zip(self.val_loss, self.step, strict=True))
        return step, loss
