"""The derivation steps, by sympy from the definitions alone and by numbers."""

import math
from typing import Any

import numpy as np
import pytest
import sympy
import torch

from ..conftest import normal
from .conftest import slow_frequencies, turned

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
