"""Softmax and its relatives, cross-entropy, and their derivatives written by hand.

`dim` names the dimension of the classes. Letters: N rows, V classes, `p` probabilities, `z` scores.
"""

import math

import torch


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Turn scores into probabilities along `dim`: pᵢ = exp(xᵢ) / Σⱼ exp(xⱼ).

    `x` of any shape gives the same shape and dtype; along `dim` the result sums to 1. It stays
    finite for scores of ±1e4. A score of -inf gives exactly 0; a row of nothing but -inf is NaN.
    Source: Bridle (1990).
    """
    ### BEGIN SOLUTION
    # the largest score becomes 0, so no exp overflows; a shift changes nothing, hence has no
    # gradient, and autograd need not follow it
    shifted = x - x.amax(dim, keepdim=True).detach()
    weights = shifted.exp()
    return weights / weights.sum(dim, keepdim=True)
    ### END SOLUTION


def log_softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Give log pᵢ along `dim`, in nats, without ever taking the log of a small probability.

    `x` of any shape gives the same shape and dtype. Finite for scores of ±1e4, where the
    probability itself may round to 0; a score of -inf gives -inf. Source: Blanchard, Higham and
    Higham (2021).
    """
    ### BEGIN SOLUTION
    shifted = x - x.amax(dim, keepdim=True).detach()
    log_sum = shifted.exp().sum(dim, keepdim=True).log()  # the sum is at least exp(0) = 1
    return shifted - log_sum
    ### END SOLUTION


def sparsemax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Give the point of the probability simplex that is nearest to the scores, along `dim`.

    `x` of any shape gives the same shape and dtype; along `dim` the result is max(x - τ, 0) and
    sums to 1, and scores at or below the threshold τ get exactly 0. Differentiable like relu, τ
    included; the slope where a score is exactly τ is left open. Source: Martins and Astudillo
    (2016), algorithm 1.
    """
    ### BEGIN SOLUTION
    z = x.movedim(dim, -1)
    z = z - z.amax(-1, keepdim=True)  # changes nothing but the rounding
    ordered = z.sort(-1, descending=True).values
    total = ordered.cumsum(-1)  # of the k largest scores
    k = torch.arange(1, z.shape[-1] + 1, dtype=x.dtype, device=x.device)
    size = (1 + k * ordered > total).sum(-1, keepdim=True)  # how many scores survive
    threshold = (total.gather(-1, size - 1) - 1) / size
    return (z - threshold).clamp(min=0).movedim(-1, dim)
    ### END SOLUTION


def softmax_jacobian(p: torch.Tensor) -> torch.Tensor:
    """Give J with J[i, j] = ∂pᵢ/∂zⱼ for p = softmax(z).

    `p` [n] gives [n, n], the same dtype. Only the probabilities are needed, not the scores.
    Raises ValueError when `p` is not one-dimensional. Source: Bridle (1990).
    """
    if p.dim() != 1:
        raise ValueError(f"p has shape {tuple(p.shape)}; a Jacobian needs one row, [n]")
    ### BEGIN SOLUTION
    return torch.diag(p) - torch.outer(p, p)
    ### END SOLUTION


def softmax_vjp(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Give Jᵀ·grad along `dim` for p = softmax(z): the gradient of the loss to the scores z.

    `p` and `grad` (the gradient of the loss to p) have one shape, which is the result's too; the
    dtype is kept. Never builds J: the extra memory is that of a few tensors like `p`.
    Raises ValueError when `p` and `grad` differ in shape. Source: Bridle (1990).
    """
    if p.shape != grad.shape:
        raise ValueError(f"p has shape {tuple(p.shape)}, grad has {tuple(grad.shape)}")
    ### BEGIN SOLUTION
    mean = (p * grad).sum(dim, keepdim=True)  # one number for each row, weighted by p
    return p * (grad - mean)
    ### END SOLUTION


def check_targets(logits: torch.Tensor, targets: torch.Tensor, ignore_index: int) -> None:
    """Refuse targets that do not belong to `logits` [..., V]; raises ValueError."""
    if targets.shape != logits.shape[:-1]:
        raise ValueError(f"targets {tuple(targets.shape)} for logits {tuple(logits.shape)}")
    classes = logits.shape[-1]
    bad = targets[(targets != ignore_index) & ((targets < 0) | (targets >= classes))]
    if len(bad):
        raise ValueError(f"target {int(bad[0])} is outside 0 … {classes - 1}")


