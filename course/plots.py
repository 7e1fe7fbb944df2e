"""One look for every figure of the course, and the pictures that checks show."""

from typing import Any

import numpy as np

from . import alt
from .values import Value

# Okabe and Ito (2008): told apart by colour-blind readers, on white and on dark
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]


def use_style() -> None:
    """Set the course's matplotlib style: white faces, so that dark themes stay readable.

    In a notebook figures get a description for those who hear them.
    """
    import matplotlib as mpl
    from cycler import cycler

    mpl.rcParams.update({
        "figure.facecolor": "white", "axes.facecolor": "white", "savefig.facecolor": "white",
        "figure.figsize": (6, 3), "figure.dpi": 100, "figure.constrained_layout.use": True,
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
        "grid.alpha": 0.3, "axes.prop_cycle": cycler(color=COLOURS), "image.cmap": "viridis",
    })
    alt.register()


def heat(axes: Any, matrix: Any, title: str, limit: float | None = None) -> Any:
    """A matrix as a heat map; with `limit` the colours run from -limit to limit."""
    axes.grid(False)
    axes.set_title(title, fontsize=10)
    if limit is None:
        return axes.imshow(matrix)
    return axes.imshow(matrix, cmap="RdBu_r", vmin=-limit, vmax=limit)


def beside(yours: Value, right: Value) -> None:
    """Show the last two dimensions of a result beside the expected one and the difference."""
    import matplotlib.pyplot as plt
    from IPython.display import display

    a, b = (np.array(v["data"]).reshape(v["shape"]) for v in (yours, right))
    with np.errstate(all="ignore"):
        apart = np.abs(np.nan_to_num(a) - np.nan_to_num(b))
    at = np.unravel_index(int(apart.argmax()), apart.shape)[:-2]  # the slice that is most wrong
    a, b = a[at], b[at]
    with np.errstate(invalid="ignore"):  # of two scores at -inf neither is too large
        difference = np.where(a == b, 0.0, a - b)
    finite = np.concatenate([a[np.isfinite(a)], b[np.isfinite(b)], [1e-12]])
    limit = float(np.abs(finite).max())
    figure, axes = plt.subplots(1, 3, figsize=(7.5, 2.4), layout="constrained")
    for each, matrix, title in zip(axes, (a, b, difference),
                                   ("yours", "expected", "yours − expected"), strict=True):
        image = heat(each, matrix, title, limit)
    figure.colorbar(image, ax=axes, shrink=0.8)
    notes = [f"the slice at {list(map(int, at))}"] if at else []
    notes += ["blank: not a number"] if np.isnan(a).any() else []
    figure.supxlabel(", ".join(notes), fontsize=8)
    display(figure)  # type: ignore[no-untyped-call]
    plt.close(figure)
