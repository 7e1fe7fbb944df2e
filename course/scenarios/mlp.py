"""How the functions of `minillm.mlp` are tried. Arrays go in one by one, so that a change shows."""

import copy
import importlib
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import See, scenario

Array = npt.NDArray[Any]
Function = Callable[..., Any]
WEIGHTS = ("W1", "b1", "W2", "b2")


def wave(*shape: int, by: float = 1.7, height: float = 2.0) -> Array:
    """Numbers without a pattern that a mistake could share, the same on every machine."""
    count = int(np.prod(shape))
    numbers: Array = height * np.sin(by * np.arange(1, count + 1))
    return numbers.reshape(shape)


def params(*weights: Array) -> Any:
    return importlib.import_module("minillm.mlp").MLPParams(*weights)


def weights_of(given: Any) -> dict[str, Array]:
    return {name: getattr(given, name) for name in WEIGHTS}


def pair(result: Any, what: str) -> Any:
    """Two results; one array of two rows would unpack as well."""
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise TypeError(f"{what} are asked for, and one {type(result).__name__} came")
    return result


def untouched(given: Any, arrays: Sequence[Array]) -> None:
    """Raises TypeError when params hold other arrays than those they were made from."""
    if any(now is not old for now, old in zip(weights_of(given).values(), arrays[:4],
                                              strict=True)):
        raise TypeError("the params that were given hold other arrays afterwards")


def partner(f: Function) -> Function:
    """The `forward` that was written beside this `backward`: the cache is known to them alone."""
    beside = getattr(inspect.unwrap(f), "__globals__", {}).get("forward")
    forward: Function = beside or importlib.import_module("minillm.mlp").forward
    return forward


def network(i: int, h: int, o: int, by: float = 1.7) -> list[Array]:
    """Weights and biases of a net; of each hidden unit some rows are on and some are off."""
    return [wave(h, i, by=by), wave(h, by=by + 0.4, height=1.0), wave(o, h, by=by + 0.9),
            wave(o, by=by + 0.2)]


def single(arrays: list[Array]) -> list[Array]:
    return [a.astype(np.float32) for a in arrays]


NET, X, Y = network(3, 4, 2), wave(5, 3, by=2.3), wave(5, 2, by=3.1)
ONE_OUT, X6, Y6 = network(2, 3, 1, by=2.6), wave(6, 2, by=1.3), wave(6, 1, by=0.9)
OFF = [NET[0], NET[1] - 50, NET[2], NET[3]]  # no unit is ever on
LINEAR = [NET[0], NET[1] + 50, NET[2], NET[3]]  # every unit is always on
WHOLE = [np.array([[1.0, -1], [2, 3], [-1, 1]]), np.array([1.0, 1, 0]),
         np.array([[-1.0, 2, -3], [2, 1, -1]]), np.array([1.0, -2])]
AT_ZERO = np.array([[0.0, 1], [2, 2], [1, 1], [-0.5, -0.5]])  # z1 is exactly 0 here and there
Y_ZERO = np.array([[4.0, 1], [0, -3], [2, 5], [-1, 0.5]])


# numerical_gradient: with a large eps the quotient itself, and not the derivative, is compared

SQUARE_SUM = wave(2, 3)
LEFT, RIGHT = wave(4, 2, by=0.8), wave(3, 5, by=1.1)


def cubes(a: Array) -> float:
    return float((a ** 3).sum())


def mixed(a: Array) -> float:
    """Each entry's slope depends on all others, and on the shape."""
    return float(np.tanh(LEFT @ a @ RIGHT / 4).sum() + np.prod(a))


def quotient_of(f: Function) -> Callable[[Callable[[Array], Any]], Function]:
    return lambda function: lambda a, **keywords: f(function, a, **keywords)


def dtypes_given(f: Function) -> Function:
    """The dtypes in which the function is called: a step of float64 hides float32's rounding."""
    def dtypes(a: Array) -> str:
        given = set[str]()

        def function(moved: Array) -> float:
            given.add(str(moved.dtype))
            return float(moved.sum())

        f(function, a)
        return ", ".join(sorted(given))

    return dtypes