def cross_entropy(
    logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100
) -> torch.Tensor:
    """Give the mean of -log p[target] over the kept tokens, in nats.

    `logits` [..., V], `targets` [...] int64 → a tensor without dimensions, dtype of `logits`.
    A token whose target is `ignore_index` counts neither in the sum nor in the number of tokens.
    Raises ValueError when the shapes do not fit or a kept target is outside 0 … V-1.
    Source: Bridle (1990).
    """
    check_targets(logits, targets, ignore_index)  # given, in minillm/functional.py
    ### BEGIN SOLUTION
    kept = targets != ignore_index
    index = targets.masked_fill(~kept, 0).unsqueeze(-1)  # [..., 1]; any class for the ignored
    z = logits - logits.amax(-1, keepdim=True).detach()  # as in log_softmax
    z_y = z.gather(-1, index).squeeze(-1)  # [...], the score of each target
    losses = z.exp().sum(-1).log() - z_y
    return losses[kept].mean()
    ### END SOLUTION


def cross_entropy_grad(
    logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100
) -> torch.Tensor:
    """Give the gradient of `cross_entropy` to the logits, by the formula and not by autograd.

    `logits` [..., V], `targets` [...] int64 → [..., V], dtype of `logits`; the row of an ignored
    token is 0. Raises ValueError when the shapes do not fit or a kept target is outside 0 … V-1.
    Source: Bridle (1990).
    """
    check_targets(logits, targets, ignore_index)  # given, in minillm/functional.py
    ### BEGIN SOLUTION
    kept = targets != ignore_index
    p = (logits - logits.logsumexp(-1, keepdim=True)).exp()
    index = targets.masked_fill(~kept, 0).unsqueeze(-1)
    y = torch.zeros_like(p).scatter(-1, index, 1.0)  # one-hot
    rows = (p - y).masked_fill(~kept.unsqueeze(-1), 0.0)
    return rows / kept.sum()
    ### END SOLUTION


def embedding(weight: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    """Give row `ids[...]` of the table for each id.

    `weight` [V, D], `ids` [...] int64 → [..., D], dtype of `weight`. The same as one-hot rows
    times `weight`. Raises ValueError for an id outside 0 … V-1. Source: Bengio et al. (2003).
    """
    bad = ids[(ids < 0) | (ids >= len(weight))]
    if len(bad):
        raise ValueError(f"id {int(bad[0])} is outside 0 … {len(weight) - 1}")
    ### BEGIN SOLUTION
    return weight[ids]
    ### END SOLUTION


def embedding_grad(ids: torch.Tensor, grad: torch.Tensor, vocab_size: int) -> torch.Tensor:
    """Give the gradient of the loss to the table, from its gradient to the rows looked up.

    `ids` [...] int64, `grad` [..., D] (to the result of `embedding`) → [V, D], V = `vocab_size`,
    dtype of `grad`. An id that occurs several times gets the sum, one that does not occur gets 0.
    Raises ValueError when the shapes do not fit.
    """
    if grad.shape[:-1] != ids.shape:
        raise ValueError(f"grad {tuple(grad.shape)} for ids {tuple(ids.shape)}")
    ### BEGIN SOLUTION
    rows = grad.reshape(-1, grad.shape[-1])  # (N, D)
    total = grad.new_zeros(vocab_size, grad.shape[-1])  # (V, D)
    return total.index_add(0, ids.reshape(-1), rows)
    ### END SOLUTION


def perplexity(loss: float) -> float:
    """Give exp(loss) for a mean loss in nats per token: the number of equally likely tokens.

    Source: Jelinek et al. (1977).
    """
    ### BEGIN SOLUTION
    try:
        return math.exp(loss)
    except OverflowError:
        return math.inf
    ### END SOLUTION


def bits_per_byte(loss: float, n_tokens: int, n_bytes: int) -> float:
    """Give the bits that a text costs for each of its bytes.

    `loss` is the mean in nats over the `n_tokens` tokens that were predicted, and `n_bytes` the
    length of the text they stand for, in UTF-8. Raises ValueError when `n_bytes` is not positive.
    """
    if n_bytes <= 0:
        raise ValueError(f"n_bytes is {n_bytes}; a text without bytes has no bits per byte")
    ### BEGIN SOLUTION
    return loss * n_tokens / (math.log(2) * n_bytes)
    ### END SOLUTION
