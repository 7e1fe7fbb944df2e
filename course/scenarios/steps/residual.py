"""How the steps on residual connections are tried."""

from collections.abc import Callable
from typing import Any

import torch

from .. import See, choice_steps, expression_at, gradient, number_steps, scenario
from ..functional import wave

choice_steps("steps.residual.post_depth", "steps.residual.which_models")
number_steps("steps.residual.cancelled")


@scenario("steps.residual.input_gradient")
def input_gradient(answer: Any, see: See) -> None:
    see("dx for D = 3", answer, wave(3, by=0.9), wave(3, 3, by=1.7))
    see("dx for D = 4", answer, wave(4, by=2.1), wave(4, 4, by=0.6))
    see("dx for a branch without a slope", answer, wave(3, by=0.9), torch.zeros(3, 3).double())
    see("dx for D = 2", answer, wave(2, by=0.9), wave(2, 2, by=1.7))


@scenario("steps.residual.through_blocks")
def through_blocks(answer: Any, see: See) -> None:
    expression_at(see, answer, "s n", (0.1, 24), (-0.5, 3), (-2.0, 5))


def halved(x: torch.Tensor) -> torch.Tensor:
    return x / 2 + 1


def squared(x: torch.Tensor) -> torch.Tensor:
    return x**2


def mixing(x: torch.Tensor) -> torch.Tensor:
    return x.flip(1) * 3


def see_step(answer: Any, see: See) -> None:
    x = wave(1, 2, 3, by=0.8)
    see("x [1, 2, 3], a branch that squares", lambda x: answer(x, halved, squared), x)
    see("x [1, 2, 3], a branch that mixes tokens", lambda x: answer(x, squared, mixing), x)
    see("x [2, 3, 4]", lambda x: answer(x, halved, mixing), wave(2, 3, 4, by=1.9))
    see("a branch that gives 0", lambda x: answer(x, halved, torch.zeros_like), x)
    see("gradient to x, a branch that squares", gradient(
        lambda x: answer(x, halved, squared)), x, wave(1, 2, 3, by=2.1))
    see("gradient to x, a branch that mixes tokens", gradient(
        lambda x: answer(x, squared, mixing)), x, wave(1, 2, 3, by=2.1))


@scenario("steps.residual.pre_norm")
def pre_norm(answer: Any, see: See) -> None:
    see_step(answer, see)


@scenario("steps.residual.post_norm")
def post_norm(answer: Any, see: See) -> None:
    see_step(answer, see)


def block(start: float = 1, gathered: int = 1, line: int = 1, again: int = 0,
          from_line: bool = True, norm_at: int = 1) -> Callable[..., Any]:
    """A block by its factors (spelt out, the right one would be an answer of lesson 05).

    The line is `start` times x and `gathered` times what attention gives, which reads norm
    `norm_at` of x, or x itself for 0; the result is `line` times it, `again` times x, and the
    feed-forward of the line, or of x.
    """
    def made(x: Any, norm_1: Any, attention: Any, norm_2: Any, feed_forward: Any) -> Any:
        normed = (x, norm_1(x), norm_2(x))[norm_at]
        h = start * x + (gathered * attention(normed) if gathered else 0)
        return line * h + again * x + feed_forward(norm_2(h if from_line else x))

    return made


def norms_change_places(x: Any, norm_1: Any, attention: Any, norm_2: Any, feed_forward: Any) -> Any:
    return block(norm_at=1)(x, norm_2, attention, norm_1, feed_forward)


def off_in_places(*parts: Any) -> Any:
    """A right block, but for one entry of some tokens."""
    out = block()(*parts)
    return out + torch.eye(*out.shape[-2:], dtype=out.dtype)


def off_in_a_token(at: int, up_and_down: bool = True, by: int = 1) -> Callable[..., Any]:
    """A right block, but for one token: `by` too much in one entry, too little in another.

    Else too much in all. The numbers stay what they were, whole if they were.
    """
    def made(*parts: Any) -> Any:
        out = block()(*parts).clone()
        if up_and_down and out.shape[-1] > 1:
            out[..., at, -1] -= by
            out[..., at, 0] += by
        else:
            out[..., at, :] += by
        return out

    return made


def off_a_little(share: float) -> Callable[..., Any]:
    """A right block, but for a tenth or so in every entry; 1 where there are no tenths."""
    def made(*parts: Any) -> Any:
        out = block()(*parts)
        return out + (share if out.is_floating_point() else 1)

    return made


BLOCKS = {
    "a right block": block(),
    "a block whose branches both start from x": block(from_line=False),
    "a block that hands attention to the feed-forward only": block(line=0, again=1),
    "a block without attention": block(gathered=0),
    "a block where attention replaces x": block(start=0),
    "a block where the feed-forward replaces x": block(line=0),
    "a block that adds attention twice": block(gathered=2),
    "a block that adds x twice": block(line=2),
    "a block whose attention reads x without a norm": block(norm_at=0),
    "a block whose attention reads norm_2(x)": block(norm_at=2),
    "a block whose norms have changed places": norms_change_places,
    "a block that is off in some entries": off_in_places,
    "a block that is off in some entries and adds no attention": lambda *parts: off_in_places(
        parts[0], parts[1], torch.zeros_like, *parts[3:]),
    "a block that is off in the first token": off_in_a_token(0, up_and_down=False),
    "a block that is off in the first token, up and down": off_in_a_token(0),
    "a block that is off in the last token, up and down": off_in_a_token(-1, by=2),
    "a block that gives a tenth too much": off_a_little(0.1),
    "a block that gives a tenth too little": off_a_little(-0.1),
}


@scenario("steps.residual.attention_passes")
def attention_passes(answer: Any, see: See) -> None:
    def verdict(block: Callable[..., Any]) -> int | None:
        said = answer(block)
        return None if said is None else int(bool(said))

    for name, each in BLOCKS.items():
        see(f"{name} (1: it passes)", lambda b=each: verdict(b))


@scenario("steps.residual.last_rms")
def last_rms(answer: Any, see: See) -> None:
    expression_at(see, answer, "n v", (3, 5.0), (48, 1.0), (12, 0.25))


@scenario("steps.residual.share")
def share(answer: Any, see: See) -> None:
    expression_at(see, answer, "n v", (1, 0.3), (24, 2.0), (6, 0.5))
