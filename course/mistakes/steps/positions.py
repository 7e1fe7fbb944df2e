"""Known wrong answers to the steps on order, sinusoids and learned tables."""

import math

from .. import mistake, wrong_choice, wrong_number

SCORES, CANCEL = "steps.positions.permuted_scores", "steps.positions.cancel"
PREFIX, SIDE = "steps.positions.swapped_prefix", "steps.positions.which_side"
wrong_choice(SCORES, "a", "the rows of X have moved, and with them the queries: row i of S belongs "
             "to another token now.")
wrong_choice(SCORES, "b", "the queries have moved, which moves the rows. The keys have moved as "
             "well.")
wrong_choice(SCORES, "d", "the keys have moved, which moves the columns. The queries have moved as "
             "well.")
wrong_choice(CANCEL, "a", "Pᵀ undoes what P does. P² does it twice.")
wrong_choice(CANCEL, "c", "each row of P has a single 1, and two different rows never have it in "
             "the same place. What does that say about PPᵀ and PᵀP?")
wrong_choice(PREFIX, "b", "the last query meets the same keys and values as before, in another "
             "order. Does a weighted sum know in which order its terms were added?")
wrong_choice(PREFIX, "c", "the weights follow the keys: each key takes its weight along, and its "
             "value too. The sum is the same.")
wrong_choice(SIDE, "a", "put −k for k into Σ cos(k ωᵢ): what does a cosine do with the sign of its "
             "angle?")
wrong_choice(SIDE, "c", "a slow pair has a cosine as well, and no cosine knows the sign of its "
             "angle.")

SHARE = "steps.positions.start_share"


@mistake(SHARE, "positions 0 … t are t + 1 tokens, not t.")
def one_too_few(t: float) -> float:
    return 1 / t


@mistake(SHARE, "the share of all others. The token at position 0 is one of t + 1.")
def the_others(t: float) -> float:
    return t / (t + 1)


@mistake(SHARE, "the share falls with t: more tokens to share with.")
def grows(t: float) -> float:
    return t + 1


@mistake(SHARE, "t = 0 sees one token, itself: there the share is 1, and you have less.")
def one_too_many(t: float) -> float:
    return 1 / (t + 2)


@mistake(SHARE, "each of t + 1 equal weights is 1/(t + 1). You squared it.")
def squared(t: float) -> float:
    return 1 / (t + 1) ** 2


TERMS = "steps.positions.position_terms"
wrong_number(TERMS, 1, "p·p' is one of them. The mixed terms x·p' and p·x' hold a position too.")
wrong_number(TERMS, 2, "those are the mixed terms. p·p' holds positions as well.")
wrong_number(TERMS, 4, "x·x' holds no position: it is the score without any.")

SLOW = "steps.positions.slowest_wave"
wrong_number(SLOW, 62831.853, "that is 2π · 10000, the limit for wide models. The last exponent is "
             "(D − 2)/D, not 1.")
wrong_number(SLOW, 9646.616, "that is 1/ω: the positions for one radian. A full turn has 2π.")
wrong_number(SLOW, 10000, "that is the base. The last pair takes 2π · base^((D − 2)/D) positions.")
wrong_number(SLOW, 6.2831853, "that is the fastest pair. The slowest is i = D/2 − 1.")
wrong_number(SLOW, 628.31853, "you put i/D in for 2i/D: the exponent of the last pair is (D − "
             "2)/D, near 1 and not near ½.")

wrong_number(SLOW, 2 * math.pi * 10000 ** (508 / 512), "that is the last pair but one. i ends at "
             "D/2 − 1 = 255, and 2i at 510.")
wrong_number(SLOW, 2 * math.pi * 10000 ** (511 / 512), "511 is the number of the last column. The "
             "exponent has 2i, which is 510 for the last pair.")
wrong_number(SLOW, 2 * math.pi * 10000 ** (255 / 512), "you put i/D in for 2i/D: the exponent of "
             "the last pair is (D − 2)/D, near 1 and not near ½.")

SIN, COS = "steps.positions.sin_shifted", "steps.positions.cos_shifted"


@mistake(SIN, "the sign in the middle is a plus: sin(a + x) = sin a cos x + cos a sin x.")
def sin_minus(s: float, c: float, x: float) -> float:
    return s * math.cos(x) - c * math.sin(x)


@mistake(SIN, "that is cos(a + x).")
def the_cosine(s: float, c: float, x: float) -> float:
    return c * math.cos(x) - s * math.sin(x)


@mistake(SIN, "sin(a + x) is not sin a + sin x: try a = x = π/2.")
def sum_of_sines(s: float, c: float, x: float) -> float:
    return s + math.sin(x)


