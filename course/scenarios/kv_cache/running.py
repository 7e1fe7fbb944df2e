"""How the two loops that run a model with a cache are tried."""

from collections.abc import Callable
from typing import Any

import torch

from .. import See, scenario
from .toys import Function, Memory, Reader

PROMPT = torch.tensor([[1, 4, 0, 2, 2, 3, 1], [0, 3, 3, 1, 4, 2, 0]])
SHORT = torch.tensor([[2, 0, 1], [4, 4, 2], [0, 1, 3]])


def through(act: Callable[[Memory], Any]) -> torch.Tensor:
    """The ids that went through the model, in this order."""
    memory = Memory()
    act(memory)
    return torch.empty(0, 0).long() if memory.ids is None else memory.ids


def pieces(act: Callable[[Memory], Any]) -> list[int]:
    memory = Memory()
    act(memory)
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
        see(f"what went through the model, in pieces of {size}",
            lambda c=size: through(lambda m: f(model, PROMPT, m, c)))
    see("sizes of the pieces, chunk = 3", lambda: pieces(lambda m: f(model, PROMPT, m, 3)))
    see("sizes of the pieces, chunk = 6", lambda: pieces(lambda m: f(model, PROMPT, m, 6)))
    see("sizes of the pieces, chunk = 5", lambda: pieces(lambda m: f(model, PROMPT, m, 5)))
    see("sizes of the pieces without chunk", lambda: pieces(lambda m: f(model, SHORT, m)))

    def second(chunk: int | None) -> torch.Tensor:
        memory = Memory()
        f(model, SHORT, memory)
        scores: torch.Tensor = f(model, SHORT.flip(1), memory, chunk)
        return scores

    see("scores after a second piece of text behind the first", second, None)
    see("scores after a second piece of text, in pieces of 2", second, 2)


@scenario("kv_cache.greedy")
def greedy(f: Function, see: See) -> None:
    for name, model, ids, new in (
            ("", Reader(5, 60), PROMPT, 5), (", 3 texts", Reader(5, 60), SHORT, 4),
            (", another model", Reader(5, 60, by=2.9), SHORT, 6),
            (", a prompt of 1", Reader(5, 60, by=2.2), PROMPT[:, 3:4], 5)):
        see(f"{new} new tokens{name}", f, model, ids, new, Memory())
        seen = ids.shape[1] + new - 1
        see(f"what went through the model, {new} new tokens{name}",
            lambda m=model, i=ids, n=new, s=seen: through(lambda c: f(m, i, n, c))[:, :s])
    see("1 new token", f, Reader(5, 60), SHORT, 1, Memory())
    see("0 new tokens", f, Reader(5, 60), SHORT, 0, Memory())
