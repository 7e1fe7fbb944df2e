"""What grading a class costs: `python benchmarks/grade.py --help`.

The same submissions through `grader grade` (confined, with the second process) and through the
stock `nbgrader autograde`, which runs only the notebook. Both with one thread for torch. CPU time
is user and system time of all processes, as the system counts it for the finished command. What one
more submission costs is what a class costs above a class of one, divided by the submissions more.
Exits with 1 when a ratio on right answers is below 6.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from copy import deepcopy
from pathlib import Path
from statistics import median
from typing import Any

import nbformat

from grader.classroom import Classroom
from grader.environment import environment
from grader.grade import LIMITS, jobs_here
from grader.notebooks import flags, grade_id
from grader.project import Ground, find, read_lessons
from grader.release import register

ROOT = Path(__file__).resolve().parents[1]
LEAST = 6.0  # times less than stock, on right answers
STOCK = '''c = get_config()
c.CourseDirectory.course_id = "minillm"
c.CourseDirectory.root = {folder!r}
c.Autograde.exclude_overwriting = {{}}
'''


def variants(root: Path, name: str, kind: str) -> list[Any]:
    """Notebooks of a lesson, to be handed out in turn: all right, or a class as it is."""
    released = nbformat.read(root / f"notebooks/{name}.ipynb", as_version=4)
    solved = nbformat.read(root / f"solutions/{name}.ipynb", as_version=4)
    right = {grade_id(c): c.source for c in solved.cells if flags(c).get("solution")}

    def notebook(change: Any = None, at: int = 0) -> Any:
        nb, answers = deepcopy(released), [i for i in right if "def " in right[i]]
        for cell in nb.cells:
            source = right.get(grade_id(cell), cell.source)
            hit = change and grade_id(cell) == answers[at % len(answers)]
            cell.source = change(source) if hit else source
        return nb

    if kind == "correct":
        return [notebook()]

    def first(line: str) -> Any:
        return lambda source: source.replace("    return ", f"    {line}\n    return ", 1)

    changes = [first("raise ValueError('not finished')"), first("return None"),
               lambda source: source.replace("return", "return return"),
               first("while True: pass"), first("import os; os._exit(1)"),
               first("x = bytearray(10 << 30)")]
    mixed = [notebook() for _ in range(12)] + [deepcopy(released) for _ in range(4)]
    mixed += [notebook(change, at) for change in changes[:3] for at in range(3)]
    mixed += [notebook(change) for change in changes[3:]]
    bare = notebook()
    for cell in bare.cells:
        cell.metadata = nbformat.NotebookNode()
    short = notebook()
    short.cells = [c for c in short.cells if not flags(c).get("grade")]
    return mixed + [bare, short]


def make_class(folder: Path, name: str, kind: str, count: int) -> Classroom:
    """A class folder with `count` submissions, each with a line of its own."""
    room = Classroom(folder)
    room.folder.mkdir(parents=True)
    register(ROOT, room, find(read_lessons(ROOT), name))
    made = variants(ROOT, name, kind)
    for number in range(count):
        nb = deepcopy(made[number % len(made)])
        nb.cells.append(nbformat.v4.new_code_cell(f"learner = {number}"))
        path = room.notebook("submitted", name, f"learner-{number:04d}")
        path.parent.mkdir(parents=True)
        nbformat.write(nb, path)
    return room


def timed(command: list[str], env: dict[str, str]) -> dict[str, float]:
    """Wall and CPU seconds of a command and all that it started, and its largest process in MB."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = os.posix_spawn(command[0], command, env, file_actions=[
            (os.POSIX_SPAWN_DUP2, said.fileno(), 1), (os.POSIX_SPAWN_DUP2, said.fileno(), 2)])
        _, status, used = os.wait4(process, 0)
        said.seek(0)
        text = said.read().decode(errors="replace")
    return {"wall": time.perf_counter() - begin, "cpu": used.ru_utime + used.ru_stime,
            "mb": used.ru_maxrss / 1024, "status": os.waitstatus_to_exitcode(status),
            "lines": len(text.splitlines())}


def ours(room: Classroom, name: str, jobs: int) -> dict[str, float]:
    """Our command; 0 jobs: as many as it takes by itself."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return timed([sys.executable, "-m", "grader", "grade", name, "--class", str(room.folder),
                  "--jobs", str(jobs)], env)


def stock(room: Classroom, name: str, ground: Ground) -> dict[str, float]:
    """The stock command, with our kit and package for the notebook, and stock configuration."""
    (room.folder / "nbgrader_config.py").write_text(STOCK.format(folder=str(room.folder)))
    env = environment([ground.kit, ground.package], ground.package, room.folder, confined=False)
    return timed([sys.executable, "-m", "nbgrader", "autograde", name, "--course-dir",
                  str(room.folder), "--config", str(room.folder / "nbgrader_config.py")], env)


def parts(room: Classroom, name: str) -> tuple[float, float]:
    """Mean CPU seconds of a submission's notebook and of its observation, from the journal."""
    runs = [json.loads(p.read_text())["cpu"] for p in
            (room.folder / "journal" / name).glob("*.run.json")]
    return (sum(r["notebook"] for r in runs) / len(runs),
            sum(r["observed"] for r in runs) / len(runs))


