"""An example: JupyterHub on one machine, with nbgrader's exchange. README.md says how to use it.

Only for trying it out. Whoever reaches the port logs in as anyone, with any password; and every
server runs as the user who started the hub, so each learner can read what all others have.
"""

import os
import shutil
import sysconfig
from pathlib import Path
from typing import Any

from course.update import is_outdated, update
from course.workspace import BASE

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
CLASS = Path(os.environ.get("COURSE_CLASS") or PROJECT / "my-class").resolve()
HUB = CLASS / "hub"
EXCHANGE, HOMES = HUB / "exchange", HUB / "homes"
BUNDLE = CLASS / "bundle/minillm-course"
SCRIPTS = sysconfig.get_path("scripts")
INSTRUCTORS = {"instructor"}
LEARNERS = {"alice", "bob"}


def prepare(spawner: Any) -> None:
    """Before a server starts: the learner's working copy, and the settings of a learner or not."""
    if spawner.user.name in INSTRUCTORS:
        folder, settings = CLASS, [CLASS, HERE / "instructor"]
        code = PROJECT  # formgrader records with grader.record
    else:
        folder = code = HOMES / spawner.user.name / BUNDLE.name
        settings = [HERE / "learner", folder / "course/jupyter"]
        working_copy(folder)
    spawner.notebook_dir = str(folder)
    spawner.environment = {
        "COURSE_EXCHANGE": str(EXCHANGE),
        "JUPYTER_CONFIG_PATH": os.pathsep.join(map(str, settings)),
        "PATH": os.pathsep.join([SCRIPTS, os.environ["PATH"]]),  # nbgrader starts a bare `alembic`
        "PYTHONPATH": str(code),
    }


def working_copy(folder: Path) -> None:
    """The bundle without its lessons, which come through the exchange; updated if it is newer."""
    if not BUNDLE.is_dir():
        raise RuntimeError(f"{BUNDLE} is missing: `grader release` makes it")
    if folder.exists():
        try:
            if is_outdated(BUNDLE / BASE, folder):
                update(BUNDLE, folder)  # what the learner wrote stays, in fetched lessons too
        except (OSError, ValueError) as error:  # theirs to mend; their server starts all the same
            print(f"{folder} stays at the release it is at: {error}")
        return
    making = folder.with_name(f".{folder.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    shutil.copytree(BUNDLE, making)
    for lesson in (making / "notebooks").glob("*.ipynb"):
        lesson.unlink()
    making.rename(folder)


HOMES.mkdir(parents=True, exist_ok=True)
EXCHANGE.mkdir(exist_ok=True)
EXCHANGE.chmod(0o777)  # nbgrader asks for it

c: Any = get_config()  # type: ignore[name-defined]  # noqa: F821
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allowed_users = INSTRUCTORS | LEARNERS
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(HOMES / "{username}")
c.Spawner.pre_spawn_hook = prepare
c.Spawner.cmd = [str(Path(SCRIPTS) / "jupyterhub-singleuser")]
c.Spawner.args = ["--allow-root"] if os.geteuid() == 0 else []
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = c.Spawner.http_timeout = 120  # all at once, on a busy machine
c.ConfigurableHTTPProxy.command = [str(Path(SCRIPTS) / "configurable-http-proxy")]  # no node
c.ConfigurableHTTPProxy.pid_file = str(HUB / "proxy.pid")
c.JupyterHub.cookie_secret_file = str(HUB / "cookie_secret")
c.JupyterHub.db_url = f"sqlite:///{HUB / 'jupyterhub.sqlite'}"
