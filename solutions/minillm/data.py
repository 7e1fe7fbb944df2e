"""Documents on disk, their split into training and validation, and batches of next-token targets.

Letters: B rows of a batch, T tokens of a row.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import torch


def glob_regex(glob: str) -> str:
    """A pattern of a .gitignore as a regular expression: ? * ** [a-z] and \\ before a sign."""
    parts = {"**/": "(?:.*/)?", "/**": "/.*", "**": "[^/]*", "*": "[^/]*", "?": "[^/]"}
    out = []
    for part in re.findall(r"\*\*/|/\*\*$|\*+|\?|\[[^]]+\]|\\.|.", glob):
        if part in parts:
            out.append(parts[part])
        elif len(part) > 1 and part[0] == "[":
            out.append(part.replace("[!", "[^", 1))
        else:
            out.append(re.escape(part.removeprefix("\\") or part))
    return "".join(out)


def ignore_rules(folder: Path) -> list[tuple[re.Pattern[str], bool, bool]]:
    """The rules of one .gitignore: a pattern for paths below it, only folders?, ignored or kept?"""
    file, rules = folder / ".gitignore", []
    for line in file.read_text("utf-8").splitlines() if file.is_file() else []:
        text = re.sub(r"(?<!\\)\s+$", "", line)
        kept, text = text.startswith("!"), text.removeprefix("!")
        body = text.strip("/")
        if not body or line.startswith("#"):
            continue
        anywhere = "" if "/" in text.rstrip("/") else "(?:.*/)?"
        rules.append((re.compile(anywhere + glob_regex(body)), text.endswith("/"), not kept))
    return rules


def left_out(root: Path) -> Callable[[str], bool]:
    """Whether the file at a path below `root` is hidden or git-ignored, itself or by a folder.

    Hidden is what begins with a dot. The .gitignore files in `root` and below it decide, and those
    above it up to the folder that holds .git; git itself is not needed.
    """
    top = next((p for p in (root, *root.parents) if (p / ".git").exists()), root)
    rules: dict[Path, list[tuple[re.Pattern[str], bool, bool]]] = {}

    def ignored(path: Path, is_folder: bool) -> bool:
        verdict = False
        for above in [p for p in reversed(path.parents) if p == top or top in p.parents]:
            if above not in rules:
                rules[above] = ignore_rules(above)
            name = path.relative_to(above).as_posix()
            for pattern, only_folders, says in rules[above]:
                if (is_folder or not only_folders) and pattern.fullmatch(name):
                    verdict = says
        return verdict

    def test(name: str) -> bool:
        path = Path(name)
        steps = [p for p in reversed([path, *path.parents]) if p.name]  # the outermost folder first
        return any(p.name.startswith(".") or ignored(root / p, p != path) for p in steps)

    return test


def load_documents(root: str | Path, pattern: str = "**/*.md") -> dict[str, str]:
    """The text of every file below `root` that fits `pattern`, by its path relative to `root`.

    Paths have forward slashes and are sorted as strings, the same on every machine. Hidden and
    git-ignored folders and files are left out (`left_out` knows which). Files are read as UTF-8.
    Raises ValueError when `root` is no folder, or a file is not UTF-8.
    """
    root = Path(root).resolve()
    if not root.is_dir():
        raise ValueError(f"{root} is no folder")
    skip = left_out(root)  # skip("notes/a.md") is True for what is to be left out
    ### BEGIN SOLUTION
    documents = {}
    for path in root.glob(pattern):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not skip(name):
            documents[name] = read(path)
    return dict(sorted(documents.items()))
    ### END SOLUTION


def read(path: Path) -> str:
    """The text of one file. Raises ValueError, with the name, for a file that is not UTF-8."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from error


def load_corpus(root: str | Path, pattern: str = "**/*.md") -> str:
    """The documents of `load_documents` as one text, in their order, with a blank line between.

    Raises ValueError as `load_documents` does.
    """
    ### BEGIN SOLUTION
    return "\n\n".join(load_documents(root, pattern).values())
    ### END SOLUTION


def split_documents(
    documents: Mapping[str, str], val_fraction: float = 0.05, seed: int = 0
) -> tuple[dict[str, str], dict[str, str]]:
    """Training and validation documents: each whole document is in one of the two dicts.

    Which ones are drawn depends on `seed` alone. Documents are drawn until they hold at least
    `val_fraction` of all characters; at least one is left for training. Both dicts keep the order
    of `documents`. Raises ValueError when `val_fraction` is not in [0, 1).
    """
    if not 0 <= val_fraction < 1:
        raise ValueError(f"val_fraction is {val_fraction}, and it should be in [0, 1)")
    names = list(documents)
    generator = torch.Generator().manual_seed(seed)
    ### BEGIN SOLUTION
    missing = val_fraction * sum(len(text) for text in documents.values())
    drawn: set[str] = set()
    for i in torch.randperm(len(names), generator=generator).tolist()[1:]:  # one is left
        if missing > 0:
            drawn.add(names[i])
            missing -= len(documents[names[i]])
    train = {name: text for name, text in documents.items() if name not in drawn}
    val = {name: text for name, text in documents.items() if name in drawn}
    return train, val
    ### END SOLUTION


def split(ids: torch.Tensor, val_fraction: float = 0.05) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut `ids` [n] in two: `(train, val)`, where the last int(n · val_fraction) ids are `val`.

    Raises ValueError when `ids` has not one dimension or `val_fraction` is not in [0, 1].
    """
    if ids.dim() != 1 or not 0 <= val_fraction <= 1:
        raise ValueError(f"ids {tuple(ids.shape)} with val_fraction {val_fraction}")
    ### BEGIN SOLUTION
    cut = len(ids) - int(len(ids) * val_fraction)
    return ids[:cut], ids[cut:]
    ### END SOLUTION


def get_batch(
    ids: torch.Tensor,
    block_size: int,
    batch_size: int,
    generator: torch.Generator | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw windows of `ids` [n] and their targets: `(x [B, T], y [B, T])`, T = `block_size`.

    Row by row x is ids[i : i + T] and y is ids[i + 1 : i + 1 + T], for a start i that is drawn
    evenly from all that are possible, the last one too. Randomness comes from `generator` alone.
    Raises ValueError when no window and its targets fit, so when n ≤ T.
    """
    if ids.dim() != 1 or len(ids) <= block_size:
        raise ValueError(f"ids {tuple(ids.shape)} hold no window of {block_size} and its targets")
    ### BEGIN SOLUTION
    starts = torch.randint(len(ids) - block_size, (batch_size, 1), generator=generator)  # (B, 1)
    at = starts + torch.arange(block_size)  # (B, T)
    return ids[at], ids[at + 1]
    ### END SOLUTION
