"""How a rate, a training step and an evaluation are tried."""

import math
from collections.abc import Callable
from typing import Any

import torch

from . import See, scenario
from .attention.heads import wave

Function = Callable[..., Any]
V = 5


class Pairs(torch.nn.Module):
    """A table of scores for the next token, and a list of what it was asked in which mode.

    `extra`: a number of its own that a balance loss (lesson 09) is made of, or none.
    """

    def __init__(self, height: float = 1.0, extra: bool = False) -> None:
        super().__init__()
        self.table = torch.nn.Parameter(wave(V, V, by=1.9, height=height))
        self.offset = torch.nn.Parameter(wave(V, by=0.8, height=height))
        self.modes: list[int] = []
        self.inner = torch.nn.Identity()  # a part that has a mode too
        self.extra = Extra() if extra else None

    def forward(self, ids: torch.Tensor, targets: torch.Tensor | None = None,
                cache: Any = None) -> Any:
        self.modes.append(int(all(part.training for part in self.modules())))
        begin = self.table[ids[:, :1]].flip(-1)  # what stands first in a row counts, too
        logits = self.table[ids] + begin + 3 * self.offset  # (B, T, V)
        if self.extra is not None:
            logits = logits + 0 * self.extra()
        if targets is None:
            return logits, None
        log_p = logits.log_softmax(-1)
        return logits, -log_p.gather(-1, targets[..., None]).mean()


class Extra(torch.nn.Module):
    """A part that leaves a `balance_loss` behind, as a mixture of experts does."""

    def __init__(self) -> None:
        super().__init__()
        self.size = torch.nn.Parameter(torch.tensor(4.0, dtype=torch.float64))
        self.balance_loss = torch.zeros(())

    def forward(self) -> torch.Tensor:
        self.balance_loss = 5 * self.size
        return self.size


class Steep(Pairs):
    """Its loss is a number, and one number of its gradient is `slope`."""

    def __init__(self, slope: float) -> None:
        super().__init__()
        self.edge = torch.nn.Parameter(torch.zeros((), dtype=torch.float64))
        self.edge.register_hook(  # type: ignore[no-untyped-call]
            lambda grad: torch.full_like(grad, slope))

    def forward(self, ids: torch.Tensor, targets: torch.Tensor | None = None,
                cache: Any = None) -> Any:
        logits, loss = super().forward(ids, targets)
        return logits, loss if loss is None else loss + self.edge


def kept_whole(f: Function, x: torch.Tensor, y: torch.Tensor, slope: float, clip: float = 1.0,
               ) -> torch.Tensor:
    """The weights after a step that is refused because a gradient has a number `slope`."""
    model = Steep(slope)
    try:
        f(model, torch.optim.SGD(model.parameters(), lr=0.5), x, y, clip)
    except ArithmeticError:
        return weights(model)
    return torch.zeros(1)


def random_after(f: Function, x: torch.Tensor, y: torch.Tensor, calls: int) -> str:
    """Whether torch's own random numbers stay where they are in steps that need none."""
    model = Pairs()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(4)
        before = torch.get_rng_state()
        for _ in range(calls):
            f(model, torch.optim.SGD(model.parameters(), lr=0.5), x, y)
        return "left alone" if torch.equal(before, torch.get_rng_state()) else "used or reset"


