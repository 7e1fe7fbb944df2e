"""The reference of lesson 07 against things that share no code with it: complex numbers in NumPy,
slow loops, sympy, finite differences, and the rotary code of Hugging Face's models."""

import cmath
import importlib
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy
import torch
from torch.autograd import gradcheck

SOLUTIONS = Path(__file__).parents[2] / "solutions"
MODULES = {"R": "minillm.rope", "S": "steps.rope", "E": "steps.extrapolation"}


@pytest.fixture(scope="module")
def ref() -> Iterator[SimpleNamespace]:
    """The reference modules, whatever minillm another test has left behind."""
    def ours() -> list[str]:
        return [n for n in sys.modules if n.split(".")[0] in ("minillm", "steps")]

    kept = {name: sys.modules.pop(name) for name in ours()}
    sys.path.insert(0, str(SOLUTIONS))
    yield SimpleNamespace(**{k: importlib.import_module(m) for k, m in MODULES.items()})
    sys.path.remove(str(SOLUTIONS))
    for name in ours():
        del sys.modules[name]
    sys.modules.update(kept)


def normal(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def slow_frequencies(Dh: int, base: float = 10000.0) -> list[float]:
    return [base ** (-2 * i / Dh) for i in range(Dh // 2)]


def slow_rope(x: Any, positions: list[float], theta: list[float], interleaved: bool = True) -> Any:
    """Every pair as a complex number, one by one."""
    out, w = x.numpy().copy(), len(theta)
    for at in np.ndindex(*x.shape[:-1]):
        for i, t in enumerate(theta):
            first, second = (2 * i, 2 * i + 1) if interleaved else (i, i + w)
            z = complex(*x.numpy()[at][[first, second]]) * cmath.exp(1j * positions[at[-1]] * t)
            out[at][first], out[at][second] = z.real, z.imag
    return out


def turned(ref: Any, x: Any, positions: Any, theta: Any = None, **more: Any) -> Any:
    theta = torch.tensor(theta or slow_frequencies(x.shape[-1]), dtype=x.dtype)
    return ref.R.apply_rope(x, *ref.R.rope_tables(torch.as_tensor(positions), theta), **more)


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


def test_interpolation_divides(ref: Any) -> None:
    ours = ref.R.interpolate_positions(torch.arange(9), 4)
    assert ours.is_floating_point() and ours.tolist() == [n / 4 for n in range(9)]
    exact = ref.R.interpolate_positions(torch.tensor([7.0], dtype=torch.float64), 3)
    assert exact.dtype == torch.float64 and exact.item() == 7 / 3


@pytest.mark.parametrize("Dh", [4, 10, 64, 128])
@pytest.mark.parametrize("scale", [1.0, 2.0, 7.5])
def test_ntk_slows_the_last_pair_by_scale_and_the_first_not(ref: Any, Dh: int, scale: float
                                                            ) -> None:
    old = slow_frequencies(Dh)
    new = slow_frequencies(Dh, ref.R.ntk_base(10000.0, scale, Dh))
    slowing = [a / b for a, b in zip(old, new, strict=True)]
    assert slowing[0] == pytest.approx(1) and slowing[-1] == pytest.approx(scale)
    assert slowing == sorted(slowing)


def slow_yarn(theta: float, scale: float, length: int, fast: float, slow: float) -> float:
    turns = length * theta / (2 * math.pi)
    if turns >= fast:
        return theta
    if turns <= slow:
        return theta / scale
    kept = (turns - slow) / (fast - slow)
    return kept * theta + (1 - kept) * theta / scale


@pytest.mark.parametrize("betas", [(32, 1), (4, 1), (10, 0.5)])
def test_yarn_is_that_of_a_slow_loop(ref: Any, betas: tuple[float, float]) -> None:
    theta = slow_frequencies(32)
    for scale, length in ((4.0, 64), (2.5, 4096), (1.0, 100)):
        ours = ref.R.yarn_frequencies(torch.tensor(theta).double(), scale, length, *betas)
        expected = [slow_yarn(t, scale, length, *betas) for t in theta]
        np.testing.assert_allclose(ours, expected, rtol=1e-7)


def test_yarn_of_a_llama_keeps_21_pairs_and_slows_18(ref: Any) -> None:
    theta = torch.tensor(slow_frequencies(128), dtype=torch.float64)
    ours = ref.R.yarn_frequencies(theta, 4.0, 4096)
    assert int((ours == theta).sum()) == 21
    assert int(torch.isclose(ours, theta / 4, rtol=1e-12).sum()) == 18
    assert ref.R.yarn_attention_factor(4.0) == pytest.approx(1.1386294, abs=1e-7)
    assert ref.R.yarn_attention_factor(1) == 1


def test_inputs_are_left_alone(ref: Any) -> None:
    x, positions, theta = normal(2, 3, 6), torch.arange(3), torch.tensor([1.0, 0.3]).double()
    cos, sin = ref.R.rope_tables(positions, theta)
    for f, *inputs in ((ref.R.apply_rope, x, cos, sin), (ref.R.rope_tables, positions, theta),
                       (ref.R.interpolate_positions, positions, 2.0),
                       (ref.R.yarn_frequencies, theta, 2.0, 50)):
        kept = [i.clone() for i in inputs if isinstance(i, torch.Tensor)]
        f(*inputs)
        after = [i for i in inputs if isinstance(i, torch.Tensor)]
        assert all(torch.equal(a, b) for a, b in zip(kept, after, strict=True)), f.__name__


def test_what_cannot_be_meant_is_refused_with_its_numbers(ref: Any) -> None:
    R, x = ref.R, normal(2, 3, 6)
    tables = R.rope_tables(torch.arange(3), R.rope_frequencies(8))
    with pytest.raises(ValueError, match=r"3 positions and 4 pairs, x is \(2, 3, 6\)"):
        R.apply_rope(x, *tables)
    with pytest.raises(ValueError, match=r"2 positions"):
        R.apply_rope(x, *(t[:2, :3] for t in tables))
    for f in (R.rope_frequencies, R.half_split_order):
        for Dh in (7, 0):
            with pytest.raises(ValueError, match=str(Dh)):
                f(Dh)
    for refused in (lambda: R.interpolate_positions(torch.arange(3), 0.5),
                    lambda: R.ntk_base(10000.0, 0.5, 8), lambda: R.yarn_attention_factor(0.5),
                    lambda: R.yarn_frequencies(torch.ones(2), 0.5, 100)):
        with pytest.raises(ValueError, match=r"0\.5"):
            refused()
    with pytest.raises(ValueError, match="Dh = 2"):
        R.ntk_base(10000.0, 2.0, 2)
    with pytest.raises(ValueError, match="4 < 4"):
        R.yarn_frequencies(torch.ones(2), 2.0, 100, 4, 4)


# The derivation steps, by sympy from the definitions alone

a, b, m, n, theta, s, Dh = sympy.symbols("a b m n theta s Dh", positive=True)
Q, K = sympy.Matrix(sympy.symbols("q1 q2")), sympy.Matrix(sympy.symbols("k1 k2"))


def R2(angle: Any) -> Any:
    c, sine = sympy.cos(angle), sympy.sin(angle)
    return sympy.Matrix([[c, -sine], [sine, c]])


def is_zero(expression: Any) -> bool:
    return bool(sympy.simplify(expression) == sympy.zeros(*expression.shape))


def test_steps_of_the_relative_position(ref: Any) -> None:
    assert is_zero(R2(a).T - R2(-a)) and ref.S.transpose == "c"
    assert is_zero(R2(a).T * R2(b) - R2(ref.S.product_angle(a, b)))
    score = (R2(m * theta) * Q).T * (R2(n * theta) * K)
    assert is_zero(score - Q.T * R2(ref.S.score_angle(m, n, theta)) * K)
    at = {Q[0]: 0.3, Q[1]: -1.2, K[0]: 2.0, K[1]: 0.7}
    exact = (Q.T * R2(0.9) * K)[0].subs(at)
    assert float(exact) == pytest.approx(ref.S.pair_score(*map(float, at.values()), 0.9))
    assert ref.S.whole_score == 1.5 - 0.5 + 0.25
    slowest = slow_frequencies(512 // 8)[-1]
    assert ref.S.slowest_wavelength == pytest.approx(2 * math.pi / slowest, rel=1e-6)
    assert ref.S.next_position == len(range(7))


def test_only_q_unlike_k_tells_the_direction(ref: Any) -> None:
    """Both turned backwards: every test but d passes."""
    q, k = normal(1, 8), normal(1, 8, seed=1)
    theta = torch.tensor(slow_frequencies(8), dtype=torch.float64)

    def back(x: Any, at: int) -> Any:
        cos, sin = ref.R.rope_tables(torch.tensor([at]), theta)
        return ref.R.apply_rope(x, cos, -sin)

    def right(x: Any, at: int) -> Any:
        return turned(ref, x, [at])

    scores = [float(f(q, 9) @ f(k, 4).T) for f in (back, right)]
    assert float(back(q, 59) @ back(k, 54).T) == pytest.approx(scores[0])
    torch.testing.assert_close(back(q, 9).norm(), q.norm())
    assert torch.equal(back(q, 0), q)
    assert float(back(q, 9) @ back(q, 4).T) == pytest.approx(float(right(q, 9) @ right(q, 4).T))
    assert abs(scores[0] - scores[1]) > 0.1 and ref.S.wrong_way == "d"


def test_steps_of_longer_texts(ref: Any) -> None:
    assert ref.E.turns(2 * math.pi / 50, 200) == pytest.approx(4)
    old, new = (bs ** (-2 * sympy.Symbol("i") / Dh) for bs in (a, a * b))
    at = {a: 7.0, b: 3.0, "i": 5, Dh: 12}
    assert float((old / new).subs(at)) == pytest.approx(ref.E.slowing(3.0, 5, 12))
    x = sympy.Symbol("x")
    solved = sympy.solve(x * (Dh - 2) / Dh - 1, x)[0]  # (s^x)^((Dh-2)/Dh) = s
    assert sympy.simplify(solved - ref.E.ntk_exponent(Dh)) == 0
    assert (ref.E.ramp(1, 1, 32), ref.E.ramp(32, 1, 32), ref.E.ramp(16.5, 1, 32)) == (0, 1, 0.5)
    q, k = normal(4), normal(4, seed=1)
    f = ref.R.yarn_attention_factor(5.0)
    assert float((f * q) @ (f * k) / (q @ k)) == pytest.approx(ref.E.logit_factor(5.0))


def test_pairs_slower_than_the_text_meet_new_angles(ref: Any) -> None:
    """The distance on the circle from every later angle to the nearest one of training."""
    L = 512
    for t in slow_frequencies(64):
        seen, new = np.arange(L) * t, np.arange(L, 2 * L) * t
        apart = np.abs(np.angle(np.exp(1j * (new[:, None] - seen))))
        worst = apart.min(1).max()
        assert (worst > 0.05) == (L * t / (2 * math.pi) < 0.98), t
    assert ref.E.unseen == "b"
