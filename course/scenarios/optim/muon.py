"""How the iteration of Muon and its step are tried."""

from typing import Any

import torch

from .. import See, scenario
from .adam import Function, wave

WIDE = wave(3, 5, height=4.0)
TALL = wave(6, 2, by=2.9, height=9.0)
LOOSE = 1e-5  # 1e-7 is added to the norm, or put under it


@scenario("optim.orthogonalize")
def orthogonalize(f: Function, see: See) -> None:
    see("a wide matrix [3, 5]", f, WIDE, tol=LOOSE)
    see("a tall matrix [6, 2]", f, TALL, tol=LOOSE)
    see("a square matrix [4, 4]", f, wave(4, 4, by=2.2, height=7.0), tol=LOOSE)
    see("a wide matrix [3, 5], 1 iteration", f, WIDE, steps=1, tol=LOOSE)
    see("a tall matrix [6, 2], 2 iterations", f, TALL, steps=2, tol=LOOSE)
    see("a matrix [3, 5], 0 iterations", f, WIDE, steps=0, tol=LOOSE)
    see("a diagonal matrix, 8 iterations", f, torch.diag(torch.tensor([9.0, 4.0, 1.0]).double()),
        steps=8, tol=LOOSE)
    see("one row [1, 4]", f, WIDE[:1, :4], tol=LOOSE)
    see("the matrix [3, 5] times 1000", f, 1000 * WIDE, tol=LOOSE)
    see("a matrix of zeros", f, torch.zeros(2, 3, dtype=torch.float64), tol=LOOSE)
    see("a tall matrix of zeros", f, torch.zeros(4, 2, dtype=torch.float64), tol=LOOSE)
    see("a matrix whose numbers lie in another order in memory", f, TALL.T, tol=LOOSE)
    see("in float32", f, WIDE.float(), tol=1e-4)


def muon_run(f: Function, shape: tuple[int, int], count: int, *, lr: float = 0.1,
             dtype: torch.dtype = torch.float64, part: int = 0, **settings: Any) -> torch.Tensor:
    """The param, with part=1 the momentum, after `count` steps: each gets the last momentum."""
    param = wave(*shape, by=0.8).to(dtype)
    momentum = torch.zeros_like(param)
    for t in range(1, count + 1):
        grad = wave(*shape, by=1.9 + 0.7 * t, height=3.0 * t).to(dtype)
        param, momentum = f(param, grad, momentum, lr, **settings)
    return (param, momentum)[part]


def one_muon_step(f: Function, param: torch.Tensor, grad: torch.Tensor) -> Any:
    """The second step; the given tensors have to stay as they are, the momentum too."""
    momentum = f(param, grad.flip(0), torch.zeros_like(param), 0.1)[1]
    before = momentum.clone()
    moved = f(param, grad, momentum, 0.1)[0]
    if not torch.equal(momentum, before):
        raise ValueError("the momentum that was given is changed: work on a copy, not in place")
    return moved


@scenario("optim.muon_step")
def muon_step(f: Function, see: See) -> None:
    see("a wide matrix [3, 5] after 1 step", muon_run, f, (3, 5), 1, tol=LOOSE)
    see("a wide matrix [3, 5] after 3 steps", muon_run, f, (3, 5), 3, tol=LOOSE)
    see("a tall matrix [6, 2] after 1 step", muon_run, f, (6, 2), 1, tol=LOOSE)
    see("a tall matrix [6, 2] after 4 steps, lr = 0.02", muon_run, f, (6, 2), 4, lr=0.02, tol=LOOSE)
    see("a square matrix [4, 4] after 3 steps, beta = 0.5", muon_run, f, (4, 4), 3, beta=0.5,
        tol=LOOSE)
    see("a wide matrix [2, 5] after 3 steps, beta = 0.8", muon_run, f, (2, 5), 3, beta=0.8,
        tol=LOOSE)
    see("a wide matrix [3, 5] after 2 steps of 1 iteration each", muon_run, f, (3, 5), 2, steps=1,
        tol=LOOSE)
    see("a tall matrix [4, 3] after 2 steps, beta = 0, 2 iterations", muon_run, f, (4, 3), 2,
        beta=0.0, steps=2, tol=LOOSE)
    see("the second step of a matrix [3, 5]; what is given stays", one_muon_step, f, wave(3, 5),
        WIDE, tol=LOOSE)
    see("the second step of a matrix [4, 2]; what is given stays", one_muon_step, f, TALL[:4],
        WIDE[:2, :4].T, tol=LOOSE)
    see("the momentum of a matrix [3, 5] after 1 step", muon_run, f, (3, 5), 1, part=1)
    see("the momentum of a matrix [4, 3] after 3 steps, beta = 0.8", muon_run, f, (4, 3), 3, part=1,
        beta=0.8)
    see("in float32, after 2 steps", muon_run, f, (3, 5), 2, dtype=torch.float32, tol=1e-4)
