"""Known wrong answers to the steps that derive the softmax Jacobian."""

from .. import Mistake, add, mistake, wrong_choice, wrong_number

wrong_choice("steps.softmax.shift", "a", "it is p that stays. S is a sum of exp(zⱼ), and each term "
             "becomes exp(zⱼ + c): what is that as a product?")
wrong_choice("steps.softmax.shift", "c", "exp(zⱼ + c) is a product, exp(zⱼ) · exp(c), and not the "
             "sum exp(zⱼ) + exp(c).")


@mistake("steps.softmax.diagonal", "pᵢ = exp(zᵢ) / S, and S holds exp(zᵢ) too. You differentiated "
         "the numerator only.")
def numerator_only(p_i: float) -> float:
    return p_i


@mistake("steps.softmax.diagonal", "this is the sum of the other probabilities, and one factor pᵢ "
         "is missing. The derivative of exp(zᵢ)/S by the quotient rule starts with exp(zᵢ)·S/S².")
def factor_missing(p_i: float) -> float:
    return 1 - p_i


@mistake("steps.softmax.diagonal", "this is the part of the denominator alone, with its sign lost. "
         "The numerator brings pᵢ, the denominator −pᵢ².")
def square(p_i: float) -> float:
    return p_i**2


@mistake("steps.softmax.diagonal", "this is the part of the denominator alone. The numerator "
         "depends on zᵢ too and brings pᵢ.")
def denominator_only(p_i: float) -> float:
    return -(p_i**2)


@mistake("steps.softmax.diagonal", "the two terms of the quotient rule have changed places: "
         "derivative of the numerator first, then minus.")
def turned_around(p_i: float) -> float:
    return p_i**2 - p_i


@mistake("steps.softmax.diagonal", "the two terms of the quotient rule are subtracted, not added: "
         "a larger zᵢ makes S larger, and that takes from pᵢ.")
def added(p_i: float) -> float:
    return p_i + p_i**2


@mistake("steps.softmax.diagonal", "pᵢ² is right, the part of the denominator. The numerator "
         "brings pᵢ, not 1.")
def one_for_the_numerator(p_i: float) -> float:
    return 1 - p_i**2


wrong_choice("steps.softmax.off_diagonal", "a", "the sum S in the denominator holds every score, "
             "so zⱼ moves pᵢ too. Only for a function that works entry by entry is this 0.")
wrong_choice("steps.softmax.off_diagonal", "c", "when zⱼ grows, S grows and pᵢ can only fall: look "
             "at the sign of the derivative of 1/S.")

ROW = "steps.softmax.first_row"



def wrong_row(name: str, row: list[float], message: str) -> None:
    add(ROW, Mistake(name, message, row, f"first_row = {row}"))


wrong_row("others_are_zero", [0.21, 0.0, 0.0], "the scores of the other classes move p₀ as well: "
          "the step before says by how much.")
wrong_row("all_positive", [0.21, 0.14, 0.07], "when another score grows, p₀ falls. The entries of "
          "a row sum to 0.")
wrong_row("sign", [-0.21, 0.14, 0.07], "every sign is turned around: p₀ grows with its own score.")
wrong_row("outer_with_the_rest", [0.21, 0.56, 0.63], "p₀(1 − pⱼ) is right for j = 0 only. Where "
          "j ≠ 0 the 1 is not there.")
wrong_row("numerator_only", [0.7, -0.14, -0.07], "the first entry is p₀, and it should be "
          "p₀(1 − p₀). The entries of a row sum to 0.")
wrong_row("diagonal_of_j", [0.21, 0.16, 0.09], "these are the diagonal entries pᵢ(1 − pᵢ) of all "
          "three rows. The first row is p₀ against z₀, z₁ and z₂.")
wrong_row("the_probabilities", [0.7, 0.2, 0.1], "these are the probabilities themselves. How p₀ "
          "answers to each score is asked for.")
wrong_row("factor_missing", [0.3, -0.2, -0.1], "the factor p₀ is missing: every entry of row 0 "
          "has it.")
wrong_row("denominator_only", [-0.49, -0.14, -0.07], "the first entry is −p₀², the part of the "
          "denominator alone. It should be p₀ − p₀².")
wrong_row("column_squares", [0.21, -0.04, -0.01], "beside the diagonal stands −p₀pⱼ, and not "
          "−pⱼ². The entries of a row sum to 0.")
