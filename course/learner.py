"""The learner's commands: how far am I, check a lesson, catch up, start again, update."""

import argparse
import importlib
from pathlib import Path
from typing import Any

from . import help, progress
from .workspace import is_working_copy, use


def add_commands(commands: Any) -> None:
    """Add the learner's commands to the parser of `course`."""
    for name, text, lesson in (
            ("progress", "what is filled, checked and graded", "?"),
            ("check", "run all visible checks of a lesson", None),
            ("catch-up", "fill what is missing or wrong before a lesson with reference code", None),
            ("reset", "make holes of a lesson's functions again", None),
            ("restore", "bring back what catch-up or reset replaced", "?"),
            ("update", "bring a working copy to this release", "")):
        command = commands.add_parser(name, help=text)
        if lesson != "":
            command.add_argument("lesson", nargs=lesson, help="its number, such as 04")
        command.add_argument("--folder", type=Path, help="the working copy; default: my-course")
        if name == "catch-up":
            command.add_argument("--from", type=Path, dest="reference", metavar="FOLDER",
                                 help="reference code; default: the repository's own")
            command.add_argument("--all", action="store_true",
                                 help="also in the place of functions of yours that are right")


def needed(folder: Path) -> Path:
    if not is_working_copy(folder):
        raise ValueError(f"{folder} is no working copy; `course start` makes one")
    return folder


def show_progress(options: argparse.Namespace, folder: Path, project: Path) -> int:
    needed(folder)
    if options.lesson:
        print(progress.Progress(folder, progress.find(options.lesson)))
    else:
        print("\n".join(progress.summary(folder)))
    return 0


def check_lesson(options: argparse.Namespace, folder: Path, project: Path) -> int:
    """All visible checks of a lesson; steps are taken from the saved notebook."""
    from .checks import CheckFailed, examine
    lesson = progress.find(options.lesson)
    use(needed(folder))
    failed, given = 0, dict[str, Any]()
    try:
        exec(progress.setup_source(folder, lesson), given)
    except Exception as error:
        raise ValueError(f"the setup cell of {lesson.name} fails: {type(error).__name__}: "
                         f"{error}{help.pointer('import')}") from error
    cells = progress.answer_cells(folder, lesson)
    if not cells:
        print(f"there is no notebook {lesson.name} in {folder / 'notebooks'}, so no step of it")
    asked = [t for t in lesson.asked if cells or not t.startswith("steps.")]
    for target in asked:
        try:
            answer = found(cells, target, dict(given))
            said = ("not answered yet in the saved notebook" if answer is ... else
                    str(examine(target, answer)[0] or ""))
        except CheckFailed as error:
            said = str(error)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        failed += bool(said)
        progress.note(target, not said, folder)
        said = said.replace("\n", "\n    ")
        print(f"✗ {target}\n    {said}" if said else f"✓ {target}", flush=True)
    print(f"{len(asked) - failed} of {len(asked)} right")
    return 1 if failed else 0


def found(cells: dict[str, str], target: str, space: dict[str, Any]) -> Any:
    """A learner's answer: from the package, or for a step from its cell, one of `cells`.

    `space` holds what the setup cell imports, for the step to run in.
    """
    family, name = target.rsplit(".", 1)
    if not target.startswith("steps."):
        return getattr(importlib.import_module(f"minillm.{family}"), name)
    source = cells.get(target.replace(".", "-"), "")
    exec(compile(source, f"the cell of {target}", "exec"), space)
    return space.get(name, ...)


def catch_up(options: argparse.Namespace, folder: Path, project: Path) -> int:
    from . import catchup
    reference = catchup.reference_package(options.reference, project)
    filled, kept = catchup.catch_up(needed(folder), progress.find(options.lesson), reference,
                                    options.all)
    print(f"reference code for {len(filled)} functions; `course progress 04`, say, shows which "
          "of a lesson" if filled else "nothing was missing")
    print(f"{len(kept)} of your own stay as they are. `course restore` brings back what was "
          "replaced.")
    return 0


def reset(options: argparse.Namespace, folder: Path, project: Path) -> int:
    from . import catchup
    done = catchup.reset(needed(folder), progress.find(options.lesson), project)
    print(f"holes again: {', '.join(done)}. Your notebook is as it was; `course restore` brings "
          "the functions back." if done else "nothing to do: all are holes")
    return 0


def restore(options: argparse.Namespace, folder: Path, project: Path) -> int:
    from . import catchup
    lesson = progress.find(options.lesson) if options.lesson else None
    back, left = catchup.give_back(needed(folder), lesson.exercises if lesson else None)
    print(f"back in place: {', '.join(back) or 'nothing'}")
    for target in left:
        print(f"{target} has been changed since and stays; what stood there is in backups/")
    return 0


def update(options: argparse.Namespace, folder: Path, project: Path) -> int:
    from .update import update as run
    report = run(project, needed(folder))
    print(f"{folder} is at this release; what it was is in {report.backup}")
    print(f"yours, kept: {len(report.kept) or 'nothing was filled in'}")
    if report.new:
        print(f"new to fill: {', '.join(report.new)}")
    for line in report.misfit:
        print(f"look at: {line}")
    return 0


COMMANDS = {"progress": show_progress, "check": check_lesson, "catch-up": catch_up,
            "reset": reset, "restore": restore, "update": update}
