"""Known wrong answers: min-p, typical sampling, the repetition penalty, contrastive scores."""

import torch

from .. import edit, mistake

MIN_P, TYPICAL = "sampling.min_p", "sampling.typical"
PENALTY, CONTRAST = "sampling.repetition_penalty", "sampling.contrastive"

edit(MIN_P, "absolute", "p * likely.amax(-1, keepdim=True)", "p",
     "a probability is compared with p itself. The bar moves with the largest one: p times it.")
edit(MIN_P, "on_the_scores", "F.softmax(logits)", "logits.clone()",
     "scores were compared. p is a share of the largest *probability*: take the softmax first.")
edit(MIN_P, "largest_of_all_rows", "likely.amax(-1, keepdim=True)", "likely.max()",
     "all rows share one bar. Each row is compared with its own largest probability.")
edit(MIN_P, "largest_of_the_column", "likely.amax(-1, keepdim=True)", "likely.amax(0, "
                                                  "keepdim=True)",
     "each token was compared with the same token of other rows. The largest of its own row is "
     "meant.")
edit(MIN_P, "from_the_smallest", "likely.amax(", "likely.amin(",
     "the bar is p times the *smallest* probability, so nothing is ever cut. Take the largest.")
edit(MIN_P, "mask_upside_down", "likely < least", "likely >= least",
     "the likely tokens were removed and the others stayed: masked_fill fills where the mask is "
     "True.")
edit(MIN_P, "top_p_instead", "likely < least",
     "torch.zeros_like(likely).scatter(-1, likely.argsort(-1, descending=True), likely.sort(-1, "
     "descending=True).values.cumsum(-1).roll(1, -1)) >= p",
     "the mass was added up, as in top-p. min-p looks at one token at a time: is it at least p "
     "times as likely as the best?")
edit(MIN_P, "below_the_largest_by_p", "p * likely.amax(-1, keepdim=True)",
     "likely.amax(-1, keepdim=True) - p",
     "p was subtracted from the largest probability. The bar is a share of it: p times the "
     "largest.")
edit(MIN_P, "scores_minus_p", "likely < least", "logits < logits.amax(-1, keepdim=True) - p",
     "p was subtracted from the largest *score*. A share p of a probability is log p added to its "
     "score.")
edit(MIN_P, "one_minus_p", "p * likely", "(1 - p) * likely",
     "1 − p stands where p should: a large p keeps few tokens.")
edit(MIN_P, "zeros", "-torch.inf", "0.0",
     "removed tokens have the score 0, and exp(0) is 1: they are still drawn. A removed token "
     "stands at -inf.")
edit(MIN_P, "probabilities", "return logits.masked_fill", "return likely.masked_fill",
     "what stays are probabilities. Scores are asked for, as they came.")
edit(MIN_P, "no_keepdim", "likely.amax(-1, keepdim=True)", "likely.amax(-1)",
     "the largest has lost the dimension it ran over and no longer lines up with its rows. "
     "keepdim=True keeps it at size 1.", raises=True)
edit(MIN_P, "in_place", "masked_fill(", "masked_fill_(",
     "this changes the scores of whoever called it: the underscore means in place.", raises=True)
edit(MIN_P, "no_gradient", "logits.masked_fill", "logits.detach().masked_fill",
     "no gradient gets back to the scores that stay: something cuts the graph, such as .detach(), "
     ".item() or NumPy.", raises=True)

edit(MIN_P, "equals_removed", "likely < least", "likely <= least",
     "a token *at* the bar stays: at least p times the largest. With <= the largest itself goes at "
     "p = 1.")
edit(MIN_P, "exp_overflows", "F.softmax(logits)", "logits.exp() / logits.exp().sum(-1, "
     "keepdim=True)",
     "exp of a large score is inf, and then nothing is below the bar. F.softmax subtracts the "
     "largest score of the row first.")

edit(TYPICAL, "most_likely", "(-log_p - entropy).abs()", "(-log_p)",
     "the tokens are taken in the order of top-p, the most likely first. Take them by |surprise − "
     "entropy|: without the bars, with log p for −log p, or with a mean as the entropy, it is the "
     "order of top-p again.")
edit(TYPICAL, "farthest", ".argsort(-1)", ".argsort(-1, descending=True)",
     "the tokens farthest from the entropy were taken first. Sort by rising distance.")
edit(TYPICAL, "distance_of_p", "(-log_p - entropy).abs()", "(likely - entropy).abs()",
     "a probability was compared with the entropy. What is compared is the surprise, -log p.")
edit(TYPICAL, "entropy_in_bits",
     "torch.special.entr(likely).sum(-1, keepdim=True)",
     "torch.special.entr(likely).sum(-1, keepdim=True) / 0.6931471805599453",
     "the entropy is in bits and the surprise in nats. Use one base for both.")
