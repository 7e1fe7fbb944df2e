"""Answers of the steps about difference quotients (lesson 02)."""


def forward_error(eps: float) -> float:
    """(f(1 + eps) - f(1)) / eps - f'(1) for f(x) = x³, as a function of eps."""
    ### BEGIN SOLUTION
    return 3 * eps + eps**2
    ### END SOLUTION


def central_error(eps: float) -> float:
    """(f(1 + eps) - f(1 - eps)) / (2 eps) - f'(1) for f(x) = x³, as a function of eps."""
    ### BEGIN SOLUTION
    return eps**2
    ### END SOLUTION


at_the_kink = 0.5
