"""Text to ids and back: characters, and byte-pair encoding learned from counts.

An id is an int. In byte-pair encoding the ids 0 … 255 are the bytes, and id 256 + i stands for the
two ids that merge i joined. A word is one piece of the text after the pre-split, as its bytes.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import regex

UNKNOWN = "\N{REPLACEMENT CHARACTER}"  # what an unknown id and unreadable bytes decode to
# Radford et al. (2019): an English ending, a word, a number or marks with the space before them
PIECE = regex.compile(
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def write_saved(path: str | Path, kind: str, learned: list[Any]) -> None:
    Path(path).write_text(json.dumps({"kind": kind, "learned": learned}), "utf-8")


def read_saved(path: str | Path, kind: str) -> list[Any]:
    """What was learned. Raises ValueError for a file that holds no tokenizer of this kind."""
    saved = json.loads(Path(path).read_text("utf-8"))
    if not isinstance(saved, dict) or saved.get("kind") != kind:
        raise ValueError(f"{path} holds no {kind} tokenizer")
    return list(saved["learned"])


def check_ids(ids: Iterable[int], size: int) -> list[int]:
    """The ids as ints. Raises ValueError for one outside 0 … size-1."""
    known = [int(i) for i in ids]
    for i in known:
        if not 0 <= i < size:
            raise ValueError(f"id {i} is outside 0 … {size - 1}")
    return known


class CharTokenizer:
    """One id for each known character, and the last id for every other one.

    `chars[i]` is the character of id i; `ids` is the way back. `train(text, cap)` keeps the `cap`
    most common characters (equal counts: first seen first). `encode` gives a list of ints. `decode`
    gives U+FFFD for the unknown id and raises ValueError for an id that there is not. `len()`
    counts the unknown id too.
    """

    def __init__(self, chars: Sequence[str]) -> None:
        self.chars = list(chars)
        self.ids = {c: i for i, c in enumerate(self.chars)}

    @classmethod
    def train(cls, text: str, cap: int = 4000) -> "CharTokenizer":
        if cap < 0:
            raise ValueError(f"cap is {cap}; a vocabulary can't be smaller than nothing")
        ### BEGIN SOLUTION
        return cls([c for c, _ in Counter(text).most_common(cap)])
        ### END SOLUTION

    def __len__(self) -> int:
        return len(self.chars) + 1

    def encode(self, text: str) -> list[int]:
        ### BEGIN SOLUTION
        unknown = len(self.chars)
        return [self.ids.get(c, unknown) for c in text]
        ### END SOLUTION

    def decode(self, ids: Iterable[int]) -> str:
        known = check_ids(ids, len(self))
        ### BEGIN SOLUTION
        signs = [*self.chars, UNKNOWN]
        return "".join(signs[i] for i in known)
        ### END SOLUTION

    def save(self, path: str | Path) -> None:
        write_saved(path, "char", self.chars)

    @classmethod
    def load(cls, path: str | Path) -> "CharTokenizer":
        return cls(read_saved(path, "char"))


def utf8(text: str) -> bytes:
    """The bytes of a text. Raises ValueError for half of a surrogate pair, which has none."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{text[error.start]!r} at position {error.start} is half of a surrogate "
                         "pair; UTF-8 has no bytes for it") from None


def byte_words(text: str) -> Counter[tuple[int, ...]]:
    """How often each piece of the pre-split text occurs, each as its bytes."""
    utf8(text)
    return Counter({tuple(utf8(piece)): times
                    for piece, times in Counter(PIECE.findall(text)).items()})


def count_pairs(words: Mapping[tuple[int, ...], int]) -> Counter[tuple[int, int]]:
    """How often each pair of neighbouring ids occurs in a text that holds `words[w]` times word w.

    Each place counts, those that overlap too: (a, a) stands twice in (a, a, a). Pairs never reach
    from one word into the next. Source: Sennrich, Haddow and Birch (2016).
    """
    ### BEGIN SOLUTION
    counts: Counter[tuple[int, int]] = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            counts[pair] += times
    return counts
    ### END SOLUTION