@mistake(SIN, "the partners are mixed up: sin a meets cos x, and cos a meets sin x.")
def sine_with_sine(s: float, c: float, x: float) -> float:
    return s * math.sin(x) + c * math.cos(x)


@mistake(SIN, "one half is missing: cos a · sin x.")
def first_half(s: float, c: float, x: float) -> float:
    return s * math.cos(x)


@mistake(SIN, "the other half is missing: sin a · cos x.")
def second_half(s: float, c: float, x: float) -> float:
    return c * math.sin(x)


@mistake(SIN, "x is added to the sine. It is added to the angle; s = sin a is not a.")
def sine_of_the_sine(s: float, c: float, x: float) -> float:
    return math.sin(s + x)


@mistake(COS, "the sign in the middle is a minus: cos(a + x) = cos a cos x − sin a sin x. With the "
         "plus it is cos(a − x).")
def cos_plus(s: float, c: float, x: float) -> float:
    return c * math.cos(x) + s * math.sin(x)


@mistake(COS, "that is sin(a + x).")
def the_sine(s: float, c: float, x: float) -> float:
    return s * math.cos(x) + c * math.sin(x)


@mistake(COS, "cos(a + x) is not cos a + cos x: at a = x = 0 it is 1, not 2.")
def sum_of_cosines(s: float, c: float, x: float) -> float:
    return c + math.cos(x)


@mistake(COS, "the sign is turned around: at a = x = 0 the cosine is +1.")
def turned_around(s: float, c: float, x: float) -> float:
    return s * math.sin(x) - c * math.cos(x)


@mistake(COS, "one half is missing: sin a · sin x, with a minus.")
def cos_first_half(s: float, c: float, x: float) -> float:
    return c * math.cos(x)


@mistake(COS, "the partners are mixed up: cos a meets cos x, and sin a meets sin x.")
def sine_with_cosine(s: float, c: float, x: float) -> float:
    return s * math.cos(x) - c * math.sin(x)


@mistake(COS, "x is added to the cosine. It is added to the angle; c = cos a is not a.")
def cosine_of_the_cosine(s: float, c: float, x: float) -> float:
    return math.cos(c + x)


PRODUCT = "steps.positions.pair_product"


@mistake(PRODUCT, "sin a sin b + cos a cos b = cos(a − b), with b − a = kw. The sum of the angles "
         "would come from a minus in the middle.")
def of_the_sum(m: float, k: float, w: float) -> float:
    return math.cos((2 * m + k) * w)


@mistake(PRODUCT, "that is the sine. sin a sin b + cos a cos b = cos(a − b): at k = 0 the product "
         "is 1, the squared length of the pair.")
def sine(m: float, k: float, w: float) -> float:
    return math.sin(k * w)


@mistake(PRODUCT, "only the sines have been multiplied. The cosines of the pair add their part, "
         "and together m goes away.")
def sines_alone(m: float, k: float, w: float) -> float:
    return math.sin(m * w) * math.sin((m + k) * w)


@mistake(PRODUCT, "only the cosines have been multiplied. The sines of the pair add their part, "
         "and together m goes away.")
def cosines_alone(m: float, k: float, w: float) -> float:
    return math.cos(m * w) * math.cos((m + k) * w)


@mistake(PRODUCT, "the distance k is an angle only after it is multiplied by w.")
def without_w(m: float, k: float, w: float) -> float:
    return math.cos(k)


@mistake(PRODUCT, "that is a pair at m with itself at 0. The two positions are m and m + k, and m "
         "goes away.")
def m_left(m: float, k: float, w: float) -> float:
    return math.cos(m * w)


@mistake(PRODUCT, "that is the cosine at m + k alone. The pair at m is the other factor, and m "
         "goes away.")
def the_later_cosine(m: float, k: float, w: float) -> float:
    return math.cos((m + k) * w)


@mistake(PRODUCT, "first times first and second times second: sine meets sine, and cosine meets "
         "cosine.")
def crosswise(m: float, k: float, w: float) -> float:
    return math.sin(m * w) * math.cos((m + k) * w) + math.cos(m * w) * math.sin((m + k) * w)


@mistake(PRODUCT, "1 is the product of a pair with itself. k positions later it has turned by kw.")
def one(m: float, k: float, w: float) -> float:
    return 1.0


PARAMETERS = "steps.positions.table_parameters"
wrong_number(PARAMETERS, 1792, "rows and columns are multiplied: each position has D numbers.")
wrong_number(PARAMETERS, 1024, "that is the number of positions. Each has a vector of D numbers.")
wrong_number(PARAMETERS, 768, "that is one position's vector. There are 1024.")
wrong_number(PARAMETERS, 1572864, "twice too many: one table, and one number for each entry.")
wrong_number(PARAMETERS, 3145728, "those are its bytes in float32. The number of parameters is "
             "asked for.")
