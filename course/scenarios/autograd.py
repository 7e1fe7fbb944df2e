"""How `minillm.autograd` is tried."""

import importlib
import sys
from collections.abc import Callable, Iterable
from typing import Any

from . import See, scenario

Build = Callable[..., Any]
DEEP = 5_000


def shallow(function: Callable[..., Any]) -> Callable[..., Any]:
    """A recursion that ran out is told in the same words on every version of Python."""

    def call(*inputs: Any) -> Any:
        try:
            return function(*inputs)
        except RecursionError:
            raise RecursionError("maximum recursion depth exceeded") from None

    return call


# topological_order: graphs as rows of (number, its parents); the last is the root

Graph = list[tuple[float, tuple[int, ...]]]


def line(length: int) -> Graph:
    """A chain of equal numbers, each made from the one before."""
    return [(1.0, ()), *((1.0, (n,)) for n in range(length))]


DIAMOND: Graph = [(1.0, ()), (2.0, (0,)), (3.0, (0,)), (4.0, (1, 2))]
SHORT_CUT: Graph = [(1.0, ()), (2.0, (0,)), (3.0, (1,)), (4.0, (2,)), (5.0, (0, 3))]
SHORT_CUT_LAST: Graph = [(1.0, ()), (2.0, (0,)), (3.0, (1,)), (4.0, (2,)), (5.0, (3, 0))]
TWICE: Graph = [(1.0, ()), (2.0, (0, 0)), (3.0, (1, 1))]
TWINS: Graph = [(7.0, ()), (7.0, ()), (7.0, (0, 1)), (7.0, (2, 1))]
WOVEN: Graph = [(1.0, ()), (2.0, ()), (3.0, (0, 1)), (4.0, (0, 2)), (5.0, (1, 3)), (6.0, (2, 4)),
         (7.0, (5, 0, 3))]
WOVEN_BACK: Graph = [(n, tuple(reversed(parents))) for n, parents in WOVEN]
ALONE: Graph = [(1.0, ())]
DOUBLED: Graph = [(0.0, ()), *((n + 1.0, (n, n)) for n in range(12))]
GRAPHS: dict[str, Graph] = {
    "a single leaf": ALONE, "a diamond": DIAMOND, "a chain and a short cut": SHORT_CUT,
    "a short cut, the long way first": SHORT_CUT_LAST, "each parent used twice": TWICE,
    "equal numbers": TWINS, "a woven graph": WOVEN, "the woven graph, parents turned": WOVEN_BACK,
    "12 doublings": DOUBLED, "a chain of 300 operations": line(300),
}


def nodes(graph: Graph) -> list[Any]:
    made: list[Any] = []
    value = importlib.import_module("minillm.autograd").Value
    for number, parents in graph:
        made.append(value(number, tuple(made[p] for p in parents)))
    return made


def places(f: Callable[[Any], Iterable[Any]], made: list[Any]) -> list[int]:
    """The order as positions in the graph; -1 for a stranger."""
    known = {id(each): n for n, each in enumerate(made)}
    return [known.get(id(each), -1) for each in f(made[-1])]


def late_parents(f: Callable[[Any], Iterable[Any]], made: list[Any]) -> Any:
    """For each edge [edges, 2] the place of the parent and that of the child."""
    import numpy as np
    at = {n: place for place, n in enumerate(places(f, made))}
    edges = {(id(p), n) for n, child in enumerate(made) for p in child.parents}
    known = {id(each): n for n, each in enumerate(made)}
    return np.array(sorted([at[known[p]], at[n]] for p, n in edges))


def grads_afterwards(f: Callable[[Any], Iterable[Any]], graph: Graph) -> list[float]:
    """The grads 1, 2, … that the Values had before the order was asked for, as they are then."""
    made = nodes(graph)
    for n, each in enumerate(made):
        each.grad = n + 1.0
    list(f(made[-1]))
    return [float(each.grad) for each in made]


