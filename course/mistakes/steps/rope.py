"""Known wrong answers to the steps that derive the relative position in RoPE."""

import math

from .. import mistake, wrong_choice, wrong_number

TRANSPOSE, WAY = "steps.rope.transpose", "steps.rope.wrong_way"
wrong_choice(TRANSPOSE, "a", "R(a) has a minus on the upper sine, its transpose on the lower one. "
             "They are the same only when sin a = 0.")
wrong_choice(TRANSPOSE, "b", "the cosines on the diagonal keep their sign when the matrix is "
             "transposed. −R(a) turns their sign around.")
wrong_choice(TRANSPOSE, "d", "R(π/2 − a) has sin a on its diagonal. Transposing leaves cos a "
             "there, and moves the minus from one sine to the other: put −a into R.")

PRODUCT = "steps.rope.product_angle"


@mistake(PRODUCT, "the sign is turned around: R(a)ᵀ is R(−a), and angles add, so −a + b.")
def a_minus_b(a: float, b: float) -> float:
    return a - b


@mistake(PRODUCT, "that is R(a)R(b). The transpose turns back: R(a)ᵀ = R(−a).")
def transpose_forgotten(a: float, b: float) -> float:
    return a + b


@mistake(PRODUCT, "both are turned back. Only R(a) is transposed.")
def both_back(a: float, b: float) -> float:
    return -a - b


@mistake(PRODUCT, "angles of turns one after the other add up. They are not multiplied.")
def multiplied(a: float, b: float) -> float:
    return a * b


@mistake(PRODUCT, "the angle has lost its sign. R(a)ᵀR(b) turns backwards when b is below a.")
def without_sign(a: float, b: float) -> float:
    return abs(b - a)


@mistake(PRODUCT, "that is R(b) alone. R(a)ᵀ turns as well, back by a.")
def second_alone(a: float, b: float) -> float:
    return b


ANGLE = "steps.rope.score_angle"


@mistake(ANGLE, "m − n is the other direction. The transpose stands on the side of the query, so "
         "it is mθ that gets the minus. For q = k you could not tell, and a query meets other "
         "keys.")
def m_minus_n(m: float, n: float, theta: float) -> float:
    return (m - n) * theta


@mistake(ANGLE, "the sum would change when both tokens move. ⟨Rq, Rk⟩ = qᵀRᵀRk, and the transpose "
         "turns back.")
def m_plus_n(m: float, n: float, theta: float) -> float:
    return (m + n) * theta


@mistake(ANGLE, "that is the distance in positions. Each position counts θ radians.")
def theta_forgotten(m: float, n: float, theta: float) -> float:
    return n - m


@mistake(ANGLE, "the turn of the key alone. The query has been turned as well, by mθ.")
def key_alone(m: float, n: float, theta: float) -> float:
    return n * theta


@mistake(ANGLE, "the turn of the query alone. The key has been turned as well, by nθ.")
def query_alone(m: float, n: float, theta: float) -> float:
    return -m * theta


@mistake(ANGLE, "the distance has lost its sign: a key before the query and one after it would "
         "score the same.")
def without_direction(m: float, n: float, theta: float) -> float:
    return abs(n - m) * theta


@mistake(ANGLE, "both angles count θ radians a position: nθ and mθ. One of the two θ is missing.")
def theta_for_one(m: float, n: float, theta: float) -> float:
    return n - m * theta


SCORE = "steps.rope.pair_score"


@mistake(SCORE, "the sign of the sine part is turned around: that is qᵀR(−x)k. R(x)k has −k₂ sin x "
         "in its first entry and +k₁ sin x in its second.")
def other_direction(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 + q2 * k2) * math.cos(x) + (q1 * k2 - q2 * k1) * math.sin(x)


@mistake(SCORE, "the sine part is missing. It vanishes for q = k, and for other pairs it is what "
         "tells before from after.")
def cosine_alone(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 + q2 * k2) * math.cos(x)


@mistake(SCORE, "the two products of the sine part have different signs: R(x) has −sin x above and "
         "+sin x below.")
def sines_added(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 + q2 * k2) * math.cos(x) + (q1 * k2 + q2 * k1) * math.sin(x)


