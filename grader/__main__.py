"""The `grader` command: hand the course out, take submissions in, grade them, report."""

import argparse
import atexit
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .classroom import Classroom
from .confine import Limits
from .errors import GraderError
from .project import ROOT, built_lessons, find

Options = argparse.Namespace


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    whole = argparse.ArgumentParser(prog="grader", description=__doc__)
    commands = whole.add_subparsers(dest="command", required=True, metavar="command")

    def add(name: str, text: str, in_class: bool = True) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        if in_class:
            command.add_argument("--class", dest="folder", type=Path, default=ROOT / "my-class",
                                 metavar="DIR", help="the folder of the class (default: my-class)")
        return command

    command = add("build", "make the values that hidden checks compare with (authors)", False)
    command.add_argument("--check", action="store_true", help="only name what is stale")
    command.add_argument("--force", action="store_true", help="observe everything again")
    add("release", "make the learners' bundle and register the lessons in the gradebook")
    command = add("catch-up", "lay out reference code of earlier lessons, for who joins late")
    command.add_argument("lesson", help="the lesson they are to go on with")
    command = add("collect", "take submissions as they arrive: notebooks, folders, an LMS's zip")
    command.add_argument("source", type=Path, help="a folder, a zip or a notebook")
    command.add_argument("--lesson", help="take only this lesson's")
    command = add("due", "the deadlines: show them, or set one")
    command.add_argument("lesson", nargs="?")
    command.add_argument("when", nargs="?", help="2026-12-07, '2026-12-07 18:00' or never")
    command.add_argument("--learner", metavar="ID", help="another deadline for this one alone")
    command = add("grade", "run and grade what was collected; a second run does only what is new")
    command.add_argument("lesson")
    command.add_argument("--learner", default="*", metavar="GLOB", help="only these")
    command.add_argument("--force", action="store_true", help="run and record everything again")
    command.add_argument("--whole", action="store_true",
                         help="run the demos too: slower, and graded notebooks show their outputs")
    command.add_argument("--timeout", type=float, default=Limits.cell_cpu, metavar="S",
                         help="seconds of processor time for one cell (default: %(default)g); "
                              "four times that of any time")
    how_to_run(command)
    command = add("regrade", "after a check was corrected: grade what it touches, say who changed")
    command.add_argument("lesson", nargs="*")
    how_to_run(command)
    command = add("feedback", "write an HTML page for each learner")
    command.add_argument("lesson")
    command.add_argument("--learner", default="*", metavar="GLOB", help="only these")
    command = add("report", "write a page on the class, and CSV for spreadsheets and an LMS")
    command.add_argument("lesson", nargs="*")
    command = add("formgrader", "open nbgrader's formgrader on the gradebook of the class")
    command.add_argument("--port", type=int)
    command.add_argument("--no-browser", action="store_true")
    command = add("selftest", "prove the checks: holes 0, answers full, mistakes named", False)
    command.add_argument("lesson", nargs="*")
    command.add_argument("--nbgrader", action="store_true",
                         help="through real notebooks and a real gradebook too (minutes)")
    return whole


