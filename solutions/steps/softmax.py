"""Answers of the steps that derive the softmax Jacobian and its product (lesson 01)."""

shift = "b"


def diagonal(p_i: float) -> float:
    """∂pᵢ/∂zᵢ as a function of pᵢ."""
    ### BEGIN SOLUTION
    return p_i * (1 - p_i)
    ### END SOLUTION


off_diagonal = "b"

first_row = [0.21, -0.14, -0.07]


def vjp_entry(p_i: float, g_i: float, m: float) -> float:
    """(Jᵀg)ᵢ as a function of pᵢ, gᵢ and m = Σⱼ pⱼgⱼ, the sum over all j."""
    ### BEGIN SOLUTION
    return p_i * (g_i - m)
    ### END SOLUTION


one_hot = "c"

largest_norm = 0.5
