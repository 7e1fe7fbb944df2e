"""Feedback pages show their formulas without a network."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grader.feedback import Page

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def maths(page: str) -> list[str]:
    return re.findall("<math.*?</math>", page, flags=re.DOTALL)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_formula_of_a_lesson_is_understood(path: Path) -> None:
    cells = [c for c in nbformat.read(path, 4).cells if c.cell_type == "markdown"]
    page, _ = Page().from_notebook_node(new_notebook(cells=cells))
    written = sum(c.source.count("$$") // 2 for c in cells)
    found = maths(page)
    assert len(found) == written and "mathjax" not in page.lower()
    for each in found:
        assert "\\" not in re.sub("<[^>]*>", "", each), each


def test_a_dollar_in_code_is_no_formula() -> None:
    cells = [new_markdown_cell("costs `$5` and `$6`, and $\\sqrt{d_k}$ is a formula"),
             new_code_cell("price = '$5$'")]
    page, _ = Page().from_notebook_node(new_notebook(cells=cells))
    assert len(maths(page)) == 1 and "<msqrt>" in page and "$5" in page


def test_what_a_learner_wrote_wrongly_or_attached_costs_no_page() -> None:
    note = new_markdown_cell("$\\frac{$ and $\\sqrt[$ and $x^2$ and ![p](attachment:p.png)")
    note["attachments"] = {"p.png": {"image/png": "iVBORw0="}}
    page, _ = Page().from_notebook_node(new_notebook(cells=[note]))
    assert "\\frac{" in page and "<msup>" in page and "data:image/png;base64,iVBORw0=" in page
