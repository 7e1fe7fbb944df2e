"""How the steps that find broken attention layers are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.attention.heads import wave
from course.scenarios.steps.bugs import Mix, Squared

from .. import hidden


@hidden("steps.bugs.reach")
def reach(answer: Any, see: See) -> None:
    tokens = wave(3, 3, by=0.4) - 0.5
    see("reach of three tokens", answer, Mix(tokens, wave(5, 5, by=1.9)), wave(1, 3, 5))
    see("reach where slopes depend on x", answer, Squared(tokens.triu(), wave(2, 2)),
        wave(1, 3, 2, by=1.1))


@hidden("steps.bugs.block")
def block(answer: Any, see: See) -> None:
    parts = (torch.tanh, lambda x: x.cumsum(1), lambda x: x * 2 + 1, torch.sin)
    see("block with other parts", lambda x: answer(x, *parts), wave(2, 3, 2))
    see("gradient through the block", gradient(lambda x: answer(x, *parts)), wave(2, 3, 2),
        wave(2, 3, 2, by=2.3))
    see("block with its parts changed round", lambda x: answer(x, *parts[::-1]), wave(2, 3, 2))
