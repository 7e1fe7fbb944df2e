"""Answers of the steps about activations: slopes, the minimum of SiLU, dead units, dates."""

dead = "c"


def gelu_slope(x: float, Phi: float, phi: float) -> float:
    """The derivative of x·Φ(x), as a function of x, Φ(x) and the density φ(x) = Φ′(x)."""
    ### BEGIN SOLUTION
    return Phi + x * phi
    ### END SOLUTION


def silu_slope(x: float, s: float) -> float:
    """The derivative of x·σ(x), as a function of x and s = σ(x)."""
    ### BEGIN SOLUTION
    return s * (1 + x * (1 - s))
    ### END SOLUTION


silu_minimum = -1.278465


def silu_lowest(x: float) -> float:
    """The value of x·σ(x) at the x where its slope is 0, as a function of x without σ or exp."""
    ### BEGIN SOLUTION
    return x + 1
    ### END SOLUTION


order = [3, 2, 4, 5, 1]
