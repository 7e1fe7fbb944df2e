"""Known wrong answers to the gradients of the norms."""

import torch

from .. import edit, mistake

RMS, LAYER = "norms.rms_norm_backward", "norms.layer_norm_backward"
ALONG = "xhat * (g * xhat).mean(-1, keepdim=True)"
DX = f"(g - {ALONG}) / r"
DWEIGHT = "(grad * xhat).reshape(-1, x.shape[-1]).sum(0)"
R = "r = (x.square().mean(-1, keepdim=True) + eps).sqrt()"
edit(RMS, "by_autograd", R,
     "x, weight = x.detach().requires_grad_(), weight.detach().requires_grad_()\n    "
     f"return torch.autograd.grad(rms_norm(x, weight, eps), (x, weight), grad)\n    {R}",
     "autograd did the work, and here it is switched off. Write both gradients with the formula "
     "above.", raises=True)
C = "centred = x - x.mean(-1, keepdim=True)"
edit(LAYER, "by_autograd", C,
     "x, weight = x.detach().requires_grad_(), weight.detach().requires_grad_()\n    "
     "bias = torch.zeros_like(weight).requires_grad_()\n    return torch.autograd.grad("
     f"layer_norm(x, weight, bias, eps), (x, weight, bias), grad)\n    {C}",
     "autograd did the work, and here it is switched off. Write the three gradients with the "
     "formula above.", raises=True)
for target, first in ((RMS, R), (LAYER, C)):
    edit(target, "stays_float32", first,
         f"x = x.to(torch.promote_types(x.dtype, torch.float32))\n    {first}",
         "bfloat16 goes in and float32 comes out. Computing in float32 on the way is fine; the "
         "gradients have the dtype of x: .to(x.dtype) at the end.")
edit(RMS, "dweight_over_the_gain", DWEIGHT, f"{DWEIGHT.replace('grad', 'g')} / weight",
     "dweight is divided by the gain, and a gain of 0 gives 0/0. Without the gain in it there is "
     "nothing to divide by: grad · x̂.")
edit(LAYER, "dweight_over_the_gain", "(grad * xhat, grad)", "(g * xhat / weight, g / weight)",
     "the gradients are divided by the gain, and a gain of 0 gives 0/0. Without the gain in them "
     "there is nothing to divide by: grad · x̂ and grad.")
edit(RMS, "xhat_from_the_result", "xhat = x / r", "xhat = rms_norm(x, weight, eps) / weight",
     "x̂ is made from the result, divided by the gain, and a gain of 0 gives 0/0. It is x / r.")
edit(LAYER, "xhat_from_the_result", "xhat = centred / sigma",
     "xhat = layer_norm(x, weight, None, eps) / weight",
     "x̂ is made from the result, divided by the gain, and a gain of 0 gives 0/0. It is "
     "(x − mean) / σ.")
edit(RMS, "product_of_means", "(g * xhat).mean(-1, keepdim=True)",
     "(g.mean(-1, keepdim=True) * xhat.mean(-1, keepdim=True))",
     "the means of g and of x̂ are multiplied. Multiply entry by entry first, then take the mean.")
edit(LAYER, "dbias_mean", "up.sum(0)", "up.mean(0)",
     "dbias is a mean over the tokens. All of them use the one offset: the sum.")
edit(LAYER, "dweight_of_centred", "(grad * xhat, grad)", "(grad * centred, grad)",
     "dweight is made of x − mean. The gain multiplies x̂, which is that divided by σ.")
edit(LAYER, "one_number", "up.sum(0)", "up.sum()",
     "dbias is one number. Every column has an offset of its own: sum over the tokens only.")
edit(LAYER, "means_over_all", "g.mean(-1, keepdim=True) - xhat * (g * xhat).mean(-1, keepdim=True)",
     "g.mean() - xhat * (g * xhat).mean()",
     "the means run over all tokens. Each token is normed by itself: the last dimension.")
edit(RMS, "r_is_no_constant", DX, "g / r",
     "dx is g/r, as if r were a constant. r depends on every entry of x, and that gives the second "
     "term: − x̂ · mean(g x̂).")
edit(RMS, "sum", "(g * xhat).mean(-1, keepdim=True)", "(g * xhat).sum(-1, keepdim=True)",
     "the second term takes the sum of g x̂. r is the root of a mean, so its slope has a 1/D: the "
     "mean.")
edit(RMS, "plus", "g - xhat", "g + xhat",
     "the second term is added. A larger x makes r larger and x̂ smaller: it is subtracted.")
edit(RMS, "x_for_xhat", ALONG, "x * (g * x).mean(-1, keepdim=True)",
     "the second term is made of x. It is made of x̂ = x / r, both times.")
