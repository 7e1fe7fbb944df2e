"""Known wrong answers to the steps that derive AdamW."""

import math

from .. import mistake, wrong_choice, wrong_number

WEIGHT = "steps.adamw.weight_of"


@mistake(WEIGHT, "the front factor is missing: a gradient comes in as (1 − β) g and fades from "
         "there.")
def no_front(beta: float, i: int, t: int) -> float:
    return beta ** (t - i)


@mistake(WEIGHT, "that is what stands before the newest gradient. One from step i has been "
         "multiplied by β at each of the t − i steps since.")
def never_fades(beta: float, i: int, t: int) -> float:
    return 1 - beta


@mistake(WEIGHT, "g_i is not multiplied by β at its own step, only at the t − i steps after it.")
def one_more(beta: float, i: int, t: int) -> float:
    return (1 - beta) * beta ** (t - i + 1)


@mistake(WEIGHT, "count the steps since i: there are t − i, not i. Older gradients weigh less.")
def grows_old(beta: float, i: int, t: int) -> float:
    return (1 - beta) * beta**i


@mistake(WEIGHT, "g_i has not been multiplied by β at every step from the first, only after i.")
def from_the_start(beta: float, i: int, t: int) -> float:
    return (1 - beta) * beta**t


@mistake(WEIGHT, "β and 1 − β have changed places: a new gradient comes in with 1 − β, and m is "
         "kept with β.")
def changed_places(beta: float, i: int, t: int) -> float:
    return beta * (1 - beta) ** (t - i)


CONSTANT = "steps.adamw.constant_gradient"


@mistake(CONSTANT, "that is m after the first step. The later ones add to it: (1 − β) Σ βᵏ g with "
         "k from 0 to t − 1.")
def first_step_only(g: float, beta: float, t: int) -> float:
    return (1 - beta) * g


@mistake(CONSTANT, "βᵗ is the share that is still missing: m starts at 0 and climbs to g.")
def missing_share(g: float, beta: float, t: int) -> float:
    return beta**t * g


@mistake(CONSTANT, "m gets there only after many steps. At step 1 it is (1 − β) g.")
def at_once(g: float, beta: float, t: int) -> float:
    return g


@mistake(CONSTANT, "Σ βᵏ with k from 0 to t − 1 is (1 − βᵗ)/(1 − β), and (1 − β) stands before "
         "it. You left the front factor out.")
def no_front_factor(g: float, beta: float, t: int) -> float:
    return g * (1 - beta**t) / (1 - beta)


@mistake(CONSTANT, "the sum runs over t terms, k = 0 … t − 1, so βᵗ is the first that is missing. "
         "Try t = 1.")
def one_term_short(g: float, beta: float, t: int) -> float:
    return (1 - beta ** (t - 1)) * g


@mistake(CONSTANT, "the sum runs over t terms, k = 0 … t − 1. You have one more. Try t = 1.")
def one_term_more(g: float, beta: float, t: int) -> float:
    return (1 - beta ** (t + 1)) * g


@mistake(CONSTANT, "1 − βᵗ and (1 − β)ᵗ are different things. Try t = 2.")
def power_of_all(g: float, beta: float, t: int) -> float:
    return (1 - beta) ** t * g


@mistake(CONSTANT, "the shares do not all stay 1 − β: what is in m fades by β at each step.")
def all_alike(g: float, beta: float, t: int) -> float:
    return t * (1 - beta) * g


@mistake(WEIGHT, "after its own step g_i is multiplied by β at each of the t − i steps that "
         "follow, the last one included.")
def one_factor_less(beta: float, i: int, t: int) -> float:
    return (1 - beta) * beta ** (t - i - 1)


DIVISOR = "steps.adamw.divisor"


@mistake(DIVISOR, "the first step is step 1, and after it m is (1 − β) g: the power is t itself.")
def one_step_ahead(beta: float, t: int) -> float:
    return 1 - beta ** (t + 1)


@mistake(DIVISOR, "that is right at step 1 only. Later m is (1 − βᵗ) g.")
def of_step_one(beta: float, t: int) -> float:
    return 1 - beta


@mistake(DIVISOR, "m is (1 − βᵗ) g, so βᵗ g is what is missing. Divide by what is there.")
def what_is_missing(beta: float, t: int) -> float:
    return beta**t


@mistake(DIVISOR, "here t starts at 0, and the first step divides by 1 − β⁰ = 0. The first step is "
         "t = 1.")
