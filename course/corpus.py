"""The corpus of the finale: this project's markdown as it was on one day, in one file.

Lesson 17 trains on it, and its stored experiments were run on it. Were it read from the files
themselves, every change of a sentence anywhere would change every number there, and a learner's
bundle holds no lesson as markdown. One JSON file and not a folder of copies: a search for `*.md` in
the project would find each text twice, and the copy of a held-out text among those to train on.

`python -m course.corpus` in the repository takes a new picture; then `make experiments`.
"""

import hashlib
import json
import math
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).resolve().parent
FILE = HERE / "data/corpus.json"
HELD_OUT, SEED = 0.06, 1  # the split that the lesson and the experiments share


def documents() -> dict[str, str]:
    """The texts by their path in the project, in order of path."""
    found: dict[str, str] = json.loads(FILE.read_text("utf-8"))["documents"]
    return found


def mark(texts: dict[str, str]) -> str:
    """A short name for exactly these texts: stored results say by it what they were made from."""
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Data:
    """The corpus as ids: training and validation, whole documents in one of them only."""

    tokenizer: Any
    train_ids: torch.Tensor
    val_ids: torch.Tensor
    bytes_per_token: float  # of the validation text
    mark: str


@cache
def data() -> Data:
    """The corpus of the finale, split and encoded the same way for every run."""
    from minillm import data as texts_of
    from minillm import tokenizer

    texts = documents()
    train, val = texts_of.split_documents(texts, HELD_OUT, seed=SEED)
    train_text, val_text = "\n\n".join(train.values()), "\n\n".join(val.values())
    made = tokenizer.CharTokenizer.train(train_text)
    return Data(made, torch.tensor(made.encode(train_text)), torch.tensor(made.encode(val_text)),
                len(val_text.encode()) / len(val_text), mark(texts))


def bits_per_byte(loss: float) -> float:
    """A loss in nats per character of the validation text, in bits per byte (lesson 03)."""
    return loss / math.log(2) / data().bytes_per_token


def refresh(root: Path) -> dict[str, str]:
    """Write the markdown below `root` to `FILE`; hidden and git-ignored files are left out.

    So is `notebooks/`: its markdown is built from `course/lessons/`, and of a text that stands
    twice one copy could be held out and the other trained on.
    """
    from minillm import data

    texts = {name: text for name, text in data.load_documents(root).items()
             if not name.startswith("notebooks/")}
    state = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"],
                           capture_output=True, text=True)
    made = {"made": "by `python -m course.corpus`; not edited by hand", "mark": mark(texts),
            "commit": state.stdout.strip(), "documents": texts}
    FILE.write_text(json.dumps(made, ensure_ascii=False, indent=0) + "\n", "utf-8")
    return texts


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent / "solutions"))
    found = refresh(HERE.parent)
    print(f"{len(found)} documents, {sum(map(len, found.values())):,} characters: {mark(found)}")
