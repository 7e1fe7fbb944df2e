"""Other forms of the right answers to the steps about drawing, searching and contrasting."""

from .. import also_right, alternative, sympy_form

STD = "steps.decoding.frequency_std"


@alternative(STD)
def from_the_count(p: float, n: float) -> float:
    return float((n * p * (1 - p)) ** 0.5 / n)


@alternative(STD)
def mean_of_squares(p: float, n: float) -> float:
    import numpy as np
    return float(np.sqrt((p - p**2) / n))


sympy_form(STD, "sqrt(p * (1 - p) / n)")
sympy_form(STD, "sqrt(p - p**2) / sqrt(n)")
also_right("steps.decoding.best_path", 0.4 * 0.9)
also_right("steps.decoding.best_path", 9 / 25)
also_right("steps.decoding.divided", "A")
also_right("steps.decoding.shifted", "C")
also_right("steps.decoding.winner", 2.0)


@alternative(STD)
def over_all_counts(p: float, n: int) -> float:
    import math
    chances = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    return math.sqrt(sum(q * (k / n - p) ** 2 for k, q in enumerate(chances)))
