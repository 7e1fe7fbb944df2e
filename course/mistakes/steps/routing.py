"""Known wrong answers to the steps that say what attention computes."""

from .. import wrong_choice, wrong_number, wrong_value

WINNER = "steps.routing.winner"
wrong_choice(WINNER, "b", "b points exactly where q points, but a dot product also counts lengths: "
             "q·b = 2. Work out q·a.")
wrong_choice(WINNER, "c", "c points the other way, so its score is negative, however long it is.")
wrong_choice(WINNER, "d", "the three scores are 1·3 + 0·4, 1·2 + 0·0 and 1·(−5) + 0·0.")

OUTPUT = "steps.routing.output"
wrong_number(OUTPUT, 6, "that is the plain mean. The weights are softmax(0, ln 3), and exp(ln 3) "
             "is 3.")
wrong_number(OUTPUT, 4, "that is the value of the key with the higher score. The other one gets a "
             "weight too: exp(0) / (exp(0) + exp(ln 3)).")
wrong_number(OUTPUT, 20, "you summed exp(score) · value, and the exponentials sum to 4: divide by "
             "it.")
wrong_number(OUTPUT, 7, "the weights have changed places: the higher score belongs to the value 4.")
wrong_number(OUTPUT, 4.394449, "you weighted with the scores themselves. The softmax comes first.")
wrong_number(OUTPUT, 5.906, "you weighted with 1 and ln 3. exp goes over both scores: exp(0) is 1 "
             "and exp(ln 3) is 3.")
wrong_number(OUTPUT, 12, "you added the values. Each has a weight, and the weights sum to 1.")
wrong_number(OUTPUT, 8, "that is the value of the key with the lower score.")

SHAPES = "steps.routing.shapes"

wrong_value(SHAPES, "no_batch", [[5, 8], [5, 5], [5, 4]],
            "the batch dimension is missing: each of the B sequences has queries, scores and "
            "outputs of its own.")
wrong_value(SHAPES, "widths_against_widths", [[2, 5, 8], [2, 8, 8], [2, 5, 4]],
            "that is qᵀ k, widths against widths. A score belongs to a query and a key, so there "
            "are T × T of them.")
wrong_value(SHAPES, "all_as_x", [[2, 5, 16], [2, 5, 5], [2, 5, 16]],
            "W_q turns the width D = 16 into Dh = 8, and W_v into Dv = 4.")
wrong_value(SHAPES, "out_as_q", [[2, 5, 8], [2, 5, 5], [2, 5, 8]],
            "an output is a mixture of values, so it has their width, Dv.")
wrong_value(SHAPES, "out_as_x", [[2, 5, 8], [2, 5, 5], [2, 5, 16]],
            "an output is a mixture of values, so it has their width, Dv. The way back to D is one "
            "more matrix, in lesson 05.")
wrong_value(SHAPES, "q_as_x", [[2, 5, 16], [2, 5, 5], [2, 5, 4]],
            "W_q turns the width D = 16 into Dh = 8.")
wrong_value(SHAPES, "scores_as_q", [[2, 5, 8], [2, 5, 8], [2, 5, 4]],
            "a score belongs to a query and a key: there are T × T of them, whatever the widths.")
wrong_value(SHAPES, "q_turned", [[2, 8, 5], [2, 5, 5], [2, 4, 5]],
            "positions come before widths: [B, T, Dh].")
wrong_value(SHAPES, "batch_mixed", [[2, 5, 8], [10, 10], [2, 5, 4]],
            "sequences of a batch do not see each other: the scores are [T, T] for each of them.")
wrong_value(SHAPES, "shapes_of_the_matrices", [[16, 8], [2, 5, 5], [16, 4]],
            "those are the shapes of W_q and W_v. q is x W_q.")

MEMORY = "steps.routing.score_memory"
wrong_number(MEMORY, 0.5, "that is the number of scores in units of 2³⁰. Each takes 2 bytes.")
wrong_number(MEMORY, 2, "that is for 4 bytes each. float16 has 2.")
wrong_number(MEMORY, 1 / 32, "that is for one head. Each of the 32 has its own T × T scores.")
wrong_number(MEMORY, 4, "that is for 8 bytes each: 16 is the number of bits, and float16 has 2 "
             "bytes.")
wrong_number(MEMORY, 16, "16 is the number of bits of a float16, so 2 bytes.")
wrong_number(MEMORY, 8, "you took 16 bits for 16 bytes: float16 has 2 bytes.")
wrong_number(MEMORY, 1.073741824, "that is in GB, 10⁹ bytes. A GiB is 2³⁰ bytes.")
wrong_number(MEMORY, 2**30, "those are the bytes. Divide by 2³⁰ for GiB.")
wrong_number(MEMORY, 2**29, "that is the number of scores. Times the bytes of each, over 2³⁰.")
wrong_number(MEMORY, 32 * 4096 * 2 / 2**30, "there is a score for each *pair* of positions: T², "
             "not T.")
