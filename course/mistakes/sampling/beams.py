"""Known wrong answers: beam search."""

from collections.abc import Callable
from typing import Any

import torch

from minillm import functional as F
from minillm.sampling import context_size

from .. import edit, mistake

BEAM = "sampling.beam_search"

edit(BEAM, "log_softmax_forgotten", "F.log_softmax(logits)", "logits",
     "scores were added up. They have no common zero: take log_softmax, so that a sum is the log "
     "of a product of probabilities.")
edit(BEAM, "probabilities_added", "F.log_softmax(logits)", "F.softmax(logits)",
     "probabilities were added up. The probability of a path is the *product* of its steps, so "
     "their logarithms are added.")
edit(BEAM, "last_step_only", "(score[..., None] + log_p)", "(0 * score[..., None] + log_p)",
     "each step is judged by itself: the log-probability of the path so far is not added.")
edit(BEAM, "parents_not_followed",
     "paths = paths.gather(1, parent[..., None].expand(-1, -1, paths.shape[-1]))",
     "paths = paths[:, :1].expand(-1, score.shape[1], -1) if paths.shape[1] < score.shape[1] "
     "else paths",
     "the new tokens were put on the wrong paths: a path that goes on is a copy of its *parent*, "
     "best // V.")
edit(BEAM, "worst", "total.topk(min(beams, total.shape[1]), dim=-1)",
     "total.topk(min(beams, total.shape[1]), dim=-1, largest=False)",
     "the least probable paths went on.")
edit(BEAM, "last_path", "return paths[:, 0], score[:, 0]", "return paths[:, -1], score[:, -1]",
     "the last of the open paths came back. topk puts the best one first.")
edit(BEAM, "mean", "return paths[:, 0], score[:, 0]",
     "return paths[:, 0], score[:, 0] / max_new_tokens",
     "the log-probability was divided by the length. The sum is asked for.")
edit(BEAM, "probability", "return paths[:, 0], score[:, 0]", "return paths[:, 0], score[:, "
     "0].exp()",
     "that is the probability. Its logarithm is asked for.")
edit(BEAM, "negative", "return paths[:, 0], score[:, 0]", "return paths[:, 0], -score[:, 0]",
     "that is −log p. The log-probability is never above 0.")
edit(BEAM, "no_window", "paths.flatten(0, 1)[:, -size:]", "paths.flatten(0, 1)",
     "the whole path went into the model, which can look at `block_size` ids only. Take the last "
     "ones.", raises=True)
edit(BEAM, "first_ids", "paths.flatten(0, 1)[:, -size:]", "paths.flatten(0, 1)[:, :size]",
     "the *first* ids were the context. Beyond `block_size` take the last ones.")
edit(BEAM, "new_tokens_only", "return paths[:, 0], score[:, 0]",
     "return paths[:, 0, -max_new_tokens:], score[:, 0]",
     "only the new tokens came back. The prompt goes first.")
edit(BEAM, "more_than_there_are", "min(beams, total.shape[1])", "beams",
     "topk refuses more than there are. After the first token there are only V paths: take "
     "min(beams, …).", raises=True)
edit(BEAM, "greedy", "min(beams, total.shape[1])", "1",
     "the result is that of one path, whatever `beams` says. Either only one goes on, or all start "
     "as copies of the same and stay alike: after the first token, the best of V paths go on.")
edit(BEAM, "one_row_squeezed", "return paths[:, 0], score[:, 0]",
     "return paths[:, 0].squeeze(0), score[:, 0].squeeze(0)",
     "for a single row the first dimension is gone. The batch stays, also where it is 1: "
     "[B, T + max_new_tokens] and [B].")


@mistake(BEAM, "each path kept its own best continuation, so no path ever replaces another one. "
         "The best `beams` of *all* continuations go on.")
def each_its_own(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int,
                 beams: int) -> tuple[torch.Tensor, torch.Tensor]:
    size, found = context_size(model) or ids.shape[1] + max_new_tokens, []
    for start in ids[:, None]:
        with torch.no_grad():
            log_p = F.log_softmax(model(start[:, -size:])[0][:, -1])
            first, new = log_p.topk(min(beams, log_p.shape[-1]), dim=-1)
            paths, score = torch.cat([start.repeat(first.shape[1], 1), new.T], dim=1), first[0]
            for _ in range(max_new_tokens - 1):
                best = F.log_softmax(model(paths[:, -size:])[0][:, -1]).max(-1)
                score = score + best.values
                paths = torch.cat([paths, best.indices[:, None]], dim=1)
        found.append((paths[score.argmax()], score.max()))
    return torch.stack([path for path, _ in found]), torch.stack([top for _, top in found])


@mistake(BEAM, "which paths go on was decided by the last step alone. The sum over the whole path "
         "decides.")
def judged_by_the_last_step(model: Callable[..., Any], ids: torch.Tensor, max_new_tokens: int,
                            beams: int) -> tuple[torch.Tensor, torch.Tensor]:
    size, found = context_size(model) or ids.shape[1] + max_new_tokens, []
    for paths in ids[:, None]:
        score = torch.zeros(1, dtype=torch.float64)
        for _ in range(max_new_tokens):
            with torch.no_grad():
                log_p = F.log_softmax(model(paths[:, -size:])[0][:, -1])
            V = log_p.shape[-1]
            best = log_p.flatten().topk(min(beams, log_p.numel())).indices
            score = score[best // V] + log_p.flatten()[best]
            paths = torch.cat([paths[best // V], (best % V)[:, None]], dim=1)
        found.append((paths[score.argmax()], score.max()))
    return torch.stack([path for path, _ in found]), torch.stack([top for _, top in found])


edit(BEAM, "rows_compete", "return paths[:, 0], score[:, 0]",
     "first = score[:, 0].argmax()\n    return paths[first, :1], score[first, :1]",
     "one path came back, the best of all rows. Each row of `ids` has a search and a result of its "
     "own: [B, T + max_new_tokens] and [B].")
edit(BEAM, "capped_by_the_vocabulary", "min(beams, total.shape[1])", "min(beams, V)",
     "there are never more paths than V here. After the first token there are paths · V "
     "extensions to choose from, and `beams` of them go on.")
edit(BEAM, "parent_and_token_swapped", "best // V, best % V", "best % V, best // V",
     "parent and token have changed places: of the P · V extensions the one at place i continues "
     "path i // V with token i % V.", raises=True)
