"""The turn itself, against complex numbers, slow loops and the rotary code of other models."""

import cmath
import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck

from ..conftest import normal
from .conftest import slow_frequencies, turned


def slow_rope(x: Any, positions: list[float], theta: list[float], interleaved: bool = True) -> Any:
    """Every pair as a complex number, one by one."""
    out, w = x.numpy().copy(), len(theta)
    for at in np.ndindex(*x.shape[:-1]):
        for i, t in enumerate(theta):
            first, second = (2 * i, 2 * i + 1) if interleaved else (i, i + w)
            z = complex(*x.numpy()[at][[first, second]]) * cmath.exp(1j * positions[at[-1]] * t)
            out[at][first], out[at][second] = z.real, z.imag
    return out


@pytest.mark.parametrize("angle", [0.0, 0.5, -1.3, 2.9, 4.0])
def test_a_matrix_multiplies_by_a_complex_number(ref: Any, angle: float) -> None:
    R = ref.R.rotation_matrix(angle)
    assert R.dtype == torch.get_default_dtype() and R.shape == (2, 2)
    z = cmath.exp(1j * angle) * complex(0.3, -2.0)
    np.testing.assert_allclose(R @ torch.tensor([0.3, -2.0]), [z.real, z.imag], atol=1e-6)
    exact = ref.R.rotation_matrix(torch.tensor(angle, dtype=torch.float64))
    assert exact.dtype == torch.float64
    np.testing.assert_allclose(exact, R, atol=1e-6)


@pytest.mark.parametrize("Dh", [2, 6, 10, 64, 128])
@pytest.mark.parametrize("base", [10.0, 10000.0, 500000.0])
def test_frequencies_are_those_of_a_slow_loop(ref: Any, Dh: int, base: float) -> None:
    ours = ref.R.rope_frequencies(Dh, base)
    assert ours.dtype == torch.get_default_dtype()
    np.testing.assert_allclose(ours, slow_frequencies(Dh, base), rtol=3e-6)