def best_pair(counts: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    """The pair to merge next: the most frequent one, and of equally frequent ones the smallest.

    Pairs are compared as tuples. None when no pair occurs twice, since then nothing is won.
    """
    ### BEGIN SOLUTION
    top = max(counts.values(), default=0)
    if top < 2:
        return None
    return min(pair for pair, times in counts.items() if times == top)
    ### END SOLUTION


def merge(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    """The ids with `new_id` in place of each `pair`, from left to right, as a new list.

    Of places that overlap the left one is taken: (a, a, a) becomes [new, a].
    """
    ### BEGIN SOLUTION
    out, at = [], 0
    while at < len(ids):
        if tuple(ids[at:at + 2]) == pair:
            out.append(new_id)
            at += 2
        else:
            out.append(ids[at])
            at += 1
    return out
    ### END SOLUTION


def learn_merges(words: Mapping[tuple[int, ...], int], count: int) -> list[tuple[int, int]]:
    """The first `count` merges, or fewer when no pair occurs twice any more; merge i makes 256 + i.

    `words` says how often each word occurs. All words are counted once. After a merge, only the
    words that hold its pair are counted again: what they had is taken off `counts`, and what they
    have now is put on. Source: Sennrich, Haddow and Birch (2016).
    """
    now = [list(word) for word in words]  # each word with the merges so far
    times = list(words.values())
    counts = count_pairs(words)
    # pair → the numbers of the words that hold it, or once held it
    where: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for number, ids in enumerate(now):
        for held in pairwise(ids):
            where[held].add(number)
    merges: list[tuple[int, int]] = []
    while len(merges) < count and (best := best_pair(counts)):
        new_id = 256 + len(merges)
        for number in where.pop(best, set()):
            ### BEGIN SOLUTION
            for pair in pairwise(now[number]):
                counts[pair] -= times[number]
            now[number] = merge(now[number], best, new_id)
            for pair in pairwise(now[number]):
                counts[pair] += times[number]
                where[pair].add(number)
            ### END SOLUTION
        merges.append(best)
    return merges


class BPETokenizer:
    """Byte-level byte-pair encoding: every text has ids, and they give it back exactly.

    `train(text, vocab_size)` learns up to `vocab_size - 256` merges. `encode` gives a list of ints:
    the text is pre-split, and in the bytes of each piece the pair that was learned first is merged
    everywhere, then the next, until no learned pair is left. `decode` joins the bytes of the ids;
    bytes that are no UTF-8 give U+FFFD. Both ways raise ValueError for what can't be meant: half
    of a surrogate pair, or an id that there is not. Source: Radford et al. (2019).
    """

    def __init__(self, merges: Sequence[tuple[int, int]]) -> None:
        self.merges = list(merges)
        self.new_id = {pair: 256 + i for i, pair in enumerate(self.merges)}
        self.token = [bytes([i]) for i in range(256)]  # the bytes of each id
        self.known: dict[str, list[int]] = {}  # pieces that have been encoded, and their ids
        ### BEGIN SOLUTION
        for left, right in self.merges:
            self.token.append(self.token[left] + self.token[right])
        ### END SOLUTION

    @classmethod
    def train(cls, text: str, vocab_size: int) -> "BPETokenizer":
        if vocab_size < 256:
            raise ValueError(f"vocab_size is {vocab_size}; the bytes alone are 256")
        ### BEGIN SOLUTION
        return cls(learn_merges(byte_words(text), vocab_size - 256))
        ### END SOLUTION

    def __len__(self) -> int:
        return len(self.token)

    def encode_piece(self, ids: list[int]) -> list[int]:
        """The bytes of one piece, merged as far as they go."""
        ### BEGIN SOLUTION
        while len(ids) > 1:
            first = min(pairwise(ids), key=lambda pair: self.new_id.get(pair, len(self)))
            if first not in self.new_id:
                break
            ids = merge(ids, first, self.new_id[first])
        return ids
        ### END SOLUTION

    def encode(self, text: str) -> list[int]:
        utf8(text)  # refuses what has no bytes
        ids: list[int] = []
        for piece in PIECE.findall(text):
            if piece not in self.known:
                self.known[piece] = self.encode_piece(list(utf8(piece)))
            ids += self.known[piece]
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        known = check_ids(ids, len(self))
        ### BEGIN SOLUTION
        return b"".join(self.token[i] for i in known).decode("utf-8", errors="replace")
        ### END SOLUTION

    def save(self, path: str | Path) -> None:
        write_saved(path, "bpe", self.merges)

    @classmethod
    def load(cls, path: str | Path) -> "BPETokenizer":
        return cls([(left, right) for left, right in read_saved(path, "bpe")])
