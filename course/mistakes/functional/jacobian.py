"""Known wrong answers: the Jacobian of softmax, and the product with it."""

import torch

from .. import edit, mistake

JACOBIAN = "functional.softmax_jacobian"


@mistake(JACOBIAN, "every sign is turned around: pᵢ grows with its own score, so the diagonal is "
         "positive.")
def sign(p: torch.Tensor) -> torch.Tensor:
    return torch.outer(p, p) - torch.diag(p)


@mistake(JACOBIAN, "off the diagonal you have 0, as if softmax worked entry by entry. The sum in "
         "the denominator holds every score.")
def elementwise(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p * (1 - p))


@mistake(JACOBIAN, "pᵢ(1 − pⱼ) is right on the diagonal only. Where i ≠ j the 1 is not there: "
         "−pᵢpⱼ.")
def outer_with_the_rest(p: torch.Tensor) -> torch.Tensor:
    return torch.outer(p, 1 - p)


@mistake(JACOBIAN, "off the diagonal the sign is wrong: what one class gains the others lose. Each "
         "row sums to 0.")
def all_positive(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p) + torch.outer(p, p) - 2 * torch.diag(p * p)


@mistake(JACOBIAN, "diag(p) and ppᵀ are to be subtracted, not added. Each row sums to 0.")
def added(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p) + torch.outer(p, p)


@mistake(JACOBIAN, "this is diag(p), the derivative of the numerators alone. The denominator "
         "brings −ppᵀ.")
def diagonal_only(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p)


@mistake(JACOBIAN, "the numerators bring diag(p), not the identity: pᵢ answers to its own score "
         "with pᵢ(1 − pᵢ).")
def identity(p: torch.Tensor) -> torch.Tensor:
    return torch.eye(len(p), dtype=p.dtype) - torch.outer(p, p)


@mistake(JACOBIAN, "this is −ppᵀ, the part of the denominator alone. The numerators bring diag(p).")
def product_only(p: torch.Tensor) -> torch.Tensor:
    return -torch.outer(p, p)


@mistake(JACOBIAN, "`p` is taken for scores: it is softmaxed once more. It holds the probabilities "
         "already.")
def softmax_again(p: torch.Tensor) -> torch.Tensor:
    q = torch.softmax(p, 0)
    return torch.diag(q) - torch.outer(q, q)


@mistake(JACOBIAN, "every row holds p − p², with nothing that tells the rows apart: `p` is "
         "broadcast instead of put on the diagonal.")
def no_diag(p: torch.Tensor) -> torch.Tensor:
    return p - torch.outer(p, p)


@mistake(JACOBIAN, "−pᵢ² stands on the diagonal twice: the outer product has it already, so "
         "diag(p) is what it needs, and not diag(p(1 − p)).")
def square_twice(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p * (1 - p)) - torch.outer(p, p)


@mistake(JACOBIAN, "this is diag(p) minus the number Σp², a dot product. The outer product is a "
         "matrix, [n, n].")
def inner(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p) - p @ p


@mistake(JACOBIAN, "pᵢpⱼ is needed for every pair, and p * p has pᵢ² alone, the same in each row. "
         "The outer product is a matrix, [n, n].")
def squares_in_every_row(p: torch.Tensor) -> torch.Tensor:
    return torch.diag(p) - p * p


@mistake(JACOBIAN, "p(1 − p) is the diagonal of J, n numbers. J has a number for each pair of "
         "classes, [n, n].")
def diagonal_as_a_vector(p: torch.Tensor) -> torch.Tensor:
    return p * (1 - p)


@mistake(JACOBIAN, "J comes in another dtype than `p`: torch.eye(n) and torch.zeros(n) are float32 "
         "unless told otherwise, or something was cast.")
def always_float32(p: torch.Tensor) -> torch.Tensor:
    return (torch.diag(p) - torch.outer(p, p)).float()


VJP = "functional.softmax_vjp"


@mistake(VJP, "you left out the sum. Every score moves every probability: subtract the row's "
         "Σ p·grad from grad first.")
