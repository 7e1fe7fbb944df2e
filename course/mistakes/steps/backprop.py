"""Known wrong answers to the steps of backpropagation by hand."""

from typing import Any

from .. import Mistake, add, mistake, wrong_choice, wrong_number


def wrong(target: str, value: Any, message: str) -> None:
    """A wrong vector or matrix of one of the steps, with its explanation."""
    name = target.rpartition(".")[2]
    add(target, Mistake(str(value), message, value, f"{name} = {value}"))


Z1, H = "steps.backprop.z1", "steps.backprop.h"
YHAT, LOSS = "steps.backprop.yhat", "steps.backprop.L"
wrong(Z1, [3, 1, -3], "the bias is missing: add b1.")
wrong(Z1, [4, 2, 0], "that is h already: the negative entry has been cut. z1 stands before the "
      "ReLU.")
wrong(Z1, [2, 8, -1], "x₂ is −1: its minus sign has been lost.")
wrong(Z1, [2, 0, -3], "b1 is added, not subtracted.")
wrong(Z1, [[2, 1], [4, -3], [-2, -1]], "these are the products. Each row still has to be summed, "
      "and b1 added.")
wrong(H, [4, 2, -3], "the ReLU has not been applied: max(z, 0) is 0 where z is negative.")
wrong(H, [4, 2, 3], "that is |z|. ReLU makes a negative entry 0.")
wrong(H, [1, 1, 0], "that is where the ReLU is on: its slope. Its value is max(z, 0).")
wrong(H, [0, 0, -3], "that is min(z, 0): the positive entries are the ones that stay.")
wrong(H, [4], "that is the largest entry of all. max(z, 0) is taken entry by entry.")
wrong(H, [0, 0, 3], "that is max(−z, 0): the positive entries are the ones that stay.")

wrong_number(YHAT, 0, "b2 is missing: add 1.")
wrong_number(YHAT, 10, "you used z1. The second layer gets h, where the third entry is 0.")
wrong_number(YHAT, 9, "you used z1 in place of h, and b2 is missing.")
wrong_number(YHAT, -3, "that is ŷ − y already. Here ŷ alone is asked for.")
wrong_number(YHAT, -1, "b2 is added, not subtracted.")
wrong_number(LOSS, 9, "the factor ½ is missing.")
wrong_number(LOSS, -3, "that is ŷ − y. It is squared and halved.")
wrong_number(LOSS, 3, "that is |ŷ − y|. It is squared and halved.")
wrong_number(LOSS, 1.5, "half of 3, without the square.")
wrong_number(LOSS, 2.25, "you halved before you squared: ½ · 3², not (½ · 3)².")
wrong_number(LOSS, 12.5, "ŷ and y are subtracted, not added.")
wrong_number(LOSS, -4.5, "a square is never negative.")


DYHAT, DW2, DB2 = "steps.backprop.dyhat", "steps.backprop.dW2", "steps.backprop.db2"
wrong_number(DYHAT, 3, "that is y − ŷ. L grows with ŷ only where ŷ is above y; here it is below, "
             "so the derivative is negative.")
wrong_number(DYHAT, -6, "the 2 from the square and the ½ in front cancel.")
wrong_number(DYHAT, 6, "the 2 from the square and the ½ in front cancel, and the sign is that of "
             "ŷ − y.")
wrong_number(DYHAT, -1.5, "the ½ in front cancels with the 2 from the square.")
wrong_number(DYHAT, 4.5, "that is L itself. Its derivative to ŷ is asked for.")
wrong_number(DYHAT, 1, "that is ŷ. The derivative of ½(ŷ − y)² to ŷ has y in it.")
wrong(DW2, [[-12], [-6], [0]], "the numbers are right and stand in a column. W2 is [1, 3], and a "
      "gradient has the shape of what it belongs to.")
wrong(DW2, [-12, -6, 0], "the numbers are right, but W2 has two dimensions, [1, 3], and a "
      "gradient has the shape of what it belongs to.")
wrong(DW2, [[-12, -6, 9]], "you multiplied by z1. The second layer got h.")
wrong(DW2, [[-6, 3]], "you multiplied by x. The second layer got h, with three entries.")
wrong(DW2, [[12, 6, 0]], "the sign is turned around: dŷ is negative and h is not.")
wrong(DW2, [[3, -6, 9]], "you multiplied by W2: that is the gradient to h. To a weight the slope "
      "of ŷ is what the weight is multiplied by.")
