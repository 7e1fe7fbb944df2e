"""Pictures of lesson 05: how heads lie in memory, and who shares a key head."""

from typing import Any

from .plots import COLOURS

INK = "#222222"


def cells(axes: Any, x: float, y: float, labels: list[tuple[int, int]]) -> None:
    """A row of cells from (x, y) on; a label is (token, head): the colour and the digit."""
    from matplotlib.patches import Rectangle

    for at, (token, head) in enumerate(labels):
        axes.add_patch(Rectangle((x + at, y), 1, 1, facecolor=COLOURS[token], edgecolor="white"))
        axes.text(x + at + 0.5, y + 0.45, str(head), ha="center", va="center", fontsize=7,
                  color="white")


def memory(T: int = 3, H: int = 2, Dh: int = 4) -> Any:
    """One text [T, H·Dh] as it lies in memory, cut into heads the right way and the quick way."""
    import matplotlib.pyplot as plt

    line = [(t, h) for t in range(T) for h in range(H) for _ in range(Dh)]
    right = [[(t, h)] * Dh for h in range(H) for t in range(T)]
    quick = [line[row * Dh:(row + 1) * Dh] for row in range(H * T)]
    figure, axes = plt.subplots(figsize=(8, 3.1), layout="constrained")
    axes.set_axis_off()
    axes.set(xlim=(-0.5, T * H * Dh + 0.5), ylim=(-0.8, 7), aspect="equal")
    axes.text(0, 6.25, "in memory, one number after the other; colour: token, digit: head",
              fontsize=8, color=INK)
    cells(axes, 0, 5, line)
    for left, title, rows in ((0, "view(T, H, Dh).transpose(0, 1)", right),
                              (T * H * Dh / 2 + 1, "view(H, T, Dh)", quick)):
        axes.text(left, 3.7, title, fontsize=8, family="monospace", color=INK)
        for h in range(H):
            x = left + h * (Dh + 1.2)
            for t in range(T):
                cells(axes, x, 2.2 - t, rows[h * T + t])
            axes.text(x + Dh / 2, -0.5, f"head {h}", ha="center", fontsize=8, color=INK)
    return figure


def sharing(H: int = 6, shares: tuple[int, ...] = (6, 2, 1)) -> Any:
    """Which key head each of H query heads reads, for several numbers of key heads."""
    import matplotlib.pyplot as plt

    figure, row = plt.subplots(1, len(shares), figsize=(8, 1.9), layout="constrained")
    for axes, Hkv in zip(row, shares, strict=True):
        axes.set_axis_off()
        axes.set(xlim=(-0.6, H - 0.4), ylim=(-0.75, 1.5))
        group = H // Hkv
        name = {H: "multi-head", 1: "multi-query (MQA)"}.get(Hkv, "grouped-query (GQA)")
        axes.set_title(f"{name}: {Hkv} key head{'s' if Hkv > 1 else ''}", fontsize=9)
        for h in range(H):
            home = h // group
            x = home * group + (group - 1) / 2
            colour = COLOURS[home]
            axes.plot([h, x], [1, 0], color=colour, linewidth=1)
            axes.plot(h, 1, "o", color=colour, markersize=9, markerfacecolor="white")
            axes.plot(x, 0, "s", color=colour, markersize=10)
            axes.text(h, 1.25, str(h), ha="center", fontsize=7, color=INK)
            if h % group == 0:  # drawn once: on top of each other labels turn bold
                axes.text(x, -0.5, str(home), ha="center", fontsize=7, color=INK)
    return figure