wrong_row("diagonals_with_a_minus", [0.21, -0.16, -0.09], "beside the diagonal stands −p₀pⱼ, and "
          "not −pⱼ(1 − pⱼ). The entries of a row sum to 0.")
wrong_row("second_row_of_p", [-0.14, 0.16, -0.02], "this is row 1, the one of p₁. Row 0 is asked "
          "for.")

@mistake("steps.softmax.vjp_entry", "the sum over j is missing: all other probabilities answer to "
         "zᵢ as well, and their part is −pᵢ·m.")
def drops_the_sum(p_i: float, g_i: float, m: float) -> float:
    return p_i * g_i


@mistake("steps.softmax.vjp_entry", "p(1 − p)g is the diagonal term alone. The terms with j ≠ i "
         "are there too; together with −pᵢ²gᵢ they make −pᵢ·m.")
def diagonal_term(p_i: float, g_i: float, m: float) -> float:
    return p_i * (1 - p_i) * g_i


@mistake("steps.softmax.vjp_entry", "m already holds the term j = i. You took −pᵢ²gᵢ from the "
         "diagonal and then all of m, so that term is counted twice.")
def counted_twice(p_i: float, g_i: float, m: float) -> float:
    return p_i * (1 - p_i) * g_i - p_i * m


@mistake("steps.softmax.vjp_entry", "the off-diagonal entries are negative, so m is subtracted.")
def sum_added(p_i: float, g_i: float, m: float) -> float:
    return p_i * (g_i + m)


@mistake("steps.softmax.vjp_entry", "the factor pᵢ in front is missing: it stands in every entry "
         "of column i of J.")
def no_factor(p_i: float, g_i: float, m: float) -> float:
    return g_i - m


@mistake("steps.softmax.vjp_entry", "−pᵢpⱼgⱼ summed over j is −pᵢ·m: m has lost its factor pᵢ.")
def bracket(p_i: float, g_i: float, m: float) -> float:
    return p_i * g_i - m


@mistake("steps.softmax.vjp_entry", "the sign is turned around: the diagonal entry is the positive "
         "one.")
def vjp_turned_around(p_i: float, g_i: float, m: float) -> float:
    return p_i * (m - g_i)


@mistake("steps.softmax.vjp_entry", "that is the part of m alone: gᵢ itself comes in too, with the "
         "factor pᵢ.")
def sum_only(p_i: float, g_i: float, m: float) -> float:
    return -p_i * m


@mistake("steps.softmax.vjp_entry", "the factor pᵢ stands before both, gᵢ and m: it is in every "
         "entry of column i of J.")
def factor_at_the_sum(p_i: float, g_i: float, m: float) -> float:
    return g_i - p_i * m


@mistake("steps.softmax.vjp_entry", "p and g have changed places: pᵢ stands outside the bracket, "
         "and gᵢ is what m is subtracted from.")
def changed_places(p_i: float, g_i: float, m: float) -> float:
    return g_i * (p_i - m)


wrong_choice("steps.softmax.one_hot", "a", "that entry is pₖ(1 − pₖ) = 0, but look at the others "
             "too: each is pᵢ(gᵢ − m) with pᵢ = 0.")
wrong_choice("steps.softmax.one_hot", "b", "their factor pᵢ is 0, so they vanish. For entry k work "
             "out m first: it is gₖ.")
wrong_number("steps.softmax.largest_norm", 0.25, "that is an entry of the matrix, the largest that "
             "p(1 − p) can be. The norm asks how far J stretches a vector: try v = (1, −1)/√2.")
wrong_number("steps.softmax.largest_norm", 1, "that is the sum of all |Jᵢⱼ|. The norm asks how far "
             "J stretches a vector of length 1: try v = (1, −1)/√2.")
wrong_number("steps.softmax.largest_norm", 2**0.5 / 4, "that is the length of one row. The norm "
             "asks how far J stretches a vector of length 1: try v = (1, −1)/√2.")
wrong_number("steps.softmax.largest_norm", 0.5**0.5, "½ is the largest eigenvalue, and for a "
             "symmetric matrix that is the norm itself: no root is left to take.")
wrong_number("steps.softmax.largest_norm", 0, "that is what J does to (1, 1): the smaller "
             "eigenvalue. Try v = (1, −1)/√2.")
