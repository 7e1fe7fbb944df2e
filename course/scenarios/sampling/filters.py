"""How temperature and the functions that cut a distribution are tried."""

import torch

from .. import See, gradient, scenario
from ..functional import rows, wave
from .toys import Function, probabilities, survivors

INF = torch.inf
P = rows([0.04, 0.5, 0.15, 0.06, 0.25], [0.3, 0.02, 0.2, 0.45, 0.03])  # no order is its own inverse
Z = P.log() + rows([1.5], [-2.0])
Z3 = wave(2, 3, 7)
CUT = rows([0.3, -INF, 2.0, 1.0], [-INF, -INF, 3.0, 1.5])
CLOSE = rows([1.0, 1.0 + 3e-8, 1.0 - 2e-8, 1.0 + 1e-8, 0.5])
EQUAL, EQUAL2 = rows([2.0, 1.0, 1.0, 1.0, 1.0, -3.0]), rows([0.5] * 4, [-1.0] * 4)
STEEP = torch.linspace(0, -30, 40)  # the rounded running sum is 1 halfway
UP, UP3 = wave(2, 5, by=2.3), wave(2, 3, 7, by=2.3)


@scenario("sampling.temperature")
def temperature(f: Function, see: See) -> None:
    see("temperature of two rows at t = 2", f, Z, 2.0)
    see("temperature of two rows at t = 0.5", f, Z, 0.5)
    see("temperature of shape [2, 3, 7] at t = 0.8", f, Z3, 0.8)
    see("temperature at t = 0.05", f, Z, 0.05)
    see("temperature of one row at t = 0.02", f, Z[0], 0.02)
    see("temperature at t = 1", f, Z, 1)
    see("temperature of one row at t = 3", f, Z[1], 3)
    see("temperature at t = 2 where some scores are -inf", f, CUT, 2.0)
    see("temperature in float32 at t = 0.7", f, Z.float(), 0.7, tol=1e-6)
    see("gradient through temperature at t = 2", gradient(f), Z, UP, 2.0)
    see("gradient through temperature at t = 0.5", gradient(f), Z3, UP3, 0.5)
    see("t = 0", f, Z, 0.0)
    see("t = 0 for one row", f, Z[0], 0)


@scenario("sampling.top_k")
def top_k(f: Function, see: See) -> None:
    see("top_k of two rows, k = 2", f, Z, 2)
    see("top_k of two rows, k = 1", f, Z, 1)
    see("top_k of two rows, k = 4", f, Z, 4)
    see("top_k of shape [2, 3, 7], k = 3", f, Z3, 3)
    see("top_k of shape [7, 3, 2], not contiguous, k = 1", f, Z3.transpose(0, 2), 1)
    see("top_k of one row, k = 3", f, Z[1], 3)
    see("top_k, k = V", f, Z, 5)
    see("top_k, k = 40 and V = 5", f, Z, 40)
    see("top_k, k = 9 and V = 7", f, Z3, 9)
    see("what stays of [2 1 1 1 1 -3], k = 3", survivors(f), EQUAL, 3)
    see("what stays of four equal scores, k = 2", survivors(f), EQUAL2, 2)
    see("top_k of scores 1e-8 apart, k = 1", f, CLOSE, 1, tol=1e-10)
    see("top_k of scores 1e-8 apart, k = 2", f, CLOSE, 2, tol=1e-10)
    see("top_k where some scores are -inf, k = 1", f, CUT, 1)
    see("top_k in float32, k = 2", f, Z.float(), 2, tol=1e-6)
    see("gradient through top_k and softmax, k = 3", gradient(probabilities(f)), Z, UP, 3)
    see("gradient through top_k and softmax, k = 2", gradient(probabilities(f)), Z3, UP3, 2)
    see("k = 0", f, Z, 0)
    see("k = 0 for one row", f, Z[0], 0)


