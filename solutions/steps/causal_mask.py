"""Answers of the steps about the mask (lesson 04)."""

import math

import torch

corner = 9


def both_masks(causal: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    """Join causal [T, S] and real [B, S] (False = padding) into one mask [B, 1, T, S]."""
    ### BEGIN SOLUTION
    return causal & real[:, None, None, :]  # (B, 1, T, S)
    ### END SOLUTION


def zero_fill(s: float, n: float) -> float:
    """The weight that `n` masked keys, filled with 0, get beside one allowed key of score `s`."""
    ### BEGIN SOLUTION
    return n / (n + math.exp(s))
    ### END SOLUTION


inverted_mask = "a"

no_mask_needed = "b"
