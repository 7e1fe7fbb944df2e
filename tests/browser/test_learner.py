"""Lesson 00 as a learner does it: a wrong answer, its message, the right answer, Validate."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
SOLVED = Path(__file__).parents[2] / "solutions/00_start_here.ipynb"
FILL = "bigram-next_word_probabilities"


def answers() -> dict[str, str]:
    """What the solved lesson has in each answer cell, by grade id, in order."""
    cells = json.loads(SOLVED.read_text("utf-8"))["cells"]
    return {cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"]) for cell in cells
            if cell["metadata"].get("nbgrader", {}).get("solution")}


def test_lesson_00(lab: Any) -> None:
    right = answers()
    filled = lab.served.folder / "minillm/bigram.py"
    lab.open()
    assert lab.path == "notebooks/00_start_here.ipynb"
    assert lab.page.evaluate("""async () => (await (await fetch([...document.styleSheets].find(
        sheet => (sheet.href || '').includes('custom.css')).href)).text())""").count("details")
    assert "Error" not in lab.run("setup")
    assert "not answered yet" in lab.run("check-steps-start-p_cat")
    expect(lab.page.locator(".jp-TableOfContents")).to_contain_text("Your first function")
    assert "Lesson 00: 0 of" in lab.run("progress")

    lab.write("steps-start-p_cat", "p_cat = 3")
    lab.run("steps-start-p_cat")
    assert "that is the count" in lab.run("check-steps-start-p_cat")

    lab.write(FILL, right[FILL].replace(".sum(-1, keepdim=True)", ".sum()"))
    assert "filled next_word_probabilities" in lab.run(FILL)
    assert "counts.sum()" in filled.read_text("utf-8")
    lab.run(f"check-{FILL}")
    expect(lab.element(f"check-{FILL}")).to_contain_text("the sum of the whole table")
    assert "whole table" in lab.validate()

    for name, source in right.items():
        lab.write(name, source)
        lab.run(name)
        assert lab.run(f"check-{name}").startswith("✓ ")
    assert "counts.sum(-1, keepdim=True)" in filled.read_text("utf-8")
    # the checks above have brought the progress cell up to date
    bar = lab.element("progress").locator("progress")
    expect(bar).to_have_attribute("value", str(len(right)))
    expect(bar).to_have_attribute("max", str(len(right)))
    assert "Success! Your notebook passes all the tests." in lab.validate()
