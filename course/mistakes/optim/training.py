"""Known wrong answers to clipping and the schedule."""

import math
from collections.abc import Iterable
from typing import Any

import torch

from .. import edit, mistake

CLIP, RATE = "optim.clip_grad_norm", "optim.warmup_cosine"

# clipping

NORM = "torch.stack(norms).norm()"
GRADS = "grads = [p.grad for p in params if p.grad is not None]"


@mistake(CLIP, "each gradient is clipped by itself, which turns the direction of the whole. One "
         "norm over all parameters, one factor for all.")
def each_by_itself(params: "Iterable[torch.Tensor]", max_norm: float) -> "Any":
    grads = [p.grad for p in params if p.grad is not None]
    norm = torch.stack([g.norm() for g in grads]).norm()
    for g in grads:
        if g.norm() > max_norm:
            g.mul_(max_norm / g.norm())
    return norm


@mistake(CLIP, "each number is cut to ±max_norm. Clipping by norm scales all of them by one "
         "factor, so that the direction stays.")
def by_value(params: "Iterable[torch.Tensor]", max_norm: float) -> "Any":
    grads = [p.grad for p in params if p.grad is not None]
    norm = torch.stack([g.norm() for g in grads]).norm()
    for g in grads:
        g.clamp_(-max_norm, max_norm)
    return norm


edit(CLIP, "sum_of_norms", NORM, "torch.stack(norms).sum()",
     "the norms of the parameters are added. Their squares add: √(n₁² + n₂² + …).")
edit(CLIP, "no_root", NORM, "torch.stack(norms).square().sum()",
     "that is the sum of the squares. Its root is missing.")
edit(CLIP, "largest_norm", NORM, "torch.stack(norms).max()",
     "that is the longest gradient alone. All of them together are one vector: √(n₁² + n₂² + …).")
edit(CLIP, "mean_of_norms", NORM, "torch.stack(norms).mean()",
     "that is the mean of the norms. All gradients together are one vector: √(n₁² + n₂² + …).")
edit(CLIP, "mean_square", NORM, "torch.stack(norms).square().mean().sqrt()",
     "the squares are averaged. They are summed: √(n₁² + n₂² + …).")
edit(CLIP, "absolute_values", "g.norm() for g", "g.abs().sum() for g",
     "each parameter's norm is its sum of absolute values. The Euclidean norm squares.")
edit(CLIP, "always_scales", "if norm > max_norm:", "if norm > 0:",
     "short gradients are made longer. Scale only when the norm is above max_norm.")
edit(CLIP, "scales_when_short", "if norm > max_norm:", "if norm < max_norm:",
     "the condition is turned around: scale when the norm is above max_norm.")
edit(CLIP, "not_in_place", "g.mul_(max_norm / norm)", "g = g * (max_norm / norm)",
     "the parameters still hold their long gradients. If you scaled with `g = …`, that only gives "
     "the name g to another tensor; change the one that is there: g.mul_(…).")
edit(CLIP, "limit_of_one", "max_norm / norm", "max_norm / norm.clamp(min=1.0)",
     "a norm below 1 is taken for 1, so that short gradients stay longer than max_norm. Divide by "
     "the norm itself.")
edit(CLIP, "upside_down", "max_norm / norm", "norm / max_norm",
     "the factor is upside down: long gradients get longer. It is max_norm / norm.")
edit(CLIP, "divided_only", "max_norm / norm", "1 / norm",
     "the gradients are brought to length 1, whatever max_norm is.")
edit(CLIP, "norm_after", "return norm", "return norm.clamp(max=max_norm)",
     "the norm after clipping is given. The one before is asked for: a log of it shows the spikes.")
edit(CLIP, "factor_given", "return norm", "return (max_norm / norm).clamp(max=1.0)",
     "the factor is given. The norm before clipping is asked for.")
edit(CLIP, "norm_of_the_weights", "g.norm() for g in grads", "p.detach().norm() for p in params",
     "the norm is that of the weights. The gradients stand in p.grad.", raises=True)
edit(CLIP, "crashes_on_none", " if p.grad is not None", "",
     "a parameter may have no gradient, when it was not used. Leave it out.", raises=True)
edit(CLIP, "crashes_on_no_gradient_at_all", " or [torch.zeros(())]", "",
     "when no parameter has a gradient there is nothing to stack. The norm of nothing is 0.",
     raises=True)




@mistake(CLIP, "each gradient is scaled before the next one's norm is taken, so that the factor "
         "changes on the way. Find the norm of all first.")
def as_it_goes(params: "Iterable[torch.Tensor]", max_norm: float) -> "torch.Tensor":
    grads = [p.grad for p in params if p.grad is not None]
    total = torch.zeros((), dtype=grads[0].dtype)
    for g in grads:
        total = total + g.square().sum()
        if total.sqrt() > max_norm:
            g.mul_(max_norm / total.sqrt())
    return total.sqrt()


@mistake(CLIP, "`params` may be a generator, and yours is used up when the norm is found: "
         "nothing is left to scale. Make a list of it first.")
def walked_twice(params: "Iterable[torch.Tensor]", max_norm: float) -> "Any":
    norms = [p.grad.norm() for p in params if p.grad is not None] or [torch.zeros(())]
    norm = torch.stack(norms).norm()
    if norm > max_norm:
        for p in params:
            if p.grad is not None:
                p.grad.mul_(max_norm / norm)
    return norm


