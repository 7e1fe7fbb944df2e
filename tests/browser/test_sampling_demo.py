"""The demos of lesson 10: JavaScript's numbers are those of the learner's own functions beside it.

A notebook made of the solved lesson's cells fills the learner's package and draws the demos.
"""

import importlib
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from course.workspace import WORKING

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
SOLVED = ROOT / "solutions/10_sampling.ipynb"
SCRIPT = ROOT / "course/widgets/sampling.js"
NEEDED = ("%load_ext", "class Small", "optimiser =", "def scores_after", "def temperature(",
          "def top_k(", "def top_p(", "def min_p(", "_demo(", ".beside(")
NUMBERS = re.compile(r"(\d+) of (\d+) tokens kept · mass (\S+) · entropy (\S+) → (\S+) nats")


@pytest.fixture(scope="module")
def sampling() -> Iterator[ModuleType]:
    """The reference functions, whatever minillm another test has left behind."""
    def ours() -> list[str]:
        return [n for n in sys.modules if n.split(".")[0] == "minillm"]

    kept = {name: sys.modules.pop(name) for name in ours()}
    sys.path.insert(0, str(ROOT / "solutions"))
    yield importlib.import_module("minillm.sampling")
    sys.path.remove(str(ROOT / "solutions"))
    for name in ours():
        del sys.modules[name]
    sys.modules.update(kept)


@pytest.fixture(scope="module")
def core(chromium: Browser) -> Iterator[Page]:
    """An empty page whose `core` is the module of the demos."""
    page = chromium.new_page()
    page.evaluate("""async source => { const url = URL.createObjectURL(
        new Blob([source], { type: 'text/javascript' })); window.core = await import(url); }""",
                  SCRIPT.read_text("utf-8"))
    yield page
    page.close()


def test_the_arithmetic_is_that_of_the_reference(core: Page, sampling: Any) -> None:
    import torch
    g = torch.Generator().manual_seed(0)
    for case in range(120):
        V = (3, 7, 60)[case % 3]
        z = 3 * torch.randn(V, generator=g, dtype=torch.float64)
        u = torch.rand(4, generator=g).tolist()
        knobs = {"t": 0.1 + 2 * u[0], "k": int(u[1] * 1.2 * V), "p": min(1, 1.3 * u[2]),
                 "min_p": max(0, u[3] - 0.6), "late": case % 2 == 1}
        offered = z if knobs["late"] else sampling.temperature(z, knobs["t"])
        left = sampling.top_k(offered, knobs["k"]) if knobs["k"] else offered
        left = sampling.min_p(sampling.top_p(left, knobs["p"]), knobs["min_p"])
        after = torch.softmax(sampling.temperature(left, knobs["t"]) if knobs["late"] else left, -1)
        found = core.evaluate("([z, knobs]) => core.reshape(z, knobs)", [z.tolist(), knobs])
        before = torch.softmax(offered, -1)
        assert found["kept"] == (left > -torch.inf).tolist(), knobs
        assert found["before"] == pytest.approx(before.tolist(), abs=1e-12)
        assert found["after"] == pytest.approx(after.tolist(), abs=1e-12)
        assert found["mass"] == pytest.approx(float(before[left > -torch.inf].sum()), abs=1e-12)
        for name, p in (("entropy_before", before), ("entropy_after", after)):
            assert found[name] == pytest.approx(float(torch.special.entr(p).sum()), abs=1e-12)


def test_draws_have_the_right_shares(core: Page) -> None:
    p, n = [0.5, 0.0, 0.3, 0.2, 0.0], 100_000
    counts = core.evaluate("([p, n]) => core.draw(p, n, 7)", [p, n])
    assert sum(counts) == n
    for x, count in zip(p, counts, strict=True):  # 5 standard deviations: once in two million
        assert abs(count / n - x) <= 5 * math.sqrt(x * (1 - x) / n)
    assert counts == core.evaluate("([p, n]) => core.draw(p, n, 7)", [p, n])


