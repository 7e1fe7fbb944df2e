"""Pictures of lesson 13: paths through a valley, and what an iteration does to singular values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .plots import COLOURS

MARKS = ("o", "s", "^", "D")


def paths(valleys: Mapping[str, tuple[Any, Mapping[str, Any]]], reach: float = 5.0) -> Any:
    """One panel for each valley: its curvature matrix [2, 2] and the paths [n, 2] through it.

    The loss is half of wᵀ H w, drawn as contours that are closer where it is steeper; the cross is
    its lowest point. Paths are told apart by colour and by the shape of their marks.
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(valleys), figsize=(3.6 * len(valleys), 3.4), squeeze=False,
                                sharex=True, sharey=True)
    grid = np.stack(np.meshgrid(*[np.linspace(-reach, reach, 161)] * 2), -1)  # [161, 161, 2]
    for axis, (title, (curvature, trails)) in zip(axes[0], valleys.items(), strict=True):
        loss = np.einsum("abi,ij,abj->ab", grid, np.asarray(curvature), grid) / 2
        axis.contour(grid[..., 0], grid[..., 1], loss, levels=2.0 ** np.arange(-3, 11),
                     colors="#BBBBBB", linewidths=0.6)
        for at, (name, trail) in enumerate(trails.items()):
            x, y = np.asarray(trail).T
            axis.plot(x, y, color=COLOURS[at], marker=MARKS[at], markersize=3, linewidth=1,
                      label=name)
        axis.plot(0, 0, "x", color="#222222", markersize=9)
        axis.set(title=title, xlabel="w₁", xlim=(-reach, reach), ylim=(-reach, reach),
                 aspect="equal")
        axis.grid(False)
    axes[0][0].set_ylabel("w₂")
    axes[0][0].legend(fontsize=8, loc="upper left")
    return figure


def iterations(steps: Mapping[str, Callable[[Any], Any]], counts: Sequence[int] = (1, 3, 5)) -> Any:
    """One panel for each iteration s → f(s): where a singular value is after so many of them."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(steps), figsize=(3.6 * len(steps), 2.8), squeeze=False,
                                sharey=True)
    start = np.geomspace(1e-3, 1, 400)
    for axis, (title, step) in zip(axes[0], steps.items(), strict=True):
        for count, style in zip(counts, (":", "--", "-"), strict=False):
            s = start
            for _ in range(count):
                s = step(s)
            axis.plot(start, s, style, label=f"after {count}")
        axis.axhline(1, color="#222222", linewidth=0.6)
        axis.set(title=title, xlabel="singular value at the start", xscale="log")
    axes[0][0].set_ylabel("singular value then")
    axes[0][0].legend(fontsize=8)
    return figure
