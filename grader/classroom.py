"""The folder of a class: where things are, the gradebook, and who may work in it."""

import os
import sqlite3
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from filelock import FileLock, Timeout
from nbformat import NotebookNode

from course.files import write

from .errors import GraderError
from .journal import Journal

CONFIG = '''"""nbgrader as this course uses it. Made by `grader`, once: what you add here stays."""

from pathlib import Path

from nbgrader import preprocessors as p

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "minillm"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
# holes come from `course build`; nbgrader's ClearSolutions would blank the whole cell
c.GenerateAssignment.preprocessors = [
    p.LockCells, p.ClearOutput, p.CheckCellMetadata, p.ComputeChecksums, p.SaveCells,
    p.CheckCellMetadata,
]
c.OverwriteCells.add_missing_cells = True
# a submission is run by `grader grade`; nbgrader, from formgrader too, records what came of it
c.Autograde.autograde_preprocessors = [
    "grader.record.FromJournal", "nbconvert.preprocessors.ClearMetadataPreprocessor", p.LimitOutput,
    p.SaveAutoGrades, p.AssignLatePenalties, p.CheckCellMetadata,
]
'''


@dataclass(frozen=True)
class Classroom:
    """A class folder. `source`, `release`, `submitted`, `autograded`, `feedback` are nbgrader's."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "gradebook.db"

    def notebook(self, step: str, lesson: str, learner: str = ".") -> Path:
        """A notebook in one of nbgrader's folders."""
        return self.folder / step / learner / lesson / f"{lesson}.ipynb"

    def journal(self, lesson: str) -> Journal:
        return Journal(self.folder / "journal", lesson)

    def lessons(self) -> list[str]:
        """The lessons that were released to this class."""
        return sorted(p.stem for p in (self.folder / "release").glob("*/*.ipynb")
                      if p.stem == p.parent.name)

    def released(self, lesson: str) -> NotebookNode:
        """The notebook that learners of this class got. Raises GraderError."""
        path = self.notebook("release", lesson)
        if not path.is_file():
            raise GraderError(f"{lesson} has not been released in {self.folder}; "
                              "`grader release` does that")
        nb: NotebookNode = nbformat.read(path, as_version=4)
        return nb

    def submissions(self, lesson: str, learners: str = "*") -> dict[str, Path]:
        """What was handed in for a lesson, by learner."""
        return {p.parts[-3]: p for p in sorted((self.folder / "submitted").glob(
            f"{learners}/{lesson}/{lesson}.ipynb"))}

    @cached_property
    def config(self) -> Any:
        """nbgrader's configuration of this class; the file is made when it is missing."""
        from traitlets.config.loader import PyFileConfigLoader
        prepare_path()
        path = self.folder / "nbgrader_config.py"
        if not path.is_file():
            write(path, CONFIG)
        try:
            return PyFileConfigLoader(path.name, path=str(self.folder)).load_config()
        except Exception as error:
            raise GraderError(f"{path}: {type(error).__name__}: {error}") from error

    @property
    def points(self) -> dict[str, float]:
        """The points that this class gives, by target, where they are not the course's own."""
        return dict(self.config["Lessons"].get("points") or {})

    def directory(self, lesson: str, learner: str = "*") -> Any:
        """nbgrader's view of the folder, for its converters."""
        from nbgrader.coursedir import CourseDirectory
        return CourseDirectory(config=self.config, root=str(self.folder.resolve()),
                               assignment_id=lesson, student_id=learner)

    @contextmanager
    def gradebook(self) -> Iterator[Any]:
        """nbgrader's gradebook. Raises GraderError when somebody else holds it."""
        from nbgrader.api import Gradebook
        prepare_path()
        self.check_database()
        book = Gradebook(f"sqlite:///{self.database.resolve()}", "minillm")
        try:
            with book:
                yield book
        finally:
            book.engine.dispose()

    def check_database(self) -> None:
        """Raises GraderError when the gradebook is no gradebook, or cannot be written now."""
        if not self.database.exists():
            return
        try:
            with_lock = sqlite3.connect(self.database, timeout=5, isolation_level=None)
            try:
                with_lock.execute("BEGIN IMMEDIATE")
                with_lock.execute("ROLLBACK")
            finally:
                with_lock.close()
        except sqlite3.DatabaseError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise GraderError(f"{self.database} is locked: another program is writing to it. "
                                  "Close it, or wait, and try again") from error
            raise GraderError(f"{self.database}: {error}") from error

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Work in the folder alone. Raises GraderError when another `grader` is at work in it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.folder / ".grader.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise GraderError(f"another grader is at work in {self.folder}") from error
        try:
            yield
        finally:
            lock.release()


def prepare_path() -> None:
    """nbgrader starts `alembic` by its bare name: ours is the one beside this Python."""
    scripts = sysconfig.get_path("scripts")
    if os.environ.get("PATH", "").split(os.pathsep)[0] != scripts:
        os.environ["PATH"] = os.pathsep.join(filter(None, (scripts, os.environ.get("PATH"))))