edit(RMS, "x_once", ALONG, "x * (g * xhat).mean(-1, keepdim=True)",
     "the first factor of the second term is x. It is x̂ = x / r.")
edit(RMS, "elementwise", ALONG, "xhat * g * xhat / x.shape[-1]",
     "only the diagonal of the Jacobian is used: entry j of dx gets something from every g_i. Take "
     "the mean of g x̂ over the row.")
edit(RMS, "no_gain_in_g", "g = grad * weight", "g = grad",
     "the gain is left out of dx. What arrives at x̂ is grad · weight.")
edit(RMS, "gain_after", DX, f"(grad - {ALONG.replace('g *', 'grad *')}) / r * weight",
     "the gain multiplies the whole of dx at the end. It belongs to grad, before the mean is "
     "taken: g = grad · weight.")
edit(RMS, "no_gain_in_the_mean", "(g * xhat).mean", "(grad * xhat).mean",
     "the mean is taken of grad · x̂, without the gain. Both terms are made of g = grad · weight.")
edit(RMS, "centred_too", DX, f"(g - g.mean(-1, keepdim=True) - {ALONG}) / r",
     "the mean of g is subtracted as well: that term is LayerNorm's. RMSNorm subtracts no mean on "
     "the way forward.")
edit(RMS, "not_divided", DX, f"g - {ALONG}",
     "dx is not divided by r. x̂ = x / r, so a step in x is 1/r of it in x̂.")
edit(RMS, "divided_by_the_square", DX, f"(g - {ALONG}) / r.square()",
     "dx is divided by r². Once is enough when the second term is written with x̂.")
edit(RMS, "times_r", DX, f"(g - {ALONG}) * r",
     "dx is multiplied by r. Divide: the larger x is, the less a step in it changes x̂.")
edit(RMS, "no_eps", "+ eps).sqrt()", "+ 0 * eps).sqrt()",
     "eps is left out of r. It is in the forward function, so it is in its gradient.")
edit(RMS, "eps_fixed", "+ eps).sqrt()", "+ 1e-6).sqrt()",
     "`eps` has no effect: the default stands in the code. Use the one that comes in.")
edit(RMS, "eps_outside", "(x.square().mean(-1, keepdim=True) + eps).sqrt()",
     "x.square().mean(-1, keepdim=True).sqrt() + eps",
     "eps is added after the root. r is what rms_norm divides by: √(mean of x² + eps).")
edit(RMS, "variance", "x.square().mean(-1, keepdim=True)",
     "x.var(-1, keepdim=True, correction=0)",
     "r is the standard deviation, about the mean. rms_norm divides by √(mean of x² + eps).")
edit(RMS, "sum_in_r", "x.square().mean", "x.square().sum",
     "r is the length of x, made of a sum. rms_norm divides by the root of the mean.")
edit(RMS, "mean_over_tokens", "(g * xhat).mean(-1, keepdim=True)",
     "(g * xhat).mean(0, keepdim=True)",
     "the mean of g x̂ runs over the first dimension, so tokens get a part of one another. It runs "
     "over the last.")
edit(RMS, "no_keepdim", "(g * xhat).mean(-1, keepdim=True)", "(g * xhat).mean(-1)",
     "the mean of g x̂ lost its dimension, so it meets x̂ along the wrong one. keepdim=True leaves a "
     "1 in its place.", raises=True)
edit(RMS, "mean_over_everything", "(g * xhat).mean(-1, keepdim=True)", "(g * xhat).mean()",
     "the mean of g x̂ runs over all tokens. Each token has its own: the last dimension, keepdim.")
edit(RMS, "dweight_of_x", DWEIGHT, "(grad * x).reshape(-1, x.shape[-1]).sum(0)",
     "dweight is made of x. The gain multiplies x̂, so x̂ is its slope.")
edit(RMS, "dweight_with_gain", DWEIGHT, "(g * xhat).reshape(-1, x.shape[-1]).sum(0)",
     "the gain is inside dweight. y = x̂ · weight has the slope x̂ in weight: grad · x̂.")
edit(RMS, "dweight_mean", DWEIGHT, "(grad * xhat).reshape(-1, x.shape[-1]).mean(0)",
     "dweight is the mean over the tokens. Every token used the same gain, so its gradients add "
     "up: the sum.")
edit(RMS, "dweight_not_summed", DWEIGHT, "grad * xhat",
     "dweight has a row for each token. All tokens share one gain: sum over all leading "
     "dimensions.")
