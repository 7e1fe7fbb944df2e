"""Other forms of the right answers to the steps on order, sinusoids and learned tables."""

import math
from fractions import Fraction

import torch

from .. import also_right, alternative, sympy_form

also_right("steps.positions.permuted_scores", "C")
also_right("steps.positions.cancel", "B")
also_right("steps.positions.swapped_prefix", "A")
also_right("steps.positions.which_side", "B")

sympy_form("steps.positions.start_share", "1 / (t + 1)")


@alternative("steps.positions.start_share")
def mean_of_a_mark(t: float) -> float:
    marks = [1.0] + [0.0] * round(t)
    return sum(marks) / len(marks)


@alternative("steps.positions.start_share")
def from_equal_scores(t: float) -> torch.Tensor:
    return torch.softmax(torch.zeros(round(t) + 1, dtype=torch.float64), 0)[0]


@alternative("steps.positions.start_share")
def to_a_power(t: float) -> float:
    return float((t + 1) ** -1)


sympy_form("steps.positions.sin_shifted", "s * cos(x) + c * sin(x)")
sympy_form("steps.positions.cos_shifted", "c * cos(x) - s * sin(x)")


@alternative("steps.positions.sin_shifted")
def through_the_angle(s: float, c: float, x: float) -> float:
    return math.sin(math.atan2(s, c) + x)


@alternative("steps.positions.sin_shifted")
def imaginary_part(s: float, c: float, x: float) -> float:
    return (complex(c, s) * complex(math.cos(x), math.sin(x))).imag


@alternative("steps.positions.cos_shifted")
def through_the_angle_too(s: float, c: float, x: float) -> float:
    return math.cos(math.atan2(s, c) + x)


@alternative("steps.positions.cos_shifted")
def real_part(s: float, c: float, x: float) -> float:
    return (complex(c, s) * complex(math.cos(x), math.sin(x))).real


sympy_form("steps.positions.pair_product", "cos(k * w)")
sympy_form("steps.positions.pair_product", "sin(m*w)*sin((m + k)*w) + cos(m*w)*cos((m + k)*w)")


@alternative("steps.positions.pair_product")
def not_simplified(m: float, k: float, w: float) -> float:
    a, b = m * w, (m + k) * w
    return math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b)


@alternative("steps.positions.pair_product")
def other_sign(m: float, k: float, w: float) -> torch.Tensor:
    return torch.cos(torch.tensor(-k * w, dtype=torch.float64))


also_right("steps.positions.position_terms", 3.0)
also_right("steps.positions.slowest_wave", 2 * math.pi * 10000 ** (510 / 512))
also_right("steps.positions.slowest_wave", 60611)
also_right("steps.positions.table_parameters", 1024 * 768)
also_right("steps.positions.table_parameters", Fraction(786432),
           "__import__('fractions').Fraction(786432)")
