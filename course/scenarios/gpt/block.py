"""How a block is tried."""

from typing import Any

import torch

from .. import See, gradient, scenario
from ..attention.heads import Kept, wave
from . import MODERN, Made, config, count, fill, layers_of, silenced

BLOCK_PARTS = ("attn_norm", "attn", "ffn_norm", "ffn")


def branch_in_training(made: Made, *silent: str, rows: int = 60) -> torch.Tensor:
    """What a block with dropout 0.5 adds to its input when the linear layers `silent` give 0."""
    model = silenced(fill(made(config(dropout=0.5, block_size=rows))), *silent).train()
    x = wave(1, rows, 8, by=0.9)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        out: torch.Tensor = model(x.clone()) - x
    return out


def read_in_training(made: Made, part: str, rows: int = 60) -> torch.Tensor:
    """What a part of a block with dropout 0.5 is given to read in training."""
    model = fill(made(config(dropout=0.5, block_size=rows))).train()
    seen: list[torch.Tensor] = []

    def keep(module: Any, args: Any, named: Any) -> None:
        seen.append((args[0] if args else named["x"]).detach())

    getattr(model, part).register_forward_pre_hook(keep, with_kwargs=True)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        model(wave(1, rows, 8, by=0.9))
    return torch.cat(seen) if seen else torch.ones(1)


X = wave(2, 3, 8, by=0.9)
UP = wave(2, 3, 8, by=2.1)


@scenario("gpt.Block")
def block(made: Made, see: See) -> None:
    def out(x: torch.Tensor, silent: tuple[str, ...] = (), **fields: Any) -> Any:
        return silenced(fill(made(config(**fields))), *silent)(x)

    def out_float32(x: torch.Tensor) -> Any:
        return fill(made(config())).float()(x)

    def in_pieces(x: torch.Tensor, *sizes: int, layer: int = 0) -> torch.Tensor:
        """Piece by piece; other layers of the cache hold other things."""
        model, cache = fill(made(config())), Kept()
        done = []
        for piece in torch.split(x, list(sizes), 1):
            for other in range(layer):
                model(-piece, cache, other)
            done.append(model(piece, cache, layer))
        return torch.cat(done, 1)

    def last_changed(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        other = x.clone()
        other[:, -1] = -other[:, -1]
        return torch.stack([out(x, **fields), out(other, **fields)])

    def parts(**fields: Any) -> dict[str, int]:
        model = made(config(**fields))
        return {name: count(getattr(model, name)) for name in BLOCK_PARTS}

    def branch(*silent: str) -> torch.Tensor:
        return branch_in_training(made, *silent)

    see("number of weights", parts, parts=BLOCK_PARTS)
    see("number of weights, RMSNorm, SwiGLU and one key head", parts, **MODERN, n_kv_head=1,
        parts=BLOCK_PARTS)
    see("number of different weights in the whole block", lambda: count(made(config())))
    see("output", out, X)
    see("output of one text of 5 tokens", out, wave(1, 5, 8, by=1.3), n_head=4)
    see("output, RMSNorm and SwiGLU", out, X, **MODERN)
    see("output, with a feed-forward that gives 0", out, X, ("down_proj",))
    see("output, with an attention that gives 0", out, X, ("out_proj",))
    see("output, with both giving 0", out, X, ("out_proj", "down_proj"))
    see("output, RMSNorm, with a feed-forward that gives 0", out, X, ("down_proj",), **MODERN)
    see("output, with both giving 0, for large x", out, 9 * X, ("out_proj", "down_proj"))
    see("output in float32", out_float32, X.float(), tol=1e-5)
    see("gradient to x", gradient(out), X, UP)
    see("gradient to x, with a feed-forward that gives 0", gradient(out), X, UP, ("down_proj",))
    see("gradient to x, RMSNorm", gradient(out), X, UP, norm="rmsnorm")
    see("gradient to x, RMSNorm and SwiGLU", gradient(out), X, UP, **MODERN)
    see("how much of attention's result is dropped in training, in quarters", branch, "down_proj",
        derive="share of zeros, in quarters")
    see("how much of the feed-forward's result is dropped in training, in quarters", branch,
        "out_proj", derive="share of zeros, in quarters")
    for part in ("attn", "ffn"):
        see(f"is anything dropped of what {part} reads in training? (1: yes)", read_in_training,
            made, part, derive="whether anything is 0")
    see("output in training mode, with dropout 0", lambda x: fill(made(config())).train()(x), X)
    see("what the last token changes", last_changed, X,
        derive="largest change but in the last row")
    see("what the last token changes, RMSNorm and SwiGLU", last_changed, X, **MODERN,
        derive="largest change but in the last row")
    see("output with a cache, 2 tokens and then 1", in_pieces, X, 2, 1)
    see("output with a cache, token by token", in_pieces, X, 1, 1, 1)
    for layer in (1, 3):
        see(f"the layer that comes to the cache, of layer {layer}", lambda n=layer: layers_of(
            fill(made(config())), X, layer=n))
    see("output as layer 1 of a cache, 1 token and then 2", in_pieces, X, 1, 2, layer=1)
    see("output as layer 2 of a cache, token by token", in_pieces, X, 1, 1, 1, layer=2)
