"""Known wrong answers to the norms themselves."""

import torch

from .. import edit, mistake

LAYER, RMS = "norms.layer_norm", "norms.rms_norm"
MEAN, SQUARES = "x.mean(-1, keepdim=True)", "centred.square().mean(-1, keepdim=True)"
ROOT = "(variance + eps).sqrt()"
STAYS_FLOAT32 = ("bfloat16 goes in and float32 comes out. Computing in float32 on the way is "
                 "fine; the result has the dtype of x: .to(x.dtype) at the end.")

edit(LAYER, "unbiased_variance", SQUARES, "x.var(-1, keepdim=True)",
     "the variance is divided by D − 1. Nothing is estimated here, so it is the plain mean of the "
     "squares: divided by D, correction=0.")
edit(LAYER, "standard_deviation_of_torch", f"centred / {ROOT}",
     "centred / (x.std(-1, keepdim=True) + eps)",
     "x.std divides by D − 1, and eps stands outside the root. Divide by √(variance + eps), the "
     "variance by D.")
edit(LAYER, "eps_outside", ROOT, "(variance.sqrt() + eps)",
     "eps is added after the root. It belongs inside, √(variance + eps): what has to be kept from "
     "0 is the argument of the root.")
edit(LAYER, "eps_fixed", "+ eps)", "+ 1e-5)",
     "`eps` has no effect: the default stands in the code, or torch's function was not given it. "
     "Use the one that comes in.")
edit(LAYER, "no_eps", ROOT, "variance.sqrt()",
     "eps is missing: a row whose entries are all equal is 0/0.")
edit(LAYER, "eps_as_a_floor", ROOT, "variance.clamp(min=eps).sqrt()",
     "eps is a lower limit here. It is added: √(variance + eps).")
edit(LAYER, "eps_squared", "+ eps)", "+ eps**2)",
     "eps is squared. What is added to the variance is eps itself.")
edit(LAYER, "no_root", ROOT, "(variance + eps)",
     "this divides by the variance. Divide by its root, so that the result has variance 1.")
edit(LAYER, "over_the_rows", "(-1, keepdim=True)", "(0, keepdim=True)",
     "mean and variance are taken over the first dimension, column by column: that is what "
     "BatchNorm does. Each token has statistics of its own, over the last dimension.")
edit(LAYER, "batch_norm", "(-1, keepdim=True)",
     "(tuple(range(max(1, x.dim() - 1))), keepdim=True)",
     "each column gets a mean and a variance over all tokens: that is BatchNorm. Each token has "
     "statistics of its own, over the last dimension.")
edit(LAYER, "over_everything", "mean(-1, keepdim=True)", "mean()",
     "one mean and one variance are taken over the whole tensor, so tokens share them. Take them "
     "over the last dimension, with keepdim=True.")
edit(LAYER, "over_the_tokens_too", "(-1, keepdim=True)",
     "(tuple(range(min(1, x.dim() - 1), x.dim())), keepdim=True)",
     "the statistics run over the tokens of a text too. Each token has its own: the last dimension "
     "alone.")
edit(LAYER, "last_but_one", "(-1, keepdim=True)", "(-2, keepdim=True)",
     "the statistics run over the last dimension but one, so tokens share them. Each token has "
     "statistics of its own, over the last.")
edit(LAYER, "dimension_1", "(-1, keepdim=True)", "(1, keepdim=True)",
     "the statistics run over dimension 1. That is the last one for [T, D] only: call it −1.")
edit(LAYER, "no_keepdim", "mean(-1, keepdim=True)", "mean(-1)",
     "the statistics lost their dimension, so they meet x along the wrong one. keepdim=True leaves "
     "a 1 in its place.", raises=True)
edit(LAYER, "mean_stays", "centred / (", "x / (",
     "x is divided, and its mean is still in it. Divide x − mean.")
edit(LAYER, "square_about_zero", SQUARES, "x.square().mean(-1, keepdim=True)",
     "this is the mean of x², mean included. The variance is that of x − mean.")
edit(LAYER, "rms_norm_with_an_offset", f"centred = x - {MEAN}", "centred = x",
     "no mean is subtracted: this is RMSNorm with an offset.")
edit(LAYER, "offset_before_the_gain", "out = centred / (variance + eps).sqrt() * weight\n",
     "out = (centred / (variance + eps).sqrt() + (0 if bias is None else bias)) * weight\n"
     "    bias = None\n",
     "the offset is added before the gain, so it is multiplied as well. Gain first, then offset.")
edit(LAYER, "gain_first", "centred = x -", "x = x * weight\n    weight = 1\n    centred = x -",
     "the gain is multiplied in before mean and variance are taken, so it is normed away. Norm "
     "first, then multiply.")
