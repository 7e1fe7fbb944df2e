"""Other forms of the right answers to the steps that derive the cross-entropy gradient."""

import math

import sympy
import torch

from .. import also_right, alternative


def form(target: str, text: str) -> None:
    """An expression as a sympy object; S would be sympy's own S unless it is named."""
    also_right(target, sympy.sympify(text, {"S": sympy.Symbol("S")}),
               f"(s := __import__('sympy')).sympify({text!r}, {{'S': s.Symbol('S')}})")


@alternative("steps.cross_entropy.token_loss")
def log_of_the_quotient(z_y: float, S: float) -> float:
    return -math.log(math.exp(z_y) / S)


@alternative("steps.cross_entropy.token_loss")
def log_of_the_inverse(z_y: float, S: float) -> float:
    import numpy as np
    return float(np.log(S * np.exp(-z_y)))


@alternative("steps.cross_entropy.token_loss")
def in_torch(z_y: float, S: float) -> torch.Tensor:
    return -z_y + torch.log(torch.tensor(S))


form("steps.cross_entropy.token_loss", "log(S) - z_y")
form("steps.cross_entropy.token_loss", "-log(exp(z_y) / S)")

also_right("steps.cross_entropy.divisor", 10 - 3)
also_right("steps.cross_entropy.divisor", 7.0)
also_right("steps.cross_entropy.divisor", torch.tensor(7), "torch.tensor(7)")


@alternative("steps.cross_entropy.uniform_loss")
def minus_log_p(V: float) -> float:
    return -math.log(1 / V)


@alternative("steps.cross_entropy.uniform_loss")
def from_bits(V: float) -> float:
    return math.log2(V) * math.log(2)


form("steps.cross_entropy.uniform_loss", "log(V)")
form("steps.cross_entropy.uniform_loss", "-log(1 / V)")
also_right("steps.cross_entropy.uniform_loss", math.log, "__import__('math').log")


@alternative("steps.cross_entropy.log_sum_slope")
def one_exponential(z_i: float, S: float) -> float:
    return math.exp(z_i - math.log(S))


@alternative("steps.cross_entropy.log_sum_slope")
def power_of_e(z_i: float, S: float) -> float:
    return float(math.e**z_i * S**-1)


form("steps.cross_entropy.log_sum_slope", "exp(z_i) / S")
form("steps.cross_entropy.log_sum_slope", "1 / (S * exp(-z_i))")


@alternative("steps.cross_entropy.logit_slope")
def two_cases(p_i: float, y_i: float) -> float:
    return p_i - 1 if y_i == 1 else p_i


@alternative("steps.cross_entropy.logit_slope")
def turned_twice(p_i: float, y_i: float) -> float:
    return -(y_i - p_i)


@alternative("steps.cross_entropy.logit_slope")
def weighted(p_i: float, y_i: float) -> float:
    return y_i * (p_i - 1) + (1 - y_i) * p_i


form("steps.cross_entropy.logit_slope", "p_i - y_i")


@alternative("steps.cross_entropy.squared_slope")
def multiplied_out(p: float, y: float) -> float:
    return (p - y) * (p - p**2)


@alternative("steps.cross_entropy.squared_slope")
def through_the_score(p: float, y: float) -> float:
    z = math.log(p / (1 - p))
    return (p - y) * math.exp(-z) / (1 + math.exp(-z)) ** 2


form("steps.cross_entropy.squared_slope", "(p - y) * p * (1 - p)")
form("steps.cross_entropy.squared_slope", "-(y - p) * (p - p**2)")
also_right("steps.cross_entropy.moves", "C")
