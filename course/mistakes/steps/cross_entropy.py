"""Known wrong answers to the steps that derive the cross-entropy gradient."""

import math

from .. import mistake, wrong_choice, wrong_number

LOSS = "steps.cross_entropy.token_loss"


@mistake(LOSS, "the sign is turned around: that is log p_y. −log(a/b) = log b − log a.")
def log_p(z_y: float, S: float) -> float:
    return z_y - math.log(S)


@mistake(LOSS, "this is −log z_y: a score is not a probability, and it may be negative. Put "
         "p_y = exp(z_y)/S into the log.")
def log_of_the_score(z_y: float, S: float) -> float:
    return -math.log(z_y)


@mistake(LOSS, "this is p_y itself. The loss is −log of it.")
def the_probability(z_y: float, S: float) -> float:
    return math.exp(z_y) / S


@mistake(LOSS, "that is in bits, or mixes two bases: with exp in the softmax the log has base e.")
def base_two(z_y: float, S: float) -> float:
    return (math.log(S) - z_y) / math.log(2)


@mistake(LOSS, "log₂ of S and a score in nats do not go together: with exp in the softmax the log "
         "has base e.")
def two_bases(z_y: float, S: float) -> float:
    return math.log2(S) - z_y


@mistake(LOSS, "log S is missing: −z_y alone can be made as low as one likes by raising every "
         "score.")
def score_only(z_y: float, S: float) -> float:
    return -z_y


@mistake(LOSS, "the log of a quotient is a difference of logs: log(a/b) = log a − log b. Here S "
         "still stands outside the log.")
def no_log(z_y: float, S: float) -> float:
    return S - z_y


@mistake(LOSS, "log exp(z_y) is z_y: the exp is still there.")
def exp_left(z_y: float, S: float) -> float:
    return math.log(S) - math.exp(z_y)


@mistake(LOSS, "p_y is exp(z_y)/S: the exp has been forgotten, so you took the log of z_y/S.")
def exp_forgotten(z_y: float, S: float) -> float:
    return -math.log(z_y / S)


@mistake(LOSS, "the log of a quotient is a difference: −log(exp(z_y)/S) = log S − z_y.")
def added(z_y: float, S: float) -> float:
    return math.log(S) + z_y


@mistake(LOSS, "S − z_y stands inside the log. −log(exp(z_y)/S) = log S − z_y: the log of a "
         "quotient is a difference of logs.")
def log_of_the_difference(z_y: float, S: float) -> float:
    return math.log(S - z_y)


@mistake(LOSS, "p_y is exp(z_y)/S, and the loss is −log of it: the exp and the minus are missing.")
def exp_and_sign_forgotten(z_y: float, S: float) -> float:
    return math.log(z_y / S)


DIVISOR = "steps.cross_entropy.divisor"
wrong_number(DIVISOR, 10, "that is every token. An ignored one adds nothing to the sum, so it may "
             "not count in the number either.")
wrong_number(DIVISOR, 3, "those are the ignored tokens. The mean runs over the kept ones.")
wrong_number(DIVISOR, 2, "that is the number of sequences. Every kept token is an example of its "
             "own.")
wrong_number(DIVISOR, 5, "that is the length of a sequence. Every kept token of both sequences is "
             "an example of its own.")
wrong_number(DIVISOR, 9, "that is the number of classes. The sum over classes is inside each "
             "token's loss already; the mean runs over tokens.")
wrong_number(DIVISOR, 4, "those are the kept tokens of the first sequence. Every kept token of the "
             "batch counts.")
wrong_number(DIVISOR, 90, "that is every logit of the batch. One loss belongs to a token, not to a "
             "logit.")
wrong_number(DIVISOR, 63, "that is every logit of the kept tokens. One loss belongs to a token, "
             "not to a logit.")
wrong_number(DIVISOR, 1, "dividing by 1 leaves the sum, which grows with the batch. The mean "
             "divides by the number of kept tokens.")

