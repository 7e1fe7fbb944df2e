"""Pictures of attention: maps of weights, masks, and what a scale does to both ways."""

from collections.abc import Callable, Sequence
from typing import Any

from .pictures import ACCENT, INK, LINE, arrow, box
from .plots import COLOURS


def routing() -> Any:
    """One query against three keys: scores, softmax, and the weighted sum of the values."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 2.9), layout="constrained")
    axes.set_axis_off()
    axes.set_xlim(0, 14)
    axes.set_ylim(0, 5)
    for y, (name, score, weight) in zip((4.2, 2.7, 1.2), (
            ("cat", "3.0", 0.84), ("milk", "1.0", 0.11), ("the", "0.2", 0.05)), strict=True):
        box(axes, 4.4, y, f"key of “{name}”", 2.4)
        box(axes, 11.0, y, f"value of “{name}”", 2.4)
        arrow(axes, (2.4, 2.7), (3.05, y))
        axes.text(6.5, y, score, ha="center", va="center", fontsize=10, color=INK)
        axes.text(8.4, y, f"{weight:.2f}", ha="center", va="center", fontsize=10, color=ACCENT)
        axes.plot([8.9, 9.65], [y, y], color=ACCENT, linewidth=8 * weight + 0.5)
        axes.plot([12.35, 13.1], [y, 2.7], color=LINE, linewidth=8 * weight + 0.5)
    box(axes, 1.3, 2.7, "query of “it”", 2.2)
    arrow(axes, (7.0, 2.7), (7.9, 2.7))
    axes.text(7.45, 3.0, "softmax", ha="center", fontsize=8, color=INK)
    axes.text(6.5, 0.25, "scores", ha="center", fontsize=9, color=INK)
    axes.text(8.4, 0.25, "weights", ha="center", fontsize=9, color=ACCENT)
    axes.text(13.55, 2.7, "out", ha="center", va="center", fontsize=10, color=LINE)
    return figure


def weight_maps(words: Sequence[str], maps: dict[str, Any]) -> Any:
    """Maps of weights [T, T], side by side: rows look, columns are looked at."""
    import matplotlib.pyplot as plt

    count = len(maps)
    figure, axes = plt.subplots(1, count, figsize=(2.75 * count, 3.2), sharey=True)
    for each, (title, weights) in zip(axes, maps.items(), strict=True):
        each.grid(False)
        image = each.imshow(weights, vmin=0, vmax=1, cmap="Blues")
        each.set_title(title, fontsize=9)
        each.set_xticks(range(len(words)), words, rotation=60, ha="right", fontsize=8)
        each.set_yticks(range(len(words)), words, fontsize=8)
    figure.colorbar(image, ax=axes, shrink=0.7, label="weight")
    return figure


def yes_no(maps: dict[str, Any], rows: str = "query", columns: str = "key") -> Any:
    """Boolean matrices side by side: filled squares are True."""
    import matplotlib.pyplot as plt

    widths = [len(m[0]) for m in maps.values()]
    figure, axes = plt.subplots(1, len(maps), figsize=(7.5, 2.3), width_ratios=widths)
    for each, (title, matrix) in zip(axes, maps.items(), strict=True):
        each.grid(False)
        each.imshow([[bool(x) for x in row] for row in matrix], vmin=0, vmax=1.6, cmap="Blues")
        each.set_title(title, fontsize=9)
        each.set_xticks(range(len(matrix[0])))
        each.set_yticks(range(len(matrix)))
        each.tick_params(labelsize=7)
        each.set_xlabel(columns, fontsize=8)
    axes[0].set_ylabel(rows, fontsize=8)
    return figure


def both_ways(scales: Sequence[float], numbers: Callable[[float], dict[str, float]],
              marked: float) -> Any:
    """What each scale does to the entropy and to the gradients; one scale is marked."""
    import matplotlib.pyplot as plt

    found = [numbers(scale) for scale in scales]
    figure, axes = plt.subplots(1, 2, figsize=(7.5, 2.7))
    axes[0].plot(scales, [f["entropy"] for f in found], color=COLOURS[0])
    axes[0].set(title="entropy of a row / its largest", xscale="log", ylim=(0, 1.05))
    for name, style, colour in (("scores", "-", COLOURS[1]), ("queries", "--", COLOURS[2])):
        axes[1].plot(scales, [f[name] for f in found], style, color=colour, label=f"to the {name}")
    axes[1].set(title="length of the gradient", xscale="log", yscale="log")
    axes[1].yaxis.set_minor_formatter("")
    marks = [0.02, 0.05, 0.1, 0.2, 0.4]  # the powers of 10 alone would be one label
    axes[1].set_yticks(marks, [f"{mark:g}" for mark in marks])
    axes[1].legend(fontsize=8)
    for each in axes:
        each.axvline(marked, color=INK, linewidth=1, linestyle=":")
        each.set_xlabel("scale on the scores (dotted: 1/√Dh)", fontsize=9)
    return figure
