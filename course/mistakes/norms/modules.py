"""Known wrong answers to the modules and to the weights a model starts with."""

import torch

from .. import edit, mistake

RMS, LAYER = "norms.RMSNorm", "norms.LayerNorm"
STD, INIT = "norms.residual_std", "norms.init_weights"

GAIN = "torch.nn.Parameter(torch.ones(D))"
for target in (RMS, LAYER):
    edit(target, "gain_starts_at_0", GAIN, "torch.nn.Parameter(torch.zeros(D))",
         "the gain starts at 0, so a new norm gives nothing but 0 (and the offset). It starts "
         "at 1.")
    edit(target, "gain_is_random", GAIN, "torch.nn.Parameter(torch.arange(D) / D)",
         "the gain does not start at 1: a new norm has to leave all columns alike.")
    edit(target, "made_in_float64", GAIN, "torch.nn.Parameter(torch.ones(D, dtype=torch.float64))",
         "the gain is made in float64, so that what comes out of a model in float32 is float64 "
         "from here on. Leave the dtype to torch.")
    edit(target, "one_number", GAIN, "torch.nn.Parameter(torch.ones(1))",
         "the gain is a single number. Each of the D columns has its own.", raises=True)
    edit(target, "eps_ignored", "self.eps = eps", "self.eps = 1e-6 if 'RMS' in "
         "type(self).__name__ else 1e-5",
         "`eps` has no effect: another one than the default changes nothing. Keep it, and hand it "
         "to the function.")
VIEW = ("view joins dimensions only where the numbers lie in order, and a transposed x may lie "
        "otherwise in memory. The norm takes any shape as it is; else reshape, which copies where "
        "it has to.")
for target, call in ((RMS, "rms_norm(x, self.weight, self.eps)"),
                     (LAYER, "layer_norm(x, self.weight, self.bias, self.eps)")):
    edit(target, "gain_without_sign", call, call.replace("self.weight", "self.weight.abs()"),
         "the gain has lost its sign. It is learned and may become negative: multiply by it as it "
         "is.")
    edit(target, "rows_by_view", call,
         f"{call.replace('x,', 'x.view(-1, x.shape[-1]),')}.view(x.shape)", VIEW, raises=True)
edit(RMS, "not_learned", GAIN, "torch.ones(D)",
     "the gain is a plain tensor: no optimiser finds it, and .double() leaves it behind. Wrap it "
     "in torch.nn.Parameter.", raises=True)
edit(RMS, "gain_not_used", "self.weight, self", "torch.ones_like(self.weight), self",
     "forward does not use the gain that is learned.")
edit(RMS, "with_an_offset", f"self.weight = {GAIN}",
     f"self.weight = {GAIN}\n        self.bias = torch.nn.Parameter(torch.zeros(D))",
     "an offset is learned too. RMSNorm has a gain only.", raises=True)
edit(RMS, "as_layer_norm", "rms_norm(x, self",
     "rms_norm(x - x.mean(-1, keepdim=True), self",
     "the mean is subtracted first: that is LayerNorm. RMSNorm leaves it in.")
edit(RMS, "gain_twice", "return rms_norm(x, self.weight, self.eps)",
     "return rms_norm(x, self.weight, self.eps) * self.weight",
     "the gain is multiplied twice: rms_norm does it already.")
edit(RMS, "torchs_eps", "self.eps = eps", "self.eps = torch.finfo(torch.float64).eps",
     "the eps that is used is far smaller than 1e-6. (torch's RMSNorm takes the smallest step of "
     "the dtype when no eps is handed on.)")
edit(RMS, "added_to_x", "return rms_norm", "return x + rms_norm",
     "x is added to the result. That is the block's work; a norm gives the normed x alone.")


@mistake(RMS, "the gain is kept as its distance from 1, starting at 0. There are models that do "
         "so; here `weight` is the gain itself, and starts at 1.")
class DistanceFromOne(torch.nn.Module):
    def __init__(self, D, eps=1e-6):  # type: ignore[no-untyped-def]
        super().__init__()
        self.eps, self.weight = eps, torch.nn.Parameter(torch.zeros(D))

    def forward(self, x):  # type: ignore[no-untyped-def]
        r = (x.square().mean(-1, keepdim=True) + self.eps).sqrt()
        return x / r * (1 + self.weight)


