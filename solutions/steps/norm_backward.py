"""Answers of the steps of RMSNorm's gradient, and of LayerNorm's (lesson 08)."""


def rms_slope(x_j: float, r: float, D: int) -> float:
    """∂r/∂x_j for r = √(mean of x² + eps) over D entries."""
    ### BEGIN SOLUTION
    return x_j / (D * r)
    ### END SOLUTION


def diagonal(xhat_i: float, r: float, D: int) -> float:
    """∂x̂_i/∂x_i for x̂ = x / r."""
    ### BEGIN SOLUTION
    return (1 - xhat_i**2 / D) / r
    ### END SOLUTION


def off_diagonal(xhat_i: float, xhat_j: float, r: float, D: int) -> float:
    """∂x̂_i/∂x_j for x̂ = x / r and j ≠ i."""
    ### BEGIN SOLUTION
    return -xhat_i * xhat_j / (D * r)
    ### END SOLUTION


along_x = "a"

doubled = 0.5

centring = "b"
