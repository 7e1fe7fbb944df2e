"""Known wrong answers to the steps about drawing, repeating, searching and contrasting."""

import math

from .. import mistake, wrong_choice, wrong_number

STD = "steps.decoding.frequency_std"


@mistake(STD, "that is the variance of the share. Its root is asked for.")
def variance(p: float, n: float) -> float:
    return p * (1 - p) / n


@mistake(STD, "that is the standard deviation of the *number* of hits. The share is that number "
         "divided by n.")
def of_the_count(p: float, n: float) -> float:
    return math.sqrt(p * (1 - p) * n)


@mistake(STD, "that is the standard deviation of a single draw. The mean of n draws has a variance "
         "n times smaller.")
def one_draw(p: float, n: float) -> float:
    return math.sqrt(p * (1 - p))


@mistake(STD, "one draw is 1 with probability p and else 0, so its variance is p − p²: the factor "
         "1 − p is missing.")
def no_complement(p: float, n: float) -> float:
    return math.sqrt(p / n)


@mistake(STD, "variances add and are divided by n²; the standard deviation shrinks with the root "
         "of n, not with n.")
def divided_by_n(p: float, n: float) -> float:
    return math.sqrt(p * (1 - p)) / n


@mistake(STD, "that is the variance of the number of hits. Divide by n² for the share, then take "
         "the root.")
def variance_of_the_count(p: float, n: float) -> float:
    return n * p * (1 - p)


@mistake(STD, "1/√n has the right size, but the spread of one draw is missing: √(p(1 − p)), at "
         "most ½.")
def root_of_n(p: float, n: float) -> float:
    return 1 / math.sqrt(n)


wrong_choice("steps.decoding.divided", "b", "−1 / 1.3 is −0.77, which is more than −1: the score "
             "has gone up.")
wrong_choice("steps.decoding.divided", "c", "the other scores stay where they are, and this one "
             "goes from −1 to −0.77. softmax sees the difference.")

PATH = "steps.decoding.best_path"
wrong_number(PATH, 0.3, "that is what greedy finds: A, then the better of its followers. Is there "
             "a path through B that beats it?")
wrong_number(PATH, 0.54, "A's 0.6 and B's follower were put together. The 0.9 holds only after B, "
             "which has 0.4.")
wrong_number(PATH, 0.9, "that is the last factor alone. The probability of a path is the product "
             "of its steps.")
wrong_number(PATH, 1.3, "the steps of a path are multiplied, not added.")
wrong_number(PATH, 0.2, "that follows B and then A's better token. After B the better one has 0.9.")
wrong_number(PATH, 0.6, "that is the first step alone. Both tokens belong to the sequence.")

wrong_choice("steps.decoding.shifted", "a", "they are not the same numbers: log S of the expert "
             "and of the amateur differ, and their difference is left over.")
wrong_choice("steps.decoding.shifted", "b", "the log S of a model is one number for the whole row. "
             "Which scores does softmax see as equal?")

WINNER = "steps.decoding.winner"
wrong_number(WINNER, 0, "log(0.5/0.4) is 0.22. One of the others is a hundred times as likely for "
             "the expert as for the amateur.")
wrong_number(WINNER, 1, "log(0.499/0.59999) is below 0: the amateur finds this token more likely "
             "than the expert does.")
wrong_number(WINNER, 0.001, "that is its probability. Which token is it, counted from 0?")
wrong_number(WINNER, 3, "tokens are counted from 0 here.")
