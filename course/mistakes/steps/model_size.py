"""Known wrong answers to the steps about a model's parameters."""

from .. import mistake, wrong_number

wrong_number("steps.model_size.token_rows", 512128,
             "that is 4001 rows. V = 4000 counts every token, the one for unknown characters "
             "too.")
wrong_number("steps.model_size.token_rows", 1024000,
             "that is 4000 × 256. A row has D numbers; 256 is the number of positions.")
wrong_number("steps.model_size.token_rows", 4000,
             "that is the number of rows. Each has D numbers.")
wrong_number("steps.model_size.place_rows", 8192,
             "that is the number of tokens in a batch. The table is the same for every text: "
             "one row for each position.")
wrong_number("steps.model_size.place_rows", 1048576,
             "the batch has no part in it. The table has one row for each position, of D "
             "numbers.")
wrong_number("steps.model_size.place_rows", 512000,
             "that is the token embedding. There are 256 positions.")
wrong_number("steps.model_size.qkv", 49152,
             "the biases are missing: one for each of the 3 · D outputs.")
wrong_number("steps.model_size.qkv", 16512,
             "that is one of the three projections.")
wrong_number("steps.model_size.qkv", 12384,
             "each head has its own 32 columns, and there are four heads: together they are D "
             "wide.")
wrong_number("steps.model_size.qkv", 198144,
             "that is three projections for each of the four heads at full width. A head has D "
             "/ H columns, so together they have D.")
wrong_number("steps.model_size.qkv", 66048,
             "the projection after the heads is in it. It has the next row.")
wrong_number("steps.model_size.qkv", 49280,
             "that has one offset for all three. Queries, keys and values each have 128.")
wrong_number("steps.model_size.mixed", 16384,
             "the biases are missing: one for each of the D outputs.")
wrong_number("steps.model_size.mixed", 4224,
             "that maps one head. The four heads are joined first, so D numbers go in.")
wrong_number("steps.model_size.mixed", 49536,
             "that is queries, keys and values once more. This is one matrix, D × D, and its "
             "biases.")
wrong_number("steps.model_size.way_up", 65536,
             "the biases are missing: one for each output, and there are 4 D outputs.")
wrong_number("steps.model_size.way_up", 65664,
             "you counted D biases. A bias belongs to an output, and the way up has 4 D of "
             "them.")
wrong_number("steps.model_size.way_up", 16512,
             "that is D × D. The hidden width is 4 D.")
wrong_number("steps.model_size.way_down", 65536,
             "the biases are missing: one for each of the D outputs.")
wrong_number("steps.model_size.way_down", 66048,
             "you counted 4 D biases. A bias belongs to an output, and the way down has D of "
             "them.")
wrong_number("steps.model_size.way_down", 131712,
             "that is the way up and the way down together.")
wrong_number("steps.model_size.one_block", 197760,
             "the two norms are missing: gain and offset, D numbers each, twice.")
wrong_number("steps.model_size.one_block", 198016,
             "one norm is missing, or its offsets are: a block has two norms, each with D "
             "gains and D offsets.")
wrong_number("steps.model_size.one_block", 793088,
             "that is all four blocks.")
wrong_number("steps.model_size.one_block", 198528,
             "that is three norms. The one after the last block is not part of a block.")
wrong_number("steps.model_size.one_block", 196608,
             "that is 12 D², the matrices alone. Biases, gains and offsets of the norms belong "
             "to the block too.")
wrong_number("steps.model_size.whole", 1850112,
             "the output head is counted. It is tied: the same 512,000 numbers as the "
             "embedding.")
wrong_number("steps.model_size.whole", 1338240,
             "that is with 4001 tokens, as the notes' code makes them. Here V = 4000.")
wrong_number("steps.model_size.whole", 1337856,
             "the final norm is missing: D gains and D offsets.")
wrong_number("steps.model_size.whole", 743296,
             "one block is counted. There are four.")
wrong_number("steps.model_size.whole", 1305344,
             "the position table is missing.")
wrong_number("steps.model_size.whole", 826112,
             "the token embedding is missing. Tied means counted once, not never.")
wrong_number("steps.model_size.whole", 1337984,
             "the final norm has D offsets besides its D gains.")
wrong_number("steps.model_size.enlarged", 4254720,
             "the output head is counted. It is tied to the embedding.")
wrong_number("steps.model_size.enlarged", 3486912,
             "that is with 4001 tokens. Here V = 4000.")
wrong_number("steps.model_size.enlarged", 3486336,
             "the final norm is missing.")
wrong_number("steps.model_size.enlarged", 2597120,
             "that is four blocks of width 192. The larger model has six.")
wrong_number("steps.model_size.enlarged", 1734656,
             "that is six blocks, of width 128. The larger model is 192 wide.")
wrong_number("steps.model_size.enlarged", 3437568,
             "the position table is missing: 256 rows of 192.")

RULE = "steps.model_size.rule"


@mistake(RULE, "2 V D counts the head apart from the embedding. It is tied: V D once.")
def head_twice(V: float, D: float, L: float) -> float:
    return 2 * V * D + 12 * L * D**2


@mistake(RULE, "that is the attention of each layer, 4 D². The feed-forward has 8 D² more.")
def attention_only(V: float, D: float, L: float) -> float:
    return V * D + 4 * L * D**2


@mistake(RULE, "that is the feed-forward of each layer, 8 D². Attention has 4 D² more.")
def feed_forward_only(V: float, D: float, L: float) -> float:
    return V * D + 8 * L * D**2


@mistake(RULE, "queries, keys and values are counted, and the projection after the heads is not. "
         "Attention has four matrices.")
def three_matrices(V: float, D: float, L: float) -> float:
    return V * D + 11 * L * D**2


@mistake(RULE, "the embedding is missing, and in a small model it is a large part.")
def no_embedding(V: float, D: float, L: float) -> float:
    return 12 * L * D**2


@mistake(RULE, "this is one layer. Multiply its share by L.")
def one_layer(V: float, D: float, L: float) -> float:
    return V * D + 12 * D**2
