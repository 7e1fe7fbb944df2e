"""Four causal attention layers, each with one mistake that is really made. Lesson 05 finds them.

Each maps x [B, T, D] to [B, T, D] with H heads, and has its three input projections in one linear
layer, `qkv`. None of them raises an error.
"""

import math
from typing import Any

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.overrides import TorchFunctionMode


class Layer(nn.Module):
    """What the four have in common: the weights, and which positions lie in the future."""

    def __init__(self, D: int, H: int) -> None:
        super().__init__()
        self.H = H
        self.qkv = nn.Linear(D, 3 * D)
        self.proj = nn.Linear(D, D)

    def future(self, T: int) -> torch.Tensor:
        return torch.ones(T, T, dtype=torch.bool).triu(1)


class A(Layer):
    def forward(self, x: torch.Tensor) -> Any:
        B, T, D = x.shape
        q, k, v = (z.view(B, T, self.H, -1).transpose(1, 2) for z in self.qkv(x).chunk(3, -1))
        scores = q @ k.mT / math.sqrt(D)
        scores = scores.masked_fill(self.future(T), -torch.inf)
        out = scores.softmax(-1) @ v
        return self.proj(out.transpose(1, 2).reshape(B, T, D))


class B(Layer):
    def forward(self, x: torch.Tensor) -> Any:
        B, T, D = x.shape
        q, k, v = (z.reshape(B, self.H, T, -1) for z in self.qkv(x).chunk(3, -1))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.future(T), -torch.inf)
        out = scores.softmax(-1) @ v
        return self.proj(out.transpose(1, 2).reshape(B, T, D))


class C(Layer):
    def forward(self, x: torch.Tensor) -> Any:
        B, T, D = x.shape
        q, k, v = (z.view(B, T, self.H, -1).transpose(1, 2) for z in self.qkv(x).chunk(3, -1))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.future(T), 0.0)
        out = scores.softmax(-1) @ v
        return self.proj(out.transpose(1, 2).reshape(B, T, D))


class D(Layer):
    def forward(self, x: torch.Tensor) -> Any:
        B, T, D = x.shape
        q, k, v = (z.view(B, T, self.H, -1).transpose(1, 2) for z in self.qkv(x).chunk(3, -1))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.future(T), -torch.inf)
        out = scores.softmax(-1) @ v
        return self.proj(out.reshape(B, T, D))


class Right(Layer):
    """The same layer with torch's own attention, to compare with."""

    def forward(self, x: torch.Tensor) -> Any:
        q, k, v = (z.unflatten(-1, (self.H, -1)).transpose(1, 2) for z in self.qkv(x).chunk(3, -1))
        with sdpa_kernel(SDPBackend.MATH):  # the one that every kind of derivative gets through
            out = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(out.transpose(1, 2).flatten(2))


class Shapes(TorchFunctionMode):
    """Keeps the shape of what each torch function gives, in order: `with Shapes() as seen: …`."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, list[int]]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor):
            self.rows.append((func.__name__.strip("_"), list(made.shape)))
        return made


def copied(kind: type[Layer], source: Layer) -> Layer:
    """A layer of this kind with the weights of another one."""
    layer = kind(source.proj.in_features, source.H).to(source.proj.weight.dtype)
    layer.load_state_dict(source.state_dict())
    return layer
