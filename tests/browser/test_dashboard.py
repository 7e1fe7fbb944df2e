"""The finale's dashboard: a picture and a text that follow a run while it trains.

A notebook made of lesson 17's cells, on the reference package, whose run is a few steps long.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
SOLVED = ROOT / "solutions/17_mini_gpt.ipynb"
SHORT = f"%env COURSE_SHORT=1\n%env COURSE_MINILLM={ROOT / 'solutions'}\n"
SHOWN = "%env COURSE_SHORT=0\nwatch = "  # a run in the short mode draws no panel of itself


def part(folder: Path) -> Path:
    """The cells that the dashboard needs: without the five runs before it, and its own short."""
    notebook = json.loads(SOLVED.read_text("utf-8"))
    sources = {"".join(c["source"]): c for c in notebook["cells"] if c["cell_type"] == "code"}

    def cell(holding: str, change: Callable[[str], str]) -> dict[str, Any]:
        source = next(s for s in sources if holding in s)
        assert change(source) != source or holding.startswith("texts")
        return sources[source] | {"source": change(source)}

    notebook["cells"] = [
        cell("%load_ext course", lambda s: SHORT + s),
        cell("texts = corpus.documents()", lambda s: s),
        cell("chain = experiments.recipes()", lambda s: s.partition("models, curves")[0]),
        cell("finale.Watch(", lambda s: s.replace("watch = ", SHOWN).replace("(1, 100", "(1, 6"))]
    path = folder / "dashboard.ipynb"
    path.write_text(json.dumps(notebook), "utf-8")
    return path


def test_the_dashboard_follows_a_run(lab: Any, tmp_path: Path) -> None:
    lab.open_part(part(tmp_path), [""])
    cell = lab.at(lab.holding("finale.Watch("))
    panel = cell.locator(".jupyter-widgets.widget-hbox")
    expect(panel.locator("img")).to_have_count(1)
    text = panel.locator("pre")
    expect(text).to_have_text(re.compile(r"^\s*after step 6:\n.{20}", re.S))
    expect(cell.locator(".jp-OutputArea").first).to_contain_text(re.compile(r"8 steps, \d+ s:"))
    for _ in lab.themes(tmp_path):
        panel.scroll_into_view_if_needed()
        picture = panel.locator("img").bounding_box()
        frame = panel.bounding_box()
        assert picture and frame and picture["width"] > 250
        assert picture["x"] + picture["width"] <= frame["x"] + frame["width"] + 1
        colours = text.evaluate("""t => { let b = t; const style = e => getComputedStyle(e);
            while (/, 0\\)|transparent/.test(style(b).backgroundColor)) b = b.parentElement;
            return [style(t).color, style(b).backgroundColor, style(t.parentElement).opacity]; }""")
        assert colours.pop() == "1", "grey"
        assert lab.contrast(*colours) >= 4.5, colours
