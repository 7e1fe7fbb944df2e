"""What a process that runs a learner's code is told: our kit and package, no settings."""

import os
from pathlib import Path

TOOLS = ("PYTEST", "NBGRADER", "JPY_", "COURSE_", "PYTHON")  # of whoever runs the grader, not ours
KEPT = ("PATH", "LANG", "LC_", "TZ", "LD_LIBRARY_PATH")  # a confined process learns nothing else


def environment(path: list[Path], package: Path, private: Path, confined: bool = True,
                ) -> dict[str, str]:
    """The environment for a process with these folders first on its path."""
    env = {k: v for k, v in os.environ.items()
           if (k.startswith(KEPT) if confined else not k.startswith(TOOLS))}
    return env | {
        "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONSAFEPATH": "1",
        "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
        "COURSE_MINILLM": str(package), "NBGRADER_EXECUTION": "autograde",
        "OMP_NUM_THREADS": "1", "IPYTHONDIR": str(private), "JUPYTER_RUNTIME_DIR": str(private),
    }
