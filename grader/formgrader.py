"""nbgrader's formgrader on the gradebook of a class, in a Jupyter that has no other settings."""

import os
import subprocess
import sys

from .classroom import Classroom, prepare_path
from .environment import TOOLS
from .errors import GraderError
from .project import ROOT


def open_formgrader(classroom: Classroom, port: int | None = None, browser: bool = True) -> int:
    """Serve the class folder until Ctrl-C; the page that opens is formgrader's.

    Raises GraderError when there is no gradebook yet.
    """
    if not classroom.database.is_file():
        raise GraderError(f"{classroom.folder} holds no gradebook yet; `grader release` makes it")
    _ = classroom.config  # makes nbgrader_config.py when it is missing
    prepare_path()
    folder = classroom.folder.resolve()
    env = {k: v for k, v in os.environ.items() if not k.startswith(TOOLS)}
    env |= {"JUPYTER_CONFIG_DIR": str(folder / ".jupyter"), "JUPYTER_PREFER_ENV_PATH": "1",
            "PYTHONPATH": str(ROOT)}  # its Autograde button records with grader.record
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}",
               "--LabApp.default_url=/formgrader"]
    command += [f"--ServerApp.port={port}"] if port else []
    command += [] if browser else ["--no-browser"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    lab = subprocess.Popen(command, cwd=folder, env=env)
    while True:
        try:
            return lab.wait()
        except KeyboardInterrupt:
            continue  # Jupyter got it too, and asks before it stops
