"""Derivatives without deriving: numbers that remember how they were made.

Each operation records its parents and its slope to each of them; `backward` walks the record from
the result to the leaves. Sources: Linnainmaa (1970); as small as this, micrograd (Karpathy, 2020).
"""

import math


def topological_order(root: "Value") -> list["Value"]:
    """Give every Value that `root` is made from, and `root`, each once, parents before children.

    Works for a graph of any depth: nothing is called again from within itself. Which of several
    such orders comes out is left open. Source: Tarjan (1976).
    """
    ### BEGIN SOLUTION
    order: list[Value] = []
    done: set[Value] = set()
    stack = [root]
    while stack:
        waiting = [p for p in stack[-1].parents if p not in done]
        if waiting:  # the parents first; this one stays below them on the stack
            stack += waiting
        elif (v := stack.pop()) not in done:
            done.add(v)
            order.append(v)
    return order
    ### END SOLUTION


class Value:
    """A number with its history.

    `data` is the number; `parents` the Values it was made from (none: a leaf) and `op` how;
    `slopes` holds the derivative of `data` to each parent, in the same order. After `backward()`
    of some result, `grad` is the derivative of that result to this Value.
    """

    def __init__(
        self,
        data: float,
        parents: tuple["Value", ...] = (),
        op: str = "",
        slopes: tuple[float, ...] = (),
    ) -> None:
        self.data, self.grad = float(data), 0.0
        self.parents, self.op, self.slopes = tuple(parents), op, slopes

    def __repr__(self) -> str:
        return f"Value({self.data:.4g}, grad={self.grad:.4g})"

    def __add__(self, other: "Value | float") -> "Value":
        """Both slopes of a + b are 1."""
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))

    def __mul__(self, other: "Value | float") -> "Value":
        """a · b."""
        other = other if isinstance(other, Value) else Value(other)
        ### BEGIN SOLUTION
        return Value(self.data * other.data, (self, other), "×", (other.data, self.data))
        ### END SOLUTION

    def __pow__(self, n: float) -> "Value":
        """aⁿ, where n is a number and no Value. Raises TypeError for another exponent."""
        if not isinstance(n, int | float):
            raise TypeError(f"the exponent must be a number, not {type(n).__name__}")
        ### BEGIN SOLUTION
        slope = n * math.pow(self.data, n - 1) if n else 0.0
        return Value(math.pow(self.data, n), (self,), f"^{n:g}", (slope,))
        ### END SOLUTION

    def exp(self) -> "Value":
        """eᵃ."""
        ### BEGIN SOLUTION
        e = math.exp(self.data)
        return Value(e, (self,), "exp", (e,))
        ### END SOLUTION

    def log(self) -> "Value":
        """The natural logarithm of a. Raises ValueError where a is not above 0."""
        ### BEGIN SOLUTION
        return Value(math.log(self.data), (self,), "log", (1 / self.data,))
        ### END SOLUTION

    def tanh(self) -> "Value":
        """tanh a."""
        ### BEGIN SOLUTION
        t = math.tanh(self.data)
        return Value(t, (self,), "tanh", (1 - t * t,))
        ### END SOLUTION

    def relu(self) -> "Value":
        """max(a, 0); at 0 it counts as flat, as in torch."""
        ### BEGIN SOLUTION
        slope = 1.0 if self.data > 0 else 0.0
        return Value(max(self.data, 0.0), (self,), "relu", (slope,))
        ### END SOLUTION

    def backward(self) -> None:
        """Give every Value that this one is made from its `grad`: the derivative of this one.

        A leaf keeps the `grad` it had and adds to it; that of an intermediate starts anew.
        """
        ### BEGIN SOLUTION
        order = topological_order(self)
        for v in order:
            if v.parents:
                v.grad = 0.0
        self.grad += 1.0
        for v in reversed(order):
            for parent, slope in zip(v.parents, v.slopes, strict=True):
                parent.grad += slope * v.grad
        ### END SOLUTION

    # The rest is made of what stands above.

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> "Value":
        return self * -1.0

    def __sub__(self, other: "Value | float") -> "Value":
        return self + -other

    def __rsub__(self, other: float) -> "Value":
        return -self + other

    def __truediv__(self, other: "Value | float") -> "Value":
        return self * (other if isinstance(other, Value) else Value(other)) ** -1

    def __rtruediv__(self, other: float) -> "Value":
        return self**-1 * other
