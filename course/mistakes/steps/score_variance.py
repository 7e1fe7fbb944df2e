"""Known wrong answers to the steps that find the size of a score."""

import math

from .. import mistake, wrong_choice, wrong_number

NEEDED = "steps.score_variance.needed"
wrong_choice(NEEDED, "a", "it is needed: with a mean of μ each product has the mean μ², and d of "
             "them add up: step 5 gave dμ².")
wrong_choice(NEEDED, "b", "it is needed: with a variance of 4 every product has the variance 16.")
wrong_choice(NEEDED, "c", "it is needed: take k = q, and the score is a sum of squares, far from "
             "mean 0.")

MEAN = "steps.score_variance.mean_score"


@mistake(MEAN, "independence gives E[qᵢkᵢ] = E[qᵢ]·E[kᵢ], and that is 0 only if a mean is 0. Here "
         "both are μ.")
def always_zero(d: float, mu: float) -> float:
    return 0.0


@mistake(MEAN, "two means are multiplied, that of qᵢ and that of kᵢ: μ², not μ.")
def one_mean(d: float, mu: float) -> float:
    return d * mu


@mistake(MEAN, "that is the mean of one product. A score is the sum of d of them.")
def one_product_only(d: float, mu: float) -> float:
    return mu**2


@mistake(MEAN, "the mean of a sum is the sum of the means, so d counts once.")
def d_squared(d: float, mu: float) -> float:
    return (d * mu) ** 2


@mistake(MEAN, "1 + μ² is E[qᵢ²], the mean of a square. q and k are two different numbers.")
def mean_of_a_square(d: float, mu: float) -> float:
    return d * (1 + mu**2)


@mistake(MEAN, "two means are multiplied, not added: E[qᵢkᵢ] = E[qᵢ]·E[kᵢ].")
def means_added(d: float, mu: float) -> float:
    return 2 * d * mu


ONE = "steps.score_variance.one_product"
wrong_number(ONE, 2, "you added the variances. Variances add for a sum; here two independent "
             "zero-mean numbers are multiplied, and then E[q²k²] = E[q²]·E[k²].")
wrong_number(ONE, 0, "0 is the mean of the product. Its variance is E[(qk)²] − 0².")
wrong_number(ONE, 3, "3 is E[q⁴] for a normal q: you let k be q itself. They are independent, so "
             "E[q²k²] = E[q²]·E[k²].")
wrong_number(ONE, 64, "that is for a sum of 64 products. Here a single one is asked for.")
wrong_number(ONE, 0.5, "nothing is shared out: E[q²k²] = E[q²]·E[k²], and both are 1.")
wrong_number(ONE, 4, "E[q²] is the variance, 1, since the mean is 0. Multiply the two of them.")

SHIFTED = "steps.score_variance.shifted_product"
wrong_number(SHIFTED, 1, "that was for mean 0. Now E[q²] is 1 + 0.25, and the mean of the product "
             "is no longer 0 either.")
wrong_number(SHIFTED, 1.5625, "that is E[q²k²] = 1.25². The variance is that minus the square of "
             "the mean of qk.")
wrong_number(SHIFTED, 1.25, "that is E[q²] = variance + mean². The product needs E[q²]·E[k²], and "
             "then the square of its own mean comes off.")
wrong_number(SHIFTED, 0.0625, "that is the square of the mean of qk. It is taken off E[q²k²].")
wrong_number(SHIFTED, 1.3125, "you took off the mean of qk, 0.25. Its square comes off.")
wrong_number(SHIFTED, 1.0625, "that is 1 plus the square of the mean of qk. The variance is "
             "E[q²]·E[k²] minus that square, and E[q²] is 1.25.")
wrong_number(SHIFTED, 2.5, "you added E[q²] and E[k²]. They are multiplied, and then the square of "
             "the mean of qk comes off.")
wrong_number(SHIFTED, 0.9375, "you took E[q²] for 1. It is variance + mean² = 1.25.")

STD = "steps.score_variance.std_of_8"
wrong_choice(STD, "a", "the standard deviation is a typical distance from the mean, which is 0. "
             "Scores are spread on both sides of 0, most of them nearer than 8.")
wrong_choice(STD, "c", "a third of the scores lie farther out than one standard deviation.")

DIVISOR = "steps.score_variance.divisor"


