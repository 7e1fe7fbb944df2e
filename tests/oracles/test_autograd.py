"""The reference of `minillm.autograd` against torch, sympy, finite differences and graphlib."""

import graphlib
import math
import random
from collections.abc import Callable
from typing import Any

import pytest
import sympy
import torch

MODULES = {"A": "minillm.autograd", "S": "steps.autograd"}


def both(V: Any, build: Callable[..., Any], *numbers: float) -> tuple[list[float], list[float]]:
    """Value and slopes: ours, and those that torch finds for the same program."""
    leaves = [V(n) for n in numbers]
    result = build(*leaves)
    result.backward()
    tensors = [torch.tensor(n, dtype=torch.float64, requires_grad=True) for n in numbers]
    theirs = build(*tensors)
    grads = torch.autograd.grad(theirs, tensors)
    return [result.data, *(v.grad for v in leaves)], [theirs.item(), *(g.item() for g in grads)]


PROGRAMS: dict[str, Callable[..., Any]] = {
    "sum": lambda a, b: a + b + 3 + a, "difference": lambda a, b: a - b - 2 - (1 - a),
    "product": lambda a, b: 2 * a * b * a, "quotient": lambda a, b: a / b + 2 / a - b / 4,
    "powers": lambda a, b: a**3 + b**-2 + a**0.5 + b**0 + a**1, "minus": lambda a, b: -a * -b,
    "functions": lambda a, b: (a * b).exp() + a.log() * b.tanh() + (a - b).relu(),
    "shared": lambda a, b: (a * b + a) * (a * b + a) + (a * b + a).tanh(),
    "softmax": lambda a, b: (a.exp() / (a.exp() + b.exp())).log(),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("numbers", [(1.3, 0.4), (0.2, 2.7), (2.0, 2.0)])
def test_every_operation_is_torchs(ref: Any, name: str, numbers: Any) -> None:
    ours, theirs = both(ref.A.Value, PROGRAMS[name], *numbers)
    assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_are_torchs(ref: Any, seed: int) -> None:
    """Forty operations drawn at random, each on any of the results before it."""
    def build(*leaves: Any) -> Any:
        draw = random.Random(seed)
        made = list(leaves)
        for _ in range(40):
            a, b = draw.choice(made), draw.choice(made)
            made.append(draw.choice([
                lambda a, b: a + b, lambda a, b: (a * b).tanh(), lambda a, b: (a - b) * 0.5,
                lambda a, b: (a * 0.1).exp() + b, lambda a, b: a.relu() - b.tanh(),
                lambda a, b: (a**2 + 1).log() / (b**2 + 2)])(a, b))
        return made[-1] + made[-2] * made[-3]

    ours, theirs = both(ref.A.Value, lambda *v: build(*v) + sum(v), 0.7, -1.2, 0.3)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_slopes_are_finite_differences(ref: Any) -> None:
    def f(a: Any, b: Any) -> Any:
        return ((a * b).tanh() + a / b).exp() * (b + 3).log()

    V = ref.A.Value
    a, b = V(0.6), V(-1.4)
    f(a, b).backward()
    for v, shift in ((a, (1e-6, 0)), (b, (0, 1e-6))):
        ends = [f(V(0.6 + s * shift[0]), V(-1.4 + s * shift[1])).data for s in (1, -1)]
        assert v.grad == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-8)


def test_relu_is_flat_at_zero(ref: Any) -> None:
    ours, theirs = both(ref.A.Value, lambda a: (a * 2).relu() + a, 0.0)
    assert ours == theirs


def test_leaves_accumulate_and_intermediates_start_anew(ref: Any) -> None:
    w = ref.A.Value(1.0)
    (w * 2).backward()
    (w * 3).backward()
    tensor = torch.tensor(1.0, requires_grad=True)
    (tensor * 2).backward()
    (tensor * 3).backward()
    assert tensor.grad is not None and w.grad == tensor.grad.item() == ref.S.two_calls
    x = ref.A.Value(3.0)
    mid = x * x
    out = mid * 2
    for calls in (1, 2, 3):
        out.backward()
        assert (x.grad, mid.grad, out.grad) == (12 * calls, 2, 1)
    leaf = ref.A.Value(2.0)
    leaf.backward()
    leaf.backward()
    assert leaf.grad == 2


def test_a_chain_of_ten_thousand(ref: Any) -> None:
    x = ref.A.Value(1.0)
    y = x
    for _ in range(10_000):
        y = y + x
    y.backward()
    assert (y.data, x.grad) == (10_001, 10_001)


@pytest.mark.parametrize("seed", range(20))
def test_order_of_random_graphs(ref: Any, seed: int) -> None:
    draw = random.Random(seed)
    nodes = [ref.A.Value(0.0)]
    for _ in range(60):
        nodes.append(ref.A.Value(0.0, tuple(draw.choices(nodes[-8:], k=draw.randint(1, 3)))))
    order = ref.A.topological_order(nodes[-1])
    reached, todo = set(), [nodes[-1]]
    while todo:
        v = todo.pop()
        if v not in reached:
            reached.add(v)
            todo += v.parents
    theirs = list(graphlib.TopologicalSorter({v: v.parents for v in reached}).static_order())
    assert len(order) == len(theirs) and set(order) == set(theirs) and order[-1] is nodes[-1]
    at = {v: n for n, v in enumerate(order)}
    assert all(at[p] < at[v] for v in order for p in v.parents)


def test_what_cannot_be_meant_is_refused(ref: Any) -> None:
    V = ref.A.Value
    with pytest.raises(TypeError, match="Value"):
        V(2.0) ** V(3.0)
    for wrong in (lambda: V(-1.0).log(), lambda: V(0.0).log(), lambda: V(-8.0) ** 0.5,
                  lambda: V(1.0) / 0, lambda: V("a")):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(OverflowError):
        V(1000.0).exp()
    with pytest.raises(ValueError):  # parents without slopes: no silent 0
        V(1.0, (V(2.0),), "mine").backward()


def test_steps(ref: Any) -> None:
    a, n, t = sympy.symbols("a n t", positive=True)
    found = sympy.diff(a**n, a)
    for at in ({a: 2.0, n: 3.0}, {a: 0.3, n: -1.5}):
        assert float(found.subs(at)) == pytest.approx(ref.S.power_slope(at[a], at[n]))
    assert sympy.simplify(sympy.diff(sympy.tanh(a), a) - ref.S.tanh_slope(sympy.tanh(a))) == 0
    x = sympy.Symbol("x")
    assert sympy.diff(x * x + x, x).subs(x, 3) == ref.S.used_twice
    assert ref.S.tanh_slope(math.tanh(0.5)) == pytest.approx(1 / math.cosh(0.5) ** 2)
