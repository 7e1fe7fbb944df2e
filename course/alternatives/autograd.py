"""Right answers to `minillm.autograd` in other styles."""

import math
from typing import Any

from . import alternative, alternative_edit

ORDER, VALUE = "autograd.topological_order", "autograd.Value"


@alternative(ORDER)
def counting_children(root: "Any") -> "Any":
    """A Value is given once all its children have been; turned around at the end."""
    from collections import Counter
    met, todo = {root}, [root]
    children: Counter[Any] = Counter()
    for v in todo:
        for p in v.parents:
            children[p] += 1
            if p not in met:
                met.add(p)
                todo.append(p)
    order, ready = [], [root]
    while ready:
        v = ready.pop()
        order.append(v)
        for p in v.parents:
            children[p] -= 1
            if not children[p]:
                ready.append(p)
    return order[::-1]


@alternative(ORDER)
def two_visits(root: "Any") -> "Any":
    order, done, stack = [], set(), [(root, False)]
    while stack:
        v, parents_done = stack.pop()
        if parents_done:
            order.append(v)
        elif id(v) not in done:
            done.add(id(v))
            stack.append((v, True))
            stack.extend((p, False) for p in v.parents)
    return order


@alternative(ORDER)
def iterators(root: "Any") -> "Any":
    order, done, stack = [], {root}, [(root, iter(root.parents))]
    while stack:
        v, rest = stack[-1]
        for p in rest:
            if p not in done:
                done.add(p)
                stack.append((p, iter(p.parents)))
                break
        else:
            stack.pop()
            order.append(v)
    return tuple(order)


@alternative(ORDER)
def generator(root: "Any") -> "Any":
    done: dict[Any, None] = {}
    stack = [root]
    while stack:
        missing = next((p for p in stack[-1].parents if p not in done), None)
        if missing is not None:
            stack.append(missing)
            continue
        v = stack.pop()
        if v not in done:
            done[v] = None
            yield v


@alternative(VALUE)
class closures:
    """Each operation keeps a function that hands its gradient on."""

    def __init__(self, data: "Any", parents: "Any" = (), op: str = "") -> None:
        self.data, self.grad, self.parents, self.op = data, 0, parents, op
        self.hand_on: Any = lambda: None

    def _other(self, other: "Any") -> "Any":
        return other if isinstance(other, type(self)) else type(self)(other)

    def __add__(self, other: "Any") -> "Any":
        other = self._other(other)
        out = type(self)(self.data + other.data, (self, other), "+")

        def hand_on() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out.hand_on = hand_on
        return out

    def __mul__(self, other: "Any") -> "Any":
        other = self._other(other)
        out = type(self)(self.data * other.data, (self, other), "*")

        def hand_on() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.hand_on = hand_on
        return out

    def _unary(self, data: "Any", slope: "Any", op: str) -> "Any":
        out = type(self)(data, (self,), op)

        def hand_on() -> None:
            self.grad += slope * out.grad

        out.hand_on = hand_on
        return out

    def __pow__(self, n: "Any") -> "Any":
        return self._unary(self.data**n, n * self.data ** (n - 1), "**")

    def exp(self) -> "Any":
        return self._unary(math.exp(self.data), math.exp(self.data), "exp")

    def log(self) -> "Any":
        return self._unary(math.log(self.data), self.data**-1, "log")

    def tanh(self) -> "Any":
        e = math.exp(2 * self.data)
        return self._unary((e - 1) / (e + 1), 4 * e / (e + 1) ** 2, "tanh")

    def relu(self) -> "Any":
        return self._unary(self.data if self.data > 0 else 0, int(self.data > 0), "relu")

    def backward(self) -> None:
        met, todo, order = {self}, [(self, 0)], []
        while todo:
            v, at = todo.pop()
            if at == len(v.parents):
                order.append(v)
                continue
            todo.append((v, at + 1))
            if v.parents[at] not in met:
                met.add(v.parents[at])
                todo.append((v.parents[at], 0))
        for v in order:
            if v.parents:
                v.grad = 0
        self.grad = self.grad + 1 if not self.parents else 1
        for v in reversed(order):
            v.hand_on()

    def __radd__(self, other: "Any") -> "Any":
        return self + other

    def __rmul__(self, other: "Any") -> "Any":
        return self * other

    def __neg__(self) -> "Any":
        return self._unary(-self.data, -1, "neg")

    def __sub__(self, other: "Any") -> "Any":
        return self + (-self._other(other))

    def __rsub__(self, other: "Any") -> "Any":
        return self._other(other) - self

    def __truediv__(self, other: "Any") -> "Any":
        return self * self._other(other) ** -1

    def __rtruediv__(self, other: "Any") -> "Any":
        return self._other(other) / self


