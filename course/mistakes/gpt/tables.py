"""Known wrong answers to block_table and parameter_table."""

from .. import edit

BLOCK, ALL = "gpt.block_table", "gpt.parameter_table"
QKV = "linear_size(D, D, b) + 2 * linear_size(D, config.kv_heads * Dh, b)"

edit(BLOCK, "keys_of_full_width", QKV, "3 * linear_size(D, D, b)",
     "keys and values are counted as wide as queries. They have Hkv · Dh columns, fewer when heads "
     "share them.")
edit(BLOCK, "queries_only", QKV, "linear_size(D, D, b)",
     "that is one projection. Queries, keys and values have one each.")
edit(BLOCK, "one_shared_projection", QKV,
     "linear_size(D, D, b) + linear_size(D, config.kv_heads * Dh, b)",
     "keys and values share a projection here. Each has its own.")
edit(BLOCK, "no_biases", "config.hidden_width, config.bias", "config.hidden_width, False",
     "the biases are not counted. Hand b to linear_size.")
edit(BLOCK, "always_biases", "config.hidden_width, config.bias", "config.hidden_width, True",
     "biases are counted whatever the config says. Hand config.bias to linear_size.")
edit(BLOCK, "no_gate", "1 if config.ffn == \"gelu\" else 2", "1",
     "the gate of SwiGLU is missing. It is a matrix as large as the one it gates.")
edit(BLOCK, "gate_for_all", "1 if config.ffn == \"gelu\" else 2", "2",
     "a gate is counted for the GELU network too. Only SwiGLU (and each expert) has one.")
edit(BLOCK, "always_four_D", "up = copies", "wide = 4 * D\n    up = copies",
     "the hidden width is taken to be 4 D. It is config.hidden_width.")
edit(BLOCK, "down_as_up", "copies * linear_size(wide, D, b)", "copies * linear_size(D, wide, b)",
     "the way down has as many biases as the hidden width. A linear layer has one for each "
     "output, and here that is D.")
edit(BLOCK, "one_expert", "copies * ways_up", "ways_up",
     "one expert's weights are counted on the way up. A model stores all of them.")
edit(BLOCK, "one_expert_down", "copies * linear_size(wide, D, b)", "linear_size(wide, D, b)",
     "one expert's weights are counted on the way down. A model stores all of them.")
edit(BLOCK, "no_router", "if config.ffn == \"moe\":\n        up +=", "if False:\n        up +=",
     "the router is missing: a linear layer from D to one score for each expert.")
edit(BLOCK, "one_norm", "2 * norm_size(config)", "norm_size(config)",
     "one norm is counted. A block has two, one before each part.")
edit(BLOCK, "gains_only", "2 * norm_size(config)", "2 * D",
     "LayerNorm's offset is missing. norm_size counts gain and offset.")
edit(BLOCK, "no_qk_norm", "(2 * Dh if config.qk_norm else 0)", "0",
     "the norms of queries and keys are missing. Each is an RMSNorm of width Dh.")
edit(BLOCK, "qk_norm_of_width_D", "(2 * Dh if config.qk_norm else 0)",
     "(2 * D if config.qk_norm else 0)",
     "the norms of queries and keys are counted for every head. All heads share one gain of "
     "width Dh.")
edit(BLOCK, "one_key_head", QKV, "linear_size(D, D, b) + 2 * linear_size(D, Dh, b)",
     "one key head is counted. There are config.kv_heads of them, each Dh wide.")
edit(BLOCK, "no_gate_for_experts", "1 if config.ffn == \"gelu\" else 2",
     "2 if config.ffn == 'swiglu' else 1",
     "the experts' gates are missing. Each expert is a SwiGLU, with two ways up.")
edit(BLOCK, "d_ff_or_four_D", "up = copies", "wide = config.d_ff or 4 * D\n    up = copies",
     "the hidden width is taken to be 4 D where d_ff is None. With SwiGLU it is another one: "
     "config.hidden_width knows.")
edit(BLOCK, "one_qk_norm", "(2 * Dh if config.qk_norm else 0)", "(Dh if config.qk_norm else 0)",
     "one gain is counted for queries and keys. Each has its own, Dh wide.")
