"""Known wrong answers: the gradient of cross-entropy."""

import torch

from .. import edit, mistake

KEPT = "targets != ignore_index"
GRAD = "functional.cross_entropy_grad"

edit(GRAD, "turned_around", "(p - y)", "(y - p)",
     "this is y − p: a step against it raises the loss. The gradient is prediction minus truth.")
edit(GRAD, "p_alone", "(p - y)", "p",
     "this is the part of log Σ exp(z) alone. The part of −z_y is missing: −1 at the target.")
edit(GRAD, "target_alone", "(p - y)", "(y * (p - 1))",
     "only the target's entry is there. The other logits get a gradient too: their probability.")
edit(GRAD, "others_alone", "(p - y)", "(p * (1 - y))",
     "the target's entry is 0. It should be p − 1: the target's own score has to rise.")
edit(GRAD, "same_everywhere", "(p - y)", "(y * (p - 1)).sum(-1, keepdim=True).expand_as(p)",
     "every entry is p − 1 of the target. Only the target's own entry is; the others are their "
     "probability.")
edit(GRAD, "one_off_everywhere", "(p - y)", "(p - 1)",
     "1 is subtracted from every class. Only the target has yᵢ = 1.")
edit(GRAD, "derivative_of_p", "(p - y)", "(p * (1 - p))",
     "p(1 − p) is the derivative of a probability, not of the loss. The log takes the factor p "
     "away again.")
edit(GRAD, "squared_error", "(p - y)", "(p * ((p - y) - (p * (p - y)).sum(-1, keepdim=True)))",
     "this is the gradient of ½Σ(p − y)² through the softmax. With −log p the Jacobian cancels and "
     "p − y is left.")
edit(GRAD, "log_p", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "logits - logits.logsumexp(-1, keepdim=True)",
     "the log-probabilities are used where the probabilities belong.")
edit(GRAD, "sum", "rows / kept.sum()", "rows",
     "this is the gradient of the sum. The loss is a mean: divide by the number of kept tokens.")
edit(GRAD, "all_tokens_count", "kept.sum()", "kept.numel()",
     "ignored tokens still count in the number you divide by. Divide by the number of kept tokens.")
edit(GRAD, "by_classes", "kept.sum()", "logits.shape[-1]",
     "the rows are divided by the number of classes. The mean runs over tokens.")
edit(GRAD, "by_batch", "kept.sum()", "logits.shape[0]",
     "the rows are divided by the size of the first dimension, the batch. Every kept token "
     "counts, B × T of them where none is ignored.")
edit(GRAD, "each_sequence", "rows / kept.sum()", "rows / kept.sum(-1, keepdim=True).unsqueeze(-1)",
     "each row is divided by the kept tokens of its own sequence. The mean runs over all kept "
     "tokens of the batch.")
edit(GRAD, "ignored_is_class_0", "(p - y).masked_fill(~kept.unsqueeze(-1), 0.0)", "(p - y)",
     "the loss skips ignored tokens, but here they still get a gradient, with class 0 as their "
     "target. Their rows are 0.")


@mistake(GRAD, "the loss skips ignored tokens, but here they still get a gradient, towards "
         "whatever class their target was turned into. Their rows are 0.")
def ignored_keeps_its_row(logits: torch.Tensor, targets: torch.Tensor,
                          ignore_index: int = -100) -> torch.Tensor:
    y = torch.nn.functional.one_hot(targets.clamp(min=0), logits.shape[-1])
    return (torch.softmax(logits, -1) - y) / (targets != ignore_index).sum()


edit(GRAD, "inverted_index_refused", KEPT, "targets == ignore_index",
     "the mask is the wrong way round: the ignored tokens get a gradient and the kept ones none. "
     "Keep those whose target differs from `ignore_index`.", raises=True)
edit(GRAD, "only_the_kept", "(p - y).masked_fill(~kept.unsqueeze(-1), 0.0)", "(p - y)[kept]",
     "only the rows of the kept tokens come out, in one list. The gradient has the shape of the "
     "logits, with rows of 0 for the ignored ones.")
edit(GRAD, "flattened", "rows / kept.sum()", "(rows / kept.sum()).reshape(-1, p.shape[-1])",
     "the numbers are right, and the leading dimensions are gone. The gradient has the shape of "
     "the logits.")
edit(GRAD, "ignored_keeps_p", "(p - y).masked_fill(~kept.unsqueeze(-1), 0.0)",
     "(p - y * kept.unsqueeze(-1))",
     "an ignored token has no target, but its p is still there as a gradient. Its whole row is 0.")
edit(GRAD, "nothing_ignored", KEPT, "(targets != -100) & (targets >= 0)",
     "`ignore_index` is not used: a token whose target equals it gets a row of 0, also when it is "
     "a class such as 2.")


@mistake(GRAD, "the mask is the wrong way round: the ignored tokens get a gradient and the kept "
         "ones none. Keep those whose target differs from `ignore_index`.")
