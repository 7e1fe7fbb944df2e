"""Known wrong answers: softmax and its logarithm."""

import torch

from .. import edit, mistake

SOFTMAX, LOG = "functional.softmax", "functional.log_softmax"
P = "torch.softmax(x, dim)"


@mistake(SOFTMAX, "exp of a large score is inf, and inf / inf is nan. Subtract the largest score "
         "of each row before exp.")
def no_max(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = x.exp()
    return e / e.sum(dim, keepdim=True)


edit(SOFTMAX, "one_max_for_all", "x.amax(dim, keepdim=True)", "x.max()",
     "one maximum for the whole tensor leaves a row of far smaller scores with exp = 0 everywhere, "
     "and 0 / 0 is nan. Each row along `dim` needs its own.")
edit(SOFTMAX, "max_of_the_columns", "x.amax(dim, keepdim=True)", "x.amax(0, keepdim=True)",
     "the maximum is taken along dimension 0, so every score of a row loses a different number. A "
     "shift changes nothing only when it is the same along `dim`.")
edit(SOFTMAX, "max_of_the_last", "x.amax(dim, keepdim=True)", "x.amax(-1, keepdim=True)",
     "the maximum is taken along the last dimension whatever `dim` says, so scores that are "
     "summed together lose different numbers. Give it `dim` too.")
edit(SOFTMAX, "sum_along_the_last", "weights.sum(dim, keepdim=True)",
     "weights.sum(-1, keepdim=True)",
     "the sum runs along the last dimension whatever `dim` says, so it is not along `dim` that the "
     "result sums to 1.")
edit(SOFTMAX, "mean_for_sum", "weights.sum(", "weights.mean(",
     "the weights are divided by their mean, so a row sums to the number of classes. Divide by "
     "their sum.")
edit(SOFTMAX, "the_smallest", "x.amax(dim, keepdim=True)", "x.amin(dim, keepdim=True)",
     "a row is moved by its smallest score or by its mean, and then the largest exponent can still "
     "overflow. Which shift leaves no exponent above 0?")
edit(SOFTMAX, "never_below_zero", "x.amax(dim, keepdim=True)",
     "x.amax(dim, keepdim=True).clamp(min=0)",
     "a row whose scores are all far below 0 comes out as 0 / 0: what is subtracted is not its "
     "largest score, which may be negative, but something above it.")
edit(SOFTMAX, "floor_under_the_shift", "x - x.amax(dim, keepdim=True).detach()",
     "(x - x.amax(dim, keepdim=True).detach()).clamp(min=-50)",
     "a score of -inf has to give exactly 0, and here a floor keeps it above. exp(-inf) is 0 by "
     "itself: an exponent can't be too small.")
edit(SOFTMAX, "clamped", "x - x.amax(dim, keepdim=True).detach()", "x.clamp(max=80)",
     "clamping keeps exp finite but makes all large scores equal, so the model can no longer tell "
     "them apart. Move the row instead: the differences stay.")
edit(SOFTMAX, "epsilon", "/ weights.sum(dim, keepdim=True)",
     "/ (weights.sum(dim, keepdim=True) + 1e-8)",
     "the rows no longer sum to 1: something is added to the denominator. After the shift one "
     "exponent is 0, so the sum is at least 1 and needs no protection.")


@mistake(SOFTMAX, "the rows no longer sum to 1: something is added to the denominator. After the "
         "shift one exponent is 0, so the sum is at least 1 and needs no protection.")
def epsilon_beside_a_max_in_the_graph(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / (e.sum(dim, keepdim=True) + 1e-8)


@mistake(SOFTMAX, "every row along the last dimension is turned into probabilities, whatever `dim` "
         "says. Pass `dim` to the maximum and to the sum.")
def always_the_last(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, -1)


@mistake(SOFTMAX, "your columns sum to 1 where the rows should. Sum along `dim`, not along the "
         "dimension before it.")
def columns(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, dim - 1)


@mistake(SOFTMAX, "your columns sum to 1 where the rows should: dimension 0 is used whatever `dim` "
         "says.")
def always_the_first(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, 0)


@mistake(SOFTMAX, "dimension 1 is used whatever `dim` says.")
def always_the_second(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, min(1, x.dim() - 1))


edit(SOFTMAX, "sum_of_everything", "weights.sum(dim, keepdim=True)", "weights.sum()",
     "all rows share one sum, so only the whole tensor sums to 1. Each row along `dim` is a "
     "distribution of its own.")
edit(SOFTMAX, "no_keepdim", "weights.sum(dim, keepdim=True)", "weights.sum(dim)",
     "the sum has lost the dimension it ran over and no longer lines up with its rows. "
     "keepdim=True keeps it at size 1.", raises=True)
edit(SOFTMAX, "maximum_and_place", "x.amax(dim, keepdim=True).detach()", "x.max(dim, keepdim=True)",
     "max with a `dim` gives two things, the largest scores and where they stand. Take "
     ".values, or use amax.", raises=True)
edit(SOFTMAX, "divided_by_the_largest", "x - x.amax(dim", "x / x.amax(dim",
     "the scores are divided by the largest one, and that changes their differences. Subtract it.")
edit(SOFTMAX, "largest_size", "x.amax(dim", "x.abs().amax(dim",
     "what is subtracted is the largest |score|. In a row of scores far below 0 all exponents are "
     "then twice as far below it; take the largest score as it is, with its sign.")
edit(SOFTMAX, "sum_of_the_scores", "weights / weights.sum(", "weights / shifted.sum(",
     "below the line stands the sum of the shifted scores. Their exponentials belong there, those "
     "that stand above it too.")
for name, instead in (("is_zero", ""), ("is_uniform", "1 / x.shape[dim]")):
    edit(SOFTMAX, f"nothing_left_{name}", "weights / weights.sum(dim, keepdim=True)",
         f"(weights / weights.sum(dim, keepdim=True)).nan_to_num({instead})",
         "a row of nothing but -inf has to come out as NaN, which 0 / 0 gives by itself. A number "
         "there would hide that nothing was left to choose from.")
edit(SOFTMAX, "base_two", "shifted.exp()", "2 ** shifted",
     "these are powers of 2, not of e: the same order, but flatter. The definition has exp.")
edit(SOFTMAX, "sign", "shifted.exp()", "(-shifted).exp()",
     "the smallest score gets the largest probability: look at the sign of the exponent.")
edit(SOFTMAX, "the_logarithm", "weights / weights.sum(dim, keepdim=True)",
     "shifted - weights.sum(dim, keepdim=True).log()",
     "these are log-probabilities, which log_softmax will give. Here the numbers themselves are "
     "asked for, between 0 and 1.")
edit(SOFTMAX, "no_gradient", "shifted.exp()", "shifted.exp().data",
     "no gradient gets back to the scores: something cuts the graph, such as .data, .detach(), "
     ".item() or NumPy.", raises=True)
edit(SOFTMAX, "sum_without_gradient", "weights.sum(dim, keepdim=True)",
     "weights.sum(dim, keepdim=True).data",
     "the gradient misses a part: the sum depends on every score, so it may not be cut out of the "
     "graph.")


@mistake(SOFTMAX, "the gradient misses a part: the sum depends on every score, so it may not be "
         "cut out of the graph.")
def sum_cut_and_max_kept(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True).detach()


@mistake(SOFTMAX, "the dimension that was moved to the end has not been moved back.")
def not_moved_back(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x.movedim(dim, -1), -1)


@mistake(SOFTMAX, "movedim there and transpose back leaves the other dimensions in another order. "
         "Go back the way you came: movedim(-1, dim).")
def moved_and_swapped(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x.movedim(dim, -1), -1).transpose(-1, dim)


@mistake(SOFTMAX, "`view` can't cut rows out of numbers that lie in another order in memory, as "
         "after a transpose. `reshape` can; with `dim` and keepdim=True neither is needed.",
         raises=True)
def with_view(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    if dim not in (-1, x.dim() - 1):
        return torch.softmax(x, dim)
    return torch.softmax(x.view(-1, x.shape[-1]), -1).view(x.shape)


edit(SOFTMAX, "float64", "x - x.amax(dim, keepdim=True)", "x.double() - x.amax(dim, keepdim=True)",
     "the result has another dtype than the scores. After the shift float32 is precise enough, so "
     "nothing has to be cast.")
edit(SOFTMAX, "float32", "shifted.exp()", "shifted.float().exp()",
     "the result has another dtype than the scores: float64 went in and float32 came out.")


@mistake(SOFTMAX, "this changes the scores of whoever called it: `-=` works in place. Write "
         "`x = x - …`, which makes a new tensor.", raises=True)
def in_place(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    x -= x.amax(dim, keepdim=True)
    e = x.exp()
    return e / e.sum(dim, keepdim=True)


@mistake(SOFTMAX, "the maximum is subtracted above the line only. Sum the same exponentials that "
         "stand above it: what was taken out has to cancel.")
def shifted_above_the_line(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return (x - x.amax(dim, keepdim=True)).exp() / x.exp().sum(dim, keepdim=True)


@mistake(SOFTMAX, "each score is squashed on its own, so the rows don't sum to 1. A softmax "
         "divides by the sum of the whole row.")
def sigmoid(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.sigmoid(x)


@mistake(SOFTMAX, "the scores themselves are divided by their sum, without exp. That keeps "
         "negative weights, and it changes when a row is moved.")
def no_exp(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return x / x.sum(dim, keepdim=True)


@mistake(LOG, "a probability too small for its dtype is 0, and log 0 is -inf. Work the log out on "
         "paper first: log pᵢ = zᵢ − log Σ exp(zⱼ).")
def log_of_softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, dim).log()


for bit in (" + 1e-8", " + 1e-9", " + 1e-10", " + 1e-12"):
    edit(LOG, f"log_of_softmax{bit}", "shifted - log_sum", f"({P}{bit}).log()",
         "a small number is added to the probability before the log, so very unlikely classes all "
         "look alike. zᵢ − log Σ exp(zⱼ) never meets log 0.")
for bit in ("1e-8", "1e-9"):
    edit(LOG, f"log_with_a_floor_of_{bit}", "shifted - log_sum", f"{P}.clamp(min={bit}).log()",
         "a small probability is replaced by a floor before the log, so very unlikely classes all "
         "look alike. zᵢ − log Σ exp(zⱼ) never meets log 0.")


@mistake(LOG, "exp of a large score is inf before the log can bring it back. Subtract the row's "
         "maximum first, inside and outside the log.")
def no_max_in_log(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return x - x.exp().sum(dim, keepdim=True).log()


edit(LOG, "max_not_given_back", "return shifted -", "return x -",
     "the maximum was taken out inside the log and not given back outside: log Σ exp(z) is "
     "m + log Σ exp(z − m).")
edit(LOG, "one_max_for_all", "x.amax(dim, keepdim=True)", "x.max()",
     "one maximum for the whole tensor leaves a row of far smaller scores with a sum of 0, and "
     "log 0 is -inf. Each row along `dim` needs its own.")
edit(LOG, "no_keepdim", "sum(dim, keepdim=True)", "sum(dim)",
     "the sum has lost the dimension it ran over and no longer lines up with its rows. "
     "keepdim=True keeps it at size 1.", raises=True)
edit(LOG, "max_on_the_wrong_side", "return shifted - log_sum",
     "return x - (log_sum - x.amax(dim, keepdim=True))",
     "the maximum is given back with the wrong sign: log Σ exp(z) is m + log Σ exp(z − m).")
edit(LOG, "log_inside_the_sum", "shifted.exp().sum(dim, keepdim=True).log()",
     "shifted.exp().log().sum(dim, keepdim=True)",
     "the log is taken before the sum, where it undoes the exp. Sum first, then the log.")
edit(LOG, "one_sum_for_all", "shifted.exp().sum(dim, keepdim=True)", "shifted.exp().sum()",
     "all rows share one sum. Each row along `dim` is a distribution of its own.")
edit(LOG, "log_sum_added", "return shifted - log_sum", "return shifted + log_sum",
     "log Σ exp(z) is added. The log of a quotient is a difference: log pᵢ = zᵢ − log Σ exp(zⱼ).")
edit(LOG, "sign", "return shifted - log_sum", "return log_sum - shifted",
     "this is -log p, the loss. The log of a probability is never above 0.")
edit(LOG, "no_exp_inside", "shifted.exp().sum(dim, keepdim=True).log()",
     "shifted.abs().sum(dim, keepdim=True).log()",
     "the sum runs over the scores and not over their exponentials: log Σ exp(zⱼ).")
edit(LOG, "base_two", "return shifted - log_sum", "return (shifted - log_sum) / 0.6931471805599453",
     "these are bits: the logarithm has base 2. The docstring asks for nats, base e.")
edit(LOG, "the_probability", "return shifted - log_sum", "return (shifted - log_sum).exp()",
     "these are the probabilities; their logarithm is asked for.")


@mistake(LOG, "every row along the last dimension is normalised, whatever `dim` says. Pass `dim` "
         "to the maximum and to the sum.")
def log_always_the_last(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.log_softmax(x, -1)


@mistake(LOG, "the columns are normalised where the rows should be: dimension 0 is used whatever "
         "`dim` says.")
def log_always_the_first(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.log_softmax(x, 0)


edit(LOG, "no_gradient", "shifted - log_sum", "(shifted - log_sum).data",
     "no gradient gets back to the scores: something cuts the graph, such as .data, .detach(), "
     ".item() or NumPy.", raises=True)
edit(LOG, "sum_without_gradient", "shifted - log_sum", "shifted - log_sum.data",
     "the gradient misses a part: log Σ exp(zⱼ) depends on every score, so it may not be cut "
     "out of the graph.")


@mistake(LOG, "the gradient misses a part: log Σ exp(zⱼ) depends on every score, so it may not be "
         "cut out of the graph.")
def log_cut_and_max_kept(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    s = x - x.amax(dim, keepdim=True)
    return s - s.exp().sum(dim, keepdim=True).log().detach()


edit(LOG, "max_of_the_last", "x.amax(dim, keepdim=True)", "x.amax(-1, keepdim=True)",
     "the maximum is taken along the last dimension whatever `dim` says, so scores that are "
     "summed together lose different numbers. Give it `dim` too.")
edit(LOG, "sum_along_the_last", "sum(dim, keepdim=True)", "sum(-1, keepdim=True)",
     "the sum runs along the last dimension whatever `dim` says. Give it `dim` too.")
edit(LOG, "max_twice", "return shifted - log_sum",
     "return shifted - x.amax(dim, keepdim=True) - log_sum",
     "the maximum is subtracted twice. log S = m + log Σ exp(z − m) belongs to the scores as they "
     "came; the shifted ones have lost m already.")
edit(LOG, "mean_for_sum", "shifted.exp().sum(", "shifted.exp().mean(",
     "the logarithm is that of a mean: log Σ exp(zⱼ) has the sum in it, and every entry is too "
     "large by log V.")
edit(LOG, "another_base_inside", "keepdim=True).log()", "keepdim=True).log2()",
     "the sum's logarithm has base 2, and exp has base e. Both belong to one base: natural, log.")
edit(LOG, "no_sum", "return shifted - log_sum", "return shifted",
     "the maximum has been subtracted and nothing else: log Σ exp(z − m) is missing.")
edit(LOG, "float64", "x - x.amax", "x.double() - x.amax",
     "the result has another dtype than the scores. After the shift float32 is precise enough, so "
     "nothing has to be cast.")


@mistake(LOG, "this changes the scores of whoever called it: `-=` works in place. Write "
         "`x = x - …`, which makes a new tensor.", raises=True)
def log_in_place(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    x -= x.amax(dim, keepdim=True)
    return x - x.exp().sum(dim, keepdim=True).log()
