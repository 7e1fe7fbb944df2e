"""Known wrong answers to CausalSelfAttention: the reference with a piece or two replaced."""

from .. import Mistake, add, edit, reference

LAYER = "attention.CausalSelfAttention"
K, V = "split_heads(self.k_proj(x), Hkv)", "split_heads(self.v_proj(x), Hkv)"
Q = "split_heads(self.q_proj(x), H)"
REPEATED = "k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)"
DROPPED = ("        if self.training and self.dropout.p:\n"
           "            out = self.dropout(weights) @ v\n")
ALWAYS = "        out = self.dropout(weights) @ v\n"
WEIGHTS = "out, weights = scaled_dot_product_attention(q, k, v, mask)"
KEYS = "self.k_proj = torch.nn.Linear(D, Hkv * Dh"
VALUES = "self.v_proj = torch.nn.Linear(D, Hkv * Dh"


def edits(name: str, pieces: dict[str, str], message: str, raises: bool = False) -> None:
    """Register the reference answer with several pieces replaced."""
    module, source = reference(LAYER)
    for old, new in pieces.items():
        if old not in source:
            raise ValueError(f"{LAYER}: its answer does not contain {old!r}")
        source = source.replace(old, new)
    space = dict(vars(module))
    exec(compile(source, f"<{name}>", "exec"), space)
    add(LAYER, Mistake(name, message, space["CausalSelfAttention"], source, raises))


edits("keys_of_full_width", {KEYS: KEYS.replace("Hkv", "H"), VALUES: VALUES.replace("Hkv", "H")},
      "k_proj and v_proj give H · Dh columns. With shared key heads there are only Hkv of them: "
      "Hkv · Dh.")
edits("every_head_its_own_keys",
      {KEYS: KEYS.replace("Hkv", "H"), VALUES: VALUES.replace("Hkv", "H"),
       K: K.replace("Hkv", "H"), V: V.replace("Hkv", "H"), REPEATED: "pass"},
      "n_kv_head is not used: every query head has a key head of its own. k_proj and v_proj make "
      "Hkv heads, and repeat_kv hands them out.")
edit(LAYER, "always_a_bias", "bias=config.bias", "bias=True",
     "the layers have a bias whatever the config says. Hand config.bias to each of the four.")
edit(LAYER, "out_without_bias", "self.out_proj = torch.nn.Linear(H * Dh, D, bias=config.bias)",
     "self.out_proj = torch.nn.Linear(H * Dh, D, bias=False)",
     "out_proj has no bias whatever the config says. Hand config.bias to it as to the other three.")
edit(LAYER, "never_a_bias", "bias=config.bias", "bias=False",
     "the layers never have a bias. Hand config.bias to each of the four.")
edits("view_alone", {Q: "self.q_proj(x).reshape(x.shape[0], H, T, -1)",
                     K: "self.k_proj(x).reshape(x.shape[0], Hkv, T, -1)",
                     V: "self.v_proj(x).reshape(x.shape[0], Hkv, T, -1)"},
      "the heads are cut from the rows of several tokens, so a token sees later ones. Cut the "
      "width alone, then move the heads forward: that is split_heads.")
edit(LAYER, "merged_without_transpose", "merge_heads(out)", "out.reshape(x.shape)",
     "the heads are joined without bringing T before H, so an output row is made of pieces of "
     "several tokens, later ones too. merge_heads does both.")
edit(LAYER, "not_merged", "out = merge_heads(out)", "out = out",
     "out_proj is given [B, H, T, Dh]. It maps the joined heads, [B, T, D]: merge them first.",
     raises=True)
edit(LAYER, "columns_shuffled", "merge_heads(out)", "out.permute(0, 2, 3, 1).flatten(2)",
     "the columns of the heads are shuffled into each other: first column 0 of every head. "
     "merge_heads keeps a head's columns side by side.")
