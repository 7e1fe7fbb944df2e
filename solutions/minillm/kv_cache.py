"""Keys and values of the tokens a model has read, so that a new token costs one token.

Letters: B batch, T new tokens, S positions held, Hkv key/value heads, Dh head width, V vocabulary.
A model is anything called as `model(ids, cache=cache)` that gives `(logits [B, T, V], loss)`, reads
the keys and values of earlier tokens from the cache and leaves those of `ids` in it.
"""

from collections.abc import Callable
from typing import Any

import torch


def kv_cache_bytes(
    n_layer: int, n_kv_head: int, head_dim: int, seq_len: int, batch_size: int = 1,
    bytes_per_value: int = 2,
) -> int:
    """Bytes of the keys and values of `batch_size` texts of `seq_len` tokens each.

    `n_kv_head` heads of `head_dim` numbers in each of `n_layer` layers; a number has
    `bytes_per_value` bytes (not bits): 4 for float32, 2 for float16 and bfloat16, 1 for int8, whose
    scales are not counted. Raises ValueError when an argument is below 0.
    """
    sizes = (n_layer, n_kv_head, head_dim, seq_len, batch_size, bytes_per_value)
    if min(sizes) < 0:
        raise ValueError(f"a size is below 0: {sizes}")
    ### BEGIN SOLUTION
    per_token = 2 * n_layer * n_kv_head * head_dim  # numbers: one key and one value each
    return per_token * seq_len * batch_size * bytes_per_value
    ### END SOLUTION


class KVCache:
    """Room for the keys and values of `max_len` positions of each layer, made once and filled.

    `n_layer` layers, `batch` texts, `n_kv_head` heads of width `head_dim`; `dtype` (None: torch's
    default) and `device` of what is kept. All memory is taken at the start. The texts of a batch
    are equally long. A model updates the layers in order, 0 to n_layer - 1, once for each step; a
    step brings one new token or several. The cache is for running a model, not for training it.
    """

    def __init__(
        self, n_layer: int, batch: int, n_kv_head: int, max_len: int, head_dim: int,
        dtype: torch.dtype | None = None, device: torch.device | str | None = None,
    ) -> None:
        sizes = (n_layer, batch, n_kv_head, max_len, head_dim)
        if min(sizes) < 1:
            raise ValueError(f"n_layer, batch, n_kv_head, max_len, head_dim = {sizes}: one is < 1")
        self.max_len, self.fits = max_len, (batch, n_kv_head, head_dim)
        self.dtype = dtype or torch.get_default_dtype()
        ### BEGIN SOLUTION
        room = torch.zeros(sizes[1:], dtype=self.dtype, device=device)  # (B, Hkv, max_len, Dh)
        self.keys = [torch.zeros_like(room) for _ in range(n_layer)]
        self.values = [torch.zeros_like(room) for _ in range(n_layer)]
        self.filled = [0] * n_layer  # positions that each layer holds
        ### END SOLUTION

    @property
    def length(self) -> int:
        """Positions that every layer holds: within a step it still counts the earlier tokens."""
        ### BEGIN SOLUTION
        return min(self.filled)
        ### END SOLUTION

    def update(
        self, layer: int, k: torch.Tensor, v: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add the keys and values of T new tokens to a layer, and give all that it holds then.

        `k`, `v` [B, Hkv, T, Dh] go behind what `layer` holds; the result is `(k_all, v_all)`, both
        [B, Hkv, S, Dh], earlier positions first, the last T new. Raises ValueError when they do not
        fit behind it or have another shape or dtype than the cache; then it is left as it was.
        """
        B, Hkv, T, Dh = k.shape
        if (B, Hkv, Dh) != self.fits or v.shape != k.shape or not k.dtype == v.dtype == self.dtype:
            raise ValueError(f"k {tuple(k.shape)} {k.dtype} and v {tuple(v.shape)} {v.dtype} in a "
                             f"cache for B, Hkv, Dh = {self.fits} and {self.dtype}")
        ### BEGIN SOLUTION
        start, end = self.filled[layer], self.filled[layer] + T
        if end > self.max_len:
            raise ValueError(f"{T} tokens behind {start} do not fit in {self.max_len} places")
        self.keys[layer][:, :, start:end] = k.detach()
        self.values[layer][:, :, start:end] = v.detach()
        self.filled[layer] = end
        return self.keys[layer][:, :, :end], self.values[layer][:, :, :end]
        ### END SOLUTION

    def reset(self) -> None:
        """Forget all positions and keep the memory: the next update begins at position 0."""
        ### BEGIN SOLUTION
        self.filled = [0] * len(self.filled)
        ### END SOLUTION


def prefill(
    model: Callable[..., Any], ids: torch.Tensor, cache: Any, chunk: int | None = None
) -> torch.Tensor:
    """Send the prompt `ids` [B, T] through `model` into `cache`; give the scores [B, V] after it.

    With `chunk` it goes in pieces of that many tokens, the last one perhaps shorter; without, in
    one. Either way no token goes through the model twice, and the scores are the same. Raises
    ValueError for a `chunk` below 1 and for a prompt without tokens.
    """
    if ids.shape[1] < 1 or (chunk is not None and chunk < 1):
        raise ValueError(f"a prompt of {ids.shape[1]} tokens in pieces of {chunk}")
    ### BEGIN SOLUTION
    for piece in torch.split(ids, chunk or ids.shape[1], dim=1):  # (B, chunk)
        logits, _ = model(piece, cache=cache)  # (B, chunk, V)
    last: torch.Tensor = logits[:, -1]
    return last
    ### END SOLUTION


def greedy(
    model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, cache: Any
) -> torch.Tensor:
    """Continue `ids` [B, T] by the most likely token, `max_new_tokens` times; `cache` is empty.

    The first pass takes the prompt, each later one the newest token alone. Gives the ids
    [B, T + max_new_tokens], the prompt first.
    """
    ### BEGIN SOLUTION
    fresh = ids  # what the model has not seen yet
    for _ in range(max_new_tokens):
        logits, _ = model(fresh, cache=cache)  # (B, T, V), then (B, 1, V)
        fresh = logits[:, -1].argmax(-1, keepdim=True)  # (B, 1)
        ids = torch.cat([ids, fresh], dim=1)  # (B, T + 1)
    return ids
    ### END SOLUTION


def buffer_mask(
    T: int, length: int, size: int, pad: torch.Tensor | None = None
) -> torch.Tensor:
    """Say which places of a buffer each of T new tokens may attend to: bool, True = may attend.

    The buffer has `size` places; `length` are filled, and the new tokens have just been written to
    the next T. A token sees itself and the places before it: [T, size]. With `pad` [B] int64 the
    first pad[b] places of text b are padding, which nobody attends to: [B, 1, T, size], on the
    device of `pad`. Raises ValueError when the new tokens do not fit.
    """
    if length + T > size:
        raise ValueError(f"{T} tokens behind {length} do not fit in {size} places")
    ### BEGIN SOLUTION
    device = None if pad is None else pad.device
    key = torch.arange(size, device=device)  # (S,)
    query = torch.arange(length, length + T, device=device)[:, None]  # (T, 1)
    mask = key <= query  # (T, S)
    if pad is None:
        return mask
    return mask & (key >= pad[:, None, None, None])  # (B, 1, T, S)
    ### END SOLUTION
