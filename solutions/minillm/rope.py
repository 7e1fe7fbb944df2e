"""Rotary position embedding: turn queries and keys by their position; stretch it for longer texts.

A head of `Dh` numbers is `Dh/2` pairs, and a pair is a point in a plane. Pair `i` at position `m`
is turned by the angle `m θᵢ`, in radians. Positions count from 0. Letters: `w` pairs that turn, `L`
tokens of a text in training, `scale` = L'/L for the length L' wanted. Source: Su et al. (2021).
"""

import math

import torch


def rotation_matrix(angle: float) -> torch.Tensor:
    """Give the matrix R that turns a column [x, y] counter-clockwise by `angle` radians.

    A number gives [2, 2] in torch's default dtype; R @ [1, 0] is [cos angle, sin angle].
    Source: Su et al. (2021).
    """
    ### BEGIN SOLUTION
    a = torch.as_tensor(angle)
    c, s = torch.cos(a), torch.sin(a)
    return torch.stack([torch.stack([c, -s]), torch.stack([s, c])])
    ### END SOLUTION


def rope_frequencies(Dh: int, base: float = 10000.0) -> torch.Tensor:
    """Give θᵢ = base^(-2i/Dh) for i = 0 … Dh/2 - 1: radians per position, one for each pair.

    [Dh/2] in torch's default dtype, falling from 1. `Dh` is the width of one head, not of the
    model. Raises ValueError when `Dh` is odd or below 2. Source: Su et al. (2021).
    """
    if Dh < 2 or Dh % 2:
        raise ValueError(f"Dh = {Dh} cannot be cut into pairs")
    ### BEGIN SOLUTION
    first_of_pair = torch.arange(0, Dh, 2)  # 2i
    exponents: torch.Tensor = -first_of_pair / Dh
    return torch.pow(base, exponents)
    ### END SOLUTION


