"""Answers of the steps that derive Muon (lesson 13)."""

import math


def next_sigma(s: float, a: float, b: float, c: float) -> float:
    """The singular value of a X + (b A + c A²) X, A = X Xᵀ, where X has the singular value s."""
    ### BEGIN SOLUTION
    return a * s + b * s**3 + c * s**5
    ### END SOLUTION


cubic = [1.5, -0.5]

growth = 3.4445**5


def entry_size(rows: float, columns: float) -> float:
    """Root of the mean square of the entries of a matrix whose singular values are all 1."""
    ### BEGIN SOLUTION
    return 1 / math.sqrt(max(rows, columns))
    ### END SOLUTION


def overhead(width: float, tokens: float, steps: float) -> float:
    """Multiplications of `steps` iterations, as a share of forward and backward of one layer."""
    ### BEGIN SOLUTION
    return steps * width / tokens
    ### END SOLUTION
