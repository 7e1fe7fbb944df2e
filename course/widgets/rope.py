"""RoPE as dials: the pairs of a query and a key turn, and their score against the distance."""

from collections.abc import Iterable
from pathlib import Path

import anywidget
import ipywidgets  # type: ignore[import-untyped]
import traitlets


class RopeDials(anywidget.AnyWidget):
    """A dial for each pair of neighbours, hands for q at `m` and k at `m + distance`.

    `frequencies` [w] radians per position, `q` and `k` [2w]; `dots` are pairs (distance, score),
    drawn on the curve that the JavaScript computes.
    """

    _esm = Path(__file__).with_suffix(".js")
    frequencies = traitlets.List(traitlets.Float()).tag(sync=True)
    q = traitlets.List(traitlets.Float()).tag(sync=True)
    k = traitlets.List(traitlets.Float()).tag(sync=True)
    dots: traitlets.List[list[float]] = traitlets.List().tag(sync=True)
    m = traitlets.Int(3).tag(sync=True)
    distance = traitlets.Int(4).tag(sync=True)


def floats(values: Iterable[float]) -> list[float]:
    return [float(v) for v in values]


def rope_dials(frequencies: Iterable[float], q: Iterable[float], k: Iterable[float],
               dots: Iterable[tuple[int, float]] = ()) -> ipywidgets.VBox:
    """The dials under two sliders: the position of the query, and how far on the key stands."""
    dials = RopeDials(frequencies=floats(frequencies), q=floats(q), k=floats(k),
                      dots=[[int(d), float(s)] for d, s in dots])
    sliders = []
    for name, text, low, high in (("m", "position of q", 0, 200),
                                  ("distance", "distance to k", -40, 40)):
        slider = ipywidgets.IntSlider(getattr(dials, name), low, high, description=text,
                                      style={"description_width": "110px"},
                                      layout={"width": "500px"})
        ipywidgets.jslink((slider, "value"), (dials, name))
        sliders.append(slider)
    return ipywidgets.VBox([*sliders, dials])
