"""Small models and wrappers that the scenarios of `minillm.sampling` try answers with."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest import mock

import torch

from ..functional import wave
from ..kv_cache.toys import Memory, Reader

Function = Callable[..., Any]
DRAWS = 10_000  # two right samplers differ by 3 % of a share about once in ten million pairs
SHARE = 0.03  # the tolerance for a share of that many draws
FEW, WIDE = 2_000, 0.062  # of generated rows: a model that is asked for each row is slow


class Toy(torch.nn.Module):
    """Scores that depend on every id in the window and on its place; refuses a longer window."""

    table: torch.Tensor

    def __init__(self, V: int, block_size: int, by: float = 1.7, height: float = 1.5) -> None:
        super().__init__()
        self.config = SimpleNamespace(block_size=block_size, vocab_size=V)
        self.block_size = block_size
        self.register_buffer("table", wave(block_size, V, V, by=by, height=height))

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, None]:
        T = ids.shape[1]
        if T > self.block_size:
            raise ValueError(f"{T} ids for a model that can look at {self.block_size}")
        return self.table[torch.arange(T), ids].cumsum(1), None  # (B, T, V)


def survivors(f: Function) -> Function:
    """What stays, sorted: where scores are equal, which of them stay is open."""

    def sort(*inputs: Any, **keywords: Any) -> torch.Tensor:
        values: torch.Tensor = f(*inputs, **keywords).sort(-1, descending=True).values
        return values

    return sort


def probabilities(f: Function) -> Function:
    """softmax of what comes back: a way to look at gradients where some scores are -inf."""

    def soft(*inputs: Any, **keywords: Any) -> torch.Tensor:
        return torch.softmax(f(*inputs, **keywords), -1)

    return soft


class Reading(Reader):
    """A model that takes a cache. It is none of `kv_cache`, which a later lesson writes."""

    def __init__(self, V: int, block_size: int, by: float = 1.7) -> None:
        super().__init__(V, block_size, by)
        self.config = SimpleNamespace(block_size=block_size, vocab_size=V, n_layer=1, n_head=1,
                                      n_kv_head=None, d_model=1)
        self.weight = torch.nn.Parameter(torch.zeros(1))


def with_cache(f: Function) -> Function:
    """A call while `kv_cache.KVCache`, whether it is written or not, is the cache of a Reader."""

    def call(*inputs: Any, **keywords: Any) -> Any:
        import minillm.kv_cache as kv_cache

        with mock.patch.object(kv_cache, "KVCache", lambda *sizes, **more: Memory()):
            return f(*inputs, **keywords)

    return call


def shares(f: Function, V: int, draws: int = DRAWS) -> Function:
    """The share of each of V tokens in many draws; `f` gives the draws of `rows` equal rows."""

    def count(*inputs: Any, **keywords: Any) -> torch.Tensor:
        drawn = f(*inputs, **keywords)
        if drawn.dtype != torch.int64 or drawn.numel() != draws:
            raise TypeError(f"{draws} rows gave {drawn.numel()} draws of {drawn.dtype}")
        return torch.bincount(drawn.flatten(), minlength=V).double() / draws

    return count


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def alone(f: Function) -> Function:
    """A call without a generator, while torch's own is seeded: what is wrong is so every time."""

    def call(*inputs: Any, **keywords: Any) -> Any:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return f(*inputs, **keywords)

    return call


def twice(f: Function) -> Function:
    """Two calls with generators of one seed, while torch's own is seeded with something else."""

    def call(*inputs: Any, **keywords: Any) -> torch.Tensor:
        made = []
        with torch.random.fork_rng(devices=[]):
            for other in (1, 2):
                torch.manual_seed(other)
                made.append(f(*inputs, generator=seeded(0), **keywords))
        return torch.stack(made)

    return call


def left_alone(f: Function) -> Function:
    """Whether torch's own random numbers stay where they are in a call with a generator."""

    def call(*inputs: Any, **keywords: Any) -> str:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(4)
            before = torch.get_rng_state()
            f(*inputs, generator=seeded(0), **keywords)
            return "left alone" if torch.equal(before, torch.get_rng_state()) else "used or reset"

    return call


def mode_after(f: Function, training: bool) -> Function:
    """The mode of a model after a call, when it was in this one before."""

    def call(model: Toy, *inputs: Any, **keywords: Any) -> str:
        model.train(training)
        f(model, *inputs, **keywords)
        return "training" if model.training else "evaluation"

    return call


def in_a_row(f: Function, seed: int | None = 0) -> Function:
    """Two calls with one generator, or without: random numbers go on, so they have to differ."""

    def call(*inputs: Any, **keywords: Any) -> str:
        how = {} if seed is None else {"generator": seeded(seed)}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(7)
            first, second = (f(*inputs, **how, **keywords) for _ in range(2))
        if not torch.equal(first, second):
            return "different"
        chance = len(first.unique(dim=0)) > 2  # rows come in kinds, of which there are two at most
        return "the same" if chance else "the same, and the same in all rows that are alike"

    return call


def each(f: Function) -> Function:
    """A sequence and its log-probability for each row."""

    def rows(*inputs: Any) -> tuple[torch.Tensor, torch.Tensor]:
        paths, log_p = f(*inputs)
        return paths, torch.as_tensor(log_p).double()

    return rows