edit(BLOCK, "no_bias_of_the_output", "\"attention output\": linear_size(D, D, b)",
     "\"attention output\": D * D",
     "the output's biases are missing. It is a linear layer as the others: linear_size.")

edit(BLOCK, "queries_shared_too", QKV, "3 * linear_size(D, config.kv_heads * Dh, b)",
     "query heads are not shared: queries are D wide, and only keys and values Hkv · Dh.")
edit(BLOCK, "qk_norm_for_all", "(2 * Dh if config.qk_norm else 0)", "2 * Dh",
     "the gains of queries and keys are counted whatever the config says. They are there with "
     "qk_norm.")
edit(BLOCK, "chosen_experts", "copies = config.n_expert", "copies = config.top_k",
     "a token uses top_k experts, and all n_expert have weights.")
edit(BLOCK, "router_in_a_row_of_its_own", "\"norms\": small}", "\"norms\": small, "
     "**({\"router\": linear_size(D, copies, b)} if config.ffn == \"moe\" else {})}",
     "something is counted in a row of its own and in another one too, so that the sum is too "
     "large. The table has the five rows that are named.")
edit(BLOCK, "total_among_the_rows", "\"norms\": small}", "\"norms\": small, \"total\": qkv + "
     "linear_size(D, D, b) + up + copies * linear_size(wide, D, b) + small}",
     "the total stands among the rows, so whoever sums them counts everything twice. The table has "
     "the five rows that are named.")
edit(BLOCK, "floats", "\"norms\": small}", "\"norms\": small / 1}",
     "a row is a float. Parameters are counted: ints, so no `/`.", raises=True)
edit(ALL, "head_counted_twice", "0 if config.tie_weights else words", "words",
     "a tied head is counted again. It is the token embedding, one parameter with two uses.")
edit(ALL, "head_never_counted", "0 if config.tie_weights else words", "0",
     "a head of its own is not counted. It is V × D, as large as the embedding.")
edit(ALL, "table_for_all", "if config.position == \"learned\" else 0", "if True else 0",
     "a table of positions is counted where nothing is learned. Sinusoids and RoPE are formulas.")
edit(ALL, "no_position_table", "config.block_size * config.d_model if", "0 if",
     "the learned positions are missing: block_size rows of width D.")
edit(ALL, "one_layer", "config.n_layer * size", "size",
     "one block is counted. There are n_layer of them.")
edit(ALL, "no_final_norm", "\"final norm\": norm_size(config)", "\"final norm\": 0",
     "the final norm is missing: one more, after the last block.")
edit(ALL, "two_final_norms", "\"final norm\": norm_size(config)",
     "\"final norm\": 2 * norm_size(config)",
     "the final norm is counted twice. One stands before the head; those of the blocks have their "
     "own row.")
edit(ALL, "unknown_token", "config.vocab_size * config.d_model",
     "(config.vocab_size + 1) * config.d_model",
     "one row too many in the embedding: vocab_size counts every token, the one for unknown "
     "characters too.")
edit(ALL, "words_by_positions", "config.vocab_size * config.d_model",
     "config.vocab_size * config.block_size",
     "the embedding has a row of width D for each token, V × D. Its size has nothing to do with "
     "block_size.")
edit(ALL, "final_norm_gain", "\"final norm\": norm_size(config)", "\"final norm\": config.d_model",
     "LayerNorm's offset is missing in the final norm. norm_size counts gain and offset.")
edit(ALL, "sinusoids_counted", "config.position == \"learned\"",
     "config.position in ('learned', 'sinusoidal')",
     "the sinusoids are counted. They are a formula, and nothing about them is learned.")
edit(ALL, "norm_of_each_layer", "\"final norm\": norm_size(config)",
     "\"final norm\": config.n_layer * norm_size(config)",
     "the final norm is counted once for each layer. There is one, after the last block.")
edit(ALL, "head_with_bias", "0 if config.tie_weights else words",
     "0 if config.tie_weights else words + config.vocab_size",
     "the head has no bias, whatever the config says of the others: V times D.")
