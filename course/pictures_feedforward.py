"""Pictures of lesson 09: the layer with and without a gate, and a mixture of experts."""

from typing import Any

from .pictures import ACCENT, INK, LINE, arrow, box
from .plots import COLOURS


def layers() -> Any:
    """The plain layer and the gated one, with the width on each line."""
    import matplotlib.pyplot as plt

    figure, (plain, gated) = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    for axes, title in ((plain, "plain: 2 matrices, F = 4 D"),
                        (gated, "gated: 3 matrices, F = 8 D / 3")):
        axes.set_axis_off()
        axes.set(xlim=(0, 8), ylim=(-0.2, 6.2))
        axes.set_title(title, fontsize=10)
    for y, text in ((0.3, "x, D"), (1.8, "up_proj"), (3.3, "gelu"), (5.6, "down_proj, D")):
        box(plain, 4, y, text, 3.0)
    for low, high, width in ((0.3, 1.8, ""), (1.8, 3.3, "F"), (3.3, 5.6, "F")):
        arrow(plain, (4, low + 0.35), (4, high - 0.35))
        plain.text(4.2, (low + high) / 2, width, fontsize=9, va="center", color=LINE)
    for x, y, text in ((4, 0.3, "x, D"), (2, 1.8, "gate_proj"), (2, 3.3, "silu"),
                       (6, 1.8, "up_proj"), (4, 4.3, "×"), (4, 5.6, "down_proj, D")):
        box(gated, x, y, text, 0.6 if text == "×" else 3.0)
    for start, end in (((3.6, 0.65), (2, 1.45)), ((4.4, 0.65), (6, 1.45)),
                       ((6, 2.15), (4.4, 4.15)), ((4, 4.65), (4, 5.25))):
        arrow(gated, start, end)
    for start, end in (((2, 2.15), (2, 2.95)), ((2.4, 3.65), (3.6, 4.15))):
        arrow(gated, start, end, ACCENT)
    for at in ((2.2, 2.55), (5.6, 3.0), (4.2, 4.95)):
        gated.text(*at, "F", fontsize=9, va="center", color=LINE)
    gated.text(0.35, 4.1, "how much\npasses", fontsize=8, color=ACCENT)
    gated.text(6.1, 3.6, "what\npasses", fontsize=8, color=INK)
    return figure


def mixture(weights: Any, experts: Any, n_expert: int) -> Any:
    """Tokens on the left, experts on the right; a line for each choice, as thick as its weight."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 2.8), layout="constrained")
    axes.set_axis_off()
    N = len(experts)
    axes.set(xlim=(-1.2, 9), ylim=(-0.7, 1.0 * N))
    place = [(N - 1) * e / (n_expert - 1) for e in range(n_expert)]
    for n in range(N):
        box(axes, 0, N - 1 - n, f"token {n}", 1.6)
        for weight, e in zip(weights[n].tolist(), experts[n].tolist(), strict=True):
            axes.plot([0.95, 6.1], [N - 1 - n, N - 1 - place[e]], color=COLOURS[e],
                      linewidth=0.5 + 5 * weight, solid_capstyle="butt", alpha=0.8)
    loads = [int((experts == e).sum()) for e in range(n_expert)]
    for e, load in enumerate(loads):
        box(axes, 7.1, N - 1 - place[e], f"expert {e}", 1.8)
        text = f"{load} choice" + "s" * (load != 1)
        axes.text(8.2, N - 1 - place[e], text, fontsize=8, va="center", color=COLOURS[e])
    return figure


def loads(runs: dict[str, Any]) -> Any:
    """The share of tokens that each expert gets, [steps, E], over the steps of several runs."""
    import matplotlib.pyplot as plt

    figure, row = plt.subplots(1, len(runs), figsize=(8, 2.7), sharey=True, layout="constrained")
    for axes, (title, shares) in zip(row, runs.items(), strict=True):
        window = 10  # steps that are averaged
        smooth = shares[:len(shares) // window * window].reshape(-1, window, shares.shape[1])
        for e, line in enumerate(smooth.mean(1).T.tolist()):
            at = [window * (i + 0.5) for i in range(len(line))]
            axes.plot(at, line, color=COLOURS[e], label=f"expert {e}")
        axes.axhline(1 / shares.shape[1], color=INK, linewidth=0.8, linestyle=":")
        axes.set_title(title, fontsize=10)
        axes.set(xlabel="step", ylim=(-0.03, 1.03))
    row[0].set_ylabel("share of the tokens")
    row[-1].legend(fontsize=7)
    return figure
