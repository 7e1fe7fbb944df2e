"""Pictures of a computation and of what flows back through it. Each gives a matplotlib figure."""

from collections.abc import Mapping, Sequence
from typing import Any

from .pictures import ACCENT, INK, LINE


def node(axes: Any, x: float, y: float, lines: Sequence[tuple[str, str]], width: float = 1.5,
         face: str = "white") -> None:
    """A box of text lines, each (text, colour), centred at x, y."""
    from matplotlib.patches import FancyBboxPatch
    height = 0.34 * len(lines)
    axes.add_patch(FancyBboxPatch((x - width / 2, y - height / 2), width, height,
                                  boxstyle="round,pad=0.06", facecolor=face, edgecolor=INK))
    for n, (text, colour) in enumerate(lines):
        axes.text(x, y + height / 2 - 0.17 - 0.34 * n, text, ha="center", va="center", fontsize=8,
                  color=colour)


def arrow(axes: Any, start: tuple[float, float], end: tuple[float, float], colour: str,
          label: str = "", above: bool = True) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": colour})
    if label:
        middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
        axes.text(middle[0], middle[1] + (0.06 if above else -0.06), label, ha="center",
                  va="bottom" if above else "top", fontsize=7.5, color=colour)


def there_and_back(stages: Sequence[tuple[str, str, str]], steps: Sequence[tuple[str, str]]) -> Any:
    """A chain of stages (name, value, gradient), with what each step (forwards, backwards) does."""
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(8.6, 1.6), layout="constrained")
    axes.set_axis_off()
    gap = 3.15
    axes.set_xlim(-1.0, gap * (len(stages) - 1) + 1.0)
    axes.set_ylim(-0.8, 0.8)
    for n, (name, value, gradient) in enumerate(stages):
        node(axes, gap * n, 0, [(name, INK), (value, LINE), (gradient, ACCENT)], 1.5)
    for n, (forwards, backwards) in enumerate(steps):
        left, right = gap * n + 0.85, gap * (n + 1) - 0.85
        arrow(axes, (left, 0.25), (right, 0.25), LINE, forwards)
        arrow(axes, (right, -0.25), (left, -0.25), ACCENT, backwards, above=False)
    return figure


def places(root: Any) -> dict[Any, tuple[float, float]]:
    """Where each Value of a graph stands: leaves left, children right of all their parents."""
    far = {root: 0}  # the longest way from a Value to the root
    todo = [root]
    while todo:
        v = todo.pop()
        for p in v.parents:
            if far.get(p, -1) < far[v] + 1:
                far[p] = far[v] + 1
                todo.append(p)
    columns: dict[int, list[Any]] = {}
    for v in far:
        columns.setdefault(far[v], []).append(v)
    height: dict[Any, float] = {}
    for column in sorted(columns):  # each Value at the mean height of its children
        members = columns[column]
        wish = {v: [height[c] for c in height if v in c.parents] for v in members}
        members.sort(key=lambda v: sum(wish[v]) / max(len(wish[v]), 1))
        middle = [sum(wish[v]) / max(len(wish[v]), 1) for v in members]
        for n, v in enumerate(members):
            spread = n - (len(members) - 1) / 2
            height[v] = sum(middle) / len(middle) + 1.55 * spread
    last = max(columns)
    return {v: (2.35 * (last - far[v]), height[v]) for v in far}


def edge(axes: Any, start: tuple[float, float], end: tuple[float, float], slope: float | None,
         low: float) -> None:
    """An arrow with its slope on it; one that would run across other boxes goes below them."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path
    far = end[0] - start[0] > 2
    bend = ((start[0] + end[0]) / 2, low if far else (start[1] + end[1]) / 2)
    path = Path([start, bend, end], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
    axes.add_patch(FancyArrowPatch(path=path, arrowstyle="->", mutation_scale=10, color=LINE))
    if slope is not None:
        x, y = ((a + 2 * b + c) / 4 for a, b, c in zip(start, bend, end, strict=True))
        axes.text(x, y, f"{slope:.3g}", fontsize=7, ha="center", va="center", color=INK,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})


def graph(root: Any, names: Mapping[Any, str] | None = None) -> Any:
    """The graph of a Value: what made it, every value (blue) and every gradient (orange).

    `names` gives names to some of the Values. On each arrow stands the slope, where it is known.
    """
    import matplotlib.pyplot as plt
    at, names = places(root), names or {}
    xs, ys = zip(*at.values(), strict=True)
    figure, axes = plt.subplots(figsize=(8.6, 1.1 + 0.62 * (max(ys) - min(ys))),
                                layout="constrained")
    axes.set_axis_off()
    axes.set_xlim(min(xs) - 1, max(xs) + 1)
    axes.set_ylim(min(ys) - 0.9, max(ys) + 0.8)
    for v, (x, y) in at.items():
        title = "  ".join(filter(None, (names.get(v, ""), getattr(v, "op", ""))))
        node(axes, x, y, [(title or "number", INK), (f"{v.data:.4g}", LINE),
                          (f"grad {v.grad:.4g}", ACCENT)], 1.3, "white" if v.parents else "#EEF3F7")
        slopes = getattr(v, "slopes", ()) or [None] * len(v.parents)
        for p, slope in zip(v.parents, slopes, strict=False):
            edge(axes, (at[p][0] + 0.72, at[p][1]), (x - 0.72, y), slope, min(ys) - 1.1)
    return figure
