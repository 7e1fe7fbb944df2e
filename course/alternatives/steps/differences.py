"""Other forms of the right answers to the steps about difference quotients."""

import sympy

from .. import also_right, alternative


def form(target: str, text: str) -> None:
    """An expression as a sympy object, made by the same words here and in an answer cell."""
    also_right(target, sympy.sympify(text), f"__import__('sympy').sympify({text!r})")


@alternative("steps.differences.forward_error")
def the_quotient_itself(eps: float) -> float:
    return ((1 + eps) ** 3 - 1) / eps - 3


form("steps.differences.forward_error", "eps * (3 + eps)")
form("steps.differences.forward_error", "3*eps + eps**2")


@alternative("steps.differences.central_error")
def the_central_quotient_itself(eps: float) -> float:
    return ((1 + eps) ** 3 - (1 - eps) ** 3) / (2 * eps) - 3


form("steps.differences.central_error", "eps**2")
form("steps.differences.central_error", "eps * eps")
also_right("steps.differences.at_the_kink", 1 / 2)
also_right("steps.differences.at_the_kink", sympy.Rational(1, 2),
           "__import__('sympy').Rational(1, 2)")