edit(TYPICAL, "uniform_entropy", "torch.special.entr(likely).sum(-1, keepdim=True)",
     "torch.full_like(likely[..., :1], likely.shape[-1]).log()",
     "log V is the entropy of a uniform distribution. Take that of the row: −Σ p log p.")
edit(TYPICAL, "nan_from_a_removed_token", "torch.special.entr(likely).sum(-1, keepdim=True)",
     "-(likely * log_p).sum(-1, keepdim=True)",
     "a token at -inf makes the entropy nan: 0 · (−inf). It has p = 0 and adds nothing; "
     "torch.special.entr(p) knows that.")
edit(TYPICAL, "entropy_of_the_batch", "torch.special.entr(likely).sum(-1, keepdim=True)",
     "torch.special.entr(likely).sum()",
     "the entropies of all rows were added up. Each row has its own.")
edit(TYPICAL, "plain_mean_of_the_surprise", "torch.special.entr(likely).sum(-1, keepdim=True)",
     "(-log_p).mean(-1, keepdim=True)",
     "the surprises were averaged with equal weights. The entropy weighs each with its "
     "probability.")
edit(TYPICAL, "perplexity", "torch.special.entr(likely).sum(-1, keepdim=True)",
     "torch.special.entr(likely).sum(-1, keepdim=True).exp()",
     "exp of the entropy is a number of tokens. A surprise is compared with the entropy itself.")
edit(TYPICAL, "crossing_dropped", "keepdim=True) + 1", "keepdim=True).clamp(min=1)",
     "the token that crosses the mass has been dropped. Take tokens until the mass is *reached*.")
edit(TYPICAL, "one_more", "keepdim=True) + 1", "keepdim=True) + 2",
     "one token too many survives. The set is complete with the token that crosses the mass.")
edit(TYPICAL, "sum_of_distances", "likely.gather(-1, order)",
     "(-log_p - entropy).abs().gather(-1, order)",
     "the distances were added up. The order comes from the distances, the mass from the "
     "probabilities.")
edit(TYPICAL, "mass_not_ordered", "likely.gather(-1, order).cumsum(-1)", "likely.cumsum(-1)",
     "the mass was added up in the order of the vocabulary. Bring the probabilities into the same "
     "order first.")
edit(TYPICAL, "mass_by_probability", "likely.gather(-1, order).cumsum(-1)",
     "likely.sort(-1, descending=True).values.cumsum(-1)",
     "the number of tokens was counted as in top-p, by falling probability. Bring the "
     "probabilities into the order of the distances.")
edit(TYPICAL, "not_scattered",
     "torch.zeros_like(order, dtype=torch.bool).scatter(-1, order, ranks < size)", "ranks < size",
     "the mask of the ordered tokens was laid over the unordered ones. Scatter it back.")
edit(TYPICAL, "gathered",
     "torch.zeros_like(order, dtype=torch.bool).scatter(-1, order, ranks < size)",
     "(ranks < size).gather(-1, order)",
     "the mask was ordered once more instead of back: gather reads *from* order[r], scatter writes "
     "*to* it.")
edit(TYPICAL, "mask_upside_down", "masked_fill(~kept", "masked_fill(kept",
     "the typical tokens were removed and the others stayed: masked_fill fills where the mask is "
     "True.")
edit(TYPICAL, "zeros", "masked_fill(~kept, -torch.inf)", "masked_fill(~kept, 0.0)",
     "removed tokens have the score 0, and exp(0) is 1: they are still drawn. A removed token "
     "stands at -inf.")
edit(TYPICAL, "log_probabilities", "return logits.masked_fill", "return log_p.masked_fill",
     "the kept scores were moved by their log S. softmax would not notice, but a kept score stays "
     "as it came.")
edit(TYPICAL, "no_gradient", "return logits.masked_fill", "return logits.detach().masked_fill",
     "no gradient gets back to the scores that stay: something cuts the graph, such as .detach(), "
     ".item() or NumPy.", raises=True)

edit(TYPICAL, "probabilities", "return logits.masked_fill", "return likely.masked_fill",
     "what stays are probabilities. Scores are asked for, as they came.")
edit(TYPICAL, "exp_overflows", "F.log_softmax(logits)", "logits - logits.exp().sum(-1, "
     "keepdim=True).log()",
     "exp of a large score is inf. F.log_softmax subtracts the largest score of the row first.")
edit(TYPICAL, "in_place", "masked_fill(~kept", "masked_fill_(~kept",
     "this changes the scores of whoever called it: the underscore means in place.", raises=True)

