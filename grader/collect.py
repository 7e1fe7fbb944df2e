"""`grader collect`: submissions as they arrive → `collected/` as they were, `submitted/`."""

import json
import os
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import Any

import nbformat
from nbformat import NotebookNode

from course.files import write

from . import late
from .archive import Arrived, Refused, arrivals, nfc
from .classroom import Classroom
from .errors import GraderError
from .learners import BLACKBOARD, EXCHANGE, Owner, new_id, owners, slug
from .notebooks import NotANotebook, lesson_of, read
from .repair import repair

INDEX = "index.json"
STAMP = "timestamp.txt"  # nbgrader's
SECRET = "submission_secret.txt"  # the exchange's: feedback is found by it
UNKNOWN = "unknown"  # where notebooks are kept that belong to no lesson, or to nobody


@dataclass
class Summary:
    """What was taken, what was there already, and what needs a person, a line each."""

    taken: list[str] = field(default_factory=list)
    known: int = 0
    repaired: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class Index:
    """`collected/index.json`: the learners, and every attempt of each with where it is kept."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "collected" / INDEX
        try:
            known = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            known = {}
        except (OSError, ValueError) as error:
            raise GraderError(f"{self.path} cannot be read: {error}") from error
        self.learners: dict[str, dict[str, Any]] = known.get("learners", {})
        self.attempts: list[dict[str, Any]] = []
        self.places: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.owners: dict[str, str] = {
            key: name for name, about in self.learners.items() for key in about["keys"]}
        for attempt in known.get("attempts", []):
            self.add(attempt)

    def save(self) -> None:
        write(self.path, json.dumps({"learners": self.learners, "attempts": self.attempts},
                                    indent=1, ensure_ascii=False) + "\n")

    def learner(self, owner: Owner) -> str:
        """The id of an owner; a new one when this key was never seen."""
        if owner.key not in self.owners:
            made = new_id(owner, self.learners)
            self.learners[made] = {"name": owner.name, "keys": [owner.key]}
            self.owners[owner.key] = made
        return self.owners[owner.key]

    def add(self, attempt: dict[str, Any]) -> None:
        self.attempts.append(attempt)
        self.places.setdefault((attempt["learner"], attempt["lesson"]), []).append(attempt)

    def of(self, learner: str, lesson: str) -> list[dict[str, Any]]:
        return self.places.get((learner, lesson), [])

    def newest(self, learner: str, lesson: str, until: float | None = None,
               ) -> dict[str, Any] | None:
        """The attempt that counts: the newest that can be read; of two, the last collected.

        Those that came `until` a time go before later ones.
        """
        found = [a for a in self.of(learner, lesson) if not a["fault"]]
        in_time = [a for a in found if until is not None and a["when"] <= until]
        return max(in_time or found, key=lambda a: (a["when"], a["order"]), default=None)


class Collecting:
    """One run of `grader collect`."""

    def __init__(self, classroom: Classroom, only: str | None = None) -> None:
        self.classroom, self.only = classroom, only
        self.released = {name: classroom.released(name) for name in classroom.lessons()}
        if not self.released:
            raise GraderError(f"no lesson has been released in {classroom.folder}; "
                              "`grader release` does that")
        self.index = Index(classroom.folder)
        self.until = late.cut_off(classroom)
        self.summary = Summary()
        self.secrets: dict[PurePosixPath, str] = {}  # by folder
        self.before, self.here = len(self.index.attempts), set[tuple[str, str]]()

    def run(self, source: Path) -> Summary:
        """Take everything in `source`; what is wrong with one file never stops the others."""
        came = list(arrivals(source))
        files = [a for a in came if isinstance(a, Arrived)]
        self.summary.problems += [f"{r.path}: refused: {r.why}" for r in came
                                  if isinstance(r, Refused)]
        texts = {a.path: a.content.decode("utf-8", "replace") for a in files
                 if a.path.suffix == ".txt" and BLACKBOARD.match(a.path.name)}
        self.secrets = {a.path.parent: a.content.decode("utf-8", "replace") for a in files
                        if a.path.name == SECRET}
        whose = owners([a.path for a in files], self.released, nfc(source.resolve().name), texts)
        self.here = {(o.key, sha256(a.content).hexdigest()) for a in files if (o := whose[a.path])}
        touched: dict[tuple[str, str], None] = {}
        for file in sorted(files, key=lambda a: natural(str(a.path))):
            if file.path.suffix.lower() == ".ipynb":
                self.take(file, whose[file.path], touched)
        self.missing(source, files, whose)
        self.summary.notes += not_theirs(source)
        if not any(f.path.suffix.lower() == ".ipynb" for f in files):
            raise GraderError("\n".join([f"{source} holds no notebook", *self.summary.problems]))
        for learner, lesson in touched | dict.fromkeys(self.index.places):
            if (learner, lesson) in touched or self.counts_another(learner, lesson):
                self.submit(learner, lesson)
        self.index.save()
        return self.summary

    def take(self, file: Arrived, owner: Owner | None, touched: dict[tuple[str, str], None],
             ) -> None:
        """Keep one notebook as it came, and note whose it is and of which lesson."""
        fault, lesson = "", UNKNOWN
        try:
            lesson = lesson_of(read(file.content), self.released, file.path.name)
        except NotANotebook as error:
            fault = str(error)
            lesson = self.only or self.named(file.path) or UNKNOWN
        if owner is None:
            kept = self.keep(file, UNKNOWN, "nobody")
            self.summary.problems.append(f"{file.path}: whose is it? Put it into a folder with the "
                                         f"learner's name (kept as {kept})")
            return
        if self.only and lesson != self.only and not fault:
            self.summary.problems.append(f"{file.path}: not taken: it is the notebook of {lesson}, "
                                         f"not of {self.only}")
            return
        learner = self.index.learner(owner)
        digest = sha256(file.content).hexdigest()
        if any(a["sha256"] == digest for a in self.index.of(learner, lesson)) \
                and not self.again(file, owner, learner, lesson, digest):
            self.summary.known += 1
        else:
            kept = self.keep(file, lesson, learner)
            self.index.add({
                "learner": learner, "lesson": lesson, "file": kept, "from": str(file.path),
                "sha256": digest, "when": owner.when or file.when, "fault": fault,
                "order": len(self.index.attempts), "secret": self.secrets.get(file.path.parent)})
            if lesson != UNKNOWN:
                touched[learner, lesson] = None
            if not fault:
                self.summary.taken.append(f"{learner}: {lesson}, from {file.path}")
        if fault:
            self.summary.problems.append(f"{file.path}: {learner} cannot be graded on it: {fault}")

    def again(self, file: Arrived, owner: Owner, learner: str, lesson: str, digest: str) -> bool:
        """Whether a known attempt was handed in once more, after another that would count.

        A name that tells the time says so. The time of a file does when the other did not come
        along again: both may have been copied since.
        """
        other = self.index.newest(learner, lesson)
        if other is None or other["sha256"] == digest or \
                (owner.when or file.when) <= other["when"]:
            return False
        copied = other["order"] < self.before and (owner.key, other["sha256"]) in self.here
        return bool(owner.when) or not copied

    def named(self, path: PurePosixPath) -> str:
        """The lesson that a file's name names, for one that cannot be read."""
        found = [name for name in self.released if name in path.name]
        return found[0] if len(found) == 1 else ""

    def keep(self, file: Arrived, lesson: str, learner: str) -> str:
        """Write the original, byte for byte; gives its path below `collected/`."""
        digest = sha256(file.content).hexdigest()[:8]
        kept = Path(lesson, learner, f"{slug(file.path.stem) or 'notebook'}-{digest}.ipynb")
        write(self.classroom.folder / "collected" / kept, file.content)
        return kept.as_posix()

    def missing(self, source: Path, files: list[Arrived],
                whose: dict[PurePosixPath, Owner | None]) -> None:
        """Name the learners who sent something, or an empty folder, and no notebook."""
        handed_in = {o.key for a in files if (o := whose[a.path])
                     and a.path.suffix.lower() == ".ipynb"}
        others: dict[str, list[Arrived]] = {}
        for file in files:
            owner = whose[file.path]
            flat = len(file.path.parts) == 1 and owner and owner.key.startswith("name ")
            if owner and owner.key not in handed_in and not flat:
                others.setdefault(owner.name, []).append(file)
        for name, theirs in sorted(others.items()):
            shown = ", ".join(sorted(f.path.name for f in theirs)[:3])
            self.summary.problems.append(f"{name}: no notebook, only {shown}")
        if source.is_dir():
            full = {a.path.parts[0] for a in files}
            self.summary.problems += [f"{p.name}: an empty folder" for p in sorted(source.iterdir())
                                      if p.is_dir() and not p.is_symlink()
                                      and not p.name.startswith((".", "__"))
                                      and nfc(p.name) not in full]
        homonyms: dict[str, list[str]] = {}
        for learner, about in self.index.learners.items():
            homonyms.setdefault(about["name"].casefold(), []).append(learner)
        self.summary.notes += [
            f"{len(ids)} learners are called {self.index.learners[ids[0]]['name']!r}: "
            f"{', '.join(ids)}" for ids in homonyms.values() if len(ids) > 1]

    def counts_another(self, learner: str, lesson: str) -> bool:
        """Whether, by a deadline that was moved, another attempt counts than the one taken."""
        until = self.until(learner, lesson)
        attempt = self.index.newest(learner, lesson, until)
        path = self.classroom.notebook("submitted", lesson, learner).with_name(STAMP)
        return until is not None and attempt is not None and path.is_file() \
            and path.read_text("utf-8").strip() != stamp(attempt["when"])

    def submit(self, learner: str, lesson: str) -> None:
        """Put the attempt that counts, repaired, where nbgrader looks for it."""
        attempt = self.index.newest(learner, lesson, self.until(learner, lesson))
        if attempt is None:
            return
        unread = [a for a in self.index.of(learner, lesson) if a["fault"]
                 and (a["when"], a["order"]) > (attempt["when"], attempt["order"])]
        if unread:
            self.summary.problems.append(f"{learner}: the newest attempt at {lesson} cannot be "
                                         "read; the one before it counts until another comes")
        raw = (self.classroom.folder / "collected" / attempt["file"]).read_bytes()
        nb, repairs = repair(read(raw), self.released[lesson])
        attempt["repairs"] = repairs
        self.summary.repaired += [f"{learner}: {each}" for each in repairs]
        place(self.classroom, lesson, learner, nb, attempt["when"], attempt.get("secret"))


