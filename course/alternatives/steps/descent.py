"""Other forms of the right answers to the steps on plain steps, momentum and averages."""

from fractions import Fraction

import sympy
import torch

from .. import also_right, alternative, sympy_form


def form(target: str, text: str) -> None:
    """A sympy object; beta alone would be read as the function of that name."""
    beta = "{'beta': __import__('sympy').Symbol('beta')}"
    also_right(target, sympy.sympify(text, {"beta": sympy.Symbol("beta")}),
               f"__import__('sympy').sympify({text!r}, {beta})")


sympy_form("steps.descent.shrink", "1 - lr*lam")
sympy_form("steps.descent.shrink", "-(lr*lam - 1)")
form("steps.descent.terminal", "g / (1 - beta)")
form("steps.descent.terminal", "-g / (beta - 1)")
form("steps.descent.same_path", "lr / (1 - beta)")
form("steps.descent.same_path", "-lr / (beta - 1)")
form("steps.descent.noise_left", "(1 - beta)**2 / (1 - beta**2)")
form("steps.descent.noise_left", "2/(1 + beta) - 1")
also_right("steps.descent.largest_rate", 2 / 50)
also_right("steps.descent.largest_rate", Fraction(1, 25), "__import__('fractions').Fraction(1, 25)")
also_right("steps.descent.largest_rate", torch.tensor(0.04), "torch.tensor(0.04)")


@alternative("steps.descent.shrink")
def by_a_step(lr: float, lam: float) -> float:
    w = 2.0
    return (w - lr * lam * w) / w


@alternative("steps.descent.terminal")
def many_steps(g: float, beta: float) -> float:
    b = 0.0
    for _ in range(3000):
        b = beta * b + g
    return b


@alternative("steps.descent.same_path")
def as_a_power(lr: float, beta: float) -> float:
    return lr * (1 - beta) ** -1


@alternative("steps.descent.noise_left")
def summed(beta: float) -> float:
    return sum(((1 - beta) * beta**k) ** 2 for k in range(30_000))
