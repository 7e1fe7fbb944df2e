"""The reference that the oracles of a file are compared with; they share no code with it."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

SOLUTIONS = Path(__file__).parents[2] / "solutions"


@pytest.fixture(scope="module")
def modules(request: pytest.FixtureRequest) -> dict[str, str]:
    """What a test file compares with: modules of the reference by a short name."""
    wanted: dict[str, str] = request.module.MODULES
    return wanted


@pytest.fixture(scope="module")
def ref(modules: dict[str, str]) -> Iterator[SimpleNamespace]:
    """These modules, whatever minillm another test has left behind."""
    def ours() -> list[str]:
        return [n for n in sys.modules if n.split(".")[0] in ("minillm", "steps")]

    kept = {name: sys.modules.pop(name) for name in ours()}
    sys.path.insert(0, str(SOLUTIONS))
    yield SimpleNamespace(**{short: importlib.import_module(name)
                             for short, name in modules.items()})
    sys.path.remove(str(SOLUTIONS))
    for name in ours():
        del sys.modules[name]
    sys.modules.update(kept)


def normal(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Random numbers that are the same each time, drawn in float64 for every dtype."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)
