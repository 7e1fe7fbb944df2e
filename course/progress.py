"""How far someone is: what is filled in, checked and graded, and what it unlocks."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from .files import lock, write
from .source import NotPython, is_hole, spans, text, without_magics
from .workspace import digest, is_working_copy, package_root, run_by_tool

CONTENTS = Path(__file__).with_name("contents.json")
NOTES = ".progress.json"  # in the working copy: what each check said last, and of which text
LENT = ".lent.json"  # in minillm/: reference code of `course catch-up`, and what stood there before
SCORES = re.compile(r'<script type="application/json" id="course-scores">(.*?)</script>', re.DOTALL)
OPEN, FILLED, CHECKED, REFERENCE = "open", "filled in", "checked", "reference code"
MARKS = {OPEN: "○", FILLED: "◐", CHECKED: "●", REFERENCE: "◇"}
WIDE = 44  # columns of a title, so that the table fits into 80
SEEN: dict[str, dict[str, Any]] = {}  # what checks of this process said


@dataclass(frozen=True)
class Lesson:
    """A lesson as a learner's commands know it; `asked` maps targets to points."""

    name: str
    title: str
    minutes: int
    unlocks: list[str]
    asked: dict[str, float]

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def exercises(self) -> list[str]:
        """The targets that become part of the package."""
        return [t for t in self.asked if not t.startswith("steps.")]


def lessons() -> list[Lesson]:
    rows = json.loads(CONTENTS.read_text("utf-8"))
    return [Lesson(row["name"], row["title"], row["minutes"], row["unlocks"],
                   {a["target"]: a["points"] for a in row["asked"]}) for row in rows]


def find(wanted: str | int) -> Lesson:
    """A lesson by its number or name (4, 04, 04_attention). Raises ValueError."""
    short = str(wanted).strip().zfill(2)
    found = [each for each in lessons() if short in (each.number, each.name)]
    if not found:
        known = ", ".join(each.number for each in lessons())
        raise ValueError(f"there is no lesson {wanted!r}; there are {known}")
    return found[0]


def read(path: Path) -> dict[str, Any]:
    """A record of ours; an unreadable one counts as empty."""
    try:
        kept = json.loads(path.read_text("utf-8"))
        return kept if isinstance(kept, dict) else {}
    except (OSError, ValueError):
        return {}


def definition(root: Path, target: str) -> str | None:
    """An exercise's definition as it stands in minillm/; None where there is none to read."""
    family, name = target.rsplit(".", 1)
    try:
        return text((root / f"minillm/{family}.py").read_text("utf-8"), name)
    except (OSError, UnicodeDecodeError, NotPython, KeyError):
        return None


def note(target: str, passed: bool, root: Path | None = None) -> None:
    """Remember what a check said, in the working copy if there is one; never an error."""
    root = root or package_root()
    own = definition(root, target) if not target.startswith("steps.") else None
    said = {"passed": passed, "of": digest(own) if own is not None else None}
    SEEN[target] = said
    if run_by_tool() or not is_working_copy(root):
        return
    try:
        with lock(root / f"{NOTES}.lock", seconds=5):
            notes = read(root / NOTES)
            if notes.get(target) != said:
                write(root / NOTES, json.dumps(notes | {target: said}, indent=1) + "\n")
    except OSError:
        pass  # a full or read-only disk must not cost a learner the check


def answered_steps(root: Path, lesson: Lesson) -> set[str]:
    """The steps whose cell in the saved notebook holds an answer."""
    cells, found = answer_cells(root, lesson), set()
    for target in lesson.asked:
        source, name = cells.get(target.replace(".", "-")), target.rpartition(".")[2]
        try:
            if source and name in spans(source) and not is_hole(text(source, name)):
                found.add(target)
        except NotPython:
            found.add(target)  # something was written there
    return found


def saved(root: Path, lesson: Lesson) -> dict[str, Any]:
    """The saved notebook; one that was fetched from nbgrader's exchange has a folder of its own.

    Where it is gone, the newest that has the lesson's name in its own: someone renamed it.
    """
    fetched, plain = (root / f"notebooks/{at}{lesson.name}.ipynb" for at in (f"{lesson.name}/", ""))
    found = [p for p in (fetched, plain) if p.is_file()] or sorted(
        (root / "notebooks").glob(f"*{lesson.name}*.ipynb"), key=lambda p: -p.stat().st_mtime)
    return read(found[0]) if found else {}


def marked_cells(root: Path, lesson: Lesson) -> Iterator[tuple[dict[str, Any], str]]:
    """What nbgrader's metadata say of each cell of the saved notebook, and its source."""
    for cell in saved(root, lesson).get("cells", []):
        source = cell.get("source", "")
        yield (cell.get("metadata", {}).get("nbgrader", {}),
               source if isinstance(source, str) else "".join(source))


def answer_cells(root: Path, lesson: Lesson) -> dict[str, str]:
    """The source of each answer cell of the saved notebook, by its grade_id."""
    return {str(flags.get("grade_id")): source for flags, source in marked_cells(root, lesson)
            if flags.get("solution")}


def setup_source(root: Path, lesson: Lesson) -> str:
    """The setup cell of the saved notebook as plain Python; a step's answer may use its imports."""
    cells = marked_cells(root, lesson)
    setup = next((source for flags, source in cells if flags.get("grade_id") == "setup"), "")
    return without_magics(setup)


