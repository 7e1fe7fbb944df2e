"""How a block, the model and the parameter tables are tried: what they share."""

import re
from collections.abc import Callable
from typing import Any
from zlib import crc32

import torch

from ..attention.heads import Kept, wave

Made = Callable[..., Any]
MODERN: dict[str, Any] = {"norm": "rmsnorm", "ffn": "swiglu", "bias": False}


def config(**fields: Any) -> Any:
    """Width 8, two heads, two layers, 7 tokens and 6 positions, unless `fields` says otherwise."""
    from minillm.config import GPTConfig

    small = {"vocab_size": 7, "block_size": 6, "n_layer": 2, "n_head": 2, "d_model": 8,
             "dropout": 0.0}
    return GPTConfig(**small | fields)


PARTS = {"embed", "positions", "dropout", "blocks", "final_norm", "head", "attn_norm", "attn",
         "ffn_norm", "ffn"}


def own_name(name: str) -> tuple[bool, str]:
    """Sorts the names of weights: what an answer calls them besides comes before its parts."""
    return re.sub(r"^blocks\.\d+\.", "", name).split(".")[0] in PARTS, name


def fill(model: Any, height: float = 1.0) -> Any:
    """Give every weight numbers that depend on its name alone; float64, ready for use."""
    model = model.double().eval()
    with torch.no_grad():
        state = model.state_dict()
        for name in sorted(state, key=own_name):  # a weight with two names is filled twice
            weight = state[name]
            by = 0.7 + crc32(name.encode()) % 1009 / 400
            gain = name.endswith("norm.weight")
            weight.copy_(wave(*weight.shape, by=by, height=0.4 if gain else height) + gain)
    return model


def silenced(model: Any, *ends: str) -> Any:
    """The model with these linear layers giving 0."""
    with torch.no_grad():
        for name, part in model.named_modules():
            if name.rpartition(".")[2] in ends:
                for weight in part.parameters():
                    weight.zero_()
    return model


class Asked(Kept):
    """A cache that writes down which layers come to it."""

    def __init__(self) -> None:
        super().__init__()
        self.layers: list[int] = []

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
        self.layers.append(layer)
        return super().update(layer, k, v)


def layers_of(model: Any, x: torch.Tensor, **named: Any) -> list[int]:
    """The layers that a model's call brings to a cache, in order."""
    cache = Asked()
    model(x.clone(), cache=cache, **named)  # x is needed again, whatever the model does to it
    return cache.layers


def count(model: Any) -> int:
    return sum(p.numel() for p in model.parameters())
