"""Pictures of lesson 17: losses while a model learns, recipes, experiments with error bars."""

from collections.abc import Mapping, Sequence
from typing import Any

from .plots import COLOURS

INK = "#222222"
Curve = tuple[Sequence[float], Sequence[float]]


def progress(losses: Sequence[float], size: tuple[float, float] = (6, 2.6)) -> Any:
    """The loss of every batch, and a running mean."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=size)
    axes.plot(range(1, len(losses) + 1), losses, color=COLOURS[5], linewidth=0.6)
    mean, smooth = losses[0], []
    for loss in losses:
        mean += 0.05 * (loss - mean)
        smooth.append(mean)
    axes.plot(range(1, len(losses) + 1), smooth, color=COLOURS[0], label="running mean")
    axes.set(xlabel="step", ylabel="loss, nats")
    axes.legend(frameon=False, fontsize=8)
    return figure


def against_seconds(curves: Mapping[str, Curve], title: str, xlabel: str = "CPU-seconds") -> Any:
    """Bits per byte of the validation text against seconds, a line for each recipe."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.6))
    for at, (name, (seconds, bits)) in enumerate(curves.items()):
        axes.plot(seconds, bits, marker="o", markersize=2.5, color=COLOURS[at % len(COLOURS)],
                  linestyle="-" if at % 2 == 0 else "--", label=name)
    axes.set(xlabel=xlabel, ylabel="bits per byte, held-out text", title=title)
    axes.legend(frameon=False, fontsize=8)
    return figure


def bars(groups: Mapping[str, Sequence[float]], ylabel: str, axes: Any = None) -> Any:
    """The mean of each group with one standard deviation, and every value as a point."""
    import matplotlib.pyplot as plt

    from .experiments import spread

    if axes is None:
        _, axes = plt.subplots(figsize=(5, 2.8))
    for at, values in enumerate(groups.values()):
        mean, deviation = spread(list(values))
        axes.errorbar(at, mean, yerr=deviation, color=INK, capsize=5, marker="_", markersize=16)
        axes.plot([at + 0.12 * (i - 1) for i in range(len(values))], values, "o", markersize=4,
                  color=COLOURS[0], alpha=0.7)
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set(ylabel=ylabel, xlim=(-0.5, len(groups) - 0.5))
    return axes.figure


def shares(table: Mapping[str, int]) -> Any:
    """Where a model's parameters are: one bar for each row of the table."""
    import matplotlib.pyplot as plt

    rows = [(name, size) for name, size in table.items() if size]
    total = sum(size for _, size in rows)
    figure, axes = plt.subplots(figsize=(6.5, 2.8))
    axes.barh([name for name, _ in rows], [size for _, size in rows], color=COLOURS[0])
    axes.invert_yaxis()
    axes.set(xlabel="parameters", xlim=(0, 1.18 * max(size for _, size in rows)))
    for at, (_, size) in enumerate(rows):
        axes.text(size, at, f" {size:,}  {size / total:.0%}", va="center", fontsize=8, color=INK)
    return figure


def looking(weights: Any, tokens: Sequence[str], title: str) -> Any:
    """The attention weights [T, T] of one head; tokens as ticks, the query downwards."""
    import matplotlib.pyplot as plt

    from .plots import heat

    figure, axes = plt.subplots(figsize=(5, 4.6))
    heat(axes, weights, title)
    named = [{"\n": "⏎", " ": "␣"}.get(token, token) for token in tokens]
    axes.set_xticks(range(len(named)), named, fontsize=7)
    axes.set_yticks(range(len(named)), named, fontsize=7)
    axes.set(xlabel="looked at", ylabel="the token that looks")
    return figure