@alternative(VALUE)
class counted:
    """As torch's engine does it: a Value is ready when all its children have handed on."""

    def __init__(self, data: "Any", parents: "Any" = (), op: str = "", slopes: "Any" = ()) -> None:
        import numpy as np
        self.data, self.grad, self.op = np.float64(data), 0.0, op
        self.parents, self.slopes = list(parents), list(slopes)

    def __add__(self, other: "Any") -> "Any":
        make = type(self)
        other = other if isinstance(other, make) else make(other)
        return make(self.data + other.data, [self, other], "+", [1, 1])

    def __mul__(self, other: "Any") -> "Any":
        make = type(self)
        other = other if isinstance(other, make) else make(other)
        return make(self.data * other.data, [self, other], "*", [other.data, self.data])

    def __truediv__(self, other: "Any") -> "Any":
        make = type(self)
        other = other if isinstance(other, make) else make(other)
        q = self.data / other.data
        return make(q, [self, other], "/", [1 / other.data, -q / other.data])

    def __sub__(self, other: "Any") -> "Any":
        make = type(self)
        other = other if isinstance(other, make) else make(other)
        return make(self.data - other.data, [self, other], "-", [1, -1])

    def __pow__(self, n: "Any") -> "Any":
        data = self.data
        return type(self)(data**n, [self], "**", [n * data ** (n - 1)])

    def exp(self) -> "Any":
        import numpy as np
        return type(self)(np.exp(self.data), [self], "exp", [np.exp(self.data)])

    def log(self) -> "Any":
        if self.data <= 0:
            raise ValueError("log of a number that is not above 0")
        import numpy as np
        return type(self)(np.log(self.data), [self], "log", [1 / self.data])

    def tanh(self) -> "Any":
        import numpy as np
        return type(self)(np.tanh(self.data), [self], "tanh", [np.cosh(self.data) ** -2])

    def relu(self) -> "Any":
        import numpy as np
        return type(self)(np.maximum(self.data, 0), [self], "relu", [np.heaviside(self.data, 0)])

    def __neg__(self) -> "Any":
        return 0 - self

    def __radd__(self, other: "Any") -> "Any":
        return type(self)(other) + self

    def __rmul__(self, other: "Any") -> "Any":
        return type(self)(other) * self

    def __rsub__(self, other: "Any") -> "Any":
        return type(self)(other) - self

    def __rtruediv__(self, other: "Any") -> "Any":
        return type(self)(other) / self

    def backward(self) -> None:
        from collections import Counter, deque
        waits_for: Counter[Any] = Counter()
        met, todo = {self}, [self]
        for v in todo:
            for p in v.parents:
                waits_for[p] += 1
                if p not in met:
                    met.add(p)
                    todo.append(p)
        coming = dict.fromkeys(met, 0.0)
        coming[self] = 1.0
        ready = deque([self])
        while ready:
            v = ready.popleft()
            v.grad = coming[v] + (0 if v.parents else v.grad)
            for p, slope in zip(v.parents, v.slopes, strict=True):
                coming[p] += slope * coming[v]
                waits_for[p] -= 1
                if not waits_for[p]:
                    ready.append(p)


alternative_edit(VALUE, "start_from_scratch", """for v in order:
            if v.parents:
                v.grad = 0.0
        self.grad += 1.0""", """for v in order:
            v.grad *= not v.parents
        self.grad = self.grad + 1""")
alternative_edit(VALUE, "tanh_by_exp", "t = math.tanh(self.data)",
                 "e = math.exp(-2 * self.data)\n        t = (1 - e) / (1 + e)")
alternative_edit(VALUE, "relu_by_branch", "max(self.data, 0.0)",
                 "self.data if self.data > 0 else 0.0")
