"""Right answers to the functions of lesson 03 in `minillm.functional`, in other styles."""

import math

import torch

from .. import alternative

EMBED, GRAD = "functional.embedding", "functional.embedding_grad"
PPL, BPB = "functional.perplexity", "functional.bits_per_byte"


@alternative(EMBED)
def one_hot_times_table(weight: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    one_hot = torch.nn.functional.one_hot(ids, num_classes=weight.shape[0])
    return one_hot.to(weight.dtype) @ weight


@alternative(EMBED)
def built_in(weight: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.embedding(ids, weight)


@alternative(EMBED)
def index_select(weight: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return weight.index_select(0, ids.flatten()).view(*ids.shape, -1)


@alternative(EMBED)
def row_by_row(weight: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return torch.stack([weight[i] for i in ids.flatten().tolist()]).reshape(*ids.shape, -1)


@alternative(GRAD)
def loop(ids: torch.Tensor, grad: torch.Tensor, vocab_size: int) -> torch.Tensor:
    out = torch.zeros(vocab_size, grad.size(-1), dtype=grad.dtype)
    for i, g in zip(ids.flatten(), grad.flatten(0, -2), strict=True):
        out[i] += g
    return out


@alternative(GRAD)
def one_hot_transposed(ids: torch.Tensor, grad: torch.Tensor, vocab_size: int) -> torch.Tensor:
    one_hot = (ids.reshape(-1, 1) == torch.arange(vocab_size)).to(grad.dtype)
    return one_hot.T @ grad.reshape(one_hot.shape[0], -1)


@alternative(GRAD)
def index_put(ids: torch.Tensor, grad: torch.Tensor, vocab_size: int) -> torch.Tensor:
    out = torch.zeros((vocab_size, grad.shape[-1]), dtype=grad.dtype, device=grad.device)
    return out.index_put_((ids,), grad, accumulate=True)


@alternative(GRAD)
def by_autograd(ids: torch.Tensor, grad: torch.Tensor, vocab_size: int) -> torch.Tensor:
    table = grad.new_zeros((vocab_size, grad.shape[-1])).requires_grad_()
    return torch.autograd.grad(table[ids], table, grad)[0]


@alternative(GRAD)
def scatter_add(ids: torch.Tensor, grad: torch.Tensor, vocab_size: int) -> torch.Tensor:
    flat = grad.flatten(end_dim=-2)
    at = ids.flatten().unsqueeze(1).expand_as(flat)
    return torch.zeros(vocab_size, flat.shape[1]).to(flat).scatter_add(0, at, flat)


@alternative(GRAD)
def einsum(ids: torch.Tensor, grad: torch.Tensor, vocab_size: int) -> torch.Tensor:
    one_hot = torch.nn.functional.one_hot(ids, vocab_size).to(grad)
    return torch.einsum("...v,...d->vd", one_hot, grad)


@alternative(PPL)
def exp(loss: float) -> float:
    return math.exp(loss)


@alternative(PPL)
def power(loss: float) -> float:
    return float(math.e**loss)


@alternative(PPL)
def through_bits(loss: float) -> float:
    bits = loss / math.log(2)
    return float(2**bits)


@alternative(PPL)
def in_torch(loss: float) -> torch.Tensor:
    return torch.exp(torch.tensor(loss))


@alternative(BPB)
def nats_then_bits(loss: float, n_tokens: int, n_bytes: int) -> float:
    nats = loss * n_tokens
    bits = nats * math.log2(math.e)
    return bits / n_bytes


@alternative(BPB)
def by_bytes_of_a_token(loss: float, n_tokens: int, n_bytes: int) -> float:
    return loss / math.log(2) / (n_bytes / n_tokens)


@alternative(BPB)
def tensor(loss: float, n_tokens: int, n_bytes: int) -> torch.Tensor:
    return torch.tensor(loss * n_tokens / n_bytes) / torch.log(torch.tensor(2.0))


@alternative(BPB)
def log_of_a_perplexity(loss: float, n_tokens: int, n_bytes: int) -> float:
    return math.log2(math.exp(loss * n_tokens / n_bytes))
