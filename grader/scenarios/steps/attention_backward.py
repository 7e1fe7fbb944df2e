"""How the steps that lead a gradient backward are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See
from course.scenarios.functional import wave

from .. import hidden

SIZES = ((4, 2, 3, 5), (2, 6, 5, 3), (1, 4, 2, 3))
NAMES = {"value_grad": ("p", "grad_out"), "weight_grad": ("grad_out", "v"),
         "score_grad": ("p", "dp"), "query_grad": ("ds", "k"), "key_grad": ("ds", "q")}


def register(step: str, names: tuple[str, ...]) -> None:
    @hidden(f"steps.attention_backward.{step}")
    def tried(answer: Any, see: See) -> None:
        for T, S, Dh, Dv in SIZES:
            of = {"p": torch.softmax(wave(T, S, by=0.7), -1), "grad_out": wave(T, Dv, by=1.9),
                  "v": wave(S, Dv, by=1.3), "dp": wave(T, S, by=3.7), "ds": wave(T, S, by=0.9),
                  "k": wave(S, Dh, by=3.1), "q": wave(T, Dh, by=2.3)}
            see(f"{step} for {T} queries and {S} keys", answer, *(of[n] for n in names))


for each, wanted in NAMES.items():
    register(each, wanted)


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
