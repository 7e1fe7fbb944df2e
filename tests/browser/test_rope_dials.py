"""The dials of lesson 07 in a page of their own: what the JavaScript draws is what Python says."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
HERE = Path(__file__).parents[2]
SCRIPT = (HERE / "course/widgets/rope.js").read_text("utf-8")
STATE: dict[str, Any] = {
    "frequencies": [1.0, 0.3, 0.05], "q": [1.0, 0.5, -0.3, 2.0, 0.7, 0.7],
    "k": [0.2, -1.0, 1.5, 0.4, 0.9, -0.2], "dots": [[-8, 1.0], [0, 2.0]], "m": 3, "distance": 4}
SHOW = """([script, state]) => {
    const listeners = {};
    window.model = {
        get: name => state[name],
        set: (name, value) => { state[name] = value; (listeners[name] ?? []).forEach(f => f()); },
        on: (event, f) => { (listeners[event.split(':')[1]] ??= []).push(f); },
        off: (event, f) => {
            const name = event.split(':')[1];
            listeners[name] = listeners[name].filter(each => each !== f);
        },
    };
    window.waiting = () => Object.values(listeners).flat().length;
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    return import(url).then(it => {
        window.close_it = it.default.render({ model: window.model, el: document.body });
    });
}"""


@pytest.fixture
def page(chromium: Browser) -> Any:
    context = chromium.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.evaluate(SHOW, [SCRIPT, dict(STATE)])
    yield page
    context.close()
    assert not errors


def turned(vector: list[float], position: int) -> Any:
    pairs = np.array(vector).view(np.complex128)
    return pairs * np.exp(1j * position * np.array(STATE["frequencies"]))


def said(page: Page) -> float:
    text = page.locator("[aria-live]").inner_text()
    return float(re.findall(r"score (-?[\d.]+)", text)[0])


@pytest.mark.parametrize("m, distance", [(3, 4), (0, 0), (150, -17), (37, 40)])
def test_score_and_hands(page: Page, m: int, distance: int) -> None:
    page.evaluate("([m, d]) => { model.set('m', m); model.set('distance', d); }", [m, distance])
    q, k = turned(STATE["q"], m), turned(STATE["k"], m + distance)
    assert said(page) == pytest.approx(float((q * k.conj()).real.sum()), abs=6e-5)
    ends = page.locator("g line").evaluate_all(
        "lines => lines.map(l => [l.x2.baseVal.value, -l.y2.baseVal.value])")
    expected = np.stack([q / abs(q), k / abs(k)], 1).ravel() * 25  # q and k of each pair in turn
    np.testing.assert_allclose(ends, np.stack([expected.real, expected.imag], 1), atol=1e-3)
    assert f"q (solid) at {m}, k (dashed) at {m + distance}" in (
        page.locator("svg").get_attribute("aria-label") or "")


def test_a_common_shift_moves_every_hand_and_not_the_score(page: Page) -> None:
    def look() -> tuple[float, Any, str]:
        return (said(page), page.locator("circle.here").get_attribute("cy"),
                page.locator("svg").inner_html())

    score, height, picture = look()
    page.evaluate("() => model.set('m', 90)")
    assert look()[:2] == (score, height) and look()[2] != picture


def test_dots_lie_where_their_numbers_say(page: Page) -> None:
    assert page.locator("circle.dot").count() == 2
    heights = page.locator("circle.dot").evaluate_all("dots => dots.map(d => d.cy.baseVal.value)")
    assert heights[0] > heights[1]  # a larger score stands higher


def test_it_lets_go_of_its_model(page: Page) -> None:
    assert page.evaluate("() => waiting()") == 2
    page.evaluate("() => close_it()")
    assert page.evaluate("() => waiting()") == 0


def test_python_side_sends_plain_numbers() -> None:
    assert importlib.util.find_spec("course.widgets.rope")
    from course.widgets.rope import rope_dials
    box = rope_dials(np.array([1.0, 0.5]), np.arange(4), np.ones(4), [(np.int64(2), np.float32(1))])
    *sliders, dials = box.children
    assert dials.q == [0.0, 1.0, 2.0, 3.0] and dials.dots == [[2, 1.0]]
    assert [s.value for s in sliders] == [dials.m, dials.distance]