@scenario("sampling.top_p")
def top_p(f: Function, see: See) -> None:
    see("top_p of two rows, p = 0.8", f, Z, 0.8)
    see("top_p of two rows, p = 0.6", f, Z, 0.6)
    see("top_p of two rows, p = 0.93", f, Z, 0.93)
    see("top_p of two rows, p = 0.3", f, Z, 0.3)
    see("top_p of shape [2, 3, 7], p = 0.7", f, Z3, 0.7)
    see("top_p of shape [7, 3, 2], not contiguous, p = 0.55", f, Z3.transpose(0, 2), 0.55)
    see("top_p of one row, p = 0.8", f, Z[1], 0.8)
    see("top_p, p = 0", f, Z, 0.0)
    see("top_p of shape [2, 3, 7], p = 0", f, Z3, 0.0)
    see("top_p, p = 1", f, Z, 1.0)
    see("what stays of [2 1 1 1 1 -3], p = 0.6", survivors(f), EQUAL, 0.6)
    see("what stays of four equal scores, p = 0.6", survivors(f), EQUAL2, 0.6)
    see("top_p where some scores are -inf, p = 0.75", f, CUT, 0.75)
    see("top_p of scores moved by 900, p = 0.6", f, Z + 900, 0.6)
    see("top_p of one row moved by 800, p = 0.8", f, Z[1] + 800, 0.8)
    see("top_p of 40 steep scores in float32, p = 1", f, STEEP, 1.0)
    see("top_p in float32, p = 0.8", f, Z.float(), 0.8, tol=1e-6)
    see("gradient through top_p and softmax, p = 0.8", gradient(probabilities(f)), Z, UP, 0.8)
    see("gradient through top_p and softmax, p = 0.6", gradient(probabilities(f)), Z3, UP3, 0.6)
    see("p = 1.5", f, Z, 1.5)
    see("p = -0.1", f, Z, -0.1)


@scenario("sampling.min_p")
def min_p(f: Function, see: See) -> None:
    see("min_p of two rows, p = 0.2", f, Z, 0.2)
    see("min_p of two rows, p = 0.55", f, Z, 0.55)
    see("min_p of two rows, p = 0.07", f, Z, 0.07)
    see("min_p of shape [2, 3, 7], p = 0.3", f, Z3, 0.3)
    see("min_p of shape [7, 3, 2], not contiguous, p = 0.4", f, Z3.transpose(0, 2), 0.4)
    see("min_p of one row, p = 0.2", f, Z[1], 0.2)
    see("min_p, p = 0", f, Z, 0.0)
    see("min_p, p = 1", f, Z, 1.0)
    see("min_p of four equal scores, p = 1", f, EQUAL2, 1.0)
    see("min_p of scores moved by 900, p = 0.2", f, Z + 900, 0.2)
    see("min_p of one row moved by 800, p = 0.55", f, Z[1] + 800, 0.55)
    see("min_p where some scores are -inf, p = 0.3", f, CUT, 0.3)
    see("min_p in float32, p = 0.2", f, Z.float(), 0.2, tol=1e-6)
    see("gradient through min_p and softmax, p = 0.2", gradient(probabilities(f)), Z, UP, 0.2)
    see("gradient through min_p and softmax, p = 0.3", gradient(probabilities(f)), Z3, UP3, 0.3)


@scenario("sampling.typical")
def typical(f: Function, see: See) -> None:
    see("typical of two rows, mass = 0.2", f, Z, 0.2)
    see("typical of two rows, mass = 0.4", f, Z, 0.4)
    see("typical of two rows, mass = 0.7", f, Z, 0.7)
    see("typical of two rows, mass = 0.93", f, Z, 0.93)
    see("typical of shape [2, 3, 7], mass = 0.5", f, Z3, 0.5)
    see("typical of shape [7, 3, 2], not contiguous, mass = 0.4", f, Z3.transpose(0, 2), 0.4)
    see("typical of one row, mass = 0.4", f, Z[1], 0.4)
    see("typical of scores moved by 900, mass = 0.4", f, Z + 900, 0.4)
    see("typical of one row moved by 800, mass = 0.7", f, Z[1] + 800, 0.7)
    see("typical where some scores are -inf, mass = 0.7", f, CUT, 0.7)
    see("typical where some scores are -inf, mass = 0.3", f, CUT, 0.3)
    see("what stays of four equal scores, mass = 0.6", survivors(f), EQUAL2, 0.6)
    see("typical, mass = 0", f, Z, 0.0)
    see("typical of one row, mass = 0", f, Z[1], 0)
    see("typical in float32, mass = 0.4", f, Z.float(), 0.4, tol=1e-6)
    see("gradient through typical and softmax, mass = 0.7", gradient(probabilities(f)), Z, UP, 0.7)
    see("gradient through typical and softmax, mass = 0.5", gradient(probabilities(f)), Z3, UP3,
        0.5)
