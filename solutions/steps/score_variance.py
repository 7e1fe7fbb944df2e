"""Answers of the steps that find the size of a score, and what to divide it by (lesson 04)."""

import math

needed = "d"


def mean_score(d: float, mu: float) -> float:
    """E[s] for q and k of `d` independent entries, each with mean `mu`."""
    ### BEGIN SOLUTION
    return d * mu**2
    ### END SOLUTION


one_product = 1.0

shifted_product = 1.5

std_of_8 = "b"


def divisor(d: float) -> float:
    """The c for which the variance of s / c is 1, whatever `d` is."""
    ### BEGIN SOLUTION
    return math.sqrt(d)
    ### END SOLUTION


small_model = math.sqrt(32)

entropy = 0.5

best_entropy = "c"


def query_slope(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    """dL/dq for two keys and s_j = q k_j / c, from the gradients ds_j to the two scores."""
    ### BEGIN SOLUTION
    return (ds_1 * k_1 + ds_2 * k_2) / c
    ### END SOLUTION


gradient_at_64 = "b"


def aligned_mean(d: float, rho: float) -> float:
    """E[q·k] for `d` entries with mean 0 and variance 1, and k = rho·q + independent noise."""
    ### BEGIN SOLUTION
    return rho * d
    ### END SOLUTION


aligned_divisor = "a"

variance_at_start = 0.0512
