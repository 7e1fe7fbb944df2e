"""The reference of lesson 07, and what its oracles are given; they share no code with it."""

from typing import Any

import pytest
import torch


@pytest.fixture(scope="module")
def modules() -> dict[str, str]:
    return {"R": "minillm.rope", "A": "minillm.attention", "C": "minillm.config",
            "S": "steps.rope", "E": "steps.extrapolation"}


def slow_frequencies(Dh: int, base: float = 10000.0) -> list[float]:
    return [base ** (-2 * i / Dh) for i in range(Dh // 2)]


def turned(ref: Any, x: Any, positions: Any, theta: Any = None, **more: Any) -> Any:
    theta = torch.tensor(theta or slow_frequencies(x.shape[-1]), dtype=x.dtype)
    return ref.R.apply_rope(x, *ref.R.rope_tables(torch.as_tensor(positions), theta), **more)
