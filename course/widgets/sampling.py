"""Demos of sampling: sliders, and a widget whose JavaScript does the arithmetic (`sampling.js`).

The sliders are tied to the widget in the browser (`jslink`), so they work without a kernel too.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets  # type: ignore[import-untyped]
import traitlets

TYPED = "what I type below"
TOLERANCE = 1e-6
NAMED = 20  # more than are ever shown
Distribution = tuple[Sequence[str], Any]  # the tokens, and their scores as a list or a tensor


class SamplingDemo(anywidget.AnyWidget):
    """Bars of one distribution, before and after its knobs; `seen` holds what JavaScript found."""

    _esm = Path(__file__).with_name("sampling.js")
    distributions: Any = traitlets.List().tag(sync=True)  # of {name, tokens, logits}
    knobs: Any = traitlets.List().tag(sync=True)  # which of t, k, p, min_p, late count
    chosen = traitlets.Int(0).tag(sync=True)  # the number of distributions: what was typed
    typed = traitlets.Unicode("0.5 0.25 0.15 0.06 0.04").tag(sync=True)
    t = traitlets.Float(1.0).tag(sync=True)
    k = traitlets.Int(0).tag(sync=True)
    p = traitlets.Float(1.0).tag(sync=True)
    min_p = traitlets.Float(0.0).tag(sync=True)
    late = traitlets.Bool(False).tag(sync=True)  # the temperature after the cuts
    most = traitlets.Int(12).tag(sync=True)  # rows, before the others are put together
    seed = traitlets.Int(0).tag(sync=True)
    seen = traitlets.Dict().tag(sync=True)


class Panel(ipywidgets.VBox):  # type: ignore[misc]
    """A demo below its sliders."""

    def __init__(self, distributions: Mapping[str, Distribution], sliders: dict[str, Any]) -> None:
        self.demo = SamplingDemo(
            distributions=[entry(name, *each) for name, each in distributions.items()],
            knobs=list(sliders), **{name: slider.value for name, slider in sliders.items()})
        choice = ipywidgets.Dropdown(options=[*distributions, TYPED], description="distribution",
                                     style=LABEL, layout=WIDE)
        text = ipywidgets.Text(value=self.demo.typed, description="typed in", style=LABEL,
                               layout=WIDE, placeholder="the 3, a 1   or   scores 2 1 0")
        links = [(slider, "value", name) for name, slider in sliders.items()]
        for widget, trait, name in [*links, (choice, "index", "chosen"), (text, "value", "typed")]:
            ipywidgets.jslink((widget, trait), (self.demo, name))
        super().__init__([choice, text, *sliders.values(), self.demo])
        self.add_class("sampling-panel")

    def __repr__(self) -> str:
        return f"Panel({', '.join(self.demo.knobs)})"

    def beside(self, mine: Callable[..., tuple[Any, Any]]) -> bool | None:
        """Print JavaScript's numbers beside those of `mine`; True when they agree.

        `mine` takes the scores [V] and the knobs by name, and gives two rows of scores [V]: those
        the cuts look at, and those that are left. None before a browser has drawn the demo.
        """
        import torch

        demo = self.demo
        typed = demo.chosen >= len(demo.distributions)
        logits = demo.seen["logits"] if typed else demo.distributions[demo.chosen]["logits"]
        offered, left = mine(torch.tensor([float(z) for z in logits], dtype=torch.float64),
                             **{name: getattr(demo, name) for name in demo.knobs})
        before, after = torch.softmax(offered, -1), torch.softmax(left, -1)
        kept = left > -torch.inf
        yours = {"count": float(kept.sum()), "mass": float(before[kept].sum()),
                 "entropy_before": float(torch.special.entr(before).sum()),
                 "entropy_after": float(torch.special.entr(after).sum())}
        print("                   yours   the demo")
        for name, value in yours.items():
            theirs = f"{demo.seen[name]:10.4f}" if demo.seen else "         –"
            print(f"{name:14}{value:10.4f} {theirs}")
        if not demo.seen:
            print("(no browser has drawn the demo yet)")
            return None
        return all(abs(value - demo.seen[name]) < TOLERANCE for name, value in yours.items())


LABEL = {"description_width": "11em"}
WIDE = ipywidgets.Layout(width="34em")


def entry(name: str, tokens: Sequence[str], logits: Any) -> dict[str, Any]:
    """One distribution as JavaScript gets it: scores to four digits, names of the likeliest tokens.

    No knob changes the order of the tokens, so the others are never named. Raises ValueError when
    the lengths differ or a score is not finite.
    """
    given = logits.tolist() if hasattr(logits, "tolist") else logits
    scores = [round(float(z), 4) for z in given]
    if len(scores) != len(tokens):
        raise ValueError(f"{name}: {len(tokens)} tokens, but {len(scores)} scores")
    if not all(map(math.isfinite, scores)):
        raise ValueError(f"{name}: a score is not finite")
    likeliest = set(sorted(range(len(scores)), key=lambda i: -scores[i])[:NAMED])
    named = [token if i in likeliest else "" for i, token in enumerate(tokens)]
    return {"name": name, "tokens": named, "logits": scores}


def slider(name: str, value: float, low: float, high: float, step: float) -> Any:
    return ipywidgets.FloatSlider(value=value, min=low, max=high, step=step, description=name,
                                  readout_format=".2f", style=LABEL, layout=WIDE)


def temperature_demo(distributions: Mapping[str, Distribution], t: float = 1.0) -> Panel:
    """One slider, the temperature."""
    return Panel(distributions, {"t": slider("temperature t", t, 0.05, 3, 0.05)})


def top_p_demo(distributions: Mapping[str, Distribution], p: float = 0.8) -> Panel:
    """One slider, the p of top-p."""
    return Panel(distributions, {"p": slider("top-p", p, 0, 1, 0.01)})


def sampling_demo(distributions: Mapping[str, Distribution]) -> Panel:
    """Temperature, top-k, top-p and min-p together, and a box that puts the temperature last."""
    top_k = ipywidgets.IntSlider(value=0, min=0, max=60, description="top-k (0: off)", style=LABEL,
                                 layout=WIDE)
    late = ipywidgets.Checkbox(value=False, description="temperature last", style=LABEL,
                               layout=WIDE)
    return Panel(distributions, {
        "t": slider("temperature t", 1.0, 0.05, 3, 0.05), "k": top_k,
        "p": slider("top-p (1: off)", 1.0, 0, 1, 0.01),
        "min_p": slider("min-p (0: off)", 0.0, 0, 1, 0.01), "late": late})
