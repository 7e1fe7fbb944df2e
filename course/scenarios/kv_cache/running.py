"""How the two loops that run a model with a cache are tried."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from .. import See, scenario
from .toys import Function, Memory, Reader

ONE = torch.tensor([[3, 0, 1, 4]])
PROMPT = torch.tensor([[1, 4, 0, 2, 2, 3, 1], [0, 3, 3, 1, 4, 2, 0]])
SHORT = torch.tensor([[2, 0, 1], [4, 4, 2], [0, 1, 3]])


def through(act: Callable[[torch.Tensor, Memory], Any], ids: torch.Tensor) -> torch.Tensor:
    """The ids that went through the model, in this order."""
    memory = Memory()
    act(ids, memory)
    return torch.empty(0, 0).long() if memory.ids is None else memory.ids


def pieces(act: Callable[[torch.Tensor, Memory], Any], ids: torch.Tensor) -> list[int]:
    """How many tokens went through the model in each pass."""
    memory = Memory()
    act(ids, memory)
    return memory.sizes


@scenario("kv_cache.prefill")
def prefill(f: Function, see: See) -> None:
    model = Reader(5, 12)
    see("scores after a prompt of 7", f, model, PROMPT, Memory())
    see("scores after 3 tokens of 3 texts", f, model, SHORT, Memory())
    for chunk in (1, 2, 3, 7, 50):
        see(f"scores after a prompt of 7 in pieces of {chunk}", f, model, PROMPT, Memory(), chunk)
    see("scores after a prompt of 3, chunk by keyword", f, model, SHORT, Memory(), chunk=2)
    for size in (None, 2, 3):
        see(f"what went through the model, in pieces of {size}", through,
            lambda ids, m, c=size: f(model, ids, m, c), PROMPT)
    for chunk in (3, 6, 5):
        see(f"sizes of the pieces, chunk = {chunk}", pieces,
            lambda ids, m, c=chunk: f(model, ids, m, c), PROMPT)
    see("sizes of the pieces without chunk", pieces, lambda ids, m: f(model, ids, m), SHORT)
    for chunk in (1, 2):  # fewer than there are texts
        see(f"sizes of the pieces of 3 texts, chunk = {chunk}", pieces,
            lambda ids, m, c=chunk: f(model, ids, m, c), SHORT)
    for size in (None, 2):
        see(f"scores after a prompt of one text, in pieces of {size}", f, model, ONE, Memory(),
            size)
    see("what went through the model, a prompt of one token", through,
        lambda ids, m: f(model, ids, m), SHORT[:, :1])
    see("sizes of the pieces, a prompt of one token", pieces, lambda ids, m: f(model, ids, m, 2),
        SHORT[:, :1])

    def read(ids: torch.Tensor, chunk: int | None) -> int:
        reader = Reader(5, 12)
        f(reader, ids, Memory(), chunk)
        return reader.read

    see("tokens of each text that go through the model, a prompt of 7", read, PROMPT, None)
    see("tokens of each text that go through the model, a prompt of 3 in pieces of 2", read,
        SHORT, 2)

    def second(ids: torch.Tensor, chunk: int | None) -> torch.Tensor:
        memory = Memory()
        f(model, ids, memory)
        scores: torch.Tensor = f(model, ids.flip(1), memory, chunk)
        return scores

    def both(ids: torch.Tensor) -> torch.Tensor:
        memory = Memory()
        for each in (ids, ids.flip(1)):
            f(model, each, memory)
        return torch.empty(0, 0).long() if memory.ids is None else memory.ids

    see("what is in the cache after a second piece of text", both, SHORT)

    see("scores after a second piece of text behind the first", second, SHORT, None)
    see("scores after a second piece of text, in pieces of 2", second, SHORT, 2)


@scenario("kv_cache.greedy")
def greedy(f: Function, see: See) -> None:
    for name, model, ids, new in (
            ("", Reader(5, 60), PROMPT, 5), (", 3 texts", Reader(5, 60), SHORT, 4),
            (", another model", Reader(5, 60, by=2.9), SHORT, 6),
            (", a prompt of 1", Reader(5, 60, by=2.2), PROMPT[:, 3:4], 5)):
        see(f"{new} new tokens{name}", f, model, ids, new, Memory())
        seen = ids.shape[1] + new - 1
        run = partial(f, model)

        def read(ids: torch.Tensor, act: Any = run, n: int = new, seen: int = seen) -> torch.Tensor:
            return through(lambda i, memory: act(i, n, memory), ids)[:, :seen]

        def passes(ids: torch.Tensor, act: Any = run, n: int = new) -> list[int]:
            return pieces(lambda i, memory: act(i, n, memory), ids)[:n]  # one more is no mistake

        see(f"what went through the model, {new} new tokens{name}", read, ids)
        see(f"tokens in each pass, {new} new tokens{name}", passes, ids)
    see("1 new token", f, Reader(5, 60), SHORT, 1, Memory())
    see("0 new tokens", f, Reader(5, 60), SHORT, 0, Memory())
