"""The attention demo of lesson 04: its slider by keyboard, in light and dark, and the numbers it
computes in the browser beside those of the package's functions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from course.workspace import WORKING

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
MODULES = ("functional.py", "attention.py")
FRONT = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"
DEMO, NUMBERS = "widget.attention_map(**made)", "by your functions"
OURS = """
for scale in {}:
    found = numbers(scale)
    print(*(repr(found[name]) for name in ("entropy", "scores", "queries")))
"""


@pytest.fixture
def lesson(lab: Any) -> Iterator[Any]:
    """Lesson 04 on a package in which lessons 01 and 04 are solved.

    Here `lab.run(text)` and the like mean the first cell that holds this text.
    """
    package = lab.served.folder / "minillm"
    kept = {name: (package / name).read_text("utf-8") for name in MODULES}
    try:
        for name in MODULES:
            solved = (ROOT / "solutions/minillm" / name).read_text("utf-8")
            (package / name).write_text(f"{WORKING}\n{solved}", "utf-8")
        lab.open("04_attention.ipynb")
        lab.cell = lab.holding
        yield lab
    finally:
        for name, source in kept.items():
            (package / name).write_text(source, "utf-8")


def shown(said: Locator) -> list[float]:
    """The numbers below the map, unrounded."""
    return [float(said.get_attribute(f"data-{n}") or "nan") for n in ("entropy", "ds", "dq")]


def test_attention_demo(lesson: Any, tmp_path: Path) -> None:
    for cell in ("%load_ext course", "def numbers(scale):", DEMO):
        assert "Error" not in lesson.run(cell)
    demo = lesson.element(DEMO)
    said, slider = demo.get_by_role("status"), demo.get_by_role("slider", name="scale")
    expect(slider).to_have_attribute("aria-valuenow", re.compile(r"-3"))
    picture = demo.get_by_role("img").first
    expect(picture).to_have_attribute("aria-label", re.compile('"thirsty" looks most at "it"'))

    seen = {1 / 8: shown(said)}
    for key, times, scale in (("ArrowRight", 4, 1 / 4), ("ArrowLeft", 16, 1 / 64)):
        lesson.slide(slider, key, times)
        expect(said).to_contain_text(f"scale {scale:.3g}", timeout=90_000)
        seen[scale] = shown(said)
    lesson.write(NUMBERS, OURS.format(list(seen)))
    printed = lesson.run("print(*(repr(found")
    ours = [[float(x) for x in line.split()] for line in printed.strip().splitlines()]
    assert ours == [pytest.approx(line, rel=1e-9) for line in seen.values()]

    for _ in lesson.themes(tmp_path):
        behind = lesson.page.locator(FRONT).first.evaluate(
            "e => getComputedStyle(e).backgroundColor")
        text = picture.locator("text").first.evaluate("e => getComputedStyle(e).fill")
        assert lesson.contrast(text, behind) > 7
