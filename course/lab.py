"""JupyterLab as a learner meets it: their working copy, lesson 00, and only what a lesson needs."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from urllib.parse import quote

from .files import write
from .workspace import TOOLS

SETTINGS = Path(__file__).parent / "jupyter"
# the name JupyterLab gives the workspace it opens with
WORKSPACE = "lab/workspaces/default-37a8.jupyterlab-workspace"
PRIVATE = ".jupyter"  # in the working copy: the theme someone chose, the tabs that were open


def lab_environment(folder: Path, given: Mapping[str, str]) -> dict[str, str]:
    """The environment Lab runs in: our settings first, then those of `folder`; none of ~/.jupyter.

    The scripts folder comes first on PATH because nbgrader starts `alembic` by its bare name.
    """
    env = {name: value for name, value in given.items() if name not in TOOLS}
    # what a parent Jupyter (a terminal in Lab, say) set for itself must not win over ours
    for name in ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "JUPYTER_NO_CONFIG"):
        env.pop(name, None)
    for name, first in (("PATH", sysconfig.get_path("scripts")),
                        ("JUPYTER_CONFIG_PATH", str(SETTINGS))):
        env[name] = os.pathsep.join(filter(None, (first, env.get(name))))
    return env | {"JUPYTER_CONFIG_DIR": str(folder / PRIVATE), "JUPYTER_PREFER_ENV_PATH": "1"}


def lab_command(notebook: str, port: int | None, browser: bool, extra: Sequence[str]) -> list[str]:
    """The command line; Jupyter itself goes on to the next port when one is taken."""
    command = [sys.executable, "-m", "jupyterlab",
               f"--LabApp.default_url=/lab/tree/{quote(notebook)}", "--custom-css"]
    if shell := os.environ.get("SHELL") or shutil.which("sh"):
        # started from no terminal, Jupyter opens login shells, and those forget the PATH that has
        # `course` on it
        command.append(f"--ServerApp.terminado_settings=shell_command={shlex.quote(shell)}")
    if port is not None:
        command.append(f"--ServerApp.port={port}")
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    return [*command, *extra]


def show_contents_first(folder: Path) -> None:
    """The first time, let Lab open with the table of contents beside the notebook."""
    path = folder / PRIVATE / WORKSPACE
    if not path.exists():
        left = {"collapsed": False, "visible": True, "current": "@jupyterlab/toc:plugin",
                "widgets": ["filebrowser", "running-sessions", "@jupyterlab/toc:plugin",
                            "extensionmanager.main-view"]}
        layout = {"left": left, "relativeSizes": [0.2, 0.8, 0]}
        content = {"data": {"layout-restorer:data": layout}, "metadata": {"id": "default"}}
        write(path, json.dumps(content))


def show_our_style(folder: Path) -> None:
    """What `--custom-css` loads: ours, where a learner has put none of their own."""
    path = folder / PRIVATE / "custom/custom.css"
    if not path.exists():
        write(path, (SETTINGS / "custom.css").read_text("utf-8"))


def open_lab(folder: Path, *, port: int | None = None, browser: bool = True,
             notebook: str = "notebooks/00_start_here.ipynb", extra: Sequence[str] = (),
             env: Mapping[str, str] | None = None) -> int:
    """Open JupyterLab in the working copy `folder` on `notebook`; its exit code, once it ends.

    `port` is where to start looking for a free one, `extra` are further arguments for Lab and
    `env` are variables beside those of this process. Ctrl-C is Lab's to answer (it asks before it
    stops). Raises FileNotFoundError when `folder` does not hold `notebook`.
    """
    folder = folder.absolute()
    if not (folder / notebook).is_file():
        raise FileNotFoundError(
            f"{folder} holds no {notebook}; `course start` makes a working copy")
    try:
        show_contents_first(folder)
        show_our_style(folder)
    except OSError:
        pass  # a read-only folder opens without it
    print(f"Opening {folder} in JupyterLab; Ctrl-C here stops it.", flush=True)
    lab = subprocess.Popen(lab_command(notebook, port, browser, extra), cwd=folder,
                           env=lab_environment(folder, os.environ | dict(env or {})))

    def stop(_signal: int, _frame: FrameType | None) -> None:
        lab.terminate()

    before = signal.signal(signal.SIGTERM, stop), signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return lab.wait()
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGINT, before[1])
