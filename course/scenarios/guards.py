"""What an answer may not do is made to fail here: large tensors, derivatives by torch, …"""

import random
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

Function = Callable[..., Any]
MORE = "more than {} numbers were held in arrays or lists, outside torch"


class NoLargerThan(TorchFunctionMode):
    """Raises MemoryError as soon as a torch function gives a tensor of more than `most` numbers."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        for each in made if isinstance(made, tuple | list) else (made,):
            if isinstance(each, torch.Tensor) and each.numel() > self.most:
                raise MemoryError(f"a tensor of more than {self.most} numbers was made")
        return made


@contextmanager
def no_larger_than(most: int) -> Iterator[None]:
    """The same for NumPy's arrays and Python's lists as well, as far as their bytes show it."""
    started = not tracemalloc.is_tracing()
    if started:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    try:
        with NoLargerThan(most):
            yield
        if tracemalloc.get_traced_memory()[1] - before > 8 * most + (1 << 16):
            raise MemoryError(MORE.format(most))
    finally:
        if started:
            tracemalloc.stop()


def drawn_elsewhere(function: Callable[[], Any]) -> torch.Tensor:
    """What torch, NumPy and Python draw by themselves [2, 9], without and with a call before."""
    python, numpy, found = random.getstate(), np.random.get_state(), []
    with torch.random.fork_rng(devices=[]):
        for call in (lambda: None, function):
            torch.manual_seed(99)
            random.seed(99)
            np.random.seed(99)
            call()
            found.append([*torch.rand(3).tolist(), *np.random.rand(3),
                          *(random.random() for _ in range(3))])
    random.setstate(python)
    np.random.set_state(numpy)
    return torch.tensor(found, dtype=torch.float64)


class Elsewhere(TorchFunctionMode):
    """Notes whether `meta` was the last device asked for, and makes everything here instead.

    (The real `meta` takes seconds to load.)
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked = False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        def here(value: Any) -> Any:
            if not isinstance(value, torch.device | str) or str(value) not in ("meta", "cpu"):
                return value
            self.asked = str(value) == "meta"
            return torch.device("cpu")

        if getattr(func, "__name__", "") in ("cpu", "numpy"):
            self.asked = False
        named = {name: here(value) for name, value in (kwargs or {}).items()}
        return func(*map(here, args), **named)


class NoWayBack(TorchFunctionMode):
    """Refuses derivatives: `backward`, `grad` (which torch.func calls too), dual numbers."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(func, "__name__", "") in ("grad", "backward", "_make_dual"):
            raise RuntimeError("autograd is switched off here")
        return func(*args, **(kwargs or {}))


def without_autograd(f: Function) -> Function:
    """The same where nothing is differentiated by torch."""

    def called(*inputs: torch.Tensor) -> Any:
        with NoWayBack():
            return f(*inputs)

    return called