def test_tables_are_those_of_math(ref: Any) -> None:
    positions, theta = [0, 7, 3, 5000], [1.0, 0.31, 0.002]
    cos, sin = ref.R.rope_tables(torch.tensor(positions), torch.tensor(theta, dtype=torch.float64))
    for table, f in ((cos, math.cos), (sin, math.sin)):
        assert table.dtype == torch.float64
        np.testing.assert_allclose(table, [[f(p * t) for t in theta] for p in positions],
                                   atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_tables_are_computed_in_float32_at_least(ref: Any, dtype: torch.dtype) -> None:
    positions = torch.tensor([255, 257, 1001, 4093])
    cos, _ = ref.R.rope_tables(positions, torch.ones(1, dtype=dtype))
    assert cos.dtype == torch.float32
    np.testing.assert_allclose(cos[:, 0], np.cos(positions.numpy()), atol=1e-5)


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize("w", [1, 3, 5])
def test_turning_is_multiplying_complex_numbers(ref: Any, interleaved: bool, w: int) -> None:
    x, positions = normal(2, 3, 4, 10), [0, 5, 11, 300]
    theta = slow_frequencies(10)[:w]
    ours = turned(ref, x, positions, theta, interleaved=interleaved)
    np.testing.assert_allclose(ours, slow_rope(x, positions, theta, interleaved), atol=1e-12)


def test_turning_leaves_lengths_and_position_0(ref: Any) -> None:
    x = normal(2, 3, 8)
    ours = turned(ref, x, [0, 4, 90])
    torch.testing.assert_close(ours.norm(dim=-1), x.norm(dim=-1))
    assert torch.equal(ours[:, 0], x[:, 0])


@pytest.mark.parametrize("interleaved", [True, False])
def test_scores_know_the_distance_and_its_sign(ref: Any, interleaved: bool) -> None:
    q, k = normal(1, 8), normal(1, 8, seed=1)

    def score(m: int, n: int) -> float:
        at_m = turned(ref, q, [m], interleaved=interleaved)
        return float(at_m @ turned(ref, k, [n], interleaved=interleaved).T)

    for m, n in ((3, 1), (0, 6), (20, 20)):
        assert score(m, n) == pytest.approx(score(m + 1000, n + 1000), abs=1e-9)
        moved = slow_rope(k, [n - m], slow_frequencies(8), interleaved)
        assert score(m, n) == pytest.approx(float((q.numpy() @ moved.T).item()), abs=1e-9)
    assert abs(score(5, 2) - score(2, 5)) > 0.1


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_dtype_is_kept(ref: Any, dtype: torch.dtype) -> None:
    x = normal(2, 3, 6).to(dtype)
    cos, sin = ref.R.rope_tables(torch.arange(3), ref.R.rope_frequencies(6))
    for interleaved in (True, False):
        ours = ref.R.apply_rope(x, cos, sin, interleaved)
        assert ours.dtype == dtype
        exact = ref.R.apply_rope(x.double(), cos.double(), sin.double(), interleaved)
        torch.testing.assert_close(ours.double(), exact, rtol=0, atol=2e-2)


def test_gradient_is_that_of_finite_differences(ref: Any) -> None:
    x = normal(2, 3, 10).requires_grad_()
    cos, sin = ref.R.rope_tables(torch.arange(3), torch.tensor([1.0, 0.2]).double())
    for interleaved in (True, False):
        assert gradcheck(lambda z, i=interleaved: ref.R.apply_rope(z, cos, sin, i), x)


@pytest.mark.parametrize("Dh", [2, 6, 64])
def test_order_carries_one_layout_into_the_other(ref: Any, Dh: int) -> None:
    order = ref.R.half_split_order(Dh)
    assert order.dtype == torch.int64 and sorted(order.tolist()) == list(range(Dh))
    x = normal(2, 5, Dh)
    halves = turned(ref, x[..., order], range(5), interleaved=False)
    torch.testing.assert_close(halves, turned(ref, x, range(5))[..., order], rtol=0, atol=1e-12)


def test_permuted_rows_of_the_projections_give_the_same_scores(ref: Any) -> None:
    D, H, Dh, T = 12, 3, 8, 5
    x, wq, wk = normal(T, D), normal(H * Dh, D, seed=1), normal(H * Dh, D, seed=2)
    rows = (torch.arange(H)[:, None] * Dh + ref.R.half_split_order(Dh)).flatten()
    scores = []
    for a, b, interleaved in ((wq, wk, True), (wq[rows], wk[rows], False)):
        q, k = ((x @ w.T).view(T, H, Dh).transpose(0, 1) for w in (a, b))
        q, k = (turned(ref, z, range(T), interleaved=interleaved) for z in (q, k))
        scores.append(q @ k.transpose(-1, -2))
    torch.testing.assert_close(*scores)


def rotate_half(x: torch.Tensor) -> torch.Tensor:
    first, second = x.chunk(2, -1)
    return torch.cat([-second, first], -1)


def test_halves_are_turned_as_llama_is_in_hugging_face(ref: Any) -> None:
    """Its formula, written out: angles repeated for both halves, x cos + rotate_half(x) sin."""
    x = normal(2, 3, 5, 16)
    angles = torch.arange(5).double()[:, None] * torch.tensor(slow_frequencies(16)).double()
    both = torch.cat([angles, angles], -1)
    theirs = x * both.cos() + rotate_half(x) * both.sin()
    torch.testing.assert_close(turned(ref, x, range(5), interleaved=False), theirs)


def test_halves_are_those_of_the_library_itself(ref: Any) -> None:
    llama = pytest.importorskip("transformers.models.llama.modeling_llama")
    config = llama.LlamaConfig(hidden_size=48, num_attention_heads=3, max_position_embeddings=64)
    rotary = llama.LlamaRotaryEmbedding(config)
    positions = torch.tensor([[3, 4, 9, 40, 41]])
    q, k = normal(2, 3, 5, 16, dtype=torch.float32), normal(2, 1, 5, 16, dtype=torch.float32)
    cos, sin = rotary(q, positions)
    for x, theirs in zip((q, k), llama.apply_rotary_pos_emb(q, k, cos, sin), strict=True):
        ours = turned(ref, x, positions[0], interleaved=False)
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-5)
    order = ref.R.half_split_order(16)
    theirs, _ = llama.apply_rotary_pos_emb(q[..., order], k, cos, sin)
    torch.testing.assert_close(turned(ref, q, positions[0])[..., order], theirs, rtol=0, atol=1e-5)


def test_neighbours_are_those_of_gpt_j_in_the_library(ref: Any) -> None:
    gptj = pytest.importorskip("transformers.models.gptj.modeling_gptj")
    x = normal(2, 5, 3, 16, dtype=torch.float32)  # (B, T, H, Dh), of which 6 dimensions turn
    sin, cos = gptj.create_sinusoidal_positions(64, 6)[:5].chunk(2, -1)
    theirs = gptj.apply_rotary_pos_emb(x[..., :6], sin[None], cos[None])
    ours = turned(ref, x.transpose(1, 2), range(5), slow_frequencies(6)).transpose(1, 2)
    torch.testing.assert_close(ours[..., :6], theirs, rtol=0, atol=1e-5)
    assert torch.equal(ours[..., 6:], x[..., 6:])
