"""Known wrong answers to the steps on plain steps, momentum and running averages."""

import math

from .. import mistake, wrong_number

SHRINK = "steps.descent.shrink"


@mistake(SHRINK, "that is how much of w is taken off. What is left is 1 minus it.")
def taken_off(lr: float, lam: float) -> float:
    return lr * lam


@mistake(SHRINK, "the step goes against the gradient: w − lr · λ w, so the factor has a minus.")
def uphill(lr: float, lam: float) -> float:
    return 1 + lr * lam


@mistake(SHRINK, "the gradient of ½ λ w² is λ w, not w: the curvature comes in.")
def no_curvature(lr: float, lam: float) -> float:
    return 1 - lr


@mistake(SHRINK, "the ½ was made so that the 2 of the derivative goes away: the gradient is λ w.")
def doubled(lr: float, lam: float) -> float:
    return 1 - 2 * lr * lam


@mistake(SHRINK, "the ½ was made so that the 2 of the derivative goes away: the gradient is λ w.")
def halved(lr: float, lam: float) -> float:
    return 1 - lr * lam / 2


@mistake(SHRINK, "exp(−lr λ) is what many tiny steps would give. One step is a straight line: "
         "w − lr λ w.")
def flow(lr: float, lam: float) -> float:
    return math.exp(-lr * lam)


RATE = "steps.descent.largest_rate"
wrong_number(RATE, 2, "that is the limit for the flat weight, λ = 1. The steep one, λ = 50, blows "
             "up long before.")
wrong_number(RATE, 0.02, "with 1/50 the steep weight lands on 0 in one step: factor 0. It may "
             "overshoot as long as its factor is above −1.")
wrong_number(RATE, 1, "with 1 the steep weight's factor is 1 − 50 = −49.")
wrong_number(RATE, 2 / 51, "that is the best rate, where both factors have one size. The largest "
             "is asked for: |1 − 50 lr| must not be above 1.")
wrong_number(RATE, 0.01, "the factor 1 − 50 · lr may go down to −1, not only to ½.")
wrong_number(RATE, 0.08, "with 0.08 the factor is 1 − 4 = −3. It may not go below −1.")
wrong_number(RATE, 0.06, "with 0.06 the factor is −2. It may not go below −1.")

TERMINAL = "steps.descent.terminal"


@mistake(TERMINAL, "then b would have to be g at rest. Set b = β b + g and solve for b.")
def just_g(g: float, beta: float) -> float:
    return g


@mistake(TERMINAL, "b = β b + g gives b (1 − β) = g. You multiplied where you should divide.")
def multiplied(g: float, beta: float) -> float:
    return g * (1 - beta)


@mistake(TERMINAL, "b = β b + g gives b (1 − β) = g: divide by 1 − β, not by β.")
def by_beta(g: float, beta: float) -> float:
    return g / beta


@mistake(TERMINAL, "the newest gradient counts in full, with the factor 1: the sum is "
         "1 + β + β² + …")
def one_late(g: float, beta: float) -> float:
    return beta * g / (1 - beta)


@mistake(TERMINAL, "signs: b − β b = g, so b (1 − β) = g.")
def plus(g: float, beta: float) -> float:
    return g / (1 + beta)


@mistake(TERMINAL, "after two steps b is g + β g, but it goes on: g (1 + β + β² + …).")
def two_terms(g: float, beta: float) -> float:
    return g * (1 + beta)


PATH = "steps.descent.same_path"


@mistake(PATH, "m is smaller than b, m = (1 − β) b, so its rate has to be larger.")
def smaller_still(lr: float, beta: float) -> float:
    return lr * (1 - beta)


@mistake(PATH, "the two differ: m = (1 − β) b at every step. With one rate they do not go the "
         "same way.")
def the_same(lr: float, beta: float) -> float:
    return lr


@mistake(PATH, "m = (1 − β) b. The factor to make up for is 1 − β, not β.")
def beta_itself(lr: float, beta: float) -> float:
    return lr / beta


@mistake(PATH, "the factor is there once: m = (1 − β) b, and lr · b has to become rate · m.")
def twice(lr: float, beta: float) -> float:
    return lr / (1 - beta) ** 2


NOISE = "steps.descent.noise_left"


@mistake(NOISE, "that is the factor of one gradient. Square the factors, then add them up: "
         "(1 − β)² (1 + β² + β⁴ + …).")
def one_factor(beta: float) -> float:
    return 1 - beta


@mistake(NOISE, "that is the newest gradient's share alone. The older ones add "
         "(1 − β)² (β² + β⁴ + …).")
def newest_alone(beta: float) -> float:
    return (1 - beta) ** 2


@mistake(NOISE, "that is the standard deviation. The variance is asked for.")
def deviation(beta: float) -> float:
    return math.sqrt((1 - beta) / (1 + beta))


@mistake(NOISE, "the factors sum to 1, but variances take their squares: (1 − β)² Σ β²ᵏ.")
def not_squared(beta: float) -> float:
    return 1.0


@mistake(NOISE, "Σ β²ᵏ is 1/(1 − β²), and (1 − β)² stands before it. You left that out.")
def no_front(beta: float) -> float:
    return 1 / (1 - beta**2)


@mistake(NOISE, "the squares of βᵏ are β²ᵏ, so that the sum is 1/(1 − β²), not 1/(1 − β)².")
def squared_sum(beta: float) -> float:
    return (1 - beta) / (1 - beta) ** 2


@mistake(NOISE, "you put the front factor in once: (1 − β)/(1 − β²). It is squared as well.")
def front_once(beta: float) -> float:
    return 1 / (1 + beta)


@mistake(NOISE, "the quotient is upside down: an average is quieter than what goes in.")
def upside_down(beta: float) -> float:
    return (1 + beta) / (1 - beta)