UNIFORM = "steps.cross_entropy.uniform_loss"


@mistake(UNIFORM, "the sign is turned around: p = 1/V, and −log(1/V) is positive.")
def negative(V: float) -> float:
    return -math.log(V)


@mistake(UNIFORM, "that is in bits. The loss is in nats, so the log has base e.")
def bits(V: float) -> float:
    return math.log2(V)


@mistake(UNIFORM, "log base 10: the loss is in nats, so the log has base e (math.log).")
def base_ten(V: float) -> float:
    return math.log10(V)


@mistake(UNIFORM, "1/V is the probability of each token. The loss is −log of it.")
def the_probability_of_each(V: float) -> float:
    return 1 / V


@mistake(UNIFORM, "V is exp of the loss, its perplexity. The loss is −log(1/V).")
def perplexity(V: float) -> float:
    return V


@mistake(UNIFORM, "only the target's term counts, −log(1/V). Averaging it over V classes divides "
         "it once too often.")
def averaged(V: float) -> float:
    return math.log(V) / V


@mistake(UNIFORM, "only the target's term counts, −log(1/V). You added it up over all V classes.")
def added_up(V: float) -> float:
    return V * math.log(V)


@mistake(UNIFORM, "that is 1 − p, the chance to be wrong. The loss is −log p.")
def chance_to_be_wrong(V: float) -> float:
    return 1 - 1 / V


SLOPE = "steps.cross_entropy.log_sum_slope"


@mistake(SLOPE, "that is the derivative of S. The log in front brings the factor 1/S.")
def inner_only(z_i: float, S: float) -> float:
    return math.exp(z_i)


@mistake(SLOPE, "that is the derivative of log S to S. S depends on zᵢ through exp(zᵢ), which is "
         "the other factor.")
def outer_only(z_i: float, S: float) -> float:
    return 1 / S


@mistake(SLOPE, "the derivative of exp(zᵢ) is exp(zᵢ) itself, not zᵢ.")
def exp_lost(z_i: float, S: float) -> float:
    return z_i / S


@mistake(SLOPE, "that is ∂pᵢ/∂zᵢ. Here log S is differentiated, whose derivative is pᵢ itself.")
def of_the_probability(z_i: float, S: float) -> float:
    return math.exp(z_i) / S * (1 - math.exp(z_i) / S)


@mistake(SLOPE, "the sign is turned around: a larger score makes S larger.")
def falling(z_i: float, S: float) -> float:
    return -math.exp(z_i) / S


@mistake(SLOPE, "the quotient is upside down: the inner derivative exp(zᵢ) stands above, S below.")
def upside_down(z_i: float, S: float) -> float:
    return S / math.exp(z_i)


@mistake(SLOPE, "you left out the derivative: that is log pᵢ, not what log S changes by.")
def log_of_p(z_i: float, S: float) -> float:
    return z_i - math.log(S)


@mistake(SLOPE, "the derivative of log S to S is 1/S, and not 1/log S.")
def divided_by_the_log(z_i: float, S: float) -> float:
    return math.exp(z_i) / math.log(S)


GRAD = "steps.cross_entropy.logit_slope"


@mistake(GRAD, "the sign is turned around. The part of log S is +pᵢ, the part of −z_y is −1 at the "
         "target; a step along y − p would raise the loss.")
def truth_minus_prediction(p_i: float, y_i: float) -> float:
    return y_i - p_i


@mistake(GRAD, "the part of −z_y is missing: −1 where yᵢ is 1.")
def p_alone(p_i: float, y_i: float) -> float:
    return p_i


@mistake(GRAD, "−1 belongs to the target only; elsewhere −z_y does not depend on zᵢ.")
def one_off_everywhere(p_i: float, y_i: float) -> float:
    return p_i - 1


@mistake(GRAD, "that is ∂pᵢ/∂zᵢ. The log takes the factor p away again.")
def derivative_of_p(p_i: float, y_i: float) -> float:
    return p_i * (1 - p_i)


