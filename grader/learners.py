"""Whose file it is, told from where it lies; and an id for each learner that no other can get."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

MOODLE = re.compile(r"^(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file_?(?P<file>.*)$")
BLACKBOARD = re.compile(
    r"^(?P<head>.+)_attempt_(?P<when>\d{4}(?:-\d{2}){5})(?:_(?P<file>.+)|\.txt)$")
CANVAS = re.compile(r"^(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_(?P<number>\d+)_(?P<file>.+)$")
EXCHANGE = re.compile(  # nbgrader's: learner, lesson, time, and a random end so that none can guess
    r"^(?P<user>.+)\+[^+]+\+(?P<when>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}) UTC(\+[^+]+)?$")
NAMED = re.compile(r"^Name:\s*(?P<name>.+?)\s*\((?P<user>[^)]+)\)\s*$", re.MULTILINE)
COPY = {"notebooks", "minillm", "backups", "course"}  # folders of a learner's working copy
WRAPPERS = re.compile(r"(submissions?|assignments?|downloads?|lesson.*|class|\d\d_\w+)$",
                      re.IGNORECASE)


@dataclass(frozen=True)
class Owner:
    """Whose a file is: `key` is the same for one learner and never for two, `name` is for people.

    `when` is the time that stands in the file's name, 0 when there is none.
    """

    key: str
    name: str
    when: float = 0.0


def owners(paths: Iterable[PurePosixPath], lessons: Iterable[str], source: str,
           texts: dict[PurePosixPath, str] | None = None) -> dict[PurePosixPath, Owner | None]:
    """The owner of each path; None where nothing tells. `texts` are the notes an LMS adds."""
    paths, lessons = list(paths), list(lessons)
    found: dict[PurePosixPath, Owner | None] = {}
    heads = {m["head"] for p in paths for part in p.parts if (m := BLACKBOARD.match(part))}
    users = blackboard_users(heads, texts or {})
    plain = []
    for path in paths:
        owner = next((o for part in path.parts if (o := from_lms(part, users))), None)
        if owner:
            found[path] = owner
        else:
            plain.append(path)
    found |= from_folders(plain, lessons, source)
    return tell_apart(found)


def from_lms(part: str, users: dict[str, tuple[str, str]]) -> Owner | None:
    """The owner that an LMS, or nbgrader's exchange, wrote into a name."""
    if match := MOODLE.match(part):
        return Owner(f"moodle {match['name']} {match['id']}", match["name"])
    if match := BLACKBOARD.match(part):
        user, name = users[match["head"]]
        when = datetime.strptime(match["when"], "%Y-%m-%d-%H-%M-%S").timestamp()
        return Owner(f"blackboard {user}", name, when)
    if match := CANVAS.match(part):
        return Owner(f"canvas {match['id']}", match["name"])
    if match := EXCHANGE.match(part):
        when = datetime.fromisoformat(f"{match['when']}+00:00").timestamp()
        return Owner(f"exchange {match['user']}", match["user"], when)
    return None


def blackboard_users(heads: set[str],
                     texts: dict[PurePosixPath, str]) -> dict[str, tuple[str, str]]:
    """User and name for each `Assignment_user`: the note of an attempt says it, else the last part.

    Both may hold a `_`; what all heads begin with is the assignment.
    """
    found = {}
    for path, text in texts.items():
        match, named = BLACKBOARD.match(path.name), NAMED.search(text)
        if match and named and match["head"].endswith(f"_{named['user']}"):
            found[match["head"]] = (named["user"], named["name"])
    rest = heads - found.keys()
    common = len(commonprefix(heads).rpartition("_")[0]) if len(heads) > 1 else 0
    for head in rest:
        user = head[common:].lstrip("_") if common else head.rpartition("_")[2]
        found[head] = (user, user)
    return found


def commonprefix(names: set[str]) -> str:
    first, last = min(names), max(names)
    return first[:next((i for i, c in enumerate(first) if c != last[i:i + 1]), len(first))]


def from_folders(paths: list[PurePosixPath], lessons: list[str],
                 source: str) -> dict[PurePosixPath, Owner | None]:
    """A folder (or zip) per learner, or a notebook per learner with the name in its name."""
    around = wrapping(paths)
    inner = {path: PurePosixPath(*path.parts[around:]) for path in paths}
    whole = {p.parts[0] for p in inner.values() if len(p.parts) > 1}
    if "notebooks" in whole and whole <= COPY:  # somebody's working copy, and nothing around it
        name = re.sub(r"\.zip$", "", source, flags=re.IGNORECASE)
        return {path: Owner(f"name {name}", name) for path in paths}
    found: dict[PurePosixPath, Owner | None] = {}
    for path, short in inner.items():
        first = short.parts[0]
        name = re.sub(r"\.zip$", "", first, flags=re.IGNORECASE) if len(short.parts) > 1 \
            else from_file(PurePosixPath(first).stem, lessons)
        found[path] = Owner(f"name {name}", name) if name else None
    return found


def wrapping(paths: list[PurePosixPath]) -> int:
    """How many folders stand around everything without being a learner's."""
    for depth in range(8):
        tops = {p.parts[depth] for p in paths if len(p.parts) > depth}
        if len(tops) != 1 or any(len(p.parts) <= depth + 2 for p in paths):
            return depth
        below = {p.parts[depth + 1] for p in paths}
        if below & COPY or (len(below) == 1 and not WRAPPERS.match(min(tops))):
            return depth
    return 0


def from_file(stem: str, lessons: list[str]) -> str:
    """The learner's name in the name of a file, without the lesson's."""
    for lesson in lessons:
        stem = re.sub(r"[\s_-]+".join(map(re.escape, lesson.split("_"))), " ", stem,
                      flags=re.IGNORECASE)
    return re.sub(r"^[\s_\-.,]+|[\s_\-.,]+$", "", stem)


def tell_apart(found: dict[PurePosixPath, Owner | None]) -> dict[PurePosixPath, Owner | None]:
    """Moodle's numbers change from task to task, so the name is the key, unless two share it."""
    keys: dict[str, set[str]] = {}
    for owner in found.values():
        if owner and owner.key.startswith("moodle "):
            keys.setdefault(owner.name, set()).add(owner.key)
    return {path: Owner(f"name {owner.name}", owner.name, owner.when)
            if owner and owner.key.startswith("moodle ") and len(keys[owner.name]) == 1 else owner
            for path, owner in found.items()}


def slug(name: str) -> str:
    """A name as a folder that every system, glob and shell takes as it is; letters stay letters."""
    made = "".join(c if c.isalnum() or c in "_." else "-" for c in name)
    made = re.sub(r"-{2,}", "-", made).strip("-.")[:60].rstrip("-.")
    if re.fullmatch(r"(con|prn|aux|nul|com\d|lpt\d|)(\..*)?", made, re.IGNORECASE):
        made = f"learner-{made}".rstrip("-")
    return made


def new_id(owner: Owner, taken: Iterable[str]) -> str:
    """An id for a learner who has none: never one that differs from another's only in case."""
    used = {other.casefold() for other in taken}
    stem = slug(owner.name)
    number = re.search(r"\d+$", owner.key)
    tries = [stem, *([f"{stem}-{number[0]}"] if number else []),
             *(f"{stem}-{n}" for n in range(2, len(used) + 3))]
    return next(each for each in tries if each.casefold() not in used)