def test_what_is_typed(core: Page) -> None:
    def parse(text: str) -> Any:
        return core.evaluate("text => core.parse(text)", text)

    # approx: the last digit of a logarithm is JavaScript's own
    assert parse("the 3, a 1") == {"tokens": ["the", "a"],
                                   "logits": pytest.approx([math.log(3), 0])}
    assert parse("scores 2 -1 0")["logits"] == [2, -1, 0]
    assert parse(" .5;.25 ") == {"tokens": ["0", "1"],
                                 "logits": pytest.approx([math.log(0.5), math.log(0.25)])}
    assert parse("1 0")["logits"][1] == -math.inf
    for wrong in ("", "3", "the 3 a", "the a 3", "-1 2", "0 0"):
        assert "error" in parse(wrong)


def test_the_executed_notebook_holds_what_a_page_without_a_kernel_needs() -> None:
    state = json.loads(SOLVED.read_text("utf-8"))["metadata"]["widgets"][
        "application/vnd.jupyter.widget-state+json"]["state"]
    demos = {key: w["state"] for key, w in state.items() if w["model_name"] == "AnyModel"}
    assert sorted(len(demo["knobs"]) for demo in demos.values()) == [1, 1, 5]
    links = [w["state"] for w in state.values() if w["model_name"] == "LinkModel"]
    for key, demo in demos.items():
        assert demo["_esm"] == SCRIPT.read_text("utf-8"), "run the lesson again: its copy is old"
        tied = {link["target"][1]: link["source"] for link in links
                if link["target"][0] == f"IPY_MODEL_{key}"}
        assert tied.keys() == {*demo["knobs"], "chosen", "typed"}
        for model, trait in tied.values():
            assert trait in state[model.removeprefix("IPY_MODEL_")]["state"]


class Demo:
    """One demo in the notebook: the cell that draws it, and the one that compares."""

    def __init__(self, lab: Any, name: str) -> None:
        self.lab, self.name, self.page = lab, name, lab.page
        self.cell = lab.at(lab.holding(f"{name} = "))

    def set(self, label: str, key: str, times: int) -> None:
        self.lab.slide(self.cell.get_by_role("slider", name=label), key, times)

    def numbers(self) -> list[float]:
        """Tokens kept, all tokens, mass and both entropies, as they stand above the bars."""
        found = NUMBERS.search(self.cell.locator("caption").inner_text())
        assert found
        return [float(x) for x in found.groups()]

    def compare(self) -> None:
        """Run the cell below: the learner's numbers must be those the browser shows."""
        shown = self.numbers()
        beside = self.lab.at(self.lab.holding(f"{self.name}.beside("))
        for _ in range(20):  # the demo tells the kernel when the slider has come to rest
            text = self.lab.again(beside)
            yours = [float(x) for x in re.findall(r"^\w+ +(\S+) +\S+$", text, re.M)]
            if "True" in text and yours == pytest.approx(shown[:1] + shown[2:], abs=6e-4):
                break
            self.page.wait_for_timeout(300)
        else:
            raise AssertionError(f"{shown} is shown, and the cell says\n{text}")
        self.cell.scroll_into_view_if_needed()

    def rows(self) -> list[list[str]]:
        cells = self.cell.locator("tbody tr").evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent))")
        return [[row[0], *row[2:]] for row in cells]


