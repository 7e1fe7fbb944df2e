"""Other forms of the right answers to the steps that derive AdamW."""

import math

import sympy
import torch

from .. import also_right, alternative, sympy_form


def form(target: str, text: str) -> None:
    """A sympy object; beta alone would be read as the function of that name."""
    beta = "{'beta': __import__('sympy').Symbol('beta')}"
    also_right(target, sympy.sympify(text, {"beta": sympy.Symbol("beta")}),
               f"__import__('sympy').sympify({text!r}, {beta})")


form("steps.adamw.weight_of", "(1 - beta)*beta**(t - i)")
form("steps.adamw.weight_of", "beta**(t - i) - beta**(t - i + 1)")
form("steps.adamw.constant_gradient", "g*(1 - beta**t)")
form("steps.adamw.constant_gradient", "g - g*beta**t")
form("steps.adamw.divisor", "1 - beta**t")
sympy_form("steps.adamw.first_direction", "sign(g)")
sympy_form("steps.adamw.first_direction", "g / sqrt(g**2)")
sympy_form("steps.adamw.left_after", "w*(1 - lr*lam)**k")
also_right("steps.adamw.first_raw", 0.447)
also_right("steps.adamw.first_raw", 0.1 * math.sqrt(20), "0.1 * 20 ** 0.5")
also_right("steps.adamw.first_raw", torch.tensor(0.4472), "torch.tensor(0.4472)")
also_right("steps.adamw.first_half", 4.47)
also_right("steps.adamw.first_half", math.sqrt(20), "20 ** 0.5")
also_right("steps.adamw.tiny_gradient", 1e-8 / (math.sqrt(1e-16) + 1e-8))
also_right("steps.adamw.thousandfold", " B ")
also_right("steps.adamw.decoupled", 1 + 0.1 * 5)
also_right("steps.adamw.decoupled", torch.tensor(1.5), "torch.tensor(1.5)")
also_right("steps.adamw.coupled", 1)
also_right("steps.adamw.bytes_per_parameter", 4 * 4)
also_right("steps.adamw.bytes_per_parameter", 16.0)


@alternative("steps.adamw.weight_of")
def walked(beta: float, i: int, t: int) -> float:
    m = 0.0
    for step in range(1, int(t) + 1):
        m = beta * m + (1 - beta) * (step == int(i))
    return m


@alternative("steps.adamw.constant_gradient")
def step_by_step(g: float, beta: float, t: int) -> float:
    m = 0.0
    for _ in range(t):
        m = beta * m + (1 - beta) * g
    return m


@alternative("steps.adamw.constant_gradient")
def geometric(g: float, beta: float, t: int) -> float:
    return (1 - beta) * sum(g * beta**k for k in range(t))


@alternative("steps.adamw.divisor")
def with_pow(beta: float, t: float) -> float:
    return -(math.pow(beta, t) - 1)


@alternative("steps.adamw.first_direction")
def copied_sign(g: float) -> float:
    return math.copysign(1, g)


@alternative("steps.adamw.first_direction")
def in_torch(g: float) -> torch.Tensor:
    return torch.tensor(g, dtype=torch.float64).sign()


@alternative("steps.adamw.left_after")
def in_a_loop(w: float, lr: float, lam: float, k: int) -> float:
    for _ in range(k):
        w -= lr * lam * w
    return w


@alternative("steps.adamw.divisor")
def sum_of_the_factors(beta: float, t: int) -> float:
    return (1 - beta) * sum(beta**k for k in range(t))


@alternative("steps.adamw.left_after")
def through_the_logarithm(w: float, lr: float, lam: float, k: int) -> float:
    return w * math.exp(k * math.log(1 - lr * lam))
