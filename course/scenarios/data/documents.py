"""How documents are tried: on small folders made for it, and by properties of what is drawn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from .. import See, scenario
from ..guards import drawn_elsewhere

Load = Callable[..., dict[Any, str]]
FILES = {
    "b.md": "second", "a.md": " First:  naïve 我", "notes/c.md": "The THIRD",
    "notes/deep/a.md": "über", "notes/e.txt": "no markdown", ".hidden/f.md": "hidden",
    "notes.md": "beside the folder", "notes/.cache/g.md": "hidden too",
    "build/h.md": "made by a program", "notes/build/i.md": "made too", "drafts/j.md": "a draft",
    ".gitignore": "# what programs make\n\nbuild/\ndrafts\n",
}
MORE = {
    "readme.md": "read me", "text-2.md": "before the folder", "text/two.md": "two",
    "text/one.md": "Three,\n\n\nand four",
    ".venv/lib/licence.md": "not yours", "text/.trash/old.md": "thrown away",
    "site/index.md": "made from the others", "text/site/two.md": "made from it",
    "text/one.txt": "no markdown", ".venv/top.txt": "not yours", ".gitignore": "site/\n",
}
# line breaks at the ends, an empty file, two equal texts
ENDS = {
    "README.md": "read me\n", "Z.md": "", "a.md": "read me\n", "b/c.md": "in a folder\n\n",
    "b/d.txt": "no markdown\n",
}
BROKEN = b"caf\xe9, in latin-1"
PLAIN = {"z.md": "first text", "y/w.md": "third", "y/x.md": "second", "y.txt": "no markdown"}


@contextmanager
def folder(files: dict[str, str], inside: str = "") -> Iterator[Path]:
    """A folder with these files, `inside` another one."""
    with TemporaryDirectory() as top:
        root = Path(top) / "corpus" / inside
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8")
        yield root


@contextmanager
def nameless(root: Path) -> Iterator[None]:
    """What is raised does not name the folder, which is called otherwise each time."""
    try:
        yield
    except OSError as error:
        raise type(error)(str(error.strerror)) from None
    except ValueError as error:
        said = str(error).replace(f"{root.resolve()}/", "").replace(f"{root}/", "")
        raise ValueError(said) from None


def found(f: Load, root: Path, *pattern: str) -> str:
    """The paths that are found, in order."""
    with nameless(root):
        names = [Path(key).as_posix() for key in f(root, *pattern)]
    for above in (root.resolve().as_posix(), root.as_posix()):
        names = [name.replace(above, "the folder itself") for name in names]
    return ", ".join(names)


@scenario("data.load_documents")
def load_documents(f: Load, see: See) -> None:
    def names(files: dict[str, str], *pattern: str, inside: str = "") -> str:
        with folder(files, inside) as root:
            return found(f, root, *pattern)

    def text(name: str) -> str:
        with folder(FILES) as root:
            return {Path(key).as_posix(): found for key, found in f(root).items()}[name]

    def texts(files: dict[str, str], *pattern: str) -> str:
        with folder(files) as root, nameless(root):
            return " | ".join(f(root, *pattern).values())

    def beside_one_that_is_not_utf8(files: dict[str, str], name: str = "latin.md") -> str:
        with folder(files) as root:
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_bytes(BROKEN)
            return found(f, root)

    see("the files that are found", names, FILES)
    see("the files found where nothing is hidden or ignored", names, PLAIN)
    see("the files that are found in another folder", names, MORE)
    see("the files that fit **/*.txt", names, FILES, "**/*.txt")
    see("the files that fit *.md", names, FILES, "*.md")
    see("the files of a folder that lies in a hidden one", names, PLAIN, inside=".share/texts")
    see("the files of a folder that lies in a hidden one deeper down", names, MORE,
        inside="a/.b/c")
    see("the text of a.md", text, "a.md")
    see("the text of notes/deep/a.md", text, "notes/deep/a.md")
    for pattern in ("**/*.md", "*.md"):
        see(f"the files that fit {pattern} beside README.md and Z.md", names, ENDS, pattern)
        see(f"the texts of these, {pattern}", texts, ENDS, pattern)
    see("a folder with a hidden file that is not UTF-8", beside_one_that_is_not_utf8, PLAIN,
        ".venv/latin.md")
    see("a folder with a git-ignored file that is not UTF-8", beside_one_that_is_not_utf8, FILES,
        "build/latin.md")
    see("the root given as a string", lambda: names_of_string(f))
    see("a folder with a file that is not UTF-8", beside_one_that_is_not_utf8, PLAIN)
    see("another folder with a file that is not UTF-8", beside_one_that_is_not_utf8, FILES)


def names_of_string(f: Load) -> str:
    with folder(PLAIN) as root:
        return ", ".join(Path(key).name for key in f(str(root)))


@scenario("data.load_corpus")
def load_corpus(f: Callable[..., str], see: See) -> None:
    def text(files: dict[str, str], *pattern: str) -> str:
        with folder(files) as root:
            return f(root, *pattern)

    see("the whole text", text, FILES)
    see("the whole text where nothing is hidden or ignored", text, PLAIN)
    see("the whole text of another folder", text, MORE)
    see("the text of the files that fit **/*.txt", text, FILES, "**/*.txt")
    see("the text of the files of another folder that fit **/*.txt", text, MORE, "**/*.txt")
    see("the whole text of files with line breaks at the end, one empty, two equal", text, ENDS)
    see("the text of those that fit *.md", text, ENDS, "*.md")
    see("the text of one file", text, {"only.md": "alone\n\nhere"})


DOCUMENTS = {f"{a}{b}": f"text number {a}{b}" for a in "pqrst" for b in "abcdefgh"}  # 40, equal
TONGUES = {f"{i}": "我" * 10 if i % 2 else "a" * 20 for i in range(40)}  # 30 bytes and 20
UNEVEN = {f"{i}": "s" if i % 3 else "long " * 20 for i in range(30)}


def amounts(f: Callable[..., Any], documents: dict[str, str], fraction: float, *seeds: int) -> Any:
    """A row for each seed: the characters held out, the longest of those texts, what was asked for,
    and how many documents are left.
    """
    rows = []
    for seed in seeds:
        train, val = f(dict(documents), val_fraction=fraction, seed=seed)
        sizes = [len(text) for text in val.values()]
        asked = fraction * sum(map(len, documents.values()))
        rows.append([sum(sizes), max(sizes, default=0), asked, len(train)])
    return torch.tensor(rows, dtype=torch.float64)


def in_order(f: Callable[..., Any], documents: dict[str, str], fraction: float, seed: int) -> Any:
    """The places [n, 2] of neighbours in each dict that comes back, in the dict that went in."""
    place = {name: at for at, name in enumerate(documents)}
    return torch.tensor([[place[a], place[b]] for side in f(dict(documents), fraction, seed)
                         for a, b in pairwise(side)])


@scenario("data.split_documents")
def split_documents(f: Callable[..., Any], see: See) -> None:
    def both(seed: int = 0) -> tuple[dict[str, str], dict[str, str]]:
        train, val = f(dict(DOCUMENTS), val_fraction=0.25, seed=seed)
        return train, val

    def share(seed: int) -> torch.Tensor:
        many = {f"{i}": "equally long" for i in range(400)}
        return torch.tensor([len(f(many, val_fraction=0.25, seed=seed)[1]), len(many)])

    def drawn(*seeds: int) -> torch.Tensor:
        return torch.tensor([[name in both(seed)[1] for name in DOCUMENTS] for seed in seeds])

    def outside(seed: int) -> torch.Tensor:
        """What is drawn without a generator, with and without a split before."""
        return drawn_elsewhere(lambda: both(seed))

    def left_in(seed: int) -> int:
        documents = dict(DOCUMENTS)
        f(documents, val_fraction=0.25, seed=seed)
        return len(documents)

    def kept(seed: int = 0) -> str:
        train, val = both(seed)
        return " ".join(sorted([*train, *val]))

    def whole(seed: int) -> list[bool]:
        train, val = both(seed)
        return [{**train, **val}.get(name) == text for name, text in DOCUMENTS.items()]

    see("all names, from both sides", kept)
    see("all names for another seed", kept, 7)
    see("names on both sides", lambda: " ".join(
        sorted(set.intersection(*map(set, both())))))
    see("which texts are whole and with their name", whole, 0)
    see("which texts are whole for another seed", whole, 7)
    for documents, which in ((UNEVEN, "texts of unequal length"), (DOCUMENTS, "equal texts"),
                             (TONGUES, "texts in English and Chinese")):
        for fraction, seeds in ((0.25, (0, 1, 2, 3)), (0.4, (4, 5, 6, 7))):
            see(f"{which}: are they drawn until they hold {fraction:g} of all characters, and no "
                "further? (1: too few, 2: too many, 3: this and that)", amounts, f, documents,
                fraction, *seeds, derive="whether it is enough and not too much")
    for documents, which in ((DOCUMENTS, "equal"), (UNEVEN, "unequal")):
        see(f"texts of {which} length: has their order changed? (0: no, 1: yes)",
            in_order, f, documents, 0.5, 2, derive="a pair in the wrong order")
        see(f"texts of {which} length: how many are held out at 0", lambda d: len(
            f(dict(d), val_fraction=0.0)[1]), documents)
        see(f"texts of {which} length: how many are left at 0.9999", lambda d: len(
            f(dict(d), val_fraction=0.9999)[0]), documents)
    for seed in (0, 3):
        see(f"how far the share held out is from 1/8 … 3/8, seed {seed} (a quarter is asked for)",
            share, seed, derive="how far from a quarter")
    for seed in (0, 3):
        see(f"change when seed {seed} is used again", drawn, seed, seed, derive="largest change")
        see("does an own generator of torch, NumPy or Python move? (0: no, 1: yes), seed "
            f"{seed}", outside, seed, derive="whether they differ")
        see(f"documents that were given and are still there, seed {seed}", left_in, seed)
    see("change between seeds 0 and 1", drawn, 0, 1, derive="largest change")
    see("change between seeds 4 and 5", drawn, 4, 5, derive="largest change")
