"""How a submission's rate, training step and evaluation are tried when it is graded."""

import math
from typing import Any

import torch

from course.scenarios import See
from course.scenarios.train import (
    STEPPED,
    Function,
    Pairs,
    evaluated,
    kept_whole,
    random_after,
    rate,
    stepped,
    weights,
)

from . import hidden

IDS = torch.tensor([[2, 0, 0, 1]])
NEXT = torch.tensor([[0, 0, 1, 4]])


@hidden("train.train_step")
def train_step(f: Function, see: See) -> None:
    def with_momentum(x: torch.Tensor, y: torch.Tensor, clip: float) -> torch.Tensor:
        model = Pairs(2.0)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.5)
        for _ in range(3):
            f(model, optimizer, x, y, clip)
        return weights(model)

    see("one step of a single text", stepped, f, IDS, NEXT, 30.0, parts=STEPPED, tol=1e-5)
    see("four steps with a small clip", stepped, f, NEXT, IDS, 0.15, 4, parts=STEPPED, tol=1e-5)
    see("a step after old gradients, with a small clip", stepped, f, IDS, NEXT, 0.25, 1, True,
        parts=STEPPED, tol=1e-5)
    see("steps of a model with a balance loss", stepped, f, IDS, NEXT, 60.0, 2, extra=True,
        parts=STEPPED, tol=1e-5)
    see("steps with two groups of parameters", stepped, f, IDS, NEXT, 0.2, 3, groups=True,
        parts=STEPPED, tol=1e-5)
    for slope in (-math.inf, math.nan):
        see(f"weights after a gradient of {slope}", kept_whole, f, IDS, NEXT, slope, 0.5)
    see("torch's own random numbers after steps", random_after, f, IDS, NEXT, 3)
    see("three steps with momentum", with_momentum, IDS, NEXT, 0.4, tol=1e-5)
    see("three steps with momentum, clip out of reach", with_momentum, IDS, NEXT, 40.0,
        tol=1e-5)


@hidden("train.learning_rate")
def learning_rate(f: Function, see: See) -> None:
    settings: dict[str, Any] = {"steps": 77, "warmup": 0.15, "lr": 1.5, "floor": 0.2}
    for step in (1, 5, 12, 13, 40, 76, 77):
        see(f"rate of step {step}", rate, f, step, **settings)
    see("rate without warm-up", rate, f, 9, steps=30, warmup=0.0, lr=0.3, floor=0.4)
    see("rate after a warm-up that is no whole number", rate, f, 9, steps=53, warmup=0.1, lr=2.0)
    see("rate that is all warm-up", rate, f, 15, steps=30, warmup=1.0, lr=0.3)


@hidden("train.evaluate")
def evaluate(f: Function, see: See) -> None:
    see("loss over 50 windows", evaluated, f, 151, 3, by=0.9)
    see("loss over 17 windows", evaluated, f, 120, 7, by=1.3)
    see("loss over the first 3 windows", evaluated, f, 60, 6, 3, by=2.2)
    see("loss over 18 spread windows", evaluated, f, 200, 5, 18, spread=True)
    see("loss over one long window", evaluated, f, 31, 30)
