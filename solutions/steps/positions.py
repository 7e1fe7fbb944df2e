"""Answers of the steps on order, sinusoids and learned tables (lesson 06)."""

import math

permuted_scores = "c"

cancel = "b"

swapped_prefix = "a"


def start_share(t: float) -> float:
    """The share of the token at position 0 in the mean over positions 0 … t."""
    ### BEGIN SOLUTION
    return 1 / (t + 1)
    ### END SOLUTION


position_terms = 3

slowest_wave = 60611.48


def sin_shifted(s: float, c: float, x: float) -> float:
    """sin(a + x) from s = sin a, c = cos a and x."""
    ### BEGIN SOLUTION
    return s * math.cos(x) + c * math.sin(x)
    ### END SOLUTION


def cos_shifted(s: float, c: float, x: float) -> float:
    """cos(a + x) from s = sin a, c = cos a and x."""
    ### BEGIN SOLUTION
    return c * math.cos(x) - s * math.sin(x)
    ### END SOLUTION


def pair_product(m: float, k: float, w: float) -> float:
    """The dot product of pair (sin, cos) at position m with the same pair at position m + k."""
    ### BEGIN SOLUTION
    return math.cos(k * w)
    ### END SOLUTION


which_side = "b"

table_parameters = 786432
