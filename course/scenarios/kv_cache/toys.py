"""A model that reads from a cache, and stories in which a cache is filled."""

import contextlib
import gc
import math
import operator
from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import torch

from ..functional import wave

Function = Callable[..., Any]


class Memory:
    """The cache of a Reader: the ids that went through the model, and how many at a time."""

    def __init__(self) -> None:
        self.ids: torch.Tensor | None = None
        self.sizes: list[int] = []

    @property
    def length(self) -> int:
        return 0 if self.ids is None else self.ids.shape[1]

    def reset(self) -> None:
        self.ids = None


class Reader(torch.nn.Module):
    """Scores depend on every id so far and on its place; a cache brings the earlier ones."""

    table: torch.Tensor

    def __init__(self, V: int, block_size: int, by: float = 1.7, height: float = 1.5) -> None:
        super().__init__()
        self.config = SimpleNamespace(block_size=block_size, vocab_size=V)
        self.register_buffer("table", wave(block_size, V, V, by=by, height=height))
        self.read = 0  # tokens of each row that went through, with a cache or without

    def forward(self, ids: torch.Tensor, targets: Any = None, cache: Any = None,
                ) -> tuple[torch.Tensor, None]:
        if isinstance(targets, Memory):
            raise TypeError("the second argument of a model is `targets`, and a cache came there: "
                            "hand it over by its name, cache=cache")
        B, T = ids.shape  # a row of ids alone is no batch
        self.read += T
        seen = ids
        if cache is not None:
            seen = cache.ids = ids.clone() if cache.ids is None else torch.cat([cache.ids, ids], 1)
            cache.sizes.append(T)
        S = seen.shape[1]
        if S > self.config.block_size:
            raise ValueError(f"{S} ids for a model that can look at {self.config.block_size}")
        scores = self.table[torch.arange(S), seen].cumsum(1)  # (B, S, V)
        return scores[:, S - T:], None


def piece(n: int, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Keys and values of one step, of another look for each `n`."""
    return wave(*shape, by=1.1 + 0.37 * n), wave(*shape, by=2.3 + 0.29 * n)


def storages(cache: Any) -> dict[int, torch.UntypedStorage]:
    """The memory of all tensors that an object keeps, in whatever containers, by its address."""
    found: dict[int, torch.UntypedStorage] = {}
    todo, known = [cache], set[int]()
    while todo:
        each = todo.pop()
        if id(each) in known:
            continue
        known.add(id(each))
        if isinstance(each, torch.Tensor):
            storage = each.untyped_storage()
            found[storage.data_ptr()] = storage
        elif isinstance(each, FunctionType):  # not the module that it stands in
            todo += each.__closure__ or ()
        elif not isinstance(each, type | ModuleType):
            todo += gc.get_referents(each)
    return found


def held(cache: Any) -> int:
    """Bytes of all tensors that an object keeps; shared memory once."""
    return sum(storage.nbytes() for storage in storages(cache).values())


def apart(x: torch.Tensor) -> torch.Tensor:
    """The same numbers, lying in memory as split heads do: tokens before heads."""
    return x.transpose(1, 2).contiguous().transpose(1, 2)


class Story:
    """One cache and steps through its layers; what each step gives is kept by layer."""

    def __init__(self, f: Function, n_layer: int, batch: int, n_kv_head: int, max_len: int,
                 head_dim: int, dtype: torch.dtype = torch.float64) -> None:
        self.cache = f(n_layer, batch, n_kv_head, max_len, head_dim, dtype, "cpu")
        self.n_layer, self.dtype = n_layer, dtype
        self.shape = (batch, n_kv_head, head_dim)
        self.bytes = 2 * n_layer * max_len * math.prod(self.shape) * dtype.itemsize
        self.lengths = [operator.index(self.cache.length)]
        self.given: list[tuple[torch.Tensor, torch.Tensor]] = []
        self.told = 0  # steps so far: each brings other numbers

    def pieces(self, T: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
        self.told += 1
        B, Hkv, Dh = self.shape
        made = [piece(10 * self.told + layer, B, Hkv, T, Dh) for layer in range(self.n_layer)]
        return [(apart(k.to(self.dtype)), apart(v.to(self.dtype))) for k, v in made]

    def step(self, *sizes: int) -> "Story":
        """Steps of that many new tokens each, through all layers."""
        for T in sizes:
            self.given = []
            for layer, (k, v) in enumerate(self.pieces(T)):
                given = self.cache.update(layer, k, v)
                try:
                    k_all, v_all = given
                except (TypeError, ValueError):  # which would pass for a refusal
                    raise LookupError(f"update gives {type(given).__name__}, no pair") from None
                self.given.append((k_all.clone(), v_all.clone()))
                self.lengths.append(operator.index(self.cache.length))
        return self

    def refused(self, T: int) -> "Story":
        """A step that has to be refused, and is forgotten then; what it left behind is seen."""
        k, v = self.pieces(T)[0]
        with contextlib.suppress(Exception):
            self.cache.update(0, k, v)
        self.lengths.append(operator.index(self.cache.length))
        return self

    def begun(self, T: int) -> "Story":
        """A step that reaches the first layer alone."""
        self.cache.update(0, *self.pieces(T)[0])
        self.lengths.append(operator.index(self.cache.length))
        return self

    def filled_up(self) -> int:
        """Steps of one token that are taken before one is refused, at most 20."""
        for taken in range(20):
            try:
                self.step(1)
            except Exception:
                return taken
        return 20

    def reset(self) -> "Story":
        self.cache.reset()
        self.lengths.append(operator.index(self.cache.length))
        return self

    def keys(self, layer: int) -> torch.Tensor:
        return self.given[layer][0]

    def values(self, layer: int) -> torch.Tensor:
        return self.given[layer][1]

    def share(self) -> float:
        """Bytes of its tensors in units of what the keys and values need, in halves, cut off."""
        return 2 * held(self.cache) // self.bytes / 2

    def kept_by_reset(self) -> float:
        """The share of its memory that a reset leaves in place, to one digit."""
        return self.kept(self.reset)

    def kept_by_step(self, T: int) -> float:
        return self.kept(lambda: self.step(T))

    def kept(self, act: "Callable[[], Story]") -> float:
        before = storages(self.cache)  # held on to, so that nothing new takes its address
        after = storages(act().cache)
        gone = sum(before[at].nbytes() for at in before.keys() - after)
        return round(1 - gone / (sum(s.nbytes() for s in before.values()) or 1), 1)


def decoded(f: Function, sizes: Iterable[int], n_layer: int = 2) -> torch.Tensor:
    """Layers of attention, all at once and in steps of these sizes: [2, B, Hkv, T, Dh]."""
    sizes = list(sizes)
    T, B, Hkv, Dh = sum(sizes), 2, 3, 4
    maps = wave(n_layer, 3, Dh, Dh, by=0.83, height=0.7)

    def run(x: torch.Tensor, cache: Any) -> torch.Tensor:
        for layer, (a, b, c) in enumerate(maps):
            q, k, v = x @ a, x @ b, x @ c
            if cache is not None:
                k, v = cache.update(layer, k, v)
            n, S = q.shape[2], k.shape[2]
            scores = q @ k.mT + torch.full((n, S), -torch.inf).double().triu(S - n + 1)
            x = x + torch.softmax(scores, -1) @ v
        return x

    x = wave(B, Hkv, T, Dh, by=1.37)
    cache = f(n_layer, B, Hkv, T + 1, Dh, torch.float64, "cpu")
    by_steps = torch.cat([run(part, cache) for part in torch.split(x, sizes, 2)], 2)
    return torch.stack([run(x, None), by_steps])
