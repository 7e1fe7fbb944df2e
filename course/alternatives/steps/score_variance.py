"""Other forms of the right answers to the steps that find the size of a score."""

import math
from fractions import Fraction

import sympy
import torch

from .. import also_right, alternative, sympy_form

TOPIC = "steps.score_variance."


def form(target: str, text: str) -> None:
    sympy_form(TOPIC + target, text)


for choice in ("needed", "std_of_8", "best_entropy", "gradient_at_64", "aligned_divisor"):
    right = {"needed": "D", "best_entropy": "C", "aligned_divisor": "A"}.get(choice, "B")
    also_right(TOPIC + choice, f" {right} ")


@alternative("steps.score_variance.mean_score")
def summed(d: int, mu: float) -> float:
    return sum(mu * mu for _ in range(d))


@alternative("steps.score_variance.mean_score")
def in_torch_too(d: float, mu: float) -> torch.Tensor:
    return d * torch.tensor(mu, dtype=torch.float64).square()


form("mean_score", "d * mu**2")
form("mean_score", "mu * (d * mu)")

also_right("steps.score_variance.one_product", 1)
also_right("steps.score_variance.one_product", Fraction(1), "__import__('fractions').Fraction(1)")
also_right("steps.score_variance.one_product", torch.tensor(1.0), "torch.tensor(1.0)")
also_right("steps.score_variance.shifted_product", 1.25**2 - 0.25**2)
also_right("steps.score_variance.shifted_product", Fraction(3, 2),
           "__import__('fractions').Fraction(3, 2)")
also_right("steps.score_variance.shifted_product", 1 + 2 * 0.25)


@alternative("steps.score_variance.divisor")
def as_a_power(d: float) -> float:
    return math.pow(d, 0.5)


@alternative("steps.score_variance.divisor")
def in_torch(d: float) -> torch.Tensor:
    return torch.sqrt(torch.tensor(d, dtype=torch.float64))


form("divisor", "sqrt(d)")
form("divisor", "d / sqrt(d)")
also_right("steps.score_variance.divisor", math.sqrt, "math.sqrt")

also_right("steps.score_variance.small_model", 5.66)
also_right("steps.score_variance.small_model", 5.657)
also_right("steps.score_variance.small_model", sympy.sqrt(32), "__import__('sympy').sqrt(32)")
also_right("steps.score_variance.entropy", 1 / 2)
also_right("steps.score_variance.entropy", math.log(2) / math.log(4), "math.log(2) / math.log(4)")
also_right("steps.score_variance.entropy", sympy.Rational(1, 2),
           "__import__('sympy').Rational(1, 2)")


@alternative("steps.score_variance.query_slope")
def term_by_term(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return ds_1 * k_1 / c + ds_2 * k_2 / c


@alternative("steps.score_variance.query_slope")
def a_dot_product(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    both = torch.tensor([[ds_1, ds_2], [k_1, k_2]], dtype=torch.float64)
    return float(both.prod(0).sum() / c)


form("query_slope", "(ds_1 * k_1 + ds_2 * k_2) / c")
form("query_slope", "c**-1 * (k_1 * ds_1 + k_2 * ds_2)")


@alternative("steps.score_variance.aligned_mean")
def of_each_product(d: float, rho: float) -> float:
    mean_square = 1.0
    return d * (rho * mean_square)


@alternative("steps.score_variance.aligned_mean")
def with_the_noise(d: float, rho: float) -> float:
    return rho * d + 0.0 * math.sqrt(max(0.0, 1 - rho**2))


form("aligned_mean", "rho * d")
form("aligned_mean", "d * rho")

also_right("steps.score_variance.variance_at_start", 128 * 0.02**2)
also_right("steps.score_variance.variance_at_start", 0.051)
also_right("steps.score_variance.variance_at_start", Fraction(128, 2500),
           "__import__('fractions').Fraction(128, 2500)")
