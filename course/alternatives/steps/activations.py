"""Right answers to the steps about activations in other forms."""

from .. import also_right, alternative, sympy_form

also_right("steps.activations.dead", "C")
also_right("steps.activations.silu_minimum", -1.2785)
also_right("steps.activations.silu_minimum", -1.28)
also_right("steps.activations.order", (3, 2, 4, 5, 1))

sympy_form("steps.activations.gelu_slope", "x*phi + Phi")
sympy_form("steps.activations.silu_slope", "s + x*s - x*s**2")
sympy_form("steps.activations.silu_lowest", "1 + x")


@alternative("steps.activations.gelu_slope")
def turned(x: float, Phi: float, phi: float) -> float:
    return x * (phi + Phi / x)


@alternative("steps.activations.gelu_slope")
def density_first(x: float, Phi: float, phi: float) -> float:
    return phi * x + Phi


@alternative("steps.activations.silu_slope")
def through_silu(x: float, s: float) -> float:
    f = x * s
    return f + s * (1 - f)


@alternative("steps.activations.silu_slope")
def product_rule(x: float, s: float) -> float:
    return s + x * s * (1 - s)


@alternative("steps.activations.silu_lowest")
def from_the_condition(x: float) -> float:
    s = 1 + 1 / x  # from 1 + x(1 - s) = 0
    return x * s


@alternative("steps.activations.silu_lowest")
def shifted(x: float) -> float:
    return -(-1 - x)
