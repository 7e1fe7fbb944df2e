"""Known wrong answers to the functions that byte-pair encoding is made of."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from .. import edit, mistake

COUNT, BEST, MERGE = "tokenizer.count_pairs", "tokenizer.best_pair", "tokenizer.merge"
LEARN = "tokenizer.learn_merges"

edit(COUNT, "each_word_once", "+= times", "+= 1",
     "every word counts once. A word that occurs `times` times brings its pairs that often.")
edit(COUNT, "last_word_wins", "+= times", "= times",
     "a pair that several words hold keeps the count of the last one. Counts add up: `+=`.")
edit(COUNT, "letters", "pairwise(word)", "word",
     "this counts single ids. A pair is an id with the one after it.", raises=True)
edit(COUNT, "without_overlap", "pairwise(word)", "zip(word[::2], word[1::2])",
     "only every other place is looked at: a pair may begin at each id of a word but the last.")
edit(COUNT, "sorted_pairs", "counts[pair]", "counts[min(pair), max(pair)]",
     "(a, b) and (b, a) are counted as one. The order matters: “at” is not “ta”.")
edit(COUNT, "each_pair_once_a_word", "pairwise(word)", "set(pairwise(word))",
     "a pair that stands twice in a word is counted once. Each place counts.")
edit(COUNT, "around_the_end", "pairwise(word)", "zip(word, word[1:] + word[:1])",
     "the last id of a word is paired with the first one of the same word.")
edit(COUNT, "one_apart", "pairwise(word)", "zip(word, word[2:])",
     "these are ids with one between them. Neighbours are word[i] and word[i + 1].")
edit(COUNT, "last_pair_missing", "pairwise(word)", "zip(word[:-1], word[1:-1])",
     "the last pair of each word is missing.")


edit(COUNT, "first_word_only", "+= times\n    return", "+= times\n        return",
     "only the first word is counted: `return` stands inside the loop.")
edit(COUNT, "turned_around", "counts[pair]", "counts[pair[::-1]]",
     "the pair is turned around: first the id on the left.")


@mistake(COUNT, "places that overlap are left out. Each place counts: (a, a) stands twice in "
         "(a, a, a).")
def overlap_left_out(words: Mapping[tuple[int, ...], int]) -> Counter[tuple[int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    for word, times in words.items():
        last = None
        for pair in pairwise(word):
            last = None if pair == last else pair
            if last:
                counts[pair] += times
    return counts


@mistake(COUNT, "the last id of each word is paired with the first one of the next. Words come in "
         "no order, so only pairs inside a word mean something.")
def one_into_the_next(words: Mapping[tuple[int, ...], int]) -> Counter[tuple[int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    before: tuple[int, ...] = ()
    for word, times in words.items():
        for pair in pairwise((*before, *word)):
            counts[pair] += times
        before = word[-1:] or before
    return counts


@mistake(COUNT, "pairs reach from the end of one word into the beginning of the next. Words come "
         "in no order, so only pairs inside a word mean something.")
def across_words(words: Mapping[tuple[int, ...], int]) -> Counter[tuple[int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    ids: list[int] = []
    for word, times in words.items():
        ids += list(word) * times
    for i in range(len(ids) - 1):
        counts[ids[i], ids[i + 1]] += 1
    return counts


SMALLEST = "return min(pair for pair, times in counts.items() if times == top)"
edit(BEST, "larger_of_the_tied", "return min(pair", "return max(pair",
     "of equally frequent pairs the larger one is taken. The docstring wants the smallest.")
edit(BEST, "first_of_the_tied", SMALLEST,
     "return next(pair for pair, times in counts.items() if times == top)",
     "of equally frequent pairs the one that stands first in the dict is taken, and that depends "
     "on the order of the text. The smallest is wanted.")
edit(BEST, "smallest_of_all", " if times == top", "",
     "this is the smallest of all pairs, however rare. First comes the count, and the pair "
     "decides only between equal counts.")
edit(BEST, "rarest", "max(counts.values(), default=0)", "min(counts.values(), default=0)",
     "this is the rarest pair. A merge saves one id for each place of the pair, so the most "
     "frequent one saves most.")
edit(BEST, "once_is_enough", "top < 2", "top < 1",
     "a pair that occurs only once is merged too. That saves one id and costs an entry in the "
     "vocabulary, so the docstring stops before it.")
edit(BEST, "stops_at_two", "top < 2", "top <= 2",
     "a pair that occurs twice is still merged; stop when no pair does.")
edit(BEST, "never_stops", f"if top < 2:\n        return None\n    {SMALLEST}", SMALLEST,
     "there is no end: None is wanted when no pair occurs twice.", raises=True)
edit(BEST, "nothing_to_choose_from", ", default=0", "",
     "max of nothing is an error. With no pair at all None is wanted: max takes a `default`.",
     raises=True)
edit(BEST, "with_its_count", SMALLEST,
     "pair = min(pair for pair, times in counts.items() if times == top)\n    return (*pair, top)",
     "the count comes back together with the pair. Only the pair is wanted.")
edit(BEST, "a_list", SMALLEST, SMALLEST.replace("return ", "return list(") + ")",
     "the pair is no tuple. The counts are found by tuples, and learn_merges looks them up with "
     "what comes from here.")
edit(BEST, "taken_out", SMALLEST, SMALLEST.replace("return", "best =")
     + "\n    counts.pop(best)\n    return best",
     "the best pair is gone from the counts that were given. Look at them and leave them.")
edit(BEST, "smallest_sum", SMALLEST, SMALLEST.replace("top)", "top), key=sum)").replace(
     "min(pair", "min((pair"),
     "of equally frequent pairs the one with the smallest sum of its ids is taken. Tuples compare "
     "from the left.")
edit(BEST, "as_a_number", SMALLEST, SMALLEST.replace(
     "top)", "top), key=lambda p: p[0] * 256 + p[1])").replace("min(pair", "min((pair"),
     "the pairs are compared as numbers, 256 · first + second. Ids go beyond 255, so compare the "
     "tuples themselves.")
edit(BEST, "the_count", SMALLEST, "return top",
     "this is the count of the best pair; the pair itself is wanted.")


@mistake(BEST, "of equally frequent pairs the one with the smaller second id is taken. Tuples "
         "compare from the left.")
def second_id_decides(counts: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    top = max(counts.values(), default=0)
    if top < 2:
        return None
    return min((pair for pair in counts if counts[pair] == top), key=lambda p: (p[1], p[0]))


@mistake(BEST, "of equally frequent pairs the one that comes first as text is taken, and as text "
         "“10” stands before “9”. Compare the tuples themselves.")
def compared_as_text(counts: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    top = max(counts.values(), default=0)
    if top < 2:
        return None
    return min((pair for pair in counts if counts[pair] == top), key=str)


edit(MERGE, "overlapping", "at += 2", "at += 1",
     "an id is used for two merges, or comes back after one: after a pair go on behind it, two "
     "places on.")
edit(MERGE, "only_the_first", "if tuple(ids[at:at + 2]) == pair:",
     "if tuple(ids[at:at + 2]) == pair and new_id not in out:",
     "only the first place is merged. Go on to the end of the list.")
edit(MERGE, "first_id_stays", "out.append(new_id)", "out += [pair[0], new_id]",
     "the first id of the pair is still there beside the new one. Both are replaced by one id.")
edit(MERGE, "pair_removed", "            out.append(new_id)\n", "",
     "the pair is gone and nothing stands in its place.")
edit(MERGE, "either_order", "if tuple(ids[at:at + 2]) == pair:",
     "if tuple(ids[at:at + 2]) in (pair, pair[::-1]):",
     "(b, a) is merged like (a, b). The order matters, or decode could not undo it.")
edit(MERGE, "first_id_is_enough", "if tuple(ids[at:at + 2]) == pair:",
     "if ids[at] == pair[0] and at + 1 < len(ids):",
     "only the first id is compared. Both have to agree.")
edit(MERGE, "list_and_tuple", "tuple(ids[at:at + 2]) == pair", "ids[at:at + 2] == pair",
     "nothing is merged: a slice of a list is a list, and that never equals a tuple.")
edit(MERGE, "given_back", "    out, at = [], 0\n", "    if pair not in pairwise(ids):\n"
     "        return ids\n    out, at = [], 0\n",
     "without the pair the list that was given comes back. Who changes the result would change it "
     "too: give a new list.")
edit(MERGE, "a_tuple", "return out", "return tuple(out)", "a tuple comes. A list is asked for.")
edit(MERGE, "first_id_decides", "tuple(ids[at:at + 2]) == pair", "ids[at] == pair[0]",
     "only the first id is compared. Both have to agree.")
edit(MERGE, "past_the_end", "tuple(ids[at:at + 2]) == pair",
     "ids[at] == pair[0] and ids[at + 1] == pair[1]",
     "the last id has none behind it. A slice, ids[at:at + 2], is short there and no error.",
     raises=True)
edit(MERGE, "second_id_stays", "out.append(new_id)", "out += [new_id, pair[1]]",
     "the second id of the pair is still there beside the new one. Both are replaced by one id.")
edit(MERGE, "last_id_lost", "while at < len(ids):", "while at < len(ids) - 1:",
     "the last id is lost when it is in no pair.")


@mistake(MERGE, "the ids were written as text and replaced there, and as text 1 2 stands in 11 2 "
         "and in 1 21 too. Compare the ids themselves.")
def through_text(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    text = " ".join(map(str, ids)).replace(f"{pair[0]} {pair[1]}", str(new_id))
    return [int(i) for i in text.split()]


@mistake(MERGE, "the places are taken from the right, and the docstring wants them from the left: "
         "(a, a, a) becomes [new, a].")
def from_the_right(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    out = list(ids)
    at = len(out) - 2
    while at >= 0:
        if (out[at], out[at + 1]) == pair:
            out[at:at + 2] = [new_id]
            at -= 1
        at -= 1
    return out


@mistake(MERGE, "this changes the list it was given. Whoever called may still need it: build a "
         "new one.")
def in_place(ids: list[int], pair: tuple[int, int], new_id: int) -> list[int]:
    at = 0
    while at < len(ids) - 1:
        if (ids[at], ids[at + 1]) == pair:
            ids[at:at + 2] = [new_id]
        at += 1
    return ids


OLD = """            for pair in pairwise(now[number]):
                counts[pair] -= times[number]
