"""Answers of the steps about temperature (lesson 10)."""


def ratio(r: float, t: float) -> float:
    """pᵢ/pⱼ at temperature t, where r is pᵢ/pⱼ at temperature 1."""
    ### BEGIN SOLUTION
    return float(r ** (1 / t))
    ### END SOLUTION


by_hand = [[0.867, 0.117, 0.016], [0.665, 0.245, 0.090], [0.506, 0.307, 0.186]]


def p_slope(p_i: float, z_i: float, m: float) -> float:
    """∂pᵢ/∂β for p = softmax(β z), as a function of pᵢ, zᵢ and m = Σⱼ pⱼzⱼ."""
    ### BEGIN SOLUTION
    return p_i * (z_i - m)
    ### END SOLUTION


def entropy_slope(beta: float, m: float, v: float) -> float:
    """∂H/∂β for H = log S - β m, as a function of β, the mean m and the variance v of the scores.

    Mean and variance are taken with the probabilities p; ∂(log S)/∂β = m and ∂m/∂β = v.
    """
    ### BEGIN SOLUTION
    return -beta * v
    ### END SOLUTION


limit = "b"
