"""`grader release`: the learners' bundle, and every lesson in the gradebook of the class."""

import json
import re
import shutil
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

import nbformat

from course.build.lesson import Lesson, holes_from
from course.build.notebook import dumps
from course.build.package import make_package
from course.files import write
from course.workspace import MADE, fill_copy

from .classroom import Classroom
from .errors import GraderError
from .notebooks import grade_id
from .project import copy_kit, find, read_lessons
from .repair import asked

NAME = "minillm-course"
AUTHORS_ONLY = {"copydetect", "jupytext", "watchfiles"}  # what no learner's command needs
WHEN = (1980, 1, 1, 0, 0, 0)  # of every file in the zip: the same course, the same bytes


def pyproject(original: str) -> str:
    """The bundle's own pyproject.toml: what a learner needs of the project's."""
    whole = tomllib.loads(original)
    project, data = whole["project"], whole["tool"]["setuptools"]["package-data"]["course"]
    scripts = [f"{name} = {json.dumps(where)}" for name, where in project["scripts"].items()
               if where.startswith("course.")]
    wanted = [d for d in project["dependencies"]
              if re.split(r"[^\w.-]", d, maxsplit=1)[0] not in AUTHORS_ONLY]
    lines = ["[build-system]", 'requires = ["setuptools>=69"]',
             'build-backend = "setuptools.build_meta"', "", "[project]"]
    lines += [f"{name} = {json.dumps(project[name], ensure_ascii=False)}"
              for name in ("name", "version", "description", "requires-python")]
    lines += ["dependencies = [", *(f"  {json.dumps(d)}," for d in wanted), "]", "",
              "[project.scripts]", *scripts, "",
              "# `minillm` is never installed: a notebook finds the one in the folder around it.",
              "[tool.setuptools.packages.find]", 'include = ["course", "course.*"]', "",
              "[tool.setuptools.package-data]", f"course = {json.dumps(data)}"]
    return "\n".join(lines) + "\n"


def make_bundle(root: Path, folder: Path) -> None:
    """Lay the learners' bundle into `folder`, which must not be there yet."""
    constraints = (root / "constraints.txt").read_text("utf-8")
    torch = next(line for line in constraints.splitlines() if line.startswith("torch=="))
    folder.mkdir(parents=True)
    fill_copy(root, folder)
    copy_kit(root, folder)
    write(folder / "pyproject.toml", pyproject((root / "pyproject.toml").read_text("utf-8")))
    write(folder / "constraints.txt", constraints)
    write(folder / "environment.yml", (root / "environment.yml").read_text("utf-8"))
    templates = Path(__file__).parent / "bundle"
    write(folder / "Makefile", (templates / "Makefile").read_text("utf-8"))
    write(folder / "README.md",
          (templates / "README.md").read_text("utf-8").replace("{torch}", torch))


def make_zip(folder: Path, path: Path) -> None:
    """Pack a folder, the same bytes every time."""
    part = path.with_name(f".{path.name}.part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(p for p in folder.rglob("*")
                           if p.is_file() and "__pycache__" not in p.parts):
            info = zipfile.ZipInfo(f"{NAME}/{file.relative_to(folder).as_posix()}", WHEN)
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, file.read_bytes())
    part.replace(path)


def replace_folder(new: Path, folder: Path) -> None:
    """Put a finished folder in the place of an old one."""
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def release(root: Path, classroom: Classroom) -> tuple[Path, list[str]]:
    """Make bundle and zip and register the lessons; gives the zip and what became of each lesson.

    Raises GraderError when the notebooks have not been built, or nbgrader refuses a lesson.
    """
    lessons = read_lessons(root)
    for lesson in lessons:
        if not (root / f"notebooks/{lesson.name}.ipynb").is_file():
            raise GraderError(f"notebooks/{lesson.name}.ipynb is missing: `course build` makes it")
    check_points(classroom, lessons)
    bundle = classroom.folder / "bundle"
    making = bundle / ".making"
    shutil.rmtree(making, ignore_errors=True)
    make_bundle(root, making)
    give_points(making, classroom.points)
    said = [register(root, classroom, lesson) for lesson in lessons]
    replace_folder(making, bundle / NAME)
    make_zip(bundle / NAME, bundle / f"{NAME}.zip")
    return bundle / f"{NAME}.zip", said


