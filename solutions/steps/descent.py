"""Answers of the steps on plain steps, momentum and running averages (lesson 13)."""


def shrink(lr: float, lam: float) -> float:
    """The factor that one step of gradient descent multiplies w with, for the loss ½ lam w²."""
    ### BEGIN SOLUTION
    return 1 - lr * lam
    ### END SOLUTION


largest_rate = 0.04


def terminal(g: float, beta: float) -> float:
    """Where b ← beta b + g settles when the gradient is g at every step."""
    ### BEGIN SOLUTION
    return g / (1 - beta)
    ### END SOLUTION


def same_path(lr: float, beta: float) -> float:
    """The rate for m ← beta m + (1 - beta) g that goes the way of b ← beta b + g with rate lr."""
    ### BEGIN SOLUTION
    return lr / (1 - beta)
    ### END SOLUTION


def noise_left(beta: float) -> float:
    """The variance of m, long after the start, when each g is independent with variance 1."""
    ### BEGIN SOLUTION
    return (1 - beta) / (1 + beta)
    ### END SOLUTION
