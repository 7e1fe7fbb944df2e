"""Right answers to split_heads, merge_heads and repeat_kv in other styles."""

import torch

from .. import alternative, alternative_edit

SPLIT, MERGE = "attention.split_heads", "attention.merge_heads"
REPEAT = "attention.repeat_kv"


@alternative(SPLIT)
def chunks(x: torch.Tensor, n_head: int) -> torch.Tensor:
    return torch.stack(x.chunk(n_head, dim=-1), dim=1)


@alternative(SPLIT)
def unflattened(x: torch.Tensor, n_head: int) -> torch.Tensor:
    return torch.unflatten(x, -1, (n_head, -1)).permute(0, 2, 1, 3)


@alternative(SPLIT)
def slices(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    assert D % n_head == 0
    Dh = D // n_head
    out = x.new_zeros(B, n_head, T, Dh)
    for h in range(n_head):
        out[:, h] = x[:, :, h * Dh:(h + 1) * Dh]
    return out


@alternative(SPLIT)
def einsum(x: torch.Tensor, n_head: int) -> torch.Tensor:
    cut = x.reshape(*x.shape[:2], n_head, x.size(2) // n_head)
    return torch.einsum("bthd->bhtd", cut).contiguous()


@alternative(SPLIT)
def by_columns(x: torch.Tensor, n_head: int) -> torch.Tensor:
    columns = torch.arange(x.shape[-1]).view(n_head, -1)
    return x[:, :, columns].swapaxes(1, 2)


alternative_edit(MERGE, "contiguous", "x.transpose(1, 2)", "x.transpose(1, 2).contiguous()")


@alternative(MERGE)
def contiguous_view(x: torch.Tensor) -> torch.Tensor:
    B, H, T, Dh = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * Dh)


@alternative(MERGE)
def flattened(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(1, 2).flatten(2)


@alternative(MERGE)
def joined(x: torch.Tensor) -> torch.Tensor:
    return torch.cat(x.unbind(1), dim=-1)


@alternative(MERGE)
def slices_back(x: torch.Tensor) -> torch.Tensor:
    B, H, T, Dh = x.shape
    out = torch.empty(B, T, H * Dh, dtype=x.dtype)
    for h in range(H):
        out[..., h * Dh:(h + 1) * Dh] = x[:, h]
    return out


@alternative(REPEAT)
def expanded(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    B, Hkv, S, Dh = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(B, Hkv, n_rep, S, Dh).reshape(B, Hkv * n_rep, S, Dh)


@alternative(REPEAT)
def by_index(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    head = torch.arange(x.shape[1] * n_rep) // n_rep
    return x[:, head]


@alternative(REPEAT)
def stacked(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    return torch.stack([x] * n_rep, dim=2).flatten(1, 2)


@alternative(REPEAT)
def head_by_head(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    heads = []
    for h in range(x.size(1) * n_rep):
        heads.append(x[:, h // n_rep])
    return torch.stack(heads, 1)


@alternative(REPEAT)
def kronecker(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    which = torch.eye(x.shape[1], dtype=x.dtype).repeat_interleave(n_rep, 0)
    return torch.einsum("hk,bksd->bhsd", which, x)
