"""The example JupyterHub: a lesson goes out, comes back, and its feedback goes out, all by HTTP."""

import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
import requests
import websocket

from course import progress
from course.workspace import BASE, working_source
from grader.__main__ import main
from grader.notebooks import grade_id
from grader.project import read_lessons

from .conftest import ANSWER, CHECK, LESSON, ROOT, ROWS, WHOLE, Make

pytest.importorskip("jupyterhub", reason="pip install -e '.[hub]' -c constraints.txt")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
CONFIG = ROOT / "grader/hub/jupyterhub_config.py"
NOTEBOOK = f"notebooks/{LESSON}/{LESSON}.ipynb"
SLOW = 120  # seconds; generous, for the machine may be busy


@dataclass
class User:
    """Someone who is logged in, with a server of their own."""

    hub: str
    name: str
    http: requests.Session

    def __call__(self, method: str, path: str, **what: Any) -> Any:
        """One request to the server; the JSON that comes back."""
        answer = self.http.request(method, f"{self.hub}/user/{self.name}/{path}", timeout=SLOW,
                                   **what)
        assert answer.ok, f"{self.name} {method} {path}: {answer.status_code} {answer.text[-2000:]}"
        return answer.json() if answer.text else None

    def lessons(self, action: str = "") -> dict[str, Any]:
        """nbgrader's assignment list, after one of its buttons was pressed; by status."""
        named = {"course_id": "minillm", "assignment_id": LESSON}
        said = self("POST", f"assignments/{action}", json=named) if action else \
            self("GET", "assignments", params=named)
        assert said["success"], said["value"]
        return {each["status"]: each for each in said["value"]}

    def save(self, nb: Any) -> None:
        self("PUT", f"api/contents/{NOTEBOOK}", json={"type": "notebook", "content": nb})

    def run(self, nb: Any, names: list[str]) -> str:
        """Run cells of the fetched notebook in a kernel, as Lab does; all that they print."""
        session = self("POST", "api/sessions", json={
            "path": NOTEBOOK, "name": LESSON, "type": "notebook", "kernel": {"name": "python3"}})
        address = (f"{self.hub.replace('http', 'ws')}/user/{self.name}/api/kernels/"
                   f"{session['kernel']['id']}/channels")
        said, end = "", time.monotonic() + SLOW
        token = {"Authorization": self.http.headers["Authorization"]}
        with closing(websocket.create_connection(address, header=token, timeout=SLOW)) as channel:
            for cell in (c for c in nb.cells if grade_id(c) in names):
                number = uuid.uuid4().hex
                channel.send(json.dumps({
                    "channel": "shell", "parent_header": {}, "metadata": {}, "buffers": [],
                    "header": {"msg_id": number, "msg_type": "execute_request", "version": "5.3",
                               "username": self.name, "session": session["id"]},
                    "content": {"code": cell.source, "silent": False}}))
                while time.monotonic() < end:
                    came = json.loads(channel.recv())
                    content = came["content"]
                    if came["parent_header"].get("msg_id") != number:
                        continue
                    said += content.get("text", "") + "\n".join(content.get("traceback", []))
                    if content.get("execution_state") == "idle":
                        break
        self("DELETE", f"api/sessions/{session['id']}")
        return said


def log_in(hub: str, name: str) -> User:
    """Log in by the form, start a server, and wait until it is there."""
    http = requests.Session()
    http.get(f"{hub}/hub/login", timeout=SLOW)

    def secret() -> str:
        return str(http.cookies.get("_xsrf", path="/hub/"))

    page = http.post(f"{hub}/hub/login", timeout=SLOW, params={"next": "/hub/home"},
                     data={"username": name, "password": "any", "_xsrf": secret()})
    assert page.ok and page.url == f"{hub}/hub/home", page.url
    made = http.post(f"{hub}/hub/api/users/{name}/tokens", params={"_xsrf": secret()}, json={},
                     headers={"Referer": f"{hub}/hub/token"}, timeout=SLOW)
    user = User(hub, name, requests.Session())
    user.http.headers["Authorization"] = f"token {made.json()['token']}"
    assert user.http.post(f"{hub}/hub/api/users/{name}/server", timeout=SLOW).ok
    end = time.monotonic() + SLOW
    while not user.http.get(f"{hub}/hub/api/users/{name}", timeout=SLOW).json()["server"]:
        assert time.monotonic() < end, f"the server of {name} did not start"
        time.sleep(0.2)
    return user


def free_port() -> int:
    with socket.socket() as here:
        here.bind(("127.0.0.1", 0))
        return int(here.getsockname()[1])


def processes(folder: Path) -> list[int]:
    """What runs with this class in its environment: hub, proxy, servers and kernels."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(folder).encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
    return found


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class to which lesson 00 was released; the bundle holds all of them."""
    folder: Path = tmp_path_factory.mktemp("hub") / "class"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.release.read_lessons", lambda root: read_lessons(root)[:1])
        assert main(["release", "--class", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def hub(room: Path) -> Iterator[str]:
    """The address of the hub; at the end it must take everything with it that it started."""
    scripts = sysconfig.get_path("scripts")
    address, log = f"http://127.0.0.1:{free_port()}", room.parent / "hub.log"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "JPY_", "PYTEST"))}
    command = [f"{scripts}/jupyterhub", "-f", str(CONFIG), f"--JupyterHub.bind_url={address}",
               f"--JupyterHub.hub_port={free_port()}",
               f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}"]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=room,
                                   env=env | {"COURSE_CLASS": str(room)})
    try:
        end = time.monotonic() + SLOW
        while "is now running at" not in log.read_text("utf-8"):
            assert process.poll() is None and time.monotonic() < end, log.read_text("utf-8")
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(SLOW)
            end = time.monotonic() + 10
            while (left := processes(room)) and time.monotonic() < end:
                time.sleep(0.1)
        finally:
            for number in processes(room):
                os.kill(number, signal.SIGKILL)
            print(log.read_text("utf-8"))  # pytest shows it when something failed
    assert not left, log.read_text("utf-8")


