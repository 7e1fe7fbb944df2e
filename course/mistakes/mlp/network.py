"""Known wrong answers to `forward`, `loss` and `sgd_step`."""

from typing import Any

import numpy as np

from minillm.mlp import Array, MLPParams

from .. import edit, mistake

FORWARD, LOSS, STEP = "mlp.forward", "mlp.loss", "mlp.sgd_step"

edit(FORWARD, "no_b1", "@ params.W1.T + params.b1", "@ params.W1.T",
     "b1 is missing: z1 = x W1ᵀ + b1.")
edit(FORWARD, "no_b2", "@ params.W2.T + params.b2", "@ params.W2.T",
     "b2 is missing: ŷ = h W2ᵀ + b2.")
edit(FORWARD, "no_relu", "np.maximum(z1, 0)", "z1",
     "the ReLU is missing. Without it two linear layers are one linear layer.")
edit(FORWARD, "relu_on_the_output", "h @ params.W2.T + params.b2",
     "np.maximum(h @ params.W2.T + params.b2, 0)",
     "the output has gone through a ReLU too, so it can't be negative. Only the hidden layer has "
     "one.")
edit(FORWARD, "relu_on_the_input", "z1 = x @", "z1 = np.maximum(x, 0) @",
     "the ReLU is applied to the input as well; it belongs behind the first linear layer only.")
edit(FORWARD, "relu_before_the_bias", "z1 = x @ params.W1.T + params.b1  # (B, h)\n"
     "    h = np.maximum(z1, 0)", "z1 = x @ params.W1.T\n    h = np.maximum(z1, 0) + params.b1",
     "b1 is added behind the ReLU. It belongs inside: it decides where the unit turns on.")
edit(FORWARD, "absolute", "np.maximum(z1, 0)", "np.abs(z1)",
     "negative z1 come out positive: ReLU makes them 0.")
edit(FORWARD, "minimum", "np.maximum(z1, 0)", "np.minimum(z1, 0)",
     "the negative z1 are kept and the positive ones cut: ReLU is max(z, 0).")
edit(FORWARD, "gate", "np.maximum(z1, 0)", "(z1 > 0).astype(z1.dtype)",
     "h is 1 where z1 is positive: that is the slope of the ReLU, and not its value.")
edit(FORWARD, "leaky", "np.maximum(z1, 0)", "np.where(z1 > 0, z1, 0.01 * z1)",
     "a hundredth of each negative z1 gets through. That is a leaky ReLU; a ReLU gives 0.")
edit(FORWARD, "tanh", "np.maximum(z1, 0)", "np.tanh(z1)",
     "the hidden layer is a tanh; the docstring asks for a ReLU.")
edit(FORWARD, "largest_of_all", "np.maximum(z1, 0)", "np.max(z1, 0)",
     "np.max(z1, 0) is the largest of each column: the 0 is an axis there. np.maximum takes the "
     "larger of two, entry by entry.")
edit(FORWARD, "squeezed", "return yhat,", "return yhat.squeeze(),",
     "a dimension of size 1 has gone: ŷ is [B, o], also for one row or one output.")
edit(FORWARD, "not_transposed", "x @ params.W1.T", "x @ params.W1",
     "W1 is stored [out, in], so rows x [B, i] need its transpose: [B, i] times [i, h].",
     raises=True)
edit(FORWARD, "columns", "return yhat,", "return yhat.T,",
     "ŷ comes as [o, B]. The rows of the batch stay rows: [B, o].")
edit(FORWARD, "float64", "np.maximum(z1, 0)", "np.where(z1 > 0, 1.0, np.zeros(1)) * z1",
     "float32 went in and float64 came out: some array inside has been made in float64.")
edit(FORWARD, "cache_first", "return yhat, (x, z1, h, yhat)", "return (x, z1, h, yhat), yhat",
     "the two results stand in the wrong order: ŷ first, then the cache.")
edit(FORWARD, "transposed_for_good", "z1 = x @ params.W1.T", "params.W1 = params.W1.T\n"
     "    z1 = x @ params.W1",
     "an array was put into the params that were given (`params.W1 = …`), so the next call meets "
     "another network. Give it a name of its own.", raises=True)
edit(FORWARD, "only_yhat", "return yhat, (x, z1, h, yhat)", "return yhat",
     "only ŷ comes back. Return a pair: ŷ, and a cache with what backward will need.", raises=True)


@mistake(FORWARD, "both biases are missing.")
def no_biases(params: MLPParams, x: Array) -> tuple[Array, Any]:
    z1 = x @ params.W1.T
    h = np.maximum(z1, 0)
    yhat = h @ params.W2.T
    return yhat, (x, z1, h, yhat)


edit(LOSS, "no_half", "0.5 * np.sum", "np.sum",
     "the factor ½ is missing. It is there so that the derivative is ŷ − y without a 2.")
edit(LOSS, "mean", "np.sum", "np.mean",
     "this is half the mean over all numbers. The loss of this lesson is a sum.")
edit(LOSS, "mean_without_half", "0.5 * np.sum", "np.mean",
     "this is the mean squared error, as torch's mse_loss has it. The loss of this lesson is ½ "
     "times a sum.")
edit(LOSS, "mean_over_rows", "(yhat - y) ** 2)", "(yhat - y) ** 2) / len(y)",
     "the sum is divided by the number of rows. The loss of this lesson is a sum over all of them.")
edit(LOSS, "half_squared", "0.5 * np.sum((yhat - y) ** 2)", "np.sum((0.5 * (yhat - y)) ** 2)",
     "the ½ has been squared with the difference. It stands in front of the square.")
