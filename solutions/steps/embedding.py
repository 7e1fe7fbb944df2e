"""Answers of the steps about the embedding table, its gradient and the output layer (lesson 03)."""

import torch

one_hot_distance = 2

multiplications = 512_000

repeated_row = [1.5, 1.0]

rows_without_gradient = 3100


def scores(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    """The V scores of each of N tokens: `h` [N, D], the output table `W` [V, D] → [N, V]."""
    ### BEGIN SOLUTION
    return h @ W.T
    ### END SOLUTION


def saved_by_tying(V: float, D: float) -> float:
    """How many numbers are saved when one table [V, D] serves for both ends of the model."""
    ### BEGIN SOLUTION
    return V * D
    ### END SOLUTION


tied_gradient = "c"