@mistake(DIVISOR, "dividing by c divides the variance by c². With c = d the variance is 1/d: at "
         "d = 64 the scores have a standard deviation of 0.125.")
def by_d(d: float) -> float:
    return d


@mistake(DIVISOR, "dividing by c divides the variance by c². With the fourth root the variance is "
         "still √d.")
def fourth_root(d: float) -> float:
    return math.sqrt(math.sqrt(d))


@mistake(DIVISOR, "dividing by c divides the variance by c², so c² has to be d.")
def d_squared_again(d: float) -> float:
    return d**2


@mistake(DIVISOR, "that is what to multiply with. c is the number to divide by.")
def the_factor(d: float) -> float:
    return 1 / math.sqrt(d)


@mistake(DIVISOR, "the variance has to become 1, and that is a variance of d divided by c² = d. "
         "2√d leaves 1/4.")
def twice_the_root(d: float) -> float:
    return 2 * math.sqrt(d)


@mistake(DIVISOR, "dividing by 1/d multiplies by d. c² has to be d.")
def one_by_d(d: float) -> float:
    return 1 / d


SMALL = "steps.score_variance.small_model"
wrong_number(SMALL, math.sqrt(128), "that is √D. The sum in a score runs over one head, which has "
             "128 / 4 entries; √D would make the scores half as large as they should be.")
wrong_number(SMALL, 8, "8 is for a head of 64. Here a head has 128 / 4 entries.")
wrong_number(SMALL, 32, "that is the number of entries of a head. The divisor is its root.")
wrong_number(SMALL, 2, "that is the root of the number of heads. The divisor is the root of the "
             "width of one head.")
wrong_number(SMALL, 4, "that is the number of heads. The divisor is the root of the width of one "
             "head.")
wrong_number(SMALL, math.sqrt(128) / 4, "the width is divided by the heads first, and then comes "
             "the root.")
wrong_number(SMALL, 128, "the sum in a score runs over one head, 128 / 4 entries, and the divisor "
             "is a root.")
wrong_number(SMALL, 1 / math.sqrt(32), "that is the factor. The number to divide by is asked for.")
wrong_number(SMALL, math.sqrt(512), "the heads share the width: each has 128 / 4 entries, not "
             "128 · 4.")

ENTROPY = "steps.score_variance.entropy"
wrong_number(ENTROPY, math.log(2), "that is the entropy in nats. Divide by ln 4, that of four "
             "equal weights.")
wrong_number(ENTROPY, 1, "that is the entropy in bits, or that of equal weights. Divide by the "
             "entropy of four equal weights, in the same unit.")
wrong_number(ENTROPY, math.log(2) / 2, "nats above and bits below: ln 2 divided by log₂ 4. Take "
             "the same logarithm twice.")
wrong_number(ENTROPY, 1 / math.log(4), "bits above and nats below. Take the same logarithm twice.")
wrong_number(ENTROPY, 2, "the quotient is upside down: the entropy of the row stands above.")
wrong_number(ENTROPY, math.log(4), "that is the entropy of four equal weights, which stands below.")
wrong_number(ENTROPY, -0.5, "the entropy is −Σ p ln p, and ln p is negative.")
wrong_number(ENTROPY, 0.25, "one term is missing: both weights of ½ count.")

BEST = "steps.score_variance.best_entropy"
wrong_choice(BEST, "a", "without a scale the row is nearly one-hot by chance, before anything has "
             "been learned, and the softmax hardly answers to most of its scores.")
wrong_choice(BEST, "b", "an entropy near 1 means that every key gets the same, whatever the query "
             "asks: nothing has been chosen. A model would first have to make its scores larger.")

SLOPE = "steps.score_variance.query_slope"


@mistake(SLOPE, "the factor 1/c is missing. The score was divided by c on the way forward, so the "
         "gradient is on the way back.")
