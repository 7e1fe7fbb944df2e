"""How the functions of `minillm.functional` are tried."""

from collections.abc import Callable
from typing import Any

import torch

from . import See, gradient, scenario
from .guards import no_larger_than, without_autograd

Function = Callable[..., torch.Tensor]
INF = torch.inf


def rows(*numbers: list[float]) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def wave(*shape: int, by: float = 1.7, height: float = 2.0) -> torch.Tensor:
    """Numbers without a pattern that a mistake could share, the same on every machine."""
    count = int(torch.tensor(shape).prod())
    return height * torch.sin(by * torch.arange(1, count + 1, dtype=torch.float64)).view(shape)


X = rows([0.5, -1.0, 2.0], [3.0, 0.0, 1.5])
MOVED = X + rows([900.0], [-900.0])
X3 = wave(2, 3, 4)
FAR = rows([1000.0, 1001.0, 999.0], [-1000.0, -1001.0, -999.0])
APART = rows([0.0, 1000.0, 3.0], [-800.0, 2.0, 1.0])
MASKED = rows([0.5, -INF, 2.0, 1.0], [-INF, -INF, 3.0, -1.0])
EMPTY = rows([0.5, -INF, 2.0], [-INF, -INF, -INF])
TURNED = X3.transpose(0, 2)  # [4, 3, 2]
UP, UP3, UP_MASKED = wave(2, 3, by=2.3), wave(2, 3, 4, by=2.3), wave(2, 4, by=2.9)
UP_TURNED = wave(4, 3, 2, by=2.3)
TIGHT = 1e-11  # for scores of ordinary size: nothing added to a denominator passes


@scenario("functional.softmax")
def softmax(f: Function, see: See) -> None:
    see("softmax of two rows", f, X, tol=TIGHT)
    see("softmax of the same rows, moved by 900 and by -900", f, MOVED)
    see("softmax with dim=0", f, X, dim=0)
    see("softmax of shape [2, 3, 4]", f, X3, tol=TIGHT)
    see("softmax of shape [2, 3, 4] with dim=0", f, X3, dim=0)
    see("softmax of shape [2, 3, 4] with dim=1", f, X3, dim=1)
    see("softmax of [1000 1001 999] and [-1000 -1001 -999]", f, FAR)
    see("softmax of [-1000 -1001 -999] alone", f, FAR[1])
    see("softmax of [1000 1001 -1e4] in float32", f, torch.tensor([1e3, 1001.0, -1e4]), tol=1e-3)
    see("softmax where some scores are -inf", f, MASKED)
    see("softmax of a row of nothing but -inf below another row", f, EMPTY)
    see("softmax of [-inf -inf] in float32", f, EMPTY[1, :2].float(), tol=1e-6)
    see("log of the softmax where some scores are -inf", lambda x: f(x).log(), MASKED)
    see("log of the softmax of one row with a score of -inf", lambda x: f(x).log(), MASKED[0])
    see("softmax of scores that lie in another order in memory", f, TURNED)
    see("softmax of the same scores with dim=0", f, TURNED, dim=0)
    see("softmax in float32", f, X.float(), tol=1e-6)
    see("gradient through softmax", gradient(f), X, UP)
    see("gradient through softmax with dim=1", gradient(f), X3, UP3, dim=1)
    see("gradient through softmax where some scores are -inf", gradient(f), MASKED, UP_MASKED)
    see("gradient to scores that lie in another order in memory", gradient(f), TURNED, UP_TURNED)


