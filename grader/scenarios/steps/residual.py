"""How the steps on residual connections are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See, expression_at
from course.scenarios.functional import wave
from course.scenarios.steps.residual import mixing, squared

from .. import hidden


@hidden("steps.residual.input_gradient")
def input_gradient(answer: Any, see: See) -> None:
    see("a wide branch", answer, wave(6, by=0.4), wave(6, 6, by=2.2))
    see("a branch that takes x away", answer, wave(3, by=0.4), -torch.eye(3).double())


@hidden("steps.residual.through_blocks")
def through_blocks(answer: Any, see: See) -> None:
    expression_at(see, answer, "s n", (0.0, 7), (0.5, 4), (-1.0, 2))


def see_step(answer: Any, see: See) -> None:
    x = wave(2, 4, 3, by=1.1)
    see("a norm that squares", lambda x: answer(x, squared, torch.sin), x)
    see("a branch that mixes tokens", lambda x: answer(x, torch.tanh, mixing), x)


@hidden("steps.residual.pre_norm")
def pre_norm(answer: Any, see: See) -> None:
    see_step(answer, see)


@hidden("steps.residual.post_norm")
def post_norm(answer: Any, see: See) -> None:
    see_step(answer, see)


@hidden("steps.residual.attention_passes")
def attention_passes(answer: Any, see: See) -> None:
    def right(x: Any, norm_1: Any, attention: Any, norm_2: Any, feed_forward: Any) -> Any:
        y = attention(norm_1(x))
        return x + y + feed_forward(norm_2(x + y))

    def inside(x: Any, norm_1: Any, attention: Any, norm_2: Any, feed_forward: Any) -> Any:
        y = attention(norm_1(x))
        return x + feed_forward(norm_2(y))

    def taken_away(x: Any, norm_1: Any, attention: Any, norm_2: Any, feed_forward: Any) -> Any:
        y = x - attention(norm_1(x))
        return y + feed_forward(norm_2(y))

    for name, block in (("a right block", right), ("a block that drops a branch", inside),
                        ("a block with a wrong sign", taken_away)):
        see(name, lambda b=block: int(bool(answer(b))))


@hidden("steps.residual.last_rms")
def last_rms(answer: Any, see: See) -> None:
    expression_at(see, answer, "n v", (0, 2.0), (96, 0.3))


@hidden("steps.residual.share")
def share(answer: Any, see: See) -> None:
    expression_at(see, answer, "n v", (2, 3.0), (96, 0.3))