edit(LAYER, "swapped", "    centred = x -", "    weight, bias = (1, weight) if bias is None else "
     "(bias, weight)\n    centred = x -",
     "gain and offset have changed places: weight multiplies, bias is added (torch's layer_norm "
     "takes them in this order too).")
edit(LAYER, "no_offset", "out if bias is None else out + bias", "out",
     "the offset is not added.")
edit(LAYER, "offset_subtracted", "out + bias", "out - bias", "the offset is subtracted. Add it.")
edit(LAYER, "no_gain", " * weight", "", "the gain is not used.")
edit(LAYER, "gain_without_sign", " * weight", " * weight.abs()",
     "the gain has lost its sign. It is learned and may become negative: multiply by it as it is.")
edit(LAYER, "gain_cut_at_0", " * weight", " * weight.clamp(min=0)",
     "a negative gain counts as 0. It is learned and may become negative: multiply by it as it is.")
edit(LAYER, "one_plus_gain", " * weight", " * (1 + weight)",
     "this multiplies by 1 + weight. There are models that store the gain that way; here the gain "
     "is `weight` itself, and starts at 1.")
edit(LAYER, "cut_statistics", ROOT, "(variance + eps).sqrt().detach()",
     "the numbers are right, and the gradient is not: the variance was cut out of the graph, and "
     "it depends on x.")
edit(LAYER, "x_cut", "    centred = x -", "    x = x.detach()\n    centred = x -",
     "the numbers are right, but no gradient to x gets through: something cuts x out of the graph, "
     "such as .data or .detach().", raises=True)
edit(LAYER, "no_gradient", "return out", "out = out.detach()\n    return out",
     "the numbers are right, but no gradient gets through: something cuts the graph, such as "
     ".data, .detach() or NumPy.", raises=True)
edit(LAYER, "stays_float32", "    centred = x -",
     "    x = x.to(torch.promote_types(x.dtype, torch.float32))\n    centred = x -", STAYS_FLOAT32)

MEAN_SQUARE = "x.square().mean(-1, keepdim=True)"
RMS_ROOT = "(mean_square + eps).sqrt()"
edit(RMS, "sum_of_squares", MEAN_SQUARE, "x.square().sum(-1, keepdim=True)",
     "this divides by the length of x, so that the result has length 1. RMS takes the mean of the "
     "squares: the result has length √D.")
edit(RMS, "length_of_torch", f"x / {RMS_ROOT}", "x / x.norm(dim=-1, keepdim=True)",
     "x.norm is the length of x, the root of the *sum* of the squares. RMS takes their mean, and "
     "eps is added to that mean.")
edit(RMS, "one_less", MEAN_SQUARE, "x.square().sum(-1, keepdim=True) / (x.shape[-1] - 1)",
     "the sum of squares is divided by D − 1. It is a plain mean: D.")
edit(RMS, "square_of_the_mean", MEAN_SQUARE, "x.mean(-1, keepdim=True).square()",
     "the mean is squared. Square first: the mean of the squares.")
edit(RMS, "gain_added", " * weight", " + weight", "the gain is added. Multiply by it.")
edit(RMS, "in_place", f"return x / {RMS_ROOT} * weight", f"x /= {RMS_ROOT}\n    return x * weight",
     "`/=` writes into the x of whoever called. Make a new tensor.", raises=True)
edit(RMS, "subtracts_the_mean", "x / (", "(x - x.mean(-1, keepdim=True)) / (",
     "a mean is subtracted. RMSNorm does not look at the mean at all.")
edit(RMS, "variance", MEAN_SQUARE, "x.var(-1, keepdim=True, correction=0)",
     "this is the variance, about the mean. The M of RMS is the mean of x² as it is.")
edit(RMS, "unbiased_variance", MEAN_SQUARE, "x.var(-1, keepdim=True)",
     "this is the variance, about the mean and divided by D − 1. Take the mean of x² as it is.")
edit(RMS, "layer_norm", "    mean_square",
     "    x = x - x.mean(-1, keepdim=True)\n    mean_square",
     "this is LayerNorm without an offset: the mean is subtracted first. RMSNorm leaves it in.")
edit(RMS, "mean_of_sizes", "x.square()", "x.abs().square()[..., :0].sum(-1, keepdim=True) + "
     "x.abs().mean(-1, keepdim=True).square()",
     "this divides by the mean of |x|. RMS is the root of the mean of the squares.")
edit(RMS, "eps_outside", RMS_ROOT, "(mean_square.sqrt() + eps)",
     "eps is added after the root. It belongs inside: √(mean of x² + eps).")
edit(RMS, "standard_deviation", RMS_ROOT, "(x.std(-1, keepdim=True) + eps)",
     "this divides by the standard deviation, about the mean (and by D − 1). Take the mean of x² "
     "as it is, and add eps before the root.")