def how_to_run(command: argparse.ArgumentParser) -> None:
    """The options of the commands that run submissions."""
    command.add_argument("--jobs", type=int, default=0,
                         help="notebooks at a time (default: twice the cores, if memory holds "
                              "them)")
    command.add_argument("--unconfined", action="store_true",
                         help="run submissions as yourself, where they cannot be confined")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 only when it did all that it says."""
    from course.build.problems import BuildError
    atexit.register(gc.freeze)  # at the end, nothing is worth looking through
    options = parser().parse_args(arguments)
    try:
        return int(COMMANDS[options.command](options))
    except BuildError as error:
        print(error, file=sys.stderr)
    except (GraderError, OSError, ValueError, ImportError) as error:
        print(f"grader {options.command}: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"grader {options.command}: stopped; run it again and it goes on where it was",
              file=sys.stderr)
    return 1


def build(options: Options) -> int:
    from .build import build as run
    changed = run(ROOT, options.check, options.force)
    for path in changed:
        print("stale" if options.check else "made", path.relative_to(ROOT))
    if not changed:
        print("everything is up to date")
    return 1 if options.check and changed else 0


def release(options: Options) -> int:
    from .release import release as run
    room = Classroom(options.folder)
    with room.mine():
        path, said = run(ROOT, room)
    print(*said, sep="\n")
    print(f"for learners: {path} ({path.stat().st_size >> 10} KB), and the same as a folder")
    return 0


def catch_up(options: Options) -> int:
    from .release import catch_up as run
    folder = run(ROOT, Classroom(options.folder), options.lesson)
    print(f"{folder}: give it to them; `course catch-up {options.lesson} --from FOLDER` takes it")
    return 0


def collect(options: Options) -> int:
    from .collect import Collecting
    room = Classroom(options.folder)
    only = find(built_lessons(ROOT), options.lesson).name if options.lesson else None
    with room.mine():
        summary = Collecting(room, only).run(options.source)
    for line in summary.taken:
        print(f"took {line}")
    for line in summary.repaired:
        print(f"repaired {line}")
    for line in summary.notes:
        print(f"note: {line}")
    for line in summary.problems:
        print(f"PROBLEM {line}", file=sys.stderr)
    print(f"{len(summary.taken)} taken, {summary.known} were known, "
          f"{len(summary.problems)} problems")
    return 1 if summary.problems else 0


def due(options: Options) -> int:
    from .late import say, set_due
    room = Classroom(options.folder)
    only = find(built_lessons(ROOT), options.lesson).name if options.lesson else ""
    if options.when:
        with room.mine():
            set_due(room, only, options.when, options.learner or "")
    print(*say(room, [only] if only else room.lessons()), sep="\n")
    return 0


def grade(options: Options) -> int:
    from tqdm import tqdm

    from .grade import Grading
    room = Classroom(options.folder)
    with room.mine():
        grading = Grading(ROOT, room, options.lesson, limits=Limits.scaled(options.timeout),
                          force=options.force, jobs=options.jobs,
                          unconfined=options.unconfined, whole=options.whole)
        bars: dict[str, Any] = {}

        def progress(what: str, done: int, of: int, failed: int) -> None:
            if what not in bars:
                bars[what] = tqdm(desc=what, total=of, disable=None)
            bars[what].set_postfix(failed=failed, refresh=False)
            bars[what].update(done - bars[what].n)

        try:
            summary = grading.run(options.learner, progress)
        finally:
            for bar in bars.values():
                bar.close()
    print(f"{len(summary.graded)} graded, {len(summary.unchanged)} as before, "
          f"{len(summary.failed)} not graded")
    for gap in summary.gaps:
        print(f"not enforced here: {gap}")
    for note in summary.notes:
        print(f"needs a person: {note}")
    for learner, why in sorted(summary.failed.items()):
        print(f"NOT GRADED {learner}: {why}", file=sys.stderr)
    return 1 if summary.failed else 0


def regrade(options: Options) -> int:
    from .regrade import regrade as run
    lessons = built_lessons(ROOT)
    room = Classroom(options.folder)
    with room.mine():
        done = run(ROOT, room, [find(lessons, n).name for n in options.lesson], options.jobs,
                   options.unconfined)
    print(*done.lines, sep="\n")
    for learner, why in sorted(done.failed.items()):
        print(f"NOT GRADED {learner}: {why}", file=sys.stderr)
    return 1 if done.failed else 0


def feedback(options: Options) -> int:
    from .feedback import feedback as run
    room = Classroom(options.folder)
    with room.mine():
        summary = run(room, find(built_lessons(ROOT), options.lesson).name, options.learner)
    print(f"{len(summary.pages)} pages in {room.folder / 'feedback'}")
    for learner, why in sorted(summary.without.items()):
        print(f"NO PAGE {learner}: {why}", file=sys.stderr)
    return 1 if summary.without else 0


def report(options: Options) -> int:
    from .report import report as run
    lessons = built_lessons(ROOT)
    room = Classroom(options.folder)
    path, rows = run(room, [find(lessons, n).name for n in options.lesson])
    print(f"{len(rows)} lines in {path}")
    print(f"the page: {room.folder / 'report.html'}; for an LMS: {room.folder / 'lms'}")
    return 0


def formgrader(options: Options) -> int:
    from .formgrader import open_formgrader
    return open_formgrader(Classroom(options.folder), options.port, not options.no_browser)


def selftest(options: Options) -> int:
    from .selftest import selftest as run
    return run(ROOT, options.lesson, options.nbgrader)


COMMANDS = {"build": build, "release": release, "catch-up": catch_up, "collect": collect,
            "due": due, "grade": grade, "regrade": regrade, "feedback": feedback, "report": report,
            "formgrader": formgrader, "selftest": selftest}

if __name__ == "__main__":
    sys.exit(main())