def calls_inside(f: Callable[[Any], Iterable[Any]], graph: Graph) -> float:
    """1 when calls inside one another grow with the graph, seen whenever `.parents` is read."""
    deepest = 0
    base: type[Any] = importlib.import_module("minillm.autograd").Value

    class Watched(base):  # type: ignore[misc]
        @property
        def parents(self) -> tuple[Any, ...]:
            nonlocal deepest
            frame, depth = sys._getframe(), 0
            while frame := frame.f_back:  # type: ignore[assignment]
                depth += 1
            deepest = max(deepest, depth)
            given: tuple[Any, ...] = self.given
            return given

        @parents.setter
        def parents(self, given: tuple[Any, ...]) -> None:
            self.given = given

    made: list[Any] = []
    for number, parents in graph:
        made.append(Watched(number, tuple(made[p] for p in parents)))
    made[0].parents  # noqa: B018
    start = deepest
    f(made[-1])
    return float(deepest - start > 100)


@scenario("autograd.topological_order")
def topological_order(f: Callable[[Any], Iterable[Any]], see: See) -> None:
    for name, graph in GRAPHS.items():
        made = nodes(graph)
        if len(made) < 10:
            see(f"{name}: which Values are in the order", lambda m: sorted(places(f, m)), made)
            see(f"{name}: place of the root, from 0", lambda m: places(f, m).index(len(m) - 1),
                made)
        else:
            see(f"{name}: how many Values are in the order", lambda m: len(places(f, m)), made)
        if len(made) > 1:
            see(f"{name}: does a parent stand after its child? (0: no, 1: yes)", late_parents, f,
                made, derive="a parent after its child")
    for name in ("a diamond", "equal numbers"):
        see(f"{name}: the grads 1, 2, 3, 4 of the Values, afterwards", grads_afterwards, f,
            GRAPHS[name])
    for length in (250, 300):
        see(f"a chain of {length} operations: is a function called from within itself? (0: no, 1: "
            "yes)", calls_inside, f, line(length))
    long = nodes(line(DEEP))
    see(f"a chain of {DEEP} operations: how many Values are in the order, place of the root",
        shallow(lambda: [len(order := places(f, long)), order.index(DEEP)]))


def trial(V: Any, build: Build, *numbers: float) -> list[float]:
    """The value of an expression, then its slope to each of its leaves."""
    leaves = [V(number) for number in numbers]
    result = build(*leaves)
    result.backward()
    return [float(result.data), *(float(leaf.grad) for leaf in leaves)]


OPERATIONS: dict[str, tuple[Build, tuple[tuple[float, ...], tuple[float, ...]]]] = {
    "a + b": (lambda a, b: a + b, ((2.0, -3.0), (0.5, 1.25))),
    "a · b": (lambda a, b: a * b, ((2.0, -3.0), (0.5, 1.25))),
    "a ** 3": (lambda a: a ** 3, ((2.0,), (-0.5,))),
    "a ** −2": (lambda a: a ** -2, ((2.0,), (-0.5,))),
    "a ** 0.5": (lambda a: a ** 0.5, ((4.0,), (0.3,))),
    "exp a": (lambda a: a.exp(), ((1.5,), (-0.7,))),
    "log a": (lambda a: a.log(), ((1.5,), (0.2,))),
    "tanh a": (lambda a: a.tanh(), ((0.9,), (-0.4,))),
    "relu a": (lambda a: a.relu(), ((2.5,), (0.3,))),
    "relu a, where it is off": (lambda a: a.relu(), ((-2.5,), (-0.3,))),
    "relu a at 0": (lambda a: a.relu(), ((0.0,), (-0.0,))),
    "−a": (lambda a: -a, ((2.0,), (-0.5,))),
    "a − b": (lambda a, b: a - b, ((2.0, -3.0), (0.5, 1.25))),
    "a / b": (lambda a, b: a / b, ((2.0, -3.0), (0.5, 1.25))),
    "5 + a": (lambda a: 5 + a, ((2.0,), (-0.5,))),
    "5 − a": (lambda a: 5 - a, ((2.0,), (-0.5,))),
    "a − 5": (lambda a: a - 5, ((2.0,), (-0.5,))),
    "3 · a": (lambda a: 3 * a, ((2.0,), (-0.5,))),
    "a · 3": (lambda a: a * 3, ((2.0,), (-0.5,))),
    "3 / a": (lambda a: 3 / a, ((2.0,), (-0.5,))),
    "a / 3": (lambda a: a / 3, ((2.0,), (-0.5,))),
}


