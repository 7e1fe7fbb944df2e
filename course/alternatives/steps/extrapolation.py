"""Other forms of the right answers to the steps on longer texts than those of training."""

import math

import torch

from .. import also_right, alternative, sympy_form

sympy_form("steps.extrapolation.turns", "L * theta / (2 * pi)")
sympy_form("steps.extrapolation.turns", "L / (2 * pi / theta)")


@alternative("steps.extrapolation.turns")
def in_float32(theta: float, L: float) -> torch.Tensor:
    return torch.tensor(theta) * L / (2 * torch.pi)


@alternative("steps.extrapolation.turns")
def by_wavelength(theta: float, L: float) -> float:
    wavelength = math.tau / theta
    return L / wavelength


sympy_form("steps.extrapolation.slowing", "ratio ** (2 * i / Dh)")
sympy_form("steps.extrapolation.slowing", "1 / ratio ** (-2 * i / Dh)")


@alternative("steps.extrapolation.slowing")
def quotient_of_frequencies(ratio: float, i: float, Dh: float) -> float:
    old, new = 10.0, 10.0 * ratio
    return float(old ** (-2 * i / Dh) / new ** (-2 * i / Dh))


sympy_form("steps.extrapolation.ntk_exponent", "Dh / (Dh - 2)")
sympy_form("steps.extrapolation.ntk_exponent", "1 / (1 - 2 / Dh)")


@alternative("steps.extrapolation.ntk_exponent")
def one_and_a_bit(Dh: float) -> float:
    return 1 + 2 / (Dh - 2)


def line(text: str) -> None:
    """An expression in r, α and β: `beta` would be sympy's own function unless it is named."""
    import sympy
    symbols = {name: sympy.Symbol(name) for name in ("r", "alpha", "beta")}
    also_right("steps.extrapolation.ramp", sympy.sympify(text, symbols),
               f"(s := __import__('sympy')).sympify({text!r}, "
               "{n: s.Symbol(n) for n in ('r', 'alpha', 'beta')})")


line("(r - alpha) / (beta - alpha)")
line("1 - (beta - r) / (beta - alpha)")


@alternative("steps.extrapolation.ramp")
def interpolated(r: float, alpha: float, beta: float) -> float:
    import numpy as np
    return float(np.interp(r, [alpha, beta], [0.0, 1.0]))


sympy_form("steps.extrapolation.logit_factor", "(log(s) / 10 + 1) ** 2")
sympy_form("steps.extrapolation.logit_factor", "1 + 0.2 * log(s) + 0.01 * log(s) ** 2")


@alternative("steps.extrapolation.logit_factor")
def product_of_two(s: float) -> torch.Tensor:
    q = k = 1 + 0.1 * torch.log(torch.tensor(s, dtype=torch.float64))
    return q * k


also_right("steps.extrapolation.unseen", "B")
