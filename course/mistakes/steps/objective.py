"""Known wrong answers to the steps about targets, the loss of a text, and its units."""

import math

from .. import mistake, wrong_choice, wrong_number

TARGETS = "steps.objective.targets"
wrong_choice(TARGETS, "a", "those are the inputs themselves. A model that sees 我 and has to say "
             "我 learns to copy.")
wrong_choice(TARGETS, "c", "these are the tokens before. The model is to say what comes next: "
             "after 我 comes 爱.")
wrong_choice(TARGETS, "d", "that is shifted by two: the token after 我 is 爱, and it is skipped.")
wrong_choice(TARGETS, "e", "that is the target of the last position alone. Every position predicts "
             "its next token, and each of these predictions is a term of the loss.")

WINDOWS = "steps.objective.windows"


@mistake(WINDOWS, "the last window is missing. Its start is n − T − 1, and starts are counted from "
         "0, so there are n − T of them.")
def last_missing(n: float, T: float) -> float:
    return n - T - 1


@mistake(WINDOWS, "that is how many windows of T inputs there are. The last of them has no target "
         "for its last token.")
def no_room_for_the_target(n: float, T: float) -> float:
    return n - T + 1


@mistake(WINDOWS, "that is how many windows lie side by side. A window may begin at any id, so "
         "windows overlap.")
def side_by_side(n: float, T: float) -> float:
    return n // T


@mistake(WINDOWS, "not every id can begin a window: near the end too few follow.")
def every_id(n: float, T: float) -> float:
    return n


@mistake(WINDOWS, "every id but the last has a next one, but a window needs T of them in a row.")
def every_pair(n: float, T: float) -> float:
    return n - 1


LOSS = "steps.objective.text_loss"
wrong_number(LOSS, 2, "that is the mean in bits. In nats the logarithm has base e.")
wrong_number(LOSS, 6 * math.log(2), "that is the sum over the three tokens. The loss is "
             "their mean.")
wrong_number(LOSS, 6, "that is the sum, in bits. The loss is the mean, in nats.")
wrong_number(LOSS, -math.log(7 / 24), "you took the mean of the probabilities and then the "
             "logarithm. First the logarithm of each, then the mean.")
wrong_number(LOSS, -2 * math.log(2), "the sign is lost: a logarithm of a probability is negative, "
             "and the loss is minus that.")
wrong_number(LOSS, -math.log10(1 / 64) / 3, "the logarithm has base 10 here. Nats are base e.")

PPL = "steps.objective.text_perplexity"
wrong_number(PPL, 24 / 7, "that is one divided by the mean probability. Perplexity is exp of the "
             "mean loss: the mean is taken of the logarithms.")
wrong_number(PPL, 14 / 3, "that is the ordinary mean of 2, 4 and 8. Perplexity is their geometric "
             "mean: multiply, then take the third root.")
wrong_number(PPL, math.exp(2), "that is e to the power of the loss in bits. With bits the base is "
             "2.")
wrong_number(PPL, 64, "that is one divided by the probability of the whole text. Per token, take "
             "the third root.")
wrong_number(PPL, 1 / 4, "that is the geometric mean of the probabilities. Perplexity is one "
             "divided by it.")
wrong_number(PPL, 2 * math.log(2), "that is the loss. Perplexity is e to the power of it.")
wrong_number(PPL, 2, "that is the mean loss in bits. Perplexity is 2 to the power of it.")

NEW = "steps.objective.first_perplexity"
ROUNDED = ("3,984 comes from a loss that was rounded to 8.29 before exp. Small errors of a "
           "logarithm are large ones of its number: work with ln V itself.")
wrong_number(NEW, 3984, ROUNDED)
wrong_number(NEW, math.exp(8.29), ROUNDED)
wrong_number(NEW, math.exp(8.294), "this comes from a loss that was rounded before exp. exp(ln V) "
             "needs no calculator.")
