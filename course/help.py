"""Which entry of `notebooks/help.md` explains an error or a result that came."""

import math
import re

from .values import NOTHING, Value, is_error

# kind of error, what its text says, and the entry; the first that fits counts
ENTRIES = [
    ("NotImplementedError", "not filled in yet", "not-filled"),
    ("", "inplace operation|in-place", "inplace"),
    ("changed its input", "", "inplace"),
    ("SyntaxError|IndentationError|TabError", "", "syntax"),
    ("AttributeError", "module '.*' has no attribute", "no-attribute"),
    ("NameError", "", "name-error"),
    ("TypeError", "unsupported operand", "operand"),
    ("MemoryError|OutOfMemoryError", "", "memory"),
    ("RuntimeError", "can't allocate memory|out of memory", "memory"),
    ("ImportError|ModuleNotFoundError", "", "import"),
    ("RuntimeError", "dtype|scalar type|expected .* but found", "dtype"),
    ("RuntimeError|ValueError|IndexError",
     "size|shape|dimension|broadcast|cannot be multiplied|unpack", "shape"),
]


def entry_for_error(kind: str, text: str) -> str | None:
    """The entry for an error of this kind that says this, or None."""
    for kinds, says, entry in ENTRIES:
        if (not kinds or re.fullmatch(kinds, kind)) and re.search(says, text):
            return entry
    return None


def entry_for(seen: Value, right: Value) -> str | None:
    """The entry for a result that is not the right one, or None."""
    if is_error(seen):
        return None if is_error(right) else entry_for_error(seen["error"], seen["text"])
    if seen == NOTHING != right:
        return "none"
    if "data" not in seen or "data" not in right:
        return None
    if right["dtype"] != seen["dtype"] and "number" not in (right["dtype"], seen["dtype"]):
        return "dtype"
    if any(map(math.isnan, seen["data"])) and not any(map(math.isnan, right["data"])):
        return "nan"
    return None


def pointer(entry: str | None) -> str:
    return f" (help.md has an entry: {entry})" if entry else ""
