"""The words for a picture say what is drawn, and reach the notebook as alt text."""

import json
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from course import alt, pictures, plots
from course.values import plain

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def test_curves_are_told_with_where_they_begin_and_end() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 100], [8.29, -2.5], label="loss")
    axes.plot([1, 100], [0.25, 0.75])
    axes.set(title="a run", xlabel="step", ylabel="nats", xscale="log")
    assert alt.describe(figure) == (
        "a run; loss: 8.29 at 1 to −2.5 at 100; 1 line from 0.25 to 0.75; x: step (log); y: nats")


def test_bars_maps_and_points_are_told_by_panel() -> None:
    figure, (few, many, field, dots, lying, drawn) = plt.subplots(1, 6)
    few.bar(["the", "cat"], [0.5, 0.25])
    many.bar(range(20), np.linspace(1, 3, 20))
    image = field.imshow([[1.0, np.nan, 3.0], [4.0, 5.0, -np.inf]])
    figure.colorbar(image, ax=field)
    dots.scatter([1, 2, 3], [1, 2, 3])
    lying.barh(["wide", "narrow"], [9.0, 2.0], label="parts")
    for x in range(3):
        drawn.bar(x, x + 1)
    drawn.imshow(np.ones((2, 2, 3)))
    figure.supxlabel("below")
    assert alt.describe(figure) == ("bars the 0.5, cat 0.25. 20 bars from 1 to 3. a map of 2 × 3 "
                                    "cells from 1 to 5. 3 points. parts: bars wide 9, narrow 2. "
                                    "3 single bars from 1 to 3; a map of 2 × 2 cells in colours. "
                                    "below")


def test_a_diagram_is_told_by_its_words() -> None:
    said = alt.describe(pictures.decoder())
    assert "attention" in said and "softmax" in said and "lines from" not in said
    figure, axes = plt.subplots()
    axes.text(0, 0, "word " * 200)
    assert len(alt.describe(figure)) < 400
    assert alt.describe(plt.figure()) == "an empty figure"


class Images(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[dict[str, Any]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [dict(attrs)] if tag == "img" else []


def test_words_cannot_end_the_attribute() -> None:
    figure, axes = plt.subplots()
    axes.set_title('a "quoted" <b> & more')
    image, = Images(alt.picture(figure)).found
    assert image["alt"] == 'a "quoted" <b> & more'
    assert image["src"].startswith("data:image/png;base64,iVBOR")


KERNEL = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
sys.path.insert(0, {root!r})
from course import plots
plots.use_style()
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.set_title("here")
data, _ = shell.display_formatter.format(figure)
print(json.dumps({{kind: text[:15] for kind, text in data.items()}}))
"""


def test_in_a_notebook_a_figure_is_html_with_words_and_nothing_else() -> None:
    env = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "PATH": ""}
    ran = subprocess.run([sys.executable, "-c", KERNEL.format(root=str(ROOT))], env=env,
                         capture_output=True, text=True, check=True)
    data = json.loads(ran.stdout.splitlines()[-1])
    assert data["text/html"] == '<img alt="here"' and "image/png" not in data


def test_what_a_failing_check_shows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import IPython.display
    shown: list[str] = []
    monkeypatch.setattr(IPython.display, "display", lambda figure: shown.append(
        alt.describe(figure)))
    plots.beside(plain(np.array([[1.0, 2.0]])), plain(np.array([[1.0, -2.0]])))
    assert shown[0].startswith("yours; a map of 1 × 2 cells from 1 to 2. expected; a map of")


@pytest.mark.filterwarnings("error")
def test_scores_that_were_cut_are_shown_without_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    import IPython.display
    shown: list[str] = []

    def draw(figure: Any) -> None:
        figure.canvas.draw()
        shown.append(alt.describe(figure))

    monkeypatch.setattr(IPython.display, "display", draw)
    cut = np.array([[1.0, -np.inf, -np.inf]])
    plots.beside(plain(cut), plain(np.array([[-np.inf, 2, -np.inf]])))
    assert len(shown) == 1 and "nan" not in shown[0]
