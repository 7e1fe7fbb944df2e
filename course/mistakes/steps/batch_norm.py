"""Known wrong answers to the steps on BatchNorm."""

from .. import edit, wrong_choice

TRAIN = "steps.batch_norm.in_training"
edit(TRAIN, "layer_norm", "mean((0, 1))", "mean(-1, keepdim=True)",
     "the statistics run over the columns of each token: that is LayerNorm. Here each column has "
     "its own, over all tokens.")
edit(TRAIN, "over_texts", "mean((0, 1))", "mean(0)",
     "the statistics run over the texts only, for each position by itself. Both B and T go.")
edit(TRAIN, "over_tokens", "mean((0, 1))", "mean(1, keepdim=True)",
     "the statistics run over the tokens of each text by itself. Both B and T go.")
edit(TRAIN, "over_everything", "mean((0, 1))", "mean()",
     "one mean and one variance for all columns together. Each column has its own.")
edit(TRAIN, "unbiased", "centred.square().mean((0, 1))", "x.var((0, 1))",
     "the variance is divided by the number of tokens − 1. BatchNorm norms with the plain mean of "
     "the squares.")
edit(TRAIN, "standard_deviation", "(variance + eps).sqrt()", "(x.std((0, 1)) + eps)",
     "x.std divides by the number of tokens − 1, and eps stands outside the root. Divide by "
     "√(variance + eps).")
edit(TRAIN, "length", "centred.square().mean", "centred.square().sum",
     "the squares are summed. The variance is their mean.")
edit(TRAIN, "eps_fixed", "+ eps)", "+ 1e-5)",
     "`eps` has no effect: the default stands in the code. Use the one that comes in.")
edit(TRAIN, "no_eps", "(variance + eps)", "variance", "eps is missing under the root.")
edit(TRAIN, "eps_as_a_floor", "(variance + eps)", "variance.clamp(min=eps)",
     "eps is a lower limit here. It is added: √(variance + eps).")
edit(TRAIN, "eps_squared", "variance + eps", "variance + eps**2",
     "eps is squared. What is added to the variance is eps itself.")
edit(TRAIN, "no_mean", "x - x.mean((0, 1))", "x",
     "no mean is subtracted. Each column gets mean 0, over all tokens.")
edit(TRAIN, "eps_outside", "(variance + eps).sqrt()", "(variance.sqrt() + eps)",
     "eps is added after the root. It belongs inside.")
edit(TRAIN, "no_root", "(variance + eps).sqrt()", "(variance + eps)",
     "this divides by the variance. Take its root.")
edit(TRAIN, "mean_stays", "return centred /", "return x /",
     "the mean is still in the result. Divide x − mean.")
edit(TRAIN, "fixed", "variance + eps", "variance.detach() + eps",
     "the numbers are right, and the gradient is not: in training the variance is part of the "
     "graph.")

edit(TRAIN, "mean_square_of_x", "centred.square().mean", "x.square().mean",
     "the squares are those of x. The variance is the mean square of x − mean.")
edit(TRAIN, "in_place", "centred = x - x.mean((0, 1))", "x -= x.mean((0, 1))\n    centred = x",
     "`-=` writes into the x of whoever called. Make a new tensor.", raises=True)

DEPENDS, ONE = "steps.batch_norm.depends", "steps.batch_norm.one_text"
wrong_choice(DEPENDS, "a", "that is so for LayerNorm. Here the mean and the variance are sums over "
             "all tokens of the batch, and the output has both in it.")
wrong_choice(DEPENDS, "b", "the sums know no order: later tokens are in them as well.")
wrong_choice(DEPENDS, "c", "the other texts of the batch are in the sums too.")
wrong_choice(ONE, "a", "that error exists, for one token in *training* mode. In use no batch is "
             "measured.")
wrong_choice(ONE, "c", "that is what training mode does. In use BatchNorm takes what it has "
             "stored, and the text at hand changes nothing in it.")
wrong_choice(ONE, "d", "it does norm: with means and variances that it collected in training.")
