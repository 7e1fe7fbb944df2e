"""How the step on BatchNorm is tried when a submission is graded."""

from typing import Any

from course.scenarios import See, gradient
from course.scenarios.functional import wave

from .. import hidden


@hidden("steps.batch_norm.in_training")
def in_training(answer: Any, see: See) -> None:
    x = wave(4, 2, 3, by=0.6) + 0.8
    see("more texts than tokens", answer, x)
    see("one token in each text", answer, x[:, :1])
    see("another eps", answer, x, 0.03)
    see("what another text changes", lambda x: answer(x) - answer(x * (1 + (x == x[3]))), x)
    see("gradient", gradient(answer), x, wave(4, 2, 3, by=1.9))
