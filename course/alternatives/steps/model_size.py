"""Other forms of the right answers to the steps about a model's parameters."""

import sympy

from .. import also_right, alternative

RULE = "steps.model_size.rule"
also_right("steps.model_size.whole", 512_000 + 32_768 + 4 * 198_272 + 256)
also_right(RULE, sympy.sympify("D*(V + 12*D*L)"), "__import__('sympy').sympify('D*(V + 12*D*L)')")
also_right(RULE, lambda V, D, L: V * D + L * (4 * D * D + 2 * D * (4 * D)),
           "lambda V, D, L: V * D + L * (4 * D * D + 2 * D * (4 * D))")


@alternative(RULE)
def rule(V: float, D: float, L: int) -> float:
    attention, feed_forward = 4 * D**2, 8 * D**2
    return D * V + sum(attention + feed_forward for _ in range(L))
