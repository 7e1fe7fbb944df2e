"""A `backward` with a `forward` and a cache of its own; the answer cell of it holds both."""

from typing import Any

import numpy as np

from minillm.mlp import Array, MLPParams

from ...mistakes import cell_source
from .. import Alternative, add

FORWARD, BACK = "mlp.forward", "mlp.backward"


def forward(params: MLPParams, x: Array) -> tuple[Array, Any]:
    z1 = x @ params.W1.T + params.b1
    yhat = np.maximum(z1, 0) @ params.W2.T + params.b2
    return yhat, {"input": x, "open": z1 > 0, "z": z1, "result": yhat}


def own_cache(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    d = cache["result"] - y
    d_hidden = d @ params.W2 * cache["open"]
    h = cache["z"] * cache["open"]
    grads = MLPParams(d_hidden.T @ cache["input"], d_hidden.sum(0), d.T @ h, d.sum(0))
    return grads, d_hidden @ params.W1


add(BACK, Alternative("own_cache", own_cache,
                      cell_source(forward, FORWARD) + "\n\n\n" + cell_source(own_cache, BACK)))