wrong(DW2, [[4, 2, 0]], "that is the slope of ŷ to W2. By the chain rule dŷ is multiplied in.")
wrong(DW2, [[-3, -3, 0]], "that is dŷ where the unit is on. The slope to a weight is what the "
      "weight is multiplied by: h.")
wrong(DW2, [[-24, -12, 0]], "twice too large: dŷ is ŷ − y, without a 2.")
wrong_number(DB2, 1, "that is the slope of ŷ to b2. By the chain rule dŷ is multiplied in.")
wrong_number(DB2, 3, "the sign is turned around: b2 moves ŷ up one for one, and dŷ is negative.")
wrong_number(DB2, -18, "that is the sum of dW2. b2 is multiplied by 1, not by h.")
wrong_number(DB2, 0, "b2 is a parameter, and ŷ moves with it one for one.")
wrong_number(DB2, -6, "twice too large: dŷ is ŷ − y, without a 2.")

DH, DZ1 = "steps.backprop.dh", "steps.backprop.dz1"
wrong(DH, [-1, 2, -3], "that is W2, the slope of ŷ to h. By the chain rule dŷ is multiplied in.")
wrong(DH, [3, -6, 0], "the third entry has gone through the ReLU already. h stands behind it; "
      "that is the next step.")
wrong(DH, [-12, -6, 0], "you multiplied by h: that is dW2. The slope of ŷ to h is W2.")
wrong(DH, [-3, 6, -9], "the sign is turned around: dŷ is −3.")
wrong(DH, [36, 18, 0], "you multiplied by dW2. The way back goes over W2 itself.")
wrong(DH, [12, -12, 0], "you multiplied dŷ by W2 and by h. The slope of ŷ to h is W2 alone.")
wrong(DH, [-3, -3, -3], "that is dŷ three times. The slope of ŷ to hⱼ is W2[0, j].")
wrong(DH, [6], "you summed over the hidden units. Each of the three has a gradient of its own.")
wrong(DZ1, [3, -6, 9], "the ReLU is skipped. The third unit is off: when z1 moves a little "
      "there, h does not.")
wrong(DZ1, [3, 0, 9], "the gate looked at the sign of dh. It looks at z1: was the unit on?")
wrong(DZ1, [12, -12, -27], "you multiplied by z1. The slope of ReLU is 1 or 0.")
wrong(DZ1, [12, -12, 0], "you multiplied by h. The slope of ReLU is 1 or 0.")
wrong(DZ1, [1, 1, 0], "that is the gate alone. dh passes where it is open.")
wrong(DZ1, [0, 0, 9], "the gate is the wrong way round: the gradient passes where z1 is "
      "positive.")
wrong(DZ1, [-3, 6, 0], "every sign is turned around: dh passes as it is where the unit is on.")
wrong(DZ1, [3, -6, -9], "that is the slope of |z|. ReLU is flat where z1 is negative.")

DW1, DB1, DX = "steps.backprop.dW1", "steps.backprop.db1", "steps.backprop.dx"
wrong(DW1, [[6, -3], [-12, 6], [18, -9]], "you used dh. W1 stands before the ReLU, so start "
      "from dz1.")
wrong(DW1, [[6, -12, 0], [-3, 6, 0]], "that is x dz1ᵀ, [2, 3]. W1 is [3, 2], and a gradient has "
      "the shape of what it belongs to.")
wrong(DW1, [[12, 6, 0], [-24, -12, 0], [0, 0, 0]], "you multiplied by h. The first layer got x.")
wrong(DW1, [[2, -1], [2, -1], [0, 0]], "you multiplied the gate with x. The gradient dz1 is "
      "what comes from behind.")
wrong(DW1, [[-6, 3], [12, -6], [0, 0]], "every sign is turned around.")
wrong(DW1, [[3, -3], [-12, -18], [0, 0]], "you multiplied by W1. To a weight the slope of z1 is "
      "what the weight is multiplied by: x.")
wrong(DW1, [[6, 3], [-12, -6], [0, 0]], "x₂ is −1: its minus sign has been lost.")
wrong(DW1, [6, -3, -12, 6, 0, 0], "the numbers are right, but W1 has two dimensions, [3, 2], and "
      "a gradient has the shape of what it belongs to.")
wrong(DW1, [[3, 3], [-6, -6], [0, 0]], "that is dz1 twice. W1[j, k] is multiplied by xₖ.")
wrong(DB1, [3, -6, 9], "that is dh. b1 stands before the ReLU, so its gradient is dz1.")
wrong(DB1, [1, 1, 0], "that is the gate, the slope of h to b1. What comes from behind is dz1.")
wrong(DB1, [1, 1, 1], "that is the slope of z1 to b1. By the chain rule dz1 is multiplied in.")
wrong(DB1, [-3], "you summed over the units. b1 has three entries, and so has its gradient.")
wrong(DX, [-18, -12], "you used dh. x stands before the ReLU, so start from dz1.")
wrong(DX, [0, 0], "x is given, and nobody will change it. L has a slope to it all the same, and "
      "a layer below would need it.")
