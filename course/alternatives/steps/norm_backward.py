"""Other forms of the right answers to the steps of RMSNorm's gradient."""

from .. import also_right, sympy_form

SLOPE, DIAGONAL = "steps.norm_backward.rms_slope", "steps.norm_backward.diagonal"
OFF = "steps.norm_backward.off_diagonal"

sympy_form(SLOPE, "x_j / (r * D)")
also_right(SLOPE, lambda x_j, r, D: 1 / (2 * r) * 2 * x_j / D, "lambda x_j, r, D: 2*x_j/D/(2*r)")
also_right(SLOPE, lambda x_j, r, D: x_j * r**-1 * D**-1, "lambda x_j, r, D: x_j * r**-1 * D**-1")
sympy_form(DIAGONAL, "1/r - xhat_i**2/(D*r)")
also_right(DIAGONAL, lambda xhat_i, r, D: 1 / r - (xhat_i * r) ** 2 / (D * r**3),
           "lambda xhat_i, r, D: 1/r - (xhat_i*r)**2/(D*r**3)")
also_right(DIAGONAL, lambda xhat_i, r, D: (D - xhat_i**2) / (D * r),
           "lambda xhat_i, r, D: (D - xhat_i**2) / (D * r)")
sympy_form(OFF, "-xhat_i*xhat_j/D/r")
also_right(OFF, lambda xhat_i, xhat_j, r, D: -(xhat_i * r) * (xhat_j * r) / (D * r**3),
           "lambda xhat_i, xhat_j, r, D: -(xhat_i*r)*(xhat_j*r)/(D*r**3)")
also_right(OFF, lambda xhat_i, xhat_j, r, D: xhat_i * (-xhat_j / D) / r,
           "lambda xhat_i, xhat_j, r, D: xhat_i * (-xhat_j / D) / r")
also_right("steps.norm_backward.doubled", 1 / 2)
