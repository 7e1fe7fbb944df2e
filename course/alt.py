"""Alt text for figures: what a picture shows, in words, for those who hear it.

Jupyter writes a figure as a bare PNG, which has no place for words; here it becomes an `<img>` of
HTML with a description that is read off the figure itself, so that it stays true when a learner
changes what is drawn.
"""

import io
from base64 import b64encode
from html import escape
from typing import Any

MANY, LONG = 8, 300  # entries that are listed one by one, characters of text in a picture


def number(value: Any) -> str:
    return f"{float(value):.3g}".replace("-", "−")


def span(values: Any) -> str:
    """From the least to the greatest of what is finite."""
    import numpy as np

    known: Any = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    known = known[np.isfinite(known)]
    if not known.size:
        return "without a finite value"
    return f"from {number(known.min())} to {number(known.max())}"


def lines(axes: Any) -> list[str]:
    """Each curve that a legend names, with where it begins and ends; the others are counted."""
    named, others = [], []
    for line in axes.lines:
        x, y = line.get_xdata(), line.get_ydata()
        if line.get_label().startswith("_"):
            others += list(y)
        elif len(y):
            between = f"{number(y[0])} at {number(x[0])} to {number(y[-1])} at {number(x[-1])}"
            named.append(f"{line.get_label()}: {between}")
    drawn = sum(line.get_label().startswith("_") for line in axes.lines)
    return [*named, *([f"{drawn} line{'s' * (drawn > 1)} {span(others)}"] if drawn else [])]


def bars(axes: Any) -> list[str]:
    """Each set of bars with their lengths; sets of one, which make up a drawing, together."""
    from matplotlib.container import BarContainer

    found, singles = [], list[float]()
    for each in axes.containers:
        if not isinstance(each, BarContainer):
            continue
        lying = each.orientation == "horizontal"
        lengths = [bar.get_width() if lying else bar.get_height() for bar in each]
        axis = axes.yaxis if lying else axes.xaxis
        ticks = [t.get_text() for t in axis.get_ticklabels()]
        named = not str(each.get_label()).startswith("_")
        if len(lengths) == 1 and not named:
            singles += lengths
        elif len(lengths) <= MANY and len(ticks) == len(lengths) and any(ticks):
            found.append((f"{each.get_label()}: " if named else "") + "bars " + ", ".join(
                f"{tick} {number(x)}" for tick, x in zip(ticks, lengths, strict=True)))
        else:
            found.append((f"{each.get_label()}: " if named else "")
                         + f"{len(lengths)} bars {span(lengths)}")
    return found + ([f"{len(singles)} single bars {span(singles)}"] if singles else [])


def marks(axes: Any) -> list[str]:
    """Bars, heat maps and scattered points."""
    from matplotlib.collections import PathCollection

    found = bars(axes)
    for image in axes.images:
        cells = image.get_array()
        found.append(f"a map of {cells.shape[0]} × {cells.shape[1]} cells"
                     + (f" {span(cells)}" if cells.ndim == 2 else " in colours"))
    points: list[Any] = [c for c in axes.collections if isinstance(c, PathCollection)]
    return found + [f"{len(c.get_offsets())} points" for c in points]


def panel(axes: Any) -> str:
    """One pair of axes: its title, what is drawn in it, what the axes measure, what is written."""
    said = [axes.get_title(), *(lines(axes) if axes.axison else []), *marks(axes)]
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if label := axis.get_label_text():
            said.append(f"{name}: {label}{' (log)' if axis.get_scale() == 'log' else ''}")
    written = ", ".join(filter(None, (" ".join(t.get_text().split()) for t in axes.texts)))
    if written:
        said.append("written in it: " + (written if len(written) <= LONG else written[:LONG] + "…"))
    return "; ".join(filter(None, said))


def describe(figure: Any) -> str:
    """What a figure shows, panel by panel."""
    whole = [figure.get_suptitle(), *(panel(a) for a in figure.axes
                                      if a.get_visible() and a.get_label() != "<colorbar>"),
             figure.get_supxlabel(), figure.get_supylabel()]
    return ". ".join(filter(None, whole)) or "an empty figure"


def picture(figure: Any) -> str:
    """The figure as HTML, with its description as alt text."""
    made = io.BytesIO()
    figure.savefig(made, format="png", bbox_inches="tight")
    return (f'<img alt="{escape(describe(figure))}" '
            f'src="data:image/png;base64,{b64encode(made.getvalue()).decode()}">')


def register() -> None:
    """In a notebook, show figures that way from now on."""
    from IPython.core.getipython import get_ipython

    shell: Any = get_ipython()
    if shell is None:
        return
    # it sets the formatters of figures when it is loaded, so it has to be loaded before
    import matplotlib_inline.backend_inline  # noqa: F401
    from matplotlib.figure import Figure

    formatters = shell.display_formatter.formatters
    formatters["image/png"].pop(Figure, None)
    formatters["text/html"].for_type(Figure, picture)
