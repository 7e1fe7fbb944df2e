"""What is known of each submission while a class is graded: whole files, one for each step taken.

`journal/LESSON/LEARNER.run.json` holds the executed notebook and the observations, `….result.json`
the outcomes and whether nbgrader has recorded them. Each carries the key of what it was made from,
so that a run which was killed goes on where it stopped and nothing half done is taken for done.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from course.files import sweep, write

Entry = dict[str, Any]


def key(*parts: str | bytes) -> str:
    """One name for everything that a result depends on."""
    whole = sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()[:32]


class Journal:
    """The entries of one lesson of a class."""

    def __init__(self, folder: Path, lesson: str) -> None:
        self.folder = folder / lesson
        if self.folder.is_dir():
            sweep(self.folder)

    def load(self, learner: str, step: str) -> Entry | None:
        """An entry, or None when there is none that can be read."""
        try:
            entry: Entry = json.loads((self.folder / f"{learner}.{step}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return entry if isinstance(entry, dict) else None

    def save(self, learner: str, step: str, entry: Entry) -> None:
        write(self.folder / f"{learner}.{step}.json",
              json.dumps(entry, ensure_ascii=False, sort_keys=True))

    def forget(self, learner: str, step: str) -> None:
        (self.folder / f"{learner}.{step}.json").unlink(missing_ok=True)

    def learners(self, step: str) -> list[str]:
        end = f".{step}.json"
        return sorted(p.name.removesuffix(end) for p in self.folder.glob(f"*{end}"))
