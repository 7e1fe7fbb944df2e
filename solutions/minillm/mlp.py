"""A two-layer network in NumPy, with its gradients written by hand.

Letters: B rows of a batch, i inputs, h hidden units, o outputs. Weights are stored [out, in]. A
gradient is called after what it belongs to: `dh` is the gradient of the loss to `h`, and has its
shape.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass
class MLPParams:
    """The weights of the network, or their gradients, which have the same shapes."""

    W1: Array  # [h, i]
    b1: Array  # [h]
    W2: Array  # [o, h]
    b2: Array  # [o]


def numerical_gradient(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    """Give the gradient of `f` at `array` by central differences, one entry after another.

    Each entry a of the result is (f(… a + eps …) - f(… a - eps …)) / (2 eps), all other entries
    held. `f` takes an array of this shape and dtype and gives one number. The result has both as
    well; `array` is left as it was. Raises ValueError for an array of integers, to which `eps`
    can't be added. Source: Press et al. (2007), §5.7.
    """
    if not np.issubdtype(array.dtype, np.floating):
        raise ValueError(f"array holds {array.dtype}; a derivative needs floating-point numbers")
    ### BEGIN SOLUTION
    moved, slopes = array.copy(), np.zeros_like(array)
    for at in np.ndindex(array.shape):
        moved[at] = array[at] + eps
        above = float(f(moved))
        moved[at] = array[at] - eps
        below = float(f(moved))
        moved[at] = array[at]  # the next entry moves alone
        slopes[at] = (above - below) / (2 * eps)
    return slopes
    ### END SOLUTION


def linear_backward(x: Array, W: Array, grad: Array) -> tuple[Array, Array, Array]:
    """Give (dx, dW, db) for y = x Wᵀ + b, from `grad`, the gradient of the loss to y.

    `x` [..., i], `W` [o, i], `grad` [..., o] → dx [..., i], dW [o, i], db [o]: each has the shape
    of what it belongs to, and the weights' are summed over all leading dimensions. The dtype is
    kept. Raises ValueError when the shapes do not fit. Source: Rumelhart, Hinton and Williams
    (1986).
    """
    if grad.shape != (*x.shape[:-1], W.shape[0]) or x.shape[-1:] != W.shape[1:]:
        raise ValueError(f"x {x.shape} and W {W.shape} do not give a y of shape {grad.shape}")
    ### BEGIN SOLUTION
    rows_in = x.reshape(-1, x.shape[-1])  # (N, i)
    rows_out = grad.reshape(-1, grad.shape[-1])  # (N, o)
    dW = rows_out.T @ rows_in  # (o, i), a sum over N outer products
    db = rows_out.sum(0)
    return grad @ W, dW, db
    ### END SOLUTION


def forward(params: MLPParams, x: Array) -> tuple[Array, Any]:
    """Give (ŷ, cache) of the network: linear, ReLU, linear.

    `x` [B, i] → ŷ [B, o]. The cache is whatever your `backward` will need; nobody else reads it.
    The dtype is kept, and `params` and `x` stay as they are. Raises ValueError when `x` does not
    fit W1.
    """
    if x.ndim != 2 or x.shape[1] != params.W1.shape[1]:
        raise ValueError(f"x has shape {x.shape}, W1 has {params.W1.shape}: x must be [B, i]")
    ### BEGIN SOLUTION
    z1 = x @ params.W1.T + params.b1  # (B, h)
    h = np.maximum(z1, 0)
    yhat = h @ params.W2.T + params.b2  # (B, o)
    return yhat, (x, z1, h, yhat)
    ### END SOLUTION


def loss(yhat: Array, y: Array) -> float:
    """Give ½ Σ (ŷ - y)² over all rows and outputs: a sum, not a mean.

    `yhat` and `y` have one shape, [B, o]. Raises ValueError when they differ: [B, 1] and [B]
    would be subtracted without an error, as [B, B].
    """
    if yhat.shape != y.shape:
        raise ValueError(f"ŷ has shape {yhat.shape}, y has {y.shape}")
    ### BEGIN SOLUTION
    return float(0.5 * np.sum((yhat - y) ** 2))
    ### END SOLUTION


def backward(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    """Give the gradients of `loss` to the parameters, and to x, by the chain rule.

    `cache` is what your `forward` gave for these `params`, `y` [B, o]. Gives (`MLPParams` of
    gradients, each in the shape of its parameter, and dx [B, i]); the dtype is kept. ReLU counts
    as flat at 0, as in torch. `params`, `cache` and `y` stay as they are. Raises ValueError when
    `y` does not fit the outputs. Source: Rumelhart, Hinton and Williams (1986).
    """
    if y.ndim != 2 or y.shape[1:] != params.b2.shape:
        raise ValueError(f"y has shape {y.shape}, b2 has {params.b2.shape}: y must be [B, o]")
    ### BEGIN SOLUTION
    x, z1, h, yhat = cache
    dyhat = yhat - y  # (B, o)
    dh, dW2, db2 = linear_backward(h, params.W2, dyhat)
    dz1 = dh * (z1 > 0)  # (B, h)
    dx, dW1, db1 = linear_backward(x, params.W1, dz1)
    return MLPParams(dW1, db1, dW2, db2), dx
    ### END SOLUTION


def sgd_step(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    """Give new parameters, each moved by `lr` times its gradient, downhill.

    The given `params` stay as they are; dtypes are kept. Source: Robbins and Monro (1951).
    """
    ### BEGIN SOLUTION
    return MLPParams(
        W1=params.W1 - lr * grads.W1,
        b1=params.b1 - lr * grads.b1,
        W2=params.W2 - lr * grads.W2,
        b2=params.b2 - lr * grads.b2,
    )
    ### END SOLUTION
