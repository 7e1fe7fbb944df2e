"""Known wrong answers to the variance of a score and to the causal mask."""

import math

import torch

from .. import edit, mistake

VARIANCE, MASK = "attention.score_variance", "attention.causal_mask"


@mistake(VARIANCE, "`scale` is missing: it multiplies the score, so the variance changes by its "
         "square.")
def scale_ignored(d_k: int, scale: float = 1.0) -> float:
    return d_k


edit(VARIANCE, "scale_once", "scale**2", "scale",
     "the variance is a mean of squares: a factor on the score counts twice, as scale².")
edit(VARIANCE, "a_divisor", "scale**2 * d_k", "d_k / scale**2",
     "the score is multiplied by `scale`, and you divided by it: for 1/√d pass scale=1/√d.")
edit(VARIANCE, "divided_once", "scale**2 * d_k", "d_k / scale",
     "the score is multiplied by `scale`, and you divided by it. And a factor on the score counts "
     "twice in its variance.")


@mistake(VARIANCE, "that is the standard deviation; the question asks for the variance, its "
         "square.")
def standard_deviation(d_k: int, scale: float = 1.0) -> float:
    return abs(scale) * math.sqrt(d_k)


@mistake(VARIANCE, "the sum of d different products grows only like d. d² would be the variance of "
         "one product multiplied by d.")
def one_product_times_d(d_k: int, scale: float = 1.0) -> float:
    return (scale * d_k) ** 2


@mistake(VARIANCE, "each product has variance 1, not 2: variances add for a sum, and here two "
         "independent numbers are multiplied.")
def products_of_variance_two(d_k: int, scale: float = 1.0) -> float:
    return scale**2 * 2 * d_k


@mistake(VARIANCE, "1 is the variance after a division by √d. Which division is made is for "
         "`scale` to say.")
def divided_already(d_k: int, scale: float = 1.0) -> float:
    return scale**2


@mistake(VARIANCE, "`scale` is applied and d is forgotten twice over: you divided by √d as well. "
         "The score is scale · (q·k), without another factor.")
def divided_once_more(d_k: int, scale: float = 1.0) -> float:
    return scale**2 * math.sqrt(d_k)


edit(MASK, "true_is_blocked", "tril(S - T)", "tril(S - T).logical_not()",
     "True and False have changed places: here True means may attend, as in torch's "
     "scaled_dot_product_attention (nn.MultiheadAttention has it the other way round).")
edit(MASK, "top_left", "tril(S - T)", "tril()",
     "the triangle hangs in the top left corner, so with S > T the queries count as the first T "
     "positions. They are the last T: query 0 stands at position S − T.")
edit(MASK, "wrong_way", "tril(S - T)", "tril(T - S)",
     "the triangle is moved the wrong way: query 0 stands at position S − T, so it sees *more* "
     "keys and not fewer.")
edit(MASK, "not_itself", "tril(S - T)", "tril(S - T - 1)",
     "a position does not see itself. Its own token is known when the next one is predicted, and "
     "the first position would be left with nothing.")
edit(MASK, "one_too_many", "tril(S - T)", "tril(S - T + 1)",
     "every position sees the next one, which is the token it has to predict.")
edit(MASK, "upper", "tril(S - T)", "triu(S - T)",
     "this is the other triangle: each position sees itself and the future. Rows are queries, "
     "columns are keys.")
edit(MASK, "turned", "tril(S - T)  # (T, S)", "tril(S - T).mT",
     "rows and columns have changed places: the shape is [T, S], a row for each query.")
edit(MASK, "s_ignored", "torch.ones(T, S,", "torch.ones(T, T,",
     "S is not used: with T queries and S keys the mask is [T, S].")
edit(MASK, "numbers", "dtype=torch.bool, ", "",
     "the mask holds numbers. It is to be bool, so that `~mask` and `mask & other` mean what they "
     "say.")
edit(MASK, "integers", "dtype=torch.bool", "dtype=torch.uint8",
     "the mask holds numbers. It is to be bool, so that `~mask` and `mask & other` mean what they "
     "say.")
edit(MASK, "device_ignored", ", device=device", "",
     "the mask does not stand on `device` in the end, so on a GPU it would be on the wrong side.")
edit(MASK, "cut_from_a_buffer", "torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)",
     "torch.ones(1024, 1024, dtype=torch.bool, device=device).tril()[S - T:S, :S]",
     "the mask is cut from one of a fixed size, and for a longer text nothing is left of it. Make "
     "it for this T and S.")
edit(MASK, "whole_numbers", "tril(S - T)", "tril(S - T).long()",
     "the mask holds numbers. It is to be bool, so that `~mask` and `mask & other` mean what they "
     "say.")
edit(MASK, "all", ".tril(S - T)", "",
     "every query sees every key, the future too.")
edit(MASK, "blocked_and_top_left", "tril(S - T)", "triu(1)",
     "True stands where a key is blocked, as nn.MultiheadAttention wants it; here True means may "
     "attend. And with S > T the triangle belongs in the bottom right corner.")
edit(MASK, "whole_square", "torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)",
     "torch.ones(S, S, dtype=torch.bool, device=device).tril()",
     "there is a row for each of the S positions. Only the last T of them ask: [T, S].")
edit(MASK, "dimensions_in_front", "tril(S - T)", "tril(S - T)[None, None]",
     "two dimensions stand in front. The mask is [T, S]; broadcasting does the rest.")
edit(MASK, "nothing_before", "tril(S - T)",
     "tril(S - T) & (torch.arange(S, device=device) >= S - T)",
     "the queries see one another only. The S − T positions before them are there to be seen too.")

ADDED = ("these are numbers to *add* to the scores, 0 and {}. A bool mask is asked for, True = may "
         "attend.")
for name, number, text in (
        ("additive", "-torch.inf", "−inf"), ("additive_finite", "-1e9", "−1e9"),
        ("additive_lowest", "torch.finfo(torch.float32).min", "the lowest number")):
    edit(MASK, name, "torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)",
         f"torch.full((T, S), {number}, device=device).triu(S - T + 1)", ADDED.format(text))


@mistake(MASK, "S smaller than T is not refused: T queries cannot be the last T of fewer "
         "positions. Raise a ValueError.")
def silent(T: int, S: int | None = None, device: torch.device | None = None) -> torch.Tensor:
    S = T if S is None else S
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)