def not_theirs(source: Path) -> list[str]:
    """Folders of the exchange that belong neither to the learner they name nor to who collects."""
    found = []
    for folder in sorted(source.glob("*+*+*")):
        match = EXCHANGE.match(folder.name)
        if match and (uid := folder.stat().st_uid) != os.getuid():
            try:
                account = folder.owner()
            except KeyError:
                account = str(uid)
            if account != match["user"]:
                found.append(f"{folder.name} is in the name of {match['user']} and belongs to "
                             f"the account {account}")
    return found


def place(classroom: Classroom, lesson: str, learner: str, nb: NotebookNode, when: float,
          secret: str | None = None) -> None:
    """Write `submitted/LEARNER/LESSON/`, with time and secret of the attempt where nbgrader looks.

    nbgrader hands both on to its feedback; `nbgrader release_feedback` fails without a secret, so
    who did not hand in through the exchange gets one that nobody knows.
    """
    path = classroom.notebook("submitted", lesson, learner)
    write(path, nbformat.writes(nb))
    if when:
        write(path.with_name(STAMP), stamp(when) + "\n")
    write(path.with_name(SECRET), secret or token_hex())


def stamp(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def natural(name: str) -> list[Any]:
    """A sort key in which attempt-10 comes after attempt-9."""
    return [int(p) if p.isdigit() else p.casefold() for p in re.split(r"(\d+)", name)]
