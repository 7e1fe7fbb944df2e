"""Known wrong answers to the steps about characters, bytes and byte-pair encoding."""

from .. import Mistake, add, wrong_choice, wrong_number

SIZE = "steps.tokens.vocab_size"
wrong_number(SIZE, 4000, "that is the cap, the most there may be. The text has only a few "
             "different characters.")
wrong_number(SIZE, 4001, "that is the cap and the unknown id. The text has fewer different "
             "characters than the cap allows.")
wrong_number(SIZE, 5, "those are the known characters. The id for unknown ones is a row of the "
             "table too.")
wrong_number(SIZE, 11, "that is the length of the text. Each character counts once, however often "
             "it occurs.")
wrong_number(SIZE, 12, "that is the length of the text and one more. Each character counts once, "
             "however often it occurs.")
wrong_number(SIZE, 4, "the space is a character too, and the unknown id comes on top.")

BYTES = "steps.tokens.n_bytes"
wrong_number(BYTES, 7, "those are the characters. ï takes two bytes and 我 takes three.")
wrong_number(BYTES, 9, "one byte is missing: ï takes two, 我 takes three, and the space is a byte "
             "as well.")
wrong_number(BYTES, 8, "two bytes are missing: ï takes two and 我 takes three.")
wrong_number(BYTES, 21, "three bytes is the price of a Chinese character. A letter of ASCII takes "
             "one.")
wrong_number(BYTES, 14, "that is two bytes for each character, which is another code, UTF-16. "
             "UTF-8 takes one to four.")
wrong_number(BYTES, 28, "that is four bytes for each character, which is another code, UTF-32. "
             "UTF-8 takes one to four.")

FIRST = "steps.tokens.first_merge"
wrong_choice(FIRST, "a", "(h, a) occurs six times, but so does another pair. Of equally frequent "
             "pairs the smaller one goes first, and bytes of letters are in the order of the "
             "alphabet.")
wrong_choice(FIRST, "c", "(t, h) stands in one word only, which occurs three times. Add up for "
             "each pair over all words that hold it.")
wrong_choice(FIRST, "d", "tea is the most frequent word, and its pairs occur four times. A pair "
             "that stands in several words can do better.")

OVERLAP = "steps.tokens.overlap"
wrong_choice(OVERLAP, "b", "from the left, the first two are taken at once. The one that is left "
             "over stands at the end.")
wrong_choice(OVERLAP, "c", "each a can be used for one pair only: five of them make two pairs.")
wrong_choice(OVERLAP, "d", "one merge replaces the pair at every place, not only at the first one.")

CHANGES = "steps.tokens.count_changes"


def wrong_changes(name: str, row: list[int], message: str) -> None:
    add(CHANGES, Mistake(name, message, row, f"count_changes = {row}"))


wrong_changes("neighbours_stay", [0, -7, 0, 7, 7], "(c, a) and (b, d) are gone as well: there is "
              "no a behind the c any more.")
wrong_changes("pair_stays", [-7, 0, -7, 7, 7], "the merged pair itself is gone too.")
wrong_changes("each_word_once", [-1, -1, -1, 1, 1], "the word stands seven times in the text, and "
              "each of these places changes.")
wrong_changes("signs", [7, 7, 7, -7, -7], "the signs are turned around: what holds a or b is gone, "
              "what holds X is new.")
wrong_changes("nothing_new", [-7, -7, -7, 0, 0], "two new pairs appear: c with X, and X with d.")
wrong_changes("only_the_pair", [0, -7, 0, 0, 0], "a merge changes the neighbours too: c now stands "
              "before X, and d behind it.")
wrong_changes("counts_not_changes", [0, 0, 0, 7, 7], "these are the counts afterwards. The changes "
              "are asked for.")
