"""Known wrong answers to the steps about SwiGLU."""

from .. import mistake, wrong_choice, wrong_number

PLAIN = "steps.swiglu.plain_weights"


@mistake(PLAIN, "that is one matrix, d × 4d. There are two: up and down.")
def one_matrix(d: float) -> float:
    return 4 * d**2


@mistake(PLAIN, "that is attention with its four d × d matrices and the feed-forward together.")
def whole_block(d: float) -> float:
    return 12 * d**2


@mistake(PLAIN, "that is a square of the hidden width. The matrices go from d to 4d and back.")
def hidden_squared(d: float) -> float:
    return 16 * d**2


@mistake(PLAIN, "the biases are in it. The question leaves them out.")
def with_biases(d: float) -> float:
    return 8 * d**2 + 5 * d


@mistake(PLAIN, "that is a count of units, not of weights: a matrix from d to 4d has d · 4d.")
def no_square(d: float) -> float:
    return 8 * d


GATED = "steps.swiglu.gated_weights"


@mistake(GATED, "two matrices are counted. There are three: gate, up and down.")
def two_matrices(d: float, f: float) -> float:
    return 2 * d * f


@mistake(GATED, "three matrices, but the one that leads down goes from f to d and not to f.")
def down_square(d: float, f: float) -> float:
    return 2 * d * f + f * f


@mistake(GATED, "gate and up make 2f columns, but they are multiplied entry by entry: f columns "
         "reach the last matrix.")
def wide_down(d: float, f: float) -> float:
    return 4 * d * f


@mistake(GATED, "the biases are in it. The question leaves them out.")
def gated_with_biases(d: float, f: float) -> float:
    return 3 * d * f + 2 * f + d


@mistake(GATED, "f is an argument of its own: the width has not been chosen yet.")
def of_width_4d(d: float, f: float) -> float:
    return 12 * d**2


WIDTH = "steps.swiglu.width"


@mistake(WIDTH, "three matrices are more than two, so each has to be smaller: 4d times 2/3, not "
                "3/2.")
def upside_down(d: float) -> float:
    return 6 * d


@mistake(WIDTH, "that would be right for four matrices: 4df = 8d². There are three.")
def four_matrices(d: float) -> float:
    return 2 * d


@mistake(WIDTH, "that is the width of the plain layer. With three matrices it costs 12d².")
def plain_width(d: float) -> float:
    return 4 * d


@mistake(WIDTH, "3df = 8d²: a d is left on the right when you divide by 3d.")
def without_d(d: float) -> float:
    return 8 / 3


@mistake(WIDTH, "3df = 8d²: one d cancels.")
def with_d_squared(d: float) -> float:
    return 8 * d**2 / 3


@mistake(WIDTH, "this matches one d × 4d matrix, 4d². The plain layer has two: 8d².")
def half(d: float) -> float:
    return 4 * d / 3


LLAMA = "steps.swiglu.llama_width"
wrong_number(LLAMA, 10923, "that is rounded to a whole number. It has to be a multiple of 256.")
wrong_number(LLAMA, 10922, "that is rounded down to a whole number. It has to be the next multiple "
             "of 256.")
wrong_number(LLAMA, 10752, "that is the multiple of 256 below. The next one above is taken.")
wrong_number(LLAMA, 10880, "that is the nearest multiple of 128. The multiple is of 256, upwards.")
wrong_number(LLAMA, 11264, "that is one multiple too far: 10922.67 is above 42 · 256 and below "
             "43 · 256.")
wrong_number(LLAMA, 16384, "that is 4d, the plain width.")
wrong_number(LLAMA, 43, "that is how many times 256 it is.")

EXCESS = "steps.swiglu.excess"
wrong_number(EXCESS, 0.0078125, "that is the share itself. It is asked for in percent.")
wrong_number(EXCESS, 100.78125, "that is the whole width in percent of 8d/3. How much is it "
                                "*more*?")
