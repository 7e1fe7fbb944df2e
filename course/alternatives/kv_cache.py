"""Right answers to the exercises of `minillm.kv_cache` in other styles."""

from collections.abc import Callable
from typing import Any

import torch

from . import alternative, alternative_edit

BYTES, CACHE = "kv_cache.kv_cache_bytes", "kv_cache.KVCache"
PREFILL, GREEDY, MASK = "kv_cache.prefill", "kv_cache.greedy", "kv_cache.buffer_mask"


@alternative(BYTES)
def product(n_layer: int, n_kv_head: int, head_dim: int, seq_len: int, batch_size: int = 1,
            bytes_per_value: int = 2) -> int:
    import math
    return math.prod((2, n_layer, n_kv_head, head_dim, seq_len, batch_size, bytes_per_value))


@alternative(BYTES)
def keys_then_values(n_layer: int, n_kv_head: int, head_dim: int, seq_len: int,
                     batch_size: int = 1, bytes_per_value: int = 2) -> int:
    keys = n_layer * batch_size * n_kv_head * seq_len * head_dim
    values = keys
    return (keys + values) * bytes_per_value


@alternative(BYTES)
def of_a_tensor(n_layer: int, n_kv_head: int, head_dim: int, seq_len: int, batch_size: int = 1,
                bytes_per_value: int = 2) -> int:
    shape = (2, n_layer, batch_size, n_kv_head, seq_len, head_dim)
    return torch.empty(shape, device="meta").numel() * bytes_per_value


@alternative(CACHE)
class OneCount:
    """One number for all layers, which goes up when the last layer is filled."""

    def __init__(self, n_layer: int, batch: int, n_kv_head: int, max_len: int, head_dim: int,
                 dtype: Any = None, device: Any = None) -> None:
        self.store = torch.empty(2, n_layer, batch, n_kv_head, max_len, head_dim, dtype=dtype,
                                 device=device)
        self.n_layer, self.max_len, self.now = n_layer, max_len, 0

    @property
    def length(self) -> int:
        return self.now

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
        T = k.shape[-2]
        assert self.now + T <= self.max_len, f"{self.now} + {T} > {self.max_len}"
        for at, new in enumerate((k, v)):
            self.store[at, layer].narrow(2, self.now, T).copy_(new)
        end = self.now + T
        if layer == self.n_layer - 1:
            self.now = end
        return tuple(self.store[at, layer, :, :, :end] for at in (0, 1))

    def reset(self) -> None:
        self.now = 0


@alternative(CACHE)
class ListsOfTensors:
    """An array for each layer; copies are given back; length is an attribute."""

    def __init__(self, n_layer: int, batch: int, n_kv_head: int, max_len: int, head_dim: int,
                 dtype: Any = None, device: Any = None) -> None:
        shape = (batch, n_kv_head, max_len, head_dim)
        self.k = [torch.full(shape, torch.nan, dtype=dtype, device=device) for _ in range(n_layer)]
        self.v = [torch.full(shape, torch.nan, dtype=dtype, device=device) for _ in range(n_layer)]
        self.ends = {layer: 0 for layer in range(n_layer)}
        self.length = 0

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
        T, start = k.size(2), self.ends[layer]
        if start + T > self.k[layer].size(2):
            raise IndexError(f"no room for {T} tokens behind {start}")
        where = torch.arange(start, start + T, device=k.device)
        with torch.no_grad():
            self.k[layer].index_copy_(2, where, k)
            self.v[layer].index_copy_(2, where, v)
        self.ends[layer] += T
        self.length = min(self.ends.values())
        return self.k[layer][:, :, :start + T].clone(), self.v[layer][:, :, :start + T].clone()

    def reset(self) -> None:
        for each in (*self.k, *self.v):
            each.fill_(torch.nan)
        self.ends = dict.fromkeys(self.ends, 0)
        self.length = 0


@alternative(CACHE)
class AModule(torch.nn.Module):
    """Buffers of a module; the counts are a tensor."""

    keys: torch.Tensor
    values: torch.Tensor
    filled: torch.Tensor

    def __init__(self, n_layer: int, batch: int, n_kv_head: int, max_len: int, head_dim: int,
                 dtype: Any = None, device: Any = None) -> None:
        super().__init__()
        shape = n_layer, batch, max_len, n_kv_head, head_dim
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(shape, dtype=dtype, device=device), False)
        self.register_buffer("filled", torch.zeros(n_layer, dtype=torch.long), False)

    @property
    def length(self) -> Any:
        return self.filled.min()

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
        start = int(self.filled[layer])
        end = start + k.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError("the cache is full")
        self.keys[layer, :, start:end] = k.transpose(1, 2)
        self.values[layer, :, start:end] = v.transpose(1, 2)
        self.filled[layer] = end
        both = self.keys[layer, :, :end], self.values[layer, :, :end]
        return tuple(each.transpose(1, 2) for each in both)

    def reset(self) -> None:
        self.filled.zero_()


alternative_edit(CACHE, "no_detach", "k.detach()", "k")


@alternative(CACHE)
class WithSlots:
    """No __dict__: what it keeps stands in slots, a deque of both tensors of each layer."""

    __slots__ = ("ends", "layers")

    def __init__(self, n_layer: int, batch: int, n_kv_head: int, max_len: int, head_dim: int,
                 dtype: Any = None, device: Any = None) -> None:
        from collections import deque
        shape = 2, batch, n_kv_head, max_len, head_dim
        self.layers = deque(torch.zeros(shape, dtype=dtype, device=device) for _ in range(n_layer))
        self.ends = [0] * n_layer

    @property
    def length(self) -> int:
        return min(self.ends)

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
        start, room = self.ends[layer], self.layers[layer].shape[3]
        if start + k.shape[2] > room:
            raise ValueError(f"no room for {k.shape[2]} tokens")
        self.ends[layer] += k.shape[2]
        self.layers[layer][:, :, :, start:self.ends[layer]] = torch.stack((k, v))
        return self.layers[layer][:, :, :, :self.ends[layer]].unbind(0)

    def reset(self) -> None:
        self.ends = [0] * len(self.ends)


