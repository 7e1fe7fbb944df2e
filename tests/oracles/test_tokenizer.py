"""The tokenizers of lesson 03 against Hugging Face's, a slow trainer, and Python's own codec."""

import importlib
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

ROOT = Path(__file__).parents[2]
MODULES = {"T": "minillm.tokenizer"}
NOTES = "\n\n".join(p.read_text("utf-8") for p in sorted((ROOT / "course/data/notes").glob("*.md")))
ODD = ["", " ", "\n\n  \n x", "it's they'll I'M we've", "12 345.6", "naïve Ωμέγα",
       "我爱吃苹果,我们", "🙂👨‍👩‍👧‍👦👍🏽", "\x00\x1f\x7f", "e\u0301\u0302",
       "a\u00a0b\u3000c", "\ufffd\ufeff", "\ud7ff\ue000\U0010ffff", "שלום مرحبا नमस्ते",
       "a_b-c+d", "…—½²"]


def signs() -> list[str]:
    """The character that Hugging Face's byte-level models write for each byte."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(b) if b in printable else chr(next(others)) for b in range(256)]


SIGN = signs()
OF_SIGN = {c: b for b, c in enumerate(SIGN)}


def theirs(text: str, size: int) -> list[tuple[bytes, bytes]]:
    """The merges that Hugging Face's trainer learns, as bytes."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=size, min_frequency=2, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator([text], trainer)
    import json
    found = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(as_bytes(left), as_bytes(right)) for left, right in found]


def as_bytes(token: str) -> bytes:
    return bytes(OF_SIGN[c] for c in token)


def slow(text: str, size: int, byte_rank: Callable[[int], Any]) -> list[tuple[bytes, bytes]]:
    """Merges by recounting the whole text each time; of equal counts the pair of lower rank.

    `byte_rank` orders the single bytes; merged tokens come behind them, in the order they are made.
    """
    import regex
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    words = [([bytes([b]) for b in piece.encode()], n)
             for piece, n in Counter(regex.findall(pattern, text)).items()]
    rank = {bytes([b]): i for i, b in enumerate(sorted(range(256), key=byte_rank))}
    merges: list[tuple[bytes, bytes]] = []
    while len(merges) < size - 256:
        counts: Counter[tuple[bytes, bytes]] = Counter()
        for word, n in words:
            for i in range(len(word) - 1):
                counts[word[i], word[i + 1]] += n
        order = sorted(counts, key=lambda p: (-counts[p], rank[p[0]], rank[p[1]]))
        if not order or counts[order[0]] < 2:
            break
        left, right = order[0]
        merges.append(order[0])
        rank.setdefault(left + right, len(rank))
        for word, _ in words:
            i = 0
            while i < len(word) - 1:
                if word[i] == left and word[i + 1] == right:
                    word[i:i + 2] = [left + right]
                i += 1
    return merges


def ours(bpe: Any) -> list[tuple[bytes, bytes]]:
    return [(bpe.token[left], bpe.token[right]) for left, right in bpe.merges]


RUNS = "aaaa aaaaa aaa aa ababab bababa " * 3 + "zzzzzzz zzzz " * 2
TEXTS = {"notes": NOTES[:6000], "runs": RUNS, "odd": "\n".join(ODD * 3)}


@pytest.mark.parametrize("text", TEXTS)
def test_merges_are_those_of_counting_everything_again(ref: Any, text: str) -> None:
    bpe = ref.T.BPETokenizer.train(TEXTS[text], 400)
    assert ours(bpe) == slow(TEXTS[text], 400, byte_rank=int)


@pytest.mark.parametrize("text", TEXTS)
def test_the_slow_trainer_is_hugging_faces_with_its_tie_rule(text: str) -> None:
    # of equal counts they take the pair that is smaller in the order of their own byte signs
    assert slow(TEXTS[text], 400, byte_rank=lambda b: SIGN[b]) == theirs(TEXTS[text], 400)


def test_merges_are_hugging_faces_where_nothing_is_tied(ref: Any) -> None:
    bpe = ref.T.BPETokenizer.train(NOTES, 300)
    same = [a == b for a, b in zip(ours(bpe), theirs(NOTES, 300), strict=True)]
    first, count = next((value, len([*run])) for value, run in groupby(same))
    assert first and count >= 10  # the first tie on these notes comes later