@scenario("mlp.numerical_gradient")
def numerical_gradient(f: Function, see: See) -> None:
    at = quotient_of(f)
    see("central difference of Σ a³, eps = 0.1, shape [2, 3]", at(cubes), SQUARE_SUM, eps=0.1)
    see("central difference of Σ a³, eps = 0.5, shape [4]", at(cubes), wave(4, by=2.2), eps=0.5)
    see("central difference of Σ tanh(A a B) + Π a, eps = 0.25", at(mixed), SQUARE_SUM, eps=0.25)
    see("the same at another point", at(mixed), wave(2, 3, by=0.6), eps=0.25)
    see("the same, stored column by column", at(mixed), np.asfortranarray(wave(2, 3, by=0.6)),
        eps=0.25)
    see("central difference of Σ a³, eps = 0.1, stored column by column", at(cubes),
        np.asfortranarray(SQUARE_SUM), eps=0.1)
    see("central difference of Σ a³, eps = 0.5, shape [2, 1, 3]", at(cubes), wave(2, 1, 3),
        eps=0.5)
    single32 = SQUARE_SUM.astype(np.float32)
    see("central difference of Σ a³, eps = 0.5, in float32", at(cubes), single32, eps=0.5, tol=1e-5)
    see("central difference of Σ tanh(A a B) + Π a, eps = 0.5, in float32", at(mixed),
        single32[:, ::-1], eps=0.5, tol=1e-5)
    see("what f is given for an array of float32", dtypes_given(f), single32)
    see("gradient of Σ exp(a), eps not given", at(lambda a: np.exp(a).sum()), SQUARE_SUM, tol=1e-7)
    see("gradient of |a| at 4e-7 and at −7e-7, eps not given", at(lambda a: np.abs(a).sum()),
        np.array([4e-7, -7e-7]), tol=1e-6)


@scenario("mlp.linear_backward")
def linear_backward(f: Function, see: See) -> None:
    def grads(what: str, x: Array, W: Array, grad: Array, tol: float = 1e-9) -> None:
        see(what, f, x, W, grad, parts=("dx", "dW", "db"), tol=tol)

    x, W, grad = wave(5, 3), wave(2, 3, by=2.1), wave(5, 2, by=0.7)
    grads("5 rows", x, W, grad)
    grads("1 row", x[:1], W, grad[:1])
    grads("x of shape [2, 3, 4], W of [5, 4]", wave(2, 3, 4), wave(5, 4, by=2.1),
          wave(2, 3, 5, by=0.7))
    grads("x of shape [2, 1, 3, 2], W of [4, 2]", wave(2, 1, 3, 2), wave(4, 2, by=2.1),
          wave(2, 1, 3, 4, by=0.7))
    grads("x without leading dimensions, [3]", x[1], W, grad[1])
    grads("x and grad stored column by column", np.asfortranarray(x), W, np.asfortranarray(grad))
    x32, W32, grad32 = single([x, W, grad])
    grads("float32", x32, W32, grad32, tol=1e-6)


def yhat_of(forward: Function) -> Function:
    """ŷ from weights, biases and x."""
    def yhat(*arrays: Array) -> Any:
        given = params(*arrays[:4])
        result = pair(forward(given, arrays[4]), "ŷ and a cache")[0]
        untouched(given, arrays)
        return result

    return yhat


@scenario("mlp.forward")
def forward(f: Function, see: See) -> None:
    yhat = yhat_of(f)
    see("ŷ of 5 rows", yhat, *NET, X)
    see("ŷ of 1 row", yhat, *NET, X[2:3])
    see("ŷ of 6 rows, one output", yhat, *ONE_OUT, X6)
    see("ŷ of 6 rows, all biases 0", yhat, ONE_OUT[0], 0 * ONE_OUT[1], ONE_OUT[2], 0 * ONE_OUT[3],
        X6)
    see("ŷ where no hidden unit is on", yhat, *OFF, X)
    see("ŷ where every hidden unit is on", yhat, *LINEAR, X)
    see("ŷ of whole numbers", yhat, *WHOLE, AT_ZERO)
    see("ŷ of x stored column by column", yhat, *NET, np.asfortranarray(X))
    see("ŷ in float32", yhat, *single([*NET, X]), tol=1e-6)
    see("ŷ of 1 row in float32", yhat, *single([*NET, X[2:3]]), tol=1e-6)
    see("x of 4 inputs where W1 takes 3", yhat, *NET, wave(5, 4))


