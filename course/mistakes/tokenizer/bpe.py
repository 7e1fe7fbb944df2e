"""Known wrong answers to `minillm.tokenizer.BPETokenizer`."""

from .. import edit

BPE = "tokenizer.BPETokenizer"
TRAIN = "return cls(learn_merges(byte_words(text), vocab_size - 256))"
FIRST = "first = min(pairwise(ids), key=lambda pair: self.new_id.get(pair, len(self)))"
LOOP = """        while len(ids) > 1:
            first = min(pairwise(ids), key=lambda pair: self.new_id.get(pair, len(self)))
            if first not in self.new_id:
                break
            ids = merge(ids, first, self.new_id[first])
        return ids"""
TOKENS = "self.token.append(self.token[left] + self.token[right])"


def slow(best: str, least: int = 2) -> str:
    """The body of `train` as a loop that counts everything again for each merge."""
    return f"""words = {{w: (list(w), n) for w, n in byte_words(text).items()}}
        merges = []
        while len(merges) < vocab_size - 256:
            counts = Counter()
            for ids, n in words.values():
                for pair in pairwise(ids):
                    counts[pair] += n
            top = max(counts.values(), default=0)
            if top < {least}:
                break
            tied = [p for p in counts if counts[p] == top]
            merges.append({best})
            words = {{w: (merge(ids, merges[-1], 255 + len(merges)), n)
                     for w, (ids, n) in words.items()}}
        return cls(merges)"""


edit(BPE, "no_bytes_subtracted", "vocab_size - 256", "vocab_size",
     "`vocab_size` counts the 256 bytes too, so there are only vocab_size − 256 merges to learn.")
edit(BPE, "one_merge_more", "vocab_size - 256", "vocab_size - 255",
     "there is one merge too many: 256 bytes and n merges make a vocabulary of 256 + n.")
edit(BPE, "one_merge_less", "vocab_size - 256", "vocab_size - 257",
     "there is one merge too few. Byte-level encoding needs no id for “unknown”.")
edit(BPE, "no_pre_split", "byte_words(text)", "{tuple(utf8(text)): 1}",
     "the text was not split into pieces first, so merges reach across spaces and a token may hold "
     "the end of one word and the beginning of the next.")
edit(BPE, "split_at_spaces", "byte_words(text)",
     "Counter(tuple(utf8(word)) for word in text.split())",
     "the text is split at white space, which is then lost: no token learns the space before its "
     "word. `byte_words` keeps it.")
edit(BPE, "each_word_once", "byte_words(text)", "{word: 1 for word in byte_words(text)}",
     "every piece counts once, however often it stands in the text.")
edit(BPE, "letters_of_english_only", "byte_words(text)", r"""Counter(
            tuple(utf8(p)) for p in regex.findall(r"'(?:[sdmt]|ll|ve|re)| ?[A-Za-z]+| ?[0-9]+"
                                                  r"| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+", text))""",
     "the text is cut at every letter outside A to Z, as if it were a mark. In the pattern \\p{L} "
     "is a letter of any script.")
edit(BPE, "larger_of_the_tied", TRAIN, slow("max(tied)"),
     "of equally frequent pairs the larger one is merged. The smaller pair comes first.")
edit(BPE, "first_of_the_tied", TRAIN, slow("tied[0]"),
     "of equally frequent pairs the one that was seen first is merged. The smaller pair comes "
     "first.")
edit(BPE, "once_is_enough", TRAIN, slow("min(tied)", least=1),
     "training goes on with pairs that occur only once. It stops when no pair occurs twice.")
edit(BPE, "code_points", TRAIN, """pieces = Counter(PIECE.findall(text))
        return cls(learn_merges({tuple(min(ord(c), 255) for c in piece): times
                                 for piece, times in pieces.items()}, vocab_size - 256))""",
     "training looks at characters and not at UTF-8 bytes, so nothing useful is learned for "
     "letters outside ASCII.")

edit(BPE, "left_to_right", LOOP, """        at = 0
        while at < len(ids) - 1:
            pair = (ids[at], ids[at + 1])
            if pair in self.new_id:
                ids = [*ids[:at], self.new_id[pair], *ids[at + 2:]]
                at = max(0, at - 1)
            else:
                at += 1
        return ids""",
     "the first pair from the left that was learned at all is merged. Of all pairs that are there, "
     "the one learned first goes first, wherever it stands.")
edit(BPE, "last_learned_first", FIRST,
     "first = max(pairwise(ids), key=lambda pair: self.new_id.get(pair, -1))",
     "the pair that was learned last is merged first. Training made the merges in order, and "
     "encode has to follow it.")
edit(BPE, "one_merge_only", "while len(ids) > 1:", "for _ in range(1):",
     "one pair is merged and then the piece is done. Go on until no learned pair is left.")