wrong(DX, [3, 2], "that is the slope of the hidden units to x, summed over those that are on. "
      "dz1 is still to be multiplied in.")
wrong(DX, [9, 21], "every sign is turned around.")
wrong(DX, [-6, 3], "you summed the rows of dW1. To x the slope of z1 is W1.")
wrong(DX, [15, 15], "look at the signs in dz1: the second unit pulls the other way.")

LAYOUT = "steps.backprop.other_layout"
wrong_choice(LAYOUT, "a", "dY Xᵀ is [B, out] times [in, B]: the shapes do not even meet.")
wrong_choice(LAYOUT, "b", "dYᵀ X is [out, in]. Here W is [in, out], and a gradient has the shape "
             "of what it belongs to.")
wrong_choice(LAYOUT, "d", "[in, out] would fit only if B were not summed over. Which product of "
             "[B, in] and [B, out] has no B left?")
TERMS = "steps.backprop.terms_in_db"
wrong_number(TERMS, 2, "that is the batch alone. The bias is added at each of the 5 positions too.")
wrong_number(TERMS, 5, "that is one sequence. The bias is the same in both.")
wrong_number(TERMS, 1, "the same b is added at many places, and each adds to its gradient.")
wrong_number(TERMS, 30, "that is the size of dy. Each of the 3 outputs has its own entry of db.")
wrong_number(TERMS, 3, "that is how many entries db has. How many numbers are summed in each?")
wrong_number(TERMS, 20, "the inputs play no part: b is not multiplied by x.")
wrong_number(TERMS, 40, "the inputs play no part: b is not multiplied by x.")
AFTER = "steps.backprop.W2_after"
wrong(AFTER, [[-1.12, 1.94, -3]], "the step goes uphill. Subtract it.")
wrong(AFTER, [[11, 8, -3]], "the whole gradient has been subtracted. Multiply it by 0.01 "
      "first.")
wrong(AFTER, [[-0.12, -0.06, 0]], "that is the step alone. Subtract it from W2.")
wrong(AFTER, [[0.12, 0.06, 0]], "that is the step alone. It is added to W2.")
wrong(AFTER, [[0.2, 2.6, -3]], "you used a rate of 0.1. Here it is 0.01.")
wrong(AFTER, [-0.88, 2.06, -3], "the numbers are right, but W2 keeps its shape, [1, 3].")
wrong(AFTER, [[-0.88], [2.06], [-3]], "the numbers are right and stand in a column. W2 keeps its "
      "shape, [1, 3].")
wrong(AFTER, [[-1, 2, -3]], "W2 has not moved.")
WHICH = "steps.backprop.which_W2"
wrong_choice(WHICH, "a", "h was made before, and the loss too. Try it with the numbers above: the "
             "new W2 gives another dh.")
wrong_choice(WHICH, "c", "dW2 was worked out before the step and stays as it is. What is worked "
             "out after it, and with what?")
RESIDUAL = "steps.backprop.residual_slope"


@mistake(RESIDUAL, "the way around f is missing: x stands in the sum by itself, with the slope 1.")
def branch_only(dy: float, s: float) -> float:
    return dy * s


@mistake(RESIDUAL, "the way through f is missing: f(x) moves with x too.")
def line_only(dy: float, s: float) -> float:
    return dy


@mistake(RESIDUAL, "that is the slope of y to x. By the chain rule dy is multiplied in.")
def slope_alone(dy: float, s: float) -> float:
    return 1 + s


@mistake(RESIDUAL, "dy is multiplied into both ways: 1 · dy + s · dy.")
def not_multiplied_into_both(dy: float, s: float) -> float:
    return dy + s


@mistake(RESIDUAL, "the two ways add up; they are not averaged.")
def averaged(dy: float, s: float) -> float:
    return dy * (1 + s) / 2


@mistake(RESIDUAL, "the way around f is 1 · dy: what has arrived is multiplied into it too.")
def one_without_what_arrived(dy: float, s: float) -> float:
    return 1 + dy * s


@mistake(RESIDUAL, "the two ways add up: y is x *plus* f(x).")
def subtracted(dy: float, s: float) -> float:
    return dy * (1 - s)
