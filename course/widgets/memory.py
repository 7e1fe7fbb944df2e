"""The memory of a language model on a graphics card: sliders, and bars drawn to scale.

The arithmetic is done in the browser (`memory.js`), and the sliders are tied to it there
(`jslink`), so the demo works without a kernel too.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets  # type: ignore[import-untyped]
import traitlets

# layers, key heads, width of a head: from the config.json beside the weights of
# openai-community/gpt2, meta-llama/Llama-2-7b-hf and -70b-hf, meta-llama/Llama-3.1-8B and
# Qwen/Qwen2.5-7B; and the billions of weights that those sizes add up to
MODELS = {
    "mini-GPT of this course": (4, 4, 32, 0.00134),
    "GPT-2 small": (12, 12, 64, 0.124),
    "LLaMA-2 7B": (32, 32, 128, 6.738),
    "Llama-3.1 8B": (32, 8, 128, 8.03),
    "Qwen2.5 7B": (28, 4, 128, 7.616),
    "LLaMA-2 70B": (80, 8, 128, 68.98),
    # 2 · 80 more of 8192 × 7168: k_proj and v_proj grow too
    "LLaMA-2 70B, if it had 64 key heads": (80, 64, 128, 78.37),
}
OWN = "my own numbers"
WEIGHT_BYTES = {"16 bits": 2.0, "8 bits, and scales": 1.0625, "4 bits, and scales": 0.5625}
CACHE_BYTES = {"float32": 4, "float16 or bfloat16": 2, "int8, scales not counted": 1}
CARDS = [8, 12, 24]  # GB, 10⁹ bytes
SIZES = ("layers", "kv_heads", "head_width", "weights")  # what a model says; the rest is chosen
LABEL = {"description_width": "11em"}
WIDE = ipywidgets.Layout(width="36em")


class MemoryDemo(anywidget.AnyWidget):
    """Bars of weights and cache on each card; `seen` holds the numbers that JavaScript found."""

    _esm = Path(__file__).with_suffix(".js")
    models: Any = traitlets.List().tag(sync=True)  # of {layers, kv_heads, head_width, weights}
    cards: Any = traitlets.List().tag(sync=True)
    weight_bytes: Any = traitlets.List().tag(sync=True)
    cache_bytes: Any = traitlets.List().tag(sync=True)
    model = traitlets.Int(2).tag(sync=True)  # the number of models: my own numbers
    layers = traitlets.Int(1).tag(sync=True)
    kv_heads = traitlets.Int(1).tag(sync=True)
    head_width = traitlets.Int(1).tag(sync=True)
    weights = traitlets.Float(1.0).tag(sync=True)  # in billions
    tokens = traitlets.Float(4096.0).tag(sync=True)
    texts = traitlets.Int(1).tag(sync=True)
    weight_type = traitlets.Int(0).tag(sync=True)
    cache_type = traitlets.Int(1).tag(sync=True)
    rest = traitlets.Float(1.0).tag(sync=True)  # GB
    seen = traitlets.Dict().tag(sync=True)


def whole(name: str, value: int, low: int, high: int, step: int = 1) -> Any:
    return ipywidgets.IntSlider(value=value, min=low, max=high, step=step, description=name,
                                style=LABEL, layout=WIDE)


class Panel(ipywidgets.VBox):  # type: ignore[misc]
    """The demo below its sliders."""

    def __init__(self, start: str, tokens: int, texts: int) -> None:
        models = [dict(zip(SIZES, sizes, strict=True)) for sizes in MODELS.values()]
        at = list(MODELS).index(start)
        self.demo = MemoryDemo(
            models=models, cards=CARDS, weight_bytes=list(WEIGHT_BYTES.values()), model=at,
            cache_bytes=list(CACHE_BYTES.values()), tokens=float(tokens), texts=texts, **models[at])
        now = self.demo
        chosen = {
            "model": ipywidgets.Dropdown(options=[*MODELS, OWN], description="model", index=at,
                                         style=LABEL, layout=WIDE),
            "layers": whole("layers", now.layers, 1, 128),
            "kv_heads": whole("key heads", now.kv_heads, 1, 128),
            "head_width": whole("head width", now.head_width, 8, 256, 8),
            "weights": ipywidgets.BoundedFloatText(  # a slider would round 6.738
                value=now.weights, min=0, max=1000, step=0.1, description="weights, billions",
                style=LABEL, layout=WIDE),
            "weight_type": ipywidgets.Dropdown(options=list(WEIGHT_BYTES), description="a weight",
                                               style=LABEL, layout=WIDE),
            "tokens": ipywidgets.FloatLogSlider(
                value=now.tokens, base=2, min=7, max=17, step=0.5, readout_format=".0f",
                description="tokens of a text", style=LABEL, layout=WIDE),
            "texts": whole("texts at once", now.texts, 1, 64),
            "cache_type": ipywidgets.Dropdown(options=list(CACHE_BYTES), index=1, style=LABEL,
                                              description="a cached number", layout=WIDE),
            "rest": ipywidgets.FloatSlider(value=now.rest, min=0, max=4, step=0.25, style=LABEL,
                                           description="all else, GB", layout=WIDE),
        }
        for name, widget in chosen.items():
            trait = "index" if isinstance(widget, ipywidgets.Dropdown) else "value"
            ipywidgets.jslink((widget, trait), (now, name))
        super().__init__([*chosen.values(), now])
        self.add_class("memory-panel")

    def __repr__(self) -> str:
        return "Panel(memory)"

    def beside(self, mine: Callable[..., int]) -> bool | None:
        """Print the cache's bytes as JavaScript has them beside those of `mine`; True when equal.

        `mine` is called like kv_cache_bytes. None before a browser has drawn the demo.
        """
        now = self.demo
        yours = mine(now.layers, now.kv_heads, now.head_width, round(now.tokens), now.texts,
                     now.cache_bytes[now.cache_type])
        theirs = now.seen["cache"] if now.seen else None
        print(f"yours {yours:,} bytes, the demo {'–' if theirs is None else f'{theirs:,}'}")
        if theirs is None:
            print("(no browser has drawn the demo yet)")
            return None
        return bool(yours == theirs)


def memory_demo(start: str = "LLaMA-2 7B", tokens: int = 4096, texts: int = 1) -> Panel:
    """The demo with one of MODELS. Raises ValueError for a name that is not among them."""
    if start not in MODELS:
        raise ValueError(f"{start!r} is none of {', '.join(MODELS)}")
    return Panel(start, tokens, texts)
