"""nbgrader in an instructor's server, beside the nbgrader_config.py of the class."""

import os
from typing import Any

c: Any = get_config()  # type: ignore[name-defined]  # noqa: F821
c.Exchange.root = os.environ["COURSE_EXCHANGE"]
