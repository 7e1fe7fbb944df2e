"""How `minillm.data` is tried: on small folders made for it, and by properties of what is drawn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from . import See, scenario

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


@scenario("data.load_documents")
def load_documents(f: Load, see: See) -> None:
    def names(files: dict[str, str], *pattern: str, inside: str = "") -> str:
        with folder(files, inside) as root:
            found = [Path(key).as_posix() for key in f(root, *pattern)]
            for above in (root.resolve().as_posix(), root.as_posix()):
                found = [name.replace(above, "the folder itself") for name in found]
            return ", ".join(found)

    def text(name: str) -> str:
        with folder(FILES) as root:
            return {Path(key).as_posix(): found for key, found in f(root).items()}[name]

    def beside_one_that_is_not_utf8(files: dict[str, str]) -> str:
        with folder(files) as root:
            (root / "latin.md").write_bytes(BROKEN)
            try:
                return ", ".join(Path(key).as_posix() for key in f(root))
            except ValueError as error:  # without the folder, which has another name each time
                said = str(error).replace(f"{root.resolve()}/", "").replace(f"{root}/", "")
                raise ValueError(said) from None

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
    see("the text of one file", text, {"only.md": "alone\n\nhere"})


DOCUMENTS = {f"{a}{b}": f"text number {a}{b}" for a in "pqrst" for b in "abcdefgh"}  # 40, equal
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
        """What torch draws without a generator, with and without a split before."""
        with torch.random.fork_rng(devices=[]):
            found = []
            for function in (lambda: None, lambda: both(seed)):
                torch.manual_seed(99)
                function()
                found.append(torch.rand(3))
            return torch.stack(found)

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
    for fraction, seeds in ((0.25, (0, 1, 2, 3)), (0.4, (4, 5, 6, 7))):
        see(f"texts of unequal length: are they drawn until they hold {fraction:g} of all "
            "characters, and no further? (1: too few, 2: too many, 3: this and that)",
            amounts, f, UNEVEN, fraction, *seeds,
            derive="whether it is enough and not too much")
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
        see(f"does torch's own generator move? (0: no, 1: yes), seed {seed}", outside, seed,
            derive="whether they differ")
        see(f"documents that were given and are still there, seed {seed}", left_in, seed)
    see("change between seeds 0 and 1", drawn, 0, 1, derive="largest change")
    see("change between seeds 4 and 5", drawn, 4, 5, derive="largest change")


IDS = (37 * torch.arange(1, 22)) % 101


@scenario("data.split")
def split(f: Callable[..., Any], see: See) -> None:
    sides = ("train", "val")
    see("split of 20 ids at 0.25", f, IDS[:20], 0.25, parts=sides)
    see("split of 21 ids at 0.25", f, IDS, 0.25, parts=sides)
    see("split of 10 ids at 0.05", f, IDS[:10], 0.05, parts=sides)
    see("split of 21 ids, nothing said", f, IDS, parts=sides)
    see("split of 7 ids at 0.5", f, IDS[:7], 0.5, parts=sides)
    see("split of 6 ids at 0", f, IDS[:6], 0.0, parts=sides)
    see("split of 100 ids at 0.29", f, torch.arange(100), 0.29, parts=sides)
    see("split of int32 ids", f, IDS[:9].int(), 0.34, parts=sides)


LINE = torch.arange(40)


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@scenario("data.get_batch")
def get_batch(f: Callable[..., Any], see: See) -> None:
    def against_ids(ids: torch.Tensor, part: int, T: int, B: int) -> torch.Tensor:
        """Windows as they came, and as they stand in `ids` from where x begins."""
        batch = f(ids, T, B, generator=seeded(3))
        starts = (ids == batch[0][:, :1]).int().argmax(1, keepdim=True)
        at = (starts + torch.arange(T) + part).clamp(max=len(ids) - 1)
        return torch.stack([batch[part], ids[at]])

    def starts(n: int, T: int, side: int = 0) -> list[int]:
        batch = f(torch.arange(n), T, 500, generator=seeded(1))
        found: list[int] = batch[side][:, 0].unique().tolist()
        return found

    def how_often(n: int, T: int) -> torch.Tensor:
        """How often each start was drawn; [n - T]."""
        x = f(torch.arange(n), T, 500, generator=seeded(1))[0]
        return torch.bincount(x[:, 0], minlength=n - T)

    def two(first: int, second: int) -> torch.Tensor:
        ids = torch.arange(1000)
        return torch.stack([f(ids, 3, 4, generator=seeded(s))[0] for s in (first, second)])

    def two_from_one() -> torch.Tensor:
        one = seeded(5)
        return torch.stack([f(torch.arange(1000), 3, 4, generator=one)[0] for _ in range(2)])

    def two_without(T: int, B: int) -> torch.Tensor:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return torch.stack([f(torch.arange(1000), T, B)[0] for _ in range(2)])

    def whatever_the_global_state() -> torch.Tensor:
        with torch.random.fork_rng(devices=[]):
            found = []
            for seed in (1, 2):
                torch.manual_seed(seed)
                found.append(f(torch.arange(1000), 3, 4, generator=seeded(5))[0])
            return torch.stack(found)

    def without() -> torch.Tensor:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            x, y = f(LINE, 5, 2)
        apart: torch.Tensor = y - x
        return apart

    see("the only window of 7 ids", f, IDS[:7], 6, 3, generator=seeded(0), parts=("x", "y"))
    see("x − x₀ in a batch of 0, 1, 2, …", lambda: [x - x[:, :1] for x, _ in [
        f(LINE, 5, 4, generator=seeded(0))]][0])
    see("y − x in a batch of 0, 1, 2, …", lambda: [y - x for x, y in [
        f(LINE, 5, 4, generator=seeded(0))]][0])
    see("y − x without a generator", without)
    for T, B in ((3, 4), (2, 5)):
        see(f"change from one batch of {B} × {T} to the next, without a generator", two_without, T,
            B, derive="whether they differ")
    see("x against the ids", against_ids, IDS, 0, 4, 6, derive="largest change")
    see("y against the ids", against_ids, IDS, 1, 4, 6, derive="largest change")
    see("first ids of x among 500 windows of 4 from 0 … 8", starts, 9, 4)
    see("first ids of y among them", starts, 9, 4, 1)
    see("first ids of x among 500 windows of 1 from 0 … 3", starts, 4, 1)
    for n, T in ((9, 4), (11, 7)):
        see(f"how far 500 starts of windows of {T} among {n} ids are from equally often (0: within "
            "half of it)", how_often, n, T, derive="how far from equally often")
    see("change when the generator has the same seed", two, 0, 0, derive="whether they differ")
    see("change when the generator has another seed", two, 0, 1, derive="whether they differ")
    see("change from one batch to the next", two_from_one, derive="whether they differ")
    see("change when torch's own seed is another", whatever_the_global_state,
        derive="whether they differ")
    see("the only window of int32 ids", f, IDS[:4].int(), 3, 2, generator=seeded(0),
        parts=("x", "y"))
