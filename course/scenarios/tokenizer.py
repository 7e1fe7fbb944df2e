"""How `minillm.tokenizer` is tried: only what the classes give, never how they keep it."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import See, scenario

Tokenizer = type[Any]
Words = Mapping[tuple[int, ...], int]


def loaded(cls: Tokenizer, tokenizer: Any) -> Any:
    """The same tokenizer, saved and read again."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        tokenizer.save(path)
        return cls.load(path)


def there_and_back(tokenizer: Any, text: str) -> str:
    back: str = tokenizer.decode(tokenizer.encode(text))
    return back


def kind(result: Any) -> str:
    """What kind of thing came, in a word: list, tuple, …"""
    return next((k.__name__ for k in (list, tuple) if isinstance(result, k)), type(result).__name__)


def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, with the error of a codec named as what it is, a ValueError."""

    def call(*inputs: Any) -> Any:
        try:
            return function(*inputs)
        except UnicodeError as error:
            raise ValueError(str(error)) from error

    return call


RIVER = "mississippi"  # i and s are equally common, and i is seen first
MANY = "".join(map(chr, range(0x4E00, 0x4E00 + 4500)))  # 4,500 different characters
MIXED = "Aa 我爱\n吃 🙂a, A\r\t\"q\\zn"


@scenario("tokenizer.CharTokenizer")
def char_tokenizer(cls: Tokenizer, see: See) -> None:
    def of(text: str, *cap: int) -> Any:
        return cls.train(text, *cap)

    see("ids of mississippi", lambda: of(RIVER).encode(RIVER))
    see("ids of mississippi, cap 2", lambda: of(RIVER, 2).encode(RIVER))
    see("ids of mississippi, trained on zyxxy", lambda: of("zyxxy").encode("mxyz"))
    see("ids of zyx, trained on zyx", lambda: of("zyx").encode("zyx"))
    see("ids of zyxw, trained on zyxww with cap 2", lambda: of("zyxww", 2).encode("zyxw"))
    see("length after mississippi", lambda: len(of(RIVER)))
    see("length after mississippi, cap 2", lambda: len(of(RIVER, 2)))
    see("length after 4,500 different characters", lambda: len(of(MANY)))
    see("ids of characters 3999 to 4001 of these", lambda: of(MANY).encode(MANY[3998:4001]))
    see("decode of [0 3 4 1 2], trained on mississippi", lambda: of(RIVER).decode([0, 3, 4, 1, 2]))
    see("decode of [2 0 1], cap 2", lambda: of(RIVER, 2).decode([2, 0, 1]))
    see("mixed text there and back", lambda: there_and_back(of(MIXED), MIXED))
    see("ids of mixed text", lambda: of(MIXED).encode(MIXED))
    see("an unseen text there and back", lambda: there_and_back(of(RIVER), "miss Mops"))
    for name in ("marks that combine", "signs that have another form", "a byte order mark"):
        text = ROUND[name]
        see(f"{name}, there and back", lambda t=text: there_and_back(of(t), t))
        see(f"{name}: how many ids", lambda t=text: len(of(t).encode(t)))
    for text in ("miss", ""):
        see(f"what kind of thing encode gives for {text!r}",
            lambda t=text: kind(of(RIVER).encode(t)))
    see("ids of an empty text", lambda: of(RIVER).encode(""))
    see("decode of no ids", lambda: of(RIVER).decode([]))
    see("ids after training on an empty text", lambda: of("").encode("ab"))
    see("saved and loaded: ids", lambda: loaded(cls, of(MIXED)).encode(MIXED))
    see("saved and loaded: ids, cap 5", lambda: loaded(cls, of(MIXED, 5)).encode(MIXED))
    see("saved and loaded: mixed text", lambda: there_and_back(loaded(cls, of(MIXED)), MIXED))
    see("saved and loaded: text", lambda: loaded(cls, of(RIVER)).decode([3, 0, 1, 1, 4, 2]))
    see("saved and loaded: length", lambda: len(loaded(cls, of(MIXED, 5))))


HATS: Words = {(104, 97, 116): 2, (116, 104, 97, 116): 3, (99, 97, 116): 4}
RUNS: Words = {(97, 97, 97): 2, (98,): 5, (97, 98, 97, 98): 1, (): 3}


@scenario("tokenizer.count_pairs")
def count_pairs(f: Callable[[Words], Mapping[tuple[int, int], int]], see: See) -> None:
    def flat(words: Words) -> list[int]:
        return [n for pair, times in sorted(f(words).items()) if times for n in (*pair, times)]

    see("pairs of hat ×2, that ×3, cat ×4, each with its count", flat, HATS)
    see("pairs of aaa ×2, b ×5, abab ×1", flat, RUNS)
    see("pairs of aaaaa ×2, aa ×1", flat, {(97,) * 5: 2, (97, 97): 1})
    see("pairs with ids above 255", flat, {(300, 256, 300, 256): 7, (256, 300): 1})
    see("pairs of no words", flat, {})
    see("the count of a pair, as a number", lambda: float(f(HATS)[97, 116]))


COUNTS = {(104, 97): 6, (97, 116): 6, (116, 101): 4, (99, 104): 1}


@scenario("tokenizer.best_pair")
def best_pair(f: Callable[[Mapping[tuple[int, int], int]], Any], see: See) -> None:
    def afterwards(counts: dict[tuple[int, int], int]) -> list[int]:
        f(counts)
        return [n for pair, times in counts.items() for n in (*pair, times)]

    see("best of (h,a) 6, (a,t) 6, (t,e) 4, (c,h) 1", f, COUNTS)
    see("best when (t,e) has 9", f, {**COUNTS, (116, 101): 9})
    see("best of (97,300) 3, (97,256) 3, (256,1) 3", f,
        {(97, 300): 3, (97, 256): 3, (256, 1): 3})
    see("best of (9,2) 2, (10,1) 2", f, {(10, 1): 2, (9, 2): 2})
    see("best of (4,9) 3, (9,1) 3, (10,5) 3", f, {(10, 5): 3, (9, 1): 3, (4, 9): 3})
    see("best of (9,5) 2, (10,3) 2, (100,4) 2", f, {(100, 4): 2, (9, 5): 2, (10, 3): 2})
    see("best of (1,9) 2, (7,4) 2", f, {(1, 9): 2, (7, 4): 2})
    see("best of (1,300) 2, (2,10) 2", f, {(1, 300): 2, (2, 10): 2})
    see("best of (5,10) 4, (3,900) 4", f, {(5, 10): 4, (3, 900): 4})
    see("best of (3,4) 2 alone", f, {(3, 4): 2})
    for counts, name in ((COUNTS, "(h,a) 6, (a,t) 6, (t,e) 4, (c,h) 1"), ({(3, 4): 2}, "(3,4) 2")):
        see(f"what kind of thing comes for {name}", lambda c: kind(f(c)), counts)
        see(f"the counts {name}, afterwards", afterwards, counts)
    see("best when no pair occurs twice", f, {(3, 4): 1, (1, 2): 1})
    see("best of (5,5) 1", f, {(5, 5): 1})
    see("best when counts have fallen to 0", f, {(3, 4): 0, (1, 2): 0})
    see("best of no pairs", f, {})
    see("best of an empty Counter", f, Counter())
    see("best of a Counter", f, Counter({(5, 6): 2, (7, 8): 11, (1, 1): 3}))


@scenario("tokenizer.merge")
def merge(f: Callable[..., Any], see: See) -> None:
    def merged(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
        return [int(i) for i in f(ids, pair, new)]

    def before_and_after(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
        f(ids, pair, new)
        return ids

    def what_comes(ids: list[int], pair: tuple[int, int], new: int) -> str:
        result = f(ids, pair, new)
        return "the list that was given" if result is ids else f"a new {kind(result)}"

    see("merge (1,2) → 9 in [1 2 3 1 2]", merged, [1, 2, 3, 1, 2], (1, 2), 9)
    see("merge (1,1) → 9 in [1 1 1]", merged, [1, 1, 1], (1, 1), 9)
    see("merge (1,1) → 9 in [1 1 1 1 2 1 1]", merged, [1, 1, 1, 1, 2, 1, 1], (1, 1), 9)
    see("merge (1,2) → 9 in [2 1 1 2 2 1]", merged, [2, 1, 1, 2, 2, 1], (1, 2), 9)
    see("merge (1,2) → 9 in [2 1 2 1 1 3]", merged, [2, 1, 2, 1, 1, 3], (1, 2), 9)
    see("merge (1,1) → 9 in [1 1 1 2 1 1 1]", merged, [1, 1, 1, 2, 1, 1, 1], (1, 1), 9)
    see("merge (3,4) → 9 in [1 2 3]", merged, [1, 2, 3], (3, 4), 9)
    see("merge (256,97) → 300 in [256 97 256 97 97]", merged, [256, 97, 256, 97, 97], (256, 97),
        300)
    see("merge (1,2) → 9 in [11 2 1 21]", merged, [11, 2, 1, 21], (1, 2), 9)
    see("merge (7,8) → 9 in [7 8 17 8 7 80]", merged, [7, 8, 17, 8, 7, 80], (7, 8), 9)
    see("merge (1,2) → 9 in [1]", merged, [1], (1, 2), 9)
    see("merge (1,2) → 9 in []", merged, [], (1, 2), 9)
    for ids in ([1, 2, 3], [2, 1], [2]):
        see(f"what kind of thing comes for (1,2) → 9 in {ids}", what_comes, ids, (1, 2), 9)
    see("the list [1 2 1 2] that was given, afterwards", before_and_after, [1, 2, 1, 2], (1, 2), 9)
    see("the list [3 3] that was given, afterwards", before_and_after, [3, 3], (3, 3), 9)


def words(text: str) -> dict[tuple[int, ...], int]:
    return {tuple(word.encode()): times for word, times in Counter(text.split()).items()}


RAT = words("the rat the rat that sat at the tea table ate the tea that the cat at the table hated "
            "rat cat that")
ABRA = words("abracadabra abracadabra cadabra brac bra bra dab dab cab cab cab abba abba")
STUTTER: Words = {(97, 97, 97, 97): 2, (97, 97, 97): 1, (98, 97, 97, 97, 97, 97): 3}


@scenario("tokenizer.learn_merges")
def learn_merges(f: Callable[[Words, int], list[tuple[int, int]]], see: See) -> None:
    def flat(words: Words, count: int) -> list[int]:
        return [int(i) for pair in f(words, count) for i in pair]

    see("merges of the rat the rat that sat at …", flat, RAT, 10)
    see("merges of abracadabra ×2, cadabra, brac …", flat, ABRA, 10)
    see("merges of aaaa ×2, aaa ×1, baaaaa ×3", flat, STUTTER, 9)
    see("the first two merges of these", flat, STUTTER, 2)
    see("all merges of the rat the rat that sat at …", flat, RAT, 99)
    see("merges when no pair occurs twice", flat, {(1, 2, 3): 1, (4, 5): 1}, 5)
    see("no merges asked for", flat, RAT, 0)
    see("the words afterwards", lambda: (f(RAT, 3), [n for w in RAT for n in w])[1])


# de is learned first, then cd, ab, bcd and bc
ORDER = "-".join(["de"] * 20 + ["cd"] * 9 + ["ab"] * 5 + ["bcd"] * 4 + ["bc"] * 3)
CAT = ("the cat that sat on the mat ate the rat, and the rat that ate the oats sat on that hat; at "
       "ten the tea was hot")
DONT = "I don't, you don't, we don't: 1000 1000 1000 1000"
CHINESE = "我爱吃苹果,我爱吃"
ROUND = {"an empty text": "", "emoji and Chinese": "我爱吃苹果 🙂👍🏽",
         "spaces": "  a\t b \r\n\n  c ", "control characters": "\x00\x1f\x7f\x85",
         "marks that combine": "e\u0301 ñ नी",
         "signs that have another form": "ﬁ ½ Å", "a byte order mark": "\ufeffab",
         "the sign for what can't be read": "a\ufffdb",
         "the ends of the table": "\ud7ff\ue000\uffff\U00010000\U0010ffff"}


@scenario("tokenizer.BPETokenizer")
def bpe_tokenizer(cls: Tokenizer, see: See) -> None:
    def learned(text: str, size: int) -> str:
        tokenizer = cls.train(text, size)
        return "|".join(tokenizer.decode([i]) for i in range(256, len(tokenizer)))

    def ids(text: str, trained: str = CAT, size: int = 266) -> list[int]:
        found: list[int] = cls.train(trained, size).encode(text)
        return found

    def decoded(*ids: int) -> str:
        text: str = cls.train(CAT, 266).decode(list(ids))
        return text

    see("what ids 256 to 265 stand for, trained on the cat that sat …", learned, CAT, 266)
    see("what is learned in all from the cat that sat …", learned, CAT, 400)
    see("what is learned from ab ba ab ba", learned, "ab ba ab ba", 300)
    see("what is learned from aaaa aaa aaaa", learned, "aaaa aaa aaaa", 300)
    see("what is learned from I don't, you don't …", learned, DONT, 272)
    see("what is learned from a1a1a1a1", learned, "a1a1a1a1", 300)
    see("what is learned where no pair occurs twice", learned, "abcdef", 300)
    for size in (256, 257, 266, 400):
        see(f"length for vocab_size {size}", lambda n=size: len(cls.train(CAT, n)))
    see("length where no pair occurs twice", lambda: len(cls.train("abcdef", 300)))
    see("ids of the hat 我 for vocab_size 256", ids, "the hat 我", CAT, 256)
    see("ids of the other theatre", ids, "the other theatre")
    see("ids of that hatter sat on oats", ids, "that hatter sat on oats")
    see("ids of a text with other letters", ids, "THE hat 我 sé")
    for text in ("bcd", "bcde", "abcd", "abcde cde"):
        see(f"ids of {text}, learned: de, cd, ab, bcd, bc", ids, text, ORDER, 261)
    see("ids of aaaaa aaaaaaa", ids, "aaaaa aaaaaaa", "aaaa aaa aaaa", 300)
    for text in ("at    at", "at  at      at"):
        see(f"ids of {text!r}, trained on at, three spaces, at, three spaces …", ids, text,
            "at   at   at   at", 300)
    for text in ("été", "naïve été"):
        see(f"ids of {text}, trained on été été naïve naïve", ids, text, "été été naïve naïve", 300)
    see("ids of 我爱吃果, trained on 我爱吃苹果,我爱吃", ids, "我爱吃果", CHINESE, 300)
    see("ids of an empty text", ids, "")
    see("decode of no ids", decoded)
    see("decode of [97 255 98]", decoded, 97, 255, 98)
    see("decode of [239 187 191 97]", decoded, 239, 187, 191, 97)
    see("decode of [128 260 200]", decoded, 128, 260, 200)
    see("decode of [230 136 145 104 256]", decoded, 230, 136, 145, 104, 256)
    for name, text in ROUND.items():
        see(f"{name}, there and back", lambda t=text: there_and_back(cls.train(CAT, 266), t))
    see("how many ids 我爱吃苹果,我爱吃 has when trained on itself",
        lambda: len(ids(CHINESE, CHINESE, 300)))
    see("Chinese it was trained on, there and back",
        lambda: there_and_back(cls.train(CHINESE, 300), CHINESE))
    see("saved and loaded: ids", lambda: loaded(cls, cls.train(CAT, 266)).encode("that theatre"))
    see("saved and loaded: length", lambda: len(loaded(cls, cls.train(CAT, 266))))
    see("saved and loaded: text",
        lambda: loaded(cls, cls.train(CAT, 266)).decode([104, *range(256, 266), 33]))
    see("encode of half a surrogate pair", refusing(ids), "a\ud83d")
    see("encode of the other half", refusing(ids), "\udc00")
    see("train on half a surrogate pair", refusing(learned), "ab\udc80ab", 300)
