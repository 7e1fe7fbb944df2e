"""Known wrong answers to the steps on longer texts than those of training."""

import math

from .. import mistake, wrong_choice

TURNS = "steps.extrapolation.turns"


@mistake(TURNS, "that is the angle at the end, in radians. A turn is 2π of them.")
def radians(theta: float, L: float) -> float:
    return L * theta


@mistake(TURNS, "that is the wavelength, how many positions a turn takes. How many of those fit "
         "into L?")
def wavelength(theta: float, L: float) -> float:
    return 2 * math.pi / theta


@mistake(TURNS, "the quotient is upside down: that is which part of a turn one L is.")
def upside_down(theta: float, L: float) -> float:
    return 2 * math.pi / (theta * L)


@mistake(TURNS, "those are half turns: a turn is 2π.")
def half_turns(theta: float, L: float) -> float:
    return L * theta / math.pi


@mistake(TURNS, "those are degrees for a start: a turn is 2π radians, and θ is in radians.")
def of_degrees(theta: float, L: float) -> float:
    return L * theta / 360


@mistake(TURNS, "θ already is an angle per position, so more positions mean more turns: multiply "
         "by L.")
def divided_by_length(theta: float, L: float) -> float:
    return theta / (2 * math.pi * L)


UNSEEN = "steps.extrapolation.unseen"
wrong_choice(UNSEEN, "a", "a fast pair has been all the way round many times within L. Whatever "
             "angle comes later, one close to it has been seen.")
wrong_choice(UNSEEN, "c", "once a pair has been all the way round within L, it meets no angle that "
             "is far from every known one. Which pairs have not?")
wrong_choice(UNSEEN, "d", "angles repeat after a full turn only. A pair that got through a third "
             "of a turn in training goes on to angles it has never had.")

SLOWING = "steps.extrapolation.slowing"


@mistake(SLOWING, "the sign of the exponent: θᵢ = b^(−2i/Dh), so a larger base makes it smaller, "
         "and old over new is above 1.")
def sign(ratio: float, i: float, Dh: float) -> float:
    return float(ratio ** (-2 * i / Dh))


@mistake(SLOWING, "the exponent has 2i, not i.")
def no_two(ratio: float, i: float, Dh: float) -> float:
    return float(ratio ** (i / Dh))


@mistake(SLOWING, "every pair would be slowed alike. θᵢ is a power of the base, and the power "
         "depends on i.")
def the_same_for_all(ratio: float, i: float, Dh: float) -> float:
    return ratio


@mistake(SLOWING, "the base stands under an exponent: ratio is raised to 2i/Dh, not multiplied by "
         "it.")
def linear(ratio: float, i: float, Dh: float) -> float:
    return ratio * 2 * i / Dh


@mistake(SLOWING, "that is the exponent 2i/Dh. The ratio of the bases is raised to it.")
def exponent_alone(ratio: float, i: float, Dh: float) -> float:
    return 2 * i / Dh


@mistake(SLOWING, "the exponent divides by Dh − 2 here. In θᵢ it is 2i/Dh.")
def last_is_one(ratio: float, i: float, Dh: float) -> float:
    return float(ratio ** (2 * i / (Dh - 2)))


EXPONENT = "steps.extrapolation.ntk_exponent"


@mistake(EXPONENT, "b' = b·s would do if the last exponent were −1. It is −(Dh − 2)/Dh.")
def one(Dh: float) -> float:
    return 1.0


@mistake(EXPONENT, "that is the exponent in (b'/b)^((Dh − 2)/Dh) = s. Solving for b'/b turns it "
         "upside down.")
def not_solved(Dh: float) -> float:
    return (Dh - 2) / Dh


@mistake(EXPONENT, "the slowest pair is i = Dh/2 − 1, so 2i = Dh − 2.")
def off_by_one(Dh: float) -> float:
    return Dh / (Dh - 1)


@mistake(EXPONENT, "i = Dh/2 − 1 was put in for 2i.")
def i_for_two_i(Dh: float) -> float:
    return Dh / (Dh / 2 - 1)


@mistake(EXPONENT, "the sign: a slower pair needs a larger base, so the exponent is positive.")
def negative(Dh: float) -> float:
    return -Dh / (Dh - 2)


RAMP = "steps.extrapolation.ramp"


@mistake(RAMP, "this is 1 at α and 0 at β. γ is the part that is kept, and fast pairs, of β turns, "
         "are kept.")
def falling(r: float, alpha: float, beta: float) -> float:
    return (beta - r) / (beta - alpha)


@mistake(RAMP, "this is 1 at β, but not 0 at α.")
def from_zero(r: float, alpha: float, beta: float) -> float:
    return r / beta


@mistake(RAMP, "this is 0 at α, but not 1 at β: divide by how far it is from α to β.")
def wrong_span(r: float, alpha: float, beta: float) -> float:
    return (r - alpha) / beta


@mistake(RAMP, "this is 0 at α and grows by 1 with each turn. It has β − α turns for it.")
def not_divided(r: float, alpha: float, beta: float) -> float:
    return r - alpha


@mistake(RAMP, "this line is one in log r. The ramp of the paper is a line in r.")
def logarithmic(r: float, alpha: float, beta: float) -> float:
    return math.log(r / alpha) / math.log(beta / alpha)


LOGITS = "steps.extrapolation.logit_factor"


@mistake(LOGITS, "that is what one of the two does. q brings the factor, and k brings it again.")
def once(s: float) -> float:
    return 0.1 * math.log(s) + 1


@mistake(LOGITS, "the factor appears twice in a product, so it is squared, not doubled.")
def doubled(s: float) -> float:
    return 2 * (0.1 * math.log(s) + 1)


@mistake(LOGITS, "that is t, by which the scores are divided: they grow by 1/t.")
def temperature(s: float) -> float:
    return 1 / (0.1 * math.log(s) + 1) ** 2


@mistake(LOGITS, "the scores grow by the factor's square. You took the root, or 1/√t instead of "
         "1/t.")
def root(s: float) -> float:
    return math.sqrt(0.1 * math.log(s) + 1)


@mistake(LOGITS, "log base 10 is used. ln is the natural logarithm, math.log.")
def base_ten(s: float) -> float:
    return (0.1 * math.log10(s) + 1) ** 2


@mistake(LOGITS, "only the logarithm was squared. The whole factor is: (0.1 ln s + 1)².")
def part_squared(s: float) -> float:
    return (0.1 * math.log(s)) ** 2 + 1