def check_points(classroom: Classroom, lessons: list[Lesson]) -> None:
    """Raises GraderError for points of the class that no exercise can have."""
    known = {cell.target for lesson in lessons for cell in lesson.asked}
    for target, points in classroom.points.items():
        if target not in known or not isinstance(points, int | float) or not points >= 0:
            why = "no lesson asks for it" if target not in known else "not a number from 0 up"
            raise GraderError(f"points of {target!r} in "
                              f"{classroom.folder / 'nbgrader_config.py'}: {why}")


def with_points(path: Path, points: Mapping[str, float]) -> bytes:
    """A notebook with the points that a class gives; the same bytes when they are the course's."""
    content = path.read_bytes()
    nb = nbformat.reads(content.decode("utf-8"), as_version=4)
    mine = {grade_id(each.check): points[each.target] for each in asked(nb)
            if each.target in points}
    for cell in nb.cells:
        if grade_id(cell) in mine:
            cell.metadata["nbgrader"]["points"] = mine[grade_id(cell)]
    return dumps(nb).encode() if mine else content


def give_points(folder: Path, points: Mapping[str, float]) -> None:
    """Put them into a bundle: its notebooks, and what `course progress` counts with."""
    for path in folder.rglob("*.ipynb"):
        write(path, with_points(path, points))
    contents = folder / "course/contents.json"
    rows = json.loads(contents.read_text("utf-8"))
    for each in (each for row in rows for each in row["asked"] if each["target"] in points):
        each["points"] = points[each["target"]]
    write(contents, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")


def catch_up(root: Path, classroom: Classroom, name: str) -> Path:
    """Lay out the package as it is when a lesson begins: right code before it, holes from it on."""
    lessons = read_lessons(root)
    lesson = find(lessons, name)
    folder = classroom.folder / "catch-up" / lesson.name
    make_package(root / "solutions/minillm", folder, MADE.format(lesson.number),
                 holes_from(lessons, lesson.number))
    return folder


def register(root: Path, classroom: Classroom, lesson: Lesson) -> str:
    """Tell nbgrader of one lesson, unless it knows it as it is; what was done, in words."""
    made = with_points(root / f"notebooks/{lesson.name}.ipynb", classroom.points)
    source = classroom.notebook("source", lesson.name)
    known = classroom.notebook("release", lesson.name).is_file() and source.is_file() \
        and source.read_bytes() == made
    if known and is_registered(classroom, lesson.name):
        return f"{lesson.name}: as before"
    from nbgrader.converters.base import NbGraderException
    from nbgrader.converters.generate_assignment import GenerateAssignment

    from .record import Reasons, quiet
    classroom.check_database()
    paths = source, classroom.notebook("release", lesson.name)
    before = {path: path.read_bytes() for path in paths if path.is_file()}
    write(source, made)
    log, reasons = quiet(), Reasons()
    log.addHandler(reasons)
    converter = GenerateAssignment(coursedir=classroom.directory(lesson.name),
                                   config=classroom.config, log=log)
    converter.force = True
    try:
        converter.start()
    except (NbGraderException, SystemExit) as error:
        for path, content in before.items():  # nbgrader has removed what it released before
            write(path, content)
        why = reasons.reason(str(error))
        if "submissions associated" in why:
            why = ("its exercises have changed, and submissions of the old ones are in the "
                   "gradebook; use a new class folder (--class) for the new ones")
        raise GraderError(f"{lesson.name} cannot be released: {why}") from error
    finally:
        log.removeHandler(reasons)
    return f"{lesson.name}: {'released again' if before else 'released'}"


def is_registered(classroom: Classroom, lesson: str) -> bool:
    if not classroom.database.is_file():
        return False
    from nbgrader.api import MissingEntry
    with classroom.gradebook() as book:
        try:
            book.find_notebook(lesson, lesson)
        except MissingEntry:
            return False
    return True