def test_the_demos_in_lab(lab: Any, tmp_path: Path) -> None:
    functional = (ROOT / "solutions/minillm/functional.py").read_text("utf-8")
    (lab.served.folder / "minillm/functional.py").write_text(f"{WORKING}\n{functional}", "utf-8")
    lab.open_part(SOLVED, NEEDED)

    temperature = Demo(lab, "by_temperature")
    cool = temperature.numbers()
    assert cool[0] == cool[1] and cool[2] == 1 and cool[3] == cool[4]
    temperature.set("temperature t", "ArrowRight", 9)
    expect(temperature.cell.locator("caption")).not_to_contain_text(f"{cool[3]:.3f}")
    assert temperature.numbers()[3] > cool[3]  # hotter: more entropy
    temperature.compare()

    nucleus = Demo(lab, "by_p")
    nucleus.cell.get_by_role("combobox", name="distribution").select_option("five tokens")
    expect(nucleus.cell.locator("caption")).to_contain_text("3 of 5 tokens kept · mass 0.900")
    assert nucleus.rows() == [["a", "0.556", "kept", ""], ["b", "0.278", "kept", ""],
                              ["c", "0.167", "kept", ""], ["d", "0.060", "dropped", ""],
                              ["e", "0.040", "dropped", ""]]
    hatched = nucleus.cell.locator(".share").evaluate_all(
        "bars => bars.map(b => getComputedStyle(b).backgroundImage !== 'none')")
    assert hatched == [False, False, False, True, True]
    nucleus.compare()
    nucleus.set("top-p", "ArrowLeft", 60)  # to 0.2: the first token crosses it
    expect(nucleus.cell.locator("caption")).to_contain_text("1 of 5 tokens kept · mass 0.500")
    nucleus.compare()

    nucleus.cell.get_by_role("button", name="Sample 100").press("Enter")
    assert nucleus.rows()[0][-1] == "100"
    nucleus.set("top-p", "End", 1)
    expect(nucleus.cell.locator("caption")).to_contain_text("5 of 5")
    assert {row[-1] for row in nucleus.rows()} == {""}  # those were draws of another distribution
    nucleus.cell.get_by_role("button", name="Sample 100").press("Space")
    assert sum(int(row[-1]) for row in nucleus.rows()) == 100
    assert "drawn: a " in nucleus.cell.locator(".sampling-demo [aria-live]").inner_text()

    typed = nucleus.cell.get_by_role("textbox", name="typed in")
    typed.fill("the 3, a 1, an 0.5")
    expect(nucleus.cell.locator("tbody th")).to_have_text(["the", "a", "an"])
    choice = nucleus.cell.get_by_role("combobox", name="distribution")
    assert choice.input_value() == "what I type below"
    nucleus.compare()
    typed.fill("the 3, a")
    problem = nucleus.cell.locator(".sampling-demo").get_by_role("status")
    expect(problem).to_have_text("a number is missing after “a”")

    everything = Demo(lab, "all_knobs")
    everything.set("temperature t", "ArrowRight", 20)
    everything.set("top-k", "ArrowRight", 30)
    everything.set("top-p", "ArrowLeft", 20)
    everything.set("min-p", "ArrowRight", 12)
    everything.compare()
    assert {row[-1] for row in everything.rows()} == {""}
    assert everything.rows()[-1][0].endswith(" others")
    few = everything.numbers()
    everything.cell.get_by_label("temperature last").check()
    expect(everything.cell.locator("caption")).not_to_contain_text(f"mass {few[2]:.3f}")
    everything.compare()
    assert everything.numbers()[0] < few[0]

    for _ in lab.themes(tmp_path):
        assert lab.contrast(*colours(everything.cell, "caption", "color")) >= 4.5
        assert lab.contrast(*colours(everything.cell, "tr.kept .share", "backgroundColor")) >= 3


def colours(cell: Locator, selector: str, style: str) -> list[str]:
    """A colour, and what the page has behind the output."""
    found: list[str] = cell.locator(selector).first.evaluate("""(node, style) => {
        let behind = node;
        while (behind && /^(rgba.*, 0\\)|transparent)$/.test(
            behind === node && style === 'backgroundColor' ? 'transparent'
            : getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
        return [getComputedStyle(node)[style], getComputedStyle(behind).backgroundColor]; }""",
                                                             style)
    return found
