"""One JupyterLab, started as a learner does, and one Chromium a session; a fresh page a test."""

import json
import os
import re
import shutil
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

COURSE = Path(sysconfig.get_path("scripts")) / "course"
CHROMIUM = os.environ.get("COURSE_CHROMIUM") or shutil.which("chromium")
# no sandbox: CI is root; the rest keeps Chromium from calling home and from needing /dev/shm
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-dev-shm-usage", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]
SLOW = 90_000  # milliseconds; generous, for the machine may be busy
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S+")
FAILED = pytest.StashKey[bool]()

FIRST = "00_start_here.ipynb"
CURRENT = "const w = jupyterapp.shell.currentWidget, cells = w?.content?.model?.cells;"
RESTORED = "() => window.jupyterapp?.restored.then(() => true)"
READY = f"""path => {{ {CURRENT} return cells?.length && w.context.path === path
    && w.sessionContext?.session?.kernel?.status === 'idle'; }}"""
FIND = f"""name => {{ {CURRENT}
    return [...cells].findIndex(c => c.id === name
        || c.getMetadata('nbgrader')?.grade_id === name); }}"""
HOLDING = f"""text => {{ {CURRENT}
    return [...cells].findIndex(c => c.sharedModel.source.includes(text)); }}"""
ALL_RAN = f"""() => {{ {CURRENT} return w.sessionContext.session.kernel.status === 'idle'
    && [...cells].every(c => c.type !== 'code' || c.executionCount); }}"""
ERRORS = f"""() => {{ {CURRENT} return [...cells].flatMap(c => c.type !== 'code' ? []
    : c.outputs.toJSON().filter(o => o.output_type === 'error')
        .map(o => o.ename + ': ' + o.evalue)); }}"""
THEME = "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })"
COUNT = f"index => {{ {CURRENT} return cells.get(index).executionCount; }}"
DONE = f"""([index, before]) => {{ {CURRENT} const cell = cells.get(index);
    return cell.executionCount && cell.executionCount !== before
        && cell.executionState === 'idle'; }}"""
OUTPUTS = f"index => {{ {CURRENT} return cells.get(index).outputs.toJSON(); }}"
SHUTDOWN = "() => window.jupyterapp?.serviceManager.sessions.shutdownAll()"


@dataclass(frozen=True)
class Served:
    """A running JupyterLab: the address it printed, and the working copy it serves."""

    address: str
    folder: Path
    log: Path


def contrast(*colours: str) -> float:
    """The contrast of two CSS colours, as WCAG 2 defines it."""
    def luminance(colour: str) -> float:
        parts = [int(x) / 255 for x in re.findall(r"\d+", colour)[:3]]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    dark, light = sorted(map(luminance, colours))
    return (light + 0.05) / (dark + 0.05)


@dataclass
class Lab:
    """JupyterLab in a page; a cell is named by its grade id, as `check-functional-softmax`."""

    page: Page
    served: Served
    errors: list[str] = field(default_factory=list)  # of JavaScript
    outside: list[str] = field(default_factory=list)  # addresses that are not this server's

    def open(self, notebook: str = FIRST) -> None:
        """Go to the printed address, or from there to another notebook; its kernel must come up."""
        address = self.served.address.replace(FIRST, notebook)
        self.page.goto(address, wait_until="domcontentloaded")
        path = unquote(urlsplit(address).path).removeprefix("/lab/tree/")
        # notebooks of an earlier test come back too, and one of them may be in front at first
        self.page.wait_for_function("() => window.jupyterapp", timeout=SLOW)
        self.page.evaluate(RESTORED)
        self.page.wait_for_function(READY, arg=path, timeout=SLOW)

    @property
    def path(self) -> str:
        """The path of the notebook that is open, in the working copy."""
        return str(self.page.evaluate(f"() => {{ {CURRENT} return w.context.path; }}"))

    def cell(self, name: str) -> int:
        """The index of the cell with this grade id."""
        index = int(self.page.evaluate(FIND, name))
        assert index >= 0, f"no cell is called {name}"
        return index

    def open_part(self, solved: Path, needed: Sequence[str]) -> None:
        """A notebook of those code cells of a solved one that hold one of these texts, all run."""
        notebook = json.loads(solved.read_text("utf-8"))
        notebook["cells"] = [c | {"outputs": [], "execution_count": None} for c in notebook["cells"]
                             if c["cell_type"] == "code"
                             and any(word in "".join(c["source"]) for word in needed)]
        del notebook["metadata"]["widgets"]
        made = self.served.folder / f"notebooks/part_of_{solved.name}"
        made.write_text(json.dumps(notebook), "utf-8")
        self.open(made.name)
        self.page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        self.page.wait_for_function(ALL_RAN, timeout=240_000)
        assert self.page.evaluate(ERRORS) == []

    def holding(self, text: str) -> int:
        """The index of the first cell whose source holds this text."""
        index = int(self.page.evaluate(HOLDING, text))
        assert index >= 0, f"no cell holds {text!r}"
        return index

    def element(self, name: str) -> Locator:
        """The cell of this name on the page."""
        return self.at(self.cell(name))

    def at(self, index: int) -> Locator:
        """A cell on the page, scrolled to, for Lab draws only what is near."""
        self.page.evaluate(f"i => {{ {CURRENT} return w.content.scrollToItem(i); }}", index)
        front = ".jp-NotebookPanel:not(.lm-mod-hidden)"  # another notebook may be open behind it
        return self.page.locator(f'{front} .jp-Cell[data-windowed-list-index="{index}"]')

    def write(self, name: str, text: str) -> None:
        """Replace what stands in a cell, by keyboard."""
        self.element(name).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def run(self, name: str) -> str:
        """Run a cell with Shift+Enter; everything it printed or raised, as text."""
        index = self.cell(name)
        before = self.page.evaluate(COUNT, index)
        self.element(name).locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(DONE, arg=[index, before], timeout=SLOW)
        return "".join(text_of(each) for each in self.page.evaluate(OUTPUTS, index))

    def again(self, cell: Locator) -> str:
        """Run a cell that has run before; what it shows then."""
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Shift+Enter")
        expect(cell.locator(".jp-InputPrompt")).not_to_have_text(before)
        expect(cell.locator(".jp-InputPrompt")).not_to_contain_text("*", timeout=30_000)
        return cell.locator(".jp-OutputArea").inner_text()

    def slide(self, slider: Locator, key: str, times: int) -> None:
        """Move a slider by keyboard."""
        slider.focus()
        for _ in range(times):
            self.page.keyboard.press(key)

    def themes(self, folder: Path) -> Iterator[None]:
        """The page in the dark theme and then in the light one, each with a picture to look at."""
        for theme in ("JupyterLab Dark", "JupyterLab Light"):
            self.page.evaluate(THEME, theme)
            expect(self.page.locator("body")).to_have_attribute(
                "data-jp-theme-name", theme, timeout=SLOW)
            yield
            self.page.screenshot(path=folder / f"{theme}.png")

    contrast = staticmethod(contrast)

    def validate(self) -> str:
        """Press Validate; what the dialog says."""
        self.page.get_by_role("button", name="Validate").click()
        dialog = self.page.locator(".jp-Dialog")
        expect(dialog).to_contain_text(re.compile("Success|fail|error", re.I), timeout=SLOW)
        text = dialog.inner_text()
        dialog.get_by_role("button").last.click()
        return text


