"""Pictures of lesson 03: a text cut into tokens, and inputs above their targets."""

from collections.abc import Mapping, Sequence
from typing import Any

from .pictures import ACCENT, INK, LINE, arrow
from .plots import COLOURS

WIDE = 0.118  # of one monospace character, in the units of the axes


def cut(rows: Mapping[str, Sequence[str]]) -> Any:
    """The same text cut in several ways: a box for each token, and how many there are."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    figure, axes = plt.subplots(figsize=(8.5, 0.75 * len(rows)), layout="constrained")
    axes.set_axis_off()
    axes.set_xlim(-1.6, 8.6)
    axes.set_ylim(-len(rows) + 0.4, 0.7)
    longest = max(sum(len(t) + 1 for t in tokens) for tokens in rows.values())
    wide = min(WIDE, 7.8 / longest)
    for row, (name, tokens) in enumerate(rows.items()):
        axes.text(-0.15, -row, name, ha="right", va="center", fontsize=9, color=INK)
        x = 0.0
        for at, token in enumerate(tokens):
            width = wide * (len(token) + 1)
            axes.add_patch(Rectangle((x, -row - 0.28), width - 0.02, 0.56, edgecolor="none",
                                     facecolor=COLOURS[4 if at % 2 else 1], alpha=0.28))
            axes.text(x + width / 2, -row, token.replace(" ", "␣"), ha="center", va="center",
                      fontsize=72 * wide, family="monospace", color=INK)
            x += width
        axes.text(x + 0.1, -row, str(len(tokens)), va="center", fontsize=9, color=LINE)
    return figure


def shifted(tokens: Sequence[str]) -> Any:
    """T + 1 tokens as T inputs and their T targets, one place to the left."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    T = len(tokens) - 1
    figure, axes = plt.subplots(figsize=(7, 2.3), layout="constrained")
    axes.set_axis_off()
    axes.set_xlim(-1.6, T + 1.1)
    axes.set_ylim(-0.6, 2.9)
    for y, name, row, colour in ((2.0, "x, the inputs", tokens[:-1], LINE),
                                 (0.2, "y, the targets", tokens[1:], ACCENT)):
        axes.text(-0.75, y + 0.3, name, ha="right", va="center", fontsize=9, color=colour)
        for at, token in enumerate(row):
            axes.add_patch(Rectangle((at - 0.45, y), 0.9, 0.6, facecolor="white",
                                     edgecolor=colour))
            axes.text(at, y + 0.3, token, ha="center", va="center", fontsize=9, color=INK)
    for at in range(T):
        arrow(axes, (at, 1.95), (at, 0.85), INK)
        axes.text(at, 2.72, f"t = {at}", ha="center", fontsize=8, color=INK)
        if at:
            arrow(axes, (at - 0.62, 0.85), (at - 0.28, 1.95), "#888888")
    axes.text((T - 1) / 2, -0.45, "each grey arrow: the same token, once as target and once as "
              "the next input", ha="center", fontsize=8, color="#666666")
    return figure
