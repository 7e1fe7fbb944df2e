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


@derived("a parent after its child")
def parent_after_child(places: Array) -> float:
    """Of the places [edges, 2] of parent and child in an order: 1 if any pair is turned, else 0.

    Nothing but whole numbers can be a place.
    """
    if (places % 1).any():
        raise ValueError("places are whole numbers")
    return float((places[:, 0] >= places[:, 1]).any())


def apply(name: str, seen: Value) -> Value:
    """The property of an observed array as a number; an error stays what it is."""
    if "data" not in seen:
        return seen
    value = DERIVED[name](np.array(seen["data"]).reshape(seen["shape"]))
    return {"dtype": "number", "shape": [], "data": [float(value)]}