def compare(folder: Path, name: str, kind: str, count: int, jobs: int, times: int) -> bool:
    """Ours and stock in turns, ours at both ends; whether ours is as fast as it should be."""
    lessons = read_lessons(ROOT)
    ground = Ground(ROOT, lessons, find(lessons, name), folder / "ground")
    took: dict[str, list[dict[str, float]]] = {"ours": [], "stock": []}
    for at, which in enumerate([*("ours", "stock") * times, "ours"]):
        room = make_class(folder / f"{kind}-{at}", name, kind, count)
        cost = ours(room, name, jobs) if which == "ours" else stock(room, name, ground)
        took[which].append(cost)
        print(f"{kind:8} {count} submissions, {which:5}: {cost['wall']:7.1f} s, "
              f"{cost['cpu']:7.1f} CPU-s, largest process {cost['mb']:.0f} MB, "
              f"exit status {cost['status']}", flush=True)
        if which == "ours":
            last = room
    mine, theirs = ({k: median(each[k] for each in took[which]) for k in ("wall", "cpu")}
                    for which in ("ours", "stock"))
    ran, seen = parts(last, name)
    shutil.rmtree(last.folder / "autograded")
    again = ours(last, name, jobs)  # nothing to run: only nbgrader records
    idle = ours(last, name, jobs)
    shutil.rmtree(last.folder / "autograded" / "learner-0000")
    loaded = ours(last, name, jobs)  # one to record: with nbgrader loaded
    alone = ours(make_class(folder / f"{kind}-one", name, kind, 1), name, jobs)
    more = (mine["cpu"] - alone["cpu"]) / max(1, count - 1)
    record = (again["cpu"] - loaded["cpu"]) / max(1, count - 1)
    ratios = [theirs[k] / mine[k] for k in ("cpu", "wall")]
    print(f"{kind:8} stock / ours: {ratios[0]:.1f} times the CPU time, "
          f"{ratios[1]:.1f} times the wall time")
    print(f"{kind:8} CPU-s of one more submission: {more:.2f} = {ran:.2f} notebook + {seen:.2f} "
          f"second process + {record:.2f} nbgrader records + {more - ran - seen - record:.2f} "
          "nbclient, journal and forks")
    print(f"{kind:8} CPU-s of a run: {idle['cpu']:.1f} to look at a class with nothing new, "
          f"{loaded['cpu'] - idle['cpu']:.1f} to load nbgrader, "
          f"{alone['cpu'] - loaded['cpu'] - ran - seen:.1f} to start the fork server; "
          f"{alone['cpu']:.1f} a class of one in all", flush=True)
    return kind != "correct" or min(ratios) >= LEAST


def grow(folder: Path, name: str, kind: str, counts: list[int], jobs: int) -> None:
    """One run for each size of class: is it linear, and does memory stay?"""
    for count in counts:
        room = make_class(folder / f"many-{count}", name, kind, count)
        cost = ours(room, name, jobs)
        print(f"{kind:8} {count:5} submissions: {cost['wall']:7.1f} s, {cost['cpu']:7.1f} CPU-s, "
              f"{cost['cpu'] / count:.2f} CPU-s each, largest process {cost['mb']:.0f} MB",
              flush=True)
        shutil.rmtree(room.folder)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lesson", default="00")
    options.add_argument("--count", type=int, default=30, help="submissions (default: 30)")
    options.add_argument("--rounds", type=int, default=1, help="times that stock runs (default: 1)")
    options.add_argument("--jobs", type=int, nargs="+", default=[0],
                         help="notebooks at a time (default: what `grader grade` takes by itself)")
    options.add_argument("--kind", choices=("correct", "mixed"), nargs="+",
                         default=["correct", "mixed"])
    options.add_argument("--grow", type=int, nargs="+", metavar="N",
                         help="only ours, on classes of these sizes, such as 100 300 1000")
    chosen = options.parse_args()
    name, fast = find(read_lessons(ROOT), chosen.lesson).name, True
    print(f"{name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for jobs in chosen.jobs:
            print(f"{jobs or jobs_here(LIMITS)} at a time")
            for kind in chosen.kind:
                at = Path(folder, f"jobs-{jobs}", kind)
                if chosen.grow:
                    grow(at, name, kind, chosen.grow, jobs)
                else:
                    fast &= compare(at, name, kind, chosen.count, jobs, chosen.rounds)
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    return 0 if fast else 1


if __name__ == "__main__":
    sys.exit(main())
