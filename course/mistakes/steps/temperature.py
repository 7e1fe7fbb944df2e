"""Known wrong answers to the steps about temperature."""

import math

from .. import mistake, wrong_choice, wrong_value

RATIO = "steps.temperature.ratio"


@mistake(RATIO, "temperature divides the scores, not the ratios. A difference of scores stands in "
         "an exponent: exp(d/t) = exp(d) to the power 1/t.")
def divided(r: float, t: float) -> float:
    return r / t


@mistake(RATIO, "the exponent is upside down: with t above 1 this would make the ratio larger, and "
         "a high temperature flattens.")
def power_t(r: float, t: float) -> float:
    return float(r**t)


@mistake(RATIO, "the ratio does change: its logarithm is a difference of scores, and each score is "
         "divided by t.")
def unchanged(r: float, t: float) -> float:
    return r


@mistake(RATIO, "exp is there once too often: r is exp of the difference already.")
def exponential(r: float, t: float) -> float:
    return math.exp(r / t)


@mistake(RATIO, "that is the logarithm of the new ratio. Take exp of it.")
def logarithm(r: float, t: float) -> float:
    return math.log(r) / t


@mistake(RATIO, "temperature divides the scores; here the ratios are multiplied by t.")
def multiplied(r: float, t: float) -> float:
    return r * t


HAND = "steps.temperature.by_hand"
COLD, PLAIN, WARM = [0.867, 0.117, 0.016], [0.665, 0.245, 0.090], [0.506, 0.307, 0.186]
wrong_value(HAND, "multiplied", [WARM, PLAIN, COLD], "the rows for t = 0.5 and t = 2 have changed "
            "places: the scores are divided by t, so t = 0.5 doubles them.")
wrong_value(HAND, "unchanged", [PLAIN] * 3, "that is t = 1 three times. Divide the scores by t "
            "before exp.")
wrong_value(HAND, "no_exp", [[2 / 3, 1 / 3, 0.0]] * 3, "these are the scores over their sum. Take "
            "exp of each score first.")
wrong_value(HAND, "exp_first", [[14.778, 5.437, 2.0], [7.389, 2.718, 1.0], [3.695, 1.359, 0.5]],
            "that is exp(z) divided by t. t divides the score inside exp; then divide by the sum.")
wrong_value(HAND, "no_sum", [[54.598, 7.389, 1.0], [7.389, 2.718, 1.0], [2.718, 1.649, 1.0]],
            "these are the weights exp(z/t). Divide each by the sum of its row.")
wrong_value(HAND, "probabilities_divided", [[1.330, 0.489, 0.180], PLAIN, [0.333, 0.122, 0.045]],
            "that is p divided by t, which does not sum to 1. t divides the scores, before exp.")

wrong_value(HAND, "columns", [list(column) for column in zip(COLD, PLAIN, WARM, strict=True)],
            "those are the right numbers, one list for each token. Write one list for each t.")

SLOPE = "steps.temperature.p_slope"


@mistake(SLOPE, "only the numerator has been differentiated. S depends on β as well, and brings "
         "−m.")
def numerator_only(p_i: float, z_i: float, m: float) -> float:
    return p_i * z_i


@mistake(SLOPE, "that is ∂pᵢ/∂(β zᵢ) times zᵢ. β moves all scores at once, so the other scores "
         "have their part too: Σⱼ ∂pᵢ/∂(β zⱼ) · zⱼ.")
def diagonal_only(p_i: float, z_i: float, m: float) -> float:
    return p_i * (1 - p_i) * z_i


@mistake(SLOPE, "the sign is turned around: a score above the mean gains when β grows.")
def turned(p_i: float, z_i: float, m: float) -> float:
    return p_i * (m - z_i)


@mistake(SLOPE, "that is ∂(log pᵢ)/∂β. The derivative of pᵢ itself is pᵢ times this.")
def of_the_logarithm(p_i: float, z_i: float, m: float) -> float:
    return z_i - m


@mistake(SLOPE, "pᵢ stands before both terms: the quotient rule gives zᵢpᵢ − pᵢm.")
def bracket_lost(p_i: float, z_i: float, m: float) -> float:
    return p_i * z_i - m


@mistake(SLOPE, "pᵢ(1 − pᵢ) is the derivative with respect to pᵢ's own score. The quotient rule "
         "gives zᵢpᵢ − pᵢm, and the sum over the other scores is in m already.")
def own_score_and_mean(p_i: float, z_i: float, m: float) -> float:
    return p_i * (1 - p_i) * (z_i - m)


@mistake(SLOPE, "that is ∂pᵢ/∂(β zᵢ). β moves all scores at once, each by its own zⱼ.")
def own_score(p_i: float, z_i: float, m: float) -> float:
    return p_i * (1 - p_i)


ENTROPY = "steps.temperature.entropy_slope"


@mistake(ENTROPY, "the sign is turned around: −β m has the derivative −m − β v, and the m goes.")
def rising(beta: float, m: float, v: float) -> float:
    return beta * v


@mistake(ENTROPY, "β is lost: in the product β m both factors depend on β, and m's part is β · v.")
def no_beta(beta: float, m: float, v: float) -> float:
    return -v


@mistake(ENTROPY, "only log S has been differentiated. −β m has a derivative too, by the product "
         "rule.")
def first_part(beta: float, m: float, v: float) -> float:
    return m


@mistake(ENTROPY, "in −β m the factor β was differentiated and m held fixed. m depends on β as "
         "well.")
def mean_held(beta: float, m: float, v: float) -> float:
    return 0.0


@mistake(ENTROPY, "in −β m the mean was differentiated and the factor β was not: the product rule "
         "has two terms, and −m cancels the m of log S.")
def mean_left(beta: float, m: float, v: float) -> float:
    return m - beta * v


@mistake(ENTROPY, "the derivative of log S is missing: it is +m, and cancels the −m.")
def log_lost(beta: float, m: float, v: float) -> float:
    return -m - beta * v


wrong_choice("steps.temperature.limit", "a", "the two largest scores are equal, so their ratio is "
             "1, and 1 to any power stays 1: neither can win.")
wrong_choice("steps.temperature.limit", "c", "that is the other end, t → ∞, where all ratios go to "
             "1. As t → 0 a ratio below 1 goes to 0.")
wrong_choice("steps.temperature.limit", "d", "the scores grow without bound, but softmax looks at "
             "differences only: after the shift by the largest one nothing overflows.")
