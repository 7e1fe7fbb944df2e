"""Answers that look alike, to look at and not as a verdict: copydetect's fingerprints.

Names, comments and layout do not count. What the released notebook gives does not count either,
nor what several of the class wrote alike: short right answers have few forms.
"""

import io
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from .repair import asked

LENGTH = 25  # signs of code, after names have become single letters, that count as a match
ENOUGH, LEAST = 0.6, 80  # part of one of the two answers, and signs in all, that a pair shares
MOST = 50  # pairs that are listed


@dataclass(frozen=True)
class Pair:
    """Two learners, how much of each one's own code is in the other's, and the parts of it."""

    learners: tuple[str, str]
    shares: tuple[float, float]
    parts: list[str]


def text(nb: NotebookNode) -> str:
    """All answers of a repaired notebook."""
    return "\n\n".join(each.answer.source for each in asked(nb)) + "\n"


def fingerprint(name: str, source: str, known: Any = None) -> Any:
    from copydetect import CodeFingerprint
    return CodeFingerprint(f"{name}.py", LENGTH, 1, boilerplate=known, language="python",
                           fp=io.StringIO(source))


def similar(answers: dict[str, str], released: str) -> list[Pair]:
    """The pairs of learners whose answers share much, the most alike first."""
    import numpy as np
    from copydetect import compare_files
    given = set(fingerprint("released", released).hashes)
    prints = {name: fingerprint(name, source) for name, source in answers.items()}
    spread = Counter(code for each in prints.values() for code in set(each.hashes))
    common = {code for code, count in spread.items() if count > max(3, len(prints) // 10)}
    known = np.array(sorted(given | common))
    prints = {name: fingerprint(name, source, known) for name, source in answers.items()}
    holders: dict[int, list[str]] = {}
    for name, each in prints.items():
        for code in set(each.hashes):
            holders.setdefault(code, []).append(name)
    candidates = Counter(pair for names in holders.values() for pair in combinations(names, 2))
    found = []
    for pair in candidates:
        overlap, shares, slices = compare_files(prints[pair[0]], prints[pair[1]])
        if overlap >= LEAST and max(shares) >= ENOUGH:
            parts = [answers[pair[0]][int(a):int(b)].strip() for a, b in zip(*slices[0],
                                                                             strict=True)]
            found.append((float(overlap), Pair(pair, (float(shares[0]), float(shares[1])),
                                               list(filter(None, parts)))))
    found.sort(key=lambda each: (-max(each[1].shares), -each[0], each[1].learners))
    return [pair for _, pair in found[:MOST]]


def in_class(paths: dict[str, Path], released: NotebookNode) -> list[Pair]:
    """The same for submissions as they lie in `submitted/`; what cannot be read is left out."""
    from .notebooks import NotANotebook, read
    from .repair import repair
    answers = {}
    for learner, path in paths.items():
        try:
            answers[learner] = text(repair(read(path.read_bytes()), released)[0])
        except (NotANotebook, OSError):
            continue
    return similar(answers, text(released))