def from_zero(beta: float, t: int) -> float:
    return 1 - beta ** (t - 1)


@mistake(DIVISOR, "1 − βᵗ and (1 − β)ᵗ are different things. Compare at t = 2.")
def power_of_the_whole(beta: float, t: int) -> float:
    return (1 - beta) ** t


@mistake(DIVISOR, "that is what to multiply with. The number to divide by is asked for.")
def the_factor(beta: float, t: int) -> float:
    return 1 / (1 - beta**t)


@mistake(DIVISOR, "a root belongs to v, and only after it has been divided. m is divided by "
         "1 − βᵗ itself.")
def a_root(beta: float, t: int) -> float:
    return math.sqrt(1 - beta**t)


RAW = "steps.adamw.first_raw"
wrong_number(RAW, 1, "that is the corrected step. Without correction m = 0.1 g and v = 0.05 g².")
wrong_number(RAW, 2, "that is 0.1/0.05. v stands under a root.")
wrong_number(RAW, 0.1, "v is 0.05 g² after the first step, not g².")
wrong_number(RAW, 1 / math.sqrt(0.05), "m is 0.1 g after the first step, not g.")
wrong_number(RAW, 0.1 / math.sqrt(0.001), "that is for β₂ = 0.999. Here it is 0.95.")
wrong_number(RAW, 0.9 / math.sqrt(0.95), "the new gradient comes in with 1 − β: 0.1 and 0.05.")
wrong_number(RAW, math.sqrt(0.05) / 0.1, "the quotient is upside down: m stands above.")
wrong_number(RAW, 0.1 / math.sqrt(0.1), "v has its own β₂ = 0.95, so that v = 0.05 g².")

HALF = "steps.adamw.first_half"
wrong_number(HALF, 0.1 / math.sqrt(0.05), "that is with neither corrected. Now m̂ = g.")
wrong_number(HALF, 1, "that is with both corrected. Now v is still 0.05 g².")
wrong_number(HALF, 20, "that is 1/0.05. v stands under a root.")
wrong_number(HALF, 0.1, "that is with v corrected and m not. It is the other way round here.")
wrong_number(HALF, 1 / math.sqrt(0.001), "that is for β₂ = 0.999. Here it is 0.95.")
wrong_number(HALF, math.sqrt(0.05), "the quotient is upside down: m̂ stands above.")
wrong_number(HALF, 1 / math.sqrt(0.95), "v is (1 − β₂) g² = 0.05 g² after the first step.")

FIRST = "steps.adamw.first_direction"


@mistake(FIRST, "that is m̂. It is divided by √v̂ = √g² = |g|.")
def the_gradient(g: float) -> float:
    return g


@mistake(FIRST, "the sign is lost: m̂ = g keeps it, √v̂ = |g| does not.")
def always_one(g: float) -> float:
    return 1.0


@mistake(FIRST, "you divided by v̂ = g². Its root stands there.")
def no_root(g: float) -> float:
    return 1 / g


@mistake(FIRST, "that is m / √v, not corrected. The hats say: m̂ = g and v̂ = g².")
def not_corrected(g: float) -> float:
    return 0.1 * g / math.sqrt(0.05 * g * g)


@mistake(FIRST, "this is the size of the gradient. m̂ = g is divided by √v̂ = |g|.")
def the_size(g: float) -> float:
    return abs(g)


@mistake(FIRST, "m̂ / √v̂ is asked for, and the minus of the step comes later.")
def downhill(g: float) -> float:
    return -g / abs(g)


TINY = "steps.adamw.tiny_gradient"
wrong_number(TINY, 1, "that is without eps. Here √v̂ = 10⁻⁸ is no larger than eps itself.")
wrong_number(TINY, 1e-4, "that is with eps inside the root, √(v̂ + eps) = 10⁻⁴. It stands outside.")
wrong_number(TINY, 1 / math.sqrt(2), "that is with eps² inside the root. eps stands outside it: "
             "√v̂ + eps.")
wrong_number(TINY, 2, "the quotient is upside down: m̂ = 10⁻⁸ stands above.")
wrong_number(TINY, 0, "small over small is not small: 10⁻⁸ / (10⁻⁸ + 10⁻⁸).")