def with_our_merges(bpe: Any) -> Any:
    """Hugging Face's tokenizer on our vocabulary and merges, so that ids can be compared."""
    def sign(token: bytes) -> str:
        return "".join(SIGN[b] for b in token)

    vocabulary = {sign(token): i for i, token in enumerate(bpe.token)}
    assert len(vocabulary) == len(bpe)
    made = Tokenizer(models.BPE(vocabulary, [(sign(a), sign(b)) for a, b in ours(bpe)]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return made


def test_ids_are_hugging_faces(ref: Any) -> None:
    bpe = ref.T.BPETokenizer.train(NOTES, 900)
    other = with_our_merges(bpe)
    for text in [NOTES, NOTES[::-1], NOTES.upper(), NOTES.replace(" ", ""), *ODD, RUNS]:
        ids = bpe.encode(text)
        assert ids == other.encode(text).ids
        assert bpe.decode(ids) == text == other.decode(ids)


BPE: list[Any] = []  # trained once; hypothesis runs the test many times


@settings(deadline=None, max_examples=300)
@given(text=st.text(max_size=60))
def test_every_text_comes_back(ref: Any, text: str) -> None:
    if not BPE:
        BPE.append(ref.T.BPETokenizer.train(NOTES + "\n".join(ODD), 700))
    ids = BPE[0].encode(text)
    assert BPE[0].decode(ids) == text
    assert all(0 <= i < len(BPE[0]) for i in ids)
    assert b"".join(BPE[0].token[i] for i in ids) == text.encode()
    chars = ref.T.CharTokenizer.train(text)
    assert chars.decode(chars.encode(text)) == text and len(chars) == len(set(text)) + 1


@settings(deadline=None)
@given(ids=st.lists(st.integers(0, 499), max_size=30))
def test_any_ids_decode_as_the_codec_does(ref: Any, ids: list[int]) -> None:
    bpe = ref.T.BPETokenizer.train(NOTES[:3000], 500)
    assert len(bpe) == 500
    assert bpe.decode(ids) == b"".join(bpe.token[i] for i in ids).decode("utf-8", "replace")


@pytest.mark.parametrize("cap", [0, 1, 5, 20, 4000])
def test_characters_by_a_slow_count(ref: Any, cap: int) -> None:
    text = "the rain in Spain stays mainly — 我 我 — in the plain\n"
    order = sorted(set(text), key=lambda c: (-text.count(c), text.index(c)))[:cap]
    made = ref.T.CharTokenizer.train(text, cap)
    probe = text + "unseen: Ω"
    assert len(made) == len(order) + 1
    assert made.encode(probe) == [order.index(c) if c in order else len(order) for c in probe]
    assert made.decode(range(len(made))) == "".join(order) + "\ufffd"


def test_saved_tokenizers_are_the_same(ref: Any, tmp_path: Path) -> None:
    bpe, chars = ref.T.BPETokenizer.train(NOTES, 400), ref.T.CharTokenizer.train(NOTES + "\ud800")
    for made in (bpe, chars):
        made.save(tmp_path / "made.json")
        again = type(made).load(str(tmp_path / "made.json"))
        assert again.encode(NOTES) == made.encode(NOTES) and len(again) == len(made)
        other = ref.T.CharTokenizer if made is bpe else ref.T.BPETokenizer
        with pytest.raises(ValueError, match=r"made\.json holds no"):
            other.load(tmp_path / "made.json")


def test_what_cannot_be_meant_is_refused(ref: Any) -> None:
    bpe, chars = ref.T.BPETokenizer.train("abab", 257), ref.T.CharTokenizer.train("ab")
    for refused in (lambda: bpe.encode("x\ud800"), lambda: ref.T.BPETokenizer.train("\udfff", 300)):
        with pytest.raises(ValueError, match="position . is half of a surrogate pair"):
            refused()
    for made, size in ((bpe, 257), (chars, 3)):
        for bad in (size, -1):
            with pytest.raises(ValueError, match=rf"id {bad} is outside 0 … {size - 1}"):
                made.decode([0, bad])
    with pytest.raises(ValueError, match="vocab_size is 255"):
        ref.T.BPETokenizer.train("abab", 255)
    with pytest.raises(ValueError, match="cap is -1"):
        ref.T.CharTokenizer.train("abab", -1)


def test_the_steps_about_pairs(ref: Any) -> None:
    words = {tuple(w.encode()): n for w, n in (("hat", 2), ("that", 3), ("chat", 1), ("tea", 4))}
    assert ref.T.best_pair(ref.T.count_pairs(words)) == (ord("a"), ord("t"))  # b
    assert ref.T.merge([1] * 5, (1, 1), 9) == [9, 9, 1]  # a
    before, after = Counter({(3, 1): 7, (1, 2): 7, (2, 4): 7}), Counter({(3, 9): 7, (9, 4): 7})
    assert ref.T.count_pairs({(3, 1, 2, 4): 7}) == before
    assert ref.T.count_pairs({tuple(ref.T.merge((3, 1, 2, 4), (1, 2), 9)): 7}) == after
    changes = [after[p] - before[p] for p in ((3, 1), (1, 2), (2, 4), (3, 9), (9, 4))]
    steps = importlib.import_module("steps.tokens")
    assert changes == steps.count_changes
    assert (steps.first_merge, steps.overlap) == ("b", "a")
    assert steps.n_bytes == len("naïve 我".encode())
    assert steps.vocab_size == len(ref.T.CharTokenizer.train("banana band"))
