"""Write outcomes into nbgrader's gradebook, with its own converter and the journal."""

import logging
import re
import warnings
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.converters.autograde import Autograde
from nbgrader.preprocessors import Execute

from .classroom import Classroom
from .errors import GraderError
from .execute import error
from .journal import Journal
from .notebooks import flags, grade_id

LOG = "grader.nbgrader"


class FromJournal(Execute):  # type: ignore[misc]
    """Stands where nbgrader runs a notebook: puts the outputs of the journal in place.

    Each check cell gets the outcome that `grader grade` found, so that formgrader's own Autograde
    button gives the same grade. Raises GraderError when the journal has nothing on this notebook.
    """

    def preprocess(self, nb: NotebookNode, resources: Any, km: Any = None,
                   ) -> tuple[NotebookNode, Any]:
        about = resources["nbgrader"]
        database = str(about["db_url"]).removeprefix("sqlite:///")
        journal = Journal(Path(database).parent / "journal", about["assignment"])
        run = journal.load(about["student"], "run")
        result = journal.load(about["student"], "result")
        if run is None or result is None or result["run"] != run["key"]:
            raise GraderError(f"{about['student']} has not been run: `grader grade "
                              f"{about['assignment']}` does that")
        ran = nbformat.from_dict(run["notebook"])
        if [c.source for c in nb.cells] != [c.source for c in ran.cells]:
            raise GraderError(f"{about['student']}: the notebook has changed since it was run; "
                              f"`grader grade {about['assignment']}` runs it again")
        paste(nb, ran, result["outcomes"])
        nb.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
        return nb, resources


def paste(nb: NotebookNode, ran: NotebookNode, outcomes: dict[str, Any]) -> None:
    """The outputs of the run; a check cell fails unless its outcome says that it passed."""
    for cell, done in zip(nb.cells, ran.cells, strict=True):
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = deepcopy(done.outputs), done.execution_count
        if not flags(cell).get("grade"):
            continue
        outcome = outcomes.get(grade_id(cell), {"passed": False, "shown": ["✗ no outcome"]})
        cell.outputs = [worthless(o, outcome["passed"]) for o in cell.outputs]
        failed = any(o.output_type == "error" for o in cell.outputs)
        if outcome["shown"] or not (outcome["passed"] or failed):
            cell.outputs.append(error("CheckFailed", *(outcome["shown"] or ["✗ not passed"])))


def worthless(output: NotebookNode, passed: bool) -> NotebookNode:
    """nbgrader scores stderr as 0 and a last number as points: neither may come from a learner."""
    if output.output_type == "stream":
        output["name"] = "stdout"
    elif output.output_type == "execute_result":
        return NotebookNode(output_type="display_data", data=output.data, metadata={})
    elif output.output_type == "error" and passed:  # cannot be: a cell with an error has not passed
        raise GraderError("a check cell with an error was taken for passed")
    return output


def quiet() -> logging.Logger:
    """nbgrader's log without its tracebacks; what was wrong is in the exception."""
    log = logging.getLogger(LOG)
    log.propagate = False
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    return log


class Reasons(logging.Handler):
    """Keeps what nbgrader logs as an error: it raises only `see the log`."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage().strip())

    def reason(self, otherwise: str) -> str:
        """One line: the error at the end of a traceback if there is one, else the first message."""
        whole = "\n".join(self.said)
        if "database is locked" in whole:
            return "the gradebook is locked: another program is writing to it"
        errors = re.findall(r"^(?:[\w.]+\.)?(\w*(?:Error|Entry|Exception)): (.+)$", whole,
                            re.MULTILINE)
        if errors:
            kind, text = errors[-1]
            return text if kind == "GraderError" else f"{kind}: {text}"
        return (whole or otherwise).splitlines()[0]


def record(classroom: Classroom, lesson: str, learner: str) -> None:
    """Let nbgrader grade one submission; `force` does one again that a killed run left half done.

    Raises GraderError with nbgrader's own reason.
    """
    from nbgrader.converters.base import NbGraderException

    from .once import once
    log, reasons = quiet(), Reasons()
    log.addHandler(reasons)
    converter = Autograde(coursedir=classroom.directory(lesson, learner),
                          config=classroom.config, log=log)
    converter.force = True
    if not {FromJournal, "grader.record.FromJournal"} & set(converter.autograde_preprocessors):
        raise GraderError(f"{classroom.folder / 'nbgrader_config.py'} has lost the line that names "
                          "grader.record.FromJournal; take the file away to have it made again")
    try:
        with once(), warnings.catch_warnings():  # sqlalchemy has opinions on nbgrader's sessions
            warnings.simplefilter("ignore")
            converter.start()
    except (NbGraderException, SystemExit) as error_:
        raise GraderError(reasons.reason(str(error_))) from error_
    finally:
        log.removeHandler(reasons)