edit(LAYER, "no_mask", "(q, k, v, mask)", "(q, k, v)",
     "the mask is not used: every token sees all later ones. Hand it to "
     "scaled_dot_product_attention.")
edit(LAYER, "inverted_mask", "(q, k, v, mask)", "(q, k, v, ~mask)",
     "a token sees only later tokens, and the last one nothing: the mask is turned around. In "
     "causal_mask True means may attend.")
edits("mask_of_zeros",
      {WEIGHTS: "weights = (q @ k.mT / q.shape[-1]**0.5).masked_fill(~mask, 0.0).softmax(-1)",
       DROPPED: ALWAYS},
     "blocked scores are set to 0, and exp(0) = 1: later tokens still get a weight. They need "
     "-inf, before the softmax.")
edits("mask_after_softmax",
      {WEIGHTS: "weights = (q @ k.mT / q.shape[-1]**0.5).softmax(-1) * mask", DROPPED: ALWAYS},
     "the mask comes after the softmax, so later tokens have already taken their share of each "
     "row. Mask the scores, with -inf.")
edit(LAYER, "not_itself", "(q, k, v, mask)", "(q, k, v, mask.tril(mask.shape[1] - len(mask) - 1))",
     "a token does not see itself, and the first one sees nothing. The diagonal is allowed.")
edit(LAYER, "adds_x", "return y", "return x + y",
     "x is added to the result. That is the block's work (lesson 17); this layer gives the change "
     "alone.")
edit(LAYER, "no_out_proj", "self.dropout(self.out_proj(out))", "self.dropout(out)",
     "the heads are merged and never mixed: out_proj is not used.")
edit(LAYER, "scale_of_the_model", "attention(q, k", "attention(q / H**0.5, k",
     "the scores are divided by √D, the width of the model. A score is a sum over the Dh columns "
     "of one head: √Dh.")
edit(LAYER, "scaled_twice", "attention(q, k", "attention(q / q.shape[-1]**0.5, k",
     "the scores are divided by √Dh twice. scaled_dot_product_attention does it already.")
edit(LAYER, "not_scaled", "attention(q, k", "attention(q * q.shape[-1]**0.5, k",
     "the scores are not divided by √Dh. Compare with scaled_dot_product_attention, which does it.")
edit(LAYER, "softmax_over_queries", DROPPED,
     "        out = self.dropout(weights / weights.sum(-2, keepdim=True)) @ v\n",
     "the weights are made to sum to 1 over the queries. Each query shares out 1 over its keys: "
     "the last dimension.")
edits("keys_cut_into_H", {K: K.replace("Hkv", "H"), V: V.replace("Hkv", "H"), REPEATED: "pass"},
      "k_proj and v_proj give Hkv · Dh columns, and they are cut into H heads: narrow ones that do "
      "not fit the queries. Cut keys and values into Hkv heads, then repeat_kv.", raises=True)
edit(LAYER, "repeated_Hkv_times", REPEATED, "k, v = repeat_kv(k, Hkv), repeat_kv(v, Hkv)",
     "each key head is repeated Hkv times. H query heads share Hkv key heads, so one serves "
     "H // Hkv of them.", raises=True)
edits("values_not_shared", {VALUES: VALUES.replace("Hkv", "H"), V: V.replace("Hkv", "H"),
                            "repeat_kv(v, H // Hkv)": "v"},
      "the keys are shared and the values are not. n_kv_head counts the heads of both.")
edits("tiled", {"repeat_kv(k, H // Hkv)": "k.repeat(1, H // Hkv, 1, 1)",
                "repeat_kv(v, H // Hkv)": "v.repeat(1, H // Hkv, 1, 1)"},
      "query head h reads key head h mod Hkv. It has to be h // (H / Hkv), neighbours share a "
      "head: repeat_kv, not repeat.")
edit(LAYER, "nothing_repeated", REPEATED, "pass",
     "H heads of queries meet Hkv heads of keys or values. Repeat both first, so that each query "
     "head has its own.", raises=True)
