"""Pictures of lesson 10: a distribution as bars, kept and dropped told apart by hatching too."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .plots import COLOURS

KEPT, OWN = COLOURS[0], "#222222"


def bars(axes: Any, tokens: Sequence[str], own: Any, now: Any, title: str, most: int = 12) -> None:
    """The `most` likeliest tokens, the first on top: `now` as bars, `own` as black ticks.

    `own` and `now` are probabilities [V]; where `now` is 0 the token was dropped, and its bar is
    `own`, hatched.
    """
    own, now = np.asarray(own), np.asarray(now)
    order = np.argsort(-own, kind="stable")[:most]
    for row, i in enumerate(order):
        if now[i] > 0:
            axes.barh(row, now[i], color=KEPT, height=0.7)
        else:
            axes.barh(row, own[i], color="white", edgecolor="#777777", hatch="////", height=0.7)
        axes.plot([own[i]] * 2, [row - 0.45, row + 0.45], color=OWN, linewidth=1.5)
    axes.set_yticks(range(len(order)), [tokens[i] for i in order])
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set_title(title, fontsize=9)


def panels(tokens: Sequence[str], own: Any, cases: dict[str, Any], most: int = 12) -> Any:
    """One panel of bars for each case (title → probabilities [V]), on one scale."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(cases), figsize=(2 * len(cases) + 1.2, 2.8), sharex=True,
                                sharey=True, squeeze=False)
    for axis, (title, now) in zip(axes[0], cases.items(), strict=True):
        bars(axis, tokens, own, now, title, most)
    figure.supxlabel("probability; the black tick is the model's own", fontsize=8)
    return figure


def tradeoff(rows: dict[str, tuple[float, float, float]]) -> Any:
    """Sense (pairs) against diversity for each setting: (repeated, different, pairs) by name.

    The first row is the real text and is drawn as a star; a setting that repeats more than 5 % of
    its runs is an open circle.
    """
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6, 3.4))
    for at, (name, (repeated, different, pairs)) in enumerate(rows.items()):
        style = {"marker": "*", "color": COLOURS[1], "markersize": 14} if not at else {
            "marker": "o", "color": KEPT, "markerfacecolor": "white" if repeated > 0.05 else KEPT}
        axis.plot(pairs, different, linestyle="", **style)
        axis.annotate(name, (pairs, different), (6, 4), textcoords="offset points", fontsize=8)
    axis.set(xlabel="pairs of neighbours that the notes have too", ylabel="different words / words")
    axis.margins(0.12)
    return figure
