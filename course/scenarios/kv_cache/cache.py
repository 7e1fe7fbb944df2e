"""How the formula, the cache and the mask over a buffer are tried."""

import operator
from typing import Any

import torch

from .. import See, scenario
from .toys import Function, Story, decoded, piece

SIZES = ((2, 3, 5, 7, 11, 13), (61, 3, 127, 99_991, 3, 1),
         (59, 7, 129, 100_003, 5, 3), (32, 32, 128, 4096, 1, 2), (80, 8, 128, 4096, 3, 2),
         (4, 4, 32, 256, 32, 4), (3, 1, 9, 4, 6, 1))


@scenario("kv_cache.kv_cache_bytes")
def kv_cache_bytes(f: Function, see: See) -> None:
    for sizes in SIZES:
        see("bytes for {} layers, {} key heads of {}, {} tokens, {} texts, {} bytes each".format(
            *sizes), f, *sizes)
    see("bytes with batch and dtype left out", f, 3, 2, 5, 7)
    see("bytes for 4 texts, by keyword", f, n_layer=3, n_kv_head=2, head_dim=5, seq_len=7,
        batch_size=4)
    see("bytes of 4-byte numbers, by keyword", f, 3, 2, 5, 7, bytes_per_value=4)
    see("bytes of no tokens", f, 3, 2, 5, 0, 4)
    see("the result as a whole number (int)", lambda: operator.index(f(3, 2, 5, 7)))
    see("the result for 4-byte numbers as a whole number (int)",
        lambda: operator.index(f(2, 2, 5, 7, 3, 4)))


@scenario("kv_cache.KVCache")
def cache(f: Function, see: See) -> None:
    def wide(**more: Any) -> Story:  # 3 layers, 2 texts, 1 key head, room for 7, width 5
        return Story(f, 3, 2, 1, 7, 5, **more)

    def single() -> Story:  # 1 layer, 2 texts, 1 key head, room for 4, width 3
        return Story(f, 1, 2, 1, 4, 3)

    def high() -> Story:  # 2 layers, 1 text, 3 key heads, room for 6, width 4
        return Story(f, 2, 1, 3, 6, 4)

    see("keys of layer 0 after 3 tokens", lambda: wide().step(3).keys(0))
    see("values of layer 0 after 3 tokens", lambda: wide().step(3).values(0))
    see("keys of layer 1 after 3 tokens and 1", lambda: wide().step(3, 1).keys(1))
    see("values of layer 2 after 3 tokens and 1", lambda: wide().step(3, 1).values(2))
    see("values of layer 1 after 1 token and 1", lambda: wide().step(1, 1).values(1))
    see("keys of layer 2 after 1 token", lambda: wide().step(1).keys(2))
    see("length, at first and after each update of 3 layers, 1 token and 1",
        lambda: wide().step(1, 1).lengths)
    see("keys of layer 2 after 2, 1, 3 and 1 tokens", lambda: wide().step(2, 1, 3, 1).keys(2))
    see("keys of layer 1 after 1 token and 5", lambda: high().step(1, 5).keys(1))
    see("values of layer 0 after 1 token and 4", lambda: high().step(1, 4).values(0))
    see("keys in float32", lambda: wide(dtype=torch.float32).step(2, 2).keys(1), tol=1e-6)
    see("length, at first and after each update of 3 layers, 3 and then 1 tokens",
        lambda: wide().step(3, 1).lengths)
    see("length, at first and after each update of 2 layers, 2, 1 and 3 tokens",
        lambda: high().step(2, 1, 3).lengths)
    see("an update of 7 tokens with room for 6", lambda: high().step(7).keys(0))
    see("an update of 1 token when it is full", lambda: high().step(4, 2, 1).keys(0))
    see("an update of 2 tokens with room for 1", lambda: wide().step(6, 2).keys(0))
    see("steps of one token that are taken, with room for 6", lambda: high().filled_up())
    see("steps of one token that are taken, with room for 7", lambda: wide().filled_up())
    see("length after a step that was refused", lambda: high().step(5).refused(2).lengths[-1])
    see("length of one layer after a step that was refused",
        lambda: single().step(3).refused(2).lengths[-1])
    see("length of one layer after a longer step that was refused",
        lambda: single().step(1).refused(4).lengths[-1])
    see("length of one full layer after two steps that were refused",
        lambda: single().step(4).refused(1).refused(3).lengths[-1])
    see("keys of one layer after a step that was refused and one that fits",
        lambda: single().step(1).refused(4).step(2).keys(0))
    see("keys after a step that was refused and one that fits",
        lambda: high().step(4).refused(3).step(2).keys(1))
    see("values after one token too many and a reset",
        lambda: high().step(6).refused(1).reset().step(2).values(0))
    see("length after reset, and after each update that follows",
        lambda: wide().step(3, 2).reset().step(2).lengths[-4:])
    see("keys of layer 1 after reset and 2 tokens",
        lambda: wide().step(3, 2).reset().step(2).keys(1))
    see("values of layer 0 after reset, 1 token and 3",
        lambda: high().step(6).reset().step(1, 3).values(0))
    see("length of a second cache, made when the first has 3 tokens",
        lambda: [wide().step(3).lengths[-1], wide().lengths[0]])
    see("keys of a second cache beside the first", lambda: beside(high(), high()))
    see("memory taken at the start, in caches", lambda: wide().share())
    see("memory taken after 3 tokens, in caches", lambda: wide().step(3).share())
    see("memory taken after 5 tokens, in caches", lambda: high().step(3, 2).share())
    see("share of its memory that a step leaves in place", lambda: wide().kept_by_step(3))
    see("share of its memory that a second step leaves in place",
        lambda: high().step(2).kept_by_step(3))
    see("share of its memory that a reset leaves in place", lambda: wide().kept_by_reset())
    see("share of its memory that a reset after 5 tokens leaves in place",
        lambda: high().step(5).kept_by_reset())
    see("a first update", first_update, f, *piece(1, 2, 3, 4, 5), parts=("keys", "values"))
    see("a first update of one text", first_update, f, *piece(2, 1, 4, 2, 3),
        parts=("keys", "values"))
    see("device, made with device='meta'", where, f, parts=("keys", "values"))
    for sizes in ((4, 1, 1), (2, 3, 1, 2), (1, 1, 1)):
        see(f"attention in steps of {sizes} against all at once", decoded, f, sizes,
            derive="largest change")


