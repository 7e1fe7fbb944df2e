"""The attention demo of lesson 04: its slider by keyboard, in light and dark, and the numbers it
computes in the browser beside those of the package's functions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from course.workspace import WORKING

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
MODULES = ("functional.py", "attention.py")
CURRENT = "const w = jupyterapp.shell.currentWidget, cells = w?.content?.model?.cells;"
READY = f"""() => {{ if (!window.jupyterapp) return false; {CURRENT}
    return cells?.length && w.sessionContext?.session?.kernel?.status === 'idle'; }}"""
HOLDING = f"""text => {{ {CURRENT}
    return [...cells].findIndex(c => c.sharedModel.source.includes(text)); }}"""
THEME = "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})"
DEMO, NUMBERS = "widget.attention_map(**made)", "by your functions"
OURS = """
for scale in {}:
    found = numbers(scale)
    print(*(repr(found[name]) for name in ("entropy", "scores", "queries")))
"""


@pytest.fixture
def lesson(lab: Any) -> Iterator[Any]:
    """Lesson 04 in a workspace of its own, on a package in which lessons 01 and 04 are solved.

    Here `lab.run(text)` and the like mean the first cell that holds this text.
    """
    package = lab.served.folder / "minillm"
    kept = {name: (package / name).read_text("utf-8") for name in MODULES}
    try:
        for name in MODULES:
            solved = (ROOT / "solutions/minillm" / name).read_text("utf-8")
            (package / name).write_text(f"{WORKING}\n{solved}", "utf-8")
        address = lab.served.address.replace("00_start_here", "04_attention")
        lab.page.goto(address.replace("/lab/tree", "/lab/workspaces/attention/tree"))
        lab.page.wait_for_function(READY, timeout=90_000)
        lab.cell = lambda text: lab.page.evaluate(HOLDING, text)
        yield lab
    finally:
        for name, source in kept.items():
            (package / name).write_text(source, "utf-8")


def shown(said: Locator) -> list[float]:
    """The numbers below the map, unrounded."""
    return [float(said.get_attribute(f"data-{n}") or "nan") for n in ("entropy", "ds", "dq")]


def test_attention_demo(lesson: Any) -> None:
    for cell in ("%load_ext course", "def numbers(scale):", DEMO):
        assert "Error" not in lesson.run(cell)
    demo = lesson.element(DEMO)
    said, slider = demo.get_by_role("status"), demo.get_by_role("slider", name="scale")
    expect(slider).to_have_attribute("aria-valuenow", re.compile(r"-3"))
    picture = demo.get_by_role("img").first
    expect(picture).to_have_attribute("aria-label", re.compile('"thirsty" looks most at "it"'))

    seen = {1 / 8: shown(said)}
    slider.focus()
    for key, times, scale in (("ArrowRight", 4, 1 / 4), ("ArrowLeft", 16, 1 / 64)):
        for _ in range(times):
            lesson.page.keyboard.press(key)
        expect(said).to_contain_text(f"scale {scale:.3g}", timeout=90_000)
        seen[scale] = shown(said)
    lesson.write(NUMBERS, OURS.format(list(seen)))
    printed = lesson.run("print(*(repr(found")
    ours = [[float(x) for x in line.split()] for line in printed.strip().splitlines()]
    assert ours == [pytest.approx(line, rel=1e-9) for line in seen.values()]

    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lesson.page.evaluate(THEME, theme)
        expect(lesson.page.locator("body")).to_have_attribute(
            "data-jp-theme-name", theme, timeout=90_000)
        assert contrast_of(picture.locator("text").first, lesson.page) > 7
    lesson.page.evaluate(THEME, "JupyterLab Light")


def contrast_of(text: Locator, page: Page) -> float:
    """The contrast of a text with the notebook behind it, as WCAG 2 defines it."""
    def luminance(colour: str) -> float:
        parts = [int(x) / 255 for x in re.findall(r"\d+", colour)[:3]]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    behind = page.locator(".jp-Notebook").first.evaluate("e => getComputedStyle(e).backgroundColor")
    both = luminance(text.evaluate("e => getComputedStyle(e).fill")), luminance(behind)
    return (max(both) + 0.05) / (min(both) + 0.05)
