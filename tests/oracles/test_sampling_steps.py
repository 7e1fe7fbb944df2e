"""The derivation steps of lesson 10, worked out another way."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats
import sympy
import torch

from .conftest import normal
from .test_sampling import nucleus

MODULES = {"S": "minillm.sampling", "T": "steps.temperature", "C": "steps.cutoffs",
           "D": "steps.decoding"}


FIVE = [Fraction(50, 100), Fraction(25, 100), Fraction(15, 100), Fraction(6, 100),
        Fraction(4, 100)]


def test_steps_of_temperature(ref: Any) -> None:
    beta, a, b = sympy.symbols("beta a b", positive=True)
    z = sympy.symbols("z0:3", real=True)
    weights = [sympy.exp(beta * each) for each in z]
    S = sum(weights)
    p = [w / S for w in weights]
    m = sum(x * y for x, y in zip(p, z, strict=True))
    v = sum(x * (y - m) ** 2 for x, y in zip(p, z, strict=True))
    at = {beta: 0.7, z[0]: 0.3, z[1]: -1.1, z[2]: 2.0}

    def value(expression: Any) -> float:
        return float(expression.subs(at))

    slope = sympy.diff(p[0], beta)
    assert value(slope) == pytest.approx(ref.T.p_slope(value(p[0]), 0.3, value(m)), abs=1e-12)
    H = -sum(x * sympy.log(x) for x in p)
    assert value(sympy.diff(H, beta)) == pytest.approx(
        ref.T.entropy_slope(0.7, value(m), value(v)), abs=1e-12)
    ratio = (sympy.exp(a) / sympy.exp(b)).subs({a: 1.3, b: 0.4})
    for t in (0.5, 3.0):
        hot = math.exp(1.3 / t) / math.exp(0.4 / t)
        assert ref.T.ratio(float(ratio), t) == pytest.approx(hot)
    for t, row in zip((0.5, 1, 2), ref.T.by_hand, strict=True):
        np.testing.assert_allclose(row, scipy.special.softmax(np.array([2, 1, 0]) / t), atol=6e-4)
    np.testing.assert_allclose(scipy.special.softmax(np.array([2, 2, 0]) / 1e-3), [0.5, 0.5, 0])
    assert ref.T.limit == "b"


def test_steps_of_cutting(ref: Any) -> None:
    assert ref.C.after_top_k == pytest.approx(float(FIVE[0] / (FIVE[0] + FIVE[1])))
    thresholds = [Fraction(0), Fraction(4, 10), Fraction(75, 100), Fraction(8, 10), Fraction(1)]
    sizes = [next(n for n in range(1, 6) if sum(FIVE[:n]) >= p) for p in thresholds]
    assert ref.C.sizes == sizes
    total = [sum(FIVE[:n]) for n in range(1, 6)]
    rules = {"a": lambda c, q, p: c <= p, "b": lambda c, q, p: c - q < p,
             "c": lambda c, q, p: c - q <= p, "d": lambda c, q, p: c < p}
    right = [letter for letter, rule in rules.items() if all(
        sum(rule(c, q, p) for c, q in zip(total, FIVE, strict=True)) == n
        for p, n in zip(thresholds[1:], sizes[1:], strict=True))]
    assert right == [ref.C.crossing]
    unsorted = [0.15, 0.5, 0.04, 0.25, 0.06]
    assert sorted(ref.C.kept) == sorted(nucleus(np.log(unsorted).tolist(), 0.8))
    assert ref.C.after_top_p == pytest.approx(0.25 / sum(unsorted[i] for i in ref.C.kept))
    roots = np.sqrt([float(x) for x in FIVE])
    assert ref.C.warm == len(nucleus(np.log(roots).tolist(), 0.8))
    p = np.array([float(x) for x in FIVE])
    far = np.abs(-np.log(p) - scipy.stats.entropy(p))
    assert "abcd"[[0, 1, 2, 4].index(int(far.argmin()))] == ref.C.most_typical


def test_step_of_what_commutes(ref: Any) -> None:
    cuts = {"k": lambda z: ref.S.top_k(z, 3), "p": lambda z: ref.S.top_p(z, 0.7),
            "m": lambda z: ref.S.min_p(z, 0.3)}
    z = normal(200, 6)
    commute = {name: torch.equal(cut(z / 2) > -math.inf, cut(z) / 2 > -math.inf)
               for name, cut in cuts.items()}
    assert commute == {"k": True, "p": False, "m": False} and ref.C.commutes == "a"


def test_steps_of_decoding(ref: Any) -> None:
    for p, n in ((0.3, 50), (0.9, 7)):
        share = scipy.stats.binom(n, p).std() / n
        assert ref.D.frequency_std(p, n) == pytest.approx(share)
    z = np.array([-1.0, 0.5, 2.0])
    after = scipy.special.softmax(np.array([-1 / 1.3, 0.5, 2.0]))
    assert after[0] > scipy.special.softmax(z)[0] and ref.D.divided == "a"
    followers = {0.6: [0.5, 0.3, 0.2], 0.4: [0.9, 0.1]}
    assert ref.D.best_path == pytest.approx(max(a * b for a, rest in followers.items()
                                                for b in rest))
    e, a = normal(5).numpy(), normal(5, seed=1).numpy()
    by_log = scipy.special.log_softmax(e) - scipy.special.log_softmax(a)
    assert not np.allclose(e - a, by_log) and ref.D.shifted == "c"
    np.testing.assert_allclose(scipy.special.softmax(e - a), scipy.special.softmax(by_log))
    expert, amateur = [0.5, 0.499, 0.001], [0.4, 0.59999, 0.00001]
    assert ref.D.winner == int(np.argmax(np.log(expert) - np.log(amateur)))