@mistake(GRAD, "the two parts are added with the same sign. −z_y falls when z_y grows.")
def both_positive(p_i: float, y_i: float) -> float:
    return p_i + y_i


@mistake(GRAD, "this is 0 off the target. Every score stands in S, so every score gets pᵢ.")
def target_alone(p_i: float, y_i: float) -> float:
    return y_i * (p_i - 1)


@mistake(GRAD, "this is 0 at the target. There the two parts give p − 1: its score has to rise.")
def others_alone(p_i: float, y_i: float) -> float:
    return p_i * (1 - y_i)


@mistake(GRAD, "the factor p(1 − p) belongs to a squared error after a sigmoid. Here both parts "
         "are already derivatives to zᵢ: add them up.")
def with_the_slope_of_p(p_i: float, y_i: float) -> float:
    return (p_i - y_i) * p_i * (1 - p_i)


@mistake(GRAD, "that is the derivative of −Σ y log p to pᵢ. One more link leads to the score zᵢ.")
def to_the_probability(p_i: float, y_i: float) -> float:
    return -y_i / p_i


@mistake(GRAD, "that is right for its size, but a slope has a sign: at the target it is p − 1, "
         "below 0.")
def size_only(p_i: float, y_i: float) -> float:
    return abs(p_i - y_i)


wrong_choice("steps.cross_entropy.moves", "a", "the target's entry is p_y − 1 < 0, and the step "
             "goes against the gradient: −(negative).")
wrong_choice("steps.cross_entropy.moves", "b", "the others stand in log Σ exp(z), so their entries "
             "are pᵢ and not 0: a step against the gradient lowers them.")
wrong_choice("steps.cross_entropy.moves", "d", "pᵢ is positive for every wrong class, however "
             "small: a step against the gradient lowers all of them.")

SQUARED = "steps.cross_entropy.squared_slope"


@mistake(SQUARED, "this is the derivative to p. z comes before it: multiply by dp/dz of the "
         "sigmoid.")
def to_the_prediction(p: float, y: float) -> float:
    return p - y


@mistake(SQUARED, "this is dp/dz alone. The derivative of the square, p − y, is the other factor.")
def sigmoid_only(p: float, y: float) -> float:
    return p * (1 - p)


@mistake(SQUARED, "the sigmoid's derivative is p(1 − p); the factor 1 − p is missing.")
def one_factor(p: float, y: float) -> float:
    return (p - y) * p


@mistake(SQUARED, "the sigmoid's derivative is p(1 − p); the factor p is missing.")
def other_factor(p: float, y: float) -> float:
    return (p - y) * (1 - p)


@mistake(SQUARED, "the sign is turned around: the derivative of (p − y)² to p is positive where "
         "p > y.")
def sign(p: float, y: float) -> float:
    return (y - p) * p * (1 - p)


@mistake(SQUARED, "the 2 from the square and the ½ in front cancel.")
def twice(p: float, y: float) -> float:
    return 2 * (p - y) * p * (1 - p)


@mistake(SQUARED, "the square has not been differentiated: (p − y)² becomes 2(p − y).")
def square_left(p: float, y: float) -> float:
    return 0.5 * (p - y) ** 2 * p * (1 - p)


@mistake(SQUARED, "the ½ in front and the 2 from the square cancel: no half is left.")
def half(p: float, y: float) -> float:
    return 0.5 * (p - y) * p * (1 - p)


@mistake(SQUARED, "the slope of the sigmoid is p(1 − p), with its own result; y is the truth and "
         "has no part in it.")
def slope_of_the_truth(p: float, y: float) -> float:
    return (p - y) * y * (1 - y)


@mistake(SQUARED, "outer and inner derivative are multiplied, not added: the chain rule.")
def derivatives_added(p: float, y: float) -> float:
    return (p - y) + p * (1 - p)
