"""Other forms of the right answers to the steps of backpropagation by hand."""

from fractions import Fraction

import numpy as np
import sympy
import torch

from .. import also_right, alternative

also_right("steps.backprop.z1", np.array([[4.0], [2.0], [-3.0]]),
           "__import__('numpy').array([[4.0], [2.0], [-3.0]])")
also_right("steps.backprop.z1", (4, 2, -3))
also_right("steps.backprop.h", torch.relu(torch.tensor([4.0, 2.0, -3.0], requires_grad=True)),
           "(t := __import__('torch')).relu(t.tensor([4.0, 2.0, -3.0], requires_grad=True))")
also_right("steps.backprop.yhat", [1])
also_right("steps.backprop.yhat", np.array([1.0]), "__import__('numpy').array([1.0])")
also_right("steps.backprop.L", 9 / 2)
also_right("steps.backprop.L", np.array([4.5]), "__import__('numpy').array([4.5])")  # ½(ŷ - y)²
also_right("steps.backprop.L", torch.tensor(4.5), "__import__('torch').tensor(4.5)")
also_right("steps.backprop.dyhat", [[-3.0]])
also_right("steps.backprop.dyhat", 1 - 4)
also_right("steps.backprop.dW2", np.outer([-3], [4, 2, 0]),
           "__import__('numpy').outer([-3], [4, 2, 0])")
also_right("steps.backprop.dW2", ((-12.0, -6.0, 0.0),))
also_right("steps.backprop.db2", torch.tensor([-3.0]), "__import__('torch').tensor([-3.0])")
also_right("steps.backprop.dh", np.array([[-1], [2], [-3]]) @ np.array([[-3]]),
           "(n := __import__('numpy')).array([[-1], [2], [-3]]) @ n.array([[-3]])")
also_right("steps.backprop.dz1", [3.0, -6.0, -0.0])
also_right("steps.backprop.dW1", torch.outer(torch.tensor([3, -6, 0]), torch.tensor([2, -1])),
           "(t := __import__('torch')).outer(t.tensor([3, -6, 0]), t.tensor([2, -1]))")
also_right("steps.backprop.dW1", sympy.Matrix([[6, -3], [-12, 6], [0, 0]]),
           "__import__('sympy').Matrix([[6, -3], [-12, 6], [0, 0]])")
also_right("steps.backprop.db1", [[3, -6, 0]])
also_right("steps.backprop.dx", np.array([[1, 2, -1], [-1, 3, 1]]) @ np.array([3, -6, 0]),
           "(n := __import__('numpy')).array([[1, 2, -1], [-1, 3, 1]]) @ n.array([3, -6, 0])")
also_right("steps.backprop.terms_in_db", 2 * 5)
also_right("steps.backprop.W2_after", [[-1 + 0.12, 2 + 0.06, -3 - 0.0]])
also_right("steps.backprop.W2_after", [[Fraction(-88, 100), Fraction(206, 100), -3]],
           "[[-88 / 100, 206 / 100, -3]]")
also_right("steps.backprop.other_layout", " C")
also_right("steps.backprop.which_W2", "B")


@alternative("steps.backprop.residual_slope")
def two_ways(dy: float, s: float) -> float:
    return dy + s * dy


also_right("steps.backprop.residual_slope", sympy.sympify("dy + dy*s"),
           "__import__('sympy').sympify('dy + dy*s')")
also_right("steps.backprop.residual_slope", sympy.sympify("dy*(1 + s)"),
           "__import__('sympy').sympify('dy*(1 + s)')")