def rope_tables(
    positions: torch.Tensor, frequencies: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Give cos and sin of the angle `positions[t] * frequencies[i]`, in radians.

    `positions` [T], any integers or fractions in any order, and `frequencies` [w] → `(cos, sin)`,
    each [T, w], in the dtype of `frequencies`, but never computed in less than float32: a large
    position has no exact value in bfloat16. Source: Su et al. (2021).
    """
    ### BEGIN SOLUTION
    dtype = torch.promote_types(frequencies.dtype, torch.float32)
    angles = positions.to(dtype)[:, None] * frequencies.to(dtype)  # (T, w)
    return angles.cos(), angles.sin()
    ### END SOLUTION


def apply_rope(
    x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
) -> torch.Tensor:
    """Turn each pair of a query or key by the angle of its position.

    `x` [..., T, Dh], `cos` and `sin` [T, w] with w ≤ Dh/2 → the shape and dtype of `x`. The first
    2w numbers of a head form w pairs: neighbours (2i, 2i + 1) if `interleaved`, else (i, i + w).
    The other Dh - 2w pass through unchanged. Raises ValueError when the tables do not fit `x`.
    Source: Su et al. (2021); two halves: the GPT-NeoX and Hugging Face layout.
    """
    T, w = cos.shape[-2:]
    if x.shape[-2] != T or x.shape[-1] < 2 * w:
        raise ValueError(f"tables for {T} positions and {w} pairs, x is {tuple(x.shape)}")
    ### BEGIN SOLUTION
    turning, rest = x[..., : 2 * w], x[..., 2 * w :]
    if interleaved:
        a, b = turning.reshape(*x.shape[:-1], w, 2).unbind(-1)  # (..., T, w)
    else:
        a, b = turning[..., :w], turning[..., w:]  # (..., T, w)
    pair = a * cos - b * sin, a * sin + b * cos
    turned = torch.stack(pair, -1).flatten(-2) if interleaved else torch.cat(pair, -1)
    if rest.shape[-1] == 0:  # all pairs turn
        return turned.to(x.dtype)
    return torch.cat([turned.to(x.dtype), rest], -1)  # (..., T, Dh)
    ### END SOLUTION


def half_split_order(Dh: int) -> torch.Tensor:
    """Give the order in which a head of neighbouring pairs becomes a head of two halves.

    [Dh] int64: `x[..., order]` holds the first members of all pairs and then the second ones, so
    that turning `x[..., order]` with `interleaved=False` gives `apply_rope(x, …)[..., order]`.
    Raises ValueError when `Dh` is odd or below 2.
    """
    if Dh < 2 or Dh % 2:
        raise ValueError(f"Dh = {Dh} cannot be cut into pairs")
    ### BEGIN SOLUTION
    pairs = torch.arange(Dh).view(Dh // 2, 2)  # (Dh/2, 2): row i holds 2i and 2i + 1
    return pairs.T.flatten()
    ### END SOLUTION


def interpolate_positions(positions: torch.Tensor, scale: float) -> torch.Tensor:
    """Give the positions divided by `scale`: position interpolation, PI.

    `positions` of any shape → the same shape, fractions, in a float dtype (that of `positions` if
    it is one). With `scale` = L'/L every position below L' lands below L. Raises ValueError when
    `scale` is below 1. Source: Chen et al. (2023).
    """
    if scale < 1:
        raise ValueError(f"scale = {scale} shortens the context; it is L'/L, at least 1")
    ### BEGIN SOLUTION
    return positions / scale
    ### END SOLUTION


def ntk_base(base: float, scale: float, Dh: int) -> float:
    """Give the base whose slowest pair is slowed by `scale`, while the fastest stays as it is.

    A number; `Dh` is the width of a head. Raises ValueError when `scale` is below 1 or `Dh` is odd
    or below 4 (one pair alone cannot be both). Source: bloc97 (2023), told by Peng et al. (2023).
    """
    if not (math.isfinite(scale) and scale >= 1) or Dh < 4 or Dh % 2:
        raise ValueError(f"scale = {scale} (at least 1) and Dh = {Dh} (even, at least 4)")
    ### BEGIN SOLUTION
    return float(base * scale ** (Dh / (Dh - 2)))
    ### END SOLUTION


def yarn_frequencies(
    frequencies: torch.Tensor,
    scale: float,
    train_length: int,
    beta_fast: float = 32,
    beta_slow: float = 1,
) -> torch.Tensor:
    """Give frequencies that are kept where a pair is fast and divided by `scale` where it is slow.

    `frequencies` [w] → [w], the same dtype. A pair makes r = train_length · θ / 2π turns in
    training. r ≥ `beta_fast`: θ stays; r ≤ `beta_slow`: θ / scale; between them a mixture γ θ +
    (1 - γ) θ / scale whose γ is linear in r. Raises ValueError when `scale` is below 1 or the
    betas are not in order. Source: Peng et al. (2023), "NTK-by-parts".
    """
    if scale < 1 or beta_slow >= beta_fast:
        raise ValueError(f"scale = {scale} (at least 1), betas {beta_slow} < {beta_fast}")
    ### BEGIN SOLUTION
    turns = train_length * frequencies / (2 * math.pi)
    gamma = ((turns - beta_slow) / (beta_fast - beta_slow)).clamp(0, 1)  # 1: keep as it is
    return gamma * frequencies + (1 - gamma) * frequencies / scale
    ### END SOLUTION


def yarn_attention_factor(scale: float) -> float:
    """Give 0.1 ln(scale) + 1, by which YaRN multiplies q and also k (cos and sin, in practice).

    A number, 1 for `scale` = 1. Scores grow by its square, which is the 1/t of the paper. Raises
    ValueError when `scale` is below 1. Source: Peng et al. (2023), a fit to LLaMA models.
    """
    if scale < 1:
        raise ValueError(f"scale = {scale} shortens the context; it is L'/L, at least 1")
    ### BEGIN SOLUTION
    return 0.1 * math.log(scale) + 1
    ### END SOLUTION
