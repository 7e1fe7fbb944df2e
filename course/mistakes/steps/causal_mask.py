"""Known wrong answers to the steps about the mask."""

import math

import torch

from .. import edit, mistake, wrong_choice, wrong_number

CORNER = "steps.causal_mask.corner"
wrong_number(CORNER, 3, "1 + 2 would be for the first two positions. These are the last two of "
             "five, which have four and five positions to look at.")
wrong_number(CORNER, 10, "that is every pair. The first of the two queries stands at position 3 "
             "(from 0) and does not see position 4.")
wrong_number(CORNER, 7, "a position sees itself too: 4 + 5, not 3 + 4.")
wrong_number(CORNER, 15, "that is for five queries over five positions. Only the last two ask.")
wrong_number(CORNER, 1, "that is how many are blocked: query 0 may not see the last position. "
             "Count the True.")
wrong_number(CORNER, 8, "the last query sees itself as well: five positions, and the one before "
             "it sees four.")

wrong_number(CORNER, 5, "that is one row, the last. The query before it sees four.")
wrong_number(CORNER, 2, "each query sees itself, and all that came before it too.")

BOTH = "steps.causal_mask.both_masks"
edit(BOTH, "either", "causal & real", "causal | real",
     "`|` allows what either mask allows. Both have to: `&`.")
edit(BOTH, "queries_padded", "real[:, None, None, :]", "real[:, None, :causal.shape[0], None]",
     "the padding is laid over the queries, the rows. It is *keys* that may not be looked at: "
     "[B, 1, 1, S].")
edit(BOTH, "last_queries_padded", "real[:, None, None, :]",
     "real[:, None, -causal.shape[0]:, None]",
     "the padding is laid over the queries, the rows. It is *keys* that may not be looked at: "
     "[B, 1, 1, S].")
edit(BOTH, "keys_and_queries", "real[:, None, None, :]",
     "real[:, None, None, :] & real[:, None, -causal.shape[0]:, None]",
     "the padding is laid over the queries as well. Only keys are hidden: what a query that is "
     "padding gets, nobody reads.")
edit(BOTH, "turned_around", "causal & real[:, None, None, :]", "causal & ~real[:, None, None, :]",
     "`real` is True for real tokens, and those are the ones that may be looked at.")
edit(BOTH, "forbidden", "causal & real[:, None, None, :]", "~(causal & real[:, None, None, :])",
     "True says here what may *not* be looked at. In this course it means “may attend”.")
edit(BOTH, "no_head", "real[:, None, None, :]", "real[:, None, :]",
     "the place for the heads is missing: [B, 1, T, S], so that the mask broadcasts to "
     "[B, H, T, S].")
edit(BOTH, "causal_alone", "causal & real[:, None, None, :]",
     "causal.expand(real.shape[0], 1, *causal.shape)",
     "the padding is not in it: these are B copies of the causal mask.")
edit(BOTH, "padding_alone", "causal & real[:, None, None, :]",
     "(real[:, None, None, :] | ~real[:, None, None, :]) & real[:, None, None, :].expand("
     "-1, 1, causal.shape[0], -1)", "the causal mask is not in it: a query sees what comes later.")
edit(BOTH, "floats", "causal & real[:, None, None, :]", "causal.float() * real[:, None, None, :]",
     "the mask holds numbers. Joined with `&` it stays bool.")
edit(BOTH, "numbers", "causal & real[:, None, None, :]", "causal.int() * real[:, None, None, :]",
     "the mask holds numbers. Joined with `&` it stays bool.")


@mistake(BOTH, "[T, S] and [B, S] do not line up: the B of one meets the T of the other. Give "
         "`real` two dimensions of size 1 in the middle.", raises=True)
def as_they_are(causal: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return causal & real


FILL = "steps.causal_mask.zero_fill"


@mistake(FILL, "exp(0) is 1, not 0: a score of 0 gets its share.")
def nothing(s: float, n: float) -> float:
    return 0.0


@mistake(FILL, "that is so for s = 0 only, when all scores are equal. The allowed key has exp(s).")
def uniform(s: float, n: float) -> float:
    return n / (n + 1)


@mistake(FILL, "that is the weight of one masked key. There are n of them.")
def one_of_them(s: float, n: float) -> float:
    return 1 / (n + math.exp(s))


@mistake(FILL, "that is what is left for the allowed key.")
def what_is_left(s: float, n: float) -> float:
    return math.exp(s) / (n + math.exp(s))


@mistake(FILL, "one masked key is counted, and there are n: n·exp(0) stands in the sum too.")
def one_in_the_sum(s: float, n: float) -> float:
    return n / (1 + math.exp(s))


@mistake(FILL, "the scores go through exp before they are shared out: exp(s), not s.")
def no_exp(s: float, n: float) -> float:
    return n / (n + s)


@mistake(FILL, "the allowed key has exp(s), with the sign as it is.")
def sign(s: float, n: float) -> float:
    return n / (n + math.exp(-s))


INVERTED = "steps.causal_mask.inverted_mask"
wrong_choice(INVERTED, "b", "the last position has no future, so all its scores are −inf. Its "
             "softmax is 0/0, and the mean of the loss takes everything with it.")
wrong_choice(INVERTED, "c", "a model that sees the future has the next token in front of it, which "
             "is its label. And look at the last position first: what is left for it?")

DECODE = "steps.causal_mask.no_mask_needed"
wrong_choice(DECODE, "a", "the first of the three may not see the other two. Without a mask it "
             "does.")
wrong_choice(DECODE, "c", "the places that are not written yet hold zeros, and a key of zeros has "
             "the score 0: it gets a weight. They have to be masked, or cut off.")
wrong_choice(DECODE, "d", "the padding stands among the keys, and nothing but a mask keeps a "
             "query from it.")
