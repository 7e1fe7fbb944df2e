"""Known wrong answers to the iteration of Muon and to its step."""

import torch

from .. import edit, mistake

ORTHO, STEP = "optim.orthogonalize", "optim.muon_step"
NORM = "X.norm() + 1e-7"
LOOP = "X = a * X + (b * A + c * A @ A) @ X"

edit(ORTHO, "not_divided", f"X = X / ({NORM})", "pass",
     "the matrix is not divided by its norm. A singular value above about 1.2 grows without end.")
edit(ORTHO, "spectral_norm", NORM, "torch.linalg.matrix_norm(X, 2) + 1e-7",
     "you divided by the largest singular value. The Frobenius norm, the root of the sum of all "
     "squares, is asked for: it is never smaller, and it is cheap.")
edit(ORTHO, "largest_entry", NORM, "X.abs().max() + 1e-7",
     "you divided by the largest entry, which may leave singular values far above 1. Divide by the "
     "Frobenius norm.")
edit(ORTHO, "norm_of_each_row", NORM, "X.norm(dim=1, keepdim=True) + 1e-7",
     "each row is divided by its own length, which changes directions. One number for the matrix.")
edit(ORTHO, "mean_square", NORM, "X.square().mean().sqrt() + 1e-7",
     "you divided by the root of the mean square. It is the root of the sum.")
edit(ORTHO, "square_of_the_norm", NORM, "X.square().sum() + 1e-7",
     "you divided by the sum of the squares. Its root is the norm.")
edit(ORTHO, "zeros_become_nan", NORM, "X.norm()",
     "a matrix of zeros gives 0/0, nan, and one such step ruins the weights. Add 1e-7 to the norm.")


@mistake(ORTHO, "that is U Vᵀ itself, all singular values 1. The iteration is asked for, which "
         "takes products only and comes near 1 alone.")
def exact(matrix: "torch.Tensor", steps: int = 5) -> "object":
    U, _, Vh = torch.linalg.svd(matrix, full_matrices=False)
    return U @ Vh


edit(ORTHO, "cubic", LOOP, "X = 1.5 * X - 0.5 * A @ X",
     "that is the cubic iteration, which needs many more steps. Use a, b and c as given.")
edit(ORTHO, "one_pass", "for _ in range(steps):", "for _ in range(1):",
     "there is one iteration, whatever `steps` is.")
edit(ORTHO, "always_five", "for _ in range(steps):", "for _ in range(5):",
     "there are five iterations, whatever `steps` is.")
edit(ORTHO, "one_too_few", "range(steps)", "range(steps - 1)",
     "there is one iteration too few.")
edit(ORTHO, "one_too_many", "range(steps)", "range(steps + 1)",
     "there is one iteration too many.")
edit(ORTHO, "entry_by_entry", "c * A @ A", "c * A * A",
     "A² is a product of matrices, A @ A. You squared each entry.")
edit(ORTHO, "no_square", "c * A @ A", "c * A",
     "c belongs to A², A @ A.")
edit(ORTHO, "a_not_renewed", "    for _ in range(steps):\n        A = X @ X.mT  "
     "# (s, s), s the shorter side\n",
     "    A = X @ X.mT\n    for _ in range(steps):\n",
     "A is made once, from the first X. Each iteration has its own: A = X Xᵀ.")
edit(ORTHO, "b_and_c_changed", "(b * A + c * A @ A)", "(c * A + b * A @ A)",
     "b and c have changed places: b with A, c with A².")
edit(ORTHO, "b_positive", "b * A + c", "-b * A + c",
     "b is negative already, and it is added. With a plus the values run away.")
edit(ORTHO, "no_last_product", LOOP, "X = a * X + (b * A + c * A @ A) @ X / X.norm()",
     "the iteration divides by the norm once more. That is done only before the first one.")
edit(ORTHO, "normalised_each_time", LOOP, LOOP + f"\n        X = X / ({NORM})",
     "X is divided by its norm after each iteration, so that its singular values can't come near 1 "
     "together.")
edit(ORTHO, "half_precision", f"X = X / ({NORM})",
     f"X = X.bfloat16() / ({NORM})",
     "the result is in bfloat16. That is done on GPUs for speed; here the matrix keeps its dtype.")
edit(ORTHO, "half_precision_inside", f"X = X / ({NORM})",
     f"X = (X / ({NORM})).bfloat16().to(X.dtype)",
     "the numbers were rounded to bfloat16 on the way. Keep the matrix's own dtype throughout.")
edit(ORTHO, "not_turned_back", "return X.mT if tall else X", "return X",
     "a tall matrix is turned and not turned back: the shape is another one.")
edit(ORTHO, "sign", "    for _ in range(steps):", "    return matrix.sign()\n"
     "    for _ in range(steps):",
     "that is the sign of each entry. It is the singular values that go to 1, not the entries.")

edit(ORTHO, "scaled_by_the_shape", "return X.mT if tall else X",
     "return (X.mT if tall else X) * max(1.0, matrix.shape[0] / matrix.shape[1]) ** 0.5",
     "the factor for tall matrices is in here. It belongs to the step, muon_step; here the "
     "singular values end near 1.")

