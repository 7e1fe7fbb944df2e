"""How the steps that lead a gradient backward through attention are tried."""

from typing import Any

import torch

from .. import See, choice_steps, number_steps, scenario
from ..functional import wave

choice_steps("steps.attention_backward.masked_score", "steps.attention_backward.row_sum")
number_steps("steps.attention_backward.queries_of_a_key")
# T, S, Dh, Dv; the square one tells a transposed product by its numbers
SIZES = ((3, 4, 5, 2), (5, 2, 3, 4), (3, 3, 2, 2))


def pieces(T: int, S: int, Dh: int, Dv: int) -> dict[str, torch.Tensor]:
    """The matrices of one head."""
    p = torch.softmax(wave(T, S, by=1.9), -1)
    return {"p": p, "grad_out": wave(T, Dv, by=3.1), "v": wave(S, Dv, by=2.9),
            "dp": wave(T, S, by=2.1), "ds": wave(T, S, by=1.3), "k": wave(S, Dh, by=2.3),
            "q": wave(T, Dh, by=1.7)}


def each_size(see: See, answer: Any, what: str, *names: str) -> None:
    for T, S, Dh, Dv in SIZES:
        m = pieces(T, S, Dh, Dv)
        see(f"{what} for T = {T}, S = {S}, Dh = {Dh}, Dv = {Dv}", answer, *(m[n] for n in names))


@scenario("steps.attention_backward.value_grad")
def value_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dv", "p", "grad_out")


@scenario("steps.attention_backward.weight_grad")
def weight_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dp", "grad_out", "v")


@scenario("steps.attention_backward.score_grad")
def score_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "ds", "p", "dp")


@scenario("steps.attention_backward.query_grad")
def query_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dq", "ds", "k")


@scenario("steps.attention_backward.key_grad")
def key_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dk", "ds", "q")


@scenario("steps.attention_backward.projection_grad")
def projection_grad(answer: Any, see: See) -> None:
    for T, D, Dh in ((3, 5, 2), (2, 4, 3), (3, 3, 3)):
        see(f"the gradient to W_q for T = {T}, D = {D}, Dh = {Dh}", answer, wave(T, D, by=1.1),
            wave(T, Dh, by=3.1))


@scenario("steps.attention_backward.input_grad")
def input_grad(answer: Any, see: See) -> None:
    for T, D, Dh, Dv in ((3, 5, 2, 4), (2, 6, 3, 1), (3, 3, 3, 3)):
        grads = wave(T, Dh, by=1.1), wave(T, Dh, by=3.1), wave(T, Dv, by=2.7)
        weights = wave(D, Dh, by=0.9), wave(D, Dh, by=2.3), wave(D, Dv, by=1.9)
        see(f"dx for T = {T}, D = {D}, Dh = {Dh}, Dv = {Dv}", answer, *grads, *weights)
