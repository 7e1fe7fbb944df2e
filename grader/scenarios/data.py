"""How the parts of `minillm.data` are tried when a submission is graded."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from course.scenarios import See
from course.scenarios.data.batches import seeded
from course.scenarios.data.documents import Load, amounts, folder, in_order

from . import hidden

TREE = {
    "k/l/m/deep.md": "at the bottom", "k/half.md": "half way", "top.md": "At the top:\n\n\n好  é",
    "k/l/.ipynb_checkpoints/copy.md": "a copy", "dist/page.md": "made", "k/dist/page.md": "made",
    ".github/help.md": "for others", "k/l/note.markdown": "another ending",
    ".gitignore": "dist/\n*.log\n", "k/distance.md": "not ignored\n\n", "k/B.md": "", "A.md": "\n",
}


@hidden("data.load_documents")
def load_documents(f: Load, see: See) -> None:
    def names(*pattern: str, inside: str = "") -> str:
        with folder(TREE, inside) as root:
            return ", ".join(Path(key).as_posix() for key in f(root, *pattern))

    def texts() -> str:
        with folder(TREE) as root:
            return " | ".join(f(root).values())

    see("the files of another tree", names)
    see("their texts, in order", texts)
    see("the files of a tree below a hidden folder", names, inside=".cache/tree")
    see("the files below a hidden folder that fit another pattern", names, "**/*.markdown",
        inside=".x/.y")
    see("the files that fit another pattern", names, "**/*.markdown")
    see("the files when there are none", names, "**/*.rst")


@hidden("data.load_corpus")
def load_corpus(f: Callable[..., str], see: See) -> None:
    def text(*pattern: str) -> str:
        with folder(TREE) as root:
            return f(root, *pattern)

    see("the text of another tree", text)
    see("the text when no file fits", text, "**/*.rst")


EQUAL = {f"{i:02}.md": f"{i:02} text" for i in range(60)}


@hidden("data.split_documents")
def split_documents(f: Callable[..., Any], see: See) -> None:
    def names(seed: int) -> str:
        train, val = f(dict(EQUAL), val_fraction=0.25, seed=seed)
        return " ".join(sorted([*train, *val])).replace(".md", "")

    def drawn(*seeds: int) -> torch.Tensor:
        made = [f(dict(EQUAL), val_fraction=0.25, seed=seed)[1] for seed in seeds]
        return torch.tensor([[name in val for name in list(EQUAL)[:50]] for val in made])

    see("names on the two sides together", names, 12)
    see("texts of the validation documents", lambda: [
        float(text == EQUAL[name]) for name, text in sorted(
            f(dict(EQUAL), 0.25, 3)[1].items())[:3]])
    many = {f"{i}": "as long as the others" for i in range(500)}
    see("how far the share held out is from 1/8 … 3/8 when a quarter is asked for",
        lambda: torch.tensor([len(f(many, 0.25, 8)[1]), 500]), derive="how far from a quarter")
    see("change for the same seed", drawn, 9, 9, derive="largest change")
    lengths = {f"{n}": "x" * n for n in range(3, 40)}
    see("whether texts are drawn until they hold enough, and no further", amounts, f, lengths, 0.3,
        6, 7, 8, 9, derive="whether it is enough and not too much")
    tongues = {f"{n}": "é" * 9 if n % 3 else "e" * 20 for n in range(30)}
    see("whether characters are counted and not bytes", amounts, f, tongues, 0.3, 1, 2, 3, 4,
        derive="whether it is enough and not too much")
    see("whether the order is kept", in_order, f, lengths, 0.4, 5,
        derive="a pair in the wrong order")
    see("change for another seed", drawn, 9, 10, derive="whether they differ")


@hidden("data.split")
def split(f: Callable[..., Any], see: See) -> None:
    sides = ("train", "val")
    ids = (53 * torch.arange(50)) % 97
    see("split of int32 ids", f, ids[:30].int(), 0.2, parts=sides)
    for n, fraction in ((50, 0.1), (19, 0.05), (33, 0.7), (3, 0.3), (1, 0.5), (6, 1.0),
                        (40, 0.175)):
        see(f"split of {n} ids at {fraction}", f, ids[:n], fraction, parts=sides)


@hidden("data.get_batch")
def get_batch(f: Callable[..., Any], see: See) -> None:
    def starts(n: int, T: int) -> list[int]:
        x = f(torch.arange(n), T, 400, generator=seeded(2))[0]
        found: list[int] = x[:, 0].unique().tolist()
        return found

    ids = (41 * torch.arange(60)) % 83
    place = torch.zeros(83, dtype=torch.int64).scatter(0, ids, torch.arange(60))

    def places(part: int) -> torch.Tensor:
        batch = f(ids, 7, 3, generator=seeded(11))
        at: torch.Tensor = place[batch[part]] - place[batch[0][:, :1]]
        return at

    def same(*seeds: int) -> torch.Tensor:
        return torch.stack([f(torch.arange(900), 5, 2, generator=seeded(s))[1] for s in seeds])

    see("places of x in the text, from where a row begins", places, 0)
    see("places of y in the text, from where the row of x begins", places, 1)
    see("the only window", f, ids[:3], 2, 4, generator=seeded(0), parts=("x", "y"))
    see("places where windows start", starts, 12, 5)
    see("places where windows start when two are possible", starts, 6, 4)
    see("change for the same seed", same, 4, 4, derive="whether they differ")
    see("change for another seed", same, 4, 5, derive="whether they differ")
    one = seeded(6)
    see("change from one batch to the next", lambda: torch.stack(
        [f(torch.arange(900), 5, 2, generator=one)[0] for _ in range(2)]),
        derive="whether they differ")
    see("the only window of int32 ids", f, ids[:5].int(), 4, 2, generator=seeded(0),
        parts=("x", "y"))