wrong_number(NEW, math.log(4000), "that is the loss in nats. Perplexity is e to the power of it.")
wrong_number(NEW, math.log10(4000), "that is the logarithm to base 10. The loss is ln V, and "
             "perplexity is e to the power of it.")
wrong_number(NEW, math.exp(math.log10(4000)), "the loss was taken to base 10 and exp to base e. "
             "Both must have the same base.")
wrong_number(NEW, math.log2(4000), "that is the loss in bits. Perplexity is 2 to the power of it.")
wrong_number(NEW, 1 / 4000, "that is the probability of each token. Perplexity is one divided by "
             "it.")

WORD = "steps.objective.per_word"


@mistake(WORD, "per character and per word can't be the same: a word is several characters, and "
         "the surprises of all of them add up.")
def the_same(ppl_char: float, n_chars: float, n_words: float) -> float:
    return ppl_char


@mistake(WORD, "the surprises add, so the perplexities multiply: it is a power, not a product.")
def product(ppl_char: float, n_chars: float, n_words: float) -> float:
    return ppl_char * n_chars / n_words


@mistake(WORD, "the exponent is upside down: a word has n_chars / n_words characters, and all of "
         "them have to be guessed.")
def upside_down(ppl_char: float, n_chars: float, n_words: float) -> float:
    return float(ppl_char ** (n_words / n_chars))


@mistake(WORD, "this is the loss per word in nats. Perplexity is e to the power of it.")
def loss_per_word(ppl_char: float, n_chars: float, n_words: float) -> float:
    return math.log(ppl_char) * n_chars / n_words


@mistake(WORD, "with n_chars as the exponent this is for the whole text. Per word, take the root "
         "of it: divide the exponent by n_words.")
def whole_text(ppl_char: float, n_chars: float, n_words: float) -> float:
    return float(ppl_char**n_chars)


@mistake(WORD, "a word with its space is n_chars / n_words characters long, and all of them count. "
         "Nothing is taken off.")
def without_spaces(ppl_char: float, n_chars: float, n_words: float) -> float:
    return float(ppl_char ** (n_chars / n_words - 1))


CHINESE = "steps.objective.chinese"
wrong_number(CHINESE, 2.3 / math.log(2), "those are bits per character. Each of these characters "
             "is three bytes.")
wrong_number(CHINESE, 2.3 / 3, "those are nats per byte. Divide by ln 2 for bits.")
wrong_number(CHINESE, 3 * 2.3 / math.log(2), "you multiplied by the three bytes. They share the "
             "cost of one character.")
wrong_number(CHINESE, 2.3 * math.log(2) / 3, "you multiplied by ln 2. A nat is more than a bit, so "
             "there are more bits: divide.")
wrong_number(CHINESE, 2.3, "that is nats per character. Neither unit is the one that is "
             "asked for.")
wrong_number(CHINESE, 2.3 / math.log(2) / 8, "a byte has eight bits, but here a character has "
             "three bytes: divide by 3.")

BETTER = "steps.objective.better"
wrong_choice(BETTER, "a", "3.2 is per character. Bring both to the same unit first: per word that "
             "model has 3.2 to the power of 5.7.")
wrong_choice(BETTER, "c", "the two numbers themselves can't be compared. But with 5.7 characters a "
             "word you can turn one into the unit of the other.")
wrong_choice(BETTER, "d", "equal they are not: work out 3.2 to the power of 5.7 and compare it "
             "with 80.")

FORCED = "steps.objective.forced"
wrong_choice(FORCED, "a", "that is what happens when the model writes by itself. In training the "
             "text is given, whatever the model would have said.")
wrong_choice(FORCED, "c", "nothing is left out: the mistake costs loss at its own position, and "
             "the next position goes on from the text.")
wrong_choice(FORCED, "d", "a window is read once and every position counts. Nothing stops at a "
             "mistake.")