wrong_number(EXCESS, 85.3333, "that is the difference of the two widths. Divide it by the exact "
                              "one.")
wrong_number(EXCESS, 0.775194, "that is the difference as a share of the larger width, 11008. More "
             "than what? Divide by the exact one, 10922.67.")
wrong_number(EXCESS, 2.34375, "that adds the share up three times. All three matrices grow by the "
             "same share, and so does their sum.")
wrong_number(EXCESS, 1.5686, "the width comes in once in each matrix, not squared.")

wrong_choice("steps.swiglu.gate", "b", "that is what the comment says. Let fc1(x) go to −∞: then "
             "the product is 0 whatever fc2 says. Which of the two has decided?")
wrong_choice("steps.swiglu.gate", "c", "fc3 maps the product back to width d, after everything has "
             "been decided.")
wrong_choice("steps.swiglu.gate", "d", "the product is symmetric, but SiLU stands on one of the "
                                       "two "
             "only. That one can shut a channel for a whole range of inputs.")

UP = "steps.swiglu.up_gradient"


@mistake(UP, "h = silu(g)·u, and silu(g) is g·σ(g). The factor g is missing.")
def sigmoid_gate(dh: float, g: float, u: float, s: float) -> float:
    return dh * s


@mistake(UP, "g goes through SiLU before it meets u: the factor is silu(g) = g·s, not g.")
def bilinear(dh: float, g: float, u: float, s: float) -> float:
    return dh * g


@mistake(UP, "that is h times dh. h is u times a factor, and the slope is the factor alone.")
def times_u(dh: float, g: float, u: float, s: float) -> float:
    return dh * g * s * u


@mistake(UP, "that is how the gate's gradient looks. Here g is held and u moves: the slope is "
         "silu(g).")
def other_branch(dh: float, g: float, u: float, s: float) -> float:
    return dh * u * s * (1 + g * (1 - s))


@mistake(UP, "silu(g) is held here, so its slope does not come in: u is multiplied by silu(g) "
         "itself.")
def slope_of_silu(dh: float, g: float, u: float, s: float) -> float:
    return dh * s * (1 + g * (1 - s))


@mistake(UP, "the gradient that comes from above is missing: multiply with dh.")
def no_dh(dh: float, g: float, u: float, s: float) -> float:
    return g * s


GATE = "steps.swiglu.gate_gradient"


@mistake(GATE, "s(1 − s) is the slope of the sigmoid. SiLU is g times the sigmoid: "
         "s(1 + g(1 − s)).")
def slope_of_the_sigmoid(dh: float, g: float, u: float, s: float) -> float:
    return dh * u * s * (1 - s)


@mistake(GATE, "u is missing: it multiplies silu(g), so it multiplies the slope too.")
def no_u(dh: float, g: float, u: float, s: float) -> float:
    return dh * s * (1 + g * (1 - s))


@mistake(GATE, "that is the gradient to u. Here u is held and g moves: silu has to be "
         "differentiated.")
def gradient_to_u(dh: float, g: float, u: float, s: float) -> float:
    return dh * g * s


@mistake(GATE, "SiLU is passed as if it were the identity: its slope is missing.")
def no_slope(dh: float, g: float, u: float, s: float) -> float:
    return dh * u


@mistake(GATE, "the sigmoid is treated as a constant. It depends on g as well: the slope is "
         "s(1 + g(1 − s)).")
def constant_sigmoid(dh: float, g: float, u: float, s: float) -> float:
    return dh * u * s


@mistake(GATE, "the first term of silu′ is missing: s + g·s(1 − s).")
def second_term(dh: float, g: float, u: float, s: float) -> float:
    return dh * u * g * s * (1 - s)


@mistake(GATE, "the gradient that comes from above is missing: multiply with dh.")
def without_dh(dh: float, g: float, u: float, s: float) -> float:
    return u * s * (1 + g * (1 - s))
