"""Other forms of the right answers to the steps about what is kept and where it stands."""

from .. import also_right, alternative, sympy_form

WITHOUT, WITH = "steps.cache.rows_without", "steps.cache.rows_with"


@alternative(WITHOUT)
def pass_by_pass(P: float, n: int) -> float:
    return sum(P + i for i in range(n))


@alternative(WITHOUT)
def lengths_of_the_text(P: int, n: int) -> int:
    return sum(range(P, P + n))


@alternative(WITHOUT)
def mean_length(P: float, n: float) -> float:
    return n * (P + (P + n - 1)) / 2


sympy_form(WITHOUT, "n*P + n*(n - 1)/2")


@alternative(WITH)
def prompt_then_ones(P: int, n: int) -> int:
    return P + sum(1 for _ in range(n - 1))


@alternative(WITH)
def last_one_off(P: float, n: float) -> float:
    return (P + n) - 1.0


sympy_form(WITH, "P + n - 1")
also_right("steps.cache.positions", (7, 8, 9))
also_right("steps.cache.positions", range(7, 10))
also_right("steps.cache.needs_mask", [False, True, True, True])
also_right("steps.cache.length_within", 7.0)
also_right("steps.cache.chunk_pairs", 8 + 9 + 10)
also_right("steps.cache.corner", 1.0)
also_right("steps.cache.kept", "C")
