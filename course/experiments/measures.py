"""What is measured about a trained model, and what is changed in one for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

import torch

from ..corpus import data

LONG = 512  # positions of experiment C, four times those of training


def whole_loss(model: Any, block_size: int) -> float:
    """The loss over the whole validation text, in windows that do not overlap."""
    from minillm import fast, train

    return float(train.evaluate(fast.FastGPT(model), data().val_ids, block_size))


def samples(model: Any, count: int = 20, n: int = 600) -> list[str]:
    """What a model writes behind the mark of a heading, `count` times."""
    from minillm import fast, sampling

    coder = data().tokenizer
    start = torch.tensor([coder.encode("\n## ")]).expand(count, -1)
    ids = sampling.generate(fast.FastGPT(model), start, n, t=0.7, p=0.95,
                            generator=torch.Generator().manual_seed(0))
    return [str(coder.decode(row.tolist())) for row in ids]


def cost_of_shuffling(model: Any, windows: int = 256) -> float:
    """How many nats the last prediction of a window loses when all before its last token is mixed.

    0 means that the model does not use the order of what came before.
    """
    from minillm import functional as F
    from minillm import sampling

    ids, T = data().val_ids, model.config.block_size
    generator = torch.Generator().manual_seed(0)
    starts = torch.linspace(0, len(ids) - T - 1, windows).long()
    rows = ids[starts[:, None] + torch.arange(T)]  # (windows, T)
    mixed = torch.stack([torch.cat([row[:-1][torch.randperm(T - 1, generator=generator)], row[-1:]])
                         for row in rows])
    with sampling.at_rest(model):
        losses = [float(F.cross_entropy(model(x)[0][:, -1], ids[starts + T]))
                  for x in (rows, mixed)]
    return losses[1] - losses[0]


@contextmanager
def stretched(method: str, scale: float, base: float, width: int, trained: int) -> Iterator[None]:
    """Inside, RoPE turns by other angles: "PI", "NTK" or "YaRN" for `scale` times the length.

    They are lesson 07's functions, put in the place of the one that attention asks for its
    frequencies; YaRN also makes the scores larger, by a factor on cos and sin.
    """
    from minillm import rope as given

    rope: Any = given  # its functions are replaced for a while
    plain, tables = rope.rope_frequencies, rope.rope_tables

    def frequencies(width: int, base: float = base) -> Any:
        if method == "PI":
            return plain(width, base) / scale
        if method == "NTK":
            return plain(width, rope.ntk_base(base, scale, width))
        return rope.yarn_frequencies(plain(width, base), scale, trained)

    def scaled(positions: torch.Tensor, turns: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        factor = rope.yarn_attention_factor(scale)
        cos, sin = tables(positions, turns)
        return cos * factor, sin * factor

    try:
        if method != "plain":
            rope.rope_frequencies = frequencies
        if method == "YaRN":
            rope.rope_tables = scaled
        yield
    finally:
        rope.rope_frequencies, rope.rope_tables = plain, tables


@contextmanager
def one_line_blocks() -> Iterator[None]:
    """Inside, a model is made of the source note's blocks: x + ffn(norm(x + attn(norm(x)))).

    What attention found is read by the feed-forward, and is not on the line that goes on.
    """
    from minillm import fast as given
    from minillm import gpt as model

    fast, gpt = cast(Any, given), cast(Any, model)  # their classes are replaced for a while
    plain, quick = gpt.Block, fast.FastGPT

    class Block(plain):  # type: ignore[misc, valid-type]
        def forward(self, x: torch.Tensor, cache: Any = None, layer: int = 0) -> torch.Tensor:
            h = x + self.attn(self.attn_norm(x), cache, layer)
            found: torch.Tensor = x + self.ffn(self.ffn_norm(h))
            return found

    class FastGPT(quick):  # type: ignore[misc, valid-type]
        def block(self, at: int, layer: Any, x: torch.Tensor, turns: Any, cache: Any) -> Any:
            h = x + self.attend(layer, fast.norm(layer.attn_norm, x), turns, cache, at)
            return x + self.feed(at, layer, fast.norm(layer.ffn_norm, h))

    try:
        gpt.Block, fast.FastGPT = Block, FastGPT
        yield
    finally:
        gpt.Block, fast.FastGPT = plain, quick


def longer(model: Any, windows: int = 24) -> dict[str, dict[str, float]]:
    """Losses in windows of `LONG` positions, by method: at positions seen in training, and beyond.

    "as trained" is the same text in windows of the trained length.
    """
    from minillm import functional as F
    from minillm import gpt, sampling

    trained, config = model.config.block_size, model.config
    ids = data().val_ids
    starts = torch.linspace(0, len(ids) - LONG - 1, windows).long()
    x = ids[starts[:, None] + torch.arange(LONG)]  # (windows, LONG)
    y = ids[starts[:, None] + torch.arange(1, LONG + 1)]

    def by_place(network: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        with sampling.at_rest(network):
            log_p = F.log_softmax(torch.cat([network(part)[0] for part in torch.split(x, 8)]))
        return -log_p.gather(-1, y[..., None]).squeeze(-1)  # (rows, T)

    short = by_place(model, x.reshape(-1, trained), y.reshape(-1, trained)).mean()
    found = {"as trained": {"inside": round(float(short), 4), "beyond": round(float(short), 4)}}
    for method in ("plain", "PI", "NTK", "YaRN"):
        with stretched(method, LONG / trained, config.rope_base, config.rope_width, trained):
            wide = gpt.MiniGPT(replace(config, block_size=LONG))  # it keeps its frequencies
            wide.load_state_dict(model.state_dict())  # RoPE has no table, so every weight fits
            losses = by_place(wide, x, y)
        found[method] = {"inside": round(float(losses[:, :trained].mean()), 4),
                         "beyond": round(float(losses[:, trained:].mean()), 4)}
    return found
