"""`grader grade`: run and observe every notebook, then let nbgrader record what came of it."""

import asyncio
import gc
import os
from collections.abc import Callable, Container
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from course.compare import Record
from course.files import write

from . import cgroups, gradebook, late, own
from .classroom import Classroom
from .collect import Index
from .confine import Limits
from .errors import GraderError
from .execute import Place, Places, execute
from .host import Server, ServerBroken, obstacle
from .journal import Entry, Journal, key
from .notebooks import NotANotebook, flags, grade_id, read
from .observer import idle, imports, observe
from .outcome import decide, own_result, stored
from .private import private_folder, sweep
from .project import Ground, built_lessons, find, has_hidden
from .repair import Asked, asked, repair
from .stock import Stock

LIMITS = Limits()
Progress = Callable[[str, int, int, int], None]  # what is done, how many, of how many, failed


def jobs_here(limits: Limits, cores: int = os.cpu_count() or 1) -> int:
    """How many submissions at a time: twice the cores, since a kernel that starts mostly waits.

    Fewer where the memory does not hold so many at their limit; never fewer than the cores.
    """
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Windows has no such call
        return cores
    return max(cores, min(2 * cores, memory // limits.memory))


@dataclass
class Summary:
    """What came of a run: learners graded, left as they were, and not graded with the reason."""

    ran: list[str] = field(default_factory=list)  # in a kernel, in this run
    graded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)  # limits that this machine cannot enforce


async def examine(nb: NotebookNode, package: Path, place: Place, demos: Container[int] = (),
                  whole: bool = False) -> Entry:
    """Phase one, for one repaired notebook: run it, then observe its answers elsewhere.

    Nothing is shared with other submissions; the entry is plain data.
    """
    ran = await execute(nb, place, demos, whole)
    spent = place.cpu()
    observed = await asyncio.to_thread(observe, nb, package, place)
    return {"notebook": ran, "observed": observed, "cpu": {
        "notebook": round(spent, 3), "observed": round(place.cpu() - spent, 3)}}


def outcomes(run: Entry, root: Path, extra: dict[str, Record]) -> dict[str, Any]:
    """Phase two, the deciding half: what each check cell of a run is worth, by grade id."""
    nb, found = nbformat.from_dict(run["notebook"]), {}
    for each in asked(nb):
        visible = stored(root / "course/expected", each.target)
        if visible is None:
            raise GraderError(f"course/expected holds no {each.target}: the course has changed "
                              "since this lesson was released")
        cell = next(c for c in nb.cells if grade_id(c) == grade_id(each.check))
        outcome = decide(each.target, own_result(cell, each.target), run["observed"][each.target],
                         visible, stored(root / "grader/expected", each.target),
                         extra.get(each.target))
        if outcome.why == "hole":
            outcome = replace(outcome, why=failed_cell(nb, each) or "hole")
        found[grade_id(each.check)] = {"target": each.target, **asdict(outcome)}
    return found


def check_outputs(run: Entry) -> str:
    """What the check cells of a run show, as one text."""
    return repr([cell["outputs"] for cell in run["notebook"]["cells"]
                 if flags(nbformat.from_dict(cell)).get("grade")])


def load_nbgrader() -> None:
    """Load what records, once, and let no later collection of garbage go through it."""
    import_module("grader.record")
    gc.freeze()


def failed_cell(nb: NotebookNode, each: Asked) -> str:
    """Why an answer cell that was written in still left a hole: the error it ended with."""
    cell = next(c for c in nb.cells if grade_id(c) == grade_id(each.answer))
    errors = [o for o in cell.outputs if o.output_type == "error"]
    if not errors:
        return ""
    return " ".join(f"its cell fails: {errors[0]['ename']}: {errors[0]['evalue']}".split())[:120]


class Grading:
    """One run of `grader grade` over a lesson of a class."""

    def __init__(self, root: Path, classroom: Classroom, name: str, *, limits: Limits = LIMITS,
                 force: bool = False, jobs: int = 0, unconfined: bool = False,
                 whole: bool = False) -> None:
        self.root, self.classroom, self.limits = root, classroom, limits
        self.force, self.unconfined, self.whole = force, unconfined, whole
        self.jobs = jobs or jobs_here(limits)
        if not unconfined and (why := obstacle()):
            raise GraderError(f"submissions cannot be confined here: {why}. With --unconfined they "
                              "run as you, and may do all that you can")
        self.lessons = built_lessons(root)
        self.lesson = find(self.lessons, name)
        self.released = classroom.released(self.lesson.name)
        self.journal: Journal = classroom.journal(self.lesson.name)
        self.index = Index(classroom.folder)
        self.summary = Summary()
        self.check_stored()
        self.extra = own.records(root, classroom, self.lessons, self.lesson)

    def check_stored(self) -> None:
        """Raises GraderError when a value that is compared with has not been made yet."""
        asked_now = {c.target: c for c in self.lesson.asked}
        for each in asked(self.released):
            if each.target not in asked_now:
                raise GraderError(f"{self.lesson.name} no longer asks for {each.target}: it has "
                                  "changed since it was released to this class")
            folders = ["course/expected"]
            folders += ["grader/expected"] if has_hidden(self.root, asked_now[each.target]) else []
            for folder in folders:
                if stored(self.root / folder, each.target) is None:
                    raise GraderError(f"{folder} holds no {each.target}: run "
                                      f"`{folder.split('/')[0]} build` first")

    def run(self, learners: str = "*", progress: Progress = lambda *of: None) -> Summary:
        """Grade what is new or changed. One bad submission stops nobody."""
        todo = self.classroom.submissions(self.lesson.name, learners)
        if not todo:
            raise GraderError(f"{self.classroom.folder / 'submitted'} holds no submission of "
                              f"{self.lesson.name}" + (f" by {learners}" * (learners != "*")))
        self.classroom.check_database()
        sweep()
        cgroups.sweep()
        with private_folder() as folder, ExitStack() as self.stack:
            self.ground = Ground(self.root, self.lessons, self.lesson, folder,
                                 own.files(self.classroom, self.lesson))
            asyncio.run(self.phase_one(todo, progress))
        locked = ""
        for done, learner in enumerate(todo, 1):
            if learner not in self.summary.failed:
                self.phase_two(learner, locked)
                why = self.summary.failed.get(learner, "")
                locked = why if "is locked" in why else ""
            progress("recording", done, len(todo), len(self.summary.failed))
        for learner, why in self.summary.failed.items():
            self.journal.save(learner, "failed", {"why": why})
        _ = late.settle(self.classroom, self.lesson.name, lambda: self.copy)
        if "copy" in self.__dict__:  # something was written
            gradebook.check(self.classroom.database, self.copy)
        return self.summary

    @cached_property
    def copy(self) -> Path:
        """The gradebook as it was before this run wrote to it; made when that first happens."""
        return gradebook.back_up(self.classroom.database)

    @cached_property
    def places(self) -> Places:
        """Where submissions run; started when the first of them needs it."""
        ground, modules = self.ground, imports(self.released)
        found: Stock | Server = Stock(ground, modules, self.limits) if self.unconfined else \
            Server(ground, modules, self.limits, load_nbgrader)
        self.stack.enter_context(found)
        self.summary.gaps = found.gaps
        return found

    async def phase_one(self, todo: dict[str, Path], progress: Progress) -> None:
        """Run and observe every notebook whose journal entry is missing or out of date."""
        slots, version, done = asyncio.Semaphore(self.jobs), self.ground.version(), 0

        async def one(learner: str, path: Path) -> None:
            nonlocal done
            async with slots:
                try:
                    await self.examine_one(learner, path, version)
                except ServerBroken:
                    raise
                except (GraderError, NotANotebook) as error:
                    self.summary.failed[learner] = str(error)
                except Exception as error:  # one bad notebook never stops the class
                    self.summary.failed[learner] = f"{type(error).__name__}: {error}"
                done += 1
                progress("running", done, len(todo), len(self.summary.failed))

        await asyncio.gather(*(one(learner, path) for learner, path in todo.items()))

    async def examine_one(self, learner: str, path: Path, version: str) -> None:
        raw = path.read_bytes()
        nb, repairs = repair(read(raw), self.released)
        text = nbformat.writes(nb)
        if text.encode() != raw:  # put there by hand, or the lesson was released again
            write(self.classroom.folder / "collected" / self.lesson.name / learner
                  / f"by-hand-{key(raw)[:8]}.ipynb", raw)
            write(path, text)
        entry_key = key(text, version, str(self.limits), str(self.unconfined))
        old = self.journal.load(learner, "run")
        whole = self.whole or bool(old and old.get("whole"))  # what was wanted once stays
        if old and old["key"] == entry_key and old.get("whole") == whole and not self.force:
            return
        with self.places.host() as place:
            entry = await examine(nb, self.ground.package, place, idle(nb, self.released), whole)
        self.summary.ran.append(learner)
        earlier = old["repairs"] if old and old.get("text") == key(text) else []
        self.journal.save(learner, "run", {
            "key": entry_key, "text": key(text), "repairs": repairs or earlier, "whole": whole,
            "gaps": self.places.gaps, **entry})

    def phase_two(self, learner: str, locked: str = "") -> None:
        """Decide and let nbgrader record; a learner whose result stands already is left alone."""
        try:
            if locked:  # it was a moment ago; do not wait again for each learner
                raise GraderError(locked)
            run = self.journal.load(learner, "run")
            if run is None:
                raise GraderError("the journal lost its run; grade again")
            result = {"run": run["key"], "text": run["text"], "whole": run.get("whole"),
                      "outputs": key(check_outputs(run)),
                      "outcomes": outcomes(run, self.root, self.extra)}
            old = self.journal.load(learner, "result")
            stands = old and old == {**result, "run": old["run"], "recorded": True}
            if stands and not self.force and self.is_recorded(learner):
                if old != {**result, "recorded": True}:  # it was run again and nothing came of it
                    self.journal.save(learner, "result", {**result, "recorded": True})
                self.summary.unchanged.append(learner)
            else:
                from .record import record  # with all of nbgrader, which loads for long
                self.journal.save(learner, "result", {**result, "recorded": False})
                _ = self.copy
                self.introduce(learner)
                record(self.classroom, self.lesson.name, learner)
                self.journal.save(learner, "result", {**result, "recorded": True})
                self.summary.graded.append(learner)
            self.journal.forget(learner, "failed")
            self.summary.notes += [f"{learner}: {o['note']}" for o in result["outcomes"].values()
                                   if o["note"]]
        except Exception as error:
            known = isinstance(error, GraderError)
            self.summary.failed[learner] = f"{'' if known else type(error).__name__ + ': '}{error}"

    def introduce(self, learner: str) -> None:
        """The name a learner came under, for the gradebook; one that is there stays."""
        about = self.index.learners.get(learner)
        if about is None:
            return
        with self.classroom.gradebook() as book:
            student = book.update_or_create_student(learner)
            if not (student.first_name or student.last_name):
                first, _, last = about["name"].rpartition(" ")
                book.update_or_create_student(learner, first_name=first, last_name=last)

    @cached_property
    def in_gradebook(self) -> set[str]:
        """The learners whose submissions nbgrader knew when this run began to record."""
        return gradebook.recorded(self.classroom.database, self.lesson.name)

    def is_recorded(self, learner: str) -> bool:
        """Whether nbgrader still has what the journal says it recorded."""
        path = self.classroom.notebook("autograded", self.lesson.name, learner)
        return path.is_file() and learner in self.in_gradebook

