"""How the parts of `minillm.tokenizer` are tried when a submission is graded."""

from collections.abc import Callable, Mapping
from typing import Any

from course.scenarios import See
from course.scenarios.tokenizer import (
    Tokenizer,
    Words,
    kind,
    loaded,
    refusing,
    there_and_back,
    words,
)

from . import hidden

BELLS = "Tell-tale bells, 看 看 tell ALL tales"
VERSE = ("round and round the rugged rock the ragged rascal ran. How many are there in rugged? "
         "There're 3 in round, 44 in all; 44 and 3 are 47! ")


@hidden("tokenizer.CharTokenizer")
def char_tokenizer(cls: Tokenizer, see: See) -> None:
    for cap in (1, 3, 7, 11, 60):
        see(f"ids with a cap of {cap}", lambda n=cap: cls.train(BELLS, n).encode("bleat, 看me Lt"))
        see(f"length with a cap of {cap}", lambda n=cap: len(cls.train(BELLS, n)))
    see("each id as text", lambda: cls.train(BELLS, 9).decode(list(range(10))))
    see("a text with unknown characters, there and back",
        lambda: there_and_back(cls.train(BELLS, 6), BELLS))
    see("white space, control characters and emoji, there and back",
        lambda: there_and_back(cls.train(" \t\r\n\x00🙂"), "\n\x00 🙂🙂\t\r"))
    see("a vocabulary of nothing but the unknown", lambda: cls.train("abc", 0).encode("abc"))
    see("its length", lambda: len(cls.train("abc", 0)))
    for name in ("marks of the byte order", "accents on their own"):
        see(f"{name}, there and back", lambda t=ODD[name]: there_and_back(cls.train(t), t))
    see("saved and loaded: ids and text", lambda: there_and_back(
        loaded(cls, cls.train(BELLS, 12)), BELLS))
    see("saved and loaded: ids", lambda: loaded(cls, cls.train(BELLS, 12)).encode("bleat 看"))
    see("saved and loaded: text with every kind of white space", lambda: there_and_back(
        loaded(cls, cls.train("\n\r\t \u2028" + VERSE)), "are\r\n\tthe \u2028re?\n"))


NUTS: Words = {(1, 2, 1, 2, 1): 3, (2, 1): 10, (7, 300, 7): 2, (5,): 99, (2, 2, 2, 2): 4}


@hidden("tokenizer.count_pairs")
def count_pairs(f: Callable[[Words], Mapping[tuple[int, int], int]], see: See) -> None:
    def flat(given: Words) -> list[int]:
        return [n for pair, times in sorted(f(given).items()) if times for n in (*pair, times)]

    see("pairs of words with runs and repeats", flat, NUTS)
    see("pairs of words of a text", flat, words("to be or not to be to be or"))
    see("pairs of words of one id", flat, {(1,): 5, (2,): 6})


@hidden("tokenizer.best_pair")
def best_pair(f: Callable[[Mapping[tuple[int, int], int]], Any], see: See) -> None:
    see("best of four that are equally frequent", f,
        {(300, 2): 5, (20, 400): 5, (20, 41): 5, (21, 1): 5, (1, 1): 4})
    see("best of ids above 255 that are equally frequent", f, {(2, 4): 3, (1, 999): 3, (3, 1): 3})
    see("what kind of thing the best is", lambda: kind(f({(4, 1): 2})))
    see("best when the last one is the most frequent", f, {(1, 1): 2, (2, 2): 3, (3, 3): 7})
    see("best of pairs with counts of 0 and 2", f, {(1, 1): 0, (9, 9): 2, (0, 0): 0})
    see("best when each occurs once", f, {(8, 1): 1, (0, 0): 1, (2, 0): 1})