edit(RMS, "dweight_first_dimension", DWEIGHT,
     "(grad * xhat).sum(0) if x.dim() > 1 else grad * xhat",
     "dweight is summed over the first dimension only. With [B, T, D] both B and T go.")
edit(RMS, "dweight_two_dimensions", DWEIGHT,
     "(grad * xhat).sum((0, 1)) if x.dim() > 1 else grad * xhat",
     "dweight is summed over two dimensions, whatever x has. All leading ones go, as many as there "
     "are, and the last one stays.")
edit(RMS, "dweight_of_one_row", DWEIGHT, "(grad * xhat).sum(tuple(range(x.dim() - 1)))",
     "a single row [D] has no leading dimension, and torch's sum over an empty tuple of dimensions "
     "runs over all of them. reshape(-1, D) and sum(0) do for every shape.")
edit(RMS, "dweight_a_number", DWEIGHT, "(grad * xhat).sum()",
     "dweight is one number. The sum runs over the tokens; a number for each column stays.")
edit(RMS, "dweight_keepdim", DWEIGHT, f"{DWEIGHT[:-1]}, keepdim=True)",
     "dweight has a dimension too many. It is as large as the gain: [D].")
edit(RMS, "dweight_per_token", DWEIGHT, "(grad * xhat).sum(-1)",
     "dweight is summed over the last dimension. That one stays: a number for each of D columns.")
edit(RMS, "left_on_the_inputs", "return dx, dweight", """\
for leaf, gradient in ((x, dx), (weight, dweight)):
        leaf.grad = gradient + (0 if leaf.grad is None else leaf.grad)
    return x.grad, weight.grad""",
     "a second call with the same tensors gives another result: .backward() leaves its gradient on "
     "them, and the next one is added. Work on x.detach().clone(), or by formula.")
edit(RMS, "swapped", "return dx, dweight", "return dweight, dx",
     "dx and dweight have changed places.")

CENTRED_DX = f"(g - g.mean(-1, keepdim=True) - {ALONG}) / sigma"
edit(LAYER, "mean_of_g_forgotten", "g - g.mean(-1, keepdim=True) - ", "g - ",
     "dx lacks the mean of g. Subtracting the mean on the way forward subtracts one on the way "
     "back.")
edit(LAYER, "rms_norms", "centred = x - x.mean(-1, keepdim=True)", "centred = x",
     "x̂ is made of x as it is, as in RMSNorm. LayerNorm norms x − mean.")
edit(LAYER, "along_xhat_forgotten", f" - {ALONG}", "",
     "dx lacks − x̂ · mean(g x̂): σ is treated as a constant, and it depends on x.")
edit(LAYER, "constants", CENTRED_DX, "g / sigma",
     "dx is g/σ: mean and σ are treated as constants. Both depend on every entry of x.")
edit(LAYER, "sums", ".mean(-1, keepdim=True) - xhat * (g * xhat).mean(-1, keepdim=True)",
     ".sum(-1, keepdim=True) - xhat * (g * xhat).sum(-1, keepdim=True)",
     "both corrections are sums. They come from a mean and from the root of a mean: take means.")
edit(LAYER, "sum_of_one", "(g * xhat).mean(-1, keepdim=True)", "(g * xhat).sum(-1, keepdim=True)",
     "the term along x̂ takes the sum of g x̂. σ is the root of a mean: take the mean.")
edit(LAYER, "plus", "- xhat * (g", "+ xhat * (g",
     "the term along x̂ is added. A larger spread makes σ larger and x̂ smaller: it is subtracted.")
edit(LAYER, "unbiased", "centred.square().mean(-1, keepdim=True)",
     "centred.square().sum(-1, keepdim=True) / (x.shape[-1] - 1)",
     "the variance is divided by D − 1 here. The forward function divides by D.")
edit(LAYER, "x_for_xhat", ALONG, "centred * (g * centred).mean(-1, keepdim=True)",
     "the second term is made of x − mean. It is made of x̂, both times.")
edit(LAYER, "xhat_of_x", "xhat = centred / sigma", "xhat = x / sigma",
     "x̂ still has the mean in it: x̂ = (x − mean) / σ.")
edit(LAYER, "no_gain_in_g", "g = grad * weight", "g = grad",
     "the gain is left out of dx. What arrives at x̂ is grad · weight.")
edit(LAYER, "no_gain_in_first_mean", "g - g.mean", "g - grad.mean",
     "the first mean is taken of grad, without the gain. All three terms are made of g = grad · "
     "weight.")
edit(LAYER, "no_gain_in_second_mean", "(g * xhat).mean", "(grad * xhat).mean",
     "the mean along x̂ is taken of grad · x̂, without the gain. All three terms are made of g = "
     "grad · weight.")
