"""Known wrong answers to the steps that derive Muon."""

import math

from .. import mistake, wrong_number, wrong_value

SIGMA = "steps.muon.next_sigma"


@mistake(SIGMA, "A X = X Xᵀ X has three factors X, so s³ stands there, and A² X has five.")
def squares(s: float, a: float, b: float, c: float) -> float:
    return a * s + b * s**2 + c * s**3


@mistake(SIGMA, "those are the powers in A and A². Both are multiplied by X once more.")
def without_the_last_x(s: float, a: float, b: float, c: float) -> float:
    return a * s + b * s**2 + c * s**4


@mistake(SIGMA, "A² = X Xᵀ X Xᵀ, and with the last X there are five factors: s⁵.")
def fourth_power(s: float, a: float, b: float, c: float) -> float:
    return a * s + b * s**3 + c * s**4


@mistake(SIGMA, "A² = X Xᵀ X Xᵀ, and with the last X there are five factors: s⁵, not s⁶.")
def cubed_twice(s: float, a: float, b: float, c: float) -> float:
    return a * s + b * s**3 + c * s**6


@mistake(SIGMA, "c comes with A², which holds s⁴, and X: s⁵.")
def c_with_a(s: float, a: float, b: float, c: float) -> float:
    return a * s + (b + c) * s**3


@mistake(SIGMA, "the first term is a X: a s.")
def a_alone(s: float, a: float, b: float, c: float) -> float:
    return a + b * s**3 + c * s**5


@mistake(SIGMA, "the first term is a X. You left its a out.")
def no_a(s: float, a: float, b: float, c: float) -> float:
    return s + b * s**3 + c * s**5


CUBIC = "steps.muon.cubic"
wrong_value(CUBIC, "identity", [1.0, 0.0], "f(1) = 1 holds, but f′(1) = p + 3q = 1: an error would "
            "stay as it is.")
wrong_value(CUBIC, "even_shares", [0.5, 0.5], "f(1) = 1 holds, but f′(1) = p + 3q is 2. It has to "
            "be 0.")
wrong_value(CUBIC, "changed_places", [-0.5, 1.5], "these are q and p. p stands before s.")
wrong_value(CUBIC, "both_positive", [1.5, 0.5], "f(1) = p + q is 2. q is negative.")
wrong_value(CUBIC, "without_the_three", [0.5, -0.5], "the derivative of q s³ is 3 q s², and p + q "
            "has to be 1.")
wrong_value(CUBIC, "flat_only", [3.0, -1.0], "f′(1) = 0 holds, but f(1) = p + q is 2. It has to "
            "be 1.")
wrong_value(CUBIC, "square_rule", [2.0, -1.0], "the derivative of q s³ is 3 q s², not 2 q s.")

GROWTH = "steps.muon.growth"
wrong_number(GROWTH, 3.4445, "that is one iteration. Five of them multiply.")
wrong_number(GROWTH, 5 * 3.4445, "factors multiply: five iterations are a power.")
wrong_number(GROWTH, 1.5**5, "that is the cubic of the step before. Here a = 3.4445.")
wrong_number(GROWTH, 3.4445**4, "that is four iterations. There are five.")
wrong_number(GROWTH, 3.4445**6, "that is six iterations. There are five.")
wrong_number(GROWTH, 3.4445 - 4.775 + 2.0315, "that is f(1). For small s only a s matters: the "
             "other terms have s³ and s⁵.")

ENTRY = "steps.muon.entry_size"


@mistake(ENTRY, "there are min(rows, columns) singular values, so the squares sum to that; divided "
         "by rows · columns it is 1/max(rows, columns).")
def by_the_shorter(rows: float, columns: float) -> float:
    return 1 / math.sqrt(min(rows, columns))


@mistake(ENTRY, "that is the mean square. Its root is asked for.")
def mean_square(rows: float, columns: float) -> float:
    return 1 / max(rows, columns)


@mistake(ENTRY, "the squares of the entries sum to the number of singular values, "
         "min(rows, columns), not to 1.")
def sum_of_one(rows: float, columns: float) -> float:
    return 1 / math.sqrt(rows * columns)


@mistake(ENTRY, "that is the Frobenius norm, the root of the sum. The mean is the sum divided by "
         "rows · columns.")
def frobenius(rows: float, columns: float) -> float:
    return math.sqrt(min(rows, columns))


@mistake(ENTRY, "it is the longer side that counts, and it may be either.")
def by_columns(rows: float, columns: float) -> float:
    return 1 / math.sqrt(columns)


@mistake(ENTRY, "it is the longer side that counts, and it may be either.")
def by_rows(rows: float, columns: float) -> float:
    return 1 / math.sqrt(rows)


@mistake(ENTRY, "singular values of 1 are not entries of 1: turned directions share each 1 out "
         "over many entries.")
def ones(rows: float, columns: float) -> float:
    return 1.0


OVER = "steps.muon.overhead"


@mistake(OVER, "an iteration has three products of D × D matrices: X Xᵀ, A A and the one with X.")
def one_product(width: float, tokens: float, steps: float) -> float:
    return steps * width / (3 * tokens)


@mistake(OVER, "two products were counted. An iteration has three: X Xᵀ, A A and the one with X.")
def two_products(width: float, tokens: float, steps: float) -> float:
    return 2 * steps * width / (3 * tokens)


@mistake(OVER, "backward costs two products for each one of forward: 3 D² for a token, not D².")
def forward_alone(width: float, tokens: float, steps: float) -> float:
    return 3 * steps * width / tokens


@mistake(OVER, "the quotient is upside down: the iterations stand above.")
def upside_down(width: float, tokens: float, steps: float) -> float:
    return tokens / (steps * width)


@mistake(OVER, "a product of two D × D matrices takes D³ multiplications, not D².")
def squares_only(width: float, tokens: float, steps: float) -> float:
    return steps / tokens


@mistake(OVER, "that is one iteration. There are several.")
def one_iteration(width: float, tokens: float, steps: float) -> float:
    return width / tokens


@mistake(OVER, "backward makes two products, for the weights and for x; with forward there are "
         "three.")
def backward_as_forward(width: float, tokens: float, steps: float) -> float:
    return 3 * steps * width / (2 * tokens)
