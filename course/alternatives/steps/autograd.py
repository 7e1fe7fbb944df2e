"""Other forms of the right answers to the steps about an engine for derivatives."""

import math

import sympy

from .. import also_right, alternative


def form(target: str, text: str) -> None:
    """An expression as a sympy object, made by the same words here and in an answer cell."""
    also_right(target, sympy.sympify(text), f"__import__('sympy').sympify({text!r})")


@alternative("steps.autograd.power_slope")
def result_over_a(a: float, n: float) -> float:
    return float(n * a**n / a)


form("steps.autograd.power_slope", "n * a**(n - 1)")
form("steps.autograd.power_slope", "n * a**n / a")


@alternative("steps.autograd.tanh_slope")
def two_factors(t: float) -> float:
    return (1 - t) * (1 + t)


@alternative("steps.autograd.tanh_slope")
def through_the_input(t: float) -> float:
    return math.cosh(math.atanh(t)) ** -2


form("steps.autograd.tanh_slope", "1 - t**2")
also_right("steps.autograd.used_twice", 3 + 3 + 1)
also_right("steps.autograd.two_calls", 2.0 + 3.0)
also_right("steps.autograd.order", "C ")
