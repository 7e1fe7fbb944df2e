"""Known wrong answers to `minillm.tokenizer.CharTokenizer`."""

from .. import edit

CHAR = "tokenizer.CharTokenizer"
TRAIN = "[c for c, _ in Counter(text).most_common(cap)]"
ENCODE = "[self.ids.get(c, unknown) for c in text]"

edit(CHAR, "alphabetical", TRAIN, "sorted(set(text))[:cap]",
     "the characters are in the order of the alphabet. The most common one gets id 0, and a cap "
     "has to leave out the rarest.")
edit(CHAR, "in_order_of_appearance", TRAIN, "list(dict.fromkeys(text))[:cap]",
     "the characters are in the order in which they appear. The most common one gets id 0; the "
     "order of appearance decides only between equal counts.")
edit(CHAR, "ties_by_alphabet", TRAIN,
     "sorted(set(text), key=lambda c: (-text.count(c), c))[:cap]",
     "characters that are equally common stand in the order of the alphabet, and the docstring "
     "wants the one that was seen first. `Counter.most_common` does that.")
edit(CHAR, "rarest_first", TRAIN, "[c for c, _ in Counter(text).most_common()[::-1]][:cap]",
     "the rarest characters come first, and a cap leaves out the common ones.")
edit(CHAR, "unknown_within_the_cap", "most_common(cap)]", "most_common(max(0, cap - 1))]",
     "`cap` counts known characters; the unknown id comes on top of them.")
edit(CHAR, "no_cap", "most_common(cap)]", "most_common()]",
     "`cap` is not used: every character of the text gets an id of its own, however rare.")
edit(CHAR, "always_4000", "most_common(cap)]", "most_common(4000)]",
     "the cap is always 4000, whatever `cap` says.")
edit(CHAR, "with_their_counts", TRAIN, "Counter(text).most_common(cap)",
     "most_common gives pairs of a character and its count. Keep the characters alone.",
     raises=True)
edit(CHAR, "lower_case", "Counter(text).", "Counter(text.lower()).",
     "capital letters have become small ones. A and a are two characters, and decode has to give "
     "the text back as it was.")
edit(CHAR, "no_white_space", "in Counter(text).most_common(cap)]",
     "in Counter(''.join(text.split())).most_common(cap)]",
     "spaces and line breaks are characters like any other; without them no text comes back whole.")
edit(CHAR, "words", "in Counter(text).most_common(cap)]",
     "in Counter(text.split()).most_common(cap)]",
     "this counts the words between spaces. Iterating over a string gives its characters.")

edit(CHAR, "unknown_is_an_error", "self.ids.get(c, unknown)", "self.ids[c]",
     "a character that is not in the vocabulary is a KeyError here. It should get the unknown id, "
     "the last one.", raises=True)
edit(CHAR, "unknown_dropped", ENCODE, "[self.ids[c] for c in text if c in self.ids]",
     "characters outside the vocabulary are left out, so the ids stand for another text. Each of "
     "them gets the unknown id.")
edit(CHAR, "unknown_is_the_first", "unknown = len(self.chars)", "unknown = 0",
     "an unknown character gets id 0, which is the most common character's. Its id is the one "
     "after all known characters.")
edit(CHAR, "unknown_is_the_last_known", "unknown = len(self.chars)",
     "unknown = len(self.chars) - 1",
     "an unknown character gets the id of the rarest known one. Known characters have the ids 0 … "
     "n − 1, so the unknown id is n.")
edit(CHAR, "unknown_is_negative", "unknown = len(self.chars)", "unknown = -1",
     "−1 is no id: an embedding has rows 0 … V − 1. The unknown id is the last one.")
edit(CHAR, "unknown_behind_the_last", "unknown = len(self.chars)", "unknown = len(self)",
     "len(self) counts the unknown id too, so this is one more than there are rows. Known "
     "characters have the ids 0 … n − 1, so the unknown id is n.")
edit(CHAR, "from_one", ENCODE, "[self.ids.get(c, unknown) + 1 for c in text]",
     "ids begin at 0, not at 1, since they are the numbers of rows.")
edit(CHAR, "code_points", ENCODE, "[ord(c) for c in text]",
     "these are the numbers of the characters in Unicode's table. An id is the place in the list "
     "that was learned.")
for form in ("NFC", "NFKC"):
    edit(CHAR, f"in_form_{form}", f"return {ENCODE}",
         "import unicodedata\n        return "
         + ENCODE.replace("in text", f'in unicodedata.normalize("{form}", text)'),
         "characters are joined or replaced by others that look like them, so decode can't give "
         "the text back. Take each character as it is.")
edit(CHAR, "byte_order_mark_dropped", ENCODE, ENCODE.replace(
     "in text", 'in text.removeprefix("\\ufeff")'),
     "a byte order mark at the beginning is dropped. It is a character like any other.")
edit(CHAR, "a_tuple", ENCODE, f"tuple({ENCODE[1:-1]})",
     "encode gives something else than a list. The ids are a list of ints.")
edit(CHAR, "reversed_ids", ENCODE, "[self.ids.get(c, unknown) for c in text[::-1]]",
     "the ids are in reverse order.")

edit(CHAR, "unknown_as_a_word", "signs = [*self.chars, UNKNOWN]", 'signs = [*self.chars, "<unk>"]',
     "the unknown id is written as the five letters <unk>, which a text may contain by itself. "
     "U+FFFD, the constant UNKNOWN, is one character kept for this.")
edit(CHAR, "unknown_as_a_question_mark", "signs = [*self.chars, UNKNOWN]",
     'signs = [*self.chars, "?"]',
     "the unknown id is written as a question mark, which a text may contain by itself. U+FFFD, "
     "the constant UNKNOWN, is kept for this.")
edit(CHAR, "unknown_before_the_others", "[*self.chars, UNKNOWN]", "[UNKNOWN, *self.chars]",
     "decode has the unknown sign in front, so that every id gives the character before its own. "
     "The unknown id is the last one.")
edit(CHAR, "unknown_as_nothing", "signs = [*self.chars, UNKNOWN]", 'signs = [*self.chars, ""]',
     "the unknown id disappears from the text, so nobody sees that something is missing. It "
     "decodes to U+FFFD, the constant UNKNOWN.")
edit(CHAR, "unknown_not_decoded", "signs = [*self.chars, UNKNOWN]", "signs = self.chars",
     "the unknown id is one more than the list of characters is long, so decode has no character "
     "for it. It decodes to UNKNOWN.", raises=True)
edit(CHAR, "joined_by_spaces", '"".join', '" ".join',
     "there is a space between the characters that the text did not have.")
edit(CHAR, "a_list_of_characters", '"".join(signs[i] for i in known)',
     "[signs[i] for i in known]",
     "decode gives a list of characters; join them to one string.")
edit(CHAR, "length_without_unknown", "len(self.chars) + 1", "len(self.chars)",
     "the length leaves out the unknown id, and then the model has one row too few for it.")
