"""Answers of the steps about what one new token costs (lesson 11)."""


def linear_products(D: float) -> float:
    """Multiplications of one token in the linear layers of a block: MHA, feed-forward of 4D."""
    ### BEGIN SOLUTION
    return 12 * D**2
    ### END SOLUTION


def attention_products(D: float, S: float) -> float:
    """Multiplications of one new token with the S keys and S values of a block's cache."""
    ### BEGIN SOLUTION
    return 2 * S * D
    ### END SOLUTION


def crossover(D: float) -> float:
    """The number of positions S at which both are equal."""
    ### BEGIN SOLUTION
    return 6 * D
    ### END SOLUTION


def intensity(B: float, b: float) -> float:
    """Operations per byte of weights read: one step for B texts, b bytes a weight."""
    ### BEGIN SOLUTION
    return 2 * B / b
    ### END SOLUTION


batched_cache = "c"