OFFSET = "torch.nn.Parameter(torch.zeros(D)) if bias else None"
edit(LAYER, "offset_starts_at_1", "torch.zeros(D)", "torch.ones(D)",
     "the offset starts at 1. It starts at 0, so that a new norm gives mean 0.")
edit(LAYER, "always_an_offset", OFFSET, "torch.nn.Parameter(torch.zeros(D))",
     "`bias=False` is not looked at: an offset is learned all the same.")
edit(LAYER, "zeros_for_none", OFFSET,
     "torch.nn.Parameter(torch.zeros(D)) if bias else torch.zeros(D)",
     "with bias=False there is still an offset, if one that is not learned, such as a tensor of "
     "zeros or a buffer. `self.bias` is None then.")
edit(LAYER, "frozen_offset", OFFSET,
     "torch.nn.Parameter(torch.zeros(D), requires_grad=bias)",
     "with bias=False the offset is a parameter all the same, if a frozen one: it is stored with "
     "the model and loaded with it. `self.bias` is None then.")
edit(LAYER, "zero_in_a_parameters_place", OFFSET,
     "torch.nn.Parameter(torch.zeros(D))\n        if not bias:\n            self.bias = "
     "torch.zeros(D)",
     "with bias=False the norm can't be made: once self.bias is a Parameter, torch refuses to put "
     "a tensor or a number there. Decide before, Parameter or None.", raises=True)
edit(LAYER, "never_an_offset", OFFSET, "None",
     "no offset is learned, whatever `bias` says: either there is none, or it is a plain tensor or "
     "a buffer, which no optimiser finds. Wrap it in torch.nn.Parameter.")
edit(LAYER, "handed_over_swapped", "self.weight, self.bias, self", "self.bias, self.weight, self",
     "gain and offset are handed over in the wrong order: layer_norm takes x, weight, bias, eps.",
     raises=True)
edit(LAYER, "as_rms_norm", "layer_norm(x, self.weight, self.bias, self.eps)",
     "rms_norm(x, self.weight, self.eps) + (0 if self.bias is None else self.bias)",
     "no mean is subtracted: this is RMSNorm with an offset. layer_norm does it.")
edit(LAYER, "offset_not_used", "self.bias, self.eps", "None, self.eps",
     "forward does not use the offset that is learned.")
edit(LAYER, "turned_around", OFFSET, "None if bias else torch.nn.Parameter(torch.zeros(D))",
     "there is an offset exactly when `bias` is False.")


@mistake(LAYER, "gain and offset have changed places: a new norm has to give mean 0 and "
         "variance 1.")
class Swapped(torch.nn.Module):
    def __init__(self, D, eps=1e-5, bias=True):  # type: ignore[no-untyped-def]
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.zeros(D))
        self.bias = torch.nn.Parameter(torch.ones(D)) if bias else None

    def forward(self, x):  # type: ignore[no-untyped-def]
        gain = 1.0 if self.bias is None else self.bias
        c = x - x.mean(-1, keepdim=True)
        return c / (c.square().mean(-1, keepdim=True) + self.eps).sqrt() * gain + self.weight


ROOT = "base / math.sqrt(2 * n_layer)"
edit(STD, "one_branch", ROOT, "base / math.sqrt(n_layer)",
     "this counts one branch a layer. There are two: attention and feed-forward.")
edit(STD, "no_root", ROOT, "base / (2 * n_layer)",
     "this divides by 2N. A factor a on the weights is a² on the variance, so the root of it is "
     "enough.")
edit(STD, "multiplied", ROOT, "base * math.sqrt(2 * n_layer)",
     "this makes the projections larger with depth. More branches have to be smaller.")
edit(STD, "base_ignored", ROOT, "0.02 / math.sqrt(2 * n_layer)",
     "0.02 stands in the code where `base` should.")
edit(STD, "two_outside", ROOT, "base / (2 * math.sqrt(n_layer))",
     "the 2 stands outside the root. There are 2N branches, and the root is taken of that number.")
edit(STD, "variance", ROOT, "base**2 / (2 * n_layer)",
     "this is the variance. Its root, the standard deviation, is asked for.")
edit(STD, "factor_alone", ROOT, "1 / math.sqrt(2 * n_layer)",
     "this is the factor alone. Multiply `base` by it.")