"""
NEW = """            for pair in pairwise(now[number]):
                counts[pair] += times[number]
                where[pair].add(number)
"""
edit(LEARN, "old_pairs_stay", OLD, "",
     "the pairs that the word had before the merge are never taken off `counts`, so pairs that are "
     "gone still look frequent.")
edit(LEARN, "new_pairs_not_counted", "counts[pair] += times[number]", "pass",
     "the pairs that the word has after the merge are not added to `counts`, so no new id can be "
     "merged again.")
edit(LEARN, "each_word_once", "times[number]", "1",
     "a change in a word counts once, but the word stands `times[number]` times in the text.")
edit(LEARN, "not_found_again", "                where[pair].add(number)\n", "",
     "the new pairs are counted, but `where` does not say in which words they stand. When such a "
     "pair is merged later, its words are not touched.")
edit(LEARN, "only_the_pair_itself", OLD, "            counts[best] -= times[number]\n",
     "only the merged pair is taken off, and once a word. Its neighbours are gone too: (c, a) and "
     "(b, d) of c a b d.")
edit(LEARN, "nothing_changes", OLD + "            now[number] = merge(now[number], best, new_id)\n",
     "            now[number] = merge(now[number], best, new_id)\n" + OLD,
     "one pair is merged again and again, so it is still in `counts`. Take off the pairs that the "
     "word had before the merge, and keep the merged word in `now[number]`.")
edit(LEARN, "ids_from_the_pair", "merge(now[number], best, new_id)",
     "merge(now[number], best, best[0])",
     "the pair is replaced by its own first id, so a merged pair can no longer be told from a "
     "single one. Use `new_id`.")
edit(LEARN, "only_the_pair_off", OLD, "            counts[best] = 0\n",
     "only the merged pair is taken off. Its neighbours are gone too, such as (c, a) of c a b.")
edit(LEARN, "each_new_pair_once", "+= times[number]", "+= 1",
     "a new pair counts once, but the word stands `times[number]` times in the text.")
edit(LEARN, "each_pair_once_a_word", "in pairwise(now[number])", "in set(pairwise(now[number]))",
     "a pair that stands twice in a word is counted once. Each place counts, as in count_pairs.")
edit(LEARN, "old_pairs_once_a_word", OLD, OLD.replace("pairwise(now[number])",
                                                      "set(pairwise(now[number]))"),
     "a pair that stood twice in the word is taken off once. Each place counts, as in count_pairs.")
