"""Cuts, penalties and draws of lesson 10 against slow loops in plain Python and scipy."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats
import torch
from torch.autograd import gradcheck

from .conftest import normal

MODULES = {"S": "minillm.sampling"}
INF = math.inf


def by_rows(cut: Any, logits: torch.Tensor) -> list[list[float]]:
    """The scores that `cut` leaves of each row: it gives places that stay."""
    out = []
    for row in logits.reshape(-1, logits.shape[-1]).tolist():
        stays = set(cut(row))
        out.append([z if i in stays else -INF for i, z in enumerate(row)])
    return out


def collect(p: list[float], order: list[int], mass: float) -> list[int]:
    """Places in this order until their mass is reached."""
    stays: list[int] = []
    while order and (not stays or math.fsum(p[i] for i in stays) < mass):
        stays.append(order.pop(0))
    return stays


def nucleus(row: list[float], mass: float) -> list[int]:
    p = scipy.special.softmax(row).tolist()
    return collect(p, sorted(range(len(p)), key=lambda i: -p[i]), mass)


def typical_set(row: list[float], mass: float) -> list[int]:
    p = scipy.special.softmax(row)
    entropy = scipy.stats.entropy(p)
    far = [abs(-math.log(x) - entropy) if x else INF for x in p]
    return collect(p.tolist(), sorted(range(len(p)), key=far.__getitem__), mass)


SHAPES = [(9,), (4, 7), (2, 3, 5), (2, 1, 2, 11)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_cuts_leave_what_a_slow_loop_leaves(ref: Any, shape: tuple[int, ...], seed: int) -> None:
    z = (seed + 0.5) * normal(*shape, seed=seed)
    z = z.masked_fill(normal(*shape, seed=seed + 9) > 1.3, -INF)
    z[..., 0] = 0.3
    for k in (1, 2, 4, 99):
        loop = by_rows(lambda row, k=k: sorted(range(len(row)), key=lambda i: -row[i])[:k], z)
        assert ref.S.top_k(z, k).reshape(-1, shape[-1]).tolist() == loop
    for p in (0.0, 0.07, 0.31, 0.62, 0.93):
        loop = by_rows(lambda row, p=p: nucleus(row, p), z)
        assert ref.S.top_p(z, p).reshape(-1, shape[-1]).tolist() == loop
        loop = by_rows(lambda row, p=p: [i for i, x in enumerate(scipy.special.softmax(row))
                                         if x >= p * max(scipy.special.softmax(row))], z)
        assert ref.S.min_p(z, p).reshape(-1, shape[-1]).tolist() == loop
        loop = by_rows(lambda row, p=p: typical_set(row, p), z)
        assert ref.S.typical(z, p).reshape(-1, shape[-1]).tolist() == loop


def test_all_stay_at_one_although_a_rounded_sum_gets_there_earlier(ref: Any) -> None:
    steep = torch.linspace(0, -60, 300)
    for cut in (ref.S.top_p, ref.S.typical):
        assert torch.equal(cut(steep, 1.0), steep) and cut(steep, 1) is not steep


def test_of_equal_scores_as_many_stay_as_are_needed(ref: Any) -> None:
    flat = torch.zeros(3, 10)
    for n in range(1, 10):
        for cut in (ref.S.top_k(flat, n), ref.S.top_p(flat, n / 10 - 0.05),
                    ref.S.typical(flat, n / 10 - 0.05)):
            assert (cut > -INF).sum(-1).tolist() == [n] * 3
    assert torch.equal(ref.S.min_p(flat, 1), flat)


def test_temperature_takes_ratios_to_a_power(ref: Any) -> None:
    z = normal(3, 6)
    for t in (0.3, 1, 4.0):
        expected = scipy.special.softmax(z.numpy(), -1) ** (1 / t)
        expected /= expected.sum(-1, keepdims=True)
        np.testing.assert_allclose(torch.softmax(ref.S.temperature(z, t), -1), expected, rtol=1e-12)
    assert gradcheck(lambda x: ref.S.temperature(x, 0.7), z.requires_grad_())


def test_gradients_reach_what_stays_and_nothing_else(ref: Any) -> None:
    for cut in (lambda x: ref.S.top_k(x, 2), lambda x: ref.S.top_p(x, 0.6),
                lambda x: ref.S.min_p(x, 0.3), lambda x: ref.S.typical(x, 0.5),
                lambda x: ref.S.contrastive(x, normal(3, 6, seed=8), 0.2)):
        z = normal(3, 6).requires_grad_()
        left = cut(z)
        grad, = torch.autograd.grad(torch.softmax(left, -1)[:, 0].sum(), z)
        assert grad.isfinite().all() and (grad[left == -INF].abs() < 1e-15).all()
        assert gradcheck(lambda x, cut=cut: torch.softmax(cut(x), -1), z)


@pytest.mark.parametrize("penalty", [0.7, 1.0, 1.3, 4.0])
def test_penalty_is_that_of_a_slow_loop(ref: Any, penalty: float) -> None:
    z = normal(3, 8)
    one, each = torch.tensor([7, 0, 0, 3]), torch.tensor([[1, 1], [0, 7], [5, 2]])

    def loop(row: list[float], ids: list[int]) -> list[float]:
        return [x if i not in ids else x / penalty if x > 0 else x * penalty
                for i, x in enumerate(row)]

    assert ref.S.repetition_penalty(z, one, penalty).tolist() == [
        loop(row, one.tolist()) for row in z.tolist()]
    assert ref.S.repetition_penalty(z, each, penalty).tolist() == [
        loop(*pair) for pair in zip(z.tolist(), each.tolist(), strict=True)]
    assert ref.S.repetition_penalty(z[1], one, penalty).tolist() == loop(z[1].tolist(), [7, 0, 3])
    assert torch.equal(ref.S.repetition_penalty(z, one[:0], penalty), z)
    assert gradcheck(lambda x: ref.S.repetition_penalty(x, one, penalty), z.requires_grad_())


@pytest.mark.parametrize("seed", range(3))
def test_shares_of_draws_pass_a_chi_square_test(ref: Any, seed: int) -> None:
    z = normal(6, seed=seed).masked_fill(torch.arange(6) == seed, -INF)
    generator = torch.Generator().manual_seed(seed)
    drawn = ref.S.sample(z.expand(50, 400, 6), generator)
    assert drawn.shape == (50, 400) and drawn.dtype == torch.int64
    counts = np.bincount(drawn.flatten(), minlength=6)
    p = scipy.special.softmax(z.numpy())
    assert counts[seed] == 0
    stays = np.arange(6) != seed
    found = scipy.stats.chisquare(counts[stays], 20_000 * p[stays])
    assert found.pvalue > 1e-6  # one right sampler in a million fails


def test_draws_come_from_the_generator_alone(ref: Any) -> None:
    z = normal(40, 9)
    with torch.random.fork_rng(devices=[]):
        draws = []
        for seed in (1, 2):
            torch.manual_seed(seed)
            state = torch.get_rng_state()
            draws.append(ref.S.sample(z, torch.Generator().manual_seed(5)))
            assert torch.equal(state, torch.get_rng_state())
    assert torch.equal(*draws)
    assert ref.S.sample(z[0]).shape == ()


def test_contrastive_is_a_difference_of_logarithms(ref: Any) -> None:
    expert, amateur = 2 * normal(3, 5), normal(3, 5, seed=1)
    for alpha in (0.02, 0.3, 1.0):
        e, a = (scipy.special.softmax(z.numpy(), -1) for z in (expert + 5, amateur - 9))
        expected = np.where(e >= alpha * e.max(-1, keepdims=True), np.log(e / a), -INF)
        found = ref.S.contrastive(expert, amateur, alpha)
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_inputs_are_left_alone_and_dtypes_kept(ref: Any) -> None:
    ids, S = torch.tensor([0, 2]), ref.S
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        z = normal(3, 6).to(dtype)
        before = z.clone()
        for out in (S.temperature(z, 2), S.top_k(z, 2), S.top_p(z, 0.5), S.top_p(z, 1),
                    S.min_p(z, 0.5), S.typical(z, 0.5), S.repetition_penalty(z, ids, 1.5),
                    S.contrastive(z, z.flip(0))):
            assert out.dtype == dtype and out.shape == z.shape
            out.fill_(0)
        S.sample(z)
        assert torch.equal(z, before)





# The steps, by sympy, by exact fractions and by trying
