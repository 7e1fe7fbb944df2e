"""The mini-GPT: blocks of attention and feed-forward between an embedding and a tied head.

Letters: B batch, T positions, D model width, Dh head width, H query heads, Hkv key/value heads,
F hidden width of the feed-forward, V vocabulary, L layers. Every part was written in a lesson
before this one; here they become a model.
"""

from typing import Any

import torch

from . import attention, feedforward, norms, positions
from . import functional as F
from .config import GPTConfig  # given, never filled in, so its name may be imported

# Lesson 17 asks for: Block (its parts, its two lines), MiniGPT (its parts, its way forward),
# block_table and parameter_table. Everything else here is given.


def make_norm(config: GPTConfig) -> torch.nn.Module:
    """The norm that `config.norm` names, over the model's width D (lesson 08 wrote both)."""
    if config.norm == "rmsnorm":
        return norms.RMSNorm(config.d_model)
    return norms.LayerNorm(config.d_model, bias=config.bias)


def make_ffn(config: GPTConfig) -> torch.nn.Module:
    """The feed-forward that `config.ffn` names (lesson 09 wrote all three)."""
    kinds = {"gelu": feedforward.MLP, "swiglu": feedforward.SwiGLU, "moe": feedforward.MoE}
    made: torch.nn.Module = kinds[config.ffn](config)
    return made


class FixedPositions(torch.nn.Module):
    """The sinusoidal table of lesson 06 behind the interface of `LearnedPositions`."""

    def __init__(self, max_len: int, D: int) -> None:
        super().__init__()
        self.table: torch.Tensor
        # no parameter, and nothing a checkpoint has to hold: the formula gives it again
        self.register_buffer("table", positions.sinusoidal_table(max_len, D), persistent=False)

    def forward(self, T: int, start: int = 0) -> torch.Tensor:
        """The vectors of positions start … start + T - 1, as [T, D]."""
        return self.table[start : start + T]  # (T, D)


def make_positions(config: GPTConfig) -> torch.nn.Module | None:
    """What adds a vector for each position, called as `(T, start)`; None where nothing is added.

    With RoPE the attention layers turn queries and keys themselves.
    """
    kinds = {"learned": positions.LearnedPositions, "sinusoidal": FixedPositions}
    kind = kinds.get(config.position)
    return None if kind is None else kind(config.block_size, config.d_model)


class Block(torch.nn.Module):
    """One layer, [B, T, D] → [B, T, D]: attention, then feed-forward, each beside a residual.

    `config`: a GPTConfig. The parts are `attn_norm`, `attn`, `ffn_norm` and `ffn`; the norms come
    from `make_norm`, the feed-forward from `make_ffn`. A part reads the line through its norm and
    adds to the line itself, which no norm touches (pre-norm).
    Sources: He et al. (2016); Radford et al. (2019) and Xiong et al. (2020) for pre-norm.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.attn_norm = make_norm(config)
        self.attn = attention.CausalSelfAttention(config)
        self.ffn_norm = make_norm(config)
        self.ffn = make_ffn(config)
        ### END SOLUTION

    def forward(self, x: torch.Tensor, cache: Any = None, layer: int = 0) -> torch.Tensor:
        """Add what attention finds and what the feed-forward makes of it to `x` [B, T, D].

        `cache` and `layer` are handed to the attention.
        """
        ### BEGIN SOLUTION
        x = x + self.attn(self.attn_norm(x), cache, layer)  # (B, T, D)
        x = x + self.ffn(self.ffn_norm(x))  # (B, T, D)
        return x
        ### END SOLUTION


class MiniGPT(torch.nn.Module):
    """A decoder-only language model: ids [B, T] → scores of the next token [B, T, V].

    `config`: a GPTConfig. The parts are `embed` (a `torch.nn.Embedding`), `positions` (from
    `make_positions`, maybe None), `dropout`, `blocks` (a `torch.nn.ModuleList` of `n_layer`
    blocks), `final_norm` and `head` (a `torch.nn.Linear` without bias; with `tie_weights` its
    weight is that of `embed`, one and the same parameter). Weights start as `norms.init_weights`
    makes them; `generator` gives the random numbers. Sources: Radford et al. (2018, 2019); Press
    and Wolf (2017) for the tied head.
    """

    def __init__(self, config: GPTConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        ### BEGIN SOLUTION
        self.embed = torch.nn.Embedding(config.vocab_size, config.d_model)
        self.positions = make_positions(config)
        self.dropout = torch.nn.Dropout(p=config.dropout)
        self.blocks = torch.nn.ModuleList(Block(config) for _ in range(config.n_layer))
        self.final_norm = make_norm(config)
        self.head = torch.nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tie_weights:
            self.head.weight = self.embed.weight
        norms.init_weights(self, config.n_layer, generator=generator)
        ### END SOLUTION

    def forward(
        self, ids: torch.Tensor, targets: torch.Tensor | None = None, cache: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Score the token that follows each of `ids` [B, T] int64: `(logits [B, T, V], loss)`.

        `loss` is the mean cross-entropy to `targets` [B, T] in nats, or None without targets.
        With a `cache` (a KVCache) the ids follow those it holds, and are added to it. Raises
        ValueError when `ids` is not [B, T] or reaches beyond `block_size` positions.
        """
        start = 0 if cache is None else cache.length  # positions the cache holds already
        if ids.dim() != 2 or start + ids.shape[1] > self.config.block_size:
            raise ValueError(f"ids of shape {tuple(ids.shape)} behind {start} others; a model with "
                             f"block_size {self.config.block_size} takes [B, T] and no more")
        ### BEGIN SOLUTION
        x = self.embed(ids)  # (B, T, D)
        if self.positions is not None:
            x = x + self.positions(ids.shape[1], start)
        x = self.dropout(x)
        for layer, block in enumerate(self.blocks):
            x = block(x, cache, layer)
        logits: torch.Tensor = self.head(self.final_norm(x))  # (B, T, V)
        loss = None if targets is None else F.cross_entropy(logits, targets)
        return logits, loss
        ### END SOLUTION


