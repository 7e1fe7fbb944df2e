"""The reference of lesson 07, and what its oracles are given; they share no code with it."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

SOLUTIONS = Path(__file__).parents[3] / "solutions"
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


def turned(ref: Any, x: Any, positions: Any, theta: Any = None, **more: Any) -> Any:
    theta = torch.tensor(theta or slow_frequencies(x.shape[-1]), dtype=x.dtype)
    return ref.R.apply_rope(x, *ref.R.rope_tables(torch.as_tensor(positions), theta), **more)
