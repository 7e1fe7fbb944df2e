"""Right answers to cross_entropy and its gradient in other styles."""

import torch

from .. import alternative

LOSS, GRAD = "functional.cross_entropy", "functional.cross_entropy_grad"


@alternative(LOSS)
def with_view(logits: torch.Tensor, targets: torch.Tensor,
              ignore_index: int = -100) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(
        logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=ignore_index)


@alternative(LOSS)
def flattened_built_in(logits: torch.Tensor, targets: torch.Tensor,
                       ignore_index: int = -100) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=ignore_index)


@alternative(LOSS)
def where_kept(logits: torch.Tensor, targets: torch.Tensor,
               ignore_index: int = -100) -> torch.Tensor:
    keep = targets.ne(ignore_index)
    index = torch.where(keep, targets, torch.zeros_like(targets))
    log_p = torch.log_softmax(logits, dim=-1).gather(-1, index[..., None])[..., 0]
    return -(log_p * keep).sum() / keep.sum()


@alternative(LOSS)
def token_by_token(logits: torch.Tensor, targets: torch.Tensor,
                   ignore_index: int = -100) -> torch.Tensor:
    rows = logits.reshape(-1, logits.shape[-1])
    losses = []
    for n, y in enumerate(targets.flatten().tolist()):
        z = rows[n]
        if y != ignore_index:
            m = z.max()
            losses.append(m + torch.log(torch.exp(z - m).sum()) - z[y])
    return sum(losses[1:], losses[0]) / len(losses)


@alternative(LOSS)
def fancy_index(logits: torch.Tensor, targets: torch.Tensor,
                ignore_index: int = -100) -> torch.Tensor:
    z, y = logits.flatten(0, -2), targets.flatten()
    z, y = z[y != ignore_index], y[y != ignore_index]
    log_p = z - z.logsumexp(1, keepdim=True)
    return -log_p[torch.arange(len(y)), y].mean()


@alternative(LOSS)
def one_hot_times_log(logits: torch.Tensor, targets: torch.Tensor,
                      ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    y = torch.nn.functional.one_hot(targets[kept], logits.shape[-1])
    return -(y * torch.log_softmax(logits[kept], -1)).sum(-1).mean()


@alternative(LOSS)
def one_hot_by_where(logits: torch.Tensor, targets: torch.Tensor,
                     ignore_index: int = -100) -> torch.Tensor:
    classes = torch.arange(logits.shape[-1])
    is_target = (targets[..., None] == classes) & (targets != ignore_index)[..., None]
    log_p = torch.log_softmax(logits, -1)
    return -torch.where(is_target, log_p, 0.0).sum() / (targets != ignore_index).sum()


@alternative(LOSS)
def nll_of_log_softmax(logits: torch.Tensor, targets: torch.Tensor,
                       ignore_index: int = -100) -> torch.Tensor:
    log_p = torch.log_softmax(logits, -1).flatten(end_dim=-2)
    return torch.nn.functional.nll_loss(log_p, targets.flatten(), ignore_index=ignore_index)


@alternative(LOSS)
def classes_in_dimension_one(logits: torch.Tensor, targets: torch.Tensor,
                             ignore_index: int = -100) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(
        logits if logits.dim() == 2 else logits.movedim(-1, 1), targets, ignore_index=ignore_index)


@alternative(GRAD)
def one_hot_and_clamp(logits: torch.Tensor, targets: torch.Tensor,
                      ignore_index: int = -100) -> torch.Tensor:
    keep = (targets != ignore_index).unsqueeze(-1).to(logits.dtype)
    y = torch.nn.functional.one_hot(targets.clamp(min=0), logits.shape[-1])
    return (torch.softmax(logits, -1) - y) * keep / keep.sum()


@alternative(GRAD)
def grad_token_by_token(logits: torch.Tensor, targets: torch.Tensor,
                        ignore_index: int = -100) -> torch.Tensor:
    rows = logits.reshape(-1, logits.shape[-1])
    out = torch.zeros_like(rows)
    count = 0
    for n, y in enumerate(targets.reshape(-1).tolist()):
        if y == ignore_index:
            continue
        out[n] = torch.softmax(rows[n], 0)
        out[n, y] -= 1
        count += 1
    return (out / count).reshape(logits.shape)


@alternative(GRAD)
def comparison_one_hot(logits: torch.Tensor, targets: torch.Tensor,
                       ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    e = torch.exp(logits - logits.amax(-1, keepdim=True))
    p = e / e.sum(-1, keepdim=True)
    grad = p - (targets.unsqueeze(-1) == torch.arange(logits.shape[-1])).to(p)
    grad[~kept] = 0
    return grad / kept.sum()


@alternative(GRAD)
def minus_one_in_place(logits: torch.Tensor, targets: torch.Tensor,
                       ignore_index: int = -100) -> torch.Tensor:
    kept = targets != ignore_index
    grad = torch.zeros_like(logits)
    p = torch.log_softmax(logits[kept], -1).exp()
    p[torch.arange(len(p)), targets[kept]] -= 1.0
    grad[kept] = p / len(p)
    return grad