edit(LOSS, "not_squared", "(yhat - y) ** 2", "yhat - y",
     "the differences are not squared, so errors of opposite signs cancel.")
edit(LOSS, "square_of_the_sum", "np.sum((yhat - y) ** 2)", "np.sum(yhat - y) ** 2",
     "the differences are summed before they are squared, so errors of opposite signs cancel. "
     "Square each one first.")
edit(LOSS, "half_the_length", "np.sum((yhat - y) ** 2)", "np.linalg.norm(yhat - y)",
     "half the length of the difference: the square of the length is what is halved.")
edit(LOSS, "absolute", "(yhat - y) ** 2", "np.abs(yhat - y)",
     "these are absolute differences; the loss has their squares.")
edit(LOSS, "root", "0.5 * np.sum((yhat - y) ** 2)", "np.sqrt(np.sum((yhat - y) ** 2))",
     "this is the length of the difference. The loss is half its square, without a root.")


@mistake(LOSS, "there is one loss for each row. The loss is a single number: sum over rows and "
         "outputs.")
def for_each_row(yhat: Array, y: Array) -> Array:
    return np.asarray(0.5 * np.sum((yhat - y) ** 2, -1))


@mistake(LOSS, "there is one loss for each output. The loss is a single number: sum over rows and "
         "outputs.")
def for_each_output(yhat: Array, y: Array) -> Array:
    return np.asarray(0.5 * np.sum((yhat - y) ** 2, 0))


@mistake(LOSS, "the squares are there, but not their sum. The loss is a single number.")
def not_summed(yhat: Array, y: Array) -> Array:
    return np.asarray(0.5 * (yhat - y) ** 2)


@mistake(STEP, "the gradient is added: that climbs. It points uphill, so go against it.")
def uphill(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(params.W1 + lr * grads.W1, params.b1 + lr * grads.b1,
                     params.W2 + lr * grads.W2, params.b2 + lr * grads.b2)


@mistake(STEP, "the whole gradient is subtracted: the factor `lr` is missing.")
def no_rate(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(params.W1 - grads.W1, params.b1 - grads.b1,
                     params.W2 - grads.W2, params.b2 - grads.b2)


@mistake(STEP, "the rate is always 0.01, whatever `lr` says.")
def fixed_rate(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(params.W1 - 0.01 * grads.W1, params.b1 - 0.01 * grads.b1,
                     params.W2 - 0.01 * grads.W2, params.b2 - 0.01 * grads.b2)


@mistake(STEP, "nothing came back: a function without `return` gives None. Return the new "
         "MLPParams.", raises=True)
def nothing_returned(params: MLPParams, grads: MLPParams, lr: float) -> Any:
    params = MLPParams(params.W1 - lr * grads.W1, params.b1 - lr * grads.b1,
                       params.W2 - lr * grads.W2, params.b2 - lr * grads.b2)


edit(STEP, "biases_stay", "b1=params.b1 - lr * grads.b1", "b1=params.b1",
     "b1 has not moved. All four parameters take a step.")
edit(STEP, "last_bias_stays", "b2=params.b2 - lr * grads.b2", "b2=params.b2",
     "b2 has not moved. All four parameters take a step.")


@mistake(STEP, "the biases have not moved. All four parameters take a step.")
def weights_only(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(params.W1 - lr * grads.W1, params.b1, params.W2 - lr * grads.W2, params.b2)


@mistake(STEP, "these are the steps, lr times the gradient. They are to be subtracted from the "
         "parameters.")
def steps_alone(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(lr * grads.W1, lr * grads.b1, lr * grads.W2, lr * grads.b2)


@mistake(STEP, "these are the steps with their sign. The parameters they start from are missing.")
def negative_steps(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(-lr * grads.W1, -lr * grads.b1, -lr * grads.W2, -lr * grads.b2)


@mistake(STEP, "nothing has moved: the parameters came back as they were.")
def stays(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return params


@mistake(STEP, "each parameter is scaled by 1 − lr · gradient. The step is subtracted, not "
         "multiplied in.")
def multiplied(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    return MLPParams(params.W1 * (1 - lr * grads.W1), params.b1 * (1 - lr * grads.b1),
                     params.W2 * (1 - lr * grads.W2), params.b2 * (1 - lr * grads.b2))


@mistake(STEP, "the parameters that were given have changed: `-=` works in place. Make new arrays: "
         "W1 - lr * dW1.", raises=True)
def in_place(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    params.W1 -= lr * grads.W1
    params.b1 -= lr * grads.b1
    params.W2 -= lr * grads.W2
    params.b2 -= lr * grads.b2
    return params


@mistake(STEP, "the arrays are new, but they were put into the MLPParams that was given, so "
         "whoever holds it has lost the old ones. Make a new MLPParams.", raises=True)
def into_the_given_one(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    for name in vars(params):
        setattr(params, name, getattr(params, name) - lr * getattr(grads, name))
    return params


@mistake(STEP, "a tuple came back. Return an MLPParams, so that the next forward can use it.",
         raises=True)
def a_tuple(params: MLPParams, grads: MLPParams, lr: float) -> Any:
    return (params.W1 - lr * grads.W1, params.b1 - lr * grads.b1,
            params.W2 - lr * grads.W2, params.b2 - lr * grads.b2)


@mistake(STEP, "float32 went in and float64 came out: an array of float64 is in the product. A "
         "plain number `lr` changes no dtype.")
def float64(params: MLPParams, grads: MLPParams, lr: float) -> MLPParams:
    by = np.array([lr])
    return MLPParams(params.W1 - by * grads.W1, params.b1 - by * grads.b1,
                     params.W2 - by * grads.W2, params.b2 - by * grads.b2)
