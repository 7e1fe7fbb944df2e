"""Other forms of the right answers to the steps that derive the softmax Jacobian."""

from fractions import Fraction

import numpy as np
import sympy
import torch

from .. import also_right, alternative


def form(target: str, text: str) -> None:
    """An expression as a sympy object, made by the same words here and in an answer cell."""
    also_right(target, sympy.sympify(text), f"__import__('sympy').sympify({text!r})")


@alternative("steps.softmax.diagonal")
def difference(p_i: float) -> float:
    return p_i - p_i**2


@alternative("steps.softmax.diagonal")
def variance(p_i: float) -> float:
    return 0.5**2 - (p_i - 0.5) ** 2


@alternative("steps.softmax.diagonal")
def tensor(p_i: float) -> torch.Tensor:
    p = torch.tensor(p_i, dtype=torch.float64)
    return p.mul(1 - p)


form("steps.softmax.diagonal", "p_i - p_i**2")
form("steps.softmax.diagonal", "p_i * (1 - p_i)")


@alternative("steps.softmax.vjp_entry")
def multiplied_out(p_i: float, g_i: float, m: float) -> float:
    return p_i * g_i - p_i * m


@alternative("steps.softmax.vjp_entry")
def from_the_entries(p_i: float, g_i: float, m: float) -> float:
    return p_i * (1 - p_i) * g_i - p_i * (m - p_i * g_i)


form("steps.softmax.vjp_entry", "p_i * g_i - m * p_i")
form("steps.softmax.vjp_entry", "-(m - g_i) * p_i")

ROW = "steps.softmax.first_row"
also_right(ROW, [0.7 * 0.3, -0.7 * 0.2, -0.7 * 0.1])
also_right(ROW, (0.21, -0.14, -0.07))
also_right(ROW, torch.tensor([0.21, -0.14, -0.07]), "torch.tensor([0.21, -0.14, -0.07])")
also_right(ROW, torch.tensor([[0.21], [-0.14], [-0.07]]), "torch.tensor([[.21], [-.14], [-.07]])")
also_right(ROW, np.array([[0.21, -0.14, -0.07]]), "__import__('numpy').array([[.21, -.14, -.07]])")
also_right(ROW, np.array([0.21, -0.14, -0.07]), "__import__('numpy').array([.21, -.14, -.07])")
also_right(ROW, [Fraction(21, 100), Fraction(-14, 100), Fraction(-7, 100)],
           "[21 / 100, -14 / 100, -7 / 100]")

also_right("steps.softmax.largest_norm", 1 / 2)
also_right("steps.softmax.largest_norm", Fraction(1, 2), "__import__('fractions').Fraction(1, 2)")
also_right("steps.softmax.largest_norm", torch.tensor(0.5), "torch.tensor(0.5)")
also_right("steps.softmax.largest_norm", sympy.Rational(1, 2), "__import__('sympy').Rational(1, 2)")
also_right("steps.softmax.off_diagonal", " B ")
also_right("steps.softmax.shift", "B")
also_right("steps.softmax.one_hot", "C")
