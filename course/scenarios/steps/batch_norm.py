"""How the steps on BatchNorm are tried."""

from typing import Any

from .. import See, choice_steps, gradient, scenario
from ..functional import wave

choice_steps("steps.batch_norm.depends", "steps.batch_norm.one_text")


@scenario("steps.batch_norm.in_training")
def in_training(answer: Any, see: See) -> None:
    x, square = wave(2, 3, 4, by=2.3) + 0.4, wave(3, 3, 3, by=1.1) - 0.6
    see("2 texts of 3 tokens, width 4", answer, x)
    see("3 texts of 3 tokens, width 3", answer, square)
    see("one text of 5 tokens, width 2", answer, wave(1, 5, 2, by=0.9) + 1)
    see("eps=0.5", answer, x, eps=0.5)
    see("eps=0.5, width 3", answer, square, eps=0.5)
    see("numbers near 0.001", answer, square / 1000)
    see("gradient to x", gradient(answer), x, wave(2, 3, 4, by=0.7))
    see("gradient to x of width 3", gradient(answer), square, wave(3, 3, 3, by=0.5))
    see("float32", answer, x.float(), tol=1e-6)
