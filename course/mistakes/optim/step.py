"""Known wrong answers to one step of AdamW: the reference with a piece replaced."""

from .. import edit

STEP = "optim.adamw_step"
M, V = "m = beta1 * m + (1 - beta1) * grad", "v = beta2 * v + (1 - beta2) * grad**2"
M_HAT, V_HAT = "m / (1 - beta1**step)", "v / (1 - beta2**step)"
DECAY = "    param = param - lr * weight_decay * param\n"
MOVE = "param = param - lr * m_hat / (v_hat.sqrt() + eps)"


def both(name: str, first: tuple[str, str], second: tuple[str, str], message: str) -> None:
    """Two pieces at once: all that stands from the first to the second is replaced."""
    from .. import reference
    source = reference(STEP)[1]
    start, end = source.index(first[0]), source.index(second[0]) + len(second[0])
    old = source[start:end]
    edit(STEP, name, old, old.replace(*first).replace(*second), message)


both("not_corrected", (M_HAT, "m"), (V_HAT, "v"),
     "m and v are not corrected. They start at 0: divide m by 1 − β₁ᵗ and v by 1 − β₂ᵗ.")
edit(STEP, "corrects_m_only", V_HAT, "v",
     "m is corrected and v is not, so that the first steps are several times too long. Divide v by "
     "1 − β₂ᵗ.")
edit(STEP, "corrects_v_only", M_HAT, "m",
     "v is corrected and m is not, so that the first steps are too short. Divide m by 1 − β₁ᵗ.")
edit(STEP, "beta1_corrects_v", V_HAT, "v / (1 - beta1**step)",
     "v is corrected with β₁. It is an average with β₂, so its divisor is 1 − β₂ᵗ.")
edit(STEP, "beta2_corrects_m", M_HAT, "m / (1 - beta2**step)",
     "m is corrected with β₂. It is an average with β₁, so its divisor is 1 − β₁ᵗ.")
both("corrected_as_at_step_one", (M_HAT, "m / (1 - beta1)"), (V_HAT, "v / (1 - beta2)"),
     "the correction is that of step 1 at every step: the power is missing. Divide by 1 − βᵗ.")
both("divided_by_the_power", (M_HAT, "m / beta1**step"), (V_HAT, "v / beta2**step"),
     "you divided by βᵗ, the share that is missing. Divide by the share that is there, 1 − βᵗ.")
both("one_step_ahead", (M_HAT, "m / (1 - beta1 ** (step + 1))"),
     (V_HAT, "v / (1 - beta2 ** (step + 1))"),
     "the correction uses step + 1, but `step` counts from 1 already.")
both("one_step_behind", (M_HAT, "m / (1 - beta1 ** (step - 1))"),
     (V_HAT, "v / (1 - beta2 ** (step - 1))"),
     "the correction uses step − 1: at the first step that divides by 1 − β⁰ = 0. `step` counts "
     "from 1 already.")
both("times_the_correction", (M_HAT, "m * (1 - beta1**step)"), (V_HAT, "v * (1 - beta2**step)"),
     "you multiplied by 1 − βᵗ. The averages are too small at first: divide.")
both("eps_outside_the_correction", (M_HAT, "m / (1 - beta1**step)"), (MOVE, """\
param = param - lr * m_hat * (1 - beta2**step) ** 0.5 / (v.sqrt() + eps)"""),
     "the root of 1 − β₂ᵗ is taken out of the quotient, and with it eps is scaled. eps is added to "
     "√v̂.")
edit(STEP, "eps_inside_the_root", "(v_hat.sqrt() + eps)", "(v_hat + eps).sqrt()",
     "eps stands inside the root. There 10⁻⁸ becomes 10⁻⁴; add it to √v̂.")
edit(STEP, "no_eps", "(v_hat.sqrt() + eps)", "v_hat.sqrt()",
     "eps is not used: a gradient of 0 then gives 0/0, nan. Add it to √v̂.")
edit(STEP, "no_root", "(v_hat.sqrt() + eps)", "(v_hat + eps)",
     "v̂ holds squares. Divide by its root.")
edit(STEP, "subtracts_eps", "v_hat.sqrt() + eps", "v_hat.sqrt() - eps",
     "eps is added to √v̂; subtracted, it can make the divisor 0.")
edit(STEP, "l2_in_the_gradient", M, "grad = grad + weight_decay * param\n    " + M
     + "\n    weight_decay = 0.0",
     "weight_decay · param is added to the gradient and divided by √v̂ with it: that is L2 inside "
     "Adam. Take lr · weight_decay · param from the param itself.")
edit(STEP, "decay_without_the_rate", "lr * weight_decay * param", "weight_decay * param",
     "the decay is not multiplied by lr. A step takes lr · weight_decay · param.")
edit(STEP, "decays_after_the_step", DECAY + "    " + MOVE,
     "    " + MOVE + "\n" + DECAY.rstrip(),
     "the decay is taken from the param after its step. It is taken from the one that was given: "
     "decay first, or keep the old param.")
