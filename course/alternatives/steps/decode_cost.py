"""Other forms of the right answers to the steps about what one new token costs."""

from .. import also_right, alternative, sympy_form


@alternative("steps.decode_cost.linear_products")
def matrix_by_matrix(D: float) -> float:
    shapes = [(D, D)] * 4 + [(D, 4 * D), (4 * D, D)]
    return sum(rows * columns for rows, columns in shapes)


@alternative("steps.decode_cost.attention_products")
def scores_and_sum(D: float, S: float) -> float:
    scores, mixed = S * D, D * S
    return scores + mixed


@alternative("steps.decode_cost.crossover")
def solved(D: float) -> float:
    return 12 * D**2 / (2 * D)


@alternative("steps.decode_cost.intensity")
def by_parts(B: float, b: float) -> float:
    operations_per_weight = B + B
    return operations_per_weight / b


@alternative("steps.decode_cost.linear_products")
def attention_then_mlp(D: float) -> float:
    return 4 * D * D + 2 * (D * 4 * D)


@alternative("steps.decode_cost.attention_products")
def by_heads(D: float, S: float) -> float:
    H = 4
    return H * 2 * (D / H) * S


@alternative("steps.decode_cost.crossover")
def from_below(D: float) -> float:
    return (4 + 8) * D / 2


@alternative("steps.decode_cost.intensity")
def texts_over_half_a_weight(B: float, b: float) -> float:
    return B / (b / 2)


sympy_form("steps.decode_cost.linear_products", "4*D**2 + 2*4*D**2")
sympy_form("steps.decode_cost.attention_products", "2*D*Symbol('S')")
sympy_form("steps.decode_cost.crossover", "6*D")
sympy_form("steps.decode_cost.intensity", "2*B/b")
also_right("steps.decode_cost.batched_cache", "C")
