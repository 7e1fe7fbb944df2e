"""Known wrong answers to `backward`; each reads the cache of the reference's `forward`."""

from typing import Any

import numpy as np

from minillm.mlp import Array, MLPParams

from .. import edit, mistake

BACK = "mlp.backward"

edit(BACK, "sign", "yhat - y ", "y - yhat ",
     "every sign is turned around: the derivative of ½(ŷ − y)² to ŷ is ŷ − y.")
edit(BACK, "twice", "dyhat = yhat - y ", "dyhat = 2 * (yhat - y) ",
     "everything is twice too large: the ½ of the loss takes the 2 of the square away.")
edit(BACK, "half", "dyhat = yhat - y ", "dyhat = 0.5 * (yhat - y) ",
     "everything is half as large as it should be: the 2 of the square takes the ½ away.")
edit(BACK, "mean_over_rows", "dyhat = yhat - y ", "dyhat = (yhat - y) / len(y) ",
     "everything is divided by the number of rows. The loss is a sum, so each row counts whole.")
edit(BACK, "mean_over_all", "dyhat = yhat - y ", "dyhat = (yhat - y) / y.size ",
     "everything is divided by the number of entries. The loss is a sum, not a mean.")
edit(BACK, "mean_over_outputs", "dyhat = yhat - y ", "dyhat = (yhat - y) / y.shape[1] ",
     "everything is divided by the number of outputs. The loss is a sum, so each output counts "
     "whole.")
edit(BACK, "squared", "dyhat = yhat - y ", "dyhat = 0.5 * (yhat - y) ** 2 ",
     "you started from the loss itself. Start from its derivative to ŷ: ŷ − y.")
edit(BACK, "no_gate", "dh * (z1 > 0)", "dh",
     "the ReLU is skipped: where z1 is negative h does not move, so no gradient passes.")
edit(BACK, "gate_on_dh", "dh * (z1 > 0)", "dh * (dh > 0)",
     "the gate looks at the sign of dh, as if the gradient went through a ReLU itself. It looks at "
     "z1: was the unit on?")
edit(BACK, "gate_alone", "dh * (z1 > 0)", "(z1 > 0).astype(dh.dtype)",
     "dz1 is the gate alone, ones and zeros. It is dh where the gate is open.")
edit(BACK, "times_z1", "dh * (z1 > 0)", "dh * z1",
     "dh is multiplied by z1. The slope of ReLU is 1 or 0, not its input.")
edit(BACK, "times_h", "dh * (z1 > 0)", "dh * h",
     "dh is multiplied by h. The slope of ReLU is 1 or 0, not its value.")
edit(BACK, "gate_turned", "dh * (z1 > 0)", "dh * (z1 <= 0)",
     "the gate is the wrong way round: a gradient passes where z1 is positive.")
edit(BACK, "open_at_zero", "dh * (z1 > 0)", "dh * (z1 >= 0)",
     "a gradient passes where z1 is exactly 0. There ReLU has no derivative; torch takes 0, and so "
     "does this course: z1 > 0.")
edit(BACK, "gate_on_the_sign", "dh * (z1 > 0)", "dh * np.sign(z1)",
     "where z1 is negative dh passes with its sign turned: that is the slope of |z|. ReLU's is 0 "
     "there.")
edit(BACK, "from_z1", "linear_backward(h, params.W2, dyhat)",
     "linear_backward(z1, params.W2, dyhat)",
     "dW2 is made with z1. The second layer got h, after the ReLU.")
edit(BACK, "no_gate_in_dx", "linear_backward(x, params.W1, dz1)\n",
     "linear_backward(x, params.W1, dz1)\n    dx = dh @ params.W1\n",
     "dx goes through the ReLU too: it is made from dz1, not from dh.")
edit(BACK, "no_gate_in_db1", "linear_backward(x, params.W1, dz1)\n",
     "linear_backward(x, params.W1, dz1)\n    db1 = dh.sum(0)\n",
     "db1 is summed from dh. b1 stands before the ReLU, so it is made from dz1.")
edit(BACK, "no_gate_in_dW1", "linear_backward(x, params.W1, dz1)\n",
     "linear_backward(x, params.W1, dz1)\n    dW1 = dh.T @ x\n",
     "dW1 is made from dh. W1 stands before the ReLU, so it is made from dz1.")
edit(BACK, "h_in_dW1", "linear_backward(x, params.W1, dz1)\n",
     "linear_backward(x, params.W1, dz1)\n    dW1 = dz1.T @ h\n",
     "dW1 is made with h. The first layer got x.")
