"""Known wrong answers to the router, the balance loss and the capacity."""

import math

import torch

from .. import edit, mistake
from .layers import edits

ROUTE, LOSS = "feedforward.route", "feedforward.load_balance_loss"
ROOM = "feedforward.within_capacity"
TOP = "weights, experts = functional.softmax(logits).topk(k)"

edit(ROUTE, "always_to_one", "if renormalize:", "if True:",
     "the weights always sum to 1. With renormalize=False they stay as they are among all E.")
edit(ROUTE, "never_to_one", "if renormalize:", "if False:",
     "the weights never sum to 1. With renormalize each token's k weights are divided by their "
     "sum.")
edit(ROUTE, "turned_around", "if renormalize:", "if not renormalize:",
     "the condition is turned around: with renormalize=True the weights are divided by their sum.")
edit(ROUTE, "softmax_again", "weights = weights / weights.sum(-1, keepdim=True)",
     "weights = functional.softmax(weights)",
     "the probabilities go through a second softmax, which flattens them. Divide by their sum.")
edit(ROUTE, "logits_for_weights", TOP, "weights, experts = logits.topk(k)",
     "the weights are made from the logits without exp, so they may be negative. Softmax first.")
edit(ROUTE, "over_tokens", TOP, "weights, experts = functional.softmax(logits, dim=0).topk(k)",
     "the softmax runs over the tokens. Each token shares out 1 over its experts: the last "
     "dimension.")
edit(ROUTE, "smallest", ".topk(k)", ".topk(k, largest=False)",
     "these are the experts with the smallest probabilities.")
edits(ROUTE, "rising", {"return weights, experts": "return weights.flip(-1), experts.flip(-1)"},
      "the experts stand in rising order. The most likely one goes first.")
edits(ROUTE, "by_number", {"return weights, experts":
                           "order = experts.argsort(-1)\n    "
                           "return weights.gather(-1, order), experts.gather(-1, order)"},
      "the experts stand in the order of their numbers. The most likely one goes first.")
edit(ROUTE, "one_sum", "weights.sum(-1, keepdim=True)", "weights.sum()",
     "all tokens share one sum. Each token's k weights sum to 1.")
edit(ROUTE, "largest_to_one", "weights.sum(-1, keepdim=True)", "weights.amax(-1, keepdim=True)",
     "the largest weight becomes 1. It is their sum that becomes 1.")
edit(ROUTE, "equal", "weights = weights / weights.sum(-1, keepdim=True)",
     "weights = torch.full_like(weights, 1 / k) + 0 * weights",
     "all k experts count the same, whatever the router says.")
edit(ROUTE, "overflow", "functional.softmax(logits)",
     "(logits.exp() / logits.exp().sum(-1, keepdim=True))",
     "exp of large logits is inf, or 0 for all of very small ones, and the quotient is nan. Your "
     "softmax of lesson 01 subtracts the maximum.")
edit(ROUTE, "no_gradient", "return weights, experts", "return weights.detach(), experts",
     "no gradient gets through the weights, so the router could not learn: something cuts the "
     "graph.",
     raises=True)
edit(ROUTE, "sum_without_gradient", "weights.sum(-1, keepdim=True)",
     "weights.detach().sum(-1, keepdim=True)",
     "the numbers are right and the gradient is not: the sum depends on the logits too.")
edit(ROUTE, "stays_float32", TOP, "weights, experts = functional.softmax(logits.to("
     "torch.promote_types(logits.dtype, torch.float32))).topk(k)",
     "bfloat16 goes in and float32 comes out. Computing in float32 on the way is fine; the weights "
     "have the dtype of the logits: .to(logits.dtype) at the end.")
edit(ROUTE, "sigmoid", "functional.softmax(logits)", "torch.sigmoid(logits)",
     "each expert is scored on its own, by a sigmoid (DeepSeek-V3 does that). Here it is a softmax "
     "over all E.")

edit(LOSS, "no_factor", "n_expert * (f * P).sum()", "(f * P).sum()",
     "the factor E is missing: a balanced load would give 1/E in place of 1.")