edit(PENALTY, "divides_all", "torch.where(logits > 0, logits / penalty, logits * penalty)",
     "logits / penalty",
     "a negative score that is divided comes nearer to 0, so the token gets *more* likely. "
     "Multiply where the score is negative.")
edit(PENALTY, "multiplies_all", "torch.where(logits > 0, logits / penalty, logits * penalty)",
     "logits * penalty",
     "a positive score that is multiplied grows, so the token gets *more* likely. Divide where the "
     "score is positive.")
edit(PENALTY, "turned_around", "logits > 0", "logits < 0",
     "the two cases have changed places: divide where the score is positive, multiply where it is "
     "negative.")
edit(PENALTY, "subtracted", "torch.where(logits > 0, logits / penalty, logits * penalty)",
     "logits - penalty",
     "the penalty was subtracted. That is another rule; here it divides or multiplies.")
edit(PENALTY, "all_tokens", "torch.where(seen, lower, logits)", "lower",
     "every token was punished. Only those in `ids` have occurred.")
edit(PENALTY, "the_others", "torch.where(seen, lower, logits)", "torch.where(seen, logits, lower)",
     "the tokens that have *not* occurred were punished: where(condition, if true, if false).")
edit(PENALTY, "probabilities", "return torch.where(seen, lower, logits)",
     "p = F.softmax(logits)\n    return torch.where(seen, p / penalty, p)",
     "probabilities were divided. The rule works on scores, and the result is scores.")


@mistake(PENALTY, "a token that occurs several times was punished several times. Each id counts "
         "once, however often it stands in `ids`.")
