"""Right answers to `minillm.mlp` in other styles."""

from collections.abc import Callable
from typing import Any

import numpy as np

from minillm.mlp import Array, MLPParams

from .. import alternative, alternative_edit

SLOPES, LINEAR, FORWARD = "mlp.numerical_gradient", "mlp.linear_backward", "mlp.forward"
LOSS, BACK, STEP = "mlp.loss", "mlp.backward", "mlp.sgd_step"


@alternative(SLOPES)
def one_hot_steps(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.zeros_like(array)
    for at in np.ndindex(*array.shape):
        step = np.zeros_like(array)
        step[at] = eps
        slopes[at] = (f(array + step) - f(array - step)) / (2 * eps)
    return slopes


@alternative(SLOPES)
def in_place_and_back(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.empty_like(array)
    walk = np.nditer(array, flags=["multi_index"])
    for _ in walk:
        at = walk.multi_index
        kept = array[at]
        array[at] = kept + eps
        above = f(array)
        array[at] = kept - eps
        below = f(array)
        array[at] = kept
        slopes[at] = (above - below) / (eps + eps)
    return slopes


@alternative(SLOPES)
def through_flat(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = []
    for at in range(array.size):
        up, down = array.copy(), array.copy()
        up.flat[at] += eps
        down.flat[at] -= eps
        slopes.append(0.5 * (f(up) - f(down)) / eps)
    return np.reshape(np.array(slopes, array.dtype), array.shape)


@alternative(SLOPES)
def identity_rows(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    steps = eps * np.eye(array.size, dtype=array.dtype).reshape(-1, *array.shape)
    ends = [(f(array + s), f(array - s)) for s in steps]
    return np.array([(a - b) / 2 / eps for a, b in ends], array.dtype).reshape(array.shape)


@alternative(LINEAR)
def einsums(x: Array, W: Array, grad: Array) -> tuple[Array, Array, Array]:
    rows, rows_in = grad.reshape(-1, len(W)), x.reshape(-1, W.shape[-1])
    return (np.einsum("...o,oi->...i", grad, W), np.einsum("no,ni->oi", rows, rows_in),
            np.einsum("no->o", rows))


@alternative(LINEAR)
def row_by_row(x: Array, W: Array, grad: Array) -> tuple[Array, Array, Array]:
    dx, dW, db = np.zeros_like(x), np.zeros_like(W), np.zeros_like(W[:, 0])
    for at in np.ndindex(*x.shape[:-1]):
        dx[at] = W.T @ grad[at]
        dW += np.outer(grad[at], x[at])
        db += grad[at]
    return dx, dW, db


@alternative(LINEAR)
def tensordots(x: Array, W: Array, grad: Array) -> tuple[Array, Array, Array]:
    leading = tuple(range(x.ndim - 1))
    return (np.tensordot(grad, W, 1), np.tensordot(grad, x, (leading, leading)),
            grad.sum(axis=leading))


@alternative(LINEAR)
def through_torch(x: Array, W: Array, grad: Array) -> tuple[Array, Array, Array]:
    import torch
    leaves = [torch.tensor(a, requires_grad=True) for a in (x, W, np.zeros_like(W[:, 0]))]
    y = torch.nn.functional.linear(*leaves)
    dx, dW, db = torch.autograd.grad(y, leaves, torch.tensor(grad))
    return dx.numpy(), dW.numpy(), db.numpy()


# The cache of each of these is what the reference's `backward` reads, so that either can be paired


@alternative(FORWARD)
def where(params: MLPParams, x: Array) -> tuple[Array, Any]:
    z1 = np.einsum("bi,hi->bh", x, params.W1) + params.b1
    h = np.where(z1 > 0, z1, 0)
    yhat = np.einsum("bh,oh->bo", h, params.W2) + params.b2
    return yhat, (x, z1, h, yhat)


@alternative(FORWARD)
def columns(params: MLPParams, x: Array) -> tuple[Array, Any]:
    z1 = params.W1 @ x.T + params.b1[:, None]
    h = z1 * (z1 > 0)
    yhat = (params.W2 @ h + params.b2.reshape(-1, 1)).T
    return yhat, (x, z1.T, h.T, yhat)


@alternative(FORWARD)
def rows_one_by_one(params: MLPParams, x: Array) -> tuple[Array, Any]:
    z1 = np.stack([params.W1 @ row + params.b1 for row in x])
    h = np.clip(z1, 0, None)
    yhat = np.stack([params.W2 @ row + params.b2 for row in h])
    return yhat, [x, z1, h, yhat]


alternative_edit(FORWARD, "dot", "x @ params.W1.T", "np.dot(x, params.W1.T)")


@alternative(LOSS)
def length_squared(yhat: Array, y: Array) -> float:
    return float(np.linalg.norm(yhat - y) ** 2) / 2


@alternative(LOSS)
def dot_product(yhat: Array, y: Array) -> float:
    d = (y - yhat).ravel()
    return float(0.5 * (d @ d))


@alternative(LOSS)
def plain_python(yhat: Array, y: Array) -> float:
    total = 0.0
    for row, truth in zip(yhat.tolist(), y.tolist(), strict=True):
        for a, b in zip(row, truth, strict=True):
            total += (a - b) * (a - b)
    return 0.5 * total


@alternative(LOSS)
def numpys_own_number(yhat: Array, y: Array) -> Any:
    return np.square(yhat - y).sum() / 2


@alternative(LOSS)
def torchs(yhat: Array, y: Array) -> Any:
    import torch
    return torch.nn.functional.mse_loss(torch.tensor(yhat), torch.tensor(y), reduction="sum") / 2


@alternative(BACK)
def line_by_line(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    x, z1, h, yhat = cache
    dyhat = yhat - y
    dW2 = dyhat.T @ h
    db2 = dyhat.sum(axis=0)
    dh = dyhat @ params.W2
    dz1 = np.where(z1 > 0, dh, 0)
    dW1 = dz1.T @ x
    db1 = dz1.sum(axis=0)
    return MLPParams(W1=dW1, b1=db1, W2=dW2, b2=db2), dz1 @ params.W1


@alternative(BACK)
def with_ones_for_the_bias(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    x, _, h, yhat = cache
    delta2 = (yhat - y).T
    delta1 = (params.W2.T @ delta2) * (h > 0).T
    ones = np.ones_like(x[:, 0])
    return MLPParams(delta1 @ x, delta1 @ ones, delta2 @ h, delta2 @ ones), delta1.T @ params.W1


@alternative(BACK)
def example_by_example(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    grads = MLPParams(*(np.zeros_like(p) for p in vars(params).values()))
    dx = []
    for x, z1, h, yhat, truth in zip(*cache, y, strict=True):
        d = yhat - truth
        grads.W2 += np.outer(d, h)
        grads.b2 += d
        d = d @ params.W2
        d[z1 <= 0] = 0
        grads.W1 += np.outer(d, x)
        grads.b1 += d
        dx.append(d @ params.W1)
    return grads, np.array(dx)


@alternative(BACK)
def autograd_of_torch(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    import torch
    leaves = [torch.tensor(a, requires_grad=True) for a in (*vars(params).values(), cache[0])]
    W1, b1, W2, b2, x = leaves
    yhat = torch.relu(x @ W1.T + b1) @ W2.T + b2
    found = torch.autograd.grad((0.5 * (yhat - torch.tensor(y)) ** 2).sum(), leaves)
    *grads, dx = [each.numpy() for each in found]
    return MLPParams(*grads), dx


@alternative(STEP)
def by_name(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(**{k: v - lr * getattr(grads, k) for k, v in vars(params).items()})


@alternative(STEP)
def replaced(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    from dataclasses import fields, replace
    moved = {f.name: getattr(params, f.name) - getattr(grads, f.name) * lr for f in fields(params)}
    return replace(params, **moved)


@alternative(STEP)
def copied_first(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    new = MLPParams(params.W1.copy(), params.b1.copy(), params.W2.copy(), params.b2.copy())
    for name in ("W1", "b1", "W2", "b2"):
        array = getattr(new, name)
        array -= lr * getattr(grads, name)
    return new
