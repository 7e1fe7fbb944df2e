"""Other forms of the right answers to the steps that derive the relative position in RoPE."""

import math
from fractions import Fraction

import torch

from .. import also_right, alternative, sympy_form

sympy_form("steps.rope.product_angle", "b - a")
sympy_form("steps.rope.product_angle", "-(a - b)")


@alternative("steps.rope.product_angle")
def in_torch(a: float, b: float) -> torch.Tensor:
    return torch.tensor(b, dtype=torch.float64) - a


sympy_form("steps.rope.score_angle", "(n - m) * theta")
sympy_form("steps.rope.score_angle", "n * theta - m * theta")


@alternative("steps.rope.score_angle")
def turned_twice(m: float, n: float, theta: float) -> float:
    return -(m - n) * theta


sympy_form("steps.rope.pair_score", "(q1*k1 + q2*k2)*cos(x) + (q2*k1 - q1*k2)*sin(x)")
sympy_form("steps.rope.pair_score", "q1*(k1*cos(x) - k2*sin(x)) + q2*(k1*sin(x) + k2*cos(x))")


sympy_form("steps.rope.pair_score", "Matrix([[q1, q2]]) * rot_ccw_axis3(x)[:2, :2] "
           "* Matrix([k1, k2])")


@alternative("steps.rope.pair_score")
def with_a_matrix(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    import numpy as np
    R = np.array([[np.cos(x), -np.sin(x)], [np.sin(x), np.cos(x)]])
    return float(np.array([q1, q2]) @ R @ np.array([k1, k2]))


@alternative("steps.rope.pair_score")
def with_tensors_in_float32(q1: float, q2: float, k1: float, k2: float, x: float) -> torch.Tensor:
    a = torch.tensor(x)
    R = torch.stack([a.cos(), -a.sin(), a.sin(), a.cos()]).view(2, 2)
    return torch.tensor([q1, q2]) @ R @ torch.tensor([k1, k2])


@alternative("steps.rope.pair_score")
def with_complex_numbers(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (complex(q1, -q2) * complex(k1, k2) * complex(math.cos(x), math.sin(x))).real


@alternative("steps.rope.pair_score")
def with_lengths_and_an_angle(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    between = math.atan2(k2, k1) - math.atan2(q2, q1)
    return math.hypot(q1, q2) * math.hypot(k1, k2) * math.cos(between + x)


also_right("steps.rope.transpose", "C")
also_right("steps.rope.wrong_way", "D")
also_right("steps.rope.whole_score", 1.5 - 0.5 + 0.25)
also_right("steps.rope.whole_score", Fraction(5, 4), "__import__('fractions').Fraction(5, 4)")
also_right("steps.rope.slowest_wavelength", 2 * math.pi * 10000 ** (62 / 64))
also_right("steps.rope.slowest_wavelength", 47117)
also_right("steps.rope.next_position", 7.0)
also_right("steps.rope.next_position", torch.tensor(7), "torch.tensor(7)")
