"""Answers of the steps on BatchNorm (lesson 08)."""

import torch


def in_training(x: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    """Norm each column of `x` [B, T, D] over all B·T tokens, as BatchNorm does in training.

    No gain and no offset; the variance is divided by the number of tokens.
    """
    ### BEGIN SOLUTION
    centred = x - x.mean((0, 1))
    variance = centred.square().mean((0, 1))  # (D,)
    return centred / (variance + eps).sqrt()  # (B, T, D)
    ### END SOLUTION


depends = "d"

one_text = "b"
