"""Properties that the comparer computes from raw outputs, so that nobody can send them by hand."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..values import Value

Array = npt.NDArray[np.float64]
DERIVED: dict[str, Callable[[Array], float]] = {}


def derived(name: str) -> Callable[[Callable[[Array], float]], Callable[[Array], float]]:
    """Register a property under the words that stand in `see(..., derive="…")`."""

    def keep(function: Callable[[Array], float]) -> Callable[[Array], float]:
        DERIVED[name] = function
        return function

    return keep


@derived("largest change")
def largest_change(pair: Array) -> float:
    """Of outputs [2, ...] before and after something that must not matter."""
    return float(np.abs(pair[0] - pair[1]).max())


@derived("largest change but in the last row")
def largest_change_but_last(pair: Array) -> float:
    """Of outputs [2, ..., T, D] before and after the last of T positions changed."""
    return float(np.abs(pair[0] - pair[1])[..., :-1, :].max())


@derived("a pair in the wrong order")
@derived("a parent after its child")
def parent_after_child(places: Array) -> float:
    """Of the places [edges, 2] of parent and child in an order: 1 if any pair is turned, else 0.

    Nothing but whole numbers can be a place.
    """
    if (places % 1).any():
        raise ValueError("places are whole numbers")
    return float((places[:, 0] >= places[:, 1]).any())


@derived("share of zeros, in quarters")
def share_of_zeros(out: Array) -> float:
    """How much of an output is 0: 2 for a half, whatever the random numbers were."""
    return float(np.round(4 * (out == 0).mean()))


@derived("whether anything is 0")
def anything_zero(out: Array) -> float:
    """1 when any number of an output is 0: something was dropped, however little."""
    return float((out == 0).any())


@derived("share of tokens that are lost, in quarters, if all others are scaled alike")
def share_of_lost_tokens(pair: Array) -> float:
    """Of outputs [2, ..., D], in training and after it: rows that are 0 only in training.

    -1 when what is left is not the output after training times one factor.
    """
    training, after = pair
    with np.errstate(all="ignore"):
        factors = (training / after)[training != 0]
        alike = not factors.size or np.abs(factors - factors[0]).max() < 1e-6
    if not alike:
        return -1.0
    return float(np.round(4 * (training == 0).all(-1).mean()))


@derived("how many times larger in training")
def how_much_larger(pair: Array) -> float:
    """Of outputs [2, ...], in training and after it: the middle factor between those that are left.

    0 when nothing is left.
    """
    training, after = pair
    left = (training != 0) & (after != 0)
    return float(np.median(training[left] / after[left])) if left.any() else 0.0


def kept_entries(pair: Array) -> tuple[Array, Array, Array]:
    """Of outputs [2, N, T, 2·T·R], in training and after it, of two heads whose values are marked.

    The value of token s is 1 in the R columns sR … sR + R − 1 of its head, and 0 in all others: so
    these columns of row t hold the weight of s for t, and 0 where it is lost. Gives the factor, in
    training to after it, of each entry [N, T, 2, S, R]; where it is not 0; and which may be, s ≤ t.
    """
    T = pair.shape[2]
    training, after = pair.reshape(2, pair.shape[1], T, 2, T, -1)
    allowed = np.broadcast_to(np.tri(T, dtype=bool)[None, :, None, :, None], training.shape)
    with np.errstate(all="ignore"):
        return training / after, np.where(allowed, training != 0, False), allowed


@derived("share of entries that are lost, in quarters, if all others are scaled alike")
def share_of_lost_entries(pair: Array) -> float:
    """Of what `kept_entries` takes: 3 when the weights and the result drop out with 0.5 each, 2
    with 0.25.

    -1 when what is left is not the output after training times one factor.
    """
    factors, kept, allowed = kept_entries(pair)
    left = factors[kept]
    if left.size and not np.abs(left / left[0] - 1).max() < 1e-6:
        return -1.0
    return float(np.round(4 * (1 - kept.sum() / allowed.sum())))


@derived("what is lost together")
def lost_together(pair: Array) -> float:
    """Of what `kept_entries` takes: 0 when each weight of each text and head is lost on its own.

    Entries that share a weight have to be lost together, with correlation (1 − p) / (2 − p) for
    dropout p, since the result drops out as well, and no others. Added up: 1 for the weights of a
    row, 2 of a column, 4 of the heads, 16 for entries of one weight that are *not* lost together.
    8 for those of all texts.
    """
    _, kept, allowed = kept_entries(pair)
    mean = kept.sum() / allowed.sum()
    apart = np.where(allowed, kept - mean, 0.0)

    def together(axis: int) -> bool:
        """Whether pairs along this axis are correlated: (Σ z)² − Σ z² is the sum over pairs."""
        products = (apart.sum(axis) ** 2 - (apart**2).sum(axis)).sum()
        pairs = (allowed.sum(axis) ** 2 - allowed.sum(axis)).sum()
        return bool(products / pairs > mean * (1 - mean) / 6)

    text, column, head, row, weight = (together(axis) for axis in range(5))
    if text:  # one mask says nothing of the rest
        return 8.0
    return float(row + 2 * column + 4 * head + 16 * (not weight))


@derived("whether they differ")
def whether_they_differ(pair: Array) -> float:
    """1 when the outputs [2, ...] differ anywhere, else 0."""
    return float((pair[0] != pair[1]).any())


@derived("how far from a quarter")
def far_from_a_quarter(counts: Array) -> float:
    """Of [part, whole]: 0 when the part is between an eighth and three eighths, else the rest."""
    return max(0.0, abs(float(counts[0] / counts[1]) - 0.25) - 0.125)


@derived("how far from equally often")
def far_from_even(counts: Array) -> float:
    """Of how often each outcome came: 0 when all are within half of their mean, else the rest."""
    return max(0.0, float(np.abs(counts / counts.mean() - 1).max()) - 0.5)


@derived("whether one follows from the one before")
def follows(drawn: Array) -> float:
    """1 when most steps from one number to the next are of few sizes, else 0."""
    steps = np.diff(drawn)
    return float(len(np.unique(steps)) < len(steps) / 4)


@derived("whether it is enough and not too much")
def enough(held: Array) -> float:
    """Of [n, 4], rows of (what was drawn, its largest piece, what was asked for, what is left).

    0 where the drawing ended as soon as there was enough or only one was left; else 1 for too
    little in any row, and 2 more for too much.
    """
    drawn, largest, asked, left = held.T
    too_little = ((drawn < asked) & (left > 1)).any()
    too_much = (drawn - largest >= asked).any()
    return float(too_little + 2 * too_much)


def apply(name: str, seen: Value) -> Value:
    """The property of an observed array as a number; an error stays what it is."""
    if "data" not in seen:
        return seen
    value = DERIVED[name](np.array(seen["data"]).reshape(seen["shape"]))
    return {"dtype": "number", "shape": [], "data": [float(value)]}
