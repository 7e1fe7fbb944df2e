"""Known wrong answers to the steps of RMSNorm's gradient."""

from .. import edit, wrong_choice, wrong_number

SLOPE = "steps.norm_backward.rms_slope"
edit(SLOPE, "no_mean", "x_j / (D * r)", "x_j / r",
     "the mean has a 1/D in it, and it is still there after differentiating.")
edit(SLOPE, "two", "x_j / (D * r)", "2 * x_j / (D * r)",
     "the 2 of x_j² cancels with the 1/2 of the root: (√m)′ = m′ / (2√m).")
edit(SLOPE, "half", "x_j / (D * r)", "x_j / (2 * D * r)",
     "the 1/2 of the root is there, and the 2 from x_j² is not.")
edit(SLOPE, "of_the_square", "x_j / (D * r)", "2 * x_j / D",
     "that is the slope of r². The root gives a factor 1/(2r).")
edit(SLOPE, "r_upstairs", "x_j / (D * r)", "x_j * r / D",
     "r is multiplied. (√m)′ = m′ / (2√m): it divides.")
edit(SLOPE, "of_the_inverse", "x_j / (D * r)", "-x_j / (D * r**3)",
     "that is the slope of 1/r. The slope of r itself is asked for.")

edit(SLOPE, "no_r", "x_j / (D * r)", "x_j / D + 0 * r",
     "the derivative of a root has the root below the line: m′ / (2√m).")
edit(SLOPE, "r_squared", "x_j / (D * r)", "x_j / (D * r**2)",
     "r stands below the line once: (√m)′ = m′ / (2√m), and √m is r.")
edit(SLOPE, "no_x", "x_j / (D * r)", "1 / (D * r) + 0 * x_j",
     "the slope of x_j² is 2 x_j: x_j is lost.")

DIAGONAL = "steps.norm_backward.diagonal"
edit(DIAGONAL, "r_constant", "(1 - xhat_i**2 / D) / r", "1 / r + 0 * xhat_i",
     "r is treated as a constant. It has x_i in it: quotient rule, with the slope of step 8.")
edit(DIAGONAL, "no_D", "(1 - xhat_i**2 / D) / r", "(1 - xhat_i**2) / r",
     "the 1/D of the slope of r is lost.")
edit(DIAGONAL, "two", "xhat_i**2 / D", "2 * xhat_i**2 / D",
     "a 2 is left of x_j². It cancels with the 1/2 of the root: the slope of step 8 has none.")
edit(DIAGONAL, "turned", "(1 - xhat_i**2 / D) / r", "(xhat_i**2 / D - 1) / r",
     "the sign: the quotient rule begins with the slope of what stands above the line.")
edit(DIAGONAL, "plus", "(1 - xhat_i**2 / D) / r", "(1 + xhat_i**2 / D) / r",
     "the second term is added. r stands below the line: as it grows, x̂ falls.")
edit(DIAGONAL, "not_divided", "(1 - xhat_i**2 / D) / r", "1 - xhat_i**2 / D",
     "the 1/r is lost: both terms of the quotient rule have it once x_i/r is written as x̂_i.")
edit(DIAGONAL, "squared_r", "(1 - xhat_i**2 / D) / r", "1 / r - xhat_i**2 / (D * r**2)",
     "with x̂ = x/r put in, the second term is x̂_i² / (D·r): one r only.")
edit(DIAGONAL, "second_only", "(1 - xhat_i**2 / D) / r", "-xhat_i**2 / (D * r)",
     "the first term is missing: x_i also stands above the line, which gives 1/r.")
edit(DIAGONAL, "as_softmax", "(1 - xhat_i**2 / D) / r", "xhat_i * (1 - xhat_i) / r",
     "that is softmax's pattern. Here x̂_i = x_i / r: quotient rule.")

edit(DIAGONAL, "not_squared", "xhat_i**2", "xhat_i",
     "x̂_i comes in twice, once from x_i above the line and once from the slope of r.")

OFF = "steps.norm_backward.off_diagonal"
edit(OFF, "nothing", "-xhat_i * xhat_j / (D * r)", "0.0 * xhat_i",
     "x_j is in r, so every x̂_i changes with it.")
edit(OFF, "two", "-xhat_i * xhat_j", "-2 * xhat_i * xhat_j",
     "a 2 is left of x_j². It cancels with the 1/2 of the root: the slope of step 8 has none.")
edit(OFF, "plus", "-xhat_i * xhat_j", "xhat_i * xhat_j",
     "the sign: as x_j grows (from above 0), r grows, and x̂_i falls.")
edit(OFF, "no_D", "(D * r)", "r", "the 1/D of the slope of r is lost.")
edit(OFF, "no_r", "(D * r)", "D",
     "one r is lost: x_i x_j / (D r³) is x̂_i x̂_j / (D r).")
edit(OFF, "cubed", "(D * r)", "(D * r**3)",
     "x_i x_j / (D r³) has been written with x̂, and two of the three r belong to them.")
edit(OFF, "squared", "(D * r)", "(D * r**2)",
     "x̂_i x̂_j takes two of the three r of x_i x_j / (D r³). One is left.")
edit(OFF, "only_j", "-xhat_i * xhat_j", "-xhat_j",
     "x̂_i is missing: x_i / r² times the slope of r.")
edit(OFF, "one_over_r", "-xhat_i * xhat_j / (D * r)", "(1 - xhat_i * xhat_j / D) / r",
     "1/r belongs to the diagonal only: x_j does not stand above the line of x̂_i.")

ALONG = "steps.norm_backward.along_x"
wrong_choice(ALONG, "b", "this product says how the loss changes when x is made longer in its own "
             "direction. What does rms_norm give for a longer x?")
wrong_choice(ALONG, "c", "compute it: x · dx = (x·g − x·x̂ · mean(g x̂)) / r, with x = r x̂ and "
             "x̂·x̂ = D. The two terms are equal.")
wrong_choice(ALONG, "d", "it does not depend on g at all: whatever the loss is, a longer x gives "
             "the same result.")

DOUBLED = "steps.norm_backward.doubled"
wrong_number(DOUBLED, 2, "the other way round: r is twice as large, and dx = (…) / r.")
wrong_number(DOUBLED, 1, "the *result* stays as it is. Its slope does not: a step of 0.01 in a "
             "vector twice as long turns it half as far.")
wrong_number(DOUBLED, 0.25, "x̂ does not change, so only the one r in front counts.")
wrong_number(DOUBLED, 0, "no component along x is there anyway, and the rest is divided by r, "
             "which has doubled.")

CENTRING = "steps.norm_backward.centring"
wrong_choice(CENTRING, "a", "x_j is also in the mean, and so in every entry of c, with −1/D.")
wrong_choice(CENTRING, "c", "the mean is subtracted on the way forward, so each entry of c has a "
             "slope of −1/D in x_j: the mean of dc is subtracted too.")
wrong_choice(CENTRING, "d", "c_j has x_j itself in it, with slope 1, and on top of that the mean, "
             "with slope −1/D.")