edit(BPE, "no_merges", LOOP, "        return ids",
     "the bytes come back as they are: no merge is applied.")
edit(BPE, "no_pair_left", "while len(ids) > 1:", "while True:",
     "a piece of one id has no pair, and min of nothing is an error. Stop at one id.", raises=True)
edit(BPE, "two_are_left", "while len(ids) > 1:", "while len(ids) > 2:",
     "a piece of two ids is never merged, though it is one pair. Stop at one id.")
edit(BPE, "never_learned_is_best", "self.new_id.get(pair, len(self))", "self.new_id.get(pair, 0)",
     "a pair that was never learned counts as 0, and that is the smallest of all, so merging stops "
     "at once. It has to count as more than any real id.")
edit(BPE, "every_pair_was_learned", "self.new_id.get(pair, len(self))", "self.new_id[pair]",
     "not every pair was learned: a KeyError. `get` takes what to give then.", raises=True)
edit(BPE, "most_frequent_here", FIRST, "first = best_pair(count_pairs({tuple(ids): 2}))",
     "the pair that is most frequent in this piece is merged. Counts decide in training only; here "
     "the pair that was learned first goes first.")
edit(BPE, "longest_token", LOOP, """        known, data, out, at = self.token, bytes(ids), [], 0
        while at < len(data):
            fits = [i for i, t in enumerate(known) if data[at:at + len(t)] == t]
            out.append(max(fits, key=lambda i: len(known[i])))
            at += len(known[out[-1]])
        return out""",
     "the longest token that fits is taken from the left. BPE follows the order in which the "
     "merges were learned, and that can give other pieces.")

edit(BPE, "encode_without_the_cut", "for piece in PIECE.findall(text):",
     "for piece in [text] if text else []:",
     "encode merges across the borders of pieces, which training never did. Cut the text with the "
     "same pattern first.")
edit(BPE, "tokens_turned_around", TOKENS, "self.token.append(self.token[right] + self.token[left])",
     "the bytes of a merged id are in the wrong order: left comes first.")
edit(BPE, "only_the_left_half", TOKENS, "self.token.append(self.token[left])",
     "a merged id keeps the bytes of its left half only.")
edit(BPE, "no_tokens_for_merges", TOKENS, "pass",
     "`token` has no entry for the ids above 255. Each merge adds the bytes of its left id and its "
     "right id, one after the other.", raises=True)
edit(BPE, "only_bytes_merge", TOKENS, "self.token.append(bytes([left % 256, right % 256]))",
     "the two halves of a merge may be merged ids themselves: take their bytes from `token`.")
edit(BPE, "strict", ', errors="replace")', ")",
     "bytes that are no UTF-8 are an error here. A model may put any ids in a row, and they should "
     'give U+FFFD: errors="replace".', raises=True)
edit(BPE, "ignored_bytes", 'errors="replace"', 'errors="ignore"',
     "bytes that are no UTF-8 disappear. U+FFFD in their place shows that something is missing.")
edit(BPE, "latin", '"utf-8", errors="replace"', '"latin-1"',
     "each byte is read as one character of Latin-1, so everything outside ASCII is scrambled. "
     "The bytes are UTF-8.")
edit(BPE, "byte_order_mark_dropped", 'decode("utf-8",', 'decode("utf-8-sig",',
     "a byte order mark at the beginning is dropped: that is what utf-8-sig is for. It is a "
     "character like any other.")
edit(BPE, "id_by_id", 'b"".join(self.token[i] for i in known).decode("utf-8", errors="replace")',
     '"".join(self.token[i].decode("utf-8", errors="replace") for i in known)',
     "each id is decoded by itself, but a character may be spread over several ids. Join the bytes "
     "first and decode once.")
edit(BPE, "joined_by_spaces", 'b"".join', 'b" ".join',
     "there is a space between the tokens that the text did not have. Spaces are part of the "
     "tokens.")
edit(BPE, "surrogates_replaced", "utf8(text)  # refuses what has no bytes",
     'text = text.encode("utf-8", "replace").decode("utf-8")',
     "half a surrogate pair has become a question mark without a word. It can't come back, so it "
     "is refused with a ValueError.")
edit(BPE, "normalised", "utf8(text)  # refuses what has no bytes",
     'utf8(text)\n        text = __import__("unicodedata").normalize("NFKC", text)',
     "the text is normalised before it is encoded, and then decode gives another one back: e with "
     "a mark on top has become é.")
edit(BPE, "stripped", "utf8(text)  # refuses what has no bytes",
     'utf8(text)\n        text = " ".join(text.split())',
     "white space is tidied up, and then decode gives another text back.")
edit(BPE, "length_of_merges", "return len(self.token)", "return len(self.merges)",
     "the length counts the merges only; the 256 bytes are ids too.")