def weights(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def stepped(f: Function, x: torch.Tensor, y: torch.Tensor, clip: float | None, calls: int = 1,
            stale: bool = False, extra: bool = False, height: float = 1.0,
            training: bool = False, decay: float = 0.0, groups: bool = False) -> dict[str, Any]:
    """Weights and losses of some steps of plain descent, and the modes the model ran in.

    `groups`: the optimiser has the parameters in two groups.
    """
    model = Pairs(height, extra).train(training)
    if stale:
        for p in model.parameters():
            p.grad = torch.full_like(p, 0.7)
    params = list(model.parameters())
    optimizer = torch.optim.SGD([{"params": params[:1]}, {"params": params[1:]}] if groups
                                else params, lr=0.5, weight_decay=decay)
    how = () if clip is None else (clip,)
    losses = [float(f(model, optimizer, x, y, *how)) for _ in range(calls)]
    modes = [*model.modes, int(model.training)]  # while it ran, and afterwards
    return {"weights": weights(model), "loss": losses, "training mode": modes}


STEPPED = ("weights", "loss", "training mode")
IDS = torch.tensor([[0, 3, 1], [4, 4, 2]])
NEXT = torch.tensor([[3, 1, 1], [4, 2, 0]])


@scenario("train.train_step")
def train_step(f: Function, see: See) -> None:
    def broken(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """The weights after a step whose loss is no number."""
        model = Pairs()
        with torch.no_grad():
            model.offset[0] = math.nan
        try:
            f(model, torch.optim.SGD([model.table], lr=0.5), x, y)
        except ArithmeticError:
            return model.table.detach()
        return torch.zeros(1)

    def pieces(x: torch.Tensor, y: torch.Tensor, clip: float) -> float:
        """How far all weights together moved in one step of lr 1."""
        model = Pairs(3.0)
        before = weights(model)
        f(model, torch.optim.SGD(model.parameters(), lr=1.0), x, y, clip)
        return float((weights(model) - before).norm())

    see("one step, gradients left as they are", stepped, f, IDS, NEXT, 100.0, parts=STEPPED,
        tol=1e-5)
    see("two steps", stepped, f, IDS, NEXT, 100.0, 2, parts=STEPPED, tol=1e-5)
    see("one step, clip = 0.1", stepped, f, IDS, NEXT, 0.1, parts=STEPPED, tol=1e-5)
    see("three steps, clip = 0.2", stepped, f, NEXT, IDS, 0.2, 3, parts=STEPPED, tol=1e-5)
    see("a step with old gradients lying about", stepped, f, IDS, NEXT, 50.0, 1, True,
        parts=STEPPED, tol=1e-5)
    see("a step with old gradients lying about, clip = 0.2", stepped, f, NEXT, IDS, 0.2, 1, True,
        parts=STEPPED, tol=1e-5)
    see("a step of large weights, clip not given", stepped, f, IDS, NEXT, None, height=4.0,
        parts=STEPPED, tol=1e-5)
    see("a step of a model with a balance loss", stepped, f, IDS, NEXT, 100.0, extra=True,
        parts=STEPPED, tol=1e-5)
    see("two steps of a model with a balance loss, clip = 0.3", stepped, f, NEXT, IDS, 0.3, 2,
        extra=True, parts=STEPPED, tol=1e-5)
    see("two steps of a model that was in training mode", stepped, f, IDS, NEXT, 100.0, 2,
        training=True, parts=STEPPED, tol=1e-5)
    see("a step with weight decay", stepped, f, IDS, NEXT, 10.0, decay=0.3, parts=STEPPED, tol=1e-5)
    see("length of a step with clip = 0.05 and lr = 1", pieces, IDS, NEXT, 0.05, tol=1e-5)
    see("weights after a loss that is no number", broken, IDS, NEXT)
    for slope in (math.inf, math.nan):
        see(f"weights after a gradient of {slope}, with a loss that is a number", kept_whole, f,
            IDS, NEXT, slope)
        see(f"weights after a gradient of {slope}, clip = 100", kept_whole, f, NEXT, IDS, slope,
            100.0)
    see("one step with two groups of parameters, clip = 0.1", stepped, f, IDS, NEXT, 0.1,
        groups=True, parts=STEPPED, tol=1e-5)
    see("two steps with two groups of parameters, clip = 0.3", stepped, f, NEXT, IDS, 0.3, 2,
        groups=True, parts=STEPPED, tol=1e-5)
    for calls in (1, 2):
        see(f"torch's own random numbers after {calls} step{'s' * (calls > 1)} of a model that "
            "draws none", random_after, f, IDS, NEXT, calls)


def rate(f: Function, step: int, **fields: Any) -> float:
    from minillm.recipe import TrainConfig

    return float(f(step, TrainConfig(**fields)))


@scenario("train.learning_rate")
def learning_rate(f: Function, see: See) -> None:
    for step in (1, 3, 10, 11, 55, 99, 100):
        see(f"step {step} of 100, warmup 0.1, lr 2, floor 0.1", rate, f, step, steps=100,
            warmup=0.1, lr=2.0, floor=0.1)
    for step in (1, 7, 40):
        see(f"step {step} of 40, no warm-up, lr 0.5, floor 0", rate, f, step, steps=40, warmup=0.0,
            lr=0.5, floor=0.0)
    for step in (1, 30, 60):
        see(f"step {step} of 60, warmup 0.25, lr 3, floor 1", rate, f, step, steps=60, warmup=0.25,
            lr=3.0, floor=1.0)
    for steps in (47, 43):  # 4.7 and 4.3 steps of warm-up
        for step in (2, 4, 20):
            see(f"step {step} of {steps}, warmup 0.1", rate, f, step, steps=steps, warmup=0.1)
    see("step 90 of 3000 with the defaults", rate, f, 90)
    see("step 1500 of 3000 with the defaults", rate, f, 1500)


def evaluated(f: Function, n: int, block_size: int, *more: Any, by: float = 2.7,
              **keywords: Any) -> float:
    """The loss of the table over n ids."""
    ids = ((wave(n, by=by) + 1) * 2.49).long()  # 0 … 4
    return float(f(Pairs(2.0), ids, block_size, *more, **keywords))


@scenario("train.evaluate")
def evaluate(f: Function, see: See) -> None:
    def modes(n: int) -> list[int]:
        model = Pairs().train()
        f(model, torch.arange(n) % V, 3)
        return [max(model.modes), int(model.training)]

    see("19 windows of 3, all", evaluated, f, 58, 3)
    see("37 windows of 2, all", evaluated, f, 75, 2, by=1.1)
    see("one window of 4", evaluated, f, 5, 4)
    see("the first 2 of 8 windows", evaluated, f, 41, 5, 2)
    see("the first 20 of 33 windows", evaluated, f, 100, 3, 20)
    see("5 of 24 windows, spread", evaluated, f, 97, 4, 5, spread=True)
    see("20 of 33 windows, spread", evaluated, f, 100, 3, 20, by=1.4, spread=True)
    see("more windows than there are", evaluated, f, 30, 4, 99)
    see("was it in training mode inside, and is it after?", modes, 10)
    see("the same with 19 windows", modes, 58)
    see("ids for no window", evaluated, f, 4, 4)
