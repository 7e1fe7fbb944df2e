"""`grader feedback`: nbgrader's page for each learner, made anew each time."""

import json
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course.files import write

from . import late
from .classroom import Classroom
from .errors import GraderError
from .notebooks import checked, grade_id


@dataclass
class Summary:
    """The pages that were written, and the learners who have none, with the reason."""

    pages: list[Path] = field(default_factory=list)
    without: dict[str, str] = field(default_factory=dict)


class Formulas(IPythonRenderer):
    """Formulas as MathML, which browsers show by themselves; what is no formula, as it is."""

    def inline_math(self, body: str, display: str = "inline") -> str:
        try:
            return str(convert(body, display=display))
        except Exception:  # a learner wrote it, and must not lose the page by it
            return f"<code>{escape(body)}</code>"

    def block_math(self, body: str) -> str:
        return self.inline_math(body, "block")


class Page(HTMLExporter):
    """A page that needs no network: nbgrader's loads MathJax for its formulas."""

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        attached = context.get("cell", {}).get("attachments", {})
        renderer = Formulas(escape=False, attachments=attached)
        return str(MarkdownWithMath(renderer=renderer).render(source))

    def from_notebook_node(self, nb: Any, resources: Any = None, **kw: Any) -> Any:
        page, resources = super().from_notebook_node(nb, resources, **kw)
        for cell in nb.cells:  # the list of scores says "Test cell" of each
            if target := checked(cell):
                page = page.replace(f'<a href="#{grade_id(cell)}">Test cell</a>',
                                    f'<a href="#{grade_id(cell)}">{target}</a>')
        return re.sub("<!-- Load mathjax -->.*?<!-- End of mathjax[^>]*>", "", page,
                      flags=re.DOTALL), resources


def add_scores(page: Path, classroom: Classroom, lesson: str, learner: str) -> None:
    """Put the scores into the page as data: `course progress` reads them from a page kept."""
    with classroom.gradebook() as book:
        given = book.find_submission(lesson, learner)
        score = given.score - given.late_submission_penalty
        scores = json.dumps({"lesson": lesson, "score": score, "max": given.max_score})
    script = f'<script type="application/json" id="course-scores">{scores}</script>'
    write(page, page.read_text("utf-8").replace("</body>", f"{script}\n</body>", 1))


def feedback(classroom: Classroom, lesson: str, learners: str = "*") -> Summary:
    """Write `feedback/LEARNER/LESSON/LESSON.html` for everyone who has been graded.

    Raises GraderError when nobody has.
    """
    from nbgrader.converters.base import NbGraderException
    from nbgrader.converters.generate_feedback import GenerateFeedback

    from .record import Reasons, quiet
    summary, journal = Summary(), classroom.journal(lesson)
    classroom.check_database()
    if classroom.database.is_file():
        late.settle(classroom, lesson)
    for learner in classroom.submissions(lesson, learners):
        result = journal.load(learner, "result")
        if not (result and result.get("recorded")
                and classroom.notebook("autograded", lesson, learner).is_file()):
            summary.without[learner] = "not graded yet"
            continue
        log, reasons = quiet(), Reasons()
        log.addHandler(reasons)
        converter = GenerateFeedback(coursedir=classroom.directory(lesson, learner),
                                     config=classroom.config, log=log)
        converter.force, converter.exporter_class = True, Page
        try:
            converter.start()
        except (NbGraderException, SystemExit) as error:
            summary.without[learner] = reasons.reason(str(error))
        else:
            page = classroom.notebook("feedback", lesson, learner).with_suffix(".html")
            add_scores(page, classroom, lesson, learner)
            summary.pages.append(page)
        finally:
            log.removeHandler(reasons)
    if not summary.pages and not summary.without:
        raise GraderError(f"nobody has handed in {lesson}")
    return summary
