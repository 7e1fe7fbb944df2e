"""Pictures that several lessons show. Each gives a matplotlib figure."""

from typing import Any

INK, LINE, ACCENT = "#222222", "#0072B2", "#D55E00"


def box(axes: Any, x: float, y: float, text: str, width: float = 2.6) -> None:
    from matplotlib.patches import FancyBboxPatch
    axes.add_patch(FancyBboxPatch((x - width / 2, y - 0.3), width, 0.6, boxstyle="round,pad=0.05",
                                  facecolor="white", edgecolor=INK, linewidth=1))
    axes.text(x, y, text, ha="center", va="center", fontsize=9, color=INK)


def arrow(axes: Any, start: tuple[float, float], end: tuple[float, float], colour: str = INK,
          ) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": colour})


def decoder() -> Any:
    """The whole model with the shape on each line: ids in, probabilities of the next token out."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    figure, axes = plt.subplots(figsize=(7.5, 3.4), layout="constrained")
    axes.set_axis_off()
    axes.set_xlim(0, 14.4)
    axes.set_ylim(0, 5.2)
    axes.add_patch(Rectangle((3.9, 0.5), 6.6, 4.4, facecolor="#E8F1F8", edgecolor="none"))
    axes.text(10.35, 4.6, "× N layers", ha="right", va="center", fontsize=9, color=LINE)
    for x, boxes in ((1.7, ("+ position", "embedding", "token ids")),
                     (12.5, ("norm", "linear", "softmax"))):
        for y, text in zip((4.0, 2.5, 1.0), boxes, strict=True):
            box(axes, x, y, text)
    arrow(axes, (3.1, 4.0), (11.1, 4.0), LINE)  # the residual line
    for x, part in ((4.4, "attention"), (7.6, "feed-forward")):  # one branch after the other
        box(axes, x + 0.8, 2.6, "norm", 1.9)
        box(axes, x + 0.8, 1.2, part, 1.9)
        arrow(axes, (x + 0.8, 4.0), (x + 0.8, 2.95))
        arrow(axes, (x + 0.8, 2.25), (x + 0.8, 1.55))
        axes.plot([x + 1.8, x + 2.2], [1.2, 1.2], color=ACCENT, linewidth=1)
        arrow(axes, (x + 2.2, 1.2), (x + 2.2, 4.0), ACCENT)
        axes.text(x + 2.25, 3.3, "added", fontsize=8, rotation=90, color=ACCENT, va="center")
    for low in (1.0, 2.5):
        arrow(axes, (1.7, low + 0.35), (1.7, low + 1.15))
        arrow(axes, (12.5, low + 1.15), (12.5, low + 0.35))
    for x, y, shape in ((1.8, 1.75, "[B, T]"), (1.8, 3.25, "[B, T, D]"), (3.1, 4.25, "[B, T, D]"),
                        (12.6, 3.25, "[B, T, D]"), (12.6, 1.75, "[B, T, V]"),
                        (11.2, 0.3, "[B, T, V], rows sum to 1")):
        axes.text(x, y, shape, fontsize=8, va="center", color=LINE)
    return figure
