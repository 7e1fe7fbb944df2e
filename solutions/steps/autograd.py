"""Answers of the steps about an engine for derivatives (lesson 02)."""


def power_slope(a: float, n: float) -> float:
    """The derivative of aⁿ to a, as a function of a and n."""
    ### BEGIN SOLUTION
    return float(n * a ** (n - 1))
    ### END SOLUTION


def tanh_slope(t: float) -> float:
    """The derivative of tanh, as a function of its result t = tanh(a)."""
    ### BEGIN SOLUTION
    return 1 - t**2
    ### END SOLUTION


used_twice = 7

order = "c"

two_calls = 5
