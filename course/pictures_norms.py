"""Pictures of lesson 08: what a norm does to vectors, and where it stands in a layer."""

from typing import Any

from .pictures import ACCENT, INK, LINE, arrow, box
from .plots import COLOURS


def flat(before: Any, **after: Any) -> Any:
    """Vectors of width 2, [N, 2], before and after each of several norms (title = result)."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 1 + len(after), figsize=(7.5, 2.6), layout="constrained")
    for each, (title, points) in zip(axes, {"x": before, **after}.items(), strict=True):
        each.scatter(before[:, 0], before[:, 1], s=8, color="#BBBBBB")
        each.scatter(points[:, 0], points[:, 1], s=10, color=COLOURS[1 if title != "x" else 0])
        each.axhline(0, color="#999999", linewidth=0.6)
        each.axvline(0, color="#999999", linewidth=0.6)
        each.set(xlim=(-3, 6), ylim=(-3.5, 5.5), xlabel="column 0")
        each.set_box_aspect(1)
        each.set_title(title.replace("_", " "), fontsize=10)
    axes[0].set_ylabel("column 1")
    return figure


WIRINGS = {
    "pre-norm": ("norm", "F", "+"),
    "post-norm": ("F", "+", "norm"),
    "norm at both ends (sandwich)": ("norm", "F", "norm", "+"),
}


def wirings() -> Any:
    """Where the norm stands in one residual step, three ways; the line runs at the top."""
    import matplotlib.pyplot as plt

    figure, row = plt.subplots(1, len(WIRINGS), figsize=(8, 2.5), layout="constrained")
    for axes, (title, parts) in zip(row, WIRINGS.items(), strict=True):
        axes.set_axis_off()
        axes.set(xlim=(0, 10.6), ylim=(0.2, 4.4))
        axes.set_title(title, fontsize=10)
        inside = parts[:parts.index("+")]
        after = parts[parts.index("+") + 1:]
        x_plus = 7.5
        arrow(axes, (0.2, 3.5), (x_plus - 0.3, 3.5), LINE)
        axes.text(0.2, 3.85, "x", fontsize=10, color=LINE)
        axes.text(x_plus, 3.5, "+", ha="center", va="center", fontsize=12, color=ACCENT,
                  bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": ACCENT})
        axes.plot([0.9, 0.9], [3.5, 0.9], color=INK, linewidth=1)
        width = 1.55
        places = {1: (4.2,), 2: (2.9, 5.4), 3: (2.1, 4.2, 6.3)}[len(inside)]
        start = 0.9
        for x, name in zip(places, inside, strict=True):
            arrow(axes, (start, 0.9), (x - width / 2 - 0.1, 0.9))
            box(axes, x, 0.9, name, width)
            start = x + width / 2 + 0.1
        axes.plot([start, x_plus], [0.9, 0.9], color=ACCENT, linewidth=1)
        arrow(axes, (x_plus, 0.9), (x_plus, 3.15), ACCENT)
        if after:
            arrow(axes, (x_plus + 0.35, 3.5), (8.25, 3.5), LINE)
            box(axes, 9.1, 3.5, "norm", width)
        arrow(axes, (9.95 if after else x_plus + 0.35, 3.5), (10.6, 3.5), LINE)
    return figure
