"""Known wrong answers to the class AdamW: the reference with a piece replaced."""

from typing import Any

import torch

from minillm.groups import Optimizer
from minillm.optim import adamw_step

from .. import edit, mistake

ADAMW = "optim.AdamW"
NONE = """                if p.grad is None:
                    continue
"""
FRESH = """                if not (memory := self.state[p]):
                    memory.update(step=0, m=torch.zeros_like(p), v=torch.zeros_like(p))
"""
COUNT = '                memory["step"] += 1\n'
CALL = ('new, memory["m"], memory["v"] = adamw_step(p, p.grad, m, v, step, *settings)')
SETTINGS = 'settings = [group[name] for name in ("lr", "betas", "eps", "weight_decay")]'

edit(ADAMW, "not_written_back", "p.copy_(new)", "p = new",
     "the parameters have not moved. `p = new` gives the name p to another tensor; write into the "
     "one that the model holds: p.copy_(new).")
edit(ADAMW, "averages_not_kept", CALL, CALL.replace('new, memory["m"], memory["v"]', "new, _, _"),
     "m and v start at 0 at every step: what adamw_step gives back is not kept in self.state[p].")
edit(ADAMW, "m_not_kept", CALL, CALL.replace('memory["m"]', "_"),
     "m starts at 0 at every step: the new one is not kept.")
edit(ADAMW, "v_not_kept", CALL, CALL.replace('memory["v"]', "_"),
     "v starts at 0 at every step: the new one is not kept.")
edit(ADAMW, "swapped_in_memory", CALL,
     CALL.replace('memory["m"], memory["v"]', 'memory["v"], memory["m"]'),
     "m and v are kept under each other's name: from step 2 on they have changed places.")
edit(ADAMW, "always_step_one", COUNT, '                memory["step"] = 1\n',
     "every step is corrected as the first one: count the steps.")
edit(ADAMW, "counts_from_zero", "m, v, step, *settings)", "m, v, max(step - 1, 1), *settings)",
     "the steps are counted one too low: the second one is corrected as the first.")
edit(ADAMW, "one_counter_for_all", COUNT,
     '                self.count = getattr(self, "count", 0) + 1\n'
     '                memory["step"] = self.count\n',
     "one counter goes up for every parameter, so that the second one's first step counts as 2. "
     "Each parameter counts its own steps.")
edit(ADAMW, "missing_gradient_as_zero", NONE,
     "                if p.grad is None:\n                    p.grad = torch.zeros_like(p)\n",
     "a parameter without a gradient is moved: by its decay, and by its old average. None means "
     "that it takes no part in this step.")
edit(ADAMW, "decays_without_a_gradient", NONE,
     NONE.replace("continue", 'p.mul_(1 - group["lr"] * group["weight_decay"])\n'
                  "                    continue"),
     "a parameter without a gradient decays. None means that it takes no part in this step.")
edit(ADAMW, "zero_as_no_gradient", "if p.grad is None:", "if p.grad is None or not p.grad.any():",
     "a gradient that is all 0 was treated as none. It is a gradient: averages fade, the decay and "
     "the count go on. Only None means that p takes no part.")
edit(ADAMW, "starts_from_the_gradient", FRESH, FRESH.replace(
     "m=torch.zeros_like(p), v=torch.zeros_like(p)", "m=p.grad.clone(), v=p.grad**2"),
     "m and v start at the first gradient and its square. They start at 0, and the correction of "
     "adamw_step makes up for just that.")
edit(ADAMW, "torchs_betas", "= (0.9, 0.95)", "= (0.9, 0.999)",
     "the default of β₂ is torch's, 0.999. Here it is 0.95, as in most recipes for language "
     "models.")
edit(ADAMW, "torchs_decay", "weight_decay: float = 0.1", "weight_decay: float = 0.01",
     "the default decay is torch's, 0.01. Here it is 0.1.")
edit(ADAMW, "stops_at_a_missing_gradient", "continue", "break",
     "a parameter without a gradient ends the loop or the whole step, and those behind it stay "
     "where they are. Go on with the next one.")
edit(ADAMW, "crashes_on_a_missing_gradient", NONE, "",
     "a parameter whose grad is None has to be left alone: a part of a model may not have been "
     "used.", raises=True)
edit(ADAMW, "first_group_for_all", SETTINGS, SETTINGS.replace("group[name]",
                                                               "self.param_groups[0][name]"),
     "every parameter is moved with the settings of the first group. Each group has its own.")
edit(ADAMW, "own_lr_only", SETTINGS,
     'first = self.param_groups[0]\n            settings = [group["lr"], *(first[name] for name in '
     '("betas", "eps", "weight_decay"))]',
     "only lr is taken from the parameter's own group; betas, eps and weight_decay come from the "
     "first one.")
edit(ADAMW, "first_groups_rate", SETTINGS,
     SETTINGS + '\n            settings[0] = self.param_groups[0]["lr"]',
     "lr is that of the first group for every parameter. Each group may have its own.")
