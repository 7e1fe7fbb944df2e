"""Answers of the steps about drawing, repeating, searching and contrasting (lesson 10)."""

import math


def frequency_std(p: float, n: float) -> float:
    """Standard deviation of the share that a token of probability p has in n independent draws."""
    ### BEGIN SOLUTION
    return math.sqrt(p * (1 - p) / n)
    ### END SOLUTION


divided = "a"

best_path = 0.36

shifted = "c"

winner = 2
