"""Scenarios that are tried only when grading, the course's and a class's own. Never released."""

from collections.abc import Callable

from course import scenarios
from course.scenarios import Scenario, See

__all__ = ["EXTRA", "HIDDEN", "See", "extra", "hidden", "load"]
HIDDEN: dict[str, Scenario] = {}
EXTRA: dict[str, Scenario] = {}


def hidden(target: str) -> Callable[[Scenario], Scenario]:
    """Register the hidden scenario of one exercise, such as `functional.softmax`."""
    return scenarios.register(HIDDEN, target)


def extra(target: str) -> Callable[[Scenario], Scenario]:
    """Register what a class tries besides, in a file of its folder `checks/`."""
    return scenarios.register(EXTRA, target)


def load(target: str) -> None:
    """Import the files that hold this target's hidden scenarios, if there are any."""
    scenarios.load(target, __name__)
    scenarios.load("of_class.*", __name__)  # a class's own, where its lesson is graded
