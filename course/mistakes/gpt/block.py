"""Known wrong answers to Block: the reference with a piece replaced."""

from .. import edit

BLOCK = "gpt.Block"
ATTEND = "x = x + self.attn(self.attn_norm(x), cache, layer)"
FEED = "x = x + self.ffn(self.ffn_norm(x))"

edit(BLOCK, "attention_inside_only", ATTEND, "h = x + self.attn(self.attn_norm(x), cache, layer)\n"
     "        x = x + self.ffn(self.ffn_norm(h)); return x",
     "what attention found is read by the feed-forward and then lost: with a silent feed-forward "
     "the block gives x back. Let the second line add to the result of the first.")
edit(BLOCK, "no_residual_of_attention", ATTEND,
     "x = self.attn(self.attn_norm(x), cache, layer)",
     "attention's result takes the place of x, so everything earlier layers wrote is gone. It is "
     "added: x + attention.")
edit(BLOCK, "no_residual_of_ffn", FEED, "x = self.ffn(self.ffn_norm(x))",
     "the feed-forward's result takes the place of x. It is added: x + feed-forward.")
edit(BLOCK, "no_residual", ATTEND, "x = self.attn(self.attn_norm(x), cache, layer)\n"
     "        x = self.ffn(self.ffn_norm(x)); return x",
     "both parts replace the line they should add to. Each result is added to x.")
edit(BLOCK, "post_norm", ATTEND, "x = self.attn_norm(x + self.attn(x, cache, layer))\n"
     "        x = self.ffn_norm(x + self.ffn(x)); return x",
     "this is post-norm: the norm stands on the line itself. Pre-norm reads through the norm, "
     "attn(norm(x)), and adds to x.")
edit(BLOCK, "norm_of_the_result", ATTEND, "x = x + self.attn_norm(self.attn(x, cache, layer))\n"
     "        x = x + self.ffn_norm(self.ffn(x)); return x",
     "the norms come after the parts. Each part reads the line through its norm: attn(norm(x)).")
edit(BLOCK, "line_through_the_norm", ATTEND, "x = self.attn_norm(x)\n        "
     "x = x + self.attn(x, cache, layer)\n        x = self.ffn_norm(x)\n        "
     "x = x + self.ffn(x); return x",
     "the norm's result has replaced x, so it is added in place of x. Keep x and hand norm(x) to "
     "the part only.")
edit(BLOCK, "attention_added_to_the_norm", ATTEND, "x = self.attn_norm(x)\n        "
     "x = x + self.attn(x, cache, layer)",
     "attention's result is added to norm(x) in place of x. Keep x and hand norm(x) to the part "
     "only.")
edit(BLOCK, "both_at_once", ATTEND, "x = x + self.attn(self.attn_norm(x), cache, layer) + "
     "self.ffn(self.ffn_norm(x)); return x",
     "both parts read the same x (GPT-J and PaLM do that). Here the feed-forward reads what "
     "attention has added.")
edit(BLOCK, "feed_forward_first", ATTEND, "x = x + self.ffn(self.ffn_norm(x))\n"
     "        x = x + self.attn(self.attn_norm(x), cache, layer); return x",
     "the feed-forward comes before the attention. Gather first, then work on what was gathered.")
edit(BLOCK, "attention_reads_x", "self.attn(self.attn_norm(x), cache", "self.attn(x, cache",
     "attention reads x without its norm. Hand it attn_norm(x).")
edit(BLOCK, "ffn_reads_x", "self.ffn(self.ffn_norm(x))", "self.ffn(x)",
     "the feed-forward reads x without its norm. Hand it ffn_norm(x).")
edit(BLOCK, "one_norm_for_both", "self.ffn_norm = make_norm(config)",
     "self.ffn_norm = self.attn_norm",
     "both parts share one norm, with one gain. Each has its own: call make_norm twice.")
edit(BLOCK, "wrong_norm_used", "self.ffn(self.ffn_norm(x))", "self.ffn(self.attn_norm(x))",
     "the feed-forward reads through attention's norm. It has its own, ffn_norm.")
edit(BLOCK, "always_layer_norm", "make_norm(config)", "norms.LayerNorm(config.d_model)",
     "the norms are LayerNorms with a bias whatever the config says. make_norm(config) makes the "
     "one it names.")
edit(BLOCK, "always_mlp", "make_ffn(config)", "feedforward.MLP(config)",
     "the feed-forward is the MLP whatever the config says. make_ffn(config) makes the one it "
     "names.")
edit(BLOCK, "no_cache", "(x), cache, layer)", "(x))",
     "the cache is not handed on, so a new token sees nothing of those before it. Attention takes "
     "cache and layer.")
edit(BLOCK, "counts_from_1", "(x), cache, layer)", "(x), cache, layer + 1)",
     "the layer's number is changed on the way: the cache has no layer n_layer. Hand on what came.")
edit(BLOCK, "no_layer", "(x), cache, layer)", "(x), cache)",
     "the layer's number is not handed on, so every layer reads and writes the keys of layer 0. "
     "Attention takes cache and layer.")
edit(BLOCK, "in_place", ATTEND, "x += self.attn(self.attn_norm(x), cache, layer)",
     "`+=` writes into the x that was handed in, and whoever made it still needs it. Write "
     "x = x + …, which makes a new tensor.", raises=True)
edit(BLOCK, "second_in_place", FEED, "x += self.ffn(self.ffn_norm(x))",
     "`+=` writes over a tensor that the norm keeps for the way back, so backward fails. Write "
     "x = x + …, which makes a new tensor.", raises=True)
edit(BLOCK, "norms_swapped", ATTEND, "x = x + self.attn(self.ffn_norm(x), cache, layer)\n"
     "        x = x + self.ffn(self.attn_norm(x)); return x",
     "each part reads through the norm of the other. attn_norm belongs to the attention, ffn_norm "
     "to the feed-forward.")
edit(BLOCK, "norm_on_the_way_out", "return x", "return self.ffn_norm(x)",
     "a norm stands on the line itself as it leaves the block. In pre-norm nothing but the two "
     "parts reads through a norm.")
edit(BLOCK, "dropped_twice", ATTEND, "drop = self.attn.config.dropout if self.training else 0.0\n"
     "        x = x + torch.nn.functional.dropout(self.attn(self.attn_norm(x), cache, layer), drop)"
     "\n        x = x + torch.nn.functional.dropout(self.ffn(self.ffn_norm(x)), drop); return x",
     "the results are dropped once more. Attention and feed-forward end with their own dropout; "
     "the block adds what they give.")
DROP = "drop = self.attn.config.dropout if self.training else 0.0\n        "
edit(BLOCK, "dropped_on_the_way_in", ATTEND, DROP + "lose = torch.nn.functional.dropout\n        "
     "x = x + self.attn(lose(self.attn_norm(x), drop), cache, layer)\n        "
     "x = x + self.ffn(lose(self.ffn_norm(x), drop)); return x",
     "something is dropped of what the parts read. They drop what they give themselves; the block "
     "hands them norm(x) as it is.")