edit(ADAMW, "first_group_alone", "for group in self.param_groups:",
     "for group in self.param_groups[:1]:",
     "only the first group is moved.")
edit(ADAMW, "decay_for_all_or_none", SETTINGS,
     SETTINGS + '\n            settings[3] = self.param_groups[0]["weight_decay"]',
     "weight_decay is that of the first group for every parameter. Each group has its own; that is "
     "what groups are for.")
edit(ADAMW, "no_decay", SETTINGS, SETTINGS + "\n            settings[3] = 0.0",
     "weight_decay is not used.")
edit(ADAMW, "one_memory", "self.state[p]", "self.state[None]",
     "all parameters share one memory, so that the averages of one are mixed with another's. "
     "Each has its own: self.state[p].", raises=True)
edit(ADAMW, "memory_elsewhere", "self.state[p]",
     'self.__dict__.setdefault("kept", {}).setdefault(id(p), {})',
     "the memory is not in self.state[p], where state_dict looks for it: a run that goes on from a "
     "checkpoint would start with empty averages.")
edit(ADAMW, "moves_twice", "p.copy_(new)", "p.copy_(2 * new - p)",
     "each parameter is moved twice as far.")
edit(ADAMW, "adds_the_new_one", "p.copy_(new)", "p.add_(new)",
     "adamw_step gives the new parameter, not the change. Write it over the old one.")


@mistake(ADAMW, "one clock runs for all parameters, so that one which gets its first gradient late "
         "is corrected as if it had been there from the start. Each counts its own steps.")
class OneClock(Optimizer):
    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        self.clock = 0

    @torch.no_grad()
    def step(self) -> None:
        self.clock += 1
        for group in self.param_groups:
            settings = [group[name] for name in ("lr", "betas", "eps", "weight_decay")]
            for p in [p for p in group["params"] if p.grad is not None]:
                m = self.state[p].get("m", torch.zeros_like(p))
                v = self.state[p].get("v", torch.zeros_like(p))
                new, m, v = adamw_step(p, p.grad, m, v, self.clock, *settings)
                self.state[p].update(m=m, v=v)
                p.copy_(new)


@mistake(ADAMW, "lr is the one that the optimiser was made with, so that no schedule can reach it. "
         "Read group[\"lr\"] at each step.")
class RateOfTheStart(Optimizer):
    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        self.rates = [group["lr"] for group in self.param_groups]

    @torch.no_grad()
    def step(self) -> None:
        for lr, group in zip(self.rates, self.param_groups, strict=True):
            for p in [p for p in group["params"] if p.grad is not None]:
                kept = self.state[p] or {"m": torch.zeros_like(p), "v": torch.zeros_like(p), "t": 0}
                t = kept["t"] + 1
                new, m, v = adamw_step(p, p.grad, kept["m"], kept["v"], t, lr, group["betas"],
                                       group["eps"], group["weight_decay"])
                self.state[p] = {"m": m, "v": v, "t": t}
                p.copy_(new)


@mistake(ADAMW, "eps, betas or decay are numbers of your own. Take those of the group that the "
         "parameter is in.")
class FixedSettings(Optimizer):
    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            for p in [p for p in group["params"] if p.grad is not None]:
                kept = self.state[p] or {"m": torch.zeros_like(p), "v": torch.zeros_like(p), "t": 0}
                t = kept["t"] + 1
                new, m, v = adamw_step(p, p.grad, kept["m"], kept["v"], t, group["lr"], (0.9, 0.95),
                                       1e-8, 0.1)
                self.state[p] = {"m": m, "v": v, "t": t}
                p.copy_(new)


@mistake(ADAMW, "the gradients are cleared by the step itself. Whoever clips or looks at them "
         "afterwards finds none; clearing is the work of zero_grad.")
class Clears(Optimizer):
    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            for p in [p for p in group["params"] if p.grad is not None]:
                kept = self.state[p] or {"m": torch.zeros_like(p), "v": torch.zeros_like(p), "t": 0}
                t = kept["t"] + 1
                new, m, v = adamw_step(p, p.grad, kept["m"], kept["v"], t, group["lr"],
                                       group["betas"], group["eps"], group["weight_decay"])
                self.state[p] = {"m": m, "v": v, "t": t}
                p.copy_(new)
                p.grad.zero_()


@mistake(ADAMW, "zero_grad leaves the gradients as they are, and the next backward adds to them.")
class NeverClears(Optimizer):
    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def zero_grad(self) -> None:
        pass

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            for p in [p for p in group["params"] if p.grad is not None]:
                kept = self.state[p] or {"m": torch.zeros_like(p), "v": torch.zeros_like(p), "t": 0}
                t = kept["t"] + 1
                new, m, v = adamw_step(p, p.grad, kept["m"], kept["v"], t, group["lr"],
                                       group["betas"], group["eps"], group["weight_decay"])
                self.state[p] = {"m": m, "v": v, "t": t}
                p.copy_(new)