def text_of(output: dict[str, Any]) -> str:
    """One output of a cell as plain text, without colours."""
    text = output.get("text") or output.get("traceback") or output["data"].get("text/plain", "")
    return re.sub(r"\x1b\[[\d;]*m", "", text if isinstance(text, str) else "".join(text))


def new_user(home: Path) -> dict[str, str]:
    """The environment of someone who has never used Jupyter."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("JUPYTER", "JPY_", "COURSE_", "XDG_"))}
    return kept | {"HOME": str(home)}


def printed_address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait for the address that Lab prints; an error with its log if none comes."""
    end = time.monotonic() + SLOW / 1000
    while process.poll() is None and time.monotonic() < end:
        if found := ADDRESS.search(log.read_text("utf-8")):
            return found[0]
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text('utf-8')[-4000:]}")


@contextmanager
def running(folder: Path, home: Path, *options: str) -> Iterator[Served]:
    """`course start` and `course lab` for a new user; at the end it must stop when asked to."""
    subprocess.run([COURSE, "start", folder], env=new_user(home), check=True)
    (folder / ".jupyter").mkdir(exist_ok=True)  # the tests drive Lab through window.jupyterapp
    (folder / ".jupyter/jupyter_lab_config.json").write_text(
        json.dumps({"LabApp": {"expose_app_in_browser": True}}))
    # Lab's splash screen is taken away twice, an error, when it is called for twice in 0.2 s
    (folder / ".jupyter/labconfig").mkdir(exist_ok=True)
    (folder / ".jupyter/labconfig/page_config.json").write_text(
        json.dumps({"disabledExtensions": {"@jupyterlab/apputils-extension:splash": True}}))
    log = home / "lab.log"
    with log.open("wb") as out:
        process = subprocess.Popen([COURSE, "lab", folder, "--no-browser", *options],
                                   stdout=out, stderr=subprocess.STDOUT, env=new_user(home))
    try:
        yield Served(printed_address(process, log), folder, log)
    finally:
        process.terminate()
        code = process.wait(30)
    assert code == 0, log.read_text("utf-8")


@pytest.fixture(scope="session")
def start_lab() -> Callable[..., AbstractContextManager[Served]]:
    """`start_lab(folder, home, *options)` runs `course lab` while its context lasts."""
    return running


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """JupyterLab in a working copy whose folder has a name such as people give."""
    home = tmp_path_factory.mktemp("home")
    with running(home / "Zoë's course", home) as lab:
        yield lab


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    assert CHROMIUM, "no Chromium: `apt-get install chromium`, or set COURSE_CHROMIUM to one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def lab(served: Served, chromium: Browser, request: pytest.FixtureRequest,
        tmp_path: Path) -> Iterator[Lab]:
    """Lab in a new browser context; a test fails too when a script fails or calls the outside."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    lab = Lab(context.new_page(), served)

    def note(request: Request) -> None:
        if request.url.startswith(("http", "ws")) and "//127.0.0.1:" not in request.url:
            lab.outside.append(request.url)

    lab.page.on("pageerror", lambda error: lab.errors.append(str(error)))
    lab.page.on("request", note)
    yield lab
    if request.node.stash.get(FAILED, False):
        lab.page.screenshot(path=tmp_path / "failed.png")
        print(f"screenshot: {tmp_path / 'failed.png'}\nLab's log: {served.log}")
    lab.page.evaluate(SHUTDOWN)
    context.close()
    assert not lab.errors and not lab.outside


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder is a browser test: a Chromium left open holds an event loop."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report