def linear_size(n_in: int, n_out: int, bias: bool) -> int:
    """Parameters of a linear layer: its matrix, and an offset for each output if it has them."""
    return n_in * n_out + (n_out if bias else 0)


def norm_size(config: GPTConfig) -> int:
    """Parameters of one norm: a gain, and LayerNorm's offset if it has one."""
    return config.d_model * (2 if config.norm == "layernorm" and config.bias else 1)


def block_table(config: GPTConfig) -> dict[str, int]:
    """Parameters of one Block by part, from the config alone.

    The parts: "attention q, k, v" (the three projections), "attention output", "feed-forward up"
    (gate and router too, where there are), "feed-forward down", "norms" (those of queries and keys
    too, with `qk_norm`). With ffn="moe" the feed-forward rows hold all E experts.
    """
    D, Dh, wide, b = config.d_model, config.head_width, config.hidden_width, config.bias
    copies = config.n_expert if config.ffn == "moe" else 1
    ### BEGIN SOLUTION
    qkv = linear_size(D, D, b) + 2 * linear_size(D, config.kv_heads * Dh, b)
    ways_up = 1 if config.ffn == "gelu" else 2  # a gate is as large as what it gates
    up = copies * ways_up * linear_size(D, wide, b)
    if config.ffn == "moe":
        up += linear_size(D, copies, b)  # the router
    small = 2 * norm_size(config) + (2 * Dh if config.qk_norm else 0)
    return {"attention q, k, v": qkv, "attention output": linear_size(D, D, b),
            "feed-forward up": up, "feed-forward down": copies * linear_size(wide, D, b),
            "norms": small}
    ### END SOLUTION


def parameter_table(config: GPTConfig) -> dict[str, int]:
    """Parameters of a MiniGPT by part, from the config alone; the sum is the model's own count.

    The parts: "token embedding", "position table", each part of `block_table` times the layers,
    "final norm", "output head". What a model does not have, or shares with another part as a tied
    head does, counts 0.
    """
    ### BEGIN SOLUTION
    words = config.vocab_size * config.d_model
    places = config.block_size * config.d_model if config.position == "learned" else 0
    blocks = {part: config.n_layer * size for part, size in block_table(config).items()}
    return {"token embedding": words, "position table": places, **blocks,
            "final norm": norm_size(config), "output head": 0 if config.tie_weights else words}
    ### END SOLUTION
