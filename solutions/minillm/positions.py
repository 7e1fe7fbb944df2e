"""Positions that are added to the tokens: sinusoids, and a table that is learned.

A sinusoidal position is D/2 points on a circle. Pair `i` holds (sin m ωᵢ, cos m ωᵢ) in the columns
2i and 2i + 1, with ωᵢ = base^(-2i/D) radians per position. Positions count from 0.
Source: Vaswani et al. (2017).
"""

import math

import torch


def wavelengths(D: int, base: float = 10000.0) -> torch.Tensor:
    """Give how many positions each pair takes for a full turn: 2π/ωᵢ.

    [D/2] in torch's default dtype, growing from 2π. Raises ValueError when `D` is odd or below 2.
    Source: Vaswani et al. (2017).
    """
    if D < 2 or D % 2:
        raise ValueError(f"D = {D} cannot be cut into pairs")
    ### BEGIN SOLUTION
    exponents = torch.arange(0, D, 2) / D  # 2i/D
    turn: torch.Tensor = 2 * math.pi * torch.pow(base, exponents)
    return turn
    ### END SOLUTION


def sinusoidal_table(T: int, D: int, base: float = 10000.0) -> torch.Tensor:
    """Give the vectors of positions 0 … T-1: sin(m ωᵢ) in even columns, cos(m ωᵢ) in odd ones.

    [T, D] in torch's default dtype; columns 2i and 2i + 1 share ωᵢ. Raises ValueError when `D` is
    odd or below 2, or `T` is negative. Source: Vaswani et al. (2017).
    """
    if D < 2 or D % 2 or T < 0:
        raise ValueError(f"T = {T} (at least 0) and D = {D} (even, at least 2)")
    ### BEGIN SOLUTION
    omega = torch.pow(base, -torch.arange(0, D, 2) / D)  # (D/2,)
    angles = torch.arange(T)[:, None] * omega  # (T, D/2)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)  # (T, D)
    ### END SOLUTION


def shift_matrix(k: int, D: int, base: float = 10000.0) -> torch.Tensor:
    """Give the one matrix M that moves every position by k: table[m + k] = M @ table[m], all m.

    [D, D] in torch's default dtype; `k` may be negative. 2 × 2 blocks on the diagonal, one for each
    pair, zeros elsewhere. Raises ValueError when `D` is odd or below 2.
    Source: Vaswani et al. (2017), section 3.5, where it is said and not shown.
    """
    if D < 2 or D % 2:
        raise ValueError(f"D = {D} cannot be cut into pairs")
    ### BEGIN SOLUTION
    angles = k * torch.pow(base, -torch.arange(0, D, 2) / D)  # (D/2,)
    c, s = angles.cos(), angles.sin()
    M, first = torch.zeros(D, D), torch.arange(0, D, 2)  # the sine of each pair
    M[first, first] = M[first + 1, first + 1] = c
    M[first, first + 1], M[first + 1, first] = s, -s
    return M
    ### END SOLUTION


class LearnedPositions(torch.nn.Module):
    """A vector for each of `max_len` positions, learned like the embedding of a token.

    `table` is a `torch.nn.Embedding` of shape [max_len, D]. Source: GPT-2 (Radford et al., 2019).
    """

    def __init__(self, max_len: int, D: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(max_len, D)

    def forward(self, T: int, start: int = 0) -> torch.Tensor:
        """Give the vectors of the positions start … start + T - 1, as [T, D].

        `start` is how many tokens came before, as with a cache. Raises IndexError when a position
        has no row, instead of giving fewer rows or those of other positions.
        """
        ### BEGIN SOLUTION
        positions = torch.arange(start, start + T, device=self.table.weight.device)
        vectors: torch.Tensor = self.table(positions)
        return vectors  # (T, D)
        ### END SOLUTION
