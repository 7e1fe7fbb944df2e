"""Known wrong answers to `minillm.functional`."""

import torch

from .. import edit, mistake

SOFTMAX, LOG = "functional.softmax", "functional.log_softmax"


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
edit(SOFTMAX, "the_smallest", "x.amax(dim, keepdim=True)", "x.amin(dim, keepdim=True)",
     "a row is moved by its smallest score, and then the largest exponent can still overflow. "
     "Which shift leaves no exponent above 0?")
edit(SOFTMAX, "clamped", "x - x.amax(dim, keepdim=True)", "x.clamp(max=80)",
     "clamping keeps exp finite but makes all large scores equal, so the model can no longer tell "
     "them apart. Move the row instead: the differences stay.")
edit(SOFTMAX, "epsilon", "/ weights.sum(dim, keepdim=True)",
     "/ (weights.sum(dim, keepdim=True) + 1e-8)",
     "the rows no longer sum to 1: something is added to the denominator. After the shift one "
     "exponent is 0, so the sum is at least 1 and needs no protection.")


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


edit(SOFTMAX, "sum_of_everything", "weights.sum(dim, keepdim=True)", "weights.sum()",
     "all rows share one sum, so only the whole tensor sums to 1. Each row along `dim` is a "
     "distribution of its own.")
edit(SOFTMAX, "no_keepdim", "weights.sum(dim, keepdim=True)", "weights.sum(dim)",
     "the sum has lost the dimension it ran over and no longer lines up with its rows. "
     "keepdim=True keeps it at size 1.", raises=True)
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


@mistake(LOG, "a small number is added to the probability before the log, so very unlikely "
         "classes all look alike. zᵢ − log Σ exp(zⱼ) never meets log 0.")
