"""A command of the learner's that is stopped, or whose reader goes away, says so in a line."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import clean_environment, course


def test_an_answer_that_never_ends_can_be_stopped(project: Path) -> None:
    course(project, "start")
    path = project / "my-course/minillm/bigram.py"
    path.write_text(path.read_text("utf-8").replace("    raise Not", "    while True:\n"
                                                    "        pass\n    raise Not"), "utf-8")
    check = subprocess.Popen([sys.executable, "-m", "course", "check", "0"], cwd=project, text=True,
                             env=clean_environment(PYTHONPATH=str(project)),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert check.stdout and "steps.start.p_cat" in check.stdout.readline()
    check.stdout.readline()  # what it says of that one; the next one hangs
    time.sleep(0.5)
    check.send_signal(signal.SIGINT)
    _, said = check.communicate(timeout=30)
    assert (check.returncode, said) == (
        130, "course check: stopped (help.md has an entry: slow)\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_who_reads_may_stop_reading(project: Path, unbuffered: str) -> None:
    course(project, "start")
    script = f"{sys.executable} -m course progress 00 | true"
    env = clean_environment(PYTHONPATH=str(project), PYTHONUNBUFFERED=unbuffered)
    done = subprocess.run(["bash", "-o", "pipefail", "-c", script], cwd=project, text=True,
                          env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
