"""`course lab` itself: a port that is taken, what is kept over a restart, what is left alone."""

import json
import socket
import sysconfig
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
import websocket

from course.lab import lab_command, lab_environment, open_lab, show_our_style

pytestmark = pytest.mark.browser
THEMES = "/lab/api/settings/@jupyterlab/apputils-extension:themes"


def ask(address: str, path: str, put: dict[str, str] | None = None, method: str = "GET") -> Any:
    """Call Lab's own interface; what it answers."""
    token = parse_qs(urlsplit(address).query)["token"][0]
    request = Request(f"http://{urlsplit(address).netloc}{path}", method=method,
                      headers={"Authorization": f"token {token}"})
    if put is not None:
        request.method, request.data = "PUT", json.dumps(put).encode()
    with urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or "null")


def typed(address: str, line: str) -> str:
    """What a terminal of Lab shows after a line was typed into it."""
    name = ask(address, "/api/terminals", method="POST")["name"]
    at = urlsplit(address)
    terminal = websocket.create_connection(
        f"ws://{at.netloc}/terminals/websocket/{name}?{at.query}", timeout=30)
    terminal.send(json.dumps(["stdin", f"{line}; echo d''one\r"]))
    shown = ""
    while "done" not in shown:
        kind, *what = json.loads(terminal.recv())
        shown += what[0] if kind == "stdout" else ""
    terminal.close()
    return shown


def test_a_taken_port_and_a_chosen_theme(
        start_lab: Callable[..., AbstractContextManager[Any]], tmp_path: Path) -> None:
    folder, theme = tmp_path / "my course", json.dumps({"theme": "JupyterLab Dark"})
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start_lab(folder, tmp_path, "--port", str(port)) as lab:
            assert urlsplit(lab.address).path == "/lab/tree/notebooks/00_start_here.ipynb"
            assert urlsplit(lab.address).port != port
            ask(lab.address, THEMES, put={"raw": theme})
    with start_lab(folder, tmp_path) as lab:
        assert ask(lab.address, THEMES)["raw"] == theme
        # a login shell would have the system's PATH, and no `course` on it
        assert f"{sysconfig.get_path('scripts')}/course" in typed(lab.address, "command -v course")
    assert not (tmp_path / ".jupyter").exists()


def test_what_a_kernel_must_not_inherit() -> None:
    given = {"PATH": "/usr/bin", "PYTEST_VERSION": "9", "NBGRADER_EXECUTION": "autograde",
             "JUPYTER_CONFIG_PATH": "/theirs", "LANG": "C"}
    env = lab_environment(Path("/copy"), given)
    assert not {"PYTEST_VERSION", "NBGRADER_EXECUTION"} & env.keys()
    assert env["PATH"].endswith("/usr/bin") and env["PATH"] != "/usr/bin"
    assert env["JUPYTER_CONFIG_PATH"].endswith("/theirs")
    assert env["LANG"] == "C"


def test_a_learners_own_style_stays(tmp_path: Path) -> None:
    style = tmp_path / ".jupyter/custom/custom.css"
    show_our_style(tmp_path)
    assert "details" in style.read_text("utf-8")
    style.write_text("p { color: teal }", "utf-8")
    show_our_style(tmp_path)
    assert style.read_text("utf-8") == "p { color: teal }"


def test_names_are_quoted_in_the_address() -> None:
    assert "--LabApp.default_url=/lab/tree/a%20b/%C3%A9.ipynb" in lab_command(
        "a b/é.ipynb", None, False, ())


def test_a_folder_without_the_lesson_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="00_start_here.ipynb; `course start`"):
        open_lab(tmp_path)