def behind(build: Build) -> Build:
    """The same operation with 3 times its square behind it, so that a gradient of 1 is not all."""
    return lambda *leaves: build(*leaves) ** 2 * 3


def short_cut(x: Any) -> Any:
    """x is met again three operations later: it must wait for both ways."""
    a = x * 2
    b = (a * 3).tanh() * 5
    return (a + b) * x


def reused(x: Any, y: Any) -> Any:
    """A result that is used by two others, and twice by one of them."""
    s = x * y + 1
    t = s.exp()
    return s * s + t / s + t


def neuron(w: Any, x: Any, b: Any) -> Any:
    return ((w * x + b).tanh() - 0.5) ** 2 * 0.5


def softmax_loss(a: Any, b: Any, c: Any) -> Any:
    """−log p of the first of three scores."""
    return -(a.exp() / (a.exp() + b.exp() + c.exp())).log()


WHOLE: dict[str, tuple[Build, tuple[tuple[float, ...], tuple[float, ...]]]] = {
    "a · a + a": (lambda a: a * a + a, ((3.0,), (-1.5,))),
    "a + a": (lambda a: a + a, ((3.0,), (-1.5,))),
    "(2a + 5·tanh 6a) · a": (short_cut, ((0.1,), (-0.2,))),
    "s² + exp(s) / s + exp(s) with s = ab + 1": (reused, ((0.5, 0.8), (-0.4, 0.9))),
    "½ (tanh(wx + b) − ½)²": (neuron, ((0.5, -2.0, 0.3), (1.5, 0.4, -1.0))),
    "−log of the softmax of a among a, b, c": (softmax_loss, ((0.5, -1.0, 2.0), (2.0, 1.0, 0.0))),
}


def many_calls(V: Any, start: float) -> list[float]:
    """Leaf and intermediate after one call of backward, after two, and after one of another."""
    x = V(start)
    mid = x * x
    first, second = mid * 2, mid * 5 + x
    seen = []
    for result in (first, first, second):
        result.backward()
        seen += [float(x.grad), float(mid.grad)]
    return seen


def leaf_twice(V: Any, number: float) -> list[float]:
    """The grad of a leaf after backward of itself, once and twice."""
    x, seen = V(number), []
    for _ in range(2):
        x.backward()
        seen.append(float(x.grad))
    return seen


def chain(V: Any, start: float) -> list[float]:
    x = V(start)
    y = x
    for _ in range(DEEP // 2):
        y = y * 0.5 + x
    y.backward()
    return [float(y.data), float(x.grad)]


def parents(V: Any, numbers: Iterable[float]) -> list[float]:
    a, b = map(V, numbers)
    return [float(p) for made in (a * b, a + b) for p in sorted(p.data for p in made.parents)]


def tried(see: See, V: Any, name: str, build: Build, points: Iterable[tuple[float, ...]]) -> None:
    for numbers in points:
        at = ", ".join(f"{n:g}" for n in numbers)
        see(f"{name} at {at}: the value, then each slope", trial, V, build, *numbers)


@scenario("autograd.Value")
def value(V: Any, see: See) -> None:
    for name, (build, points) in OPERATIONS.items():
        tried(see, V, name, build, points)
    for name in ("a + b", "a · b", "a ** 3", "exp a", "log a", "tanh a", "relu a"):
        build, points = OPERATIONS[name]
        tried(see, V, f"3 ({name})²", behind(build), points)
    for name, (build, points) in WHOLE.items():
        tried(see, V, name, build, points)
    for start in (3.0, -0.5):
        see(f"x = {start:g}, backward of 2x², of 2x² again, of 5x² + x: x.grad and (x²).grad "
            "after each", many_calls, V, start)
    see(f"{DEEP} operations: the value, then the slope", shallow(chain), V, 1.0)
    for start in (3.0, -0.5):
        see(f"x = {start:g}, a leaf: x.grad after x.backward(), and after another", leaf_twice, V,
            start)
    for number in (-1.0, -0.5, 0.0, -0.0):
        see(f"log of {number:g}", lambda a: float(V(a).log().data), number)
    see("parents of a · b, then of a + b", parents, V, (2.0, -3.0))
    see("a new Value: data, number of parents", lambda: [float(V(2.5).data), len(V(2.5).parents)])
