"""How the functions of `minillm.functional` are tried when a submission is graded."""

from collections.abc import Callable
from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.functional import Function, wave
from course.scenarios.guards import no_larger_than, without_autograd

from . import hidden

INF = torch.inf


Z = wave(3, 5, by=0.9, height=3.0)
Z4 = wave(2, 3, 4, 2, by=1.1)
W, W4 = wave(3, 5, by=3.7), wave(2, 3, 4, 2, by=3.7)
LEVELS = Z + torch.tensor([[5e3], [-5e3], [2e3]], dtype=torch.float64)
HOLES = Z.masked_fill(torch.arange(15).view(3, 5) % 4 == 1, -INF)
STEEP = torch.tensor([[1e4, -1e4], [-1e4, 1e4], [9e3, 9e3]])


@hidden("functional.softmax")
def softmax(f: Function, see: See) -> None:
    see("softmax of rows that differ", f, Z)
    see("softmax along a middle dimension", f, Z4, dim=2)
    see("softmax along the first dimension", f, Z4, dim=0)
    see("softmax along dim=-2", f, Z4, dim=-2)
    see("softmax of rows on very different levels", f, LEVELS)
    see("softmax of scores of ±1e4 in float32", f, STEEP, tol=1e-3)
    see("softmax of one row", f, Z[1])
    see("softmax of a single class", f, Z[:, :1])
    see("softmax of a batch of one", f, Z[:1])
    see("log of the softmax where some scores are -inf", lambda x: f(x).log(), HOLES)
    see("softmax in float16", f, Z.half(), tol=5e-3)
    see("softmax where some scores are -inf", f, HOLES)
    see("gradient through softmax along a middle dimension", gradient(f), Z4, W4, dim=1)


@hidden("functional.log_softmax")
def log_softmax(f: Function, see: See) -> None:
    see("log_softmax of rows that differ", f, Z)
    see("log_softmax along a middle dimension", f, Z4, dim=2)
    see("log_softmax along the first dimension", f, Z4, dim=0)
    see("log_softmax along dim=-2", f, Z4, dim=-2)
    see("log_softmax of a batch of one", f, Z[:1])
    see("log_softmax in float16", f, Z.half(), tol=2e-2)
    see("log_softmax of rows on very different levels", f, LEVELS)
    see("log_softmax of very unlikely classes", f, 300 * Z)
    see("log_softmax of scores of ±1e4 in float32", f, STEEP, tol=1e-3)
    see("log_softmax of a single class", f, Z[:, :1])
    see("gradient through log_softmax along a middle dimension", gradient(f), Z4, W4, dim=1)
    see("gradient through log_softmax of very unlikely classes", gradient(f), 300 * Z, W)


@hidden("functional.sparsemax")
def sparsemax(f: Function, see: See) -> None:
    see("sparsemax of rows that differ", f, 0.3 * Z)
    see("sparsemax along a middle dimension", f, 0.4 * Z4, dim=2)
    see("sparsemax along the first dimension", f, 0.4 * Z4, dim=0)
    see("sparsemax along dim=-2", f, 0.4 * Z4, dim=-2)
    see("sparsemax of scores that lie in another order in memory", f, 0.3 * Z.T)
    see("sparsemax of rows moved by a constant", f, 0.3 * Z + LEVELS[:, :1].round())
    see("sparsemax of one row", f, 0.2 * Z[2])
    see("sparsemax of a single class", f, Z[:, :1])
    see("sparsemax of scores far apart", f, 40 * Z)
    see("sparsemax of many equal scores", f, torch.zeros(16, dtype=torch.float64))
    see("sparsemax of scores of which each is far below the one before", f,
        -torch.tensor([3.0 ** i / 3 for i in range(12)], dtype=torch.float64))
    see("sparsemax in float32", f, (0.3 * Z).float(), tol=1e-6)
    see("gradient through sparsemax along a middle dimension", gradient(f), 0.4 * Z4, W4, dim=1)


@hidden("functional.softmax_jacobian")
def softmax_jacobian(f: Function, see: See) -> None:
    see("J of six probabilities", f, torch.softmax(wave(6, by=0.8), 0))
    see("J where some p are 0", f, torch.softmax(HOLES[0], 0))
    see("J of a single class", f, torch.ones(1, dtype=torch.float64))
    see("J in float32", f, torch.softmax(wave(4).float(), 0), tol=1e-6)


