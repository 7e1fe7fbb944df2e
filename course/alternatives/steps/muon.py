"""Other forms of the right answers to the steps that derive Muon."""

import math

import torch

from .. import also_right, alternative, sympy_form

sympy_form("steps.muon.next_sigma", "a*s + b*s**3 + c*s**5")
sympy_form("steps.muon.next_sigma", "s*(a + s**2*(b + c*s**2))")
sympy_form("steps.muon.entry_size", "1/sqrt(Max(rows, columns))")
sympy_form("steps.muon.entry_size", "sqrt(Min(rows, columns)/(rows*columns))")
sympy_form("steps.muon.overhead", "steps*width/tokens")
sympy_form("steps.muon.overhead", "3*steps*width**3/(3*width**2*tokens)")
also_right("steps.muon.cubic", (3 / 2, -1 / 2))
also_right("steps.muon.cubic", torch.tensor([1.5, -0.5]), "torch.tensor([1.5, -0.5])")
also_right("steps.muon.growth", 485)
also_right("steps.muon.growth", 484.9)
also_right("steps.muon.growth", math.prod([3.4445] * 5), "math.prod([3.4445] * 5)")


@alternative("steps.muon.next_sigma")
def of_a_matrix(s: float, a: float, b: float, c: float) -> torch.Tensor:
    X = torch.tensor([[s]], dtype=torch.float64)
    A = X @ X.T
    return (a * X + (b * A + c * A @ A) @ X)[0, 0]


@alternative("steps.muon.entry_size")
def of_an_eye(rows: float, columns: float) -> float:
    return torch.eye(int(rows), int(columns), dtype=torch.float64).square().mean().sqrt().item()


@alternative("steps.muon.overhead")
def counted(width: float, tokens: float, steps: float) -> float:
    iterations = steps * 3 * width**3
    forward_and_backward = 3 * tokens * width**2
    return iterations / forward_and_backward


@alternative("steps.muon.entry_size")
def of_numpys_eye(rows: int, columns: int) -> float:
    import numpy as np
    return float(np.sqrt(np.mean(np.eye(rows, columns) ** 2)))


@alternative("steps.muon.overhead")
def step_by_step(width: int, tokens: int, steps: int) -> float:
    return sum(3 * width**3 for _ in range(steps)) / (3 * width**2 * tokens)
