"""Pictures of lessons 06 and 07: points that turn. Each gives a matplotlib figure."""

import math
from collections.abc import Sequence
from typing import Any

from .pictures import INK
from .plots import COLOURS


def circle(axes: Any, radius: float = 1.0) -> None:
    """An empty dial: no axes, a faint circle."""
    from matplotlib.patches import Circle
    axes.add_patch(Circle((0, 0), radius, fill=False, edgecolor="#BBBBBB", linewidth=0.8))
    axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    axes.set_axis_off()


def hand(axes: Any, angle: float, length: float = 1.0, colour: str = INK, style: str = "-") -> None:
    end = length * math.cos(angle), length * math.sin(angle)
    axes.annotate("", end, (0, 0), arrowprops={
        "arrowstyle": "->", "color": colour, "linewidth": 1.4, "linestyle": style,
        "shrinkA": 0, "shrinkB": 0})


def label(axes: Any, angle: float, text: str, colour: str, length: float = 1.15) -> None:
    """Text outside a dial, growing away from it."""
    x, y = math.cos(angle), math.sin(angle)
    side = "center" if abs(x) < 0.4 else "left" if x > 0 else "right"
    axes.text(length * x, length * y, text, ha=side, va="center", fontsize=9, color=colour)


def shift(theta: float = 0.5, places: Sequence[tuple[int, int]] = ((1, 4), (6, 9), (4, 1))) -> Any:
    """q and k of one pair at several positions (m, n), with the angle between the two."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Arc

    figure, axes = plt.subplots(1, len(places), figsize=(7.5, 2.3), layout="constrained")
    q, k = 0.2, 0.9  # where the two point before they are turned, in radians
    for each, (m, n) in zip(axes, places, strict=True):
        circle(each)
        a, b = q + m * theta, k + n * theta
        for start, end, colour, name in ((q, a, COLOURS[0], f"q, m = {m}"),
                                         (k, b, COLOURS[1], f"k, n = {n}")):
            hand(each, start, 0.75, colour, ":")
            hand(each, end, 1.0, colour)
            label(each, end, name, colour)
        low, high = sorted((a, b))
        each.add_patch(Arc((0, 0), 0.7, 0.7, theta1=math.degrees(low), theta2=math.degrees(high),
                           color=INK, linewidth=1))
        each.set_title(f"from q to k: {b - a:+.2f} rad", fontsize=9)
        each.set(xlim=(-2.1, 2.1), ylim=(-1.4, 1.4))
    return figure


def dials(frequencies: Any, positions: Sequence[int]) -> Any:
    """A row of dials for each position, one dial for each pair, its hand at m θᵢ."""
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection

    rows, columns = len(positions), len(frequencies)
    figure, axes = plt.subplots(figsize=(0.8 * columns + 0.8, 0.8 * rows + 0.3),
                                layout="constrained")
    axes.set(xlim=(-1.2, columns - 0.4), ylim=(rows - 0.4, -0.9), aspect="equal")
    axes.set_axis_off()
    places = [(i, row) for row in range(rows) for i in range(columns)]
    axes.add_collection(EllipseCollection(
        [0.8], [0.8], [0.0], units="x", offsets=places, offset_transform=axes.transData,
        facecolor="none", edgecolor="#BBBBBB"))
    x, y = zip(*places, strict=True)
    angles = [m * float(theta) for m in positions for theta in frequencies]
    for colour, at in (("#CCCCCC", [0.0] * len(places)), (COLOURS[0], angles)):
        axes.quiver(x, y, [0.4 * math.cos(a) for a in at], [0.4 * math.sin(a) for a in at],
                    color=colour, angles="uv", scale_units="x", scale=1, width=0.004)
    for row, m in enumerate(positions):
        axes.text(-0.55, row, f"m = {m}", ha="right", va="center", fontsize=8)
    for i in range(columns):
        axes.text(i, -0.6, f"pair {i}", ha="center", fontsize=8)
    return figure


def new_angles(worst: Any, wavelengths: Any, train_length: int) -> Any:
    """How far from every known angle each pair gets on a longer text; slow pairs in the colour
    of a warning and hatched."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
    slow = [float(w) > train_length for w in wavelengths]
    for kind, colour, hatch, name in ((False, COLOURS[0], "", "a full turn in training"),
                                      (True, COLOURS[1], "///", "less than a turn")):
        at = [i for i, each in enumerate(slow) if each is kind]
        axes.bar(at, [float(worst[i]) for i in at], color=colour, hatch=hatch, edgecolor="white",
                 label=name)
    axes.set(xlabel="pair i, from fast to slow", ylabel="worst new angle, rad")
    axes.legend(fontsize=8)
    return figure


def lines(x: Any, curves: dict[str, Any], xlabel: str, ylabel: str, mark: float | None = None,
          note: str = "", **limits: Any) -> Any:
    """Several named curves over the same x, told apart by dashes as well as colours."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 2.8), layout="constrained")
    dashes = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 2))]
    for (name, y), style in zip(curves.items(), dashes, strict=False):
        axes.plot(x, y, linestyle=style, linewidth=1.5, label=name)
    if mark is not None:
        axes.axvline(mark, color="#888888", linewidth=0.8)
        axes.text(mark, axes.get_ylim()[1], f" {note}", fontsize=8, va="top", color="#555555")
    axes.set(xlabel=xlabel, ylabel=ylabel, **limits)
    axes.legend(fontsize=8)
    return figure
