"""Known wrong answers to the activations and to the width."""

import math

import torch

from .. import edit, mistake

RELU, GELU, SILU = "feedforward.relu", "feedforward.gelu", "feedforward.silu"
NO_GRADIENT = ("no gradient gets through: something cuts the graph, such as .data, .detach(), "
               ".item() "
               "or NumPy.")

STAYS_FLOAT32 = "bfloat16 goes in and float32 comes out. The result has the dtype of x."
UP_CAST = "x = x.to(torch.promote_types(x.dtype, torch.float32))"


@mistake(RELU, "negative numbers are kept, only smaller: that is a leaky relu. Here they become 0.")
def leaky(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x > 0, x, 0.01 * x)


@mistake(RELU, "negative numbers come out positive. They become 0.")
def absolute(x: torch.Tensor) -> torch.Tensor:
    return x.abs()


@mistake(RELU, "the negative half is kept and the positive one is cut: the comparison is turned "
         "around.")
def negative_half(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(max=0)


@mistake(RELU, "these are ones and zeros: that is the slope of relu. Where x is positive, x "
               "itself is "
         "kept.")
def the_slope(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).to(x.dtype)


@mistake(RELU, "that is softplus, log(1 + exp(x)), a smooth relative that never reaches 0.")
def softplus(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.softplus(x)


@mistake(RELU, "this changes the numbers of whoever called it: assigning to x[…] works in place. "
               "Make "
         "a new tensor.", raises=True)
def in_place(x: torch.Tensor) -> torch.Tensor:
    x[x < 0] = 0
    return x


@mistake(RELU, "that is relu(−x): the sign of x has turned.")
def of_minus_x(x: torch.Tensor) -> torch.Tensor:
    return (-x).clamp(min=0)


@mistake(RELU, "the negative numbers are taken out, and what is left has another shape. They stay, "
         "as 0.")
def taken_out(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]


edit(RELU, "no_gradient", "x.masked_fill(x <= 0, 0.0)", "x.detach().masked_fill(x <= 0, 0.0)",
     NO_GRADIENT, raises=True)
edit(RELU, "float32", "x.masked_fill", "x.float().masked_fill",
     "the result has another dtype than x: float64 went in and float32 came out.")
edit(RELU, "zeros_in_float32", "x.masked_fill(x <= 0, 0.0)",
     "torch.where(x > 0, x, torch.zeros(1))", STAYS_FLOAT32)
edit(RELU, "at_one", "x <= 0", "x <= 1", "what lies between 0 and 1 is cut too. The border is 0.")


@mistake(GELU, "`approximate` is not used: this is always the form with erf.")
def always_exact(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(x)


@mistake(GELU, "`approximate` is not used: this is always the form with tanh.")
def always_tanh(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(x, approximate="tanh")


@mistake(GELU, "the two forms have changed places: 'none' is the one with erf.")
def swapped(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(x, approximate="none" if approximate == "tanh" else "tanh")


edit(GELU, "no_root_of_two", "torch.erf(x / math.sqrt(2))", "torch.erf(x)",
     "erf is given x. Φ(x) has erf(x / √2) in it, since erf belongs to a narrower bell.")
edit(GELU, "times_root_of_two", "x / math.sqrt(2)", "x * math.sqrt(2)",
     "x is multiplied by √2 inside erf. Φ(x) has erf(x / √2) in it.")
edit(GELU, "no_half", "x * (1 + inner) / 2", "x * (1 + inner)",
     "the result is twice too large: Φ(x) = (1 + erf(x / √2)) / 2, between 0 and 1.")
edit(GELU, "only_phi", "x * (1 + inner) / 2", "(1 + inner) / 2",
     "this is Φ(x) alone, between 0 and 1. It is multiplied by x.")
edit(GELU, "no_one", "x * (1 + inner) / 2", "x * inner / 2",
     "the 1 is missing: erf runs from −1 to 1, and Φ from 0 to 1.")
HALVED = "return x * (1 + inner) / 2"
edit(GELU, "erf_not_halved", HALVED,
     "return x * (1 + inner) / (2 if approximate == 'tanh' else 1)",
     "the form with erf is twice too large: Φ is half of 1 + erf(x / √2). The tanh form is right.")
edit(GELU, "tanh_not_halved", HALVED,
     "return x * (1 + inner) / (1 if approximate == 'tanh' else 2)",
     "the tanh form is twice too large: half of 1 + tanh(…). The form with erf is right.")
edit(GELU, "erf_without_x", HALVED, "return (x if approximate == 'tanh' else 1) * (1 + inner) / 2",
     "the form with erf gives Φ(x) alone. GELU is x·Φ(x); the tanh form has its x.")
edit(GELU, "tanh_without_x", HALVED, "return (1 if approximate == 'tanh' else x) * (1 + inner) / 2",
     "the tanh form has lost the x in front. The form with erf has it.")
edit(GELU, "half_of_x", "torch.erf(x / math.sqrt(2))", "torch.erf(x / 2)",
     "x is divided by 2 inside erf. It is √2.")
edit(GELU, "sign_of_erf", "torch.erf(x / math.sqrt(2))", "-torch.erf(x / math.sqrt(2))",
     "the sign of erf has turned: that is x·Φ(−x). Φ rises with x.")
edit(GELU, "half_of_pi", "2 / math.pi", "math.pi / 2",
     "the quotient under the root is upside down: √(2/π).")
edit(GELU, "digit_lost", "0.044715", "0.0044715",
     "the factor of x³ is ten times too small: 0.044715.")
edit(GELU, "in_place", HALVED, "x *= (1 + inner) / 2\n    return x",
     "`*=` writes into the x of whoever called. Make a new tensor.", raises=True)
edit(GELU, "no_cube", "(x + 0.044715 * x**3)", "x",
     "the cubic term of the tanh form is missing: tanh(√(2/π)·(x + 0.044715 x³)).")
edit(GELU, "slipped_digit", "0.044715", "0.44715",
     "the factor of x³ is 0.044715; a 0 after the point is missing.")
edit(GELU, "square", "x**3", "x**2",
     "the term in the tanh form is x³, not x². It has to be odd, as tanh is.")
edit(GELU, "no_root", "math.sqrt(2 / math.pi) *", "2 / math.pi *",
     "the factor of the tanh form is √(2/π); its root is missing.")
edit(GELU, "factor_on_x_alone", "(x + 0.044715 * x**3)", "x + 0.044715 * x**3",
     "√(2/π) multiplies the whole sum x + 0.044715 x³, not x alone.")


@mistake(GELU, "that is x·σ(1.702 x), a cruder approximation. Asked for are erf, and tanh with its "
         "cubic term.")
def sigmoid_form(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return x * torch.sigmoid(1.702 * x)


@mistake(GELU, "that is SiLU, x·σ(x). GELU has the normal distribution function Φ in place of σ.")
def silu_instead(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return x * torch.sigmoid(x)


edit(GELU, "no_gradient", "return x * (1 + inner) / 2", "return (x * (1 + inner) / 2).detach()",
     NO_GRADIENT, raises=True)
edit(GELU, "half_a_gradient", "x * (1 + inner) / 2", "x * (1 + inner.detach()) / 2",
     "the gradient is Φ(x) alone, as if Φ were a constant: it depends on x as well, so it may not "
     "be cut out of the graph.")
TANH = 'if approximate == "tanh":'
edit(GELU, "stays_float32", TANH, f"{UP_CAST}\n    {TANH}", STAYS_FLOAT32)


@mistake(GELU, "that is x·Φ(x) + φ(x), the integral of Φ. GELU is x·Φ(x) alone.")
def integral(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    density = torch.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return torch.nn.functional.gelu(x, approximate=approximate) + density


@mistake(SILU, "this is σ(x), between 0 and 1. SiLU multiplies it by x.")
def sigmoid(x: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(x)


@mistake(SILU, "exp of a large x is inf, and inf / inf is nan. Write σ(x) with exp(−x), or use "
         "torch.sigmoid.")
def overflow(x: torch.Tensor) -> torch.Tensor:
    return x * x.exp() / (1 + x.exp())


@mistake(SILU, "the sign in σ is turned: for large x this goes to 0 where it should go to x. "
         "σ(x) = 1 / (1 + exp(−x)).")
def other_sign(x: torch.Tensor) -> torch.Tensor:
    return x * torch.sigmoid(-x)


@mistake(SILU, "that is GELU, x·Φ(x). SiLU has the sigmoid in place of Φ.")
def gelu_instead(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.gelu(x)


@mistake(SILU, "x is scaled by 1.702 inside σ: that imitates GELU. SiLU has σ(x).")
def quick(x: torch.Tensor) -> torch.Tensor:
    return x * torch.sigmoid(1.702 * x)


@mistake(SILU, "that is x·tanh(x). A sigmoid is asked for, which lies between 0 and 1.")
def tanh_gate(x: torch.Tensor) -> torch.Tensor:
    return x * torch.tanh(x)


@mistake(SILU, "that is x·σ(x)². One σ is enough.")
def sigmoid_squared(x: torch.Tensor) -> torch.Tensor:
    return x * torch.sigmoid(x) ** 2


@mistake(SILU, "this is a form made of straight pieces, hard-swish. SiLU is smooth: x·σ(x).")
def hard(x: torch.Tensor) -> torch.Tensor:
    return x * ((x + 3) / 6).clamp(0, 1)


@mistake(SILU, "that is relu: nothing is left below 0. SiLU has small negative values there.")
def relu_instead(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x)


edit(SILU, "constant_gate", "torch.sigmoid(x)", "torch.sigmoid(x).detach()",
     "the gradient is σ(x) alone, as if σ were a constant: it depends on x as well, so it may not "
     "be cut out of the graph.")
edit(SILU, "stays_float32", "return x *", f"{UP_CAST}\n    return x *", STAYS_FLOAT32)


@mistake(SILU, "that is softplus, log(1 + exp(x)), which is never below 0. SiLU is x·σ(x).")
def softplus_instead(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.softplus(x)


@mistake(SILU, "that is the slope of SiLU, of step 3. The function itself is x·σ(x).")
def slope_of_silu(x: torch.Tensor) -> torch.Tensor:
    s = torch.sigmoid(x)
    return s * (1 + x * (1 - s))


@mistake(SILU, "that is σ(x)·σ(x). One factor is x itself.")
def sigmoid_twice(x: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(x) ** 2


edit(SILU, "in_place", "return x * torch.sigmoid(x)", "return x.mul_(torch.sigmoid(x))",
     "this writes into the x of whoever called. Make a new tensor.", raises=True)
edit(SILU, "no_gradient", "return x * torch.sigmoid(x)", "return (x * torch.sigmoid(x)).detach()",
     NO_GRADIENT, raises=True)

WIDTH = "feedforward.swiglu_width"
UP = "multiple_of * math.ceil(8 * D / (3 * multiple_of))"
edit(WIDTH, "down", UP, "multiple_of * (8 * D // (3 * multiple_of))",
     "the width is rounded down. It goes up to the next multiple.")
edit(WIDTH, "nearest", UP, "multiple_of * round(8 * D / (3 * multiple_of))",
     "the nearest multiple is taken. It goes up, even where the one below is nearer.")
edit(WIDTH, "not_rounded", UP, "math.ceil(8 * D / 3)",
     "the width is a whole number, but not a multiple of `multiple_of`.")
edit(WIDTH, "one_more", UP, "multiple_of * (8 * D // (3 * multiple_of) + 1)",
     "a width that is a multiple already gets one more. Rounding up leaves it where it is.")
edit(WIDTH, "rounded_before", UP, "multiple_of * math.ceil(int(8 * D / 3) / multiple_of)",
     "8D/3 is cut to a whole number first, and then it may already look like a multiple. Round "
     "once, "
     "at the end.")
edit(WIDTH, "always_256", UP, "256 * math.ceil(8 * D / 768)",
     "`multiple_of` is not used: these are multiples of 256.")
edit(WIDTH, "plain", UP, "multiple_of * math.ceil(4 * D / multiple_of)",
     "that is the plain width, 4D, rounded. With three matrices it has to be 8D/3.")
edit(WIDTH, "upside_down", UP, "multiple_of * math.ceil(6 * D / multiple_of)",
     "three matrices are more than two, so the width shrinks: 4D · 2/3, not 4D · 3/2.")
edit(WIDTH, "a_float", UP, f"float({UP})",
     "the number is right, and its type is not: a float or a tensor, and torch.nn.Linear wants an "
     "int.")
edit(WIDTH, "twice", UP, "multiple_of * math.ceil(2 * D / multiple_of)",
     "that is 2D, right for four matrices. There are three: 8D/3.")
edit(WIDTH, "width_up_first", UP, "math.ceil(8 * (multiple_of * math.ceil(D / multiple_of)) / 3)",
     "D is rounded to a multiple, not the width. 8D/3 comes first, then the rounding.")
edit(WIDTH, "two_digits", UP, "multiple_of * math.ceil(2.67 * D / multiple_of)",
     "8/3 is rounded to 2.67, which is too large: where 8D/3 is a multiple already, it gives the "
     "next "
     "one.")
