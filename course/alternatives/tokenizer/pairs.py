"""Right answers to the functions that byte-pair encoding is made of, in other styles."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from .. import alternative, alternative_edit

COUNT, BEST, MERGE = "tokenizer.count_pairs", "tokenizer.best_pair", "tokenizer.merge"
LEARN = "tokenizer.learn_merges"


@alternative(COUNT)
def by_index(words: Mapping[tuple[int, ...], int]) -> dict[tuple[int, int], int]:
    counts: dict[tuple[int, int], int] = {}
    for word in words:
        for i in range(len(word) - 1):
            pair = (word[i], word[i + 1])
            counts[pair] = counts.get(pair, 0) + words[word]
    return counts


@alternative(COUNT)
def zipped(words: Mapping[tuple[int, ...], int]) -> Counter[tuple[int, int]]:
    out: Counter[tuple[int, int]] = Counter()
    for word, n in words.items():
        out.update({pair: n * c for pair, c in Counter(zip(word, word[1:], strict=False)).items()})
    return out


@alternative(COUNT)
def repeated(words: Mapping[tuple[int, ...], int]) -> dict[tuple[int, int], int]:
    counts: dict[tuple[int, int], int] = defaultdict(int)
    for word, n in words.items():
        for _ in range(n):
            for left, right in zip(word[:-1], word[1:], strict=True):
                counts[left, right] += 1
    return counts


@alternative(BEST)
def one_key(counts: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    if not counts:
        return None
    best = min(counts, key=lambda pair: (-counts[pair], pair))
    return best if counts[best] >= 2 else None


@alternative(BEST)
def sorted_twice(counts: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    order = sorted(sorted(counts), key=lambda pair: counts[pair], reverse=True)
    if not order or counts[order[0]] < 2:
        return None
    return order[0]


@alternative(BEST)
def running_best(counts: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    best, most = None, 1
    for pair, n in counts.items():
        if n > most or (n == most and best is not None and pair < best):
            best, most = pair, n
    return best


@alternative(BEST)
def largest_of_negatives(counts: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    found = max(((n, -a, -b) for (a, b), n in counts.items() if n > 1), default=None)
    return None if found is None else (-found[1], -found[2])


@alternative(MERGE)
def skip_flag(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    out: list[int] = []
    skip = False
    for here, after in zip(ids, [*ids[1:], None], strict=False):
        if skip:
            skip = False
        elif (here, after) == pair:
            out.append(new_id)
            skip = True
        else:
            out.append(here)
    return out


@alternative(MERGE)
def from_the_end_of_out(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    out: list[int] = []
    free = False  # whether the last id of `out` may still be half of a pair
    for i in ids:
        if free and out[-1] == pair[0] and i == pair[1]:
            out[-1], free = new_id, False
        else:
            out.append(i)
            free = True
    return out


@alternative(MERGE)
def as_text(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    text = "".join(map(chr, ids)).replace(chr(pair[0]) + chr(pair[1]), chr(new_id))
    return [ord(c) for c in text]


@alternative(MERGE)
def on_a_copy(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    ids = list(ids)
    i = 0
    while i + 1 < len(ids):
        if ids[i] == pair[0] and ids[i + 1] == pair[1]:
            ids[i] = new_id
            del ids[i + 1]
        i += 1
    return ids


@alternative(LEARN)
def everything_again(words: Mapping[tuple[int, ...], int], count: int) -> list[tuple[int, int]]:
    from minillm.tokenizer import best_pair, merge
    now = [(list(word), times) for word, times in words.items()]
    merges: list[tuple[int, int]] = []
    while len(merges) < count:
        counts: Counter[tuple[int, int]] = Counter()
        for word, times in now:
            for pair in zip(word, word[1:], strict=False):
                counts[pair] += times
        best = best_pair(counts)
        if best is None:
            return merges
        now = [(merge(word, best, 256 + len(merges)), times) for word, times in now]
        merges.append(best)
    return merges


alternative_edit(LEARN, "one_difference", """            for pair in pairwise(now[number]):
                counts[pair] -= times[number]
            now[number] = merge(now[number], best, new_id)
            for pair in pairwise(now[number]):
                counts[pair] += times[number]
                where[pair].add(number)
""", """            old, new = now[number], merge(now[number], best, new_id)
            before, after = Counter(pairwise(old)), Counter(pairwise(new))
            for pair in before | after:
                counts[pair] += times[number] * (after[pair] - before[pair])
            for pair in after:
                where[pair].add(number)
            now[number] = new
""")
alternative_edit(LEARN, "new_words_first", """            for pair in pairwise(now[number]):
                counts[pair] -= times[number]
            now[number] = merge(now[number], best, new_id)
            for pair in pairwise(now[number]):
                counts[pair] += times[number]
                where[pair].add(number)
""", """            old = now[number]
            now[number] = merge(old, best, new_id)
            for left, right in zip(now[number], now[number][1:]):
                counts[left, right] = counts.get((left, right), 0) + times[number]
                where[left, right] |= {number}
            for left, right in zip(old, old[1:]):
                counts[left, right] = counts[left, right] - times[number]
""")
alternative_edit(LEARN, "zeros_removed", "        merges.append(best)\n",
                 "        counts = Counter({p: n for p, n in counts.items() if n > 0})\n"
                 "        merges.append(best)\n")
