"""What a lesson is graded on holds all that its scenarios import; `make real` tries two lessons."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course.build.lesson import Lesson
from grader.project import Ground, built_lessons

from .conftest import ROOT

LESSONS = built_lessons()
LOAD = """
import sys
from course import scenarios
from grader import scenarios as private
for target in sys.argv[1:]:
    scenarios.load(target)
    private.load(target)
    assert target in scenarios.SCENARIOS, target
"""


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_scenario_of_a_lesson_loads_where_it_is_graded(lesson: Lesson,
                                                             tmp_path: Path) -> None:
    ground = Ground(ROOT, LESSONS, lesson, tmp_path / "ground")
    env = os.environ | {"PYTHONPATH": os.pathsep.join(
        map(str, (ground.kit, ground.package, ground.observer)))}
    targets = [cell.target for cell in ground.lesson.asked]
    done = subprocess.run([sys.executable, "-c", LOAD, *targets], env=env, cwd=tmp_path, text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    held = {path.stem for path in (ground.kit / "course/expected").iterdir()}
    assert held == set(targets)  # nothing of other lessons