def log_of_softmax_and_a_bit(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return (torch.softmax(x, dim) + 1e-9).log()


@mistake(LOG, "a small probability is replaced by a floor before the log, so very unlikely "
         "classes all look alike. zᵢ − log Σ exp(zⱼ) never meets log 0.")
def log_with_a_floor(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, dim).clamp(min=1e-9).log()


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


SPARSE = "functional.sparsemax"


@mistake(SPARSE, "this is softmax: no score gets exactly 0. Subtract a threshold and cut below 0.")
def dense(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.softmax(x, dim)


@mistake(SPARSE, "the positive scores are divided by their sum, which changes when a row is "
         "moved. The threshold has to come from the row itself.")
def relu_over_sum(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    positive = x.clamp(min=0)
    return positive / positive.sum(dim, keepdim=True)


@mistake(SPARSE, "the threshold is worked out as if every score survived, and what is left sums to "
         "more than 1. Count the survivors first, from the largest score down.")
def all_survive(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return (x - (x.sum(dim, keepdim=True) - 1) / x.shape[dim]).clamp(min=0)


@mistake(SPARSE, "a threshold for all scores, then a division that makes the sum 1 again: that is "
         "a distribution, but not the nearest one. Only the survivors may set the threshold.")
def all_survive_and_divide(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    kept = (x - (x.sum(dim, keepdim=True) - 1) / x.shape[dim]).clamp(min=0)
    return kept / kept.sum(dim, keepdim=True)


@mistake(SPARSE, "the largest score takes everything. Sparsemax does that only when it leads by 1 "
         "or more; close scores share.")
def winner(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return torch.zeros_like(x).scatter(dim, x.argmax(dim, keepdim=True), 1.0) + 0 * x


FROM_ZERO = "k is the number of the largest scores taken together, so it starts at 1, not at 0."
ALL_IN = ("the sum in the threshold runs over all scores. Only the survivors belong in it: the "
          "cumulative sum at their number.")
ONE_MORE = ("the sum in the threshold holds one score too many: `total` of k scores stands at "
            "index k − 1.")
edit(SPARSE, "counts_from_zero", "torch.arange(1, z.shape[-1] + 1,", "torch.arange(0, z.shape[-1],",
     FROM_ZERO)
edit(SPARSE, "one_forgotten", "size - 1) - 1) / size", "size - 1)) / size",
     "the survivors sum to 0: the threshold is (their sum − 1) / their number, and the 1 is "
     "missing.")
edit(SPARSE, "sum_of_all", "total.gather(-1, size - 1)", "total[..., -1:]", ALL_IN)
edit(SPARSE, "one_too_many", "total.gather(-1, size - 1)",
     "total.gather(-1, size.clamp(max=z.shape[-1] - 1))", ONE_MORE)


# The same three where the scores were not moved first, which gives other numbers


@mistake(SPARSE, FROM_ZERO, raises=True)
def counts_from_zero_as_it_came(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    z = x.movedim(dim, -1)
    ordered = z.sort(-1, descending=True).values
    total = ordered.cumsum(-1)
    k = torch.arange(0, z.shape[-1], dtype=x.dtype)
    size = (1 + k * ordered > total).sum(-1, keepdim=True)
    threshold = (total.gather(-1, size - 1) - 1) / size
    return (z - threshold).clamp(min=0).movedim(-1, dim)


@mistake(SPARSE, ALL_IN)
def sum_of_all_as_they_came(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    z = x.movedim(dim, -1)
    ordered = z.sort(-1, descending=True).values
    total = ordered.cumsum(-1)
    k = torch.arange(1, z.shape[-1] + 1, dtype=x.dtype)
    size = (1 + k * ordered > total).sum(-1, keepdim=True)
    return (z - (z.sum(-1, keepdim=True) - 1) / size).clamp(min=0).movedim(-1, dim)


@mistake(SPARSE, ONE_MORE)
def one_too_many_as_it_came(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    z = x.movedim(dim, -1)
    ordered = z.sort(-1, descending=True).values
    total = ordered.cumsum(-1)
    k = torch.arange(1, z.shape[-1] + 1, dtype=x.dtype)
    size = (1 + k * ordered > total).sum(-1, keepdim=True)
    threshold = (total.gather(-1, size.clamp(max=z.shape[-1] - 1)) - 1) / size
    return (z - threshold).clamp(min=0).movedim(-1, dim)


edit(SPARSE, "condition_without_one", "1 + k * ordered > total", "k * ordered >= total",
     "the test for survivors has lost its 1: score k survives while 1 + k·z₍ₖ₎ is larger than the "
     "sum of the k largest. Without it only ties survive.")
edit(SPARSE, "not_cut", ".clamp(min=0)", "",
     "negative weights are left: the scores below the threshold have to become 0.")
edit(SPARSE, "left_in_order", "(z - threshold)", "(ordered - threshold)",
     "the right numbers, in sorted order. The threshold is to be subtracted from the scores as "
     "they came.")


@mistake(SPARSE, "the last dimension is used whatever `dim` says. Move `dim` to the end first, and "
         "back at the end.")
def sparse_always_the_last(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    ordered = x.sort(-1, descending=True).values
    total = ordered.cumsum(-1)
    k = torch.arange(1, x.shape[-1] + 1, dtype=x.dtype)
    size = (1 + k * ordered > total).sum(-1, keepdim=True)
    return (x - (total.gather(-1, size - 1) - 1) / size).clamp(min=0)


edit(SPARSE, "not_moved_back", ".movedim(-1, dim)", "",
     "the dimension that was moved to the end has not been moved back.")
edit(SPARSE, "threshold_without_gradient", "(z - threshold)", "(z - threshold.detach())",
     "the gradient misses a part: the threshold depends on the surviving scores, so it may not "
     "be cut out of the graph.")
edit(SPARSE, "no_gradient", "z = x.movedim", "z = x.data.movedim",
     "no gradient gets back to the scores: something cuts the graph, such as .data, .detach(), "
     ".item() or NumPy.", raises=True)
edit(SPARSE, "float64", "z = x.movedim", "z = x.double().movedim",
     "the result has another dtype than the scores.")
edit(SPARSE, "one_threshold_for_all", "(total.gather(-1, size - 1) - 1) / size",
     "((total.gather(-1, size - 1) - 1) / size).max()",
     "all rows share one threshold. Each row along `dim` has its own.")

JACOBIAN = "functional.softmax_jacobian"


@mistake(JACOBIAN, "every sign is turned around: pᵢ grows with its own score, so the diagonal is "
         "positive.")
def sign(p: torch.Tensor) -> torch.Tensor:
    return torch.outer(p, p) - torch.diag(p)


@mistake(JACOBIAN, "off the diagonal you have 0, as if softmax worked entry by entry. The sum in "
         "the denominator holds every score.")
def elementwise(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p * (1 - p))


@mistake(JACOBIAN, "pᵢ(1 − pⱼ) is right on the diagonal only. Where i ≠ j the 1 is not there: "
         "−pᵢpⱼ.")
def outer_with_the_rest(p: torch.Tensor) -> torch.Tensor:
    return torch.outer(p, 1 - p)


@mistake(JACOBIAN, "off the diagonal the sign is wrong: what one class gains the others lose. Each "
         "row sums to 0.")
def all_positive(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p) + torch.outer(p, p) - 2 * torch.diag(p * p)


@mistake(JACOBIAN, "diag(p) and ppᵀ are to be subtracted, not added. Each row sums to 0.")
def added(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p) + torch.outer(p, p)


@mistake(JACOBIAN, "this is diag(p), the derivative of the numerators alone. The denominator "
         "brings −ppᵀ.")
def diagonal_only(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p)


@mistake(JACOBIAN, "this is −ppᵀ, the part of the denominator alone. The numerators bring diag(p).")
def product_only(p: torch.Tensor) -> torch.Tensor:
    return -torch.outer(p, p)


@mistake(JACOBIAN, "`p` is taken for scores: it is softmaxed once more. It holds the probabilities "
         "already.")
def softmax_again(p: torch.Tensor) -> torch.Tensor:
    q = torch.softmax(p, 0)
    return torch.diag(q) - torch.outer(q, q)


@mistake(JACOBIAN, "every row holds p − p², with nothing that tells the rows apart: `p` is "
         "broadcast instead of put on the diagonal.")
def no_diag(p: torch.Tensor) -> torch.Tensor:
    return p - torch.outer(p, p)


@mistake(JACOBIAN, "this is diag(p) minus the number Σp², a dot product. The outer product is a "
         "matrix, [n, n].")
def inner(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p) - p @ p


@mistake(JACOBIAN, "J comes in another dtype than `p`: torch.eye(n) and torch.zeros(n) are float32 "
         "unless told otherwise, or something was cast.")
def always_float32(p: torch.Tensor) -> torch.Tensor:
    return (torch.diag(p) - torch.outer(p, p)).float()


VJP = "functional.softmax_vjp"


@mistake(VJP, "you left out the sum. Every score moves every probability: subtract the row's "
         "Σ p·grad from grad first.")
def drops_the_sum(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * grad


@mistake(VJP, "the plain mean of grad is subtracted. The number that belongs there is weighted "
         "with p: Σ p·grad.")
def plain_mean(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - grad.mean(dim, keepdim=True))


@mistake(VJP, "p(1 − p)·grad is the rule of an elementwise function such as sigmoid. It uses the "
         "diagonal of J only.")
def elementwise_rule(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (1 - p) * grad


@mistake(VJP, "all rows share one sum. Give the sum `dim`, so that each row has its own.")
def sum_over_everything(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).sum())


edit(VJP, "no_keepdim", "sum(dim, keepdim=True)", "sum(dim)",
     "the row's sum has lost its dimension and no longer lines up with its row. keepdim=True "
     "keeps it at size 1.", raises=True)


@mistake(VJP, "p·Σ p·grad lacks the part with grad itself: pᵢ·gᵢ minus that.")
def sum_only(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return -p * (p * grad).sum(dim, keepdim=True)


@mistake(VJP, "the sum is added where it is to be subtracted: the off-diagonal entries of J are "
         "negative.")
def sum_added(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad + (p * grad).sum(dim, keepdim=True))


@mistake(VJP, "the sign is turned around: (Σ p·grad − grad) instead of (grad − Σ p·grad).")
def turned_around(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * ((p * grad).sum(dim, keepdim=True) - grad)


@mistake(VJP, "the factor p is missing outside the bracket: a class without probability gets no "
         "gradient.")
def no_outer_factor(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return grad - (p * grad).sum(dim, keepdim=True)


@mistake(VJP, "the sum itself has to be multiplied by p as well: p·(grad − Σ p·grad), not "
         "p·grad − Σ p·grad.")
def bracket_forgotten(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * grad - (p * grad).sum(dim, keepdim=True)


@mistake(VJP, "the weighted mean of grad is right, but it is divided by the number of classes once "
         "more: p sums to 1 already, so take the sum.")
def mean_for_sum(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).mean(dim, keepdim=True))


@mistake(VJP, "the weighted sum lacks p: Σ p·grad, not Σ grad.")
def unweighted_sum(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - grad.sum(dim, keepdim=True))


@mistake(VJP, "the last dimension is used whatever `dim` says: pass it to the sum.")
def vjp_always_the_last(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).sum(-1, keepdim=True))


@mistake(VJP, "`p` is taken for scores: it is softmaxed once more. It holds the probabilities "
         "already.")
def vjp_softmax_again(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    q = torch.softmax(p, dim)
    return q * (grad - (q * grad).sum(dim, keepdim=True))


@mistake(VJP, "this goes through the whole Jacobian: a tensor with [n, n] numbers for each "
         "row. p·(grad − Σ p·grad) needs only tensors of the size of p.", raises=True)
def builds_the_jacobian(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    p, grad = p.movedim(dim, -1), grad.movedim(dim, -1)
    J = torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)
    return (J @ grad.unsqueeze(-1)).squeeze(-1).movedim(-1, dim)


@mistake(VJP, "this writes into the gradient that was passed in: `-=` works in place. Make a new "
         "tensor.", raises=True)
def vjp_in_place(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    grad -= (p * grad).sum(dim, keepdim=True)
    return p * grad


LOSS, KEPT = "functional.cross_entropy", "targets != ignore_index"


@mistake(LOSS, "a probability too small for its dtype is 0, and log 0 is -inf. Use "
         "log Σ exp(z) − z_y, or your log_softmax.")
def log_of_a_probability(logits: torch.Tensor, targets: torch.Tensor,
                         ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    p = torch.softmax(logits[kept], -1)
    return -p.gather(-1, targets[kept].unsqueeze(-1)).log().mean()


@mistake(LOSS, "exp of a large logit is inf before the log can bring it back. Take the row's "
         "maximum out first, or call logsumexp.")
def naive_log_sum_exp(logits: torch.Tensor, targets: torch.Tensor,
                      ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    z = logits[kept]
    return (z.exp().sum(-1).log() - z.gather(-1, targets[kept].unsqueeze(-1)).squeeze(-1)).mean()


@mistake(LOSS, "0 · (−inf) is nan: multiplying log-probabilities by a one-hot vector meets the "
         "classes at -inf. Pick the target's entry with gather instead.")
def one_hot_times_log(logits: torch.Tensor, targets: torch.Tensor,
                      ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    log_p = torch.log_softmax(logits[kept], -1)
    y = torch.nn.functional.one_hot(targets[kept], logits.shape[-1])
    return -(y * log_p).sum(-1).mean()


edit(LOSS, "sign", "z.logsumexp(-1) - z_y", "z_y - z.logsumexp(-1)",
     "this is the mean of log p, which is never positive. The loss is −log p.")
edit(LOSS, "target_score_only", "z.logsumexp(-1) - z_y", "-z_y",
     "the loss is −z_y alone, and any model can make that as low as it likes. log Σ exp(z) belongs "
     "to it.")
edit(LOSS, "bits", ".mean()", ".mean() / 0.6931471805599453",
     "these are bits: the logarithm has base 2. The docstring asks for nats, base e.")
edit(LOSS, "softmax_first", "z, y = logits[kept]", "z, y = torch.softmax(logits[kept], -1)",
     "softmax is applied twice: the loss already contains it, so it takes logits and not "
     "probabilities.")
edit(LOSS, "log_softmax_as_probability", "z.logsumexp(-1) - z_y",
     "1 - (z_y - z.logsumexp(-1)).exp()",
     "this is 1 − p of the target. It can't be worse than 1 however sure the model is of the wrong "
     "class; −log p can.")
edit(LOSS, "sum", ".mean()", ".sum()",
     "the losses are added up, not averaged: divide by the number of kept tokens.")
edit(LOSS, "all_tokens_count", ".mean()", ".sum() / targets.numel()",
     "ignored tokens are left out of the sum, but they still count in the number you divide by. "
     "Divide by the number of kept tokens.")
edit(LOSS, "by_classes", ".mean()", ".sum() / logits.shape[-1]",
     "the sum is divided by the number of classes. The mean runs over tokens.")
edit(LOSS, "by_batch", ".mean()", ".sum() / logits.shape[0]",
     "the sum is divided by the size of the first dimension, the batch. Every kept token counts, "
     "B × T of them where none is ignored.")
edit(LOSS, "for_each_token", ".mean()", "",
     "this gives a loss for each token; their mean is asked for.")
edit(LOSS, "nothing_ignored", KEPT, "(targets != -100)",
     "only −100 is ignored, whatever `ignore_index` says.")
edit(LOSS, "ignored_is_class_0", "z, y = logits[kept], targets[kept]",
     "z, y = logits, targets.masked_fill(~kept, 0)",
     "ignored tokens are counted with class 0 as their target, so the model would learn to say "
     "class 0. Leave them out of the sum and out of the count.")


@mistake(LOSS, "the mask is the wrong way round: the loss runs over the ignored tokens. Keep those "
         "whose target differs from `ignore_index`.")
def inverted(logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    kept = targets == ignore_index
    y = targets[kept].clamp(min=0)
    return -torch.log_softmax(logits[kept], -1).gather(-1, y.unsqueeze(-1)).mean()


@mistake(LOSS, "each sequence is averaged first and then the sequences: a token of a sequence "
         "with few kept ones counts more. Sum over all kept tokens, then divide once.")
def mean_of_means(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    y = targets.masked_fill(~kept, 0).unsqueeze(-1)
    losses = -torch.log_softmax(logits, -1).gather(-1, y).squeeze(-1) * kept
    return (losses.sum(-1) / kept.sum(-1)).mean()


@mistake(LOSS, "torch expects the classes in dimension 1, [N, V, …]. Flatten to [N, V] and [N] "
         "before you call its function.", raises=True)
def not_flattened(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(logits, targets, ignore_index=ignore_index)


@mistake(LOSS, "the softmax runs over dimension 1, which is the position as soon as there are "
         "leading dimensions. The classes are the last dimension.")
def over_positions(logits: torch.Tensor, targets: torch.Tensor,
                   ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    log_p = torch.log_softmax(logits, 1)[kept]
    return -log_p.gather(-1, targets[kept].unsqueeze(-1)).mean()


@mistake(LOSS, "the softmax runs over dimension 0, so tokens compete with one another. The classes "
         "are the last dimension.")
def over_tokens(logits: torch.Tensor, targets: torch.Tensor,
                ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    log_p = torch.log_softmax(logits, 0)[kept]
    return -log_p.gather(-1, targets[kept].unsqueeze(-1)).mean()


@mistake(LOSS, "the logits are paired with the next token's target. Those that come in belong "
         "to their logits already: shifting is the business of whoever cuts the text.")
def shifted_again(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    logits, targets = logits[..., :-1, :], targets[..., 1:]
    kept = targets != ignore_index
    log_p = torch.log_softmax(logits[kept], -1)
    return -log_p.gather(-1, targets[kept].unsqueeze(-1)).mean()


edit(LOSS, "perplexity", ".mean()", ".mean().exp()",
     "this is exp of the loss, the perplexity. The loss itself is asked for, in nats.")
edit(LOSS, "no_gradient", "z, y = logits[kept]", "z, y = logits.data[kept]",
     "no gradient gets back to the logits: something cuts the graph, such as .data, .detach(), "
     ".item() or NumPy.", raises=True)
edit(LOSS, "float64", "z, y = logits[kept]", "z, y = logits.double()[kept]",
     "the loss has another dtype than the logits.")


@mistake(LOSS, "this writes into the targets that were passed in, and the caller still needs them. "
         "masked_fill without the underscore makes a new tensor.", raises=True)
def targets_in_place(logits: torch.Tensor, targets: torch.Tensor,
                     ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    targets[~kept] = 0
    log_p = torch.log_softmax(logits, -1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return -log_p[kept].mean()


GRAD = "functional.cross_entropy_grad"

edit(GRAD, "turned_around", "(p - y)", "(y - p)",
     "this is y − p: a step against it raises the loss. The gradient is prediction minus truth.")
edit(GRAD, "p_alone", "(p - y)", "p",
     "this is the part of log Σ exp(z) alone. The part of −z_y is missing: −1 at the target.")
edit(GRAD, "target_alone", "(p - y)", "(y * (p - 1))",
     "only the target's entry is there. The other logits get a gradient too: their probability.")
edit(GRAD, "others_alone", "(p - y)", "(p * (1 - y))",
     "the target's entry is 0. It should be p − 1: the target's own score has to rise.")
edit(GRAD, "same_everywhere", "(p - y)", "(y * (p - 1)).sum(-1, keepdim=True).expand_as(p)",
     "every entry is p − 1 of the target. Only the target's own entry is; the others are their "
     "probability.")
edit(GRAD, "one_off_everywhere", "(p - y)", "(p - 1)",
     "1 is subtracted from every class. Only the target has yᵢ = 1.")
edit(GRAD, "derivative_of_p", "(p - y)", "(p * (1 - p))",
     "p(1 − p) is the derivative of a probability, not of the loss. The log takes the factor p "
     "away again.")
edit(GRAD, "squared_error", "(p - y)", "(p * ((p - y) - (p * (p - y)).sum(-1, keepdim=True)))",
     "this is the gradient of ½Σ(p − y)² through the softmax. With −log p the Jacobian cancels and "
     "p − y is left.")
edit(GRAD, "log_p", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "logits - logits.logsumexp(-1, keepdim=True)",
     "the log-probabilities are used where the probabilities belong.")
edit(GRAD, "sum", "rows / kept.sum()", "rows",
     "this is the gradient of the sum. The loss is a mean: divide by the number of kept tokens.")
edit(GRAD, "all_tokens_count", "kept.sum()", "kept.numel()",
     "ignored tokens still count in the number you divide by. Divide by the number of kept tokens.")
edit(GRAD, "by_classes", "kept.sum()", "logits.shape[-1]",
     "the rows are divided by the number of classes. The mean runs over tokens.")
edit(GRAD, "by_batch", "kept.sum()", "logits.shape[0]",
     "the rows are divided by the size of the first dimension, the batch. Every kept token "
     "counts, B × T of them where none is ignored.")
edit(GRAD, "each_sequence", "rows / kept.sum()", "rows / kept.sum(-1, keepdim=True).unsqueeze(-1)",
     "each row is divided by the kept tokens of its own sequence. The mean runs over all kept "
     "tokens of the batch.")
edit(GRAD, "ignored_is_class_0", "(p - y).masked_fill(~kept.unsqueeze(-1), 0.0)", "(p - y)",
     "the loss skips ignored tokens, but here they still get a gradient, with class 0 as their "
     "target. Their rows are 0.")
edit(GRAD, "ignored_keeps_p", "(p - y).masked_fill(~kept.unsqueeze(-1), 0.0)",
     "(p - y * kept.unsqueeze(-1))",
     "an ignored token has no target, but its p is still there as a gradient. Its whole row is 0.")
edit(GRAD, "nothing_ignored", KEPT, "(targets != -100) & (targets >= 0)",
     "`ignore_index` is not used: a token whose target equals it gets a row of 0, also when it is "
     "a class such as 2.")


@mistake(GRAD, "the mask is the wrong way round: the ignored tokens get a gradient and the kept "
         "ones none. Keep those whose target differs from `ignore_index`.")
def grad_inverted(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    ignored = targets == ignore_index
    y = torch.nn.functional.one_hot(targets.clamp(min=0), logits.shape[-1])
    return (torch.softmax(logits, -1) - y) * ignored.unsqueeze(-1) / ignored.sum()


edit(GRAD, "no_max", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "logits.exp() / logits.exp().sum(-1, keepdim=True)",
     "exp of a large logit is inf, and inf / inf is nan. p − y is no protection by itself: p "
     "has to come from a stable softmax.")
edit(GRAD, "over_positions", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "torch.softmax(logits, 1)",
     "the softmax runs over dimension 1, which is the position as soon as there are leading "
     "dimensions. The classes are the last dimension.")
edit(GRAD, "over_tokens", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "torch.softmax(logits, 0)",
     "the softmax runs over dimension 0, so tokens compete with one another. The classes are the "
     "last dimension.")
edit(GRAD, "softmax_twice", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "torch.softmax(torch.softmax(logits, -1), -1)",
     "softmax is applied twice. One softmax turns logits into probabilities.")
edit(GRAD, "float64", "(logits - logits.logsumexp", "(logits.double() - logits.double().logsumexp",
     "the gradient has another dtype than the logits.")


@mistake(GRAD, "this writes into the targets that were passed in, and the caller still needs them. "
         "masked_fill without the underscore makes a new tensor.", raises=True)
def grad_targets_in_place(logits: torch.Tensor, targets: torch.Tensor,
                          ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    targets[~kept] = 0
    y = torch.nn.functional.one_hot(targets, logits.shape[-1])
    return (torch.softmax(logits, -1) - y) * kept.unsqueeze(-1) / kept.sum()
