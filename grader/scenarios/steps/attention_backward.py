"""How the steps that lead a gradient backward are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See
from course.scenarios.functional import wave

from .. import hidden

SIZES = ((4, 2, 3, 5), (2, 6, 5, 3), (1, 4, 2, 3))


def each_size(see: See, answer: Any, what: str, *names: str) -> None:
    for T, S, Dh, Dv in SIZES:
        of = {"p": torch.softmax(wave(T, S, by=0.7), -1), "grad_out": wave(T, Dv, by=1.9),
              "v": wave(S, Dv, by=1.3), "dp": wave(T, S, by=3.7), "ds": wave(T, S, by=0.9),
              "k": wave(S, Dh, by=3.1), "q": wave(T, Dh, by=2.3)}
        see(f"{what} for {T} queries and {S} keys", answer, *(of[n] for n in names))


@hidden("steps.attention_backward.value_grad")
def value_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dv", "p", "grad_out")


@hidden("steps.attention_backward.weight_grad")
def weight_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dp", "grad_out", "v")


@hidden("steps.attention_backward.score_grad")
def score_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "ds", "p", "dp")


@hidden("steps.attention_backward.query_grad")
def query_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dq", "ds", "k")


@hidden("steps.attention_backward.key_grad")
def key_grad(answer: Any, see: See) -> None:
    each_size(see, answer, "dk", "ds", "q")


@hidden("steps.attention_backward.projection_grad")
def projection_grad(answer: Any, see: See) -> None:
    see("the gradient to a wide W_q", answer, wave(4, 2, by=1.9), wave(4, 6, by=0.7))
    see("the gradient to W_q from one position", answer, wave(1, 3, by=1.9), wave(1, 2, by=0.7))


@hidden("steps.attention_backward.input_grad")
def input_grad(answer: Any, see: See) -> None:
    grads = wave(4, 3, by=1.9), wave(4, 3, by=0.7), wave(4, 2, by=1.3)
    weights = wave(6, 3, by=2.9), wave(6, 3, by=3.7), wave(6, 2, by=1.1)
    see("dx for other sizes", answer, *grads, *weights)
    see("dx where only the values have a gradient", answer, *(0 * g for g in grads[:2]), grads[2],
        *weights)