THOUSAND = "steps.adamw.thousandfold"
wrong_choice(THOUSAND, "a", "m̂ grows 1000 times, and √v̂ does too. What is their quotient?")
wrong_choice(THOUSAND, "c", "v̂ holds squares, so it grows a million times, and its root "
             "1000 times, as m̂ does.")
wrong_choice(THOUSAND, "d", "both averages grow by the same factor at every step, so their "
             "quotient never changes, at the start or later.")

APART = "steps.adamw.decoupled"
wrong_number(APART, 1, "that is L2 inside Adam, or no decay at all. Decoupled, λ w = 0.5 is added "
             "after the division by √v̂.")
wrong_number(APART, -1.5, "that is the change, downwards. How far is asked, without a sign.")
wrong_number(APART, 0.501, "you added the gradient itself. At step 1 m̂/√v̂ is its sign, 1.")
wrong_number(APART, 0.5, "that is the decay alone. The gradient's part, m̂/√v̂ = 1, comes with it.")
wrong_number(APART, 6, "λ is missing: the decay is 0.1 · 5.")
wrong_number(APART, 1.1, "the decay is λ w = 0.1 · 5, in proportion to w.")
wrong_number(APART, 1.001, "the gradient's part is 1 and the decay λ w = 0.5; g itself comes in "
             "nowhere.")

WITHIN = "steps.adamw.coupled"
wrong_number(WITHIN, 1.5, "that is the decoupled one. Here the decay is part of the gradient, "
             "0.501, and is divided by √v̂ with it.")
wrong_number(WITHIN, 0.501, "that is the new gradient. At step 1, m̂/√v̂ is its sign.")
wrong_number(WITHIN, 501, "v̂ is made from the same 0.501, so that the quotient is 1, not "
             "0.501/0.001.")
wrong_number(WITHIN, 0.5, "the decay goes into m and v like any gradient, and at step 1 m̂/√v̂ is "
             "a sign.")
wrong_number(WITHIN, 2, "the sum 0.001 + 0.5 is one gradient, and it is divided by its own size.")
wrong_number(WITHIN, 0.001, "that is the gradient alone. λ w is added to it, and the sum is "
             "divided by its own size.")

LEFT = "steps.adamw.left_after"


@mistake(LEFT, "the rate is missing: a step takes lr · λ of w, not λ.")
def without_the_rate(w: float, lr: float, lam: float, k: int) -> float:
    return w * (1 - lam) ** k


@mistake(LEFT, "each step takes its share of what is left by then, so shares multiply.")
def shares_added(w: float, lr: float, lam: float, k: int) -> float:
    return w * (1 - k * lr * lam)


@mistake(LEFT, "each step takes lr λ times w: the larger w, the more. You took a fixed amount.")
def fixed_amount(w: float, lr: float, lam: float, k: int) -> float:
    return w - k * lr * lam


@mistake(LEFT, "λ is missing: a step takes lr · λ of w.")
def without_lambda(w: float, lr: float, lam: float, k: int) -> float:
    return w * (1 - lr) ** k


@mistake(LEFT, "that is close when lr λ is small. A step multiplies by 1 − lr λ, not by its "
         "exponential.")
def as_a_flow(w: float, lr: float, lam: float, k: int) -> float:
    return w * math.exp(-k * lr * lam)


@mistake(LEFT, "lr λ is the share that is taken. What is left each time is 1 minus it.")
def the_taken_share(w: float, lr: float, lam: float, k: int) -> float:
    return w * (lr * lam) ** k


@mistake(LEFT, "that is after one step, whatever k is.")
def one_step(w: float, lr: float, lam: float, k: int) -> float:
    return w * (1 - lr * lam)


@mistake(LEFT, "a step multiplies w by 1 − lr λ; this grows.")
def grows(w: float, lr: float, lam: float, k: int) -> float:
    return w * (1 + lr * lam) ** k


BYTES = "steps.adamw.bytes_per_parameter"
wrong_number(BYTES, 8, "that is the parameter and its gradient. AdamW keeps two more numbers.")
wrong_number(BYTES, 12, "four numbers: the parameter, its gradient, m and v.")
wrong_number(BYTES, 4, "those are the numbers, or one of them in bytes. Four numbers of 4 bytes.")
wrong_number(BYTES, 20, "the step is counted once for a whole tensor, not for each number.")
wrong_number(BYTES, 32, "that is in float64. A float32 has 4 bytes.")
wrong_number(BYTES, 128, "those are bits. A float32 has 4 bytes.")
