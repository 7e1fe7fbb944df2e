"""Scenarios that are tried only when grading. Never released."""

from collections.abc import Callable

from course import scenarios
from course.scenarios import Scenario, See

__all__ = ["HIDDEN", "See", "hidden", "load"]
HIDDEN: dict[str, Scenario] = {}


def hidden(target: str) -> Callable[[Scenario], Scenario]:
    """Register the hidden scenario of one exercise, such as `functional.softmax`."""
    return scenarios.register(HIDDEN, target)


def load(target: str) -> None:
    """Import the file that holds this target's hidden scenario, if there is one."""
    scenarios.load(target, __name__)