# the schedule

WAVE = "floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2"
DONE = "done = (step - warmup) / (total - warmup)"
edit(RATE, "counts_from_one", "peak * step / warmup", "peak * (step + 1) / warmup",
     "the warm-up is one step ahead. `step` counts from 0, and step 0 has the rate 0.")
edit(RATE, "warms_up_from_the_floor", "peak * step / warmup",
     "floor + (peak - floor) * step / warmup",
     "the warm-up starts at floor. It starts at 0: peak · step / warmup.")
edit(RATE, "no_warmup", "if step < warmup:\n        return peak * step / warmup",
     "if step < warmup:\n        return peak",
     "the rate is the peak from the start. During warm-up it climbs from 0: peak · step / warmup.")
edit(RATE, "one_step_short", "peak * step / warmup", "peak * step / max(warmup - 1, 1)",
     "the peak is reached one step early. It is reached at step `warmup`.")
edit(RATE, "falls_to_zero", WAVE, "peak * (1 + math.cos(math.pi * done)) / 2",
     "the wave ends at 0. It ends at floor: floor + (peak − floor) · …")
edit(RATE, "floor_added", WAVE, "floor + peak * (1 + math.cos(math.pi * done)) / 2",
     "the wave starts above the peak. Its height is peak − floor.")
edit(RATE, "not_halved", "(1 + math.cos(math.pi * done)) / 2", "(1 + math.cos(math.pi * done))",
     "1 + cos runs from 2 to 0. Halve it.")
edit(RATE, "no_one", "(1 + math.cos(math.pi * done)) / 2", "math.cos(math.pi * done)",
     "cos runs from 1 to −1. (1 + cos) / 2 runs from 1 to 0.")
edit(RATE, "quarter_wave", "(1 + math.cos(math.pi * done)) / 2", "math.cos(math.pi / 2 * done)",
     "that is a quarter of a wave, which falls off a cliff at the end. Half a wave is flat at both "
     "ends: (1 + cos(π · …)) / 2.")
edit(RATE, "whole_wave", "math.pi * done", "2 * math.pi * done",
     "that is a whole wave, down and up again. Half of one has the angle π · …")
edit(RATE, "degrees", "math.pi * done", "180 * done",
     "math.cos takes radians: half a turn is π, not 180.")
edit(RATE, "rises", "1 + math.cos", "1 - math.cos",
     "the rate rises to the peak at the end. The sign before cos is plus.")
edit(RATE, "sine", "(1 + math.cos(math.pi * done)) / 2", "(1 - math.sin(math.pi / 2 * done))",
     "that falls fastest at the start. Half a cosine wave is flat at both ends.")
edit(RATE, "straight_line", "(1 + math.cos(math.pi * done)) / 2", "(1 - done)",
     "that falls in a straight line. The fall is half a cosine wave.")
edit(RATE, "share_of_the_total", DONE, "done = step / total",
     "the wave is reckoned from step 0, so that the rate jumps where the warm-up ends. It begins "
     "at step `warmup` and takes total − warmup steps.")
edit(RATE, "ends_late", DONE, "done = (step - warmup) / total",
     "the wave takes `total` steps, and is cut off before its end. It takes total − warmup.")
edit(RATE, "off_by_one", DONE, "done = (step - warmup) / max(total - warmup - 1, 1)",
     "the floor is reached one step early. The wave takes total − warmup steps.")


@mistake(RATE, "beyond `total` the cosine goes up again. From there on the rate is floor.")
def comes_back(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    if step < warmup:
        return peak * step / warmup
    done = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


edit(RATE, "cut_at_the_floor", WAVE,
     "max(floor, peak * (1 + math.cos(math.pi * done)) / 2)",
     "the wave runs to 0 and is cut off at floor. It is stretched so that it ends there: floor + "
     "(peak − floor) · …")
edit(RATE, "zero_at_the_end", "        return floor\n", "        return 0.0\n",
     "from `total` on the rate is 0. It stays at floor.")
edit(RATE, "floor_as_a_share", "floor + (peak - floor)", "floor * peak + (peak - floor * peak)",
     "floor is taken for a share of the peak. It is a rate itself.")


@mistake(RATE, "floor is taken for a share of the peak. It is a rate itself.")
def share_everywhere(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    if step < warmup:
        return peak * step / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return peak * (floor + (1 - floor) * (1 + math.cos(math.pi * done)) / 2)


@mistake(RATE, "with warmup = 0 nothing may be divided by it. The rate starts at the peak.",
         raises=True)
def divides_by_no_warmup(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    if step <= warmup:
        return peak * step / warmup
    done = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2


@mistake(RATE, "the warm-up multiplies the wave, which has been falling since step 0. Each has its "
         "own steps: first the straight line, then the wave.")
def both_at_once(step: int, warmup: int, total: int, peak: float, floor: float) -> float:
    done = min(step / total, 1.0)
    wave = floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2
    return wave * min(1.0, step / warmup) if warmup else wave
edit(RATE, "divides_by_nothing_left", "if step >= total:", "if step > total:",
     "with total = warmup the step `total` divides by 0. Ask `step >= total`, before you divide.",
     raises=True)