def test_the_loop(hub: str, room: Path, make: Make, released: Any,
                  right: dict[str, str]) -> None:
    """Release, fetch, fill in, submit, collect, grade, feedback, and each fetches their own."""
    with ThreadPoolExecutor() as pool:
        alice, bob, ann = pool.map(log_in, [hub] * 3, ["alice", "bob", "instructor"])
    assert alice.http.get(f"{hub}/user/bob/api/contents", timeout=SLOW).status_code == 403
    assert alice.lessons() == {}
    page = alice.http.get(f"{hub}/user/alice/lab", timeout=SLOW).text
    off = json.loads(re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', page, re.S)[1])
    shown = {f"@jupyter/nbgrader:{each}" for each in ("assignment-list", "validate-assignment")}
    assert not shown & set(off["disabledExtensions"])
    assert "@jupyter/nbgrader:formgrader" in off["disabledExtensions"]

    said = ann("POST", f"formgrader/api/assignment/{LESSON}/release")
    assert said["success"], said
    assert alice.lessons()["released"]["assignment_id"] == LESSON

    wrong = right[ANSWER].replace(ROWS, WHOLE)
    for user, nb in ((alice, make()), (bob, make(**{ANSWER.replace("-", "__"): wrong}))):
        copy = room / f"hub/homes/{user.name}/minillm-course"
        assert not list(copy.glob("notebooks/*.ipynb"))
        fetched = user.lessons("fetch")["fetched"]
        assert [each["path"] for each in fetched["notebooks"]] == [NOTEBOOK]
        fresh = nbformat.read(copy / NOTEBOOK, as_version=4)
        assert [c.source for c in fresh.cells] == [c.source for c in released.cells]
        user.save(nb)
        told = user.run(nb, ["setup", ANSWER, CHECK])
        assert ("agree" in told) == (user is alice), told
        # it went into the package of this learner, who has steps in the saved notebook too
        mine = (copy / "minillm/bigram.py").read_text("utf-8")
        assert (ROWS if user is alice else WHOLE) in mine
        assert progress.OPEN not in progress.states(copy, progress.find("00")).values()
        assert len(user.lessons("submit")["submitted"]["submissions"]) == 1

    inbound, within = room / "hub/exchange/minillm/inbound", ["--class", str(room)]
    assert main(["collect", str(inbound), *within]) == 0
    assert main(["grade", "00", *within]) == 0
    assert main(["feedback", "00", *within]) == 0
    said = ann("POST", f"formgrader/api/assignment/{LESSON}/release_feedback")
    assert said["success"], said
    scores = {each["student"]: each["score"]
              for each in ann("GET", f"formgrader/api/submissions/{LESSON}")}
    assert scores["alice"] > scores["bob"] > 0

    for user in (alice, bob):
        user.lessons("fetch_feedback")
        pages = list((room / f"hub/homes/{user.name}").rglob(f"feedback/*/{LESSON}.html"))
        assert [p.read_text("utf-8") for p in pages] == \
            [(room / f"feedback/{user.name}/{LESSON}/{LESSON}.html").read_text("utf-8")]
        [attempt] = user.lessons()["submitted"]["submissions"]
        assert attempt["has_local_feedback"]


def test_a_newer_bundle_reaches_who_has_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                               ) -> None:
    """When their server starts next; a module that they broke does not keep it from starting."""
    from traitlets.config import Config
    bundle = tmp_path / "class/bundle/minillm-course"
    for folder in ("notebooks", "minillm"):
        for root in (bundle, bundle / BASE):
            shutil.copytree(ROOT / folder, root / folder)
    for path in (bundle / "minillm").glob("*.py"):
        path.write_text(working_source(path.read_text("utf-8")), "utf-8")
    monkeypatch.setenv("COURSE_CLASS", str(tmp_path / "class"))
    hub = runpy.run_path(str(CONFIG), {"get_config": Config})
    alice = SimpleNamespace(user=SimpleNamespace(name="alice"))
    hub["prepare"](alice)
    copy = Path(alice.notebook_dir)
    assert not list(copy.glob("notebooks/*.ipynb"))
    (copy / NOTEBOOK).parent.mkdir()
    shutil.copy(ROOT / f"notebooks/{LESSON}.ipynb", copy / NOTEBOOK)
    for root in (bundle, bundle / BASE):
        path = root / f"notebooks/{LESSON}.ipynb"
        path.write_text(path.read_text("utf-8").replace("minute", "two minutes"), "utf-8")
    module = copy / "minillm/bigram.py"
    good = module.read_text("utf-8")
    module.write_text(good + "\ndef broken(:", "utf-8")
    hub["prepare"](alice)
    assert "two minutes" not in (copy / NOTEBOOK).read_text("utf-8")
    module.write_text(good, "utf-8")
    hub["prepare"](alice)
    assert "two minutes" in (copy / NOTEBOOK).read_text("utf-8")
    assert not list(copy.glob("notebooks/*.ipynb"))
