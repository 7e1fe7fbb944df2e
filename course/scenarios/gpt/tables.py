"""How the parameter tables are tried."""

import operator
from typing import Any

from .. import See, scenario
from . import MODERN, Made, config

ROWS = ("attention q, k, v", "attention output", "feed-forward up", "feed-forward down", "norms")
ALL_ROWS = ("token embedding", "position table", *ROWS, "final norm", "output head")


def whole(f: Made, **fields: Any) -> int:
    """The sum of all rows, which are whole numbers."""
    return sum(operator.index(size) for size in f(config(**fields)).values())


def rows_of(see: See, what: str, f: Made, rows: tuple[str, ...], **fields: Any) -> None:
    see(what, lambda: f(config(**fields)), parts=rows)


@scenario("gpt.block_table")
def block_table(f: Made, see: See) -> None:
    rows_of(see, "the notes' block", f, ROWS, d_model=128, n_head=4)
    rows_of(see, "the notes' block without biases", f, ROWS, d_model=128, n_head=4, bias=False)
    rows_of(see, "width 24, hidden width 50", f, ROWS, d_model=24, n_head=4, d_ff=50)
    rows_of(see, "6 query heads that share 2 key heads", f, ROWS, d_model=48, n_head=6, n_kv_head=2)
    rows_of(see, "SwiGLU and RMSNorm", f, ROWS, d_model=48, n_head=6, n_kv_head=3, norm="rmsnorm",
            ffn="swiglu")
    rows_of(see, "SwiGLU and RMSNorm, no biases, QK-norm", f, ROWS, d_model=128, n_head=4,
            qk_norm=True, **MODERN)
    rows_of(see, "QK-norm with 6 heads", f, ROWS, d_model=36, n_head=6, qk_norm=True)
    rows_of(see, "5 experts", f, ROWS, d_model=40, n_head=4, ffn="moe", n_expert=5, d_ff=30)
    rows_of(see, "3 experts without biases", f, ROWS, d_model=40, n_head=4, ffn="moe", n_expert=3,
            d_ff=64, bias=False)
    see("sum of all rows, 5 experts", lambda: sum(f(config(
        d_model=40, n_head=4, ffn="moe", n_expert=5, d_ff=30)).values()))
    see("sum of all rows, 3 experts without biases", lambda: sum(f(config(
        d_model=24, n_head=4, ffn="moe", n_expert=3, bias=False)).values()))
    see("sum of all rows, QK-norm with 6 heads", lambda: sum(f(config(
        d_model=36, n_head=6, qk_norm=True)).values()))
    for wide in (24, 48):
        see(f"sum of all rows as a whole number (int), width {wide}", whole, f, d_model=wide,
            n_head=4)


@scenario("gpt.parameter_table")
def parameter_table(f: Made, see: See) -> None:
    def total(**fields: Any) -> int:
        return whole(f, **fields)

    notes: dict[str, Any] = {"vocab_size": 4000, "block_size": 256, "n_layer": 4, "n_head": 4,
                             "d_model": 128}
    rows_of(see, "the notes' model", f, ALL_ROWS, **notes)
    rows_of(see, "a head of its own", f, ALL_ROWS, vocab_size=50, d_model=24, n_layer=3,
            tie_weights=False)
    rows_of(see, "RoPE, RMSNorm, SwiGLU", f, ALL_ROWS, vocab_size=90, d_model=48, n_layer=5,
            n_head=6, n_kv_head=2, position="rope", **MODERN)
    rows_of(see, "sinusoids", f, ALL_ROWS, vocab_size=33, d_model=16, position="sinusoidal",
            block_size=20)
    see("all parameters with sinusoids", total, position="sinusoidal", block_size=30)
    see("all parameters of the notes' model", total, **notes)
    see("all parameters of 6 layers of width 192", total, **{
        **notes, "n_layer": 6, "n_head": 6, "d_model": 192})
    see("all parameters of a model with experts", total, ffn="moe", n_expert=4, qk_norm=True,
        tie_weights=False, position="none", n_layer=3)