edit(STD, "rounded", ROOT, "round(base / math.sqrt(2 * n_layer), 3)",
     "the number is rounded. Give it as it is.")

ENDS = 'name.rpartition(".")[2] in RESIDUAL'
SMALLER = "std = residual_std(n_layer, base)"
NORMAL = "torch.nn.init.normal_(part.weight, 0.0, std, generator)"
edit(INIT, "suffix", ENDS, 'name.endswith("proj")',
     "every name that ends in proj is made smaller, q_proj among them. Only the layers that end "
     "a branch are: compare the whole own name.")
edit(INIT, "long_suffix", ENDS, "name.endswith(RESIDUAL)",
     "a layer whose name merely ends in out_proj is made smaller too. The own name, what stands "
     "behind the last dot, has to be in RESIDUAL.")
edit(INIT, "out_proj_alone", ENDS, 'name.rpartition(".")[2] == "out_proj"',
     "attention's projections are made smaller, and those of the feed-forward are not. Two "
     "branches a layer: out_proj and down_proj.", raises=True)
edit(INIT, "none_found", ENDS, "name in RESIDUAL",
     "no projection was found. named_modules() gives full names, layers.0.out_proj: take what "
     "stands behind the last dot. (named_children() would not look inside a layer.)", raises=True)
edit(INIT, "not_only_linear", f"isinstance(part, torch.nn.Linear) and {ENDS}", ENDS,
     "an embedding that is called down_proj is counted and made smaller. Only *linear* layers end "
     "a branch.")
DRAWN = "        if isinstance(part, torch.nn.Linear | torch.nn.Embedding):"
edit(INIT, "any_part_of_that_name", DRAWN, f"        if {ENDS} and not isinstance(part, "
     f"torch.nn.Linear):\n            found.append(name)\n{DRAWN}",
     "whatever is called out_proj or down_proj is named, linear layer or not. Only *linear* layers "
     "end a branch.")
edit(INIT, "std_as_a_factor", SMALLER, "std = base * residual_std(n_layer, base)",
     "residual_std is used as a factor. It is the standard deviation itself, `base` included.")
edit(INIT, "one_branch", SMALLER, "std = base / math.sqrt(n_layer)",
     "this counts one branch a layer. Theirs is residual_std(n_layer, base), with 2 · n_layer.")
edit(INIT, "down_proj_alone", ENDS, 'name.rpartition(".")[2] == "down_proj"',
     "the feed-forward's projections are made smaller, and those of attention are not. Two "
     "branches a layer: out_proj and down_proj.", raises=True)
edit(INIT, "nothing_smaller", SMALLER, "pass",
     "the projections are named, and get the same weights as all others. Theirs are "
     "residual_std(n_layer, base).")
edit(INIT, "all_smaller", "std = base\n", "std = residual_std(n_layer, base)\n",
     "every weight is made smaller. Only the two projections of a layer that end a branch are.")
edit(INIT, "no_base", SMALLER, "std = residual_std(n_layer)",
     "the projections get residual_std of the default base, whatever `base` is. Hand it on.")
edit(INIT, "variance_for_std", NORMAL, "torch.nn.init.normal_(part.weight, 0.0, std**2, generator)",
     "std² is given as the standard deviation. torch's normal_ takes the standard deviation "
     "itself.")
edit(INIT, "uniform", NORMAL,
     "torch.nn.init.uniform_(part.weight, -std * 3**0.5, std * 3**0.5, generator)",
     "the spread is right, and the weights are uniform. They come from a normal distribution.")
edit(INIT, "outside_no_grad", NORMAL, "part.weight.normal_(0.0, std, generator=generator)",
     "a parameter can't be changed in place while torch writes down what is done with it. Draw "
     "under torch.no_grad(), or with torch.nn.init, which sees to that.", raises=True)
edit(INIT, "not_drawn", NORMAL, "part.weight.data.mul_(std)",
     "nothing is drawn: the weights that were there are multiplied. Give them new ones from "
     "N(0, std²).")
edit(INIT, "torchs_numbers_too", "found = []", "found = []; torch.manual_seed(0)",
     "torch's own random numbers are set or used on the way, although a generator came in. Draw "
     "from that one alone.")
