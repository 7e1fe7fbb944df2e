"""The `course` command: a learner's working copy and its tools, and an author's build."""

import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0 only when it did what it says."""
    parser = argparse.ArgumentParser(prog="course", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("start", "make your working copy, once"),
                       ("lab", "open the working copy in JupyterLab")):
        command = commands.add_parser(name, help=text)
        command.add_argument("folder", type=Path, nargs="?", help="default: my-course")
        if name == "lab":
            command.add_argument("--port", type=int)
            command.add_argument("--no-browser", action="store_true")
            command.add_argument("--solutions", action="store_true",
                                 help="open the solved notebooks on the reference package")
    command = commands.add_parser("build", help="make what is generated (authors)")
    command.add_argument("--check", action="store_true", help="only name what is stale")
    command.add_argument("--force", action="store_true", help="run every notebook again")
    command.add_argument("--watch", action="store_true", help="build whenever a source changes")
    command = commands.add_parser("new-exercise", help="lay out a new exercise (authors)")
    command.add_argument("lesson", help="its number, such as 04")
    command.add_argument("target", help="such as attention.causal_mask")
    from . import learner
    from .help import pointer
    learner.add_commands(commands)
    options = parser.parse_args(arguments)
    author = options.command in ("build", "new-exercise") or vars(options).get("solutions")
    if author and not (HERE / "course/build").is_dir():
        print(f"course {options.command}: this is a learner's bundle; that needs the course's "
              "repository", file=sys.stderr)
        return 1
    try:
        if learners := learner.COMMANDS.get(options.command):
            done = learners(options, working_copy(options.folder), HERE)
        else:
            run = {"start": start, "lab": lab, "new-exercise": new_exercise,
                   "build": watch if vars(options).get("watch") else build}[options.command]
            done = run(options)
        sys.stdout.flush()
        return done
    except BrokenPipeError:  # `course progress | head`: who reads has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:  # an answer that never ends, most likely
        print(f"course {options.command}: stopped{pointer('slow')}", file=sys.stderr)
        return 130
    except (OSError, ValueError, ImportError) as error:
        print(f"course {options.command}: {error}", file=sys.stderr)
        return 1


def working_copy(folder: Path | None) -> Path:
    """The folder that was named, or the copy that belongs to this project."""
    from .workspace import default_copy
    return folder.absolute() if folder else default_copy(HERE)


def start(options: argparse.Namespace) -> int:
    from . import workspace
    folder = working_copy(options.folder)
    made = workspace.start(HERE, folder)
    print(f"{'made' if made else 'your working copy is'} {folder}")
    if not made:
        say_if_outdated(folder)
    return 0


def say_if_outdated(folder: Path) -> None:
    from .update import is_outdated
    if is_outdated(HERE, folder):
        print("the course has changed since: `course update` brings your copy up to date and "
              "keeps what you wrote")


def lab(options: argparse.Namespace) -> int:
    from . import workspace
    from .lab import open_lab
    if options.solutions:
        return open_lab(HERE / "solutions", port=options.port, browser=not options.no_browser,
                        notebook=first_notebook(HERE / "solutions"),
                        env={"COURSE_MINILLM": str(HERE / "solutions")})
    folder = working_copy(options.folder)
    if not workspace.is_working_copy(folder):
        workspace.start(HERE, folder)
    return open_lab(folder, port=options.port, browser=not options.no_browser)


def first_notebook(folder: Path) -> str:
    found = sorted(p.name for p in folder.glob("*.ipynb"))
    if not found:
        raise ValueError(f"there are no solved notebooks in {folder}: `course build` makes them")
    return found[0]


def build(options: argparse.Namespace) -> int:
    from .build import BuildError
    from .build import build as run
    try:
        changed = run(HERE, options.check, options.force)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    for path in changed:
        print("stale" if options.check else "made", path)
    if not changed:
        print("everything is up to date")
    return 1 if options.check and changed else 0


def watch(options: argparse.Namespace) -> int:
    from .build.watch import watch as run
    return run(HERE)


def new_exercise(options: argparse.Namespace) -> int:
    from .build.lesson import read_all
    from .build.problems import Problems
    from .build.skeleton import new_exercise as lay_out
    found = [each for each in read_all(HERE, Problems(HERE))
             if options.lesson.zfill(2) in (each.name, each.name[:2])]
    if not found:
        raise ValueError(f"there is no lesson {options.lesson!r} in course/lessons")
    for path in lay_out(HERE, found[0], options.target):
        print(path.relative_to(HERE))
    print("`course build` names every TODO in them until it is written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