edit(STEP, "grows", "param - lr * weight_decay", "param + lr * weight_decay",
     "the decay has the wrong sign: weights grow.")
edit(STEP, "no_decay", DECAY, "",
     "weight_decay is not used.")
edit(STEP, "decay_is_divided", "lr * m_hat / (v_hat.sqrt() + eps)",
     "lr * (m_hat + weight_decay * param) / (v_hat.sqrt() + eps)",
     "the decay is divided by √v̂ as well. It stands apart: lr · weight_decay · param.")
edit(STEP, "decay_of_fixed_size", "weight_decay * param", "weight_decay * param.sign()",
     "the decay is as large for a small weight as for a large one. It is in proportion to the "
     "param.")
edit(STEP, "uphill", "param = param - lr * m_hat", "param = param + lr * m_hat",
     "the step goes with the gradient, uphill. Subtract it.")
edit(STEP, "gradient_for_m", "lr * m_hat /", "lr * grad /",
     "the step uses the gradient itself; its average m̂ is computed and left.")
edit(STEP, "no_square", "(1 - beta2) * grad**2", "(1 - beta2) * grad",
     "v averages the gradient, not its square: negative numbers then meet the root.")
edit(STEP, "absolute_value", "(1 - beta2) * grad**2", "(1 - beta2) * grad.abs()",
     "v averages the size of the gradient. It is the square that is averaged; the root comes "
     "later.")
edit(STEP, "centred", "grad**2", "(grad - m) ** 2",
     "you took the variance, the square of grad − m. v is a raw moment: the plain square.")
edit(STEP, "square_of_the_average", V, "v = beta2 * v + (1 - beta2) * m**2",
     "v averages the square of m. It is the square of the gradient that is averaged.")
edit(STEP, "average_of_the_square_root", "(1 - beta2) * grad**2", "((1 - beta2) * grad) ** 2",
     "1 − β₂ is squared too. Only the gradient is: (1 − β₂) · grad².")
edit(STEP, "beta1_for_v", V, V.replace("beta2", "beta1"),
     "v is averaged with β₁. Its own number is the second of the two, β₂.")
edit(STEP, "betas_changed_places", "beta1, beta2 = betas", "beta2, beta1 = betas",
     "the two betas have changed places: m goes with the first, v with the second.")
edit(STEP, "one_minus_changed", M, "m = (1 - beta1) * m + beta1 * grad",
     "β and 1 − β have changed places in m: β keeps the old average.")
edit(STEP, "both_one_minus_changed", M + "\n    " + V, """\
m = (1 - beta1) * m + beta1 * grad
    v = (1 - beta2) * v + beta2 * grad**2""",
     "β and 1 − β have changed places: β keeps the old average, 1 − β lets the new number in.")
edit(STEP, "sum_for_m", "(1 - beta1) * grad", "grad",
     "m is a running sum: the factor 1 − β₁ before the gradient is missing, and the correction "
     "then does not fit.")
edit(STEP, "both_sums", M + "\n    " + V, "m = beta1 * m + grad\n    v = beta2 * v + grad**2",
     "m and v are running sums: the factors 1 − β before what is new are missing.")
edit(STEP, "returns_the_corrected", "return param, m, v", "return param, m_hat, v_hat",
     "m̂ and v̂ are given back, and the next step would correct them once more. The averages "
     "themselves are kept.")
edit(STEP, "returns_the_old", "return param, m, v",
     "return param, (m - (1 - beta1) * grad) / beta1, (v - (1 - beta2) * grad**2) / beta2",
     "m and v come back as they were given. The next step needs the new ones.")
edit(STEP, "v_before_m", "return param, m, v", "return param, v, m",
     "m and v come back in the wrong order.")
edit(STEP, "old_averages_in_the_step", M + "\n    " + V + "\n    m_hat = " + M_HAT
     + "\n    v_hat = " + V_HAT,
     "m_hat = " + M_HAT + "\n    v_hat = " + V_HAT + "\n    " + M + "\n    " + V,
     "the step uses the averages from before this gradient. Update m and v first.")
edit(STEP, "nothing_for_a_gradient_of_zero", "beta1, beta2 = betas\n",
     "beta1, beta2 = betas\n    if not grad.any():\n        return param.clone(), m.clone(), "
     "v.clone()\n",
     "a gradient that is all 0 was left out. m and v fade then as always, and the param moves on "
     "by m̂ and decays.")
edit(STEP, "in_place", DECAY, "    param.mul_(1 - lr * weight_decay)\n",
     "the given param is changed in place. Work on new tensors: param * …, not param.mul_(…).",
     raises=True)
edit(STEP, "averages_in_place", M + "\n    " + V,
     "m.mul_(beta1).add_(grad, alpha=1 - beta1)\n"
     "    v.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)",
     "the given m and v are changed in place. Work on new tensors: beta1 * m, not m.mul_(beta1).",
     raises=True)