edits("repeated_before_the_cache",
      {K: f"repeat_kv({K}, H // Hkv)", V: f"repeat_kv({V}, H // Hkv)", REPEATED: "pass"},
      "keys and values are repeated before the cache sees them, so it keeps H heads where Hkv "
      "would do. Repeat after the cache.")
edit(LAYER, "values_from_keys", "self.v_proj(x)", "self.k_proj(x)",
     "the values come from k_proj; v_proj is never used.")
edit(LAYER, "queries_for_keys", "attention(q, k", "attention(k, q",
     "queries and keys have changed places: row t then says how well the others' queries fit the "
     "key of token t.", raises=True)
edit(LAYER, "no_dropout_on_weights", "self.dropout(weights)", "weights",
     "in training the weights do not drop out. config.dropout acts on the attention weights, after "
     "the softmax, and on the result.")
edit(LAYER, "no_dropout_on_the_result", "self.dropout(self.out_proj(out))", "self.out_proj(out)",
     "in training no output drops out. config.dropout acts on the attention weights and on what "
     "out_proj gives.")
edits("no_dropout", {"self.dropout(weights)": "weights", "self.dropout(self.out_proj(out))":
                     "self.out_proj(out)"},
      "nothing drops out in training. config.dropout acts on the attention weights, after the "
      "softmax, and on what out_proj gives.")
edit(LAYER, "dropout_for_ever", DROPPED,
     "        out = torch.nn.functional.dropout(weights, self.config.dropout) @ v\n",
     "the weights drop out after training too. torch.nn.functional.dropout does not know the mode; "
     "self.dropout does.")
edits("a_rate_of_its_own", {DROPPED: "        rate = 0.1\n        out = "
                            "torch.nn.functional.dropout(weights, rate, self.training) @ v\n"},
      "the weights drop out at a rate that stands in the code, also when config.dropout is 0. "
      "self.dropout knows the rate.")
edit(LAYER, "dropout_on_values", "self.dropout(weights) @ v", "weights @ self.dropout(v)",
     "dropout acts on the values, not on the weights: whole columns of a token vanish for all who "
     "look at it, and it still fills its share of each row.")
edits("dropout_on_merged", {DROPPED: "", "out = merge_heads(out)":
                            "out = self.dropout(merge_heads(out))"},
      "what the heads have gathered drops out, and the weights do not: a weight is lost whole, for "
      "all columns of its head at once.")
edit(LAYER, "dropout_on_merged_too", "out = merge_heads(out)",
     "out = self.dropout(merge_heads(out))",
     "what the heads have gathered drops out too, between the weights and out_proj. Dropout acts "
     "on the weights and on the result, nowhere else.")
edits("dropout_on_scores",
      {WEIGHTS: "scores = self.dropout(q @ k.mT / q.shape[-1]**0.5)\n"
       "        out = scores.masked_fill(~mask, -torch.inf).softmax(-1) @ v", DROPPED: ""},
      "the scores drop out, and a score of 0 still gets a weight. Dropout acts on the weights, "
      "after the softmax.")
edit(LAYER, "divided_by_the_rate", "self.dropout(weights)",
     "(weights * (torch.rand_like(weights) >= self.dropout.p) / self.dropout.p)",
     "what is left is divided by the rate p. It is divided by 1 − p, the share that is left; the "
     "two are equal for p = 0.5 only.")
edit(LAYER, "kept_at_the_rate", "self.dropout(weights)",
     "(weights * (torch.rand_like(weights) < self.dropout.p) / self.dropout.p)",
     "a weight is kept with probability p. It is lost with probability p, and what is left is "
     "divided by 1 − p.")
