"""The `grader` command: hand the course out, take submissions in, grade them, report."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .classroom import Classroom
from .confine import Limits
from .errors import GraderError
from .project import ROOT, find, read_lessons

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
    command = add("collect", "take submissions as they arrive: notebooks, folders, an LMS's zip")
    command.add_argument("source", type=Path, help="a folder, a zip or a notebook")
    command.add_argument("--lesson", help="take only this lesson's")
    command = add("grade", "run and grade what was collected; a second run does only what is new")
    command.add_argument("lesson")
    command.add_argument("--learner", default="*", metavar="GLOB", help="only these")
    command.add_argument("--force", action="store_true", help="run and record everything again")
    command.add_argument("--timeout", type=float, default=Limits.cell_cpu, metavar="S",
                         help="seconds of processor time for one cell (default: %(default)g); "
                              "four times that of any time")
    command.add_argument("--jobs", type=int, default=0, help="notebooks at a time")
    command.add_argument("--unconfined", action="store_true",
                         help="run submissions as yourself, where they cannot be confined")
    command = add("feedback", "write an HTML page for each learner")
    command.add_argument("lesson")
    command.add_argument("--learner", default="*", metavar="GLOB", help="only these")
    command = add("report", "write scores by exercise, mistakes and reasons as CSV")
    command.add_argument("lesson", nargs="*")
    command = add("formgrader", "open nbgrader's formgrader on the gradebook of the class")
    command.add_argument("--port", type=int)
    command.add_argument("--no-browser", action="store_true")
    command = add("selftest", "prove the checks: holes 0, answers full, mistakes named", False)
    command.add_argument("lesson", nargs="*")
    command.add_argument("--nbgrader", action="store_true",
                         help="through real notebooks and a real gradebook too (minutes)")
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 only when it did all that it says."""
    from course.build.problems import BuildError
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


def collect(options: Options) -> int:
    from .collect import Collecting
    room = Classroom(options.folder)
    only = find(read_lessons(ROOT), options.lesson).name if options.lesson else None
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


def grade(options: Options) -> int:
    from tqdm import tqdm

    from .grade import JOBS, Grading
    room = Classroom(options.folder)
    with room.mine():
        grading = Grading(ROOT, room, options.lesson, limits=Limits.scaled(options.timeout),
                          force=options.force, jobs=options.jobs or JOBS,
                          unconfined=options.unconfined)
        with tqdm(desc=f"running {grading.lesson.name}", disable=None) as bar:

            def progress(done: int, of: int) -> None:
                bar.total = of
                bar.update(done - bar.n)

            summary = grading.run(options.learner, progress)
    print(f"{len(summary.graded)} graded, {len(summary.unchanged)} as before, "
          f"{len(summary.failed)} not graded")
    for gap in summary.gaps:
        print(f"not enforced here: {gap}")
    for note in summary.notes:
        print(f"needs a person: {note}")
    for learner, why in sorted(summary.failed.items()):
        print(f"NOT GRADED {learner}: {why}", file=sys.stderr)
    return 1 if summary.failed else 0


def feedback(options: Options) -> int:
    from .feedback import feedback as run
    room = Classroom(options.folder)
    with room.mine():
        summary = run(room, find(read_lessons(ROOT), options.lesson).name, options.learner)
    print(f"{len(summary.pages)} pages in {room.folder / 'feedback'}")
    for learner, why in sorted(summary.without.items()):
        print(f"NO PAGE {learner}: {why}", file=sys.stderr)
    return 1 if summary.without else 0


def report(options: Options) -> int:
    from .report import report as run
    lessons = read_lessons(ROOT)
    path, rows = run(Classroom(options.folder), [find(lessons, n).name for n in options.lesson])
    print(f"{len(rows)} lines in {path}")
    return 0


def formgrader(options: Options) -> int:
    from .formgrader import open_formgrader
    return open_formgrader(Classroom(options.folder), options.port, not options.no_browser)


def selftest(options: Options) -> int:
    from .selftest import selftest as run
    return run(ROOT, options.lesson, options.nbgrader)


COMMANDS = {"build": build, "release": release, "collect": collect, "grade": grade,
            "feedback": feedback, "report": report, "formgrader": formgrader,
            "selftest": selftest}

if __name__ == "__main__":
    sys.exit(main())
