"""Answers of the steps that derive the loss and its gradient p - y (lesson 01)."""

import math


def token_loss(z_y: float, S: float) -> float:
    """-log p_y as a function of the target's score z_y and S = Σⱼ exp(zⱼ), in nats."""
    ### BEGIN SOLUTION
    return math.log(S) - z_y
    ### END SOLUTION


divisor = 7


def uniform_loss(V: float) -> float:
    """The loss in nats of a model that gives each of V tokens the same probability."""
    ### BEGIN SOLUTION
    return math.log(V)
    ### END SOLUTION


def log_sum_slope(z_i: float, S: float) -> float:
    """∂(log S)/∂zᵢ as a function of zᵢ and S = Σⱼ exp(zⱼ)."""
    ### BEGIN SOLUTION
    return math.exp(z_i) / S
    ### END SOLUTION


def logit_slope(p_i: float, y_i: float) -> float:
    """∂L/∂zᵢ as a function of pᵢ and yᵢ, where yᵢ is 1 at the target and 0 elsewhere."""
    ### BEGIN SOLUTION
    return p_i - y_i
    ### END SOLUTION


moves = "c"


def squared_slope(p: float, y: float) -> float:
    """The derivative of (p - y)²/2 to z, where p = sigmoid(z), as a function of p and y."""
    ### BEGIN SOLUTION
    return (p - y) * p * (1 - p)
    ### END SOLUTION