def first_update(f: Function, k: torch.Tensor, v: torch.Tensor) -> list[torch.Tensor]:
    B, Hkv, T, Dh = k.shape
    return list(f(1, B, Hkv, T + 2, Dh, k.dtype, "cpu").update(0, k, v))


def where(f: Function) -> list[str]:
    """The devices of a first update; "meta" has no memory and is everywhere at hand."""
    k, v = torch.empty(2, 1, 1, 3, 2, device="meta")
    return [str(x.device) for x in f(1, 1, 1, 4, 2, k.dtype, "meta").update(0, k, v)]


def beside(first: Story, second: Story) -> torch.Tensor:
    """Steps of two caches in turn: what the first then holds."""
    first.step(2)
    second.step(1, 3)
    return first.step(1).keys(0)


@scenario("kv_cache.buffer_mask")
def buffer_mask(f: Function, see: See) -> None:
    pad = torch.tensor([0, 3, 2])
    see("1 token behind 4, in a buffer of 7", f, 1, 4, 7)
    see("3 tokens behind 4, in a buffer of 7", f, 3, 4, 7)
    see("3 tokens behind 2, in a buffer of 8", f, 3, 2, 8)
    see("5 tokens into an empty buffer of 6", f, 5, 0, 6)
    see("2 tokens behind 4, padding 0, 3 and 2", f, 2, 4, 7, pad)
    see("1 token behind 5, padding 4 and 1", f, 1, 5, 9, torch.tensor([4, 1]))
    see("4 tokens into an empty buffer of 5, padding 0, 3 and 2", f, 4, 0, 5, pad)
    see("2 tokens behind 2, padding 0 for one text", f, 2, 2, 5, torch.tensor([0]))
    see("2 tokens into an empty buffer of 6, padding 3 and 1", f, 2, 0, 6, torch.tensor([3, 1]))