@hidden("tokenizer.merge")
def merge(f: Callable[..., Any], see: See) -> None:
    def merged(*inputs: Any) -> list[int]:
        return [int(i) for i in f(*inputs)]

    see("what kind of thing comes where nothing is merged", lambda: kind(f([1, 3], (1, 2), 9)))
    see("merge in a run of seven", merged, [5] * 7, (5, 5), 256)
    see("merge at both ends and in the middle", merged, [8, 9, 1, 8, 9, 9, 8, 8, 9], (8, 9), 400)
    see("merge of large ids", merged, [300, 400, 300, 300, 400], (300, 400), 401)
    see("merge where only the halves occur", merged, [1, 3, 2, 3, 1], (1, 2), 9)
    def given(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
        f(ids, pair, new)
        return ids

    see("the list that was given, after a merge", given, [2, 2, 5, 2, 2], (2, 2), 7)
    see("another list, after a merge", given, [1, 4], (1, 4), 7)
    see("merge in a list that is one pair", merged, [6, 7], (6, 7), 8)


@hidden("tokenizer.learn_merges")
def learn_merges(f: Callable[[Words, int], list[tuple[int, int]]], see: See) -> None:
    def flat(given: Words, count: int) -> list[int]:
        return [int(i) for pair in f(given, count) for i in pair]

    see("merges of words with runs and repeats", flat, NUTS, 20)
    see("merges of a verse", flat, words(VERSE), 24)
    see("merges of a single word", flat, {tuple(b"mississippi"): 2}, 20)
    see("one merge", flat, words(VERSE), 1)


# qr is learned first, then pq, no, opq and op
ORDER = "+".join(["qr"] * 20 + ["pq"] * 9 + ["no"] * 5 + ["opq"] * 4 + ["op"] * 3)
ODD = {"scripts from right to left": "שלום مرحبا", "marks of the byte order": "\ufeffa\ufeff b",
       "accents on their own": "e\u0301 u\u0308 ﬀ ①", "a family in one picture": "👨‍👩‍👧‍👦!",
       "line ends of all kinds": "a\nb\r\nc\rd\u2028e",
       "spaces of all kinds": "a\u00a0b\u3000c  d ",
       "numbers and marks": "1,234.5e-6 (½) 第１２章…",
       "long runs": "aaaaaaaaaaaa" + " " * 9 + "\n" * 5}


@hidden("tokenizer.BPETokenizer")
def bpe_tokenizer(cls: Tokenizer, see: See) -> None:
    def learned(text: str, size: int) -> str:
        tokenizer = cls.train(text, size)
        return "|".join(tokenizer.decode([i]) for i in range(256, len(tokenizer)))

    def ids(text: str, size: int = 290, trained: str = VERSE) -> list[int]:
        found: list[int] = cls.train(trained, size).encode(text)
        return found

    see("what is learned from a verse", learned, VERSE, 290)
    see("all that is learned from a verse", learned, VERSE, 1000)
    see("what is learned where spaces repeat", learned, "a   b\n\n\na   b\n\n\na   b", 300)
    see("what is learned from English endings", learned, "we'll she'll he's it's we've I've", 300)
    see("what is learned from equal counts", learned, "zy yz zx xz zy yz zx xz", 300)
    for size in (258, 270, 290):
        see(f"ids of an unseen text for vocab_size {size}", ids, "the ragged roundabouts ran", size)
        see(f"length for vocab_size {size}", lambda n=size: len(cls.train(VERSE, n)))
    see("ids of a text in other scripts", ids, "那 ragged שק 🙂")
    for text in ("pqr", "opq", "opqr", "nopq", "nopqr opqr pqpq"):
        see(f"ids of {text}, where the order of merges matters", ids, text, 261, ORDER)
    see("how many ids a text in Chinese has, trained on it",
        lambda: len(ids("学而时习之,学而时习之", 300, "学而时习之,学而时习之")))
    see("how many a text with accents has",
        lambda: len(ids("über öl über öl", 300, "über öl öl über")))
    see("how many a text in Greek has", lambda: len(ids("αβγ αβγ", 300, "αβγ αβγ αβγ")))
    for text in ("no      no\n\n\n\nno", "\n\n\nno    no"):
        see(f"ids of {text!r}, trained on spaces and line breaks", ids, text, 300,
            "no   no\n\n\nno   no\n\n\nno   no")
    see("ids where merges overlap", ids, "xyxyzyzx zyx", 300, "zy yz zx xz zy yz zx xz")
    see("ids trained on an empty text", ids, "ab", 300, "")
    see("each id above 255 as text",
        lambda: cls.train(VERSE, 265).decode(list(range(264, 255, -1))))
    see("decode of bytes that are no UTF-8", lambda: cls.train(VERSE, 260).decode([65, 192, 66]))
    for name, text in ODD.items():
        see(f"{name}, there and back", lambda t=text: there_and_back(cls.train(VERSE, 290), t))
        see(f"{name}, there and back when trained on it",
            lambda t=text: there_and_back(cls.train(t * 3, 300), t))
    see("saved and loaded: ids", lambda: loaded(cls, cls.train(VERSE, 290)).encode(VERSE[:60]))
    see("saved and loaded: text", lambda: there_and_back(
        loaded(cls, cls.train(VERSE, 290)), VERSE[::-1]))
    see("half a surrogate pair in the middle", refusing(ids), "ab\ud800cd")
