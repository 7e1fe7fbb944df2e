"""Known wrong answers to the steps about cutting a distribution."""

from .. import wrong_choice, wrong_number, wrong_value

TOP_K = "steps.cutoffs.after_top_k"
wrong_number(TOP_K, 0.5, "that is its share before the cut. What is left sums to 0.75, so each "
             "share has to be divided by that.")
wrong_number(TOP_K, 0.75, "that is the mass of both tokens together. Which part of it is the first "
             "token's?")
wrong_number(TOP_K, 1 / 3, "that is the second token's share.")
wrong_number(TOP_K, 0.625, "the lost mass has been shared out equally. Softmax after the cut keeps "
             "the ratio 0.5 : 0.25.")

CROSSING = "steps.cutoffs.crossing"
wrong_choice(CROSSING, "a", "this drops the token that crosses p, and then the mass is below p. A "
             "first token of 0.5 would be dropped at p = 0.4, and nothing would be left.")
wrong_choice(CROSSING, "c", "when the mass before it is exactly p, the set is complete already: "
             "this token is one too many. At p = 0 it would keep two.")
wrong_choice(CROSSING, "d", "this drops the token that crosses p or meets it, and then the mass is "
             "below p.")

SIZES = "steps.cutoffs.sizes"
wrong_value(SIZES, "crossing_dropped", [0, 0, 2, 2, 5], "the token that crosses p has been "
            "dropped, so the mass stays below p. At p = 0.4 nothing is left to draw from.")
wrong_value(SIZES, "strictly_below", [0, 0, 1, 2, 4], "only tokens whose running mass stays below "
            "p were counted. The set has to reach p: one more token.")
wrong_value(SIZES, "crossing_dropped_but_one", [1, 1, 2, 2, 5], "the token that crosses p has been "
            "dropped. With two tokens the mass is 0.75, and p = 0.8 has not been reached.")
wrong_value(SIZES, "one_too_many", [1, 1, 3, 3, 5], "at p = 0.75 two tokens are enough: their mass "
            "is 0.75, and *at least* p is asked for.")
wrong_value(SIZES, "one_more_everywhere", [2, 2, 3, 4, 5], "this is one token more than needed: "
            "the smallest set that reaches p is asked for.")
wrong_value(SIZES, "none_at_zero", [0, 1, 2, 3, 5], "a sampler has to draw something: p = 0 keeps "
            "the most likely token.")
wrong_value(SIZES, "share_of_the_vocabulary", [0, 2, 4, 4, 5], "that is p times the number of "
            "tokens. p is a share of the probability, not of the vocabulary.")
wrong_value(SIZES, "from_the_least_likely", [1, 4, 5, 5, 5], "you added up from the least likely "
            "token. The set is made of the most likely ones.")

KEPT = "steps.cutoffs.kept"
wrong_value(KEPT, "as_sorted", [0, 1, 2], "three tokens stay, but not the first three of the "
            "vocabulary: 0, 1, 2 are places in the sorted list. Which tokens stand there?")
wrong_value(KEPT, "crossing_dropped", [1, 3], "with these two the mass is 0.75, below p. The token "
            "that crosses p stays.")
wrong_value(KEPT, "unsorted", [0, 1, 2, 3], "you went through the vocabulary as it stands. Start "
            "with the most likely token.")
wrong_value(KEPT, "dropped_ones", [2, 4], "these are the tokens that go.")
wrong_value(KEPT, "as_a_mask", [1, 1, 0, 1, 0], "that marks each token with 1 or 0. Write the "
            "numbers of those that stay.")
wrong_value(KEPT, "one_too_many", [0, 1, 3, 4], "with three tokens the mass is 0.9, which reaches "
            "0.8. A fourth one is not needed.")
wrong_value(KEPT, "their_probabilities", [0.5, 0.25, 0.15], "those are the probabilities of the "
            "right ones. Which tokens of the vocabulary have them?")
wrong_value(KEPT, "counted_from_one", [1, 2, 4], "tokens are counted from 0 here.")

TOP_P = "steps.cutoffs.after_top_p"
wrong_number(TOP_P, 0.25, "that is its share before the cut. The three that stay sum to 0.9, so "
             "each is divided by that.")
wrong_number(TOP_P, 0.3125, "that is 0.25 / p. What stays has the mass 0.9, which is at least p "
             "and rarely p itself.")
wrong_number(TOP_P, 1 / 3, "that is 0.25 / 0.75, without the token that crosses p.")

WARM = "steps.cutoffs.warm"
wrong_number(WARM, 3, "that is top-p without the temperature. At t = 2 the roots of the "
             "probabilities count, and they are flatter.")
wrong_number(WARM, 5, "the first four have a mass of 0.90, which reaches 0.8.")
wrong_number(WARM, 2, "t = 2 flattens, so it takes more tokens to reach p, not fewer. Divide the "
             "scores by t, which takes the root of each probability.")

for letter, why in {
        "b": "at t = 2 it took four tokens to reach 0.8, and three at t = 1.",
        "c": "a probability is compared with p times the largest, and temperature moves that "
             "ratio: 0.25 / 0.5 becomes 0.71 at t = 2.",
        "d": "top-p and min-p compare probabilities, which temperature moves. Which of the three "
             "looks at nothing but the order?"}.items():
    wrong_choice("steps.cutoffs.commutes", letter, why)

wrong_choice("steps.cutoffs.most_typical", "a", "the most likely token has a surprise of 0.69, "
             "which is 0.58 below the entropy. Another one is nearer.")
wrong_choice("steps.cutoffs.most_typical", "c", "its surprise is 1.90, which is 0.62 above the "
             "entropy. Another one is nearer.")
wrong_choice("steps.cutoffs.most_typical", "d", "its surprise is 3.22, the farthest of all from "
             "1.28.")
