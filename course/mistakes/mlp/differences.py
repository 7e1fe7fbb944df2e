"""Known wrong answers to `numerical_gradient`."""

from collections.abc import Callable

import numpy as np

from minillm.mlp import Array

from .. import edit, mistake

SLOPES = "mlp.numerical_gradient"


@mistake(SLOPES, "this is the one-sided quotient (f(a + eps) − f(a)) / eps. The central one steps "
         "to both sides and divides by 2 eps.")
def one_sided(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.zeros_like(array)
    for at in np.ndindex(array.shape):
        moved = array.copy()
        moved[at] += eps
        slopes[at] = (f(moved) - f(array)) / eps
    return slopes


@mistake(SLOPES, "this is the one-sided quotient (f(a) − f(a − eps)) / eps. The central one steps "
         "to both sides and divides by 2 eps.")
def one_sided_below(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.zeros_like(array)
    for at in np.ndindex(array.shape):
        moved = array.copy()
        moved[at] -= eps
        slopes[at] = (f(array) - f(moved)) / eps
    return slopes


edit(SLOPES, "back_to_the_start", "moved[at] = array[at] - eps", "moved[at] = array[at]",
     "f is taken at a + eps and at a, and then divided by 2 eps. If you subtract eps from an "
     "entry that already had it added, you are back at the start.")
edit(SLOPES, "two_forgotten", "(2 * eps)", "eps",
     "every slope is twice too large: from a − eps to a + eps the way is 2 eps long.")
edit(SLOPES, "no_brackets", "(2 * eps)", "2 * eps",
     "`/ 2 * eps` divides by 2 and then multiplies by eps. Put 2 * eps in brackets.")
edit(SLOPES, "no_division", " / (2 * eps)", "",
     "the difference of the two values is there, but a slope is that difference divided by the "
     "way: 2 eps.")
edit(SLOPES, "sign", "(above - below)", "(below - above)",
     "every sign is turned around: the value above minus the value below.")
edit(SLOPES, "not_put_back", "moved[at] = array[at]  # the next entry moves alone", "pass",
     "the entries before stay moved while the next one is tried. Put each entry back before you "
     "go on.")
edit(SLOPES, "fixed_step", "for at in", "eps = 1e-6\n    for at in",
     "a step of your own is used, not the `eps` that was given.")


edit(SLOPES, "no_copy", "array.copy()", "array",
     "`moved = array` is no copy but a second name. With array[at] + eps the array itself has "
     "moved, and it is no longer known where you started.", raises=True)
edit(SLOPES, "float64_slopes", "np.zeros_like(array)", "np.zeros(array.shape)",
     "float32 went in and float64 came out: `np.zeros` makes float64 unless it is told a dtype.")


@mistake(SLOPES, "f is given float64 where the array is float32: the step is an array of float64, "
         "and so is their sum. Keep the dtype, or you will not see the rounding you want to study.")
def float64_steps(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.zeros(array.shape)
    for at in np.ndindex(array.shape):
        step = np.zeros(array.shape)
        step[at] = eps
        slopes[at] = (f(array + step) - f(array - step)) / (2 * eps)
    return slopes


@mistake(SLOPES, "all entries move together, which gives one number: the sum of the slopes. Move "
         "one entry at a time.")
def all_at_once(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> float:
    return (f(array + eps) - f(array - eps)) / (2 * eps)


@mistake(SLOPES, "all entries move together, and each gets the sum of the slopes. Move one entry "
         "at a time.")
def all_at_once_everywhere(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    return np.full_like(array, (f(array + eps) - f(array - eps)) / (2 * eps))


@mistake(SLOPES, "all entries of array[i] move together: one index means a whole row of a matrix. "
         "np.ndindex(array.shape) gives each entry alone.")
def rows_together(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.zeros_like(array)
    for i in range(len(array)):
        above, below = array.copy(), array.copy()
        above[i] += eps
        below[i] -= eps
        slopes[i] = (f(above) - f(below)) / (2 * eps)
    return slopes


@mistake(SLOPES, "two loops go through two dimensions, and an array may have one or three. "
         "np.ndindex(array.shape) takes any number.", raises=True)
def two_loops(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.zeros_like(array)
    for i in range(array.shape[0]):
        for j in range(array.shape[1]):
            above, below = array.copy(), array.copy()
            above[i, j] += eps
            below[i, j] -= eps
            slopes[i, j] = (f(above) - f(below)) / (2 * eps)
    return slopes


@mistake(SLOPES, "the slopes come as one row. The result has the shape of the array.")
def flat(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = []
    for at in np.ndindex(array.shape):
        step = np.zeros_like(array)
        step[at] = eps
        slopes.append((f(array + step) - f(array - step)) / (2 * eps))
    return np.array(slopes)


@mistake(SLOPES, "the slopes of an array that is stored column by column are 0: `reshape(-1)` "
         "made a copy of it, and moving an entry of the copy moves nothing. Index the array.")
def moved_in_a_copy(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    moved, slopes = array + 0, np.zeros(array.size)
    entries = moved.reshape(-1)
    for at in range(array.size):
        kept = entries[at]
        entries[at] = kept + eps
        above = f(moved)
        entries[at] = kept - eps
        slopes[at] = (above - f(moved)) / (2 * eps)
        entries[at] = kept
    return slopes.reshape(array.shape)


@mistake(SLOPES, "the array of whoever called it has changed: an entry that was moved has not been "
         "put back. Work on a copy.", raises=True)
def in_place(f: Callable[[Array], float], array: Array, eps: float = 1e-6) -> Array:
    slopes = np.zeros_like(array)
    for at in np.ndindex(array.shape):
        array[at] += eps
        above = f(array)
        array[at] -= 2 * eps
        slopes[at] = (above - f(array)) / (2 * eps)
    return slopes
