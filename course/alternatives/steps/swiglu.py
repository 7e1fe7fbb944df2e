"""Right answers to the steps about SwiGLU in other forms."""

from .. import also_right, alternative, sympy_form

also_right("steps.swiglu.gate", " A ")
also_right("steps.swiglu.llama_width", 11008.0)
also_right("steps.swiglu.llama_width", 43 * 256, "43 * 256")
also_right("steps.swiglu.excess", 0.78)
also_right("steps.swiglu.excess", 100 * (3 * 11008 / (8 * 4096) - 1),
           "100 * (3 * 11008 / (8 * 4096) - 1)")

sympy_form("steps.swiglu.plain_weights", "8*d**2")
sympy_form("steps.swiglu.gated_weights", "d*f + d*f + f*d")
sympy_form("steps.swiglu.width", "8*d/3")
sympy_form("steps.swiglu.up_gradient", "dh*(g*s)")
sympy_form("steps.swiglu.gate_gradient", "dh*u*(s + g*s*(1 - s))")


@alternative("steps.swiglu.plain_weights")
def both_matrices(d: float) -> float:
    up = down = d * 4 * d
    return up + down


@alternative("steps.swiglu.plain_weights")
def squared(d: float) -> float:
    return 8 * d**2


@alternative("steps.swiglu.gated_weights")
def one_by_one(d: float, f: float) -> float:
    return 2 * d * f + f * d


@alternative("steps.swiglu.gated_weights")
def summed(d: float, f: float) -> float:
    return sum([d * f] * 3)


@alternative("steps.swiglu.width")
def decimal(d: float) -> float:
    return d * 2.6666666666666665


@alternative("steps.swiglu.width")
def two_thirds(d: float) -> float:
    return 4 * d * 2 / 3


@alternative("steps.swiglu.up_gradient")
def through_silu(dh: float, g: float, u: float, s: float) -> float:
    silu = g * s
    return silu * dh


@alternative("steps.swiglu.up_gradient")
def another_order(dh: float, g: float, u: float, s: float) -> float:
    return s * dh * g


@alternative("steps.swiglu.gate_gradient")
def opened(dh: float, g: float, u: float, s: float) -> float:
    return dh * u * s + dh * u * g * s - dh * u * g * s**2


@alternative("steps.swiglu.gate_gradient")
def by_the_value(dh: float, g: float, u: float, s: float) -> float:
    silu = g * s
    return (silu + s * (1 - silu)) * dh * u
