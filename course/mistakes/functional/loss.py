"""Known wrong answers: cross-entropy."""

import torch

from .. import edit, mistake

LOSS, KEPT = "functional.cross_entropy", "targets != ignore_index"
SCORES = "z = logits - logits.amax(-1, keepdim=True).detach()"


@mistake(LOSS, "a probability too small for its dtype is 0, and log 0 is -inf. Use "
         "log Σ exp(z) − z_y, or your log_softmax.")
def log_of_a_probability(logits: torch.Tensor, targets: torch.Tensor,
                         ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    p = torch.softmax(logits[kept], -1)
    return -p.gather(-1, targets[kept].unsqueeze(-1)).log().mean()


for bit in (" + 1e-8", " + 1e-9", " + 1e-10", " + 1e-12", ".clamp(min=1e-8)", ".clamp(min=1e-9)"):
    edit(LOSS, f"log_of_p{bit}", "losses[kept]", f"-((-losses[kept]).exp(){bit}).log()",
         "a small number under the log keeps it finite, but caps the loss of a model that is sure "
         "and wrong. log Σ exp(z) − z_y never meets log 0.")


@mistake(LOSS, "this is −Σ p log p, the entropy of the prediction: the target does not occur in "
         "it. The loss is −log p of the target alone.")
def entropy(logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    log_p = torch.log_softmax(logits[targets != ignore_index], -1)
    return -(log_p.exp() * log_p).sum(-1).mean()


@mistake(LOSS, "exp of a large logit is inf before the log can bring it back. Take the row's "
         "maximum out first, or call logsumexp.")
def naive_log_sum_exp(logits: torch.Tensor, targets: torch.Tensor,
                      ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    z = logits[kept]
    return (z.exp().sum(-1).log() - z.gather(-1, targets[kept].unsqueeze(-1)).squeeze(-1)).mean()


edit(LOSS, "one_max_for_all", "logits.amax(-1, keepdim=True)", "logits.max()",
     "one maximum for all tokens leaves a token of far smaller logits with a sum of 0, and log 0 "
     "is -inf. Each token needs its own.")
edit(LOSS, "sign", "losses[kept]", "-losses[kept]",
     "this is the mean of log p, which is never positive. The loss is −log p.")
edit(LOSS, "target_score_only", "losses[kept]", "-logits.gather(-1, index).squeeze(-1)[kept]",
     "the loss is −z_y alone, and any model can make that as low as it likes. log Σ exp(z) belongs "
     "to it.")
edit(LOSS, "bits", ".mean()", ".mean() / 0.6931471805599453",
     "these are bits: the logarithm has base 2. The docstring asks for nats, base e.")
edit(LOSS, "softmax_first", SCORES, "z = torch.softmax(logits, -1)",
     "softmax is applied twice: the loss already contains it, so it takes logits and not "
     "probabilities.")
edit(LOSS, "log_softmax_as_probability", "losses[kept]", "(1 - (-losses[kept]).exp())",
     "this is 1 − p of the target. It can't be worse than 1 however sure the model is of the wrong "
     "class; −log p can.")
edit(LOSS, "sum", ".mean()", ".sum()",
     "the losses are added up, not averaged: divide by the number of kept tokens.")
edit(LOSS, "all_tokens_count", ".mean()", ".sum() / targets.numel()",
     "ignored tokens are left out of the sum, but they still count in the number you divide by. "
     "Divide by the number of kept tokens.")
edit(LOSS, "by_classes", ".mean()", ".sum() / logits.shape[-1]",
     "the sum is divided by the number of classes. The mean runs over tokens.")
edit(LOSS, "by_tokens_and_classes", ".mean()", ".mean() / logits.shape[-1]",
     "the mean runs over the classes too, where all but the target's entry are 0. Divide by the "
     "number of kept tokens.")
edit(LOSS, "by_batch", ".mean()", ".sum() / logits.shape[0]",
     "the sum is divided by the size of the first dimension, the batch. Every kept token counts, "
     "B × T of them where none is ignored.")
edit(LOSS, "for_each_token", ".mean()", "",
     "this gives a loss for each token; their mean is asked for.")
edit(LOSS, "nothing_ignored", KEPT, "(targets != -100)",
     "a token whose target equals `ignore_index` is counted when that is a class such as 2. "
     "Compare the targets with `ignore_index`, not with −100 or 0.")
edit(LOSS, "ignored_is_class_0", "losses[kept]", "losses",
     "ignored tokens are counted with class 0 as their target, so the model would learn to say "
     "class 0. Leave them out of the sum and out of the count.")


WRONG_WAY = ("the mask is the wrong way round: the loss runs over the ignored tokens. Keep those "
             "whose target differs from `ignore_index`.")
edit(LOSS, "inverted_index_refused", KEPT, "targets == ignore_index", WRONG_WAY, raises=True)


@mistake(LOSS, WRONG_WAY, raises=True)
def inverted_rows_refused(logits: torch.Tensor, targets: torch.Tensor,
                          ignore_index: int = -100) -> torch.Tensor:
    kept = targets == ignore_index
    y = targets[kept].unsqueeze(-1)
    return -torch.log_softmax(logits[kept], -1).gather(-1, y).mean()


@mistake(LOSS, WRONG_WAY)
def inverted(logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    kept = targets == ignore_index
    y = targets[kept].clamp(min=0)
    return -torch.log_softmax(logits[kept], -1).gather(-1, y.unsqueeze(-1)).mean()


@mistake(LOSS, "each sequence is averaged first and then the sequences: a token of a sequence "
         "with few kept ones counts more. Sum over all kept tokens, then divide once.")
def mean_of_means(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    y = targets.masked_fill(~kept, 0).unsqueeze(-1)
    losses = -torch.log_softmax(logits, -1).gather(-1, y).squeeze(-1) * kept
    return (losses.sum(-1) / kept.sum(-1)).mean()


@mistake(LOSS, "indexing with [:, targets] picks every target from every token, K × K numbers. One "
         "for each token is wanted: gather, or two index tensors of one length.")
def every_pair(logits: torch.Tensor, targets: torch.Tensor,
               ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    return -torch.log_softmax(logits[kept], -1)[:, targets[kept]].mean()


@mistake(LOSS, "torch expects the classes in dimension 1, [N, V, …]. Flatten to [N, V] and [N] "
         "before you call its function.", raises=True)
def not_flattened(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(logits, targets, ignore_index=ignore_index)


@mistake(LOSS, "swapping two dimensions brings the classes to dimension 1 only for [B, T, V]. "
         "Flatten to [N, V] and [N]: that works for any number of dimensions.", raises=True)
def swapped(logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(logits.transpose(1, -1), targets,
                                             ignore_index=ignore_index)


@mistake(LOSS, "the softmax runs over dimension 1, which is the position as soon as there are "
         "leading dimensions. The classes are the last dimension.")
def over_positions(logits: torch.Tensor, targets: torch.Tensor,
                   ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    log_p = torch.log_softmax(logits, 1)[kept]
    return -log_p.gather(-1, targets[kept].unsqueeze(-1)).mean()


@mistake(LOSS, "the softmax runs over dimension 0, so tokens compete with one another. The classes "
         "are the last dimension.")
def over_tokens(logits: torch.Tensor, targets: torch.Tensor,
                ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    log_p = torch.log_softmax(logits, 0)[kept]
    return -log_p.gather(-1, targets[kept].unsqueeze(-1)).mean()


@mistake(LOSS, "the logits are paired with the next token's target. Those that come in belong "
         "to their logits already: shifting is the business of whoever cuts the text.")
def shifted_again(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    logits, targets = logits[..., :-1, :], targets[..., 1:]
    kept = targets != ignore_index
    log_p = torch.log_softmax(logits[kept], -1)
    return -log_p.gather(-1, targets[kept].unsqueeze(-1)).mean()


edit(LOSS, "perplexity", ".mean()", ".mean().exp()",
     "this is exp of the loss, the perplexity. The loss itself is asked for, in nats.")
edit(LOSS, "no_gradient", "z = logits -", "z = logits.data -",
     "no gradient gets back to the logits: something cuts the graph, such as .data, .detach(), "
     ".item() or NumPy.", raises=True)
edit(LOSS, "a_number", ".mean()", ".mean().item()",
     "a plain number comes out, and with it no gradient can be taken. Leave .item() to whoever "
     "prints the loss.", raises=True)
edit(LOSS, "float64", "z = logits -", "z = logits.double() -",
     "the loss has another dtype than the logits.")


@mistake(LOSS, "this writes into the logits that were passed in: `-=` works in place. Write "
         "`logits = logits - …`, which makes a new tensor.", raises=True)
def logits_in_place(logits: torch.Tensor, targets: torch.Tensor,
                    ignore_index: int = -100) -> torch.Tensor:
    logits -= logits.amax(-1, keepdim=True)
    kept = targets != ignore_index
    z, y = logits[kept], targets[kept].unsqueeze(-1)
    return (z.logsumexp(-1) - z.gather(-1, y).squeeze(-1)).mean()


@mistake(LOSS, "this writes into the targets that were passed in, and the caller still needs them. "
         "masked_fill without the underscore makes a new tensor.", raises=True)
def targets_in_place(logits: torch.Tensor, targets: torch.Tensor,
                     ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    targets[~kept] = 0
    log_p = torch.log_softmax(logits, -1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return -log_p[kept].mean()