@alternative(CACHE)
class WithClosures:
    """The memory stands in functions that were made with it."""

    def __init__(self, n_layer: int, batch: int, n_kv_head: int, max_len: int, head_dim: int,
                 dtype: Any = None, device: Any = None) -> None:
        keys = torch.zeros(n_layer, batch, n_kv_head, max_len, head_dim, dtype=dtype, device=device)
        values, ends = keys.clone(), [0] * n_layer

        def update(layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
            end = ends[layer] + k.shape[2]
            if end > max_len:
                raise ValueError("full")
            for whole, new in ((keys[layer], k), (values[layer], v)):
                whole[:, :, ends[layer]:end] = new
            ends[layer] = end
            return keys[layer, :, :, :end], values[layer, :, :, :end]

        self.update, self.ends = update, ends

    @property
    def length(self) -> int:
        return min(self.ends)

    def reset(self) -> None:
        self.ends[:] = [0] * len(self.ends)


@alternative(PREFILL)
def counting(model: Callable[..., Any], ids: torch.Tensor, cache: Any, chunk: int | None = None,
             ) -> torch.Tensor:
    size = ids.shape[1] if chunk is None else chunk
    scores = torch.empty(0)
    for start in range(0, ids.shape[1], size):
        scores = model(ids[:, start:start + size], cache=cache)[0][:, -1, :]
    return scores


@alternative(PREFILL)
def by_recursion(model: Callable[..., Any], ids: torch.Tensor, cache: Any,
                 chunk: int | None = None) -> torch.Tensor:
    left = ids
    while chunk and left.shape[1] > chunk:
        model(left[:, :chunk], None, cache)
        left = left[:, chunk:]
    return model(left, None, cache)[0].select(1, -1)  # type: ignore[no-any-return]


@alternative(PREFILL)
def without_gradient(model: Callable[..., Any], ids: torch.Tensor, cache: Any,
                     chunk: int | None = None) -> torch.Tensor:
    with torch.no_grad():
        made = [model(part, cache=cache)[0] for part in torch.split(ids, chunk or 10**9, 1)]
    return torch.cat(made, 1)[:, -1]


@alternative(GREEDY)
def prefill_first(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, cache: Any,
                  ) -> torch.Tensor:
    scores = model(ids, cache=cache)[0][:, -1]
    for _ in range(max_new_tokens):  # the last pass is not needed
        new = scores.argmax(1)[:, None]
        ids = torch.cat((ids, new), 1)
        scores = model(new, cache=cache)[0][:, -1]
    return ids


@alternative(GREEDY)
def from_the_cache(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, cache: Any,
                   ) -> torch.Tensor:
    made = ids
    while made.shape[1] < ids.shape[1] + max_new_tokens:
        logits = model(made[:, cache.length:], cache=cache)[0]
        made = torch.hstack([made, logits[:, -1:].max(-1).indices])
    return made


@alternative(GREEDY)
def into_a_buffer(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, cache: Any,
                  ) -> torch.Tensor:
    B, T = ids.shape
    text = torch.zeros(B, T + max_new_tokens, dtype=torch.long)
    text[:, :T] = ids
    seen = 0
    for end in range(T, T + max_new_tokens):
        text[:, end] = model(text[:, seen:end], cache=cache)[0][:, -1].argmax(-1)
        seen = end
    return text


@alternative(MASK)
def by_tril(T: int, length: int, size: int, pad: Any = None) -> torch.Tensor:
    mask = torch.ones(T, size, dtype=torch.bool).tril(length)
    if pad is not None:
        mask = mask.to(pad.device)
        mask = mask & ~(torch.arange(size).to(pad) < pad.view(-1, 1, 1, 1))
    return mask


@alternative(MASK)
def by_loops(T: int, length: int, size: int, pad: Any = None) -> torch.Tensor:
    rows = [[[s <= length + t and s >= first for s in range(size)] for t in range(T)]
            for first in ([0] if pad is None else pad.tolist())]
    mask = torch.tensor(rows, device=None if pad is None else pad.device)
    return mask[0] if pad is None else mask.unsqueeze(1)


@alternative(MASK)
def by_logic(T: int, length: int, size: int, pad: Any = None) -> torch.Tensor:
    place = torch.arange(size, device=getattr(pad, "device", "cpu")).expand(T, size)
    mask = place.le(length + torch.arange(T, device=place.device).unsqueeze(-1))
    if pad is None:
        return mask
    return torch.logical_and(mask[None, None], place[None, None].ge(pad.reshape(-1, 1, 1, 1)))


@alternative(MASK)
def text_after_text(T: int, length: int, size: int, pad: Any = None) -> torch.Tensor:
    texts = 1 if pad is None else len(pad)
    mask = torch.zeros(texts, 1, T, size, dtype=torch.bool,
                       device=None if pad is None else pad.device)
    for b in range(texts):
        for t in range(T):
            mask[b, :, t, 0 if pad is None else int(pad[b]):length + t + 1] = True
    return mask[0, 0] if pad is None else mask


@alternative(MASK)
def there_and_back(T: int, length: int, size: int, pad: Any = None) -> Any:
    key = torch.arange(size).expand(T, size)
    shown = key <= (length + torch.arange(T))[:, None]
    if pad is None:
        return shown
    return (shown & (key >= pad.view(-1, 1, 1, 1).to(key.device))).to(pad.device)