edit(LOSS, "mean_of_terms", "n_expert * (f * P).sum()", "n_expert**2 * (f * P).sum()",
     "the factor E is there twice. A balanced load gives 1.")
edit(LOSS, "per_token", "/ experts.numel()", "/ len(experts)",
     "f is counted for each token, so it sums to k. It is a share of the N·k choices.")
edit(LOSS, "by_the_largest", "/ experts.numel()", "/ counts.max()",
     "the counts are divided by the largest of them. f is a share of the N·k choices.")
edit(LOSS, "counts", "/ experts.numel()", "",
     "f holds counts. It is a share: divide by the number of choices.")
edit(LOSS, "first_choice", "torch.bincount(experts.flatten(), minlength=n_expert)",
     "torch.bincount(experts[:, 0], minlength=n_expert) * experts.shape[1]",
     "only the first choice of each token is counted. All k count.")
edits(LOSS, "own_choice",
      {"experts.flatten()": "logits.topk(experts.shape[1]).indices.flatten()"},
      "the choices are made again from the logits. `experts` says what has been chosen.")
edits(LOSS, "probabilities_twice", {"n_expert * (f * P).sum()": "n_expert * (P * P).sum()"},
      "the choices don't come in: this is E Σ P². One of the factors is f, the share of choices.")
edits(LOSS, "choices_twice", {"n_expert * (f * P).sum()": "n_expert * (f * f).sum() + 0 * P.sum()"},
      "the probabilities don't come in: this is E Σ f². Without P there is nothing to learn from, "
      "since counts have no slope.")
edit(LOSS, "sum_over_tokens", "functional.softmax(logits).mean(0)",
     "functional.softmax(logits).sum(0)",
     "P is a sum over the tokens. It is their mean.")
edit(LOSS, "logits_for_probabilities", "functional.softmax(logits).mean(0)", "logits.mean(0)",
     "P is made from the logits as they are. Softmax first.")
edit(LOSS, "softmax_of_the_mean", "functional.softmax(logits).mean(0)",
     "functional.softmax(logits.mean(0))",
     "the logits are averaged before the softmax. P is the mean of the probabilities.")
edit(LOSS, "over_tokens", "functional.softmax(logits)", "functional.softmax(logits, dim=0)",
     "the softmax runs over the tokens. Each token shares out 1 over the experts.")
edit(LOSS, "square", "n_expert * (f * P).sum()", "n_expert * ((f - 1 / n_expert) * P).sum()",
     "1/E is subtracted from f, so a balanced load would give 0. Here it gives 1.")
edit(LOSS, "best_of_the_logits", "torch.bincount(experts.flatten(), minlength=n_expert)",
     "torch.bincount(logits.argmax(-1), minlength=n_expert) * experts.shape[1]",
     "f is counted from the logits, so all choices but the first are left out. The choices that "
     "were made are in `experts`.")
edit(LOSS, "k_for_E", "n_expert * (f", "experts.shape[1] * (f",
     "the factor is k, the choices of a token. It is E, the number of experts.")
edit(LOSS, "divided_by_k_again", "/ experts.numel()", "/ experts.numel() / experts.shape[1]",
     "f is divided by k twice: experts.numel() is N·k already.")
edit(LOSS, "no_gradient", "P = functional.softmax(logits).mean(0)",
     "P = functional.softmax(logits).mean(0).detach()",
     "the number is right, but no gradient reaches the logits: something cuts the graph.",
     raises=True)
edit(LOSS, "no_minlength", ", minlength=n_expert", "",
     "experts that nobody chose are missing from the counts when their numbers are the last ones. "
     "minlength keeps a place for all.", raises=True)

CAPACITY = "capacity = math.ceil(factor * experts.numel() / n_expert)"
edit(ROOM, "factor_ignored", CAPACITY, "capacity = math.ceil(experts.numel() / n_expert)",
     "`factor` is not used. The capacity is ⌈factor · N · k / E⌉.")
edit(ROOM, "rounded_before_the_factor", CAPACITY,
     "capacity = math.ceil(experts.numel() / n_expert) * factor",
     "N · k / E is rounded up before the factor comes in. Round the whole: ⌈factor · N · k / E⌉.")
