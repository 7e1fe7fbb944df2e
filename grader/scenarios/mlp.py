"""How the functions of `minillm.mlp` are tried when a submission is graded."""

import numpy as np

from course.scenarios.mlp import (
    PARTS,
    WEIGHTS,
    Array,
    Function,
    gradients_of,
    network,
    partner,
    quotient_of,
    single,
    step_of,
    wave,
    yhat_of,
)

from . import See, hidden

NET, X, Y = network(4, 5, 3, by=2.9), wave(7, 4, by=1.9), wave(7, 3, by=2.7)
WIDE, XW, YW = network(2, 9, 1, by=0.7), wave(3, 2, by=2.1), wave(3, 1, by=1.2)
NARROW, XN, YN = network(5, 1, 2, by=3.3), wave(4, 5, by=0.6), wave(4, 2, by=1.6)
SQUARE, XS, YS = network(3, 3, 3, by=1.3), wave(3, 3, by=2.4), wave(3, 3, by=0.5)
WHOLE = [np.array([[1.0, 1], [2, -1], [0, 3]]), np.array([-1.0, 0, -3]),
         np.array([[2.0, -3, 1]]), np.array([0.5])]
CORNERS, TARGETS = np.array([[0.0, 1], [1, 2], [3, -2], [0, 0]]), np.array([[1.0], [0], [-2], [3]])


@hidden("mlp.numerical_gradient")
def numerical_gradient(f: Function, see: See) -> None:
    at = quotient_of(f)
    see("a quotient with a large eps", at(lambda a: (a ** 4).sum()), wave(3, 2, by=1.1), eps=0.3)
    see("a function that mixes its entries", at(lambda a: np.cos(a.T @ a).sum()),
        wave(2, 4, by=0.9, height=0.7), eps=0.2)
    see("a function that gives an array of one number", at(lambda a: np.array(np.prod(a))),
        wave(5, by=1.4), eps=0.25)
    see("an array stored column by column", at(lambda a: np.prod(a + 2, -1) @ np.arange(1.0, 4)),
        np.asfortranarray(wave(3, 4, by=0.8)), eps=0.25)
    see("the eps that is used when none is given", at(lambda a: np.abs(a).sum()),
        np.array([[3e-7, -5e-7, 9e-7]]), tol=1e-6)
    see("the derivative of a smooth function", at(lambda a: np.log(a).sum()),
        np.array([0.5, 2.0, 4.0]), tol=1e-7)


@hidden("mlp.linear_backward")
def linear_backward(f: Function, see: See) -> None:
    def grads(what: str, x: Array, W: Array, grad: Array, tol: float = 1e-9) -> None:
        see(what, f, x, W, grad, parts=("dx", "dW", "db"), tol=tol)

    grads("many rows", wave(7, 2), wave(3, 2, by=2.1), wave(7, 3, by=0.7))
    grads("batch and time", wave(3, 2, 5), wave(4, 5, by=2.1), wave(3, 2, 4, by=0.7))
    grads("three leading dimensions", wave(2, 3, 2, 3), wave(1, 3, by=2.1),
          wave(2, 3, 2, 1, by=0.7))
    grads("all sizes equal", wave(3, 3, 3), wave(3, 3, by=2.1), wave(3, 3, 3, by=0.7))
    grads("one input, one output", wave(4, 1), wave(1, 1), wave(4, 1, by=0.7))
    x, W, grad = single([wave(3, 2, 5), wave(4, 5, by=2.1), wave(3, 2, 4, by=0.7)])
    grads("batch and time in float32", x, W, grad, tol=1e-5)


@hidden("mlp.forward")
def forward(f: Function, see: See) -> None:
    yhat = yhat_of(f)
    see("another network", yhat, *NET, X)
    see("a wide hidden layer", yhat, *WIDE, XW)
    see("one hidden unit", yhat, *NARROW, XN)
    see("all sizes equal", yhat, *SQUARE, XS)
    see("z1 exactly 0", yhat, *WHOLE, CORNERS)
    see("a single row", yhat, *NET, X[4:5])
    see("float32", yhat, *single([*NET, X]), tol=1e-5)


@hidden("mlp.loss")
def loss(f: Function, see: See) -> None:
    a, b = wave(4, 3, by=1.9), wave(4, 3, by=0.3)
    see("many numbers", f, a, b)
    see("one row", f, a[:1], b[:1])
    see("one output", f, a[:, :1], b[:, :1])
    see("large differences", f, 1e3 * a, b)
    see("no difference", f, b, b)


@hidden("mlp.backward")
def backward(f: Function, see: See) -> None:
    gradients = gradients_of(f)

    def grads(what: str, *arrays: Array, tol: float = 1e-9) -> None:
        see(what, gradients, *arrays, parts=PARTS, tol=tol)

    see("what your own forward gives", yhat_of(partner(f)), *NET, X)
    grads("another network", *NET, X, Y)
    grads("a wide hidden layer", *WIDE, XW, YW)
    grads("one hidden unit", *NARROW, XN, YN)
    grads("all sizes equal", *SQUARE, XS, YS)
    grads("z1 exactly 0", *WHOLE, CORNERS, TARGETS)
    grads("a single row", *NET, X[4:5], Y[4:5])
    grads("float32", *single([*NET, X, Y]), tol=1e-5)


@hidden("mlp.sgd_step")
def sgd_step(f: Function, see: See) -> None:
    step, grads = step_of(f), network(4, 5, 3, by=0.5)
    see("a small step", step, *NET, *grads, parts=WEIGHTS, lr=0.03)
    see("a negative rate", step, *NET, *grads, parts=WEIGHTS, lr=-1.5)
    see("float32", step, *single([*NET, *grads]), parts=WEIGHTS, lr=0.25, tol=1e-6)
