"""How `minillm.autograd` is tried when a submission is graded."""

from collections.abc import Callable, Iterable
from typing import Any

from course.scenarios.autograd import (
    DEEP,
    Graph,
    chain,
    grads_afterwards,
    late_parents,
    leaf_twice,
    line,
    many_calls,
    nodes,
    places,
    shallow,
    tried,
)

from . import See, hidden

LADDER: Graph = [(1.0, ()), (1.0, ()), (2.0, (0, 1)), (2.0, (1, 0)), (3.0, (2, 3)), (3.0, (3, 2)),
                 (4.0, (4, 5, 0))]
LONG_WAY: Graph = [(1.0, ()), *((2.0, (n,)) for n in range(6)), (3.0, (6, 0, 3))]
LONG_WAY_LAST: Graph = [(n, parents[::-1]) for n, parents in LONG_WAY]
WIDE: Graph = [*((1.0, ()) for _ in range(5)), (2.0, (0, 1, 2, 3, 4)), (3.0, (4, 5, 5, 2))]


@hidden("autograd.topological_order")
def topological_order(f: Callable[[Any], Iterable[Any]], see: See) -> None:
    graphs = {"two at each height": LADDER, "a way round and a short one": LONG_WAY,
              "a short way and one round": LONG_WAY_LAST, "many parents": WIDE,
              "9 doublings": [(0.0, ()), *((1.0, (n, n)) for n in range(9))]}
    for name, graph in graphs.items():
        made = nodes(graph)
        see(f"{name}: how many Values", lambda m: len(places(f, m)), made)
        see(f"{name}: which Values", lambda m: sorted(set(places(f, m))), made)
        see(f"{name}: parents before children", late_parents, f, made,
            derive="a parent after its child")
    see("the grads of the Values, afterwards", grads_afterwards, f, LADDER)
    made = nodes(line(DEEP))
    see("thousands of operations in a row", shallow(lambda: len(places(f, made))))


def polynomial(a: Any, b: Any) -> Any:
    return (a - b) * (a + b) / (a * b + 2) - 3 * b ** 3


def net(x: Any, w: Any, u: Any, b: Any) -> Any:
    """Two hidden units that share an input, then a squared error."""
    h, g = (w * x + b).relu(), (u * x - b).tanh()
    return 0.5 * (h * 2 - g / 3 - 1) ** 2


def layers(a: Any) -> Any:
    """Every layer uses the one before and the first."""
    x = a
    for _ in range(6):
        x = (x * 0.7 + a).tanh() * x + 1
    return x


def entropy(a: Any, b: Any) -> Any:
    p = 1 / (1 + (b - a).exp())
    return -(p * p.log() + (1 - p) * (1 - p).log())


@hidden("autograd.Value")
def value(V: Any, see: See) -> None:
    tried(see, V, "a fraction", polynomial, [(1.2, 0.7), (-0.3, 2.0)])
    tried(see, V, "a small network", net, [(0.5, 1.5, -1.0, 0.2), (-1.0, 0.8, 0.3, -0.6)])
    tried(see, V, "six layers", layers, [(0.4,), (-0.9,)])
    tried(see, V, "an entropy", entropy, [(0.3, 1.1), (2.0, -0.5)])
    tried(see, V, "powers", lambda a: a ** 2 + a ** -1 + a ** 1.5 + a ** 1 + a ** 0, [(1.7,)])
    tried(see, V, "numbers on the left", lambda a: 2 - 3 / a + 4 * a, [(1.6,), (-0.8,)])
    tried(see, V, "relu at 0", lambda a: (a * 2).relu() + a, [(0.0,)])
    tried(see, V, "20 doublings", lambda a: sum_of_doublings(a), [(0.5,)])
    tried(see, V, "exp of a large number", lambda a: a.exp(), [(25.0,), (-25.0,)])
    tried(see, V, "log of a small number", lambda a: a.log(), [(1e-9,)])
    see("several calls of backward", many_calls, V, 1.5)
    see("two calls of backward of a leaf", leaf_twice, V, 1.5)
    see("thousands of operations in a row", shallow(chain), V, 0.5)


def sum_of_doublings(a: Any) -> Any:
    for _ in range(20):
        a = a + a
    return a
