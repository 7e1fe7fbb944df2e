"""Answers of the steps about targets, the loss of a text, and its units (lesson 03)."""

import math

targets = "b"


def windows(n: float, T: float) -> float:
    """In how many places of n ids a window of T inputs and its T targets can start."""
    ### BEGIN SOLUTION
    return n - T
    ### END SOLUTION


text_loss = 2 * math.log(2)

text_perplexity = 4

first_perplexity = 4000


def per_word(ppl_char: float, n_chars: float, n_words: float) -> float:
    """The perplexity per word of a text whose perplexity per character is `ppl_char`."""
    ### BEGIN SOLUTION
    return math.pow(ppl_char, n_chars / n_words)
    ### END SOLUTION


chinese = 2.3 / math.log(2) / 3

better = "b"

forced = "b"
