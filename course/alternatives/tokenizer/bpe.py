"""Right answers to `minillm.tokenizer.BPETokenizer` in other styles; whole ones stand alone."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from .. import alternative, alternative_edit

BPE = "tokenizer.BPETokenizer"
LOOP = """        while len(ids) > 1:
            first = min(pairwise(ids), key=lambda pair: self.new_id.get(pair, len(self)))
            if first not in self.new_id:
                break
            ids = merge(ids, first, self.new_id[first])
        return ids"""

alternative_edit(BPE, "merge_after_merge", LOOP, """        for pair, new_id in self.new_id.items():
            ids = merge(ids, pair, new_id)
        return ids""")
alternative_edit(BPE, "rank_by_rank", LOOP, """        while True:
            known = [self.new_id[pair] for pair in pairwise(ids) if pair in self.new_id]
            if not known:
                return ids
            ids = merge(ids, self.merges[min(known) - 256], min(known))""")
alternative_edit(BPE, "one_place_at_a_time", LOOP, """        while True:
            best, at = None, 0
            for i, pair in enumerate(pairwise(ids)):
                if pair in self.new_id and (best is None or self.new_id[pair] < best):
                    best, at = self.new_id[pair], i
            if best is None:
                return ids
            ids = ids[:at] + [best] + ids[at + 2:]""")
alternative_edit(BPE, "bytearray",
                 'b"".join(self.token[i] for i in known).decode("utf-8", errors="replace")',
                 'str(bytearray(b for i in known for b in self.token[i]), "utf-8", "replace")')


@alternative(BPE)
class BytesForKeys:
    """Tokens are bytes, and an id is the rank of its bytes."""

    PATTERN = (r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")

    def __init__(self, tokens: list[bytes], pairs: list[tuple[bytes, bytes]]) -> None:
        self.tokens, self.pairs = tokens, pairs

    @classmethod
    def pieces(cls, text: str) -> list[list[bytes]]:
        import regex
        return [[bytes([b]) for b in piece.encode("utf-8")]
                for piece in regex.findall(cls.PATTERN, text)]

    @staticmethod
    def joined(parts: list[bytes], left: bytes, right: bytes) -> list[bytes]:
        out: list[bytes] = []
        fresh = True  # the last part of `out` was not made just now
        for part in parts:
            if out and fresh and out[-1] == left and part == right:
                out[-1] = left + right
                fresh = False
            else:
                out.append(part)
                fresh = True
        return out

    @classmethod
    def train(cls, text: str, vocab_size: int) -> "BytesForKeys":
        tokens, pairs = [bytes([b]) for b in range(256)], list[tuple[bytes, bytes]]()
        pieces = cls.pieces(text)
        while len(tokens) < vocab_size:
            rank = {t: i for i, t in enumerate(tokens)}
            counts: Counter[tuple[bytes, bytes]] = Counter()
            for piece in pieces:
                counts.update(zip(piece, piece[1:], strict=False))
            best = min(counts, default=None,
                       key=lambda p: (-counts[p], rank[p[0]], rank[p[1]]))
            if best is None or counts[best] < 2:
                break
            pairs.append(best)
            tokens.append(best[0] + best[1])
            pieces = [cls.joined(piece, *best) for piece in pieces]
        return cls(tokens, pairs)

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        rank = {t: i for i, t in enumerate(self.tokens)}
        ids: list[int] = []
        for piece in self.pieces(text):
            for left, right in self.pairs:
                piece = self.joined(piece, left, right)
            ids.extend(rank[part] for part in piece)
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        return b"".join([self.tokens[i] for i in ids]).decode(errors="replace")

    def save(self, path: Path) -> None:
        saved = [[left.hex(), right.hex()] for left, right in self.pairs]
        Path(path).write_text(json.dumps(saved), encoding="ascii")

    @classmethod
    def load(cls, path: Path) -> "BytesForKeys":
        saved = json.loads(Path(path).read_text(encoding="ascii"))
        pairs = [(bytes.fromhex(left), bytes.fromhex(right)) for left, right in saved]
        return cls([bytes([b]) for b in range(256)] + [a + b for a, b in pairs], pairs)


@alternative(BPE)
class WithAHeap:
    """Trains with a heap of (−count, pair), where old entries are passed over."""

    def __init__(self, merges: list[tuple[int, int]]) -> None:
        self.merges = merges
        self.bytes_of = {i: bytes([i]) for i in range(256)}
        for n, (a, b) in enumerate(merges, 256):
            self.bytes_of[n] = self.bytes_of[a] + self.bytes_of[b]

    @staticmethod
    def split(text: str) -> list[str]:
        import regex
        pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
        return [m.group() for m in regex.finditer(pattern, text)]

    @staticmethod
    def replaced(ids: list[int], a: int, b: int, new: int) -> list[int]:
        out, i = [], 0
        while i < len(ids):
            here = i + 1 < len(ids) and ids[i] == a and ids[i + 1] == b
            out.append(new if here else ids[i])
            i += 2 if here else 1
        return out

    @classmethod
    def train(cls, text: str, vocab_size: int) -> "WithAHeap":
        import heapq
        words = [(list(piece.encode()), n) for piece, n in Counter(cls.split(text)).items()]
        counts: Counter[tuple[int, int]] = Counter()
        for ids, n in words:
            for i in range(len(ids) - 1):
                counts[ids[i], ids[i + 1]] += n
        heap = [(-n, pair) for pair, n in counts.items()]
        heapq.heapify(heap)
        merges: list[tuple[int, int]] = []
        while heap and len(merges) < vocab_size - 256:
            n, pair = heapq.heappop(heap)
            if -n != counts[pair]:
                continue
            if -n < 2:
                break
            new = 256 + len(merges)
            merges.append(pair)
            touched = set()
            for w, (ids, times) in enumerate(words):
                if pair in zip(ids, ids[1:], strict=False):
                    after = cls.replaced(ids, *pair, new)
                    for row, sign in ((ids, -times), (after, times)):
                        for both in zip(row, row[1:], strict=False):
                            counts[both] += sign
                            touched.add(both)
                    words[w] = (after, times)
            for both in touched:
                heapq.heappush(heap, (-counts[both], both))
        return cls(merges)

    def __len__(self) -> int:
        return len(self.bytes_of)

    def encode(self, text: str) -> list[int]:
        out = []
        for piece in self.split(text):
            ids = list(piece.encode("utf-8", "strict"))
            for n, (a, b) in enumerate(self.merges, 256):
                ids = self.replaced(ids, a, b, n)
            out += ids
        return out

    def decode(self, ids: Iterable[int]) -> str:
        return bytes(b for i in ids for b in self.bytes_of[i]).decode("utf-8", "replace")

    def save(self, path: Path) -> None:
        Path(path).write_text(" ".join(f"{a},{b}" for a, b in self.merges))

    @classmethod
    def load(cls, path: Path) -> "WithAHeap":
        pairs = [pair.split(",") for pair in Path(path).read_text().split()]
        return cls([(int(a), int(b)) for a, b in pairs])
