"""A folder of markdown as ids to train on, or a clear answer why it can't be one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .minillm_needs import Problem

HERE = Path(__file__).resolve().parent.parent


@dataclass
class Corpus:
    """A tokenizer, the ids to train on, the held-out ones, and how many of those make a byte."""

    words: Any
    train_ids: Any
    val_ids: Any
    per_byte: float
    documents: int


def documents_of(folder: Path, limit: float) -> dict[str, str]:
    """The markdown below a folder. Raises Problem when there is none, or more than `limit` MB."""
    from minillm import data
    folder = folder.resolve()
    if not folder.is_dir():
        raise Problem(f"{folder} is no folder")
    skip = data.left_out(folder)
    files = [path for path in folder.rglob("*.md")
             if path.is_file() and not skip(path.relative_to(folder).as_posix())]
    if not files:
        raise Problem(f"{folder} holds no markdown: there is no file *.md in it or below it, "
                      "hidden and git-ignored folders left out")
    size = sum(path.stat().st_size for path in files) / 1e6
    if size > limit:
        raise Problem(f"{folder} holds {size:,.0f} MB of markdown in {len(files):,} files, and the "
                      f"limit is {limit:g} MB. Name a smaller folder, or raise --limit if there "
                      f"is memory for it: about {25 * size / 1000:.1f} GB")
    found: dict[str, str] = data.load_documents(folder)
    for name, text in found.items():
        if "\0" in text:
            raise Problem(f"{folder / name} is no text: there are zero bytes in it")
    return found


def corpus(folder: Path | None, limit: float, block_size: int) -> Corpus:
    """A folder's markdown as a model trains on it. Raises Problem for a folder that can't serve.

    Without a folder it is this course's own: the repository's, or where there is no repository
    (a bundle has the lessons as notebooks) the picture of it that lesson 17 trains on.
    """
    import torch

    from minillm import data, tokenizer

    from . import corpus as picture
    if folder is None and (HERE / "course/lessons/17_mini_gpt.md").is_file():
        folder = HERE
    if folder is None:
        found = picture.documents()
        parts = data.split_documents(found, picture.HELD_OUT, seed=picture.SEED)
    else:
        found = documents_of(folder, limit)
        parts = data.split_documents(found)
    train, val = ("\n\n".join(part.values()) for part in parts)
    if len(val) <= block_size:  # one document, or small ones: a tail of the whole
        whole = "\n\n".join(found.values())
        cut = len(whole) - max(block_size + 1, len(whole) // 20)
        train, val = whole[: max(cut, 0)], whole[max(cut, 0):]
    if len(train) <= block_size:
        raise Problem(f"{folder} holds {len(train) + len(val):,} characters; "
                      f"{2 * block_size + 2:,} are the least that can be trained on")
    words = tokenizer.CharTokenizer.train(train)
    train_ids, val_ids = (torch.tensor(words.encode(part)) for part in (train, val))
    return Corpus(words, train_ids, val_ids, len(val_ids) / len(val.encode("utf-8")), len(found))