edit(INIT, "generator_ignored", NORMAL, "torch.nn.init.normal_(part.weight, 0.0, std)",
     "`generator` is not used, so the same seed does not give the same model. Hand it to every "
     "call that draws.")
edit(INIT, "own_seed", "found = []", "found = []; generator = torch.Generator().manual_seed(0)",
     "the model has a generator of its own, so it starts alike whatever seed was asked for. Draw "
     "from the `generator` that came in.")
edit(INIT, "a_seed_for_each", NORMAL, "torch.nn.init.normal_(part.weight, 0.0, std, "
     "torch.Generator().manual_seed(0))",
     "each weight is drawn with a fresh generator, so layers of one shape start with the same "
     "numbers. One generator serves the whole model.")
edit(INIT, "exact_class", "isinstance(part, torch.nn.Linear | torch.nn.Embedding)",
     "type(part) in (torch.nn.Linear, torch.nn.Embedding)",
     "a layer whose class is made from torch.nn.Linear is passed over. It is one too: isinstance.")
edit(INIT, "head_forgotten", "isinstance(part, torch.nn.Linear | torch.nn.Embedding)",
     "isinstance(part, torch.nn.Embedding) or getattr(part, 'bias', None) is not None and "
     "isinstance(part, torch.nn.Linear)",
     "a linear layer without a bias, such as the head, is left as it was.")
edit(INIT, "no_embeddings", "torch.nn.Linear | torch.nn.Embedding", "torch.nn.Linear",
     "embeddings are left as they were. They get N(0, base²) as well.")
edit(INIT, "biases_left", "torch.nn.init.zeros_(part.bias)", "pass",
     "biases are left as they were. They start at 0.")
edit(INIT, "bias_of_none", " and part.bias is not None", "",
     "a linear layer may have no bias: then part.bias is None, and nothing can be done to it.",
     raises=True)
edit(INIT, "offsets_of_norms", "isinstance(part, torch.nn.Linear) and part.bias is not None",
     "getattr(part, 'bias', None) is not None",
     "the offsets of the norms are set to 0 as well. Norms are left alone: only the biases of "
     "linear layers count here.")
edit(INIT, "norms_again", "    for name, part", """\
    for part in model.modules():
        if isinstance(part, torch.nn.LayerNorm):
            part.reset_parameters()
    for name, part""",
     "the norms are set back to gain 1 and offset 0. They start there by themselves; who has set "
     "them to something else meant it: leave them alone.")
edit(INIT, "biases_drawn", "torch.nn.init.zeros_(part.bias)",
     "torch.nn.init.constant_(part.bias, base)",
     "biases do not start at 0.")
edit(INIT, "norms_too", "    for name, part", """\
    for part in model.modules():
        if isinstance(part, torch.nn.LayerNorm):
            torch.nn.init.zeros_(part.weight)
    for name, part""",
     "the gains of the norms are changed too. They start at 1 by themselves: leave them alone.")
edit(INIT, "whatever_has_a_weight", "isinstance(part, torch.nn.Linear | torch.nn.Embedding)",
     "getattr(part, 'weight', None) is not None",
     "whatever has a weight gets random numbers, the norms among them. Ask for the two kinds of "
     "layer: isinstance.")
edit(INIT, "all_parameters", "    for name, part", """\
    for p in model.parameters():
        torch.nn.init.normal_(p, 0.0, base, generator)
    for name, part""",
     "every parameter gets random numbers, the gains of the norms among them. Only linear layers "
     "and embeddings are drawn.")
edit(INIT, "new_parameters", NORMAL, "part.weight = torch.nn.Parameter(torch.randn(part.weight."
     "shape, generator=generator) * std)",
     "each weight is replaced by a new parameter. An optimiser made before still holds the old "
     "one, and tied weights come apart: draw into the one that is there.")
edit(INIT, "own_names", "found.append(name)", 'found.append(name.rpartition(".")[2])',
     "only the last part of each name comes back. The full names are asked for.")
edit(INIT, "names_of_weights", "found.append(name)", 'found.append(f"{name}.weight")',
     "these are the names of the weights. The names of the layers are asked for, without .weight.")
edit(INIT, "half_counted", "std = base\n", "std = base * n_layer / 2\n",
     "the weights that end no branch depend on the number of layers. Theirs is `base` alone.")
