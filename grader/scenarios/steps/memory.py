"""How the steps about bytes are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression
from course.scenarios.steps.memory import NAMES, fitting

from .. import hidden


@hidden("steps.memory.values_held")
def values_held(answer: Any, see: See) -> None:
    sizes = ((6, 9, 3, 5, 13, 4), (1, 16, 4, 64, 3, 7))
    expression(see, answer, [dict(zip(NAMES, s, strict=True)) for s in sizes])


@hidden("steps.memory.sharing_gain")
def sharing_gain(answer: Any, see: See) -> None:
    expression(see, answer, [{"H": 28, "Hkv": 4}, {"H": 40, "Hkv": 40},
                             {"H": 5, "Hkv": 1}])


@hidden("steps.memory.texts_that_fit")
def texts_that_fit(answer: Any, see: See) -> None:
    cards = ((48, 14, 2, 5), (8, 6.5, 1, 0.125), (6, 5, 2, 1), (10, 3, 1, 7))
    for at, sizes in enumerate(cards, 1):
        see(f"texts on another card, {at}", fitting, answer, *sizes)


@hidden("steps.memory.training_bytes")
def training_bytes(answer: Any, see: See) -> None:
    expression(see, answer, [{"N": 7}, {"N": 3_486_720}])
