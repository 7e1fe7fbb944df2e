"""Known wrong answers to the steps about bytes: of the cache, of a card, of training."""

from .. import mistake, wrong_number, wrong_value

HEAD = "steps.memory.per_head"
wrong_number(HEAD, 128, "that is the key. The value has as many numbers.")
wrong_number(HEAD, 384, "the query is not kept: two vectors, not three.")
wrong_number(HEAD, 512, "those are bytes, at two for each number. How many numbers are they?")
wrong_number(HEAD, 2, "two vectors. How many numbers are in them?")
wrong_number(HEAD, 16384, "key and value stand side by side; nothing multiplies them.")

HELD = "steps.memory.values_held"


@mistake(HELD, "that counts the keys alone. Values are kept too: a factor 2.")
def keys_alone(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return n_layer * Hkv * Dh * S * B


@mistake(HELD, "queries are not kept. The factor is 2, for keys and values.")
def queries_too(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return 3 * n_layer * Hkv * Dh * S * B


@mistake(HELD, "that is for H heads. What is kept are key and value heads, before they are "
         "repeated for the query heads: Hkv.")
def query_heads(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return 2 * n_layer * H * Dh * S * B


@mistake(HELD, "each text of the batch has tokens of its own: B is missing.")
def one_text(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return 2 * n_layer * Hkv * Dh * S


@mistake(HELD, "that is one layer. Each layer makes keys and values of its own.")
def one_layer(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return 2 * Hkv * Dh * S * B


@mistake(HELD, "that is one token of each text. All S stay.")
def newest_alone(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return 2 * n_layer * Hkv * Dh * B


@mistake(HELD, "each head has a key of Dh numbers; the width of one head is missing.")
def no_width(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return 2 * n_layer * Hkv * S * B


@mistake(HELD, "that has both H and Hkv in it. Query heads keep nothing.")
def both_heads(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return n_layer * (H + Hkv) * Dh * S * B


@mistake(HELD, "those are scores, S against S. They are made, used and dropped; keys and values "
         "grow with S.")
def square(n_layer: float, H: float, Hkv: float, Dh: float, S: float, B: float) -> float:
    return 2 * n_layer * Hkv * Dh * S**2 * B


TOKEN = "steps.memory.per_token_7b"
wrong_number(TOKEN, 262_144, "those are numbers, or the bytes of keys alone. Key and value, two "
             "bytes each.")
wrong_number(TOKEN, 16_384, "that is one layer. There are 32.")
wrong_number(TOKEN, 8_192, "that is one layer, and key alone. There are 32 layers, and values.")
wrong_number(TOKEN, 512, "that is one head of one layer. There are 32 of each.")
wrong_number(TOKEN, 4_194_304, "16 is the number of bits. float16 has 2 bytes.")
wrong_number(TOKEN, 1_048_576, "that is 4 bytes for a number. float16 has 2.")
wrong_number(TOKEN, 786_432, "that keeps the queries too.")
wrong_number(TOKEN, 2_147_483_648, "that is for 4,096 tokens. Here it is one.")

SEVEN = "steps.memory.gib_7b"
wrong_number(SEVEN, 2.147483648, "that is in GB, with 10⁹ bytes. A GiB has 2³⁰.")
wrong_number(SEVEN, 2.147, "that is in GB, with 10⁹ bytes. A GiB has 2³⁰.")
wrong_number(SEVEN, 2.15, "that is in GB, with 10⁹ bytes. A GiB has 2³⁰.")
wrong_number(SEVEN, 1, "that is the keys alone.")
wrong_number(SEVEN, 4, "2¹⁹ bytes a token, times 2¹² tokens, is 2³¹ bytes.")
wrong_number(SEVEN, 2048, "those are MiB; a GiB has 1024 of them.")
wrong_number(SEVEN, 2_147_483_648, "those are bytes. A GiB has 2³⁰ of them.")

EIGHT = "steps.memory.gb_eight"
wrong_number(EIGHT, 16, "16 is in GiB, and the weights are given in GB. Compare in one unit: 2³⁰ "
             "bytes are 1.0737 GB.")
wrong_number(EIGHT, 17_179_869_184, "those are bytes. A GB has 10⁹ of them.")
wrong_number(EIGHT, 2.147483648, "that is one text. There are eight.")
wrong_number(EIGHT, 8.589934592, "that is half of it: keys and values for each of eight texts.")
wrong_number(EIGHT, 30.66, "you have added the weights; they come in the next line.")

SEVENTY = "steps.memory.gib_70b"
wrong_number(SEVENTY, 10, "that is with 64 heads, those of the queries. Only the 8 key heads are "
             "kept.")
wrong_number(SEVENTY, 0.625, "that is the keys alone.")
wrong_number(SEVENTY, 1.342177280, "that is in GB. A GiB has 2³⁰ bytes.")
wrong_number(SEVENTY, 1.34, "that is in GB. A GiB has 2³⁰ bytes.")
wrong_number(SEVENTY, 80, "64 heads and 64 times too much: 8 key heads, not 8 times 64.")
wrong_number(SEVENTY, 2.5, "that is 4 bytes for a number. float16 has 2.")

GAIN = "steps.memory.sharing_gain"


@mistake(GAIN, "that is what is left of the cache. What is saved, and how much would MQA save?")
def what_is_left(H: float, Hkv: float) -> float:
    return Hkv / H


@mistake(GAIN, "that is the part of MHA's cache that is saved. Divide by the part that MQA saves, "
         "which is not quite all: one head stays.")
def of_the_cache(H: float, Hkv: float) -> float:
    return 1 - Hkv / H


@mistake(GAIN, "that compares factors, H / Hkv times smaller with H times smaller. What is saved "
         "is a difference: H heads before, Hkv after.")
def factors(H: float, Hkv: float) -> float:
    return 1 / Hkv


@mistake(GAIN, "that compares factors less 1. What is saved is a difference: H heads before, Hkv "
         "after, against H before and 1 after.")
def factors_less_one(H: float, Hkv: float) -> float:
    return (H / Hkv - 1) / (H - 1)


@mistake(GAIN, "those are the query heads in a group. How many heads are saved, out of how many?")
def the_group(H: float, Hkv: float) -> float:
    return H / Hkv


@mistake(GAIN, "it is upside down: a part of MQA's saving is at most 1.")
def upside_down(H: float, Hkv: float) -> float:
    return (H - 1) / (H - Hkv) if H != Hkv else 0.0


@mistake(GAIN, "that is the part of MQA's saving that is *not* had. With Hkv = 1 it has to be 1.")
def what_is_missed(H: float, Hkv: float) -> float:
    return (Hkv - 1) / (H - 1)


MINI = "steps.memory.mib_mini"
wrong_number(MINI, 33.554432, "that is in MB, with 10⁶ bytes. A MiB has 2²⁰.")
wrong_number(MINI, 16, "that is with 2 bytes for a number, or keys alone. float32 has 4, and "
             "values are kept too.")
wrong_number(MINI, 1, "that is one text. The batch has 32.")
wrong_number(MINI, 8, "that is with one byte for a number. float32 has 4 bytes.")
wrong_number(MINI, 256, "that is with 32 bytes for a number: 32 is its bits.")
wrong_number(MINI, 33_554_432, "those are bytes. A MiB has 2²⁰ of them.")

FIT = "steps.memory.texts_that_fit"


@mistake(FIT, "a text whose cache fits by half can't be served: round down to whole texts.")
def parts_of_texts(card: float, weights: float, reserve: float, per_text: float) -> float:
    return max(0, (card - weights - reserve) / per_text)


@mistake(FIT, "that rounds to the nearest. A text that fits by three quarters does not fit.")
def rounded(card: float, weights: float, reserve: float, per_text: float) -> float:
    return max(0, round((card - weights - reserve) / per_text))


@mistake(FIT, "that rounds up: the last text would not fit.")
def rounded_up(card: float, weights: float, reserve: float, per_text: float) -> float:
    return max(0, -(-(card - weights - reserve) // per_text))


@mistake(FIT, "the weights are on the card too.")
def no_weights(card: float, weights: float, reserve: float, per_text: float) -> float:
    return max(0, (card - reserve) // per_text)


@mistake(FIT, "the rest (activations, what the driver takes) needs room too: take the reserve off.")
def no_reserve(card: float, weights: float, reserve: float, per_text: float) -> float:
    return max(0, (card - weights) // per_text)


@mistake(FIT, "where even the weights do not fit, that is below 0. Nothing fits then: 0.")
def below_zero(card: float, weights: float, reserve: float, per_text: float) -> float:
    return (card - weights - reserve) // per_text


@mistake(FIT, "where even the weights do not fit, that is below 0. Nothing fits then: 0, which "
         "rounding towards 0 gives only by chance.")
def cut_towards_zero(card: float, weights: float, reserve: float, per_text: float) -> float:
    return int((card - weights - reserve) / per_text)


@mistake(FIT, "the reserve is taken once from the card, not added for each text.")
def reserve_each(card: float, weights: float, reserve: float, per_text: float) -> float:
    return max(0, (card - weights) // (per_text + reserve))


SAVES = "steps.memory.what_saves"
for kind, answer, message in (
        ("turned", [3, 2, 1, 6, 4, 5], "for each saving you wrote the row of the table. It is "
         "asked the other way: for each row, the number of what it saves."),
        ("rows_counted", [1, 2, 3, 4, 5, 6], "those are the rows in their order. Write for each "
         "what it saves."),
        ("pages_and_places", [3, 2, 1, 6, 5, 4], "pages and places are exchanged. Pages are "
         "about room in memory; who leaves the batch makes a place in it."),
        ("places_and_passes", [3, 2, 1, 5, 4, 6], "the last two are exchanged. A finished text "
         "gives its place away; several tokens that are judged at once save passes."),
        ("window_and_pages", [3, 2, 5, 1, 6, 4], "window and pages are exchanged. A window drops "
         "positions; pages keep all of them and reserve nothing."),
        ("last_three_counted", [3, 2, 1, 4, 5, 6], "the first three are right. Of the others: what "
         "is given out in pages, who makes a place in the batch, what is judged at once?"),
        ("heads_and_window", [1, 2, 3, 5, 6, 4], "sharing keeps all positions and fewer heads; a "
         "window keeps all heads and fewer positions."),
        ("heads_and_bytes", [2, 3, 1, 5, 6, 4], "sharing leaves each number as long as it is; "
         "rounding leaves the heads."),
        ("bytes_and_window", [3, 1, 2, 5, 6, 4], "rounding keeps all positions; a window keeps "
         "fewer, and leaves the numbers as long as they are.")):
    wrong_value(SAVES, kind, answer, message)

TRAIN = "steps.memory.training_bytes"


@mistake(TRAIN, "those are the weights alone. In training each has a gradient and two running "
         "means of AdamW.")
def weights_alone(N: float) -> float:
    return 4 * N


@mistake(TRAIN, "weights and gradients are 8 bytes. AdamW keeps two more numbers for each weight.")
def no_optimiser(N: float) -> float:
    return 8 * N


@mistake(TRAIN, "there are four arrays: weights, gradients, and the two running means of AdamW. "
         "One is missing.")
def one_moment(N: float) -> float:
    return 12 * N


SQUARE = "steps.memory.square_growth"
wrong_number(SQUARE, 4, "that is the T × T alone, or each of the two once. The batch doubles it, "
             "and T stands in the shape twice.")
wrong_number(SQUARE, 2, "T stands in [B, H, T, T] twice, and the batch has doubled as well.")
wrong_number(SQUARE, 16, "the batch stands in the shape once and T twice: 2 · 2².")
wrong_number(SQUARE, 1, "both sizes have grown. Put 2B and 2T into [B, H, T, T].")
