"""Known wrong answers to the steps about what is kept, where it stands, and who may look at it."""

from .. import mistake, wrong_choice, wrong_number, wrong_value

KEPT = "steps.cache.kept"
wrong_choice(KEPT, "a", "keys alone give the scores. The output is a sum of values, and those of "
             "the earlier tokens are in it too.")
wrong_choice(KEPT, "b", "values are what is summed, but with which weights? The new query has to "
             "meet the earlier keys.")
wrong_choice(KEPT, "d", "an old query asks for the output of an old token, and that is done. The "
             "new token brings its own query.")
wrong_choice(KEPT, "e", "an old weight belongs to an old query. The new query makes a row of new "
             "weights, from the keys.")

LATER = "steps.cache.later_layers"
wrong_choice(LATER, "a", "that holds for layer 1, which reads embeddings. In layer 2 the input "
             "of token 3 is a mixture that attention has made.")
wrong_choice(LATER, "c", "with the causal mask nothing flows from later tokens to earlier ones, in "
             "no layer.")
wrong_choice(LATER, "d", "that is the wrong side: the causal mask lets token 3 see what came "
             "before it.")

WITHOUT, WITH = "steps.cache.rows_without", "steps.cache.rows_with"


@mistake(WITHOUT, "each pass also takes the tokens made so far. The prompt alone is P; how long is "
         "the text in pass 2, and in the last one?")
def prompt_only(P: float, n: float) -> float:
    return n * P


@mistake(WITHOUT, "the first pass takes the prompt alone, P tokens. You start at P + 1: one too "
         "many in each pass.")
def one_too_long(P: float, n: float) -> float:
    return n * P + n * (n + 1) / 2


@mistake(WITHOUT, "every pass is counted as long as the last one. They grow from P to P + n − 1: "
         "0 + 1 + … + (n − 1) is n(n − 1)/2.")
def all_as_the_last(P: float, n: float) -> float:
    return n * (P + n - 1)


@mistake(WITHOUT, "every pass is counted as long as the finished text. They grow from P to P + n − "
         "1: 0 + 1 + … + (n − 1) is n(n − 1)/2.")
def all_as_the_text(P: float, n: float) -> float:
    return n * (P + n)


@mistake(WITHOUT, "that is the length of the finished text. Without a cache it goes through anew "
         "for each token.")
def the_text_once(P: float, n: float) -> float:
    return P + n


@mistake(WITH, "the last new token is picked and put behind the text. Nothing asks what follows "
         "it, so it never goes through the model.")
def last_one_too(P: float, n: float) -> float:
    return P + n


@mistake(WITH, "the prompt has to go through too, once: the cache is empty at the start.")
def new_ones_only(P: float, n: float) -> float:
    return n


@mistake(WITH, "the prompt has to go through too, once: its keys and values are what the new "
         "tokens look at.")
def no_prompt(P: float, n: float) -> float:
    return n - 1


@mistake(WITH, "that is the prompt in every pass. Once it is in the cache, only the newest token "
         "goes through.")
def prompt_each_time(P: float, n: float) -> float:
    return n * P


wrong_value("steps.cache.positions", "from_zero", [0, 1, 2], "the count starts anew. Position 0 to "
            "6 are taken by the tokens in the cache.")
wrong_value("steps.cache.positions", "one_late", [8, 9, 10], "the seven tokens stand at 0 to 6, so "
            "the first new one stands at 7.")
wrong_value("steps.cache.positions", "one_early", [6, 7, 8], "position 6 is taken: it is the last "
            "of the seven, counted from 0.")
wrong_value("steps.cache.positions", "behind_all_ten", [10, 11, 12], "after this pass ten tokens "
            "are there, and the new ones are among them: the first stands right behind the seven.")
wrong_value("steps.cache.positions", "all_alike", [7, 7, 7], "three tokens have three positions; "
            "the offset is added to 0, 1 and 2.")
wrong_value("steps.cache.positions", "all_ten", list(range(10)), "those are the positions of all "
            "ten tokens. Which of them are new?")

WITHIN = "steps.cache.length_within"
wrong_number(WITHIN, 9, "two layers hold 9. But layer 2 will ask in a moment where its tokens "
             "stand, and they stand where they stood for the other layers.")
wrong_number(WITHIN, 8, "that is no layer's count. Which number of positions do all three hold?")
wrong_number(WITHIN, 11, "that counts the two tokens once for each layer. They are the same two "
             "tokens.")
wrong_number(WITHIN, 10, "positions are counted in tokens, and 7 were there before this step.")
wrong_number(WITHIN, 25, "that adds the layers. A position is one token, in however many layers.")
wrong_number(WITHIN, 2, "two are new. The seven before them still count.")

FULL = "steps.cache.full_window"
wrong_choice(FULL, "a", "the room would do, but the window has moved: the token at place 1 is at "
             "place 0 now, and its key was made for place 1.")
wrong_choice(FULL, "c", "then the model would look at fewer tokens than without a cache, and give "
             "another text.")
wrong_choice(FULL, "d", "a learned table has no row for it, and the model was never trained there.")

NEEDS = "steps.cache.needs_mask"
wrong_value(NEEDS, "never", [0, 0, 0, 0], "that holds for the first case alone. In each of the "
            "others, is every key one that every query may see?")
wrong_value(NEEDS, "always", [1, 1, 1, 1], "the single new token may see all that the cache gives "
            "it: there is nothing to hide from it.")
wrong_value(NEEDS, "chunk_without", [0, 0, 1, 1], "the first of three new tokens must not see "
            "the other two, whose keys are in the cache by then.")
wrong_value(NEEDS, "padding_without", [0, 1, 0, 1], "padding has keys too. Without a mask the "
            "token attends to them.")
wrong_value(NEEDS, "buffer_without", [0, 1, 1, 0], "a place that is still empty holds zeros: a "
            "score of 0, and exp(0) = 1 is not no weight.")
wrong_value(NEEDS, "chunk_alone", [0, 1, 0, 0], "right for the chunk. But padding and empty places "
            "have scores too, and softmax gives them a weight.")
wrong_value(NEEDS, "numbers_of_the_cases", [2, 3, 4], "those are the right cases, by number. Write "
            "for each of the four a 1 or a 0.")
wrong_value(NEEDS, "turned", [1, 0, 0, 0], "1 was to mean: a mask is needed.")

PAIRS = "steps.cache.chunk_pairs"
wrong_number(PAIRS, 30, "that is every new token with all ten. The first of them must not see the "
             "two behind it.")
wrong_number(PAIRS, 21, "that is the seven in the cache alone. Each new token sees itself too, and "
             "the new ones before it.")
wrong_number(PAIRS, 24, "the first new token sees 8 and each later one sees one more.")
wrong_number(PAIRS, 6, "that is the mask of three tokens by themselves. All three also see the "
             "seven in the cache.")
wrong_number(PAIRS, 55, "that counts the first seven as queries too. Only the new tokens ask.")

CORNER = "steps.cache.corner"
wrong_number(CORNER, 5, "so it should be, and so it is not: `is_causal` puts the triangle into the "
             "upper left corner, and its first row has a single 1.")
wrong_number(CORNER, 4, "the triangle of `is_causal` begins in the upper left corner: what does "
             "its first row allow?")
wrong_number(CORNER, 0, "the first row of the triangle is not empty: position 0 sees itself.")
