"""Right answers to `minillm.tokenizer.CharTokenizer` in other styles."""

import json
from collections import Counter
from pathlib import Path

from .. import alternative, alternative_edit

CHAR = "tokenizer.CharTokenizer"

alternative_edit(CHAR, "sorted_by_count", "[c for c, _ in Counter(text).most_common(cap)]",
                 "sorted(dict.fromkeys(text), key=text.count, reverse=True)[:cap]")
alternative_edit(CHAR, "if_and_else", """signs = [*self.chars, UNKNOWN]
        return "".join(signs[i] for i in known)""", """out = ""
        for i in known:
            if i < len(self.chars):
                out += self.chars[i]
            else:
                out += "\\ufffd"
        return out""")
alternative_edit(CHAR, "a_loop", "return [self.ids.get(c, unknown) for c in text]", """out = []
        for c in text:
            if c in self.ids:
                out.append(self.ids[c])
            else:
                out.append(unknown)
        return out""")


@alternative(CHAR)
class Whole:
    """Written from nothing, and kept in another way."""

    def __init__(self) -> None:
        self.to_id: dict[str, int] = {}
        self.to_char: list[str] = ["\ufffd"]

    @classmethod
    def train(cls, text: str, cap: int = 4000) -> "Whole":
        made = cls()
        first: dict[str, int] = {}
        for at, c in enumerate(text):
            first.setdefault(c, at)
        counts = Counter(text)
        order = sorted(first, key=lambda c: (-counts[c], first[c]))[:cap]
        made.to_char = [*order, "\ufffd"]
        made.to_id = dict(zip(order, range(cap), strict=False))
        return made

    def __len__(self) -> int:
        return len(self.to_char)

    def encode(self, text: str) -> list[int]:
        return list(map(lambda c: self.to_id[c] if c in self.to_id else len(self) - 1, text))

    def decode(self, ids: list[int]) -> str:
        return "".join(map(self.to_char.__getitem__, ids))

    def save(self, path: Path) -> None:
        with open(path, "w", encoding="utf-8") as file:
            json.dump([self.to_id, self.to_char], file)

    @classmethod
    def load(cls, path: Path) -> "Whole":
        made = cls()
        made.to_id, made.to_char = json.loads(Path(path).read_bytes())
        return made