edit(RMS, "eps_fixed", "+ eps)", "+ 1e-6)",
     "`eps` has no effect: the default stands in the code. Use the one that comes in.")
edit(RMS, "torchs_eps", "+ eps)", "+ torch.finfo(x.dtype).eps)",
     "what is added is far smaller than `eps`. (torch's rms_norm takes the smallest step of the "
     "dtype when no eps is handed on.)")
edit(RMS, "eps_squared", "+ eps)", "+ eps**2)",
     "eps is squared. What is added to the mean square is eps itself.")
edit(RMS, "no_eps", RMS_ROOT, "mean_square.sqrt()", "eps is missing: a row of zeros is 0/0.")
edit(RMS, "eps_as_a_floor", RMS_ROOT, "mean_square.clamp(min=eps).sqrt()",
     "eps is a lower limit here. It is added: √(mean of x² + eps).")
edit(RMS, "no_root", RMS_ROOT, "(mean_square + eps)",
     "this divides by the mean square. Take its root.")
edit(RMS, "times_the_root", "x / (", "x * (",
     "this multiplies by the RMS. Divide by it (or multiply by rsqrt).")
edit(RMS, "over_the_rows", "mean(-1, keepdim=True)", "mean(0, keepdim=True)",
     "the mean of the squares runs over the first dimension, so tokens share it. Each token has "
     "its own, over the last one.")
edit(RMS, "over_all_tokens", "mean(-1, keepdim=True)",
     "mean(tuple(range(max(1, x.dim() - 1))), keepdim=True)",
     "the mean runs over all tokens, for each column by itself. Each token has its own, over the "
     "last dimension.")
edit(RMS, "over_everything", "mean(-1, keepdim=True)", "mean()",
     "the mean runs over the whole tensor: all tokens are divided by one number. Name the last "
     "dimension, with keepdim=True.")
edit(RMS, "over_the_tokens_too", "mean(-1, keepdim=True)",
     "mean(tuple(range(min(1, x.dim() - 1), x.dim())), keepdim=True)",
     "the mean of the squares runs over the tokens of a text too. Each token has its own.")
edit(RMS, "last_but_one", "mean(-1, keepdim=True)", "mean(-2, keepdim=True)",
     "the mean runs over the last dimension but one, so tokens share it. Each token has its own, "
     "over the last.")
edit(RMS, "dimension_1", "mean(-1, keepdim=True)", "mean(1, keepdim=True)",
     "the mean runs over dimension 1. That is the last one for [T, D] only: call it −1.")
edit(RMS, "no_keepdim", "mean(-1, keepdim=True)", "mean(-1)",
     "the mean of the squares lost its dimension, so it meets x along the wrong one. keepdim=True "
     "leaves a 1 in its place.", raises=True)
edit(RMS, "no_gain", " * weight", "", "the gain is not used.")
edit(RMS, "gain_without_sign", " * weight", " * weight.abs()",
     "the gain has lost its sign. It is learned and may become negative: multiply by it as it is.")
edit(RMS, "gain_cut_at_0", " * weight", " * weight.clamp(min=0)",
     "a negative gain counts as 0. It is learned and may become negative: multiply by it as it is.")
edit(RMS, "one_plus_gain", " * weight", " * (1 + weight)",
     "this multiplies by 1 + weight. There are models that store the gain that way; here the gain "
     "is `weight` itself, and starts at 1.")
edit(RMS, "gain_divides", " * weight", " / weight", "the gain divides. Multiply by it.")
edit(RMS, "cut_statistics", RMS_ROOT, f"{RMS_ROOT}.detach()",
     "the numbers are right, and the gradient is not: the RMS was cut out of the graph, and it "
     "depends on x.")
edit(RMS, "stays_float32", "    mean_square",
     "    x = x.to(torch.promote_types(x.dtype, torch.float32))\n    mean_square", STAYS_FLOAT32)
edit(RMS, "x_cut", "    mean_square", "    x = x.detach()\n    mean_square",
     "the numbers are right, but no gradient to x gets through: something cuts x out of the graph, "
     "such as .data or .detach().", raises=True)
edit(RMS, "no_gradient", "return x / (mean_square + eps).sqrt() * weight",
     "return (x / (mean_square + eps).sqrt() * weight).detach()",
     "the numbers are right, but no gradient gets through: something cuts the graph, such as "
     ".data, .detach() or NumPy.", raises=True)


@mistake(RMS, "the gain is multiplied in before the RMS is taken, so it is normed away. Norm "
         "first, then multiply.")
def gain_first(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    z = x * weight
    return z / (z.square().mean(-1, keepdim=True) + eps).sqrt()
