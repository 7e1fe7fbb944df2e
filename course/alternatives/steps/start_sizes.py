"""Other forms of the right answers to the steps on the sizes that weights start with."""

import math

import torch

from .. import also_right, sympy_form

LINE, SCALED, FACTOR, STD, LOSS = (f"steps.start_sizes.{name}" for name in (
    "line_variance", "scaled_variance", "factor", "logit_std", "first_loss"))

sympy_form(LINE, "x0 + 2*n_layer*v")
also_right(LINE, lambda n_layer, v, x0: x0 + sum(v for _ in range(2 * n_layer)),
           "lambda n_layer, v, x0: x0 + sum(v for _ in range(2 * n_layer))")
also_right(LINE, lambda n_layer, v, x0: n_layer * (v + v) + x0,
           "lambda n_layer, v, x0: n_layer * (v + v) + x0")
sympy_form(SCALED, "v*a**2")
also_right(SCALED, lambda a, v: (a * v**0.5) ** 2, "lambda a, v: (a * v**0.5) ** 2")
also_right(SCALED, lambda a, v: a * v * a, "lambda a, v: a * v * a")
sympy_form(FACTOR, "1/sqrt(2*n_layer)")
also_right(FACTOR, lambda n_layer: math.sqrt(1 / (2 * n_layer)),
           "lambda n_layer: __import__('math').sqrt(1/(2*n_layer))")
also_right(FACTOR, lambda n_layer: 1 / (2**0.5 * n_layer**0.5),
           "lambda n_layer: 1 / (2**0.5 * n_layer**0.5)")
sympy_form(STD, "sqrt(D*base**2)")
also_right(STD, lambda D, base: (D * base**2) ** 0.5, "lambda D, base: (D * base**2) ** 0.5")
also_right(STD, lambda D, base: math.dist([0] * D, [base] * D),
           "lambda D, base: __import__('math').dist([0] * D, [base] * D)")
also_right(FACTOR, lambda n_layer: 1 / torch.sqrt(torch.tensor(2 * n_layer)),
           "lambda n_layer: 1 / torch.sqrt(torch.tensor(2 * n_layer))")
also_right(STD, lambda D, base: base * D / D**0.5, "lambda D, base: base * D / D**0.5")
sympy_form(LOSS, "log(V) + s**2/2")
also_right(LOSS, lambda V, s: math.log(V * math.exp(s * s / 2)),
           "lambda V, s: __import__('math').log(V * __import__('math').exp(s * s / 2))")
also_right(LOSS, lambda V, s: 0.5 * s**2 - math.log(1 / V),
           "lambda V, s: 0.5 * s**2 - __import__('math').log(1 / V)")