@mistake(SCORE, "q and k were not turned at all: x does not appear.")
def not_turned(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return q1 * k1 + q2 * k2


@mistake(SCORE, "the sine meets the members of different vectors, q₂k₁ and q₁k₂. You paired q₁ "
         "with k₁ there.")
def same_members(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 + q2 * k2) * math.cos(x) + (q1 * k1 - q2 * k2) * math.sin(x)


@mistake(SCORE, "sine and cosine have changed places: for x = 0 the score has to be q₁k₁ + q₂k₂.")
def sine_and_cosine_swapped(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 + q2 * k2) * math.sin(x) + (q2 * k1 - q1 * k2) * math.cos(x)


@mistake(SCORE, "the first entry of R(x)k is k₁ cos x − k₂ sin x: its minus has been lost.")
def minus_lost(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    c, s = math.cos(x), math.sin(x)
    return q1 * (k1 * c + k2 * s) + q2 * (k1 * s - k2 * c)


@mistake(SCORE, "the two products of the cosine part have the same sign: cos x stands in R(x) "
         "twice, without a minus.")
def cosines_subtracted(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 - q2 * k2) * math.cos(x) + (q2 * k1 - q1 * k2) * math.sin(x)


@mistake(SCORE, "one of the four products is missing: q₁ meets −k₂ sin x in the first entry of "
         "R(x)k.")
def three_products(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 + q2 * k2) * math.cos(x) + q2 * k1 * math.sin(x)


@mistake(SCORE, "both products of the sine part have a minus here. R(x) has −sin x above and "
         "+sin x below.")
def sines_both_minus(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return (q1 * k1 + q2 * k2) * math.cos(x) - (q1 * k2 + q2 * k1) * math.sin(x)


@mistake(SCORE, "those are two numbers, q₁ times the first entry of R(x)k and q₂ times the second. "
         "A dot product is their sum.", raises=True)
def two_numbers(q1: float, q2: float, k1: float, k2: float, x: float) -> tuple[float, float]:
    c, s = math.cos(x), math.sin(x)
    return q1 * (k1 * c - k2 * s), q2 * (k1 * s + k2 * c)


@mistake(SCORE, "that is the first entry of R(x)k times q₁. The second entry and q₂ are missing.")
def first_entry_alone(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return q1 * (k1 * math.cos(x) - k2 * math.sin(x))


@mistake(SCORE, "R(x)k has two entries of two terms each, so four products come out. Here are "
         "two.")
def two_terms(q1: float, q2: float, k1: float, k2: float, x: float) -> float:
    return q1 * k1 * math.cos(x) - q2 * k2 * math.sin(x)


WHOLE = "steps.rope.whole_score"
wrong_number(WHOLE, -0.1875, "you multiplied the parts. A dot product over all dimensions is the "
             "sum of the dot products of the pairs.")
wrong_number(WHOLE, 1.25 / 3, "that is the mean of the parts. A dot product is a sum.")
wrong_number(WHOLE, 1.5, "that is the first pair alone. Every pair adds its part.")
wrong_number(WHOLE, 2.25, "a part of a score may be negative: add −0.5, do not take its size.")
wrong_number(WHOLE, 0.75, "0.25 was subtracted. Every pair adds its part, with the sign it has.")
wrong_number(WHOLE, 1.0, "the third pair is missing.")

wrong_choice(WAY, "a", "both scores turn around together: qᵀR(m − n)k does not change under a "
             "common shift either.")
wrong_choice(WAY, "b", "a turn keeps lengths in either direction.")
wrong_choice(WAY, "c", "at position 0 the angle is 0, whatever sign it has.")
wrong_choice(WAY, "e", "with q = k the sine part q₂k₁ − q₁k₂ is 0, and cos does not know the sign "
             "of its angle. Take a q that differs from k.")

LONG = "steps.rope.slowest_wavelength"
wrong_number(LONG, 62831.853, "that is 2π · 10000, the limit for wide heads. The last pair has the "
             "exponent −(Dh − 2)/Dh, not −1.")
wrong_number(LONG, 60611.477, "that is for a width of 512. RoPE turns heads, and a head has 512 / "
             "8 numbers.")
wrong_number(LONG, 7498.942, "that is 1/θ: the positions for one radian. A full turn has 2π of "
         "them.")
wrong_number(LONG, 10000, "that is the base. The last pair has θ = base^(−(Dh − 2)/Dh), and a full "
             "turn takes 2π/θ positions.")
wrong_number(LONG, 6.2831853, "that is the fastest pair, θ₀ = 1. The slowest is i = Dh/2 − 1.")
wrong_number(LONG, 54410.143, "its exponent is −63/64. That is right for Dh = 128, as LLaMA has "
             "it; here Dh = 512 / 8, and 2i is even.")
wrong_number(LONG, 2 * math.pi * 10000 ** (31 / 64), "i = 31 was put in for 2i: the exponent of "
             "the last pair is −62/64.")
wrong_number(LONG, 2 * math.pi * 10000 ** (6 / 8), "8 is the number of heads. Each of them is "
             "512 / 8 wide.")
wrong_number(LONG, 360 * 10000 ** (62 / 64), "that is 360/θ. θ is in radians, and a full turn "
             "has 2π of them.")
wrong_number(LONG, 0.000133352, "that is θ, in radians per position. How many positions make 2π?")

NEXT = "steps.rope.next_position"
wrong_number(NEXT, 0, "position 0 belongs to the first key of the cache. A table that starts at 0 "
             "in each call makes every new token look like the first.")
wrong_number(NEXT, 8, "positions count from 0: seven keys have 0 to 6.")
wrong_number(NEXT, 6, "position 6 belongs to the last key of the cache.")
wrong_number(NEXT, 1, "that is how many tokens come in, not where they stand.")