def no_divisor(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return ds_1 * k_1 + ds_2 * k_2


@mistake(SLOPE, "only the second term is divided by c: brackets are missing.")
def one_term_divided(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return ds_1 * k_1 + ds_2 * k_2 / c


@mistake(SLOPE, "the keys are missing: the derivative of q·k_j/c to q is k_j/c.")
def no_keys(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (ds_1 + ds_2) / c


@mistake(SLOPE, "the gradient is multiplied by c. The derivative of q·k/c to q is k/c.")
def multiplied(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (ds_1 * k_1 + ds_2 * k_2) * c


@mistake(SLOPE, "only the first key is counted. The query stands in both scores.")
def first_key(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return ds_1 * k_1 / c


@mistake(SLOPE, "the two contributions are added, not averaged: the query stands in both scores.")
def averaged(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (ds_1 * k_1 + ds_2 * k_2) / c / 2


@mistake(SLOPE, "each score passes its gradient on through its own key, ds_j · k_j.")
def sums_multiplied(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (ds_1 + ds_2) * (k_1 + k_2) / c


@mistake(SLOPE, "you divided by c². The derivative of q·k/c to q is k/c.")
def divided_twice(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (ds_1 * k_1 + ds_2 * k_2) / c**2


@mistake(SLOPE, "the keys have changed places: score 1 was made with k_1.")
def keys_changed(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (ds_1 * k_2 + ds_2 * k_1) / c


@mistake(SLOPE, "c is the divisor itself, as it stands in s = q·k/c. No root is taken of it.")
def root_of_c(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (ds_1 * k_1 + ds_2 * k_2) / math.sqrt(c)


@mistake(SLOPE, "that is the slope of both scores together. Each is multiplied by the gradient "
         "that arrives at it.")
def keys_alone(ds_1: float, ds_2: float, k_1: float, k_2: float, c: float) -> float:
    return (k_1 + k_2) / c


AT_64 = "steps.score_variance.gradient_at_64"
wrong_choice(AT_64, "a", "look at the rows of d = 64: the gradient to the scores is smaller, and "
             "the one to the query is larger than with the scale.")
wrong_choice(AT_64, "c", "look at the row of d = 1024: more than half of the queries hardly get a "
             "gradient any more.")

ALIGNED = "steps.score_variance.aligned_mean"


@mistake(ALIGNED, "that was for independent q and k. Here each product is q·(ρq + noise), and the "
         "mean of ρq² is ρ.")
def independent(d: float, rho: float) -> float:
    return 0.0


@mistake(ALIGNED, "means add up to d·ρ; a root comes in with standard deviations only.")
def root(d: float, rho: float) -> float:
    return rho * math.sqrt(d)


@mistake(ALIGNED, "ρ stands in k once, so it counts once: E[q·ρq] = ρ E[q²].")
def rho_squared(d: float, rho: float) -> float:
    return rho**2 * d


@mistake(ALIGNED, "that is the mean of one product. A score is the sum of d of them.")
def one_term(d: float, rho: float) -> float:
    return rho


@mistake(ALIGNED, "the noise is counted too. It has mean 0 and knows nothing of q, so E[q · noise] "
         "is 0.")
def noise_counted(d: float, rho: float) -> float:
    return d * (rho + math.sqrt(1 - rho**2))


@mistake(ALIGNED, "that is for k = q, ρ = 1. The factor ρ is missing.")
def as_if_equal(d: float, rho: float) -> float:
    return d


POWER = "steps.score_variance.aligned_divisor"
wrong_choice(POWER, "b", "the mean is ρd. Divided by √d it is ρ√d, and that still grows.")
wrong_choice(POWER, "c", "the mean is ρd, so it grows with d unless something is done about it.")

START = "steps.score_variance.variance_at_start"
wrong_number(START, 0.0004, "that is the variance of one weight. An entry of q is a sum of D = 128 "
             "products, each of variance 1 · 0.0004.")
wrong_number(START, 127 * 0.0004, "127 products are added. An entry of q has one for each of the "
             "D = 128 entries of x.")
wrong_number(START, 0.02, "that is the standard deviation of one weight. An entry of q is a sum of "
             "D products, and variances are asked for.")
wrong_number(START, math.sqrt(0.0512), "that is the standard deviation. The variance is asked for.")
wrong_number(START, 128 * 0.02, "the weight's standard deviation has to be squared before the 128 "
             "variances are added up.")
wrong_number(START, 32 * 0.0004, "the sum of an entry runs over the D = 128 entries of x, not over "
             "the 32 of a head.")
wrong_number(START, 1, "that is the variance of the entries of x. The weights are small, and so is "
             "what comes out.")
wrong_number(START, 128, "that would be for weights of variance 1. They have 0.02².")