def every_occurrence(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    ids = ids.expand(*logits.shape[:-1], -1)
    for i in range(ids.shape[-1]):
        one = ids[..., i:i + 1]
        score = logits.gather(-1, one)
        score = torch.where(score > 0, score / penalty, score * penalty)
        logits = logits.scatter(-1, one, score)
    return logits


@mistake(PENALTY, "the ids of all rows were put together. `ids` [B, n] belong to the rows one by "
         "one.")
def all_ids_for_all(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    seen = torch.zeros(logits.shape[-1], dtype=torch.bool)
    seen[ids.flatten()] = True
    lower = torch.where(logits > 0, logits / penalty, logits * penalty)
    return torch.where(seen, lower, logits)


@mistake(PENALTY, "`ids` [n] were used for the first row only. One list of ids holds for all rows.")
def first_row_only(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    lower = torch.where(logits > 0, logits / penalty, logits * penalty)
    seen = torch.zeros_like(logits, dtype=torch.bool)
    if ids.dim() == 1 and logits.dim() > 1:
        seen.view(-1, logits.shape[-1])[0, ids] = True
    else:
        seen.scatter_(-1, ids, True)
    return torch.where(seen, lower, logits)


@mistake(PENALTY, "this changes the scores of whoever called it. Write into a copy: "
         "logits.scatter, or torch.where.", raises=True)
def penalty_in_place(logits: torch.Tensor, ids: torch.Tensor, penalty: float) -> torch.Tensor:
    ids = ids.expand(*logits.shape[:-1], -1)
    score = logits.gather(-1, ids)
    return logits.scatter_(-1, ids, torch.where(score > 0, score / penalty, score * penalty))


edit(TYPICAL, "none_at_zero", "ranks < size", "ranks < size * (mass > 0)",
     "for mass = 0 nothing stays. A sampler has to draw something: the most typical token always "
     "stays.")




edit(PENALTY, "no_gradient", "return torch.where(seen, lower, logits)",
     "return torch.where(seen, lower, logits).detach()",
     "no gradient gets back to the scores: something cuts the graph, such as .detach(), .item() or "
     "NumPy.", raises=True)

edit(PENALTY, "removed", "lower = torch.where(logits > 0, logits / penalty, logits * penalty)",
     "lower = torch.full_like(logits, -torch.inf)",
     "tokens that have occurred were forbidden. The penalty only makes them less likely.")

edit(PENALTY, "log_probabilities", "lower = torch.where", "logits = F.log_softmax(logits)\n    "
     "lower = torch.where",
     "log-probabilities were punished: they are all negative, so every seen token was multiplied. "
     "The rule works on the scores as they came.")

edit(CONTRAST, "no_constraint", ".masked_fill(expert < least, -torch.inf)", "",
     "the plausibility constraint is missing: a token that both models find nearly impossible may "
     "win by its ratio alone. Remove what is below alpha times the expert's largest.")
edit(CONTRAST, "amateurs_constraint", "least = expert.amax", "least = amateur.amax",
     "the bar comes from the amateur. What is plausible is for the expert to say.")
edit(CONTRAST, "amateur_constrained", "expert < least", "amateur < least - expert.amax(-1, "
     "keepdim=True) + amateur.amax(-1, keepdim=True)",
     "tokens that the *amateur* finds unlikely were removed. Those are the ones the expert may be "
     "right about; the constraint is on the expert.")
edit(CONTRAST, "turned_around", "(expert - amateur)", "(amateur - expert)",
     "the amateur minus the expert: what the expert prefers comes out lowest.")
edit(CONTRAST, "logit_difference", "(expert - amateur)", "(expert_logits - amateur_logits)",
     "that is the difference of the scores. softmax would not notice, but the difference of log p "
     "is asked for: the two differ by one number for each row.")
edit(CONTRAST, "probability_difference", "(expert - amateur)", "(expert.exp() - amateur.exp())",
     "probabilities were subtracted. The difference of their logarithms is asked for.")
edit(CONTRAST, "ratio", "(expert - amateur)", "(expert / amateur)",
     "log-probabilities were divided. A ratio of probabilities is a *difference* of logarithms.")
edit(CONTRAST, "ratio_of_probabilities", "(expert - amateur)", "(expert - amateur).exp()",
     "that is the ratio itself. Its logarithm is asked for.")
edit(CONTRAST, "expert_alone", "(expert - amateur)", "expert",
     "the expert alone: the amateur's log-probability has to be subtracted.")
edit(CONTRAST, "absolute_bar", "expert.amax(-1, keepdim=True) + math.log(alpha)",
     "torch.full_like(expert[..., :1], math.log(alpha))",
     "a probability is compared with alpha itself. The bar is alpha times the expert's largest.")
edit(CONTRAST, "bar_of_the_batch", "expert.amax(-1, keepdim=True)", "expert.max()",
     "all rows share one bar. Each row is compared with its own largest probability.")
edit(CONTRAST, "log_times_alpha", "expert.amax(-1, keepdim=True) + math.log(alpha)",
     "alpha * expert.amax(-1, keepdim=True)",
     "a log-probability was multiplied by alpha. alpha times a probability is log alpha *added* to "
     "its logarithm.")
edit(CONTRAST, "mask_upside_down", "expert < least", "expert >= least",
     "the plausible tokens were removed and the others stayed.")
edit(CONTRAST, "zeros", "-torch.inf", "0.0",
     "implausible tokens have the score 0, which beats every token the amateur prefers. They stand "
     "at -inf.")
edit(CONTRAST, "expert_cut_first", "F.log_softmax(expert_logits)",
     "F.log_softmax(expert_logits.masked_fill(F.log_softmax(expert_logits) < F.log_softmax("
     "expert_logits).amax(-1, keepdim=True) + math.log(alpha), -torch.inf))",
     "the expert was cut before its log_softmax, so its probabilities were shared out anew. log p "
     "of the whole row is asked for.")
edit(CONTRAST, "normalised", "return (expert - amateur).masked_fill(expert < least, -torch.inf)",
     "return F.log_softmax((expert - amateur).masked_fill(expert < least, -torch.inf))",
     "the result was normalised. The difference itself is asked for; softmax comes when a token is "
     "drawn.")
edit(CONTRAST, "no_gradient", "(expert - amateur)", "(expert - amateur).detach()",
     "no gradient gets back to the scores: something cuts the graph, such as .detach(), .item() or "
     "NumPy.", raises=True)
edit(CONTRAST, "amateur_no_gradient", "(expert - amateur)", "(expert - amateur.detach())",
     "no gradient gets back to the amateur's scores: they were detached.", raises=True)
edit(CONTRAST, "alpha_ignored", "math.log(alpha)", "math.log(0.1)",
     "alpha is 0.1 whatever is asked for. Use the argument.")
edit(CONTRAST, "sum", "(expert - amateur)", "(expert + amateur)",
     "the two log-probabilities were added. The amateur's is subtracted.")
edit(CONTRAST, "equals_removed", "expert < least", "expert <= least",
     "a token *at* the bar stays: at least alpha times the largest. With <= the largest itself "
     "goes at alpha = 1.")
edit(CONTRAST, "log_of_softmax", "F.log_softmax(expert_logits), F.log_softmax(amateur_logits)",
     "F.softmax(expert_logits).log(), F.softmax(amateur_logits).log()",
     "the log of a probability that has become 0 is −inf. F.log_softmax keeps it finite.")
edit(CONTRAST, "exp_overflows", "F.log_softmax(expert_logits)",
     "expert_logits - expert_logits.exp().sum(-1, keepdim=True).log()",
     "exp of a large score is inf. F.log_softmax subtracts the largest score of the row first.")
