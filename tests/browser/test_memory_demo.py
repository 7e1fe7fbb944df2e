"""The memory demo of lesson 11: JavaScript's bytes are those of the learner's own formula.

A notebook made of the solved lesson's cells fills the learner's package and draws the demo.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from course.widgets import memory as demos

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
SOLVED = ROOT / "solutions/11_kv_cache.ipynb"
SCRIPT = ROOT / "course/widgets/memory.js"
NEEDED = ("%load_ext", "def kv_cache_bytes(", "memory_demo(", ".beside(")
SLIDERS = {"layers": "layers", "key heads": "kv_heads", "head width": "head_width",
           "tokens of a text": "tokens", "texts at once": "texts",
           "all else, GB": "rest"}


@pytest.fixture(scope="module")
def core(chromium: Browser) -> Iterator[Page]:
    """An empty page whose `core` is the module of the demo."""
    page = chromium.new_page()
    page.evaluate("""async source => { const url = URL.createObjectURL(
        new Blob([source], { type: 'text/javascript' })); window.core = await import(url); }""",
                  SCRIPT.read_text("utf-8"))
    yield page
    page.close()


def test_the_arithmetic_is_that_of_python(core: Page) -> None:
    chosen = random.Random(0)
    for _ in range(60):
        state = {"layers": chosen.randint(1, 99), "kv_heads": chosen.randint(1, 64),
                 "head_width": 8 * chosen.randint(1, 32), "tokens": chosen.uniform(100, 130_000),
                 "texts": chosen.randint(1, 64), "cache_bytes": chosen.choice([1, 2, 4]),
                 "weights": chosen.uniform(0.01, 90), "weight_bytes": chosen.choice([0.5625, 2]),
                 "rest": chosen.randint(0, 4), "cards": [8, 12, 24, 80]}
        found = core.evaluate("state => core.plan(state)", state)
        one = 2 * state["layers"] * state["kv_heads"] * state["head_width"] * round(
            state["tokens"]) * state["cache_bytes"]
        held = state["weights"] * 1e9 * state["weight_bytes"] + state["rest"] * 1e9
        assert found["per_text"] == one and found["cache"] == one * state["texts"]
        assert found["need"] == pytest.approx(held + one * state["texts"], rel=1e-12)
        for card, told in zip(state["cards"], found["cards"], strict=True):
            texts = 0
            while held + (texts + 1) * one <= card * 1e9:
                texts += 1
            assert told["texts"] == texts
            assert told["fits"] == (held + one * state["texts"] <= card * 1e9)


def test_sizes_in_words(core: Page) -> None:
    for bytes_, decimal, binary in ((2**31, "2.147 GB", "2 GiB"), (2**25, "33.55 MB", "32 MiB"),
                                    (512, "512 bytes", "512 bytes"), (2**40, "1.1 TB", "1 TiB")):
        assert core.evaluate("b => core.size(b)", bytes_) == decimal
        assert core.evaluate("b => core.binary(b)", bytes_) == binary


def test_the_executed_notebook_holds_what_a_page_without_a_kernel_needs() -> None:
    state = json.loads(SOLVED.read_text("utf-8"))["metadata"]["widgets"][
        "application/vnd.jupyter.widget-state+json"]["state"]
    (key, demo), = ((k, w["state"]) for k, w in state.items() if w["model_name"] == "AnyModel")
    assert demo["_esm"] == SCRIPT.read_text("utf-8"), "run the lesson again: its copy is old"
    links = [w["state"] for w in state.values() if w["model_name"] == "LinkModel"]
    tied = {link["target"][1] for link in links if link["target"][0] == f"IPY_MODEL_{key}"}
    assert tied == {*SLIDERS.values(), "weights", "model", "weight_type", "cache_type"}


def compare(lab: Any) -> None:
    """Run the cell below the demo until the browser's number has come: it must be the learner's."""
    beside = lab.at(lab.holding("calculator.beside("))
    for _ in range(20):  # the demo tells the kernel when the slider has come to rest
        said = lab.again(beside)
        if "True" in said:
            return
        lab.page.wait_for_timeout(300)
    raise AssertionError(said)


def test_the_demo_in_lab(lab: Any, tmp_path: Path) -> None:
    lab.open_part(SOLVED, NEEDED)
    page: Page = lab.page
    cell = lab.at(lab.holding("calculator = "))
    caption = cell.locator(".memory-demo caption")
    expect(caption).to_contain_text("cache 4.295 GB = 4 GiB · a token 524,288 bytes · weights "
                                    "13.48 GB · together 18.77 GB")
    expect(cell.locator(".state")).to_have_text(
        ["too much by 10.77 GB", "too much by 6.771 GB", "fits, 5.229 GB left"])
    assert texts(cell) == ["0", "0", "4"]
    compare(lab)

    cell = lab.at(lab.holding("calculator = "))
    lab.slide(slider(cell, "texts at once"), "ArrowRight", 3)  # 5
    expect(caption).to_contain_text("cache 10.74 GB = 10 GiB")
    lab.slide(slider(cell, "tokens of a text"), "ArrowLeft", 4)  # 1024
    expect(caption).to_contain_text("cache 2.684 GB = 2.5 GiB")
    lab.slide(slider(cell, "all else, GB"), "ArrowRight", 4)
    expect(caption).to_contain_text("together 18.16 GB")
    cell.get_by_role("combobox", name="a weight").select_option("4 bits, and scales")
    expect(caption).to_contain_text("weights 3.79 GB")
    cell.get_by_role("combobox", name="a cached number").select_option("int8, scales not counted")
    expect(caption).to_contain_text("a token 262,144 bytes")
    expect(cell.locator(".state").first).to_have_text("fits, 867.7 MB left")
    compare(lab)

    cell = lab.at(lab.holding("calculator = "))
    model = cell.get_by_role("combobox", name="model")
    names = list(demos.MODELS)
    model.select_option("Llama-3.1 8B")  # brings its sizes to the sliders
    expect(caption).to_contain_text("a token 65,536 bytes")
    for label, value in (("layers", "32"), ("key heads", "8"), ("head width", "128")):
        expect(slider(cell, label)).to_have_attribute("aria-valuenow", re.compile(rf"^{value}\b"))
    lab.slide(slider(cell, "layers"), "ArrowRight", 2)
    expect(caption).to_contain_text("a token 69,632 bytes")
    expect(model).to_have_value(demos.OWN)
    lab.slide(slider(cell, "key heads"), "ArrowLeft", 4)
    expect(caption).to_contain_text("a token 34,816 bytes")
    lab.slide(slider(cell, "head width"), "ArrowLeft", 8)
    expect(caption).to_contain_text("a token 17,408 bytes")
    cell.get_by_role("spinbutton", name="weights, billions").fill("16")
    page.keyboard.press("Tab")
    expect(caption).to_contain_text("weights 9 GB")
    compare(lab)

    cell = lab.at(lab.holding("calculator = "))
    model.select_option(names[-1])
    expect(caption).to_contain_text("a token 1,310,720 bytes")
    compare(lab)
    cell = lab.at(lab.holding("calculator = "))
    model.select_option("LLaMA-2 7B")
    expect(caption).to_contain_text("weights 3.79 GB")

    for _ in lab.themes(tmp_path):
        expect(caption).to_be_visible()


def slider(cell: Locator, label: str) -> Locator:
    return cell.get_by_role("slider", name=label, exact=True)


def texts(cell: Locator) -> list[str]:
    """What stands under "texts at most"."""
    return cell.locator(".memory-demo tbody tr td:last-child").all_inner_texts()
