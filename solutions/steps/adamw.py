"""Answers of the steps that derive AdamW: bias correction, the step itself, decay (lesson 13)."""

import math


def weight_of(beta: float, i: int, t: int) -> float:
    """The factor that the gradient of step i has in m after step t (i ≤ t, the first step is 1)."""
    ### BEGIN SOLUTION
    return (1 - beta) * beta ** (t - i)
    ### END SOLUTION


def constant_gradient(g: float, beta: float, t: int) -> float:
    """m after step t when every gradient was g."""
    ### BEGIN SOLUTION
    return (1 - beta**t) * g
    ### END SOLUTION


def divisor(beta: float, t: int) -> float:
    """What to divide m by after step t, so that a constant gradient comes out as itself."""
    ### BEGIN SOLUTION
    return 1 - beta**t
    ### END SOLUTION


first_raw = 0.1 / math.sqrt(0.05)

first_half = 1 / math.sqrt(0.05)


def first_direction(g: float) -> float:
    """m̂ / √v̂ after the first step, for a gradient g that is not 0."""
    ### BEGIN SOLUTION
    return g / abs(g)
    ### END SOLUTION


tiny_gradient = 0.5

thousandfold = "b"

decoupled = 1.5

coupled = 1.0


def left_after(w: float, lr: float, lam: float, k: int) -> float:
    """What is left of w after k steps of AdamW in which its gradient was 0."""
    ### BEGIN SOLUTION
    return w * (1 - lr * lam) ** k
    ### END SOLUTION


bytes_per_parameter = 16
