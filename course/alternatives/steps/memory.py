"""Other forms of the right answers to the steps about bytes."""

from .. import also_right, alternative, sympy_form

HELD, FIT = "steps.memory.values_held", "steps.memory.texts_that_fit"


@alternative(HELD)
def layer_by_layer(n_layer: int, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return sum(B * S * (Hkv * Dh + Hkv * Dh) for _ in range(n_layer))


@alternative(HELD)
def of_one_token(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    per_token = n_layer * 2 * Dh * Hkv
    return per_token * (B * S)


sympy_form(HELD, "2*n_layer*Hkv*Dh*B*Symbol('S')")


@alternative("steps.memory.sharing_gain")
def two_savings(H: float, Hkv: float) -> float:
    return (1 - Hkv / H) / (1 - 1 / H)


@alternative("steps.memory.sharing_gain")
def all_but_what_is_missed(H: float, Hkv: float) -> float:
    return 1 - (Hkv - 1) / (H - 1)


sympy_form("steps.memory.sharing_gain", "(Symbol('H') - Hkv)/(Symbol('H') - 1)")


@alternative(FIT)
def count_up(card: float, weights: float, reserve: float, per_text: float) -> int:
    texts = 0
    while weights + reserve + (texts + 1) * per_text <= card:
        texts += 1
    return texts


@alternative(FIT)
def floor(card: float, weights: float, reserve: float, per_text: float) -> int:
    import math
    return max(math.floor((card - weights - reserve) / per_text), 0)


@alternative(FIT)
def truncated(card: float, weights: float, reserve: float, per_text: float) -> int:
    left = card - (weights + reserve)
    return int(left / per_text) if left > 0 else 0


@alternative("steps.memory.training_bytes")
def four_arrays(N: float) -> float:
    return sum(4 * N for _ in ("weight", "gradient", "mean", "mean of squares"))


@alternative("steps.memory.training_bytes")
def by_parts(N: float) -> float:
    weights = gradients = 4 * N
    return weights + gradients + 2 * 4 * N


sympy_form("steps.memory.training_bytes", "8*Symbol('N') + 8*Symbol('N')")
also_right("steps.memory.per_head", 2 * 128)
also_right("steps.memory.per_token_7b", 2 * 32 * 32 * 128 * 2)
also_right("steps.memory.per_token_7b", 2**19)
also_right("steps.memory.gib_7b", 2.0)
also_right("steps.memory.gb_eight", 8 * 2**31 / 1e9)
also_right("steps.memory.gb_eight", 17.2)
also_right("steps.memory.gib_70b", 2 * 80 * 8 * 128 * 4096 * 2 / 2**30)
also_right("steps.memory.mib_mini", 2 * 4 * 4 * 32 * 256 * 32 * 4 / 2**20)
also_right("steps.memory.what_saves", (3, 2, 1, 5, 6, 4))
also_right("steps.memory.square_growth", 2 * 2**2)
sympy_form(FIT, "Max(0, floor((card - weights - reserve) / per_text))")
