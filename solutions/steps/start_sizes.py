"""Answers of the steps on the sizes that weights start with (lesson 08)."""

import math


def line_variance(n_layer: int, v: float, x0: float) -> float:
    """The variance of the line, x0 at first, after n_layer layers of two branches of variance v."""
    ### BEGIN SOLUTION
    return x0 + 2 * n_layer * v
    ### END SOLUTION


def scaled_variance(a: float, v: float) -> float:
    """The variance of a branch after its last weights were multiplied by a; before it was v."""
    ### BEGIN SOLUTION
    return a**2 * v
    ### END SOLUTION


def factor(n_layer: int) -> float:
    """The factor a for which n_layer layers of two branches add a variance of v in all."""
    ### BEGIN SOLUTION
    return float((2 * n_layer) ** -0.5)
    ### END SOLUTION


along_depth = "b"

touched = 24


def logit_std(D: int, base: float) -> float:
    """The standard deviation of a score w·x, x normed (RMS 1), w of D entries from N(0, base²)."""
    ### BEGIN SOLUTION
    return base * math.sqrt(D)
    ### END SOLUTION


def first_loss(V: int, s: float) -> float:
    """The loss before any training, for V scores that are independent draws from N(0, s²)."""
    ### BEGIN SOLUTION
    return math.log(V) + s**2 / 2
    ### END SOLUTION