edit(LAYER, "heads_lost_whole", "self.dropout(weights)",
     "torch.nn.functional.dropout2d(weights, self.dropout.p)",
     "all weights of a head are lost together, as with dropout2d, or with one number drawn for a "
     "head. Each weight drops out on its own: the mask has the shape of the weights.")
edit(LAYER, "rows_lost_whole", "self.dropout(weights)",
     "weights * self.dropout(torch.ones_like(weights[..., :1]))",
     "all weights of a row are lost together, so that a query loses all its keys or none. Each "
     "weight drops out on its own: the mask has the shape of the weights.")
edit(LAYER, "columns_lost_whole", "self.dropout(weights)",
     "weights * self.dropout(torch.ones_like(weights[..., :1, :]))",
     "a key or its value is lost for all queries at once. Each weight drops out on its own: the "
     "mask has the shape of the weights, [B, H, T, S].")
edit(LAYER, "one_mask_for_all_heads", "self.dropout(weights)",
     "weights * self.dropout(torch.ones_like(weights[:, :1]))",
     "all heads lose the same weights. Each head draws for itself: the mask has the shape of the "
     "weights, [B, H, T, S].")
edit(LAYER, "one_mask_for_all_texts", "self.dropout(weights)",
     "weights * self.dropout(torch.ones_like(weights[:1]))",
     "all texts of the batch lose the same weights. Each draws for itself: the mask has the shape "
     "of the weights, [B, H, T, S].")
edit(LAYER, "dropout_on_queries", Q, f"self.dropout({Q})",
     "in training the weights that are left are not those of evaluation times one factor. Either "
     "only some of them can be lost, or something that they are made of drops out as well, such as "
     "q or k: dropout acts on all weights, after the softmax, and on the result.")
edit(LAYER, "lost_and_not_scaled", "self.dropout(weights)",
     "(weights * (torch.rand_like(weights) >= self.dropout.p))",
     "the weights that are left are not scaled. Dropout multiplies them by 1 / (1 − p), so that a "
     "row keeps its sum on average.")
edit(LAYER, "made_to_sum_to_1", "self.dropout(weights) @ v",
     "torch.nn.functional.normalize(self.dropout(weights), p=1, dim=-1) @ v",
     "after the dropout each row is made to sum to 1 again. Dropout keeps the sum on average, by "
     "scaling what is left by 1 / (1 − p); a single row need not sum to 1.")
edits("top_left_mask", {WEIGHTS: "rate = self.config.dropout if self.training else 0.0",
                        DROPPED: "        out = torch.nn.functional.scaled_dot_product_attention("
                        "q, k, v, is_causal=True, dropout_p=rate)\n"},
      "right without a cache. With one there are more keys than queries, and torch's is_causal "
      "lets the first query see key 0 only: use the mask that is given.")
edit(LAYER, "no_gradient", "merge_heads(out)", "merge_heads(out.detach())",
     "the numbers are right, but no gradient gets through: something cuts the graph, such as "
     ".data, .detach() or NumPy.", raises=True)
edit(LAYER, "weights_detached", Q,
     "split_heads(torch.nn.functional.linear(x, self.q_proj.weight.detach(), self.q_proj.bias), H)",
     "the numbers are right, but no gradient gets to the weights of q_proj: they would never be "
     "learned. .data and .detach() cut them out of the graph.")
edits("biases_detached",
      {f"self.{name}(x)": f"(x @ self.{name}.weight.T + "
       f"(self.{name}.bias.detach() if self.config.bias else 0))"
       for name in ("q_proj", "k_proj", "v_proj")},
      "the numbers are right, but no gradient gets to the biases of q_proj and v_proj: they would "
      "never be learned. .data and .detach() cut them out of the graph.")
edit(LAYER, "switches_gradients", f"q = {Q}",
     f"torch.set_grad_enabled(self.training)\n        q = {Q}",
     "torch.set_grad_enabled switches gradients off for all that runs after the layer, not in it "
     "alone. Whether there are any is the business of whoever calls it.", raises=True)