@scenario("functional.log_softmax")
def log_softmax(f: Function, see: See) -> None:
    see("log_softmax of two rows", f, X, tol=TIGHT)
    see("log_softmax of the same rows, moved by 900 and by -900", f, MOVED)
    see("log_softmax with dim=0", f, X, dim=0)
    see("log_softmax of shape [2, 3, 4]", f, X3, tol=TIGHT)
    see("log_softmax of shape [2, 3, 4] with dim=0", f, X3, dim=0)
    see("log_softmax of shape [2, 3, 4] with dim=1", f, X3, dim=1)
    see("log_softmax of [0 1000 3] and [-800 2 1]", f, APART)
    see("log_softmax of [0 200 -1e4] in float32", f, torch.tensor([0.0, 200.0, -1e4]), tol=1e-3)
    see("log_softmax where some scores are -inf", f, MASKED)
    see("log_softmax of scores that lie in another order in memory", f, TURNED)
    see("log_softmax in float32", f, X.float(), tol=1e-6)
    see("gradient through log_softmax", gradient(f), X, UP)
    see("gradient through log_softmax with dim=1", gradient(f), X3, UP3, dim=1)


CLOSE = rows([1.2, 1.0, -1.0], [0.5, 0.3, 0.1])  # 2 and 3 survive
CLOSE3 = wave(2, 3, 4, by=2.1, height=0.7)


@scenario("functional.sparsemax")
def sparsemax(f: Function, see: See) -> None:
    see("sparsemax of [1.2 1 -1] and [0.5 0.3 0.1]", f, CLOSE)
    see("sparsemax of the same rows, moved by 5 and by -30", f, CLOSE + rows([5.0], [-30.0]))
    see("sparsemax with dim=0", f, CLOSE, dim=0)
    see("sparsemax of shape [2, 3, 4]", f, CLOSE3)
    see("sparsemax of shape [2, 3, 4] with dim=0", f, CLOSE3, dim=0)
    see("sparsemax of shape [2, 3, 4] with dim=1", f, CLOSE3, dim=1)
    see("sparsemax of [1 1 0 0.4] and [2 2 2 2]", f, rows([1, 1, 0, 0.4], [2, 2, 2, 2]))
    see("sparsemax of [9 -4 0] and [-7 1 -2]", f, rows([9.0, -4.0, 0.0], [-7.0, 1.0, -2.0]))
    see("sparsemax of scores that lie in another order in memory", f, CLOSE3.transpose(0, 2))
    see("sparsemax in float32", f, CLOSE.float(), tol=1e-6)
    see("sparsemax in float32 with dim=1", f, CLOSE3.float(), dim=1, tol=1e-6)
    see("gradient through sparsemax", gradient(f), CLOSE, UP)
    see("gradient through sparsemax with dim=1", gradient(f), CLOSE3, UP3, dim=1)


@scenario("functional.softmax_jacobian")
def softmax_jacobian(f: Function, see: See) -> None:
    see("J at p = [0.2 0.5 0.3]", f, torch.tensor([0.2, 0.5, 0.3], dtype=torch.float64))
    see("J at p = [0.1 0.2 0.3 0.4]", f, torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64))
    see("J at p = [0.25 0 0.75]", f, torch.tensor([0.25, 0.0, 0.75], dtype=torch.float64))
    see("J at p = [0 1]", f, torch.tensor([0.0, 1.0], dtype=torch.float64))
    see("J at p = [0.7 0.3] in float32", f, torch.tensor([0.7, 0.3]), tol=1e-6)