edit(ROOM, "rounded_down", CAPACITY, "capacity = int(factor * experts.numel() / n_expert)",
     "the capacity is rounded down. It is rounded up.")
edit(ROOM, "nearest", CAPACITY, "capacity = round(factor * experts.numel() / n_expert)",
     "the capacity is rounded to the nearest number. It is rounded up.")
edit(ROOM, "one_more", CAPACITY, "capacity = int(factor * experts.numel() / n_expert) + 1",
     "a capacity that is a whole number already gets one more. Rounding up leaves it where it is.")
edit(ROOM, "at_least_four", CAPACITY,
     "capacity = max(4, math.ceil(factor * experts.numel() / n_expert))",
     "every expert has room for four at the least. There are libraries that do so; here the "
     "capacity is ⌈factor · N · k / E⌉, however small.")
edit(ROOM, "without_k", CAPACITY, "capacity = math.ceil(factor * len(experts) / n_expert)",
     "the capacity is made from the N tokens. There are N·k choices to be shared out.")
edit(ROOM, "without_e", CAPACITY, "capacity = math.ceil(factor * experts.numel())",
     "that much room has every single expert. The N·k choices are shared out over E.")
edit(ROOM, "one_too_many", "place <= capacity", "place <= capacity + 1",
     "one choice too many is let in: the place of the first is 1, or count from 0 and use <.")
edit(ROOM, "one_too_few", "place <= capacity", "place < capacity",
     "one choice too few is let in: the last place is `capacity` itself when you count from 1.")
edit(ROOM, "turned_around", "place <= capacity", "place > capacity",
     "True and False have changed places: True means that there is room.")


@mistake(ROOM, "all first choices are served before any second choice. Here the tokens come in "
               "their "
         "order, each with all of its choices.")
def first_choices_first(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    line = experts.t().flatten()
    arrived = torch.nn.functional.one_hot(line, n_expert).cumsum(0)
    place = arrived.gather(1, line[:, None])
    capacity = math.ceil(factor * experts.numel() / n_expert)
    return (place <= capacity).view(experts.t().shape).t()


@mistake(ROOM, "those that come last are served. First come, first served.")
def last_come(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    line = experts.flatten().flip(0)
    arrived = torch.nn.functional.one_hot(line, n_expert).cumsum(0)
    place = arrived.gather(1, line[:, None])
    capacity = math.ceil(factor * experts.numel() / n_expert)
    return (place <= capacity).flip(0).view(experts.shape)


@mistake(ROOM, "an expert that too many want serves nobody here. It serves the first ones.")
def all_or_nothing(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    counts = torch.bincount(experts.flatten(), minlength=n_expert)
    capacity = math.ceil(factor * experts.numel() / n_expert)
    return (counts <= capacity)[experts]


@mistake(ROOM, "one choice that finds no room costs the token all of its choices. The others stay.")
def whole_tokens(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    line = experts.flatten()
    arrived = torch.nn.functional.one_hot(line, n_expert).cumsum(0)
    place = arrived.gather(1, line[:, None])
    capacity = math.ceil(factor * experts.numel() / n_expert)
    kept = (place <= capacity).view(experts.shape)
    return kept.all(-1, keepdim=True).expand(experts.shape).clone()


@mistake(ROOM, "each column of choices has its own queue. An expert has one queue for all choices.")
def a_queue_each(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    arrived = torch.nn.functional.one_hot(experts, n_expert).cumsum(0)
    place = arrived.gather(2, experts[:, :, None]).squeeze(2)
    return place <= math.ceil(factor * experts.numel() / n_expert)


@mistake(ROOM, "these are ones and zeros. A mask is bool.")
def numbers(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    line = experts.flatten()
    arrived = torch.nn.functional.one_hot(line, n_expert).cumsum(0)
    place = arrived.gather(1, line[:, None])
    capacity = math.ceil(factor * experts.numel() / n_expert)
    return (place <= capacity).view(experts.shape).long()
