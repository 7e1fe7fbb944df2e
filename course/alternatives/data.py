"""Right answers to `minillm.data` in other styles."""

from collections.abc import Mapping
from pathlib import Path

import torch

from . import alternative, alternative_edit

LOAD, CORPUS, SPLIT_DOCS = "data.load_documents", "data.load_corpus", "data.split_documents"
SPLIT, BATCH = "data.split", "data.get_batch"


alternative_edit(LOAD, "one_comprehension", """documents = {}
    for path in root.glob(pattern):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not skip(name):
            documents[name] = read(path)
    return dict(sorted(documents.items()))""", """names = sorted(p.relative_to(root).as_posix() \
for p in root.glob(pattern))
    return {n: (root / n).read_text(encoding="utf-8") for n in names if not skip(n)}""")
alternative_edit(LOAD, "paths_as_keys", "documents[name] = read(path)",
                 "documents[Path(name)] = path.read_bytes().decode()")
alternative_edit(LOAD, "rglob_of_the_last_part", "root.glob(pattern)",
                 'sorted(root.rglob(pattern[3:]) if pattern.startswith("**/") '
                 "else root.glob(pattern))")


@alternative(LOAD)
def walk(root: str | Path, pattern: str = "**/*.md") -> dict[str, str]:
    import os
    from fnmatch import fnmatch
    root = Path(root)
    unwanted = set()
    if (root / ".gitignore").exists():
        lines = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
        unwanted = {line.strip().strip("/") for line in lines if line and line[0] != "#"}
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f[0] != "." and f not in unwanted]
        for file in files:
            name = os.path.relpath(os.path.join(folder, file), root).replace(os.sep, "/")
            deep = pattern.removeprefix("**/")
            fits = fnmatch(file, deep) if deep != pattern else fnmatch(name, pattern)
            if fits and (deep != pattern or "/" not in name):
                found[name] = open(os.path.join(folder, file), encoding="utf-8").read()
    return {name: found[name] for name in sorted(found)}


@alternative(CORPUS)
def a_loop(root: str | Path, pattern: str = "**/*.md") -> str:
    from minillm.data import load_documents
    text = ""
    for document in load_documents(root, pattern).values():
        text += ("\n\n" if text else "") + document
    return text


@alternative(CORPUS)
def by_sorted_names(root: str | Path, pattern: str = "**/*.md") -> str:
    from minillm.data import load_documents
    documents = load_documents(root, pattern)
    return "\n\n".join([documents[name] for name in sorted(documents)])


@alternative(CORPUS)
def with_format(root: str | Path, pattern: str = "**/*.md") -> str:
    from minillm.data import load_documents
    return "".join(f"\n\n{t}" for t in load_documents(root, pattern=pattern).values())[2:]


@alternative(SPLIT_DOCS)
def python_random(documents: Mapping[str, str], val_fraction: float = 0.05, seed: int = 0,
                  ) -> tuple[dict[str, str], dict[str, str]]:
    import random
    names = sorted(documents)
    random.Random(seed).shuffle(names)
    n = max(1, round(len(names) * val_fraction))
    return {k: documents[k] for k in names[n:]}, {k: documents[k] for k in names[:n]}


@alternative(SPLIT_DOCS)
def a_hash_for_each_name(documents: Mapping[str, str], val_fraction: float = 0.05, seed: int = 0,
                         ) -> tuple[dict[str, str], dict[str, str]]:
    import hashlib
    train: dict[str, str] = {}
    val: dict[str, str] = {}
    for name, text in documents.items():
        digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
        side = val if int.from_bytes(digest[:4]) < val_fraction * 2**32 else train
        side[name] = text
    return train, val


@alternative(SPLIT_DOCS)
def numpy_choice(documents: Mapping[str, str], val_fraction: float = 0.05, seed: int = 0,
                 ) -> tuple[dict[str, str], dict[str, str]]:
    import numpy as np
    names = list(documents)
    chosen = np.random.default_rng(seed).choice(
        len(names), int(len(names) * val_fraction), replace=False)
    val = {names[i]: documents[names[i]] for i in sorted(chosen)}
    return {name: text for name, text in documents.items() if name not in val}, val


@alternative(SPLIT_DOCS)
def torch_permutation(documents: Mapping[str, str], val_fraction: float = 0.05, seed: int = 0,
                      ) -> tuple[dict[str, str], dict[str, str]]:
    order = torch.randperm(len(documents), generator=torch.Generator().manual_seed(seed)).tolist()
    items = list(documents.items())
    cut = len(items) - int(len(items) * val_fraction)
    return dict(items[i] for i in order[:cut]), dict(items[i] for i in order[cut:])


@alternative(SPLIT)
def torch_split(ids: torch.Tensor, val_fraction: float = 0.05) -> tuple[torch.Tensor, ...]:
    n = int(ids.numel() * val_fraction)
    return torch.split(ids, [ids.numel() - n, n])


@alternative(SPLIT)
def two_cases(ids: torch.Tensor, val_fraction: float = 0.05) -> tuple[torch.Tensor, torch.Tensor]:
    n = int(len(ids) * val_fraction)
    if n == 0:
        return ids, ids[:0]
    return ids[:-n], ids[-n:]


@alternative(SPLIT)
def narrow(ids: torch.Tensor, val_fraction: float = 0.05) -> list[torch.Tensor]:
    val = int(val_fraction * ids.shape[0])
    train = ids.shape[0] - val
    return [ids.narrow(0, 0, train).clone(), ids.narrow(0, train, val).clone()]


@alternative(BATCH)
def stacked_slices(ids: torch.Tensor, block_size: int, batch_size: int,
                   generator: torch.Generator | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    ix = torch.randint(0, len(ids) - block_size, (batch_size,), generator=generator)
    x = torch.stack([ids[i:i + block_size] for i in ix])
    y = torch.stack([ids[i + 1:i + 1 + block_size] for i in ix])
    return x, y


@alternative(BATCH)
def unfolded(ids: torch.Tensor, block_size: int, batch_size: int,
             generator: torch.Generator | None = None) -> tuple[torch.Tensor, ...]:
    windows = ids.unfold(0, block_size + 1, 1)
    drawn = windows[torch.randint(len(windows), (batch_size,), generator=generator)]
    return drawn[:, :-1], drawn[:, 1:]


@alternative(BATCH)
def from_rand(ids: torch.Tensor, block_size: int, batch_size: int,
              generator: torch.Generator | None = None) -> list[torch.Tensor]:
    starts = torch.rand(batch_size, generator=generator).mul(ids.shape[0] - block_size).long()
    both = torch.stack([ids[s:s + block_size + 1] for s in starts.tolist()])
    return [both[:, :block_size].contiguous(), both[:, 1:].contiguous()]


@alternative(BATCH)
def gathered(ids: torch.Tensor, block_size: int, batch_size: int,
             generator: torch.Generator | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    first = torch.empty(batch_size, 1).uniform_(0, 1, generator=generator)
    first = (first * (len(ids) - block_size)).floor().to(torch.int64)
    at = first + torch.arange(block_size + 1).unsqueeze(0)
    both = torch.gather(ids.expand(batch_size, -1), 1, at)
    return both[:, :-1], both[:, 1:]
