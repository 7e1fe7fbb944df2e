"""Answers of the steps that derive the relative position in RoPE (lesson 07)."""

import math
from typing import Any

transpose = "c"


def product_angle(a: float, b: float) -> float:
    """The angle x in R(a)ᵀ R(b) = R(x)."""
    ### BEGIN SOLUTION
    return b - a
    ### END SOLUTION


def score_angle(m: float, n: float, theta: float) -> float:
    """The angle x in ⟨R(mθ) q, R(nθ) k⟩ = qᵀ R(x) k."""
    ### BEGIN SOLUTION
    return (n - m) * theta
    ### END SOLUTION


def pair_score(q1: float, q2: float, k1: float, k2: float, x: float) -> Any:
    """qᵀ R(x) k written out, for q = (q1, q2) and k = (k1, k2)."""
    ### BEGIN SOLUTION
    return (q1 * k1 + q2 * k2) * math.cos(x) + (q2 * k1 - q1 * k2) * math.sin(x)
    ### END SOLUTION


whole_score = 1.25

wrong_way = "d"

slowest_wavelength = 47117.24

next_position = 7