def drops_the_sum(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * grad


@mistake(VJP, "the plain mean of grad is subtracted. The number that belongs there is weighted "
         "with p: Σ p·grad.")
def plain_mean(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - grad.mean(dim, keepdim=True))


@mistake(VJP, "p(1 − p)·grad is the rule of an elementwise function such as sigmoid. It uses the "
         "diagonal of J only.")
def elementwise_rule(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (1 - p) * grad


@mistake(VJP, "all rows share one sum. Give the sum `dim`, so that each row has its own.")
def sum_over_everything(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).sum())


edit(VJP, "no_keepdim", "sum(dim, keepdim=True)", "sum(dim)",
     "the row's sum has lost its dimension and no longer lines up with its row. keepdim=True "
     "keeps it at size 1.", raises=True)


@mistake(VJP, "p·Σ p·grad lacks the part with grad itself: pᵢ·gᵢ minus that.")
def sum_only(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return -p * (p * grad).sum(dim, keepdim=True)


@mistake(VJP, "the sum is added where it is to be subtracted: the off-diagonal entries of J are "
         "negative.")
def sum_added(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad + (p * grad).sum(dim, keepdim=True))


@mistake(VJP, "the sign is turned around: (Σ p·grad − grad) instead of (grad − Σ p·grad).")
def turned_around(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * ((p * grad).sum(dim, keepdim=True) - grad)


@mistake(VJP, "the factor p is missing outside the bracket: a class without probability gets no "
         "gradient.")
def no_outer_factor(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return grad - (p * grad).sum(dim, keepdim=True)


@mistake(VJP, "the sum itself has to be multiplied by p as well: p·(grad − Σ p·grad), not "
         "p·grad − Σ p·grad.")
def bracket_forgotten(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * grad - (p * grad).sum(dim, keepdim=True)


@mistake(VJP, "the weighted mean of grad is right, but it is divided by the number of classes once "
         "more: p sums to 1 already, so take the sum.")
def mean_for_sum(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).mean(dim, keepdim=True))


@mistake(VJP, "the weighted sum lacks p: Σ p·grad, not Σ grad.")
def unweighted_sum(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - grad.sum(dim, keepdim=True))


@mistake(VJP, "the last dimension is used whatever `dim` says: pass it to the sum.")
def vjp_always_the_last(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).sum(-1, keepdim=True))


@mistake(VJP, "dimension 0 is used whatever `dim` says: pass `dim` to the sum.")
def vjp_always_the_first(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).sum(0, keepdim=True))


@mistake(VJP, "the sum leaves out the entry itself. In p·(grad − Σ p·grad) it runs over the whole "
         "row, and the p(1 − p) of the diagonal is in there already.")
def without_itself(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return p * (grad - (p * grad).sum(dim, keepdim=True) + p * grad)


@mistake(VJP, "grad − p·Σ grad is the product for log_softmax. For softmax p stands outside the "
         "bracket and inside the sum: p·(grad − Σ p·grad).")
def of_the_logarithm(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    return grad - p * grad.sum(dim, keepdim=True)


@mistake(VJP, "`p` is taken for scores: it is softmaxed once more. It holds the probabilities "
         "already.")
def vjp_softmax_again(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    q = torch.softmax(p, dim)
    return q * (grad - (q * grad).sum(dim, keepdim=True))


edit(VJP, "jacobian_of_all_rows", "p * (grad - mean)", "softmax_jacobian(p).T @ grad",
     "softmax_jacobian takes one row. And no J is needed: p·(grad − Σ p·grad) does all rows at "
     "once.", raises=True)


@mistake(VJP, "reshape(-1, n) cuts the numbers as they lie in memory, so its rows are rows along "
         "`dim` only when that is the last one. keepdim=True needs no reshape.")
def cut_into_rows(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    rows, grads = p.reshape(-1, p.shape[dim]), grad.reshape(-1, p.shape[dim])
    return (rows * (grads - (rows * grads).sum(-1, keepdim=True))).reshape(p.shape)


@mistake(VJP, "this goes through the whole Jacobian: a tensor with [n, n] numbers for each "
         "row. p·(grad − Σ p·grad) needs only tensors of the size of p.", raises=True)
def builds_the_jacobian(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    p, grad = p.movedim(dim, -1), grad.movedim(dim, -1)
    J = torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)
    return (J @ grad.unsqueeze(-1)).squeeze(-1).movedim(-1, dim)


@mistake(VJP, "this goes through the Jacobian of each row, in NumPy: an array with [n, n] numbers. "
         "p·(grad − Σ p·grad) needs only tensors of the size of p.", raises=True)
def builds_it_in_numpy(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    import numpy as np
    q, g = p.movedim(dim, -1).numpy(), grad.movedim(dim, -1).numpy()
    J = q[..., None] * (np.eye(q.shape[-1], dtype=q.dtype) - q[..., None, :])
    return torch.from_numpy((J @ g[..., None])[..., 0]).movedim(-1, dim)


@mistake(VJP, "this writes into `p` or `grad`, which the caller still needs: `-=` works in place. "
         "Make a new tensor.", raises=True)
def vjp_in_place(p: torch.Tensor, grad: torch.Tensor, dim: int = -1) -> torch.Tensor:
    grad -= (p * grad).sum(dim, keepdim=True)
    return p * grad
