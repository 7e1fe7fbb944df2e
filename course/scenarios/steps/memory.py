"""How the answers of the steps about bytes are tried."""

from typing import Any

from .. import See, array_steps, evaluate, expression, number_steps, scenario

number_steps("steps.memory.per_head", "steps.memory.per_token_7b", "steps.memory.gib_7b",
             "steps.memory.gib_70b", "steps.memory.mib_mini", "steps.memory.square_growth")
number_steps("steps.memory.gb_eight", tol=2e-3)  # three digits are enough
array_steps("steps.memory.what_saves", flat=True)
NAMES = ("n_layer", "H", "Hkv", "Dh", "S", "B")
SIZES = ((3, 8, 2, 16, 10, 5), (2, 6, 3, 4, 7, 1), (4, 12, 1, 8, 9, 3), (5, 7, 7, 2, 11, 2))
CARDS = ((24, 13, 1, 2), (12, 4, 1.5, 2), (8, 3.5, 1, 0.75), (16, 13, 1, 3), (12, 13, 1, 2),
         (80, 14, 0, 6), (8, 14, 1, 2))


@scenario("steps.memory.values_held")
def values_held(answer: Any, see: See) -> None:
    expression(see, answer, [dict(zip(NAMES, s, strict=True)) for s in SIZES])


@scenario("steps.memory.sharing_gain")
def sharing_gain(answer: Any, see: See) -> None:
    expression(see, answer, [{"H": H, "Hkv": Hkv} for H, Hkv in
                             ((64, 8), (12, 3), (32, 32), (8, 1), (6, 2))])


def fitting(answer: Any, *sizes: float) -> Any:
    """A function or, as in other steps, a sympy object."""
    return evaluate(answer, dict(zip(("card", "weights", "reserve", "per_text"), sizes,
                                     strict=True)))


@scenario("steps.memory.texts_that_fit")
def texts_that_fit(answer: Any, see: See) -> None:
    for card, weights, reserve, per_text in CARDS:
        see(f"texts of {per_text} GB on a card of {card} GB with weights of {weights} GB and "
            f"{reserve} GB for the rest", fitting, answer, card, weights, reserve, per_text)


@scenario("steps.memory.training_bytes")
def training_bytes(answer: Any, see: See) -> None:
    expression(see, answer, [{"N": 10}, {"N": 1_338_112}, {"N": 3}])
