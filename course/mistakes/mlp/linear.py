"""Known wrong answers to `linear_backward`."""

import numpy as np

from minillm.mlp import Array

from .. import edit, mistake

LINEAR = "mlp.linear_backward"

edit(LINEAR, "not_summed", "db = rows_out.sum(0)", "db = grad",
     "db is the gradient to y itself. The same b is added to every row, so its gradient is their "
     "sum and has the shape of b.")
edit(LINEAR, "first_dimension_only", "db = rows_out.sum(0)", "db = grad.sum(0)",
     "db is summed over the first dimension only. b is added at every place of all leading "
     "dimensions, batch and time, and its shape is [o].")
edit(LINEAR, "wrong_axis", "db = rows_out.sum(0)", "db = grad.sum(-1)",
     "db is summed over the outputs, so each place has one number. It is to be summed over all "
     "places, so that each output has one.")
edit(LINEAR, "kept_dimension", "rows_out.sum(0)", "rows_out.sum(0, keepdims=True)",
     "db has an extra dimension: b is [o], so its gradient is [o].")
edit(LINEAR, "one_number", "rows_out.sum(0)", "rows_out.sum()",
     "db is one number, the sum of everything. Each output has its own entry of b.")
edit(LINEAR, "mean", "rows_out.sum(0)", "rows_out.mean(0)",
     "db is the mean over the rows. The gradient of a sum is a sum: if the loss is a mean, the "
     "1/N is already in `grad`.")
edit(LINEAR, "mean_of_both", "dW = rows_out.T @ rows_in  # (o, i), a sum over N outer products\n"
     "    db = rows_out.sum(0)",
     "dW = rows_out.T @ rows_in / len(rows_in)\n    db = rows_out.mean(0)",
     "dW and db are means over the rows. The gradient of a sum is a sum: if the loss is a mean, "
     "the 1/N is already in `grad`.")
edit(LINEAR, "transposed", "dW = rows_out.T @ rows_in", "dW = rows_in.T @ rows_out",
     "dW is [i, o], and W is [o, i]. A gradient has the shape of what it belongs to: grad stands "
     "on the left.")
edit(LINEAR, "transposed_W", "return grad @ W,", "return grad @ W.T,",
     "for rows dx = grad W, without a transpose: y = x Wᵀ has it on the way forwards. Look at the "
     "shapes: [..., o] times [o, i].", raises=True)
edit(LINEAR, "rows_not_summed", "dW = rows_out.T @ rows_in",
     "dW = np.swapaxes(np.atleast_2d(grad), -1, -2) @ np.atleast_2d(x)",
     "there is one dW for each batch: only the last leading dimension has been summed over. "
     "Flatten all leading dimensions into N rows first.")
edit(LINEAR, "first_row_only", "dW = rows_out.T @ rows_in",
     "dW = np.outer(rows_out[0], rows_in[0])",
     "dW is the outer product of the first row alone. The same W serves every row, so their outer "
     "products are summed.")
edit(LINEAR, "rows_of_x", "return grad @ W,", "return rows_out @ W,",
     "dx comes as N rows. It has the shape of x, with its leading dimensions; `@` on grad itself "
     "keeps them.")
edit(LINEAR, "sum_of_each_row", "rows_out.sum(0)", "rows_out.sum(1)",
     "db is summed over the outputs, so each row has one number. Sum over the rows: axis 0.")
edit(LINEAR, "column_rule", "return grad @ W,", "return W.T @ grad,",
     "Wᵀ dy is the rule for a column. Here grad holds rows: dx = grad W.", raises=True)
edit(LINEAR, "forwards_again", "return grad @ W,", "return x @ W.T,",
     "x Wᵀ is the way forwards. The gradient to x comes from grad.")
edit(LINEAR, "weights_first", "return grad @ W, dW, db", "return dW, grad @ W, db",
     "the results are right and stand in another order: dx, dW, db.")
edit(LINEAR, "other_order", "return grad @ W, dW, db", "return dW, db, grad @ W",
     "the three results are right and stand in another order: dx, dW, db.")


@mistake(LINEAR, "`.T` of an array of three or more dimensions turns all of them around. Flatten "
         "the leading dimensions into N rows first.", raises=True)
def two_dimensions_only(x: Array, W: Array, grad: Array) -> tuple[Array, Array, Array]:
    return grad @ W, grad.T @ x, grad.sum(tuple(range(grad.ndim - 1)))


@mistake(LINEAR, "dW and db come in float64 where float32 went in: `np.zeros` makes float64 unless "
         "it is told a dtype.")
def other_dtype(x: Array, W: Array, grad: Array) -> tuple[Array, Array, Array]:
    dW, db = np.zeros(W.shape), np.zeros(len(W))
    for one_x, one_grad in zip(x.reshape(-1, W.shape[1]), grad.reshape(-1, len(W)), strict=True):
        dW += np.outer(one_grad, one_x)
        db += one_grad
    return grad @ W, dW, db
