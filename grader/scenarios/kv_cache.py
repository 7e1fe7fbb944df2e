"""How the pieces of `minillm.kv_cache` are tried when a submission is graded."""

import torch

from course.scenarios import See
from course.scenarios.kv_cache.cache import beside, first_update, where
from course.scenarios.kv_cache.running import pieces, through
from course.scenarios.kv_cache.toys import (
    Function,
    Memory,
    Reader,
    Story,
    decoded,
    piece,
)

from . import hidden

IDS = torch.tensor([[3, 0, 2, 5, 1, 1], [5, 2, 2, 0, 4, 3], [1, 1, 0, 3, 2, 5]])


@hidden("kv_cache.kv_cache_bytes")
def kv_cache_bytes(f: Function, see: See) -> None:
    for sizes in ((6, 5, 4, 3, 2, 8), (28, 4, 128, 1000, 7, 2), (1, 9, 16, 33, 5, 1)):
        see(f"bytes at other sizes, {len(see.values)}", f, *sizes)
    see("bytes with the last two left out", f, 7, 5, 3, 2)
    see("bytes of int8", f, 7, 5, 3, 2, bytes_per_value=1)
    see("bytes of no texts", f, 7, 5, 3, 2, 0)
    see("bytes of a large cache", f, 59, 7, 131, 100_003, 3, 1)


@hidden("kv_cache.KVCache")
def cache(f: Function, see: See) -> None:
    def one() -> Story:  # 4 layers, 3 texts, 2 key heads, room for 5, width 2
        return Story(f, 4, 3, 2, 5, 2)

    def low() -> Story:  # one layer
        return Story(f, 1, 2, 3, 4, 3, torch.float32)

    see("keys of the last of 4 layers", lambda: one().step(2, 1, 1).keys(3))
    see("values of a middle layer", lambda: one().step(1, 3).values(2))
    see("keys with a single layer", lambda: low().step(1, 1, 2).keys(0), tol=1e-6)
    see("lengths of 4 layers", lambda: one().step(2, 2, 1).lengths)
    see("lengths of a single layer", lambda: low().step(1, 2).lengths)
    see("a step that is too long for an empty cache", lambda: one().step(6).keys(0))
    see("one token behind a full cache", lambda: low().step(4, 1).keys(0))
    see("keys after two steps that were refused",
        lambda: one().step(3).refused(3).refused(4).step(2).keys(2))
    see("length after a refused step", lambda: int(one().step(4).refused(2).cache.length))
    see("length after a refused step of a full cache", lambda: int(
        low().step(4).refused(1).cache.length))
    see("lengths after two resets", lambda: one().step(3).reset().reset().step(2).lengths)
    see("keys after reset", lambda: one().step(3, 2).reset().step(3).keys(1))
    see("lengths after a reset within a step",
        lambda: one().step(1).begun(2).reset().step(2).lengths)
    see("keys after a reset within a step", lambda: one().begun(2).reset().step(1, 2).keys(0))
    see("values after reset and two steps", lambda: low().step(3).reset().step(1, 2).values(0),
        tol=1e-6)
    see("the first of two caches that are used in turn", lambda: beside(one(), one()))
    see("memory at the start", lambda: one().share())
    see("memory of a full cache", lambda: one().step(2, 3).share())
    see("memory that a reset leaves in place", lambda: one().step(2, 2).kept_by_reset())
    see("another first update", first_update, f, *piece(3, 3, 2, 2, 4), parts=("keys", "values"))
    see("device of what is given", where, f, parts=("keys", "values"))
    for sizes in ((1, 4), (3, 1, 1, 1), (2, 2, 3)):
        see(f"attention in steps against all at once, {sum(sizes)} tokens", decoded, f, sizes, 3,
            derive="largest change")


@hidden("kv_cache.buffer_mask")
def buffer_mask(f: Function, see: See) -> None:
    see("several tokens in a longer buffer", f, 4, 3, 9)
    see("one token that fills the buffer", f, 1, 5, 6)
    see("a prompt that fills the buffer", f, 6, 0, 6)
    see("padding of four texts", f, 2, 3, 6, torch.tensor([1, 0, 3, 2]))
    see("padding while the prompt is read", f, 3, 0, 4, torch.tensor([2, 1]))
    see("padding longer than the first piece", f, 2, 0, 7, torch.tensor([4, 0, 2]))


@hidden("kv_cache.prefill")
def prefill(f: Function, see: See) -> None:
    model = Reader(6, 9, by=2.6)
    see("scores after another prompt", f, model, IDS, Memory())
    for chunk in (1, 4, 5, 6):
        see(f"scores after another prompt in pieces of {chunk}", f, model, IDS, Memory(), chunk)
    see("scores after a prompt of one text", f, model, IDS[1:2], Memory(), 4)
    see("what the model has read of one token", through, lambda ids, m: f(model, ids, m),
        IDS[:, 2:3])
    see("scores after a prompt of one token", f, model, IDS[:, :1], Memory(), 3)
    see("what the model has read", through, lambda ids, m: f(model, ids, m, 4), IDS)
    see("sizes of the pieces", pieces, lambda ids, m: f(model, ids, m, 4), IDS)


@hidden("kv_cache.greedy")
def greedy(f: Function, see: See) -> None:
    for by in (1.3, 2.6, 3.3):
        model = Reader(6, 12, by=by)
        see(f"new tokens of model {by}", f, model, IDS, 6, Memory())

        def run(ids: torch.Tensor, memory: Memory, model: Reader = model) -> torch.Tensor:
            new: torch.Tensor = f(model, ids, 5, memory)
            return new

        see(f"what model {by} has read", lambda ids, act=run: through(act, ids)[:, :8], IDS[:2, :4])
        see(f"tokens in each pass of model {by}", lambda ids, act=run: pieces(act, ids)[:5],
            IDS[1:, :3])
    see("two new tokens for one text", f, Reader(6, 12), IDS[1:2, 2:], 2, Memory())
