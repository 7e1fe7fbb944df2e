"""Pictures and demos of lesson 10 without a browser: what is drawn, and what Python compares."""

import math
from typing import Any

import matplotlib
import pytest
import torch

from course import pictures_sampling
from course.widgets import sampling as demos

matplotlib.use("Agg")
TOKENS, P = list("abcd"), torch.tensor([0.1, 0.6, 0.05, 0.25])


def test_dropped_bars_are_hatched_and_the_likeliest_comes_first() -> None:
    now = torch.tensor([0.0, 0.7, 0.0, 0.3])
    figure = pictures_sampling.panels(TOKENS, P, {"cut": now, "whole": P}, most=3)
    cut, whole = figure.axes
    assert [label.get_text() for label in cut.get_yticklabels()] == ["b", "d", "a"]
    assert [bool(bar.get_hatch()) for bar in cut.patches] == [False, False, True]
    assert [bar.get_width() for bar in cut.patches] == pytest.approx([0.7, 0.3, 0.1])
    assert not any(bar.get_hatch() for bar in whole.patches)
    matplotlib.pyplot.close(figure)


def test_the_text_is_a_star_and_a_looping_setting_an_open_circle() -> None:
    figure = pictures_sampling.tradeoff({"text": (0, 0.4, 1), "greedy": (0.3, 0.1, 1),
                                         "warm": (0, 0.3, 0.6)})
    text, greedy, warm = figure.axes[0].lines
    assert text.get_marker() == "*" and greedy.get_markerfacecolor() == "white"
    assert warm.get_markerfacecolor() != "white"
    matplotlib.pyplot.close(figure)


def test_a_distribution_is_sent_with_the_names_that_are_shown() -> None:
    words = [f"w{i}" for i in range(100)]
    sent = demos.entry("many", words, torch.arange(100.0))
    assert sent["logits"][-1] == 99 and sum(map(bool, sent["tokens"])) == demos.NAMED
    assert sent["tokens"][-1] == "w99" and sent["tokens"][0] == ""
    for tokens, logits in ((TOKENS, [1.0]), (TOKENS, [0.0, 1.0, 2.0, -math.inf])):
        with pytest.raises(ValueError, match="bad"):
            demos.entry("bad", tokens, logits)


def cut(z: Any, p: float) -> tuple[Any, Any]:
    return z, z.masked_fill(torch.softmax(z, -1) < 0.2, -math.inf)


def test_numbers_stand_beside_those_of_the_browser(capsys: pytest.CaptureFixture[str]) -> None:
    panel = demos.top_p_demo({"four": (TOKENS, P.log())}, p=0.8)
    assert repr(panel) == "Panel(p)" and panel.demo.p == 0.8
    assert panel.beside(cut) is None
    assert "no browser" in capsys.readouterr().out
    h = -sum(x * math.log(x) for x in P.tolist())
    q = [0.6 / 0.85, 0.25 / 0.85]
    panel.demo.seen = {"count": 2, "mass": 0.85, "entropy_before": h,
                       "entropy_after": -sum(x * math.log(x) for x in q), "logits": None}
    assert panel.beside(cut) is False  # the demo shows scores rounded to four digits
    panel.demo.distributions = [{"name": "four", "tokens": TOKENS, "logits": P.log().tolist()}]
    assert panel.beside(cut) is True
    panel.demo.chosen = 1  # what was typed
    panel.demo.seen = panel.demo.seen | {"logits": [0.0, "-inf", 0.0]}
    assert panel.beside(lambda z, p: (z, z)) is False
    assert "1.0000" in capsys.readouterr().out
