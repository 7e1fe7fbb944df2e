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


@mistake(TURNS, "360 makes a turn of degrees. θ is in radians, and 2π of them make a turn.")
def of_degrees(theta: float, L: float) -> float:
    return L * theta / 360


@mistake(TURNS, "θ already is an angle per position, so more positions mean more turns: multiply "
         "by L.")
def divided_by_length(theta: float, L: float) -> float:
    return theta / (2 * math.pi * L)


@mistake(TURNS, "that is the part of a turn made in one position. There are L of them.")
def in_one_position(theta: float, L: float) -> float:
    return theta / (2 * math.pi)


@mistake(TURNS, "this divides by 2 and multiplies by π. 2π needs brackets.")
def no_brackets(theta: float, L: float) -> float:
    return L * theta / 2 * math.pi


@mistake(TURNS, "multiplied by 2π, not divided: L θ radians are L θ / 2π turns.")
def times_two_pi(theta: float, L: float) -> float:
    return L * theta * 2 * math.pi


@mistake(TURNS, "L positions divided by θ are no angle. θ is an angle for one position: multiply.")
def divided_by_theta(theta: float, L: float) -> float:
    return L / (theta * 2 * math.pi)


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


@mistake(SLOWING, "the power comes before the product: ratio ** 2 * i / Dh is (ratio²) · i / Dh. "
         "The exponent needs brackets.")
def no_brackets_there(ratio: float, i: float, Dh: float) -> float:
    return ratio ** 2 * i / Dh


@mistake(SLOWING, "a factor 2 too many: the exponent is 2i/Dh, or i over Dh/2.")
def twice(ratio: float, i: float, Dh: float) -> float:
    return float(ratio ** (4 * i / Dh))


@mistake(SLOWING, "that is new over old, and for every pair. The question is for old over new, at "
         "pair i.")
def one_over_ratio(ratio: float, i: float, Dh: float) -> float:
    return 1 / ratio


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


@mistake(EXPONENT, "that is what the exponent has above 1: Dh/(Dh − 2) = 1 + 2/(Dh − 2).")
def above_one(Dh: float) -> float:
    return 2 / (Dh - 2)


@mistake(EXPONENT, "Python divides before it subtracts: Dh − 2 needs brackets.")
def divided_first(Dh: float) -> float:
    return Dh / Dh - 2


@mistake(EXPONENT, "the denominator is Dh − 2, since the slowest pair has 2i = Dh − 2.")
def plus_two(Dh: float) -> float:
    return Dh / (Dh + 2)


@mistake(EXPONENT, "1 + 2/Dh is near for a wide head, but x (Dh − 2)/Dh has to be exactly 1.")
def nearly(Dh: float) -> float:
    return 1 + 2 / Dh


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


@mistake(RAMP, "this is α/(β − α) too large: a line that is 0 at α starts with r − α.")
def alpha_stays(r: float, alpha: float, beta: float) -> float:
    return r / (beta - alpha)


@mistake(RAMP, "this is −1 at α and 0 at β. Count the turns from α, not from β.")
def from_the_other_end(r: float, alpha: float, beta: float) -> float:
    return (r - beta) / (beta - alpha)


@mistake(RAMP, "this falls: β − α, not α − β, is the span.")
def span_turned(r: float, alpha: float, beta: float) -> float:
    return (r - alpha) / (alpha - beta)


@mistake(RAMP, "only the second part is divided, and by β alone. r − α and β − α need brackets.")
def without_any_brackets(r: float, alpha: float, beta: float) -> float:
    return r - alpha / beta - alpha


@mistake(RAMP, "the denominator is how far it is from α to β: β − α.")
def betas_added(r: float, alpha: float, beta: float) -> float:
    return (r - alpha) / (beta + alpha)


@mistake(RAMP, "this line is one in 1/r, the wavelength. The ramp of the paper is a line in r.")
def in_wavelengths(r: float, alpha: float, beta: float) -> float:
    return (1 / alpha - 1 / r) / (1 / alpha - 1 / beta)


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


@mistake(LOGITS, "that is √t, the inverse of what one of the two gets. q and k grow, and the "
         "scores by 1/t.")
def root_of_t(s: float) -> float:
    return 1 / (0.1 * math.log(s) + 1)


@mistake(LOGITS, "(1 + a)² is 1 + 2a + a². Its last part has been left out.")
def without_the_last_part(s: float) -> float:
    return 1 + 0.2 * math.log(s)


@mistake(LOGITS, "log base 2 was taken. ln is the natural logarithm, math.log.")
def base_two(s: float) -> float:
    return (0.1 * math.log2(s) + 1) ** 2


@mistake(LOGITS, "the 1 has been lost: the factor is 0.1 ln s + 1, and nothing grows for s = 1.")
def one_lost(s: float) -> float:
    return (0.1 * math.log(s)) ** 2


@mistake(LOGITS, "the 1 is multiplied by 0.1 as well. The factor is 0.1 ln s, plus 1.")
def one_inside(s: float) -> float:
    return (0.1 * (math.log(s) + 1)) ** 2


@mistake(LOGITS, "only the logarithm was squared, without its 0.1. The whole factor is: "
         "(0.1 ln s + 1)².")
def logarithm_squared(s: float) -> float:
    return 0.1 * math.log(s) ** 2 + 1