def grad_inverted(logits: torch.Tensor, targets: torch.Tensor,
                  ignore_index: int = -100) -> torch.Tensor:
    ignored = targets == ignore_index
    y = torch.nn.functional.one_hot(targets.clamp(min=0), logits.shape[-1])
    return (torch.softmax(logits, -1) - y) * ignored.unsqueeze(-1) / ignored.sum()


edit(GRAD, "no_softmax", "(p - y)", "(logits - y)",
     "the truth is subtracted from the logits themselves. Softmax turns them into the prediction "
     "p.")
edit(GRAD, "by_tokens_and_classes", "kept.sum()", "(kept.sum() * logits.shape[-1])",
     "the number of classes is divided by as well. The mean runs over the kept tokens only.")
edit(GRAD, "no_max", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "logits.exp() / logits.exp().sum(-1, keepdim=True)",
     "exp of a large logit is inf, and inf / inf is nan. p − y is no protection by itself: p "
     "has to come from a stable softmax.")
edit(GRAD, "one_max_for_all", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "(logits - logits.max()).exp() / (logits - logits.max()).exp().sum(-1, keepdim=True)",
     "one maximum for all tokens leaves a token of far smaller logits with exp = 0 everywhere, and "
     "0 / 0 is nan. Each token needs its own.")
edit(GRAD, "over_positions", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "torch.softmax(logits, 1)",
     "the softmax runs over dimension 1, which is the position as soon as there are leading "
     "dimensions. The classes are the last dimension.")
edit(GRAD, "over_tokens", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "torch.softmax(logits, 0)",
     "the softmax runs over dimension 0, so tokens compete with one another. The classes are the "
     "last dimension.")
edit(GRAD, "softmax_twice", "(logits - logits.logsumexp(-1, keepdim=True)).exp()",
     "torch.softmax(torch.softmax(logits, -1), -1)",
     "softmax is applied twice. One softmax turns logits into probabilities.")


@mistake(GRAD, "indexing with [..., targets] subtracts 1 at every target of the batch from every "
         "token. Each token has one target of its own: scatter, or one-hot rows.")
def every_pair(logits: torch.Tensor, targets: torch.Tensor,
               ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    rows = torch.softmax(logits, -1)
    rows[..., targets[kept]] -= 1
    return rows * kept.unsqueeze(-1) / kept.sum()


@mistake(GRAD, "1 is subtracted at the targets of all tokens, the ignored ones too, from every "
         "token. Each token has one target of its own: scatter, or one-hot rows.")
def every_pair_of_all(logits: torch.Tensor, targets: torch.Tensor,
                      ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    rows = torch.softmax(logits, -1)
    rows[..., targets.clamp(min=0)] -= 1
    return rows * kept.unsqueeze(-1) / kept.sum()


@mistake(GRAD, "one_hot knows no class −100: it refuses a target below 0. Put any class there "
         "first, such as with masked_fill; its row becomes 0 in the end.", raises=True)
def one_hot_of_the_ignored(logits: torch.Tensor, targets: torch.Tensor,
                           ignore_index: int = -100) -> torch.Tensor:
    y = torch.nn.functional.one_hot(targets, logits.shape[-1])
    kept = targets != ignore_index
    return (torch.softmax(logits, -1) - y) * kept.unsqueeze(-1) / kept.sum()


edit(GRAD, "float64", "(logits - logits.logsumexp", "(logits.double() - logits.double().logsumexp",
     "the gradient has another dtype than the logits.")


@mistake(GRAD, "this writes into the logits that were passed in: `-=` works in place. Write "
         "`logits = logits - …`, which makes a new tensor.", raises=True)
def grad_logits_in_place(logits: torch.Tensor, targets: torch.Tensor,
                         ignore_index: int = -100) -> torch.Tensor:
    logits -= logits.amax(-1, keepdim=True)
    kept = targets != ignore_index
    y = torch.nn.functional.one_hot(targets.masked_fill(~kept, 0), logits.shape[-1])
    return (torch.softmax(logits, -1) - y) * kept.unsqueeze(-1) / kept.sum()


@mistake(GRAD, "this writes into the targets that were passed in, and the caller still needs them. "
         "masked_fill without the underscore makes a new tensor.", raises=True)
def grad_targets_in_place(logits: torch.Tensor, targets: torch.Tensor,
                          ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    targets[~kept] = 0
    y = torch.nn.functional.one_hot(targets, logits.shape[-1])
    return (torch.softmax(logits, -1) - y) * kept.unsqueeze(-1) / kept.sum()


@mistake(GRAD, "autograd did the work, and here it is switched off. Write the gradient with the "
         "formula of the steps: (p − y) / number of kept tokens.", raises=True)
def by_autograd(logits: torch.Tensor, targets: torch.Tensor,
                ignore_index: int = -100) -> torch.Tensor:
    z = logits.detach().clone().requires_grad_()
    loss = torch.nn.functional.cross_entropy(
        z.flatten(0, -2), targets.flatten(), ignore_index=ignore_index)
    return torch.autograd.grad(loss, z)[0]