@hidden("functional.softmax_vjp")
def softmax_vjp(f: Function, see: See) -> None:
    def narrow(p: torch.Tensor, grad: torch.Tensor, **keywords: Any) -> torch.Tensor:
        with no_larger_than(20 * p.numel()):
            return f(p, grad, **keywords)[:, :9]

    see("Jᵀg of rows that differ", f, torch.softmax(Z, -1), W)
    see("Jᵀg along a middle dimension", f, torch.softmax(Z4, 2), W4, dim=2)
    see("Jᵀg along the first dimension", f, torch.softmax(Z4, 0), W4, dim=0)
    see("Jᵀg along dim=-2", f, torch.softmax(Z4, -2), W4, dim=-2)
    see("Jᵀg where some p are 0", f, torch.softmax(HOLES, -1), W)
    see("Jᵀg of a gradient that is the same for all classes", f, torch.softmax(Z, -1),
        torch.full_like(Z, 3.0))
    see("Jᵀg in float32", f, torch.softmax(Z.float(), -1), W.float(), tol=1e-6)
    see("Jᵀg of a long row, without the whole J", narrow, torch.softmax(wave(1, 300), -1),
        wave(1, 300, by=0.6))


LOGITS = wave(2, 3, 2, 4, by=2.2)
TARGETS = torch.tensor([[[0, 3], [1, 1], [2, 0]], [[3, 2], [0, 1], [2, 3]]])
UNEVEN = torch.tensor([[[0, -100], [-100, -100], [2, 0]], [[3, -100], [-100, -100], [-100, -100]]])
LINE = torch.tensor([4, 0, 2])
OPEN = torch.tensor([3, 1, 4])  # classes of HOLES that are not at -inf


@hidden("functional.cross_entropy")
def cross_entropy(f: Function, see: See) -> None:
    one = torch.ones((), dtype=torch.float64)
    see("loss with three leading dimensions", f, LOGITS, TARGETS)
    see("loss with most tokens ignored", f, LOGITS, UNEVEN)
    see("loss with an ignore_index that is a class", f, LOGITS, TARGETS, ignore_index=1)
    see("loss of rows on very different levels", f, LEVELS, LINE)
    see("loss of a model that is sure and wrong", f, 300 * Z, LINE)
    see("loss of scores of ±1e4 in float32", f, STEEP, torch.tensor([1, 1, 0]), tol=1e-3)
    see("loss of one token", f, Z[:1], LINE[:1])
    see("gradient through the loss with most tokens ignored", gradient(f), LOGITS, one, UNEVEN)


@hidden("functional.cross_entropy_grad")
def cross_entropy_grad(f: Function, see: See) -> None:
    see("gradient with three leading dimensions", f, LOGITS, TARGETS)
    see("gradient with most tokens ignored", f, LOGITS, UNEVEN)
    see("gradient with an ignore_index that is a class", f, LOGITS, TARGETS, ignore_index=1)
    see("gradient of rows on very different levels", f, LEVELS, LINE)
    see("gradient of a model that is sure and wrong", f, 300 * Z, LINE)
    see("gradient of scores of ±1e4 in float32", f, STEEP, torch.tensor([1, 1, 0]), tol=1e-3)
    see("gradient where other classes are at -inf", f, HOLES, OPEN)
    see("gradient with autograd switched off", without_autograd(f), LOGITS, UNEVEN)
    see("gradient of one token", f, Z[:1], LINE[:1])


TABLE = wave(6, 4, by=0.8)
SPOTS = torch.tensor([[[5], [0], [3]], [[3], [3], [5]]])
GIVEN = wave(2, 3, 1, 4, by=1.9)


@hidden("functional.embedding")
def embedding(f: Function, see: See) -> None:
    see("rows with three leading dimensions", f, TABLE, SPOTS)
    see("rows with one dimension", f, TABLE, SPOTS.flatten())
    see("rows in float32", f, TABLE[:, :1].float(), SPOTS[0], tol=1e-6)
    see("gradient to the table where ids repeat", gradient(f), TABLE, GIVEN, SPOTS)


@hidden("functional.embedding_grad")
def embedding_grad(f: Function, see: See) -> None:
    see("gradient with three leading dimensions", f, SPOTS, GIVEN, 6)
    see("gradient where most ids do not occur", f, SPOTS[0, :1], GIVEN[0, :1], 9)
    see("gradient where all ids are equal", f, torch.ones(3).long(), GIVEN[1, :, 0], 2)
    see("gradient in float32", f, SPOTS, GIVEN.float(), 8, tol=1e-6)


@hidden("functional.perplexity")
def perplexity(f: Callable[[float], float], see: See) -> None:
    for loss in (0.05, 1.7, 5.25, 9.9, 22.0):
        see(f"perplexity at {loss:g} nats", f, loss, tol=2e-6)


@hidden("functional.bits_per_byte")
def bits_per_byte(f: Callable[[float, int, int], float], see: See) -> None:
    for case in ((3.1, 12, 50), (1.2, 999, 1000), (4.4, 3, 7), (6.5, 40, 20)):
        see("{:g} nats a token, {} tokens, {} bytes".format(*case), f, *case, tol=2e-6)
