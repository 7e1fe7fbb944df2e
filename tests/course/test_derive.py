"""Properties of dropout that are computed from outputs in which each weight can be read."""

import numpy as np
import numpy.typing as npt
import pytest

from course.scenarios.derive import lost_together, share_of_lost_entries

Array = npt.NDArray[np.float64]
N, T, R = 100, 3, 3
RANDOM = np.random.default_rng(2)


def pair(*lost: int) -> Array:
    """Outputs [2, N, T, 2·T·R], whose masks of weights are shared along the dimensions `lost`."""
    shape = [1 if axis in lost else n for axis, n in enumerate((N, T, 2, T, R))]
    weights = RANDOM.random(shape) < 0.5
    result = RANDOM.random((N, T, 2, T, R)) < 0.5
    after = RANDOM.random((N, T, 2, T, 1)) * np.tri(T)[None, :, None, :, None] * np.ones(R)
    both = np.stack([4 * after * weights * result, after])
    return both.reshape(2, N, T, 2 * T * R)


@pytest.mark.parametrize(("shared", "code"), [
    ((4,), 0), ((3, 4), 1), ((1, 4), 2), ((2, 4), 4), ((0, 4), 8), ((0, 2, 4), 8), ((), 16),
    ((1, 3, 4), 3), ((1, 2, 3, 4), 7)])
def test_what_is_lost_together(shared: tuple[int, ...], code: int) -> None:
    assert {lost_together(pair(*shared)) for _ in range(5)} == {code}


def test_how_much_is_lost() -> None:
    outputs = pair(4)
    assert share_of_lost_entries(outputs) == 3
    assert share_of_lost_entries(np.stack([outputs[1], outputs[1]])) == 0
    assert share_of_lost_entries(np.stack([outputs[0] * (1 + outputs[0]), outputs[1]])) == -1
