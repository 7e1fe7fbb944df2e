"""Known wrong answers to the two loops that run a model with a cache."""

from collections.abc import Callable
from typing import Any

import torch

from .. import edit, mistake

PREFILL, GREEDY = "kv_cache.prefill", "kv_cache.greedy"
LAST = "logits[:, -1]"
CALL = "logits, _ = model(piece, cache=cache)"

edit(PREFILL, "all_scores", LAST, "logits", "the scores after every token of the last piece are "
     "given back. Those after the prompt are the last row: [B, V].")
edit(PREFILL, "first_row", LAST, "logits[:, 0]", "that is the first row of the last piece. What "
     "follows the prompt stands in its last row.")
edit(PREFILL, "time_is_kept", LAST, "logits[:, -1:]",
     "a dimension for time is left: [B, 1, V]. One row is asked for, [B, V]: -1, not -1:.")
edit(PREFILL, "last_text", LAST, "logits[-1]",
     "that is the last text of the batch, with all its tokens. Time is the second dimension.")
edit(PREFILL, "probabilities", LAST, "logits[:, -1].softmax(-1)",
     "those are probabilities. Scores are asked for; a softmax is for whoever draws from them.")
edit(PREFILL, "log_probabilities", LAST, "logits[:, -1].log_softmax(-1)",
     "those are log-probabilities. Scores are asked for, as the model gives them.")
edit(PREFILL, "token", LAST, "logits[:, -1].argmax(-1)",
     "that is the next token. Scores are asked for; whoever calls picks from them.")
edit(PREFILL, "last_token_again", "last: torch.Tensor = logits[:, -1]",
     "last = model(ids[:, -1:], cache=cache)[0][:, -1]",
     "the last token of the prompt goes through a second time. Its scores came with its piece.")
edit(PREFILL, "emptied_first", "for piece", "cache.reset()\n    for piece",
     "the cache is emptied first. What is in it belongs to the text: a prompt may come behind it.")
edit(PREFILL, "chunk_unused", "chunk or ids.shape[1]", "ids.shape[1]",
     "`chunk` is not used: the prompt goes through in one piece.")
edit(PREFILL, "along_the_batch", "ids.shape[1], dim=1)", "ids.shape[1])",
     "the texts of the batch are split from each other, and each piece is whole. torch.split takes "
     "the first dimension unless it is told another; time is dim=1.", raises=True)
edit(PREFILL, "cache_as_targets", CALL, "logits, _ = model(piece, cache)",
     "the second argument of a model is `targets`, and the cache was handed over in its place. "
     "Give it by its name: cache=cache.", raises=True)
edit(PREFILL, "scores_without_the_cache", "last: torch.Tensor = logits[:, -1]",
     "last = model(ids)[0][:, -1]",
     "the scores come from a pass without the cache: every token goes through once more, and what "
     "the cache held before is not seen. They came with the last piece.")
edit(PREFILL, "single_token_not_kept", "for piece in", "if ids.shape[1] == 1:\n        "
     "return model(ids)[0][:, -1]\n    for piece in",
     "a prompt of one token does not get into the cache. It goes through as any other.")
edit(PREFILL, "squeezed", LAST, "logits[:, -1].squeeze()",
     "for a single text the first dimension is gone. The batch stays, also where it is 1: [B, V].")
edit(PREFILL, "no_cache", CALL, "logits, _ = model(piece)",
     "the model is called without the cache: nothing is kept, and each piece is read as if it were "
     "a text of its own.")
edit(PREFILL, "reset_for_each_piece", CALL, "cache.reset()\n        " + CALL,
     "the cache is emptied before each piece, so a piece does not see the one before it.")
edit(PREFILL, "first_piece_alone", CALL, CALL + "\n        break",
     "only the first piece goes through the model.")
edit(PREFILL, "rest_dropped", "for piece in torch.split(ids, chunk or ids.shape[1], dim=1):",
     "n = chunk or ids.shape[1]\n    for piece in [ids[:, i:i + n] for i in range(0, "
     "max(1, ids.shape[1] - n + 1), n)]:",
     "the last piece is dropped when it is shorter than the others.")
edit(PREFILL, "all_so_far", "for piece in torch.split(ids, chunk or ids.shape[1], dim=1):",
     "n = chunk or ids.shape[1]\n    for piece in [ids[:, :i + n] for i in range(0, ids.shape[1], "
     "n)]:",
     "each piece begins at the start of the prompt again, so the cache gets the first tokens "
     "twice. What is in it must not go through again.")
edit(PREFILL, "overlap", "for piece in torch.split(ids, chunk or ids.shape[1], dim=1):",
     "n = chunk or ids.shape[1]\n    for piece in [ids[:, max(i - 1, 0):i + n] for i in range(0, "
     "ids.shape[1], n)]:",
     "each piece begins with the last token of the one before it: that token goes through twice.")
edit(PREFILL, "number_of_pieces", "torch.split(ids, chunk or ids.shape[1], dim=1)",
     "torch.chunk(ids, chunk or 1, dim=1)",
     "`chunk` was taken for the number of pieces. It is the number of tokens in a piece: "
     "torch.split, not torch.chunk.")
