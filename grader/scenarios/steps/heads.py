"""How the steps about heads are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression_at
from course.scenarios.attention.heads import counted, wave
from course.scenarios.steps.heads import numbers

from .. import hidden


@hidden("steps.heads.score_products")
def score_products(answer: Any, see: See) -> None:
    expression_at(see, answer, "T D H", (11, 24, 3), (6, 14, 7))


@hidden("steps.heads.score_entries")
def score_entries(answer: Any, see: See) -> None:
    expression_at(see, answer, "B T D H", (5, 11, 24, 3), (1, 6, 14, 7))


@hidden("steps.heads.weight_ratio")
def weight_ratio(answer: Any, see: See) -> None:
    expression_at(see, answer, "H Hkv", (64, 8), (12, 3))


@hidden("steps.heads.shapes")
def shapes(answer: Any, see: See) -> None:
    for at in range(11):
        see(f"row {at + 1} at other sizes", lambda i=at: numbers(answer(5, 7, 24, 3)[i]))


@hidden("steps.heads.fits")
def fits(answer: Any, see: See) -> None:
    for D, H, Hkv in ((48, 12, 4), (48, 12, 5), (50, 12, 4), (7, 7, 1), (30, 10, 20), (90, 9, 6),
                      (32, 12, 4), (27, 6, 3)):
        see(f"other sizes, {D} {H} {Hkv}", lambda *sizes: int(bool(answer(*sizes))), D, H, Hkv)


@hidden("steps.heads.shared_gradient")
def shared_gradient(answer: Any, see: See) -> None:
    see("gradient to the key heads of a batch", answer, wave(3, 8, 2, 1, by=0.9), 4)
    see("gradient to two key heads", answer, counted(1, 10, 2, 3), 5)