@scenario("mlp.loss")
def loss(f: Function, see: See) -> None:
    a, b = wave(3, 2), wave(3, 2, by=0.4)
    see("loss of 3 rows, 2 outputs", f, a, b)
    see("loss of 2 rows, 3 outputs", f, 2 * a.reshape(2, 3), b.reshape(2, 3))
    see("loss of 5 rows, 1 output", f, Y[:, :1], wave(5, 1))
    see("loss of 1 row, 1 output", f, a[:1, :1], b[:1, :1])
    see("loss where ŷ is y", f, a, a)
    see("loss with ŷ and y exchanged", f, b, a)
    see("loss in float32", f, *single([a, b]), tol=1e-6)


def gradients_of(f: Function) -> Function:
    """All gradients from weights, biases, x and y; the cache comes from its own `forward`."""
    forward = partner(f)

    def gradients(*arrays: Array) -> dict[str, Array]:
        net, (x, y) = params(*arrays[:4]), arrays[4:]
        yhat, cache = pair(forward(net, x), "ŷ and a cache")
        forward(net, x[::-1] + 1)  # another batch, whose cache is another

        def once() -> dict[str, Array]:
            grads, dx = pair(f(net, cache, y), "gradients and dx")
            return {**{f"d{name}": each for name, each in weights_of(grads).items()}, "dx": dx}

        before, first = np.array(yhat), copy.deepcopy(once())
        untouched(net, arrays)
        if not np.array_equal(yhat, before, equal_nan=True):
            raise TypeError("the ŷ that forward gave holds other numbers afterwards")
        second = once()
        if not all(np.array_equal(first[name], second[name], equal_nan=True) for name in first):
            raise TypeError("a second call with the same cache gives other gradients")
        return first

    return gradients


PARTS = ("dW1", "db1", "dW2", "db2", "dx")


@scenario("mlp.backward")
def backward(f: Function, see: See) -> None:
    gradients = gradients_of(f)

    def grads(what: str, *arrays: Array, tol: float = 1e-9) -> None:
        see(what, gradients, *arrays, parts=PARTS, tol=tol)

    see("ŷ of your forward, which backward starts from", yhat_of(partner(f)), *NET, X)
    grads("5 rows", *NET, X, Y)
    grads("1 row", *NET, X[2:3], Y[2:3])
    grads("6 rows, one output", *ONE_OUT, X6, Y6)
    grads("some z1 exactly 0", *WHOLE, AT_ZERO, Y_ZERO)
    grads("no hidden unit on", *OFF, X, Y)
    grads("every hidden unit on", *LINEAR, X, Y)
    grads("float32", *single([*NET, X, Y]), tol=1e-5)
    see("y of 3 outputs where ŷ has 2: dx", lambda *a: gradients(*a)["dx"], *NET, X, wave(5, 3))


def step_of(f: Function) -> Function:
    """New weights and biases from old ones and their gradients."""
    def step(*arrays: Array, lr: float) -> dict[str, Array]:
        given = params(*arrays[:4])
        new = weights_of(f(given, params(*arrays[4:]), lr))
        untouched(given, arrays)
        return new

    return step


GRADS = network(3, 4, 2, by=0.8)


@scenario("mlp.sgd_step")
def sgd_step(f: Function, see: See) -> None:
    step = step_of(f)
    see("after a step with lr = 0.1", step, *NET, *GRADS, parts=WEIGHTS, lr=0.1)
    see("after a step with lr = 2", step, *NET, *GRADS, parts=WEIGHTS, lr=2.0)
    see("after a step with lr = 0", step, *NET, *GRADS, parts=WEIGHTS, lr=0.0)
    see("after a step in float32", step, *single([*NET, *GRADS]), parts=WEIGHTS, lr=0.5, tol=1e-6)
