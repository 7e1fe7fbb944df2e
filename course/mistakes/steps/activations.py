"""Known wrong answers to the steps about activations."""

import math

from .. import mistake, wrong_choice, wrong_number, wrong_value

wrong_choice("steps.activations.dead", "a", "for these 70 % its slope is 0, but the weights of the "
             "unit are shared by all tokens, and the other 30 % still move them.")
wrong_choice("steps.activations.dead", "b", "it has no state for single tokens: the other 30 % "
             "move its weights, and then other tokens may fall on the positive side too.")

GELU = "steps.activations.gelu_slope"


@mistake(GELU, "Φ is treated as a constant. It depends on x as well: the product rule gives a "
         "second term, x·Φ′(x).")
def constant_phi(x: float, Phi: float, phi: float) -> float:
    return Phi


@mistake(GELU, "this is x times the slope of Φ. The product rule has a second term, where the x in "
         "front is differentiated.")
def second_term_only(x: float, Phi: float, phi: float) -> float:
    return x * phi


@mistake(GELU, "the second term has lost its x: x·Φ(x) differentiated is 1·Φ + x·Φ′.")
def no_x(x: float, Phi: float, phi: float) -> float:
    return Phi + phi


@mistake(GELU, "the two slopes are multiplied: 1·φ. The derivative of a product is a sum of two "
         "terms.")
def product_of_slopes(x: float, Phi: float, phi: float) -> float:
    return phi


@mistake(GELU, "Φ(1 − Φ) is the slope of a sigmoid. That of the normal distribution function is "
         "its density, φ.")
def as_a_sigmoid(x: float, Phi: float, phi: float) -> float:
    return Phi + x * Phi * (1 - Phi)


@mistake(GELU, "a sign has turned: Φ rises with x, so Φ′ is +φ.")
def minus(x: float, Phi: float, phi: float) -> float:
    return Phi - x * phi


SILU = "steps.activations.silu_slope"


@mistake(SILU, "that is the slope of the sigmoid alone. SiLU is x times it, so there are two "
               "terms: "
         "σ(x) itself, and x times this.")
def of_the_sigmoid(x: float, s: float) -> float:
    return s * (1 - s)


@mistake(SILU, "the sigmoid is treated as a constant. It depends on x too: x·σ′(x) is missing.")
def constant_gate(x: float, s: float) -> float:
    return s


@mistake(SILU, "the first term of the product rule is missing: the x in front has the slope 1, "
         "which leaves σ(x).")
def without_s(x: float, s: float) -> float:
    return x * s * (1 - s)


@mistake(SILU, "the second term has lost its x: x·σ(x) differentiated is 1·σ + x·σ′.")
def lost_x(x: float, s: float) -> float:
    return s + s * (1 - s)


@mistake(SILU, "the bracket has a sign too many: σ′ is +σ(1 − σ), since the sigmoid rises.")
def falling(x: float, s: float) -> float:
    return s * (1 - x * (1 - s))


@mistake(SILU, "the slope of σ is σ(1 − σ); here it has lost the factor σ.")
def slope_without_s(x: float, s: float) -> float:
    return s + x * (1 - s)


@mistake(SILU, "1 − s² belongs to tanh. The slope of a sigmoid is s(1 − s).")
def as_tanh(x: float, s: float) -> float:
    return s + x * (1 - s**2)


MINIMUM = "steps.activations.silu_minimum"
wrong_number(MINIMUM, 1.278465, "the sign: to the right of 0 SiLU only rises. The condition "
             "1 + x(1 − s) = 0 needs a negative x.")
wrong_number(MINIMUM, -0.278465, "that is the value at the minimum. The place x is asked for.")
wrong_number(MINIMUM, -0.7518, "that is where GELU has its minimum.")
wrong_number(MINIMUM, 0, "at 0 the slope is σ(0) = ½, so it is still rising there.")
wrong_number(MINIMUM, -1, "at −1 the slope is σ·(1 − (1 − σ)) = σ², which is above 0. The minimum "
             "is further to the left.")
wrong_number(MINIMUM, -2.3994, "that is where the slope is lowest, so where the curve bends. Look "
             "for the place where the slope is 0.")

LOWEST = "steps.activations.silu_lowest"


@mistake(LOWEST, "the value there is a little below 0, and this is well below. Multiply out "
         "1 + x(1 − s) = 0 and look for x·s in it.")
def x_itself(x: float) -> float:
    return x


@mistake(LOWEST, "the sign of the 1 has turned: from 1 + x − x·s = 0 follows x·s = 1 + x.")
def minus_one(x: float) -> float:
    return x - 1


@mistake(LOWEST, "both signs have turned: from 1 + x − x·s = 0 follows x·s = 1 + x.")
def turned_around(x: float) -> float:
    return -x - 1


@mistake(LOWEST, "that is s at the minimum: s = 1 + 1/x. The value is x·s.")
def s_only(x: float) -> float:
    return 1 + 1 / x


@mistake(LOWEST, "that is SiLU for any x. At the minimum the slope is 0, and with that condition σ "
         "goes away.")
def silu_anywhere(x: float) -> float:
    return x / (1 + math.exp(-x))


@mistake(LOWEST, "the value depends on x here: use the condition, not the number of the step "
                 "before.")
def a_constant(x: float) -> float:
    return -0.278465


ORDER = "steps.activations.order"
wrong_value(ORDER, "line", [3, 2, 5, 4, 1], "that is the popular line. The gated unit came out in "
            "December 2016, before the search that gave Swish its name (October 2017).")
wrong_value(ORDER, "newest_first", [1, 5, 4, 2, 3], "that is newest first; the oldest is asked for "
            "first.")
wrong_value(ORDER, "gate_before_gelu", [3, 4, 2, 5, 1], "GELU is from June 2016, half a year "
                                                        "before "
            "the gated unit.")
wrong_value(ORDER, "gate_last", [3, 2, 5, 1, 4], "SwiGLU is a variant of the gated unit, so that "
            "one is older.")
wrong_value(ORDER, "swish_before_gelu", [3, 5, 2, 4, 1], "Swish got its name in October 2017. The "
            "GELU paper of June 2016 has the same function, called SiLU.")
wrong_value(ORDER, "gate_then_swish_first", [3, 4, 5, 2, 1], "GELU is the oldest of the three in "
            "the middle: June 2016.")
wrong_value(ORDER, "ranks", [5, 2, 1, 3, 4], "these look like ranks, one for each paper in the "
                                             "order "
            "of the list. The papers themselves are asked for, oldest first.")
