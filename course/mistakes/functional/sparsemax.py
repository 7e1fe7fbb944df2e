"""Known wrong answers: sparsemax."""

import torch

from .. import edit, mistake

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
edit(SPARSE, "not_sorted", "z.sort(-1, descending=True).values", "z",
     "the scores are added up in the order they came. The survivors are the largest ones: sort "
     "first, from the largest down.")
edit(SPARSE, "divided_by_all", "- 1) / size", "- 1) / z.shape[-1]",
     "the threshold is divided by the number of all classes. It is (sum of the survivors − 1) / "
     "their number.")
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


@mistake(SPARSE, "this changes the scores of whoever called it: `-=` works in place. Write "
         "`x = x - …`, which makes a new tensor.", raises=True)
def sparse_in_place(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    x -= x.amax(dim, keepdim=True)
    ordered = x.sort(dim, descending=True).values
    k = torch.ones_like(x).cumsum(dim)
    return (x - ((ordered.cumsum(dim) - 1) / k).amax(dim, keepdim=True)).clamp(min=0)


@mistake(SPARSE, "the gradient misses a part: the threshold depends on the surviving scores, and a "
         "search under no_grad does not tell autograd so. From the survivors it found, work the "
         "threshold out once more with gradients on.")
def searched_without_gradient(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    with torch.no_grad():
        high = x.amax(dim, keepdim=True)
        low = high - 1
        for _ in range(80):
            middle = (low + high) / 2
            above = (x - middle).clamp(min=0).sum(dim, keepdim=True) > 1
            low, high = torch.where(above, middle, low), torch.where(above, high, middle)
    return (x - high).clamp(min=0)


edit(SPARSE, "float64", "z = x.movedim", "z = x.double().movedim",
     "the result has another dtype than the scores.")
edit(SPARSE, "one_threshold_for_all", "(total.gather(-1, size - 1) - 1) / size",
     "((total.gather(-1, size - 1) - 1) / size).max()",
     "all rows share one threshold. Each row along `dim` has its own.")
