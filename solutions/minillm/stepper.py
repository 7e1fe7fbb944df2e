"""The optimisers of a run: lesson 13's, or torch's, what they remember, and the rate of a step.

What an optimiser remembers has to be part of a checkpoint, or a run that goes on from one would
not be the run that was stopped.
"""

from typing import Any

import torch

from . import optim
from .recipe import TrainConfig

MUON_LR = 10.0  # times lr: with singular values near 1, a step of Muon may be larger than AdamW's


def make_optimizers(model: torch.nn.Module, config: TrainConfig) -> list[Any]:
    """AdamW over all parameters; with optimizer="muon", Muon for the blocks' matrices before it.

    Matrices get weight decay, norms and biases none (all of them with `config.decay_all`). With
    `config.fast` AdamW is torch's own, whose step is one fused kernel instead of a dozen.
    """
    named = dict(model.named_parameters())  # a tied head appears once
    hidden = {n for n, p in named.items() if p.dim() == 2 and n.startswith("blocks.")}
    if config.optimizer == "adamw":
        hidden = set()
    rest = [p for n, p in named.items() if n not in hidden]
    groups: list[dict[str, Any]] = [{"params": rest, "weight_decay": config.weight_decay}]
    if not config.decay_all:
        groups = [g for g in optim.decay_groups(rest, config.weight_decay) if g["params"]]
    adamw: Any = optim.AdamW
    kind = {"fused": True} if config.fast else {}
    if config.fast:
        adamw = torch.optim.AdamW
    made = [adamw(groups, lr=config.lr, betas=config.betas, **kind)]
    if hidden:
        made.insert(0, optim.Muon([named[n] for n in sorted(hidden)], lr=MUON_LR * config.lr))
    return made


class Stepper:
    """All optimisers of a run as one: `lr` to set, `zero_grad()`, `step()`, and a state to keep."""

    def __init__(self, model: torch.nn.Module, config: TrainConfig) -> None:
        self.optimizers = make_optimizers(model, config)
        self.peak = [[g["lr"] / config.lr for g in o.param_groups] for o in self.optimizers]
        self._lr = config.lr

    @property
    def lr(self) -> float:
        """The rate of AdamW's next step; Muon's is `MUON_LR` times as large."""
        return self._lr

    @lr.setter
    def lr(self, value: float) -> None:
        self._lr = value
        for optimizer, factors in zip(self.optimizers, self.peak, strict=True):
            for group, factor in zip(optimizer.param_groups, factors, strict=True):
                group["lr"] = factor * value

    def zero_grad(self) -> None:
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def step(self) -> None:
        for optimizer in self.optimizers:
            optimizer.step()

    def state(self) -> dict[str, torch.Tensor]:
        """What the optimisers remember, as tensors by name; a number becomes one without dims."""
        return {f"{i}.{number}.{key}": kept if isinstance(kept, torch.Tensor)
                else torch.tensor(kept, dtype=torch.int64 if isinstance(kept, int) else None)
                for i, optimizer in enumerate(self.optimizers)
                for number, memory in optimizer.state_dict()["state"].items()
                for key, kept in memory.items()}

    def load(self, state: dict[str, torch.Tensor]) -> None:
        """Take over what `state()` of the same model and config gave."""
        for i, optimizer in enumerate(self.optimizers):
            memories: dict[int, dict[str, Any]] = {}
            for name, kept in state.items():
                which, number, key = name.split(".", 2)
                if int(which) == i:
                    count = kept.dim() == 0 and kept.dtype == torch.int64
                    memories.setdefault(int(number), {})[key] = int(kept) if count else kept
            groups = optimizer.state_dict()["param_groups"]
            optimizer.load_state_dict({"state": memories, "param_groups": groups})
