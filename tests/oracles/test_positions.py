"""The reference of lesson 06 against things that share no code with it: slow loops in plain
Python, sympy, complex numbers, torch's own attention."""

import cmath
import math
from typing import Any

import numpy as np
import pytest
import sympy
import torch

MODULES = {"P": "minillm.positions", "S": "steps.positions"}


def slow_table(T: int, D: int, base: float = 10000.0) -> list[list[float]]:
    """As the paper writes it, one number after the other."""
    return [[f(m / base ** (2 * i / D)) for i in range(D // 2) for f in (math.sin, math.cos)]
            for m in range(T)]


@pytest.mark.parametrize("D", [2, 6, 32, 512])
@pytest.mark.parametrize("base", [10000.0, 7.0])
def test_table_and_wavelengths_are_those_of_a_slow_loop(ref: Any, D: int, base: float) -> None:
    table = ref.P.sinusoidal_table(40, D, base)
    assert table.dtype == torch.get_default_dtype() and table.shape == (40, D)
    np.testing.assert_allclose(table, slow_table(40, D, base), atol=1e-5)
    waves = ref.P.wavelengths(D, base)
    assert waves.dtype == torch.get_default_dtype()
    expected = [2 * math.pi * base ** (2 * i / D) for i in range(D // 2)]
    np.testing.assert_allclose(waves, expected, rtol=3e-6)


@pytest.mark.parametrize("k", [0, 1, 13, -6])
@pytest.mark.parametrize("D", [2, 8, 30])
def test_one_matrix_moves_every_position(ref: Any, k: int, D: int) -> None:
    table = np.array(slow_table(40, D))
    M = ref.P.shift_matrix(k, D)
    assert M.dtype == torch.get_default_dtype() and M.shape == (D, D)
    for m in range(max(0, -k), min(40, 40 - k)):
        np.testing.assert_allclose(M.double() @ torch.tensor(table[m]), table[m + k], atol=1e-5)
    torch.testing.assert_close(M @ M.T, torch.eye(D), rtol=0, atol=1e-5)


def test_a_shift_multiplies_complex_numbers(ref: Any) -> None:
    M = ref.P.shift_matrix(3, 6).double().numpy()
    for i in range(3):
        turn = cmath.exp(3j * 10000 ** (-2 * i / 6))
        block = [[turn.real, turn.imag], [-turn.imag, turn.real]]
        np.testing.assert_allclose(M[2 * i:2 * i + 2, 2 * i:2 * i + 2], block, atol=1e-6)
        M[2 * i:2 * i + 2, 2 * i:2 * i + 2] = 0
    assert not M.any()


def test_learned_rows_and_their_gradient(ref: Any) -> None:
    module = ref.P.LearnedPositions(7, 3)
    assert [p.shape for p in module.parameters()] == [(7, 3)]
    assert torch.equal(module(7), module.table.weight)
    rows = module(2, start=4)
    assert torch.equal(rows, module.table.weight[[4, 5]])
    rows.sum().backward()
    assert module.table.weight.grad.tolist() == [[float(m in (4, 5))] * 3 for m in range(7)]
    for T, start in ((8, 0), (1, 7), (3, 5)):
        with pytest.raises(IndexError):
            module(T, start)


def test_what_cannot_be_meant_is_refused_with_its_numbers(ref: Any) -> None:
    for f in (ref.P.wavelengths, lambda D: ref.P.sinusoidal_table(3, D),
              lambda D: ref.P.shift_matrix(1, D)):
        for D in (5, 0):
            with pytest.raises(ValueError, match=f"D = {D}"):
                f(D)
    with pytest.raises(ValueError, match="T = -1"):
        ref.P.sinusoidal_table(-1, 4)


# The derivation steps


def attention(x: Any, weights: Any, causal: bool) -> Any:
    q, k, v = (x @ w for w in weights)
    attend = torch.nn.functional.scaled_dot_product_attention
    return x + attend(q[None], k[None], v[None], is_causal=causal)[0]


def test_steps_of_equivariance(ref: Any) -> None:
    generator = torch.Generator().manual_seed(0)
    x, w = (torch.randn(*shape, generator=generator, dtype=torch.float64)
            for shape in ((5, 4), (2, 3, 4, 4)))
    P = torch.eye(5, dtype=torch.float64)[[3, 0, 4, 1, 2]]
    S = (x @ w[0, 0]) @ (x @ w[0, 1]).T
    moved = (P @ x @ w[0, 0]) @ (P @ x @ w[0, 1]).T
    torch.testing.assert_close(moved, P @ S @ P.T)
    assert not any(torch.allclose(moved, wrong) for wrong in (S, P @ S, S @ P.T))
    assert ref.S.permuted_scores == "c"
    assert torch.equal(P.T @ P, torch.eye(5).double()) and ref.S.cancel == "b"
    assert not torch.allclose(P @ P, torch.eye(5).double())

    last = torch.eye(5, dtype=torch.float64)[[2, 0, 3, 1, 4]]  # the last token stays
    one = attention(x, w[0], True)[-1]
    torch.testing.assert_close(attention(last @ x, w[0], True)[-1], one)
    assert ref.S.swapped_prefix == "a"
    two = [attention(attention(y, w[0], True), w[1], True)[-1] for y in (x, last @ x)]
    assert (two[0] - two[1]).abs().max() > 0.01


def test_step_of_the_start_token(ref: Any) -> None:
    for t in (0, 1, 5, 30):
        x = torch.zeros(1, t + 1, 1)
        x[0, 0] = 1  # the mark of the start token, with equal scores
        out = torch.nn.functional.scaled_dot_product_attention(0 * x, 0 * x, x, is_causal=True)
        assert out[0, -1].item() == pytest.approx(ref.S.start_share(t))


def test_step_of_the_four_terms(ref: Any) -> None:
    x, p, y, r = sympy.symbols("x p y r")
    terms = sympy.expand((x + p) * (y + r)).as_ordered_terms()
    assert sum(bool(term.free_symbols & {p, r}) for term in terms) == ref.S.position_terms


def test_steps_of_the_shift(ref: Any) -> None:
    a, x, m, k, w = sympy.symbols("a x m k w", real=True)
    at = {a: 0.7, x: -1.9}
    s, c = math.sin(0.7), math.cos(0.7)
    assert float(sympy.sin(a + x).subs(at)) == pytest.approx(ref.S.sin_shifted(s, c, -1.9))
    assert float(sympy.cos(a + x).subs(at)) == pytest.approx(ref.S.cos_shifted(s, c, -1.9))
    pair = [sympy.Matrix([sympy.sin(t * w), sympy.cos(t * w)]) for t in (m, m + k)]
    assert sympy.simplify(pair[0].dot(pair[1]) - sympy.cos(k * w)) == 0
    assert ref.S.pair_product(3.0, 5.0, 0.4) == pytest.approx(math.cos(2.0))
    table = np.array(slow_table(40, 16))
    assert table[20] @ table[25] == pytest.approx(table[20] @ table[15])
    assert ref.S.which_side == "b"


def test_steps_that_are_counted(ref: Any) -> None:
    assert ref.S.slowest_wave == pytest.approx(2 * math.pi * 10000 ** (510 / 512), rel=1e-6)
    assert ref.S.table_parameters == torch.empty(1024, 768).numel()
