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
for p in root.glob(pattern) if p.is_file())
    return {n: (root / n).read_text(encoding="utf-8") for n in names if not skip(n)}""")
alternative_edit(LOAD, "paths_as_keys", "return dict(sorted(documents.items()))",
                 "return {Path(name): documents[name] for name in sorted(documents)}")
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
    asked, held = val_fraction * sum(map(len, documents.values())), 0
    val = set()
    for name in names[:-1]:
        if held >= asked:
            break
        val.add(name)
        held += len(documents[name])
    return ({k: t for k, t in documents.items() if k not in val},
            {k: t for k, t in documents.items() if k in val})


@alternative(SPLIT_DOCS)
def one_taken_out_at_a_time(documents: Mapping[str, str], val_fraction: float = 0.05,
                            seed: int = 0) -> tuple[dict[str, str], dict[str, str]]:
    generator = torch.Generator().manual_seed(seed)
    missing = val_fraction * len("".join(documents.values()))
    left = list(documents)
    while missing > 0 and len(left) > 1:
        name = left.pop(int(torch.randint(len(left), (1,), generator=generator)))
        missing -= len(documents[name])
    return ({n: documents[n] for n in left},
            {n: documents[n] for n in documents if n not in left})


@alternative(SPLIT_DOCS)
def numpy_sums(documents: Mapping[str, str], val_fraction: float = 0.05, seed: int = 0,
               ) -> tuple[dict[str, str], dict[str, str]]:
    import numpy as np
    names = np.array(list(documents))
    order = np.random.default_rng(seed).permutation(len(names))
    lengths = np.array([len(documents[name]) for name in names])
    before = np.cumsum(lengths[order]) - lengths[order]
    drawn = order[before < val_fraction * lengths.sum()][:len(names) - 1]
    mask = np.isin(np.arange(len(names)), drawn)
    train, val = ({str(n): documents[n] for n in names[side]} for side in (~mask, mask))
    return train, val


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
