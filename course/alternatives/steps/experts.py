"""Right answers to the steps about a mixture of experts in other forms."""

from .. import also_right, alternative, sympy_form

also_right("steps.experts.mixtral_held", 46.702)
also_right("steps.experts.mixtral_held", 46.7028)
also_right("steps.experts.mixtral_used", 12.9)
also_right("steps.experts.mixtral_used", 12.8797)
also_right("steps.experts.mixtral_memory", 93.405)
also_right("steps.experts.mixtral_memory", 2 * 46.7, "2 * 46.7")
also_right("steps.experts.balanced", 1.0)
also_right("steps.experts.capacity", 4.0)
also_right("steps.experts.dropped", (4, 5))
also_right("steps.experts.dropped", [5, 4])
also_right("steps.experts.by_hand", [[0.6439, 0.2369], [0.7311, 0.2689]])
also_right("steps.experts.by_hand", ((0.64, 0.24), (0.73, 0.27)))
for each, letter in (("same_weights", "A"), ("top_one", "C"), ("through", "B"), ("leak", "B")):
    also_right(f"steps.experts.{each}", letter)

E, N = "Symbol('E')", "Symbol('N')"  # sympify reads a bare E as 2.718… and N as a function
sympy_form("steps.experts.held", f"{E}*D*(3*F + 1)")
sympy_form("steps.experts.used", f"D*(3*F*k + {E})")
sympy_form("steps.experts.collapsed", f"{E}*1*1")
sympy_form("steps.experts.balance_slope", f"{E}*(f*p - p*m)/{N}")
sympy_form("steps.experts.traffic", "4*D*k")


@alternative("steps.experts.held")
def router_first(D: float, F: float, E: float) -> float:
    return E * (D + 3 * (D * F))


@alternative("steps.experts.held")
def matrix_by_matrix(D: float, F: float, E: float) -> float:
    one = D * F + D * F + F * D
    return one * E + E * D


@alternative("steps.experts.used")
def router_whole(D: float, F: float, E: float, k: float) -> float:
    return E * D + k * (D * F + D * F + F * D)


@alternative("steps.experts.used")
def from_all(D: float, F: float, E: float, k: float) -> float:
    return 3 * D * F * E * k / E + D * E


@alternative("steps.experts.collapsed")
def one_term(E: float) -> float:
    return E * sum([1.0 * 1.0, 0.0])


@alternative("steps.experts.collapsed")
def from_balanced(E: float) -> float:
    return 1 * E


@alternative("steps.experts.balance_slope")
def opened(E: float, N: float, p: float, f: float, m: float) -> float:
    return E * p * f / N - E * p * m / N


@alternative("steps.experts.balance_slope")
def vjp(E: float, N: float, p: float, f: float, m: float) -> float:
    to_p = E * f / N  # the gradient to this token's p
    return p * (to_p - E * m / N)


@alternative("steps.experts.traffic")
def there_and_back(D: float, k: float) -> float:
    there = back = k * D * 2
    return there + back


@alternative("steps.experts.traffic")
def by_hops(D: float, k: float) -> float:
    return sum(D * 2 for _ in range(int(2 * k)))