P = rows([0.2, 0.5, 0.3], [0.7, 0.2, 0.1])
G = rows([1.0, -2.0, 0.5], [0.3, 4.0, -1.0])
COLUMNS = rows([0.2, 0.5, 0.9], [0.8, 0.5, 0.1])  # each sums to 1 along dim=0
P_MASKED = rows([0.25, 0.0, 0.6, 0.15], [0.0, 0.0, 0.1, 0.9])
SURE = rows([0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
WIDE = torch.softmax(wave(2, 200), -1)


@scenario("functional.softmax_vjp")
def softmax_vjp(f: Function, see: See) -> None:
    def narrow(p: torch.Tensor, grad: torch.Tensor, **keywords: Any) -> torch.Tensor:
        with no_larger_than(20 * p.numel()):
            return f(p, grad, **keywords)[:9, :9]

    see("Jᵀg of two rows", f, P, G)
    see("Jᵀg of one row", f, P[1], G[1])
    see("Jᵀg of two rows, 10 added to every g", f, P, G + 10)
    see("Jᵀg with dim=0", f, COLUMNS, G, dim=0)
    see("Jᵀg of shape [2, 3, 4]", f, torch.softmax(X3, -1), UP3)
    see("Jᵀg of shape [2, 3, 4] with dim=0", f, torch.softmax(X3, 0), UP3, dim=0)
    see("Jᵀg of shape [2, 3, 4] with dim=1", f, torch.softmax(X3, 1), UP3, dim=1)
    see("Jᵀg where some p are 0", f, P_MASKED, UP_MASKED)
    see("Jᵀg where p is one-hot", f, SURE, UP_MASKED)
    see("Jᵀg of numbers that lie in another order in memory", f,
        torch.softmax(X3, 0).transpose(0, 2), UP3.transpose(0, 2))
    see("Jᵀg in float32", f, P.float(), G.float(), tol=1e-6)
    see("Jᵀg of 2 rows of 200, without a tensor of 200 × 200", narrow, WIDE, wave(2, 200, by=2.3))
    see("Jᵀg of 2 columns of 150, without a tensor of 150 × 150", narrow,
        torch.softmax(wave(150, 2), 0), wave(150, 2, by=2.3), dim=0)
    see("p of shape [2, 3] with a gradient of shape [3, 2]", f, P, G.T.contiguous())


LOGITS = wave(4, 5, by=1.3)
TARGETS = torch.tensor([2, 0, 4, 2])
LOGITS3 = wave(2, 3, 5, by=2.6)
TARGETS3 = torch.tensor([[1, 3, 4], [0, 3, 2]])
SOME = torch.tensor([[1, -100, 4], [0, -100, -100]])
OTHER = torch.tensor([[1, -1, 4], [0, -1, -1]])
MOVED_LOGITS = LOGITS + rows([900.0], [-900.0], [30.0], [0.0])
BLOCKED, ALLOWED = MASKED, torch.tensor([2, 3])  # the target itself is never at -inf
FIRST = torch.tensor([0, 0])
HUGE = torch.tensor([[1e4, -1e4, 0.0], [0.0, 1e4, -1e4]])


@scenario("functional.cross_entropy")
def cross_entropy(f: Function, see: See) -> None:
    see("loss of 4 tokens", f, LOGITS, TARGETS)
    see("loss of the same tokens, each row of logits moved", f, MOVED_LOGITS, TARGETS)
    see("loss of 2 × 3 tokens", f, LOGITS3, TARGETS3)
    see("loss of 2 × 3 tokens, 3 of them ignored", f, LOGITS3, SOME)
    see("loss of 2 × 3 tokens, ignore_index=-1", f, LOGITS3, OTHER, ignore_index=-1)
    see("loss of 4 tokens, ignore_index=2", f, LOGITS, TARGETS, ignore_index=2)
    see("loss of 2 × 3 tokens, ignore_index=3", f, LOGITS3, TARGETS3, ignore_index=3)
    see("loss of logits [0 1000 3] and [-800 2 1], target 0", f, APART, FIRST)
    see("loss of logits up to ±1e4 in float32", f, HUGE, torch.tensor([1, 2]), tol=1e-3)
    see("loss of 2 × 1 × 3 tokens", f, LOGITS3[:, None], TARGETS3[:, None])
    see("loss of 2 × 1 × 3 tokens, 3 of them ignored", f, LOGITS3[:, None], SOME[:, None])
    see("loss in float32", f, LOGITS.float(), TARGETS, tol=1e-6)
    one = torch.ones((), dtype=torch.float64)
    see("gradient through the loss", gradient(f), LOGITS, one, TARGETS)
    see("gradient through the loss, 3 of 6 tokens ignored", gradient(f), LOGITS3, one, SOME)
    see("logits of 2 × 3 tokens with targets of 2 × 4", f, LOGITS3, torch.ones(2, 4).long())


@scenario("functional.cross_entropy_grad")
def cross_entropy_grad(f: Function, see: See) -> None:
    see("gradient for 4 tokens", f, LOGITS, TARGETS)
    see("gradient for the same tokens, each row of logits moved", f, MOVED_LOGITS, TARGETS)
    see("gradient for 2 × 3 tokens", f, LOGITS3, TARGETS3)
    see("gradient for 2 × 3 tokens, 3 of them ignored", f, LOGITS3, SOME)
    see("gradient for 2 × 3 tokens, ignore_index=-1", f, LOGITS3, OTHER, ignore_index=-1)
    see("gradient for 4 tokens, ignore_index=2", f, LOGITS, TARGETS, ignore_index=2)
    see("gradient for 2 × 3 tokens, ignore_index=3", f, LOGITS3, TARGETS3, ignore_index=3)
    see("gradient for logits [0 1000 3] and [-800 2 1], target 0", f, APART, FIRST)
    see("gradient for logits up to ±1e4 in float32", f, HUGE, torch.tensor([1, 2]), tol=1e-3)
    see("gradient where other classes are at -inf", f, BLOCKED, ALLOWED)
    for logits, targets, size in ((LOGITS, TARGETS, "4"), (LOGITS3, SOME, "2 × 3")):
        see(f"gradient for {size} tokens, with autograd switched off", without_autograd(f), logits,
            targets)
    see("gradient in float32", f, LOGITS.float(), TARGETS, tol=1e-6)
    see("logits of 2 × 3 tokens with targets of 2 × 4", f, LOGITS3, torch.ones(2, 4).long())


TABLE = wave(5, 3, by=1.1)
LOOKED_UP = torch.tensor([[4, 0, 2, 4], [1, 4, 0, 0]])
ROW_GRADS = wave(2, 4, 3, by=2.3)


@scenario("functional.embedding")
def embedding(f: Function, see: See) -> None:
    see("rows of a table [5, 3] for ids of shape [2, 4]", f, TABLE, LOOKED_UP)
    see("rows for ids of shape [3]", f, TABLE, torch.tensor([3, 3, 1]))
    see("rows for ids of shape [2, 1, 2]", f, TABLE, torch.tensor([[[0, 4]], [[2, 2]]]))
    see("rows of a table [3, 5]", f, TABLE.T.contiguous(), torch.tensor([2, 0]))
    see("rows in float32", f, TABLE.float(), LOOKED_UP, tol=1e-6)
    see("gradient to the table", gradient(f), TABLE, ROW_GRADS, LOOKED_UP)
    see("gradient to the table for one id", gradient(f), TABLE, ROW_GRADS[0, :1],
        torch.tensor([3]))


@scenario("functional.embedding_grad")
def embedding_grad(f: Function, see: See) -> None:
    see("gradient to a table [5, 3] for ids of shape [2, 4]", f, LOOKED_UP, ROW_GRADS, 5)
    see("gradient to a table [7, 3] for the same ids", f, LOOKED_UP, ROW_GRADS, 7)
    see("gradient for ids [2 2 0]", f, torch.tensor([2, 2, 0]), ROW_GRADS[0, :3], 4)
    see("gradient for ids [3 1 0], no two equal", f, torch.tensor([3, 1, 0]), ROW_GRADS[1, :3], 4)
    see("gradient for ids of shape [2, 2, 2]", f, LOOKED_UP.view(2, 2, 2),
        ROW_GRADS.view(2, 2, 2, 3), 5)
    see("gradient in float32", f, LOOKED_UP, ROW_GRADS.float(), 5, tol=1e-6)


@scenario("functional.perplexity")
def perplexity(f: Callable[[float], float], see: See) -> None:
    for loss in (0.0, 1.0, 2.5, 8.0, 0.3, 25.0, 30.0):
        see(f"perplexity at a loss of {loss:g} nats", f, loss, tol=2e-6)


@scenario("functional.bits_per_byte")
def bits_per_byte(f: Callable[[float, int, int], float], see: See) -> None:
    for case in ((2.0, 100, 100), (2.3, 500, 1500), (6.5, 40, 230), (0.9, 7, 3), (0.0, 5, 6)):
        what = "bits per byte: {:g} nats a token, {} tokens, {} bytes".format(*case)
        see(what, f, *case, tol=2e-6)
