"""Answers of the steps that find four broken attention layers, and a broken block (lesson 05)."""

from collections.abc import Callable
from typing import Any

import torch


def reach(layer: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """How far each token reaches: [T, T] for a layer [1, T, D] → [1, T, D] at `x` [1, T, D].

    Entry [t, s] is the largest |∂ out[t, i] / ∂ x[s, j]| over all i and j.
    """
    ### BEGIN SOLUTION
    J: torch.Tensor = torch.func.jacrev(layer)(x)  # (1, T, D, 1, T, D)
    return J[0, :, :, 0].abs().amax((1, 3))  # (T, T)
    ### END SOLUTION


in_a = "d"
in_b = "a"
in_c = "c"
in_d = "b"

sees_a = "d"
sees_b = "b"
sees_c = "c"
sees_d = "c"

divisor = 32**0.5

effect = "b"

hand_weight = 0.75


def block(x: Any, norm_1: Any, attention: Any, norm_2: Any, feed_forward: Any) -> Any:
    """One layer of the decoder, [B, T, D] → [B, T, D]; the other four are functions of x."""
    ### BEGIN SOLUTION
    x = x + attention(norm_1(x))
    return x + feed_forward(norm_2(x))
    ### END SOLUTION
