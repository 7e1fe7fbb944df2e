"""Other forms of the right answers to the steps about temperature."""

import math

import torch

from .. import also_right, alternative, sympy_form

RATIO, HAND = "steps.temperature.ratio", "steps.temperature.by_hand"
SLOPE, ENTROPY = "steps.temperature.p_slope", "steps.temperature.entropy_slope"


@alternative(RATIO)
def through_the_scores(r: float, t: float) -> float:
    return math.exp(math.log(r) / t)


@alternative(RATIO)
def in_torch(r: float, t: float) -> torch.Tensor:
    return torch.tensor(r, dtype=torch.float64).pow(1 / t)


sympy_form(RATIO, "r ** (1 / t)")
sympy_form(RATIO, "exp(log(r) / t)")

EXACT = [[math.exp(z / t) / sum(math.exp(y / t) for y in (2, 1, 0)) for z in (2, 1, 0)]
         for t in (0.5, 1, 2)]
also_right(HAND, EXACT)
also_right(HAND, torch.tensor(EXACT), f"torch.tensor({EXACT!r})")
also_right(HAND, [[0.8668, 0.1173, 0.0159], [0.6652, 0.2447, 0.09], [0.507, 0.307, 0.186]])
also_right(HAND, ((0.867, 0.117, 0.016), (0.665, 0.245, 0.09), (0.507, 0.307, 0.186)))


@alternative(SLOPE)
def multiplied_out(p_i: float, z_i: float, m: float) -> float:
    return p_i * z_i - p_i * m


@alternative(SLOPE)
def turned_twice(p_i: float, z_i: float, m: float) -> float:
    return -(m - z_i) * p_i


sympy_form(SLOPE, "p_i * (z_i - m)")
sympy_form(SLOPE, "p_i * z_i - m * p_i")


@alternative(ENTROPY)
def all_terms(beta: float, m: float, v: float) -> float:
    return m - (m + beta * v)


@alternative(ENTROPY)
def numpy_negative(beta: float, m: float, v: float) -> float:
    import numpy as np
    return float(np.negative(np.multiply(beta, v)))


also_right(ENTROPY, __import__("sympy").Symbol("v") * -__import__("sympy").Symbol("beta"),
           "__import__('sympy').Symbol('v') * -__import__('sympy').Symbol('beta')")
also_right("steps.temperature.limit", "B")
