"""Attention over a sentence with a slider for the scale on the scores."""

from pathlib import Path
from typing import Any

import anywidget
import traitlets

WORDS = "the cat drank the milk because it was thirsty".split()
LOOKS = {2: 1, 4: 2, 5: 2, 6: 1, 7: 6, 8: 6}  # which word each word looks for, made by hand
AGREE = 0.25  # the correlation of such a query with its key
WIDTH = 64


def example() -> dict[str, Any]:
    """Tensors q, k, v and grad_out [9, 64] for WORDS, entries of mean 0 and variance 1.

    A query that looks for a word agrees with its key (correlation AGREE); all else is noise. The
    gradient to the output is noise of length about 1. Rounded, so that every reader has the same.
    """
    import torch
    g = torch.Generator().manual_seed(1)
    q, k, v, grad = torch.randn(4, len(WORDS), WIDTH, generator=g, dtype=torch.float64)
    for at, to in LOOKS.items():
        q[at] = AGREE * k[to] + (1 - AGREE**2) ** 0.5 * q[at]
    parts = {"q": q, "k": k, "v": v, "grad_out": grad / WIDTH**0.5}
    return {name: x.round(decimals=2) for name, x in parts.items()}


class AttentionMap(anywidget.AnyWidget):
    """The weights as a map of words against words, their entropy, and the gradients' lengths.

    All are computed in the browser, so that it moves with the slider and also without a kernel.
    """

    _esm = Path(__file__).with_suffix(".js")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    q: traitlets.List[Any] = traitlets.List().tag(sync=True)
    k: traitlets.List[Any] = traitlets.List().tag(sync=True)
    v: traitlets.List[Any] = traitlets.List().tag(sync=True)
    grad: traitlets.List[Any] = traitlets.List().tag(sync=True)
    scale = traitlets.Float(1.0).tag(sync=True)

    def __repr__(self) -> str:
        return f"AttentionMap({' '.join(self.tokens)!r})"


def attention_map(q: Any, k: Any, v: Any, grad_out: Any, words: list[str] = WORDS) -> Any:
    """The map with a slider for the scale, from 1/256 to 1, first at 1/√Dh."""
    import ipywidgets  # type: ignore[import-untyped]
    start = q.shape[-1] ** -0.5
    shown = AttentionMap(tokens=words, q=q.tolist(), k=k.tolist(), v=v.tolist(),
                         grad=grad_out.tolist(), scale=start)
    slider = ipywidgets.FloatLogSlider(
        value=start, base=2, min=-8, max=0, step=0.25, description="scale", readout_format=".3g",
        layout=ipywidgets.Layout(width="420px"))
    ipywidgets.jslink((slider, "value"), (shown, "scale"))
    return ipywidgets.VBox([slider, shown])
