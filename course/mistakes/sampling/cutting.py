"""Known wrong answers: top-k, top-p."""

import torch

from minillm import functional as F

from .. import edit, mistake

TOP_K, TOP_P = "sampling.top_k", "sampling.top_p"
INF = torch.inf

TIES = ("scores that equal the k-th stay too, so more than k survive. Take the *places* of the k "
        "largest, not a threshold.")


@mistake(TOP_K, TIES)
def threshold(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    least = logits.topk(min(k, logits.shape[-1]), -1).values[..., -1:]
    return logits.masked_fill(logits < least, -torch.inf)


@mistake(TOP_K, "scores were changed a little so that no two are equal, and that turns scores "
         "around which are closer than the change. Take the places of the k largest.")
def noise_against_ties(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    moved = logits - 1e-6 * torch.arange(logits.shape[-1], dtype=logits.dtype)
    least = moved.topk(min(k, logits.shape[-1]), -1).values[..., -1:]
    return logits.masked_fill(moved < least, -torch.inf)


@mistake(TOP_K, "one token too many survives: the threshold is the score of place k + 1.")
def one_more(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    largest, at = logits.topk(min(k + 1, logits.shape[-1]), dim=-1)
    return torch.full_like(logits, -torch.inf).scatter(-1, at, largest)


@mistake(TOP_K, "the k-th token has gone as well: only what is *above* the k-th score was kept. "
         "With k = 1 nothing is left.")
def strictly_above(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    least = logits.topk(min(k, logits.shape[-1]), -1).values[..., -1:]
    return logits.masked_fill(logits <= least, -torch.inf)


edit(TOP_K, "larger_than_the_vocabulary", "min(k, logits.shape[-1])", "k",
     "k may be larger than V; then all tokens stay. topk itself refuses it: give it the smaller of "
     "the two.", raises=True)
edit(TOP_K, "smallest", "dim=-1)  # (..., k)", "dim=-1, largest=False)",
     "the k smallest scores survive. topk takes the largest unless told otherwise.")
edit(TOP_K, "zeros", "torch.full_like(logits, -torch.inf)", "torch.zeros_like(logits)",
     "removed tokens have the score 0, and exp(0) is 1: they are still drawn. A removed token "
     "stands at -inf.")
edit(TOP_K, "minus_a_billion", "-torch.inf", "-1e9",
     "removed tokens stand at a large negative number; the docstring asks for -inf. A test such as "
     "isfinite would count them as kept.")
edit(TOP_K, "no_refusal", "if k < 1:", "if k < 0:",
     "k = 0 has to be refused: a row of nothing but -inf is nan after softmax. Keep the two lines "
     "that raise ValueError.")


@mistake(TOP_K, "only the k scores came back, without their places. The shape has to stay [..., "
         "V].")
def shorter(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    return logits.topk(min(k, logits.shape[-1]), dim=-1).values


@mistake(TOP_K, "these are probabilities. Scores are asked for: kept ones as they came, removed "
         "ones at -inf.")
def k_probabilities(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    largest, at = logits.topk(min(k, logits.shape[-1]), dim=-1)
    return F.softmax(torch.full_like(logits, -torch.inf).scatter(-1, at, largest))


@mistake(TOP_K, "the rows share one threshold: the k largest of the whole tensor stay. Each row "
         "has its own k.")
def of_everything(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    flat = logits.reshape(-1)
    largest, at = flat.topk(min(k, len(flat)))
    return torch.full_like(flat, -torch.inf).scatter(0, at, largest).view(logits.shape)


@mistake(TOP_K, "the first k tokens of the vocabulary survive, whatever their scores.")
def first_k(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    out = logits.clone()
    out[..., k:] = -torch.inf
    return out


@mistake(TOP_K, "this changes the scores of whoever called it. Write into a copy, or use "
         "masked_fill without the underscore.", raises=True)
def top_k_in_place(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    least = logits.topk(min(k, logits.shape[-1]), -1).values[..., -1:]
    logits[logits < least] = -torch.inf
    return logits


@mistake(TOP_K, "argsort gives the *tokens* in order, and place j of it says nothing about token "
         "j. Take argsort of it once more for ranks, or scatter to the places of topk.")
def order_for_rank(logits: torch.Tensor, k: int) -> torch.Tensor:
    if k < 1:
        raise ValueError
    return logits.masked_fill(logits.argsort(-1, descending=True) >= k, -torch.inf)


edit(TOP_K, "log_probabilities", "logits.topk(", "F.log_softmax(logits).topk(",
     "the kept scores were moved by their log S. softmax would not notice, but a kept score stays "
     "as it came.")
edit(TOP_K, "no_gradient", "scatter(-1, at, largest)", "scatter(-1, at, largest).detach()",
     "no gradient gets back to the scores that stay: something cuts the graph, such as .detach(), "
     ".item() or NumPy.", raises=True)

CROSSING = ("the token that crosses p has been dropped, so the mass stays below p. Keep a token "
            "when the mass *before* it is below p.")
edit(TOP_P, "crossing_dropped", "ranks < size", "ranks < size - 1",
     "the token that crosses p has been dropped, and where the first token crosses it nothing is "
     "left. Keep a token when the mass *before* it is below p.")


@mistake(TOP_P, CROSSING)
def crossing_dropped_but_one(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError
    likely, order = F.softmax(logits).sort(-1, descending=True)
    kept = likely.cumsum(-1) <= p + 1e-12
    kept[..., 0] = True
    return logits.masked_fill(~torch.zeros_like(kept).scatter(-1, order, kept), -torch.inf)


edit(TOP_P, "one_more", "ranks < size", "ranks <= size",
     "one token too many survives. The set is complete with the token that crosses p.")
edit(TOP_P, "none_at_zero", "ranks < size", "ranks < size * (p > 0)",
     "for p = 0 nothing stays. A sampler has to draw something: the most likely token always "
     "stays.")
edit(TOP_P, "least_likely", "descending=True", "descending=False",
     "you added up from the least likely token. Sort in falling order.")
edit(TOP_P, "not_scattered", "torch.zeros_like(too_few).scatter(-1, order, ranks < size)",
     "ranks < size",
     "the mask of the sorted tokens was laid over the unsorted ones. Place r of the mask belongs "
     "to token order[r]: scatter it back.")
edit(TOP_P, "gathered", "torch.zeros_like(too_few).scatter(-1, order, ranks < size)",
     "(ranks < size).gather(-1, order)",
     "the mask was sorted once more instead of back: gather reads *from* order[r], scatter writes "
     "*to* it.")
edit(TOP_P, "on_the_scores", "F.softmax(logits).sort", "logits.sort",
     "the scores themselves were added up. p is a share of probability: take the softmax first.")
edit(TOP_P, "on_log_probabilities", "F.softmax(logits).sort", "F.log_softmax(logits).sort",
     "log-probabilities were added up. p is a share of probability: take the softmax first.")
edit(TOP_P, "first_subtracted", "likely.cumsum(-1) < p", "likely.cumsum(-1) - likely[..., :1] < p",
     "the mass before a token is the running sum minus *its own* probability. Here the first "
     "token's was subtracted everywhere.")
edit(TOP_P, "whole_batch", "size = too_few.sum(-1, keepdim=True) + 1",
     "size = torch.full_like(order[..., :1], int(too_few.sum()) + 1)",
     "the tokens of all rows were counted together. Each row has a set of its own size.")
edit(TOP_P, "columns", "likely.cumsum(-1)", "likely.cumsum(0)",
     "the running sum goes down the rows. Each row is a distribution: sum along the last "
     "dimension.",
     raises=True)
edit(TOP_P, "softmax_of_everything", "F.softmax(logits)",
     "F.softmax(logits.flatten(), 0).view(logits.shape)",
     "the whole tensor was made one distribution. Each row along the last dimension has a mass of "
     "1.")


@mistake(TOP_P, "the order of the first row was used for all rows. Each row is sorted by itself.")
def order_of_the_first_row(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError
    if p == 1:
        return logits.clone()
    likely = F.softmax(logits)
    order = likely.flatten(0, -2)[0].argsort(descending=True) if likely.dim() > 1 else \
        likely.argsort(descending=True)
    size = (likely[..., order].cumsum(-1) < p).sum(-1, keepdim=True) + 1
    kept = torch.zeros_like(likely, dtype=torch.bool)
    kept[..., order] = torch.arange(len(order)) < size
    return logits.masked_fill(~kept, -torch.inf)


@mistake(TOP_P, "the scores came back in falling order. The result has to be in the order of the "
         "vocabulary: scatter back.")
def left_sorted(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError
    scores = logits.sort(-1, descending=True).values
    likely = F.softmax(scores)
    gone = (likely.cumsum(-1) - likely >= p) & (p < 1)
    gone[..., 0] = False
    return scores.masked_fill(gone, -torch.inf)


@mistake(TOP_P, "tokens equal to the last one that is needed stay too. The smallest set is asked "
         "for: count places, don't compare with a threshold.")
def equals_stay(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError
    if p == 1:
        return logits.clone()
    likely = F.softmax(logits)
    ordered = likely.sort(-1, descending=True).values
    size = (ordered.cumsum(-1) < p).sum(-1, keepdim=True)
    return logits.masked_fill(likely < ordered.gather(-1, size) - 1e-12, -torch.inf)


@mistake(TOP_P, "a token stays when its own probability is at least p. p is a share of the mass "
         "that the kept tokens have together.")
def at_least_p(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError
    return logits.masked_fill(F.softmax(logits) < p, -torch.inf)


@mistake(TOP_P, "a share p of the vocabulary was kept. The number of tokens follows from their "
         "probabilities.")
def share_of_the_vocabulary(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError
    largest, at = logits.topk(max(1, int(p * logits.shape[-1])), dim=-1)
    return torch.full_like(logits, -torch.inf).scatter(-1, at, largest)


@mistake(TOP_P, "the mass was added up in the order of the vocabulary. Sort first: the most likely "
         "tokens make up the set.")
def not_sorted(logits: torch.Tensor, p: float) -> torch.Tensor:
    if not 0 <= p <= 1:
        raise ValueError
    likely = F.softmax(logits)
    kept = likely.cumsum(-1) - likely < p
    kept[..., 0] = True
    return logits.masked_fill(~kept, -torch.inf)


edit(TOP_P, "zeros", "masked_fill(~kept, -torch.inf)", "masked_fill(~kept, 0.0)",
     "removed tokens have the score 0, and exp(0) is 1: they are still drawn. A removed token "
     "stands at -inf.")
edit(TOP_P, "mask_upside_down", "masked_fill(~kept, -torch.inf)", "masked_fill(kept, -torch.inf)",
     "the kept tokens were removed and the others stayed: masked_fill fills where the mask is "
     "True.")
edit(TOP_P, "probabilities", "return logits.masked_fill(~kept, -torch.inf)",
     "return F.softmax(logits.masked_fill(~kept, -torch.inf))",
     "these are probabilities. Scores are asked for: kept ones as they came, removed ones at -inf.")
edit(TOP_P, "log_probabilities", "return logits.masked_fill(~kept, -torch.inf)",
     "return F.log_softmax(logits.masked_fill(~kept, -torch.inf))",
     "the kept scores were moved by the new log S. softmax would not notice, but a kept score "
     "stays as it came.")
edit(TOP_P, "no_refusal", "if not 0 <= p <= 1:", "if False:",
     "p outside 0 … 1 has to be refused; 90 in place of 0.9 would keep everything in silence. Keep "
     "the two lines that raise ValueError.")
edit(TOP_P, "in_place", "return logits.masked_fill(", "return logits.masked_fill_(",
     "this changes the scores of whoever called it: the underscore means in place.", raises=True)
edit(TOP_P, "no_gradient", "logits.masked_fill", "logits.detach().masked_fill",
     "no gradient gets back to the scores that stay: something cuts the graph, such as .detach(), "
     ".item() or NumPy.", raises=True)
edit(TOP_P, "uncut_probabilities", "return logits.mask", "return F.softmax(logits).mask",
     "what stays are probabilities. Scores are asked for, as they came.")
edit(TOP_P, "exp_overflows", "F.softmax(logits)", "(logits.exp() / logits.exp().sum(-1, "
     "keepdim=True))",
     "exp of a large score is inf, and inf/inf is nan. F.softmax subtracts the largest score of "
     "the row first.")
