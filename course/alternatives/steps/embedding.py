"""Other forms of the right answers to the steps about the embedding table and the output."""

import numpy as np
import sympy
import torch

from .. import also_right, alternative

ROW, SCORES, SAVED = (f"steps.embedding.{name}" for name in
                      ("repeated_row", "scores", "saved_by_tying"))
also_right(ROW, (1 + 0.5, 2 - 1))
also_right(ROW, torch.tensor([1.5, 1.0]), "torch.tensor([1.5, 1.0])")
also_right(ROW, torch.tensor([[1.5], [1.0]]), "torch.tensor([[1.5], [1.0]])")
also_right(ROW, np.array([1.5, 1]), "__import__('numpy').array([1.5, 1])")
also_right("steps.embedding.multiplications", 4000 * 128)
also_right("steps.embedding.one_hot_distance", 2.0)
also_right("steps.embedding.rows_without_gradient", 4000 - 900)
also_right("steps.embedding.tied_gradient", "C")


@alternative("steps.embedding.scores")
def einsum(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return torch.einsum("nd,vd->nv", h, W)


@alternative("steps.embedding.scores")
def built_in(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.linear(h, W)


@alternative("steps.embedding.scores")
def token_by_token(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return torch.stack([torch.stack([row @ w for w in W]) for row in h])


@alternative("steps.embedding.scores")
def turned_around_twice(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return W.matmul(h.transpose(0, 1)).transpose(0, 1)


@alternative("steps.embedding.saved_by_tying")
def two_tables_less_one(V: float, D: float) -> float:
    return 2 * V * D - V * D


@alternative("steps.embedding.saved_by_tying")
def with_numpy_size(V: float, D: float) -> int:
    return int(V) * int(D)


also_right("steps.embedding.saved_by_tying", sympy.sympify("V * D"),
           "__import__('sympy').sympify('V * D')")
