"""How a submission's block, model and tables are tried when it is graded."""

from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.attention.heads import Kept, wave
from course.scenarios.gpt import MODERN, Made, config, count, fill, layers_of, silenced
from course.scenarios.gpt.block import BLOCK_PARTS, branch_in_training, read_in_training
from course.scenarios.gpt.model import (
    SIZES,
    after_making,
    behind_the_blocks,
    dropped,
    fresh,
    modes_after,
    own_head,
    second_cache,
    sizes_at_start,
    slope_of_logits,
    starts,
    two_of_a_seed,
)
from course.scenarios.gpt.tables import ALL_ROWS, ROWS, rows_of, whole

from . import hidden

X = wave(1, 4, 12, by=1.1, height=1.5)
WIDE: dict[str, Any] = {"d_model": 12, "n_head": 3, "block_size": 9, "vocab_size": 5}
IDS = torch.tensor([[4, 1, 1, 0], [2, 3, 0, 4], [0, 0, 1, 3]])
TARGETS = IDS.roll(-1, 1)


@hidden("gpt.Block")
def block(made: Made, see: See) -> None:
    def out(x: torch.Tensor, silent: tuple[str, ...] = (), **fields: Any) -> Any:
        return silenced(fill(made(config(**WIDE | fields)), 0.8), *silent)(x)

    def in_training(x: torch.Tensor) -> Any:
        return fill(made(config(**WIDE))).train()(x)

    def cached(x: torch.Tensor, layer: int, *sizes: int) -> torch.Tensor:
        model, cache = fill(made(config(**WIDE, n_kv_head=1))), Kept()
        done = []
        for piece in torch.split(x, list(sizes), 1):
            for other in range(layer):
                model(2 * piece, cache, other)
            done.append(model(piece, cache=cache, layer=layer))
        return torch.cat(done, 1)

    def later(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        other = x.clone()
        other[:, -1] += 2
        return torch.stack([out(x, **fields), out(other, **fields)])

    see("output of a block with three heads", out, X)
    see("output of a block with shared keys", out, X, n_kv_head=1)
    see("output of a block with QK-norm", out, X, qk_norm=True)
    see("output with RMSNorm and a GELU", out, X, norm="rmsnorm")
    see("output with LayerNorm and SwiGLU", out, X, ffn="swiglu", d_ff=10)
    see("output with experts", out, X, ffn="moe", n_expert=3, d_ff=6)
    see("output of a silent feed-forward", out, 3 * X, ("down_proj",))
    see("output of a silent attention", out, 3 * X, ("out_proj",), norm="rmsnorm")
    see("output of a silent block", out, 20 * X, ("out_proj", "down_proj"))
    see("output in training without dropout", in_training, X)
    see("output of a transposed x", out, wave(1, 12, 4, by=0.6).mT)
    see("output in float32", lambda x: fill(made(config(**WIDE))).float()(x), X.float(), tol=1e-5)
    for part, silent in (("attention", "down_proj"), ("feed-forward", "out_proj")):
        see(f"share of the {part}'s result that is dropped in training",
            lambda s=silent: branch_in_training(made, s, rows=80),
            derive="share of zeros, in quarters")
        see(f"what {part} reads in training", read_in_training, made,
            "attn" if part == "attention" else "ffn", 80, derive="whether anything is 0")
    see("gradient through a block", gradient(out), X, wave(1, 4, 12, by=2.2), **MODERN)
    see("what a later token changes", later, X, derive="largest change but in the last row")
    see("a block with a cache", cached, X, 0, 3, 1)
    see("a later layer with a cache", cached, X, 3, 1, 1, 2)
    see("where layer 5 keeps its keys", lambda: layers_of(fill(made(config(**WIDE))), X, layer=5))
    for part in BLOCK_PARTS:
        see(f"number of weights in {part}", lambda p=part: count(getattr(made(config(
            **WIDE, **MODERN, d_ff=20)), p)))


@hidden("gpt.MiniGPT")
def mini_gpt(made: Made, see: See) -> None:
    def logits(ids: torch.Tensor, silent: tuple[str, ...] = (), **fields: Any) -> Any:
        return silenced(fill(made(config(**WIDE | fields)), 0.7), *silent)(ids)[0]

    def loss(ids: torch.Tensor, targets: torch.Tensor, **fields: Any) -> Any:
        return fill(made(config(**WIDE | fields)))(ids, targets)[1]

    def cached(ids: torch.Tensor, *sizes: int, **fields: Any) -> torch.Tensor:
        model, cache = fill(made(config(**WIDE | fields))), Kept()
        parts = torch.split(ids, list(sizes), 1)
        return torch.cat([model(part, cache=cache)[0] for part in parts], 1)

    def to_weight(ids: torch.Tensor, name: str, **fields: Any) -> torch.Tensor:
        model = fill(made(config(**WIDE | fields)), 0.5)
        weight = dict(model.named_parameters(remove_duplicate=False))[name]
        return torch.autograd.grad(model(ids, TARGETS.clone())[1], weight)[0]

    def smaller(n_layer: int) -> int:
        """Projections that are made smaller than the rest of a fresh model."""
        model = fresh(made, 8, n_layer=n_layer, d_model=32)
        return sum(p.dim() == 2 and float(p.detach().std()) < 0.016
                   for p in model.parameters())

    def another_batch(ids: torch.Tensor) -> torch.Tensor:
        """The logits of a row alone and among others."""
        return torch.stack([logits(ids)[:1], logits(ids[:1])])

    see("logits of 4 tokens", logits, IDS)
    see("logits of 4 layers", logits, IDS[:2], n_layer=4, n_kv_head=1)
    see("logits with QK-norm, RMSNorm, untied", logits, IDS, norm="rmsnorm", qk_norm=True,
        tie_weights=False)
    see("logits with experts", logits, IDS, ffn="moe", n_expert=2, top_k=1, d_ff=5)
    see("logits with RoPE", logits, IDS, position="rope", tol=1e-5)
    see("logits with sinusoids", logits, IDS, position="sinusoidal", tol=1e-5)
    see("logits of a single token", logits, IDS[:, :1], **MODERN)
    see("logits of silent blocks", logits, IDS, ("out_proj", "down_proj"), position="none")
    see("logits in float32", lambda ids: fill(made(config(**WIDE))).float()(ids)[0], IDS, tol=1e-5)
    see("loss of 4 tokens", loss, IDS, TARGETS)
    see("loss where one target is ignored", loss, IDS, TARGETS.masked_fill(TARGETS == 2, -100))
    see("gradient to a tied embedding", to_weight, IDS, "embed.weight", position="none")
    see("gradient to an untied head", to_weight, IDS, "head.weight", tie_weights=False)
    see("gradient to the positions", to_weight, IDS, "positions.table.weight", d_model=6, n_head=3)
    see("a row among others", another_batch, IDS, derive="largest change")
    see("logits with a cache", cached, IDS, 3, 1)
    see("logits with a cache, three layers", cached, IDS, 1, 2, 1, n_layer=3, **MODERN)
    see("sizes of the first weights", sizes_at_start, made, 5, parts=SIZES, tol=0.04)
    see("weights that are smaller at the start", smaller, 4)
    see("gains and biases at the start", starts, made, 2, n_layer=3,
        parts=("gains of the norms", "biases"), tol=1e-6)
    see("size of the first weights of a head of its own", own_head, made, 70, tol=0.04)
    see("torch's own random numbers after a model was made", after_making, made, 5,
        derive="whether they differ")
    for position in ("none", "learned", "sinusoidal"):
        see(f"share of the input that is dropped in training, {position} positions", dropped, made,
            position, 70, derive="share of zeros, in quarters")
    for dropout in (0.0, 0.25, 0.75):
        see(f"share of the input that is dropped in training, dropout {dropout:g}", dropped, made,
            "learned", 70, dropout, derive="share of zeros, in quarters")
    see("whether anything is dropped in training without dropout", dropped, made, "learned", 70,
        0.0, derive="whether anything is 0")
    see("gradient of logits without targets", slope_of_logits, made, IDS, **WIDE)
    see("logits with another cache", second_cache, made, IDS, 2, 2, **WIDE)
    for mode in (True, False):
        see(f"modes after calls, {'training' if mode else 'evaluation'}", modes_after, made, IDS,
            mode)
    see("what is changed behind the blocks in training", behind_the_blocks, made, "learned", 70,
        derive="largest change")
    see("logits out of training, with dropout", logits, IDS, dropout=0.4)
    see("logits with sinusoids and a cache", cached, IDS, 1, 3, position="sinusoidal", tol=1e-5)
    see("logits beside a loss", lambda ids: fill(made(config(**WIDE)))(ids, TARGETS.clone())[0],
        IDS)
    see("where the layers keep their keys", lambda: layers_of(
        fill(made(config(**WIDE, n_layer=4))), IDS))
    see("two models of one seed", two_of_a_seed, made, 12, derive="largest change")
    see("more ids than positions", logits, torch.zeros(2, 10, dtype=torch.long))


@hidden("gpt.block_table")
def block_table(f: Made, see: See) -> None:
    rows_of(see, "a block of width 30", f, ROWS, d_model=30, n_head=5)
    rows_of(see, "a block of one key head", f, ROWS, d_model=30, n_head=5, n_kv_head=1, d_ff=41)
    rows_of(see, "a block with RMSNorm and biases", f, ROWS, d_model=30, n_head=5, norm="rmsnorm")
    rows_of(see, "a block with SwiGLU and biases", f, ROWS, d_model=64, n_head=8, n_kv_head=4,
            ffn="swiglu")
    rows_of(see, "a block with QK-norm", f, ROWS, d_model=42, n_head=3, qk_norm=True, bias=False)
    rows_of(see, "a block with 6 experts", f, ROWS, d_model=30, n_head=5, ffn="moe", n_expert=6,
            top_k=3)
    see("all parameters of a block with experts", whole, f, d_model=30, n_head=5, ffn="moe",
        n_expert=4)


@hidden("gpt.parameter_table")
def parameter_table(f: Made, see: See) -> None:
    rows_of(see, "a small model", f, ALL_ROWS, vocab_size=19, block_size=11, n_layer=5)
    rows_of(see, "a model without positions", f, ALL_ROWS, vocab_size=19, position="none",
            tie_weights=False, bias=False)
    rows_of(see, "a model with RMSNorm and a learned table", f, ALL_ROWS, vocab_size=23,
            norm="rmsnorm", block_size=31, n_layer=3, n_kv_head=1)
    rows_of(see, "a model with experts", f, ALL_ROWS, vocab_size=23, ffn="moe", n_expert=3,
            position="rope", tie_weights=False, n_layer=4)
    see("all parameters of 8 layers of width 256", lambda: sum(f(config(
        vocab_size=4000, block_size=256, n_layer=8, n_head=8, d_model=256)).values()))