edit(BACK, "transposed", "MLPParams(dW1, db1, dW2, db2)", "MLPParams(dW1.T, db1, dW2.T, db2)",
     "both weight gradients are transposed. A gradient has the shape of its weight, [out, in].")
edit(BACK, "layers_exchanged", "MLPParams(dW1, db1, dW2, db2)", "MLPParams(dW2, db2, dW1, db1)",
     "the gradients of the two layers have changed places: W1, b1, W2, b2.")
edit(BACK, "one_bias_gradient", "return MLPParams(dW1, db1, dW2, db2)",
     "db1, db2 = dz1, dyhat\n    return MLPParams(dW1, db1, dW2, db2)",
     "the bias gradients still have the rows of the batch. The same bias is added to each row, so "
     "sum over them.")
edit(BACK, "bias_mean", "return MLPParams(dW1, db1, dW2, db2)",
     "db1, db2 = dz1.mean(0), dyhat.mean(0)\n    return MLPParams(dW1, db1, dW2, db2)",
     "the bias gradients are means over the rows. The loss is a sum, so they are sums.")
edit(BACK, "bias_axis", "return MLPParams(dW1, db1, dW2, db2)",
     "db1, db2 = dz1.sum(1), dyhat.sum(1)\n    return MLPParams(dW1, db1, dW2, db2)",
     "the bias gradients are summed along the units and have one number for each row. Sum over "
     "the rows: one number for each unit.")
edit(BACK, "bias_kept_dimension", "return MLPParams(dW1, db1, dW2, db2)",
     "db1, db2 = dz1.sum(0, keepdims=True), dyhat.sum(0, keepdims=True)\n"
     "    return MLPParams(dW1, db1, dW2, db2)",
     "the bias gradients are [1, h] and [1, o]. A gradient has the shape of its parameter: no "
     "extra dimension.")
edit(BACK, "dx_is_dh", "return MLPParams(dW1, db1, dW2, db2), dx",
     "return MLPParams(dW1, db1, dW2, db2), dz1",
     "dx is the gradient to z1. One more step back: dz1 times W1.")
edit(BACK, "no_dx", "return MLPParams(dW1, db1, dW2, db2), dx",
     "return MLPParams(dW1, db1, dW2, db2)",
     "only the gradients of the parameters come back. Return a pair: they, and dx.", raises=True)
edit(BACK, "dx_first", "return MLPParams(dW1, db1, dW2, db2), dx",
     "return dx, MLPParams(dW1, db1, dW2, db2)",
     "the two results stand in the wrong order: the gradients of the parameters first, then dx.",
     raises=True)

edit(BACK, "yhat_in_place", "dyhat = yhat - y ", "yhat -= y\n    dyhat = yhat ",
     "`yhat -= y` changes the ŷ that forward gave, and whoever called it still holds that. Make a "
     "new array: yhat - y.", raises=True)
edit(BACK, "cache_in_place", "dz1 = dh * (z1 > 0)", "h[...] = dh * (z1 > 0)\n    dz1 = h",
     "an array of the cache is written into, so a second call with this cache starts from other "
     "numbers. Make new arrays.", raises=True)
edit(BACK, "into_the_params", "return MLPParams(dW1, db1, dW2, db2), dx",
     "params.W1, params.b1, params.W2, params.b2 = dW1, db1, dW2, db2\n    return params, dx",
     "other arrays were put into the params that were given: the weights are lost. Make a new "
     "MLPParams for the gradients.", raises=True)


@mistake(BACK, "W2 is multiplied the wrong way round. Rows go back as dyhat @ W2, [B, o] times "
         "[o, h]: forwards it was W2ᵀ.", raises=True)
def transposed_W2(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    x, z1, h, yhat = cache
    dyhat = yhat - y
    dz1 = (dyhat @ params.W2.T) * (z1 > 0)
    return (MLPParams(dz1.T @ x, dz1.sum(0), dyhat.T @ h, dyhat.sum(0)), dz1 @ params.W1)


@mistake(BACK, "float32 went in, and dW1, db1 and dx came out in float64: the gate is an array of "
         "int64 or float64. A bool array, z1 > 0, changes no dtype.")
def float64_gate(params: MLPParams, cache: Any, y: Array) -> tuple[MLPParams, Array]:
    x, z1, h, yhat = cache
    dyhat = yhat - y
    dz1 = (dyhat @ params.W2) * np.where(z1 > 0, 1, 0)
    return (MLPParams(dz1.T @ x, dz1.sum(0), dyhat.T @ h, dyhat.sum(0)), dz1 @ params.W1)
