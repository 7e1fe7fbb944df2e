"""nbgrader in a learner's server: where lessons come from, and the folder they are fetched into."""

import os
from pathlib import Path
from typing import Any

c: Any = get_config()  # type: ignore[name-defined]  # noqa: F821
c.CourseDirectory.course_id = "minillm"
# without this nbgrader takes the name of the account, which need not be the hub's
c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]
c.Exchange.root = os.environ["COURSE_EXCHANGE"]
# inside the working copy, so that a fetched notebook finds the learner's minillm around it
c.Exchange.assignment_dir = str(Path.home() / "minillm-course/notebooks")
