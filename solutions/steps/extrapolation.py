"""Answers of the steps on longer texts than those of training: PI, NTK-aware, YaRN (lesson 07)."""

import math


def turns(theta: float, L: float) -> float:
    """How many full turns a pair with θ radians per position makes over L positions."""
    ### BEGIN SOLUTION
    return L * theta / (2 * math.pi)
    ### END SOLUTION


unseen = "b"


def slowing(ratio: float, i: float, Dh: float) -> float:
    """θᵢ of the old base divided by θᵢ of the new one, where new / old base is `ratio`."""
    ### BEGIN SOLUTION
    return float(ratio ** (2 * i / Dh))
    ### END SOLUTION


def ntk_exponent(Dh: float) -> float:
    """The x in b' = b · s^x that slows the slowest pair of a head exactly s times."""
    ### BEGIN SOLUTION
    return Dh / (Dh - 2)
    ### END SOLUTION


def ramp(r: float, alpha: float, beta: float) -> float:
    """γ for a pair of r turns in training, with α < r < β: 0 at α, 1 at β, a line between."""
    ### BEGIN SOLUTION
    return (r - alpha) / (beta - alpha)
    ### END SOLUTION


def logit_factor(s: float) -> float:
    """By what the scores q · k grow when q and k are each multiplied by 0.1 ln s + 1."""
    ### BEGIN SOLUTION
    return (0.1 * math.log(s) + 1) ** 2
    ### END SOLUTION
