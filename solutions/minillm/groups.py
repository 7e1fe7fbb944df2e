"""What every optimiser keeps: its parameters in groups, and a memory for each of them.

The layout is that of `torch.optim`, so a schedule that sets `group["lr"]` works with both.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import torch

Groups = Iterable[torch.Tensor] | Iterable[dict[str, Any]]


class Optimizer:
    """The part of an optimiser that AdamW and Muon share. Each adds its own `step`.

    `params`: tensors, or groups: dicts with `params` and the settings that differ from
    `settings`, such as `weight_decay`. Attributes: `param_groups`, a list of dicts with all
    settings, which may be changed between steps; `state`, a dict for each parameter, empty at
    first. Raises ValueError for no parameters, one that is listed twice, a setting that no
    optimiser can work with or does not know.
    """

    def __init__(self, params: Groups, **settings: Any) -> None:
        given: list[Any] = list(params)
        groups = given if given and isinstance(given[0], dict) else [{"params": given}]
        self.param_groups: list[dict[str, Any]] = []
        self.state: dict[torch.Tensor, dict[str, Any]] = defaultdict(dict)
        for group in groups:
            tensors = group["params"]
            tensors = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
            if unknown := sorted(group.keys() - settings.keys() - {"params"}):
                raise ValueError(f"{type(self).__name__} knows no {', '.join(unknown)}")
            self.param_groups.append({**settings, **group, "params": tensors})
            check_settings(self.param_groups[-1])
        count, different = len(self._parameters()), len(set(map(id, self._parameters())))
        if not count:
            raise ValueError("there are no parameters to optimise")
        if different < count:
            raise ValueError(f"{count} parameters, but only {different} different ones")

    def zero_grad(self) -> None:
        """Forget the gradients: backward adds to what it finds."""
        for p in self._parameters():
            p.grad = None

    def state_dict(self) -> dict[str, Any]:
        """Settings and memories, with each parameter as its number: what a checkpoint needs."""
        numbers = {p: n for n, p in enumerate(self._parameters())}
        groups = [{**g, "params": [numbers[p] for p in g["params"]]} for g in self.param_groups]
        return {"state": {numbers[p]: dict(memory) for p, memory in self.state.items()},
                "param_groups": groups}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave; memories are copied, on to their parameter's device.

        Raises ValueError when the groups have other sizes.
        """
        sizes = [[len(g["params"]) for g in groups]
                 for groups in (self.param_groups, saved["param_groups"])]
        if sizes[0] != sizes[1]:
            raise ValueError(f"groups of {sizes[0]} parameters, but {sizes[1]} were saved")
        for group, old in zip(self.param_groups, saved["param_groups"], strict=True):
            group.update({name: value for name, value in old.items() if name != "params"})
        parameters = self._parameters()
        self.state.clear()
        for number, memory in saved["state"].items():
            p = parameters[int(number)]
            self.state[p] = {name: kept.to(p.device, copy=True)
                             if isinstance(kept, torch.Tensor) else kept
                             for name, kept in memory.items()}

    def _parameters(self) -> list[torch.Tensor]:
        return [p for group in self.param_groups for p in group["params"]]


def check_settings(group: dict[str, Any]) -> None:
    """Raise ValueError for settings of a group that no optimiser can work with."""
    for name in ("lr", "eps", "weight_decay"):
        if group.get(name, 0.0) < 0:
            raise ValueError(f"{name} = {group[name]}, but it can't be below 0")
    for beta in (*group.get("betas", ()), group.get("momentum", 0.0)):
        if not 0 <= beta < 1:
            raise ValueError(f"a running average needs 0 ≤ β < 1, not {beta}")