def states(root: Path, lesson: Lesson) -> dict[str, str]:
    """The state of each exercise and step of a lesson."""
    notes, lent = read(root / NOTES) | SEEN, read(root / f"minillm/{LENT}")
    answered, found = answered_steps(root, lesson), {}
    for target in lesson.asked:
        said = notes.get(target, {})
        if target.startswith("steps."):
            done = said.get("passed")
            found[target] = CHECKED if done else FILLED if target in answered else OPEN
            continue
        own = definition(root, target)
        hole, mark = own is None or is_hole(own), digest(own) if own is not None else None
        if not hole and lent.get(target, {}).get("lent") == mark:
            found[target] = REFERENCE
        elif said.get("passed") and said.get("of") == mark:
            found[target] = CHECKED  # beside a hole too: its notebook does not fill this package
        else:
            found[target] = OPEN if hole else FILLED
    return found


def graded(root: Path) -> dict[str, tuple[float, float]]:
    """Score and maximum by lesson, from feedback pages kept in `feedback/`; the newest counts.

    nbgrader's exchange puts them into a `feedback/` beside the notebook.
    """
    found = {}
    folders = [root / "feedback", *root.glob("notebooks/*/feedback")]
    pages = [p for folder in folders for p in folder.rglob("*.html") if p.is_file()]
    for page in sorted(pages, key=lambda p: p.stat().st_mtime):
        if match := SCORES.search(page.read_text("utf-8", errors="replace")):
            try:
                given = json.loads(match[1])
                found[str(given["lesson"])] = float(given["score"]), float(given["max"])
            except (ValueError, KeyError, TypeError):
                continue
    return found


def summary(root: Path) -> Iterator[str]:
    """One line for each lesson, and one for the whole."""
    given, total = graded(root), [0, 0]
    yield f"{'lesson':{WIDE}}  checked  filled    points   graded"
    for lesson in lessons():
        state = states(root, lesson)
        checked = sum(s == CHECKED for s in state.values())
        filled = sum(s != OPEN for s in state.values())
        points = sum(p for t, p in lesson.asked.items() if state[t] == CHECKED)
        score = "{:g}/{:g}".format(*given[lesson.name]) if lesson.name in given else "–"
        name = f"{lesson.number} {lesson.title}"
        name = name if len(name) <= WIDE else f"{name[:WIDE - 1]}…"
        yield (f"{name:{WIDE}} {f'{checked}/{len(state)}':>8} {filled:7} "
               f"{f'{points:g}/{sum(lesson.asked.values()):g}':>9} {score:>8}")
        total = [total[0] + checked, total[1] + len(state)]
    yield f"{total[0]} of {total[1]} checked"


class Progress:
    """One lesson's progress, as a small table in a notebook and as lines elsewhere."""

    def __init__(self, root: Path, lesson: Lesson) -> None:
        self.root, self.lesson = root, lesson

    def facts(self) -> tuple[dict[str, str], str, str]:
        state = states(self.root, self.lesson)
        done = [t for t, s in state.items() if s == CHECKED]
        points = sum(self.lesson.asked[t] for t in done)
        line = (f"Lesson {self.lesson.number}: {len(done)} of {len(state)} checked, "
                f"{points:g} of {sum(self.lesson.asked.values()):g} points")
        if score := graded(self.root).get(self.lesson.name):
            line += "; graded {:g} of {:g}".format(*score)
        numbers = ", ".join(name[:2] for name in self.lesson.unlocks)
        after = f"lessons that build on it: {numbers}" if numbers else ""
        return state, line, after

    def __repr__(self) -> str:
        state, line, after = self.facts()
        rows = [f"  {MARKS[s]} {t}: {s}" for t, s in state.items() if s != CHECKED]
        return "\n".join([line, *rows, *filter(None, [after])])

    def _repr_html_(self) -> str:
        state, line, after = self.facts()
        done = sum(s == CHECKED for s in state.values())
        rows = "".join(f"<li><code>{escape(t)}</code>: {s}</li>"
                       for t, s in state.items() if s != CHECKED)
        rest = f"<p style='margin:0.3em 0'>Still to do:</p><ul>{rows}</ul>" if rows else ""
        return (f"<div><p style='margin:0.3em 0'><strong>{escape(line)}</strong></p>"
                f"<progress value='{done}' max='{len(state)}' aria-label='{escape(line)}' "
                f"style='width:20em;max-width:100%'>{escape(line)}</progress>{rest}"
                + (f"<p style='margin:0.3em 0'>{escape(after.capitalize())}.</p>" if after else "")
                + self.next() + "</div>")

    def next(self) -> str:
        """A link to the notebook of the lesson that follows, where there is one."""
        later = [each for each in lessons() if each.number > self.lesson.number]
        if not later or not (self.root / f"notebooks/{later[0].name}.ipynb").is_file():
            return ""
        return (f"<p style='margin:0.3em 0'>Next: <a href='{later[0].name}.ipynb'>"
                f"{later[0].number} {escape(later[0].title)}</a></p>")


SHOWN: list[tuple[Any, Progress]] = []  # the progress of this notebook, kept up to date


def progress(lesson: str | int) -> None:
    """Show how far a lesson is; later checks in the same notebook bring it up to date."""
    from IPython.display import display
    shown = Progress(package_root(), find(lesson))
    name = f"progress-{shown.lesson.number}"
    SHOWN[:] = [(display(shown, display_id=name), shown)]  # type: ignore[no-untyped-call]


def refresh() -> None:
    """Bring what `progress` shows up to date."""
    for handle, shown in SHOWN:
        if handle is not None:
            handle.update(shown)