AHEAD = "ahead = beta * momentum + (1 - beta) * grad"
edit(STEP, "not_orthogonalised", "orthogonalize(ahead, steps)", "ahead",
     "the direction is not orthogonalised: this is plain momentum.")
edit(STEP, "normalised_only", "orthogonalize(ahead, steps)", "ahead / (ahead.norm() + 1e-7)",
     "the direction is only divided by its norm. orthogonalize brings every singular value near 1.")
edit(STEP, "no_nesterov", AHEAD, "ahead = momentum",
     "the momentum itself is orthogonalised. Nesterov's direction mixes grad in once more: "
     "beta · momentum + (1 − beta) · grad.")
edit(STEP, "old_one_mixed", AHEAD, "ahead = momentum + (1 - beta) * (momentum - grad)",
     "the *old* momentum was mixed with the new one. Nesterov's direction mixes the new one with "
     "grad: beta · momentum + (1 − beta) · grad.")
edit(STEP, "grad_in_full", AHEAD, "ahead = beta * momentum + grad",
     "grad is added in full to a momentum that holds 1 − beta of it. Mix it in as before: "
     "beta · momentum + (1 − beta) · grad.")
edit(STEP, "no_momentum", AHEAD, "ahead = grad",
     "the gradient itself is orthogonalised; the momentum is kept and never used.")
edit(STEP, "keeps_the_direction", "orthogonalize(ahead, steps), momentum",
     "orthogonalize(ahead, steps), ahead",
     "the direction is given back for the momentum. Grad is then counted twice in every later "
     "step.")
edit(STEP, "keeps_the_orthogonal",
     "return param - lr * size * orthogonalize(ahead, steps), momentum",
     "move = orthogonalize(ahead, steps)\n    return param - lr * size * move, move",
     "the orthogonalised direction is given back for the momentum. What is averaged are "
     "gradients.")
edit(STEP, "orthogonal_before_the_average", "momentum = beta * momentum + (1 - beta) * grad",
     "grad = orthogonalize(grad, steps)\n    momentum = beta * momentum + (1 - beta) * grad",
     "each gradient is orthogonalised before it is averaged. Average first, then orthogonalise.")
edit(STEP, "no_scale", "lr * size * ", "lr * ",
     "the factor √max(1, rows / columns) is missing, so that a tall matrix moves too little.")
edit(STEP, "no_root", " ** 0.5", "",
     "the factor is max(1, rows / columns) without its root.")
edit(STEP, "scale_turned", "rows / columns", "columns / rows",
     "rows and columns have changed places: it is the tall matrix that gets the larger step.")
edit(STEP, "scale_below_one", "max(1.0, rows / columns)", "(rows / columns)",
     "a wide matrix is slowed down. The factor is never below 1: √max(1, rows / columns).")
edit(STEP, "like_adamw", "max(1.0, rows / columns) ** 0.5", "0.2 * max(rows, columns) ** 0.5",
     "that is the factor 0.2 √max(rows, columns), which makes a step as long as AdamW's. Here it "
     "is √max(1, rows / columns).")
edit(STEP, "uphill", "return param - lr", "return param + lr",
     "the step goes with the direction, uphill. Subtract it.")
edit(STEP, "five_always", "orthogonalize(ahead, steps)", "orthogonalize(ahead)",
     "`steps` is not handed on to orthogonalize.")
edit(STEP, "beta_changed", "momentum = beta * momentum + (1 - beta) * grad\n    " + AHEAD,
     "momentum = (1 - beta) * momentum + beta * grad\n    "
     "ahead = (1 - beta) * momentum + beta * grad",
     "beta and 1 − beta have changed places: beta keeps the old average.")
edit(STEP, "beta_fixed", "momentum = beta * momentum + (1 - beta) * grad",
     "beta = 0.95\n    momentum = beta * momentum + (1 - beta) * grad",
     "beta is 0.95 whatever is asked for.")
edit(STEP, "in_place", "return param - lr * size * orthogonalize(ahead, steps), momentum",
     "return param.sub_(lr * size * orthogonalize(ahead, steps)), momentum",
     "the given param or momentum is changed in place. Make new tensors: param - …, and no mul_ or "
     "add_ on what was given.", raises=True)
edit(STEP, "sum", "momentum = beta * momentum + (1 - beta) * grad",
     "momentum = beta * momentum + grad",
     "that is the other momentum, a sum. Here it is an average: the gradient goes in with "
     "1 − beta.")
edit(STEP, "sums", "(1 - beta) * grad", "grad",
     "that is the other momentum, a sum. The direction is the same, but the momentum that is given "
     "back is not the average: the gradient goes in with 1 − beta.")
edit(STEP, "mixture_turned", "momentum = beta * momentum + (1 - beta) * grad",
     "momentum = (1 - beta) * momentum + beta * grad",
     "beta and 1 − beta have changed places in the average: it keeps beta of what it was.")
edit(STEP, "results_swapped", "return param - lr * size * orthogonalize(ahead, steps), momentum",
     "return momentum, param - lr * size * orthogonalize(ahead, steps)",
     "the two results have changed places: (param, momentum).")
