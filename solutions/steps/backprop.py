"""Answers of the steps of backpropagation by hand, on one example (lesson 02)."""

z1 = [4, 2, -3]

h = [4, 2, 0]

yhat = 1

L = 4.5

dyhat = -3

dW2 = [[-12, -6, 0]]

db2 = -3

dh = [3, -6, 9]

dz1 = [3, -6, 0]

dW1 = [[6, -3], [-12, 6], [0, 0]]

db1 = [3, -6, 0]

dx = [-9, -21]

other_layout = "c"

terms_in_db = 10

W2_after = [[-0.88, 2.06, -3.0]]

which_W2 = "b"


def residual_slope(dy: float, s: float) -> float:
    """The gradient to x for y = x + f(x), from dy, the gradient to y, and s = f'(x)."""
    ### BEGIN SOLUTION
    return dy * (1 + s)
    ### END SOLUTION