edit(LAYER, "x_once", ALONG, "centred * (g * xhat).mean(-1, keepdim=True)",
     "the first factor of the term along x̂ is x − mean. It is x̂.")
edit(LAYER, "divided_by_the_square", CENTRED_DX, f"{CENTRED_DX}.square()",
     "dx is divided by σ². Once is enough when the term is written with x̂.")
edit(LAYER, "times_sigma", CENTRED_DX, CENTRED_DX.replace("/", "*"),
     "dx is multiplied by σ. Divide: the larger the spread, the less a step in x changes x̂.")
edit(LAYER, "mean_of_g_added", "g - g.mean", "g + g.mean",
     "the mean of g is added. It is subtracted, as the mean of x is.")
edit(LAYER, "mean_over_tokens", "g.mean(-1, keepdim=True) -", "g.mean(0, keepdim=True) -",
     "the mean of g runs over the first dimension, so tokens get a part of one another. It runs "
     "over the last.")
edit(LAYER, "gain_after", CENTRED_DX,
     f"{CENTRED_DX.replace('g ', 'grad ').replace('g.', 'grad.')} * weight",
     "the gain multiplies the whole of dx at the end. It belongs to grad, before the means are "
     "taken: g = grad · weight.")
edit(LAYER, "not_divided", " / sigma\n    rows", "\n    rows", "dx is not divided by σ.")
edit(LAYER, "no_eps", "+ eps).sqrt()", "+ 0 * eps).sqrt()",
     "eps is left out of σ. It is in the forward function, so it is in its gradient.")
edit(LAYER, "eps_fixed", "+ eps).sqrt()", "+ 1e-5).sqrt()",
     "`eps` has no effect: the default stands in the code. Use the one that comes in.")
edit(LAYER, "rms_norms_eps", "+ eps).sqrt()", "+ 1e-6).sqrt()",
     "`eps` is not handed on, so that rms_norm_backward takes its own default, 1e-6.")
edit(LAYER, "eps_outside", "(centred.square().mean(-1, keepdim=True) + eps).sqrt()",
     "centred.square().mean(-1, keepdim=True).sqrt() + eps",
     "eps is added after the root. σ is what layer_norm divides by: √(variance + eps).")
edit(LAYER, "dweight_with_gain", "(grad * xhat, grad)", "(g * xhat, grad)",
     "the gain is inside dweight. y = x̂ · weight + bias has the slope x̂ in weight: grad · x̂.")
edit(LAYER, "dweight_of_x", "(grad * xhat, grad)", "(grad * x, grad)",
     "dweight is made of x. The gain multiplies x̂, so x̂ is its slope.")
edit(LAYER, "dbias_with_gain", "(grad * xhat, grad)", "(grad * xhat, g)",
     "the gain is inside dbias. The offset is added after the gain: its slope is 1.")
edit(LAYER, "means_for_parameters", "rows.sum(0), up.sum(0)", "rows.mean(0), up.mean(0)",
     "dweight and dbias are means over the tokens. All tokens share them, so the gradients add "
     "up: sums.")
edit(LAYER, "not_summed", "rows.sum(0), up.sum(0)", "grad * xhat, grad",
     "dweight and dbias have a row for each token. Sum over all leading dimensions: [D].")
edit(LAYER, "of_one_row", "rows.sum(0), up.sum(0)",
     "*(z.sum(tuple(range(x.dim() - 1))) for z in (grad * xhat, grad))",
     "a single row [D] has no leading dimension, and torch's sum over an empty tuple of dimensions "
     "runs over all of them. reshape(-1, D) and sum(0) do for every shape.")
edit(LAYER, "first_dimension", "rows.sum(0), up.sum(0)",
     "(grad * xhat).sum(0) if x.dim() > 1 else rows.sum(0), grad.sum(0) if x.dim() > 1 else grad",
     "dweight and dbias are summed over the first dimension only. With [B, T, D] both B and T go.")
edit(LAYER, "order", "return dx, rows.sum(0), up.sum(0)", "return dx, up.sum(0), rows.sum(0)",
     "dweight and dbias have changed places.")


@mistake(LAYER, "these are RMSNorm's gradients. LayerNorm subtracts the mean, on the way forward "
         "and on the way back.")
def as_rms_norm(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-5,
                ) -> tuple[torch.Tensor, ...]:
    r = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    g, rows = grad * weight, grad.reshape(-1, x.shape[-1])
    dx = (g - x / r * (g * x / r).mean(-1, keepdim=True)) / r
    return dx, (grad * x / r).reshape(rows.shape).sum(0), rows.sum(0)
