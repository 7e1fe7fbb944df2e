"""Pictures of lesson 11: prefill and decode, memory on cards, time against length."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .plots import COLOURS

WEIGHTS, CACHE, INK = COLOURS[0], COLOURS[1], "#222222"


def steps(prompt: int = 4, new: int = 3) -> Any:
    """Which scores are made without a cache and with one, pass by pass."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    figure, axes = plt.subplots(2, new, figsize=(2.1 * new + 1, 4.2), sharex=True, sharey=True)
    size = prompt + new - 1
    for row, cached in enumerate((False, True)):
        for step in range(new):
            axis, S = axes[row, step], prompt + step
            axis.set_aspect("equal")
            axis.grid(False)
            first = S - 1 if cached and step else 0
            for q in range(S):
                for k in range(q + 1):
                    fresh = q >= first
                    look: Any = {"facecolor": WEIGHTS, "alpha": 0.85} if fresh else {
                        "facecolor": "white", "hatch": "...", "alpha": 0.5}
                    axis.add_patch(Rectangle((k, q), 1, 1, edgecolor="#999999", linewidth=0.6,
                                             **look))
            axis.set(xlim=(0, size), ylim=(size, 0), xticks=[], yticks=[])
            rows = S - first
            axis.set_title(f"pass {step + 1}: {rows} token{'s' * (rows > 1)}", fontsize=9)
        axes[row, 0].set_ylabel("with a cache" if cached else "without", fontsize=9)
    figure.supxlabel("keys →   queries ↓   filled: computed in this pass", fontsize=8)
    return figure


def cards(rows: dict[str, tuple[float, float, float]], sizes: Sequence[float] = (8, 12, 24)) -> Any:
    """Bars of (weights, cache, rest) in GB for each named case, with lines where cards end."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 0.5 * len(rows) + 1.3))
    looks: list[Any] = [{"color": WEIGHTS},
                        {"facecolor": CACHE, "hatch": "///", "edgecolor": "white"},
                        {"facecolor": "white", "hatch": "|||", "edgecolor": INK}]
    for at, parts in enumerate(rows.values()):
        left = 0.0
        for part, style in zip(parts, looks, strict=True):
            axis.barh(at, part, left=left, height=0.55, **style)
            left += part
        axis.annotate(f"{left:.1f}", (left, at), (3, 0), textcoords="offset points", va="center",
                      fontsize=8)
    for size in sizes:
        axis.axvline(size, color=INK, linewidth=1.2)
        axis.text(size, -0.75, f"{size:g} GB", ha="center", fontsize=8)
    axis.set_yticks(range(len(rows)), rows)
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("GB: weights solid, cache hatched, all else striped")
    return figure


def times(lengths: Sequence[int], without: Sequence[float], cached: Sequence[float],
          slope: float, start: float) -> Any:
    """Milliseconds for one token against the length, both axes logarithmic; the fitted line."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6, 3.2))
    axis.plot(lengths, without, "o-", label="everything anew")
    axis.plot(lengths, cached, "s-", label="one token, with the cache")
    x = np.asarray(lengths, dtype=float)
    axis.plot(x, start + slope * x, ":", color=INK, label=f"fitted: {start:.2g} ms "
              f"{'−' if slope < 0 else '+'} {abs(1000 * slope):.2g} µs · length")
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.set(xlabel="tokens so far", ylabel="ms for one token")
    axis.legend(fontsize=8)
    return figure


def shares(widths: Sequence[int], lengths: Sequence[int]) -> Any:
    """The share of attention in a block's products for one new token, for each width."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6, 3))
    S = np.asarray(lengths, dtype=float)
    for D, style in zip(widths, ("-", "--", ":"), strict=False):
        axis.plot(S, S / (S + 6 * D), style, label=f"D = {D}")
        axis.plot(6 * D, 0.5, "o", color=INK, markersize=4)
    axis.set_xscale("log", base=2)
    axis.set(xlabel="positions in the cache", ylabel="share of attention", ylim=(0, 1))
    axis.legend(fontsize=8)
    return figure
