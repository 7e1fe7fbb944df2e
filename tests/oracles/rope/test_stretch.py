"""PI, NTK-aware scaling and YaRN, against slow loops."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from .conftest import slow_frequencies


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
