"""How the steps about byte-pair encoding are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, in_a_row

from .. import hidden


@hidden("steps.tokens.count_changes")
def count_changes(answer: Any, see: See) -> None:
    see("the whole list", lambda: [float(v) for v in in_a_row(answer)], tol=1e-6)