edit(PREFILL, "equal_pieces", "torch.split(ids, chunk or ids.shape[1], dim=1)",
     "torch.chunk(ids, -(-ids.shape[1] // (chunk or ids.shape[1])), dim=1)",
     "the pieces are made equally long. Each has `chunk` tokens, and the last one what is left: "
     "torch.split.")
edit(PREFILL, "one_by_one", "chunk or ids.shape[1]", "1",
     "the prompt goes through token by token. That is right and slow: with `chunk` in pieces of "
     "that many tokens, without it in one.")

NEW = "fresh = logits[:, -1].argmax(-1, keepdim=True)"
RUN = "logits, _ = model(fresh, cache=cache)"
STEP = NEW + "  # (B, 1)\n        ids = torch.cat([ids, fresh], dim=1)"
edit(GREEDY, "whole_text_each_time", RUN, "logits, _ = model(ids, cache=cache)",
     "the whole text goes through in each pass, though the cache holds it: it stands there twice, "
     "then three times. After the prompt, the newest token alone.")
edit(GREEDY, "no_cache", RUN, "logits, _ = model(fresh)",
     "the model is called without the cache, so the newest token is all it knows.")
edit(GREEDY, "no_cache_at_all", RUN, "logits, _ = model(ids)",
     "the text is right, but the cache is not used: everything goes through again for each token.")
edit(GREEDY, "first_row", "logits[:, -1].argmax", "logits[:, 0].argmax",
     "the first row says what follows the first token of the prompt. Look at the last one.")
edit(GREEDY, "prompts_last_token_again", "fresh = ids  #", "model(ids, cache=cache)\n    "
     "fresh = ids[:, -1:]  #",
     "the last token of the prompt goes through twice: once with the prompt, once alone. The first "
     "new token comes from the scores of the prompt's own pass.")
edit(GREEDY, "new_ones_alone", "return ids", "return ids[:, -max_new_tokens:] if max_new_tokens "
     "else ids[:, :0]", "the prompt is missing in the result: [B, T + max_new_tokens].")
edit(GREEDY, "one_too_few", "range(max_new_tokens)", "range(max_new_tokens - 1)",
     "one token is missing: the pass of the prompt gives the first one already, and each further "
     "pass one more.")
edit(GREEDY, "one_too_many", "range(max_new_tokens)", "range(max_new_tokens + 1)",
     "that is one token more than asked for.")
edit(GREEDY, "reset_each_time", RUN, "cache.reset()\n        " + RUN,
     "the cache is emptied before each pass, so the new token sees nothing but itself.")
edit(GREEDY, "least_likely", "argmax", "argmin", "that is the least likely token.")


edit(GREEDY, "prompt_each_time", STEP, STEP.replace("fresh", "new"),
     "the prompt goes through in each pass. It is in the cache after the first; then only the "
     "newest token is new.")
edit(GREEDY, "prompt_one_by_one", "fresh = ids  #", "for one in torch.split(ids[:, :-1], 1, dim=1) "
     "if ids.shape[1] > 1 else []:\n        model(one, cache=cache)\n    fresh = ids[:, -1:]  #",
     "the prompt goes through token by token. The text is right, but it takes a pass for each: "
     "all of it is known, so send it at once.")
edit(GREEDY, "prompt_but_last", "fresh = ids  #", "if ids.shape[1] > 1:\n        "
     "model(ids[:, :-1], cache=cache)\n    fresh = ids[:, -1:]  #",
     "the last token of the prompt goes through in a pass of its own. All of the prompt is known: "
     "send it at once, and its last row gives the first new token.")
edit(GREEDY, "newest_alone", "return ids", "return fresh",
     "that is the newest token alone. The text is asked for, with the prompt in front.")
edit(GREEDY, "returns_in_the_loop", STEP, STEP + "\n        return ids",
     "the function returns inside the loop, after the first new token. `return` belongs behind it.")
edit(GREEDY, "two_newest", NEW + "  # (B, 1)\n        ids = torch.cat([ids, fresh], dim=1)",
     "ids = torch.cat([ids, logits[:, -1].argmax(-1, keepdim=True)], dim=1)\n        "
     "fresh = ids[:, -2:]",
     "each pass takes the two newest tokens. The older of them is in the cache already: it goes "
     "through twice.")
edit(GREEDY, "one_text_for_all", "logits[:, -1].argmax", "logits[:1, -1].expand("
     "len(ids), -1).argmax",
     "every text gets the new token of the first one. Each row of the batch has scores of its own.")
edit(GREEDY, "prompt_cut", "fresh = ids  #", "fresh = ids[:, -1:]  #",
     "only the last token of the prompt goes through: the cache is empty, so nothing is known of "
     "the others.")


@mistake(GREEDY, "the first new token is picked and then used again and again. Each pass gives new "
         "scores: pick the next token from those.")
def never_updated(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int, cache: Any,
                  ) -> torch.Tensor:
    logits, _ = model(ids, cache=cache)
    new = logits[:, -1].argmax(-1, keepdim=True)
    for _ in range(max_new_tokens):
        ids = torch.cat([ids, new], dim=1)
        model(new, cache=cache)
    return ids
