"""Training and encoding with the reference BPETokenizer against Hugging Face's `tokenizers`.

    OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false .venv/bin/python benchmarks/tokenizer.py

Both learn 1,000 merges from the same 1 MB of text and encode it, each on one core, in turns, so
that a noisy machine treats them alike; the ratio is that of the medians. The text is made by a
seeded generator: words of syllables whose frequencies follow Zipf's law, more different ones than
1 MB of English has, with marks, capitals, numbers and line breaks. Exits with 1 when training
takes longer than LIMIT seconds of processor time.
"""

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
SIZE, MERGES, LIMIT = 1_000_000, 1000, 10.0


def make_text(size: int, seed: int = 0) -> str:
    """English-like text of `size` characters, the same on every machine."""
    rng = random.Random(seed)
    heads = ["", *"bcdfghjklmnprstvw", "st", "tr", "ch", "th", "sh", "pl", "gr", "br"]
    tails = ["", "", "", *"nrstldm", "ng", "nd", "rt", "st", "ck"]
    words = list(dict.fromkeys(
        "".join(rng.choice(heads) + rng.choice("aeiou") + rng.choice(tails)
                for _ in range(rng.choice((1, 1, 2, 2, 3, 4)))) for _ in range(40_000)))
    words.sort(key=lambda w: len(w) + 3 * rng.random())  # common words are short
    weights = [1 / (rank + 2.7) for rank in range(len(words))]
    parts: list[str] = []
    length, start = 0, True
    for word in rng.choices(words, weights, k=size // 4):
        if rng.random() < 0.01:
            word = str(rng.randrange(10 ** rng.randint(1, 4)))
        word = word.capitalize() if start else word
        start = rng.random() < 0.06
        mark = rng.choice((". ", ".\n", "? ")) if start else rng.choice((", ", *[" "] * 12))
        parts.append(word + mark)
        length += len(parts[-1])
        if length >= size:
            break
    return "".join(parts)[:size]


def ours(text: str) -> tuple[Callable[[], object], Callable[[object], int]]:
    sys.path.insert(0, str(ROOT / "solutions"))
    from minillm.tokenizer import BPETokenizer
    return (lambda: BPETokenizer.train(text, 256 + MERGES),
            lambda made: len(BPETokenizer(made.merges).encode(text)))


def theirs(text: str) -> tuple[Callable[[], object], Callable[[object], int]]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    def train() -> object:
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.train_from_iterator([text], trainers.BpeTrainer(
            vocab_size=256 + MERGES, min_frequency=2, show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
        return made

    return train, lambda made: len(made.encode(text).ids)


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    """Processor time, which other people's processes do not lengthen much."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    text = make_text(SIZE)
    different = len(Counter(text.split()))
    print(f"{len(text):,} characters, {different:,} different words, {MERGES:,} merges, "
          f"{rounds} rounds in turns")
    took: dict[tuple[str, str], list[float]] = {}
    lengths = {}
    for _ in range(rounds):
        for name, make in (("minillm", ours), ("tokenizers", theirs)):
            train, encode = make(text)
            spent, made = seconds(train)
            took.setdefault((name, "train"), []).append(spent)
            spent, lengths[name] = seconds(lambda e=encode, m=made: e(m))
            took.setdefault((name, "encode"), []).append(spent)
    for what in ("train", "encode"):
        a, b = (took[name, what] for name in ("minillm", "tokenizers"))
        ranges = [f"{median(t):.2f} s ({min(t):.2f} … {max(t):.2f})" for t in (a, b)]
        print(f"{what:7} minillm {ranges[0]}   tokenizers {ranges[1]}   "
              f"ratio {median(a) / median(b):.1f}")
    print("tokens ", lengths)
    slow = median(took["minillm", "train"])
    print(f"limit for training: {LIMIT:g} s, {'kept' if slow < LIMIT else 'BROKEN'}")
    return int(slow >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
