"""Right answers to CausalSelfAttention in other styles."""

import math
from typing import Any

import torch

from ...mistakes import reference
from .. import Alternative, add, alternative, alternative_edit

LAYER = "attention.CausalSelfAttention"
_, SOURCE = reference(LAYER)
BEGIN, END = SOURCE.index("        k, v = repeat_kv("), SOURCE.index("        y: torch.Tensor")
GATHER = SOURCE[BEGIN:END]  # from the repeat to the merged heads

alternative_edit(LAYER, "torch_attention", GATHER, """\
        rate = self.config.dropout if self.training else 0.0
        out = torch.nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=rate, enable_gqa=True)
        out = out.transpose(1, 2).flatten(2)
""")
alternative_edit(LAYER, "grouped", GATHER, """\
        group = q.unflatten(1, (Hkv, -1))  # (B, Hkv, n_rep, T, Dh)
        scores = torch.einsum("bgntd,bgsd->bgnts", group, k) / math.sqrt(k.shape[-1])
        weights = self.dropout(scores.masked_fill(~mask, -torch.inf).softmax(-1))
        out = torch.einsum("bgnts,bgsd->bgntd", weights, v).flatten(1, 2)
        out = torch.cat(list(out.unbind(1)), -1)
""")
alternative_edit(LAYER, "head_by_head", GATHER, """\
        heads = []
        for h in range(H):
            key, value = k[:, h * Hkv // H], v[:, h * Hkv // H]
            _, weights = scaled_dot_product_attention(q[:, h], key, value, mask)
            heads.append(self.dropout(weights) @ value)
        out = torch.cat(heads, -1)
""")
alternative_edit(LAYER, "additive_mask", GATHER, """\
        k, v = (z.repeat_interleave(H // Hkv, 1) for z in (k, v))
        bias = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(mask.logical_not(), -1e30)
        p = torch.softmax(q @ k.mT * k.size(-1) ** -0.5 + bias, dim=-1)
        out = (self.dropout(p) @ v).permute(0, 2, 1, 3).contiguous().view(x.shape)
""")
alternative_edit(LAYER, "module_list", "self.q_proj = torch.nn.Linear(D, H * Dh, bias=config.bias)",
                 "self.add_module('q_proj', torch.nn.Linear(D, D, config.bias))")
alternative_edit(LAYER, "own_dropout", GATHER, """\
        k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        p = self.config.dropout
        if self.training and p > 0:
            weights = weights * (torch.rand_like(weights) >= p) / (1 - p)
        out = merge_heads(weights @ v)
""")
alternative_edit(LAYER, "query_by_query", GATHER, """\
        k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)
        rows, past = [], k.size(2) - T
        for t in range(T):
            seen = past + t + 1
            scores = torch.einsum("bhd,bhsd->bhs", q[:, :, t], k[:, :, :seen])
            weights = self.dropout(scores.div(q.size(-1) ** 0.5).softmax(-1))
            rows.append(torch.einsum("bhs,bhsd->bhd", weights, v[:, :, :seen]))
        out = merge_heads(torch.stack(rows, 2))
""")
alternative_edit(LAYER, "dropout_on_ones", GATHER, """\
        k, v = repeat_kv(k, H // Hkv), repeat_kv(v, H // Hkv)
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        if self.training:
            out = torch.matmul(weights * self.dropout(torch.ones_like(weights)), v)
        out = merge_heads(out)
""")


@alternative(LAYER)
class WithoutHelpers(torch.nn.Module):
    def __init__(self, config: Any) -> None:
        torch.nn.Module.__init__(self)
        self.c = config
        width = config.d_model // config.n_head
        kv = (config.n_kv_head or config.n_head) * width
        self.q_proj = torch.nn.Linear(config.d_model, config.d_model, bias=config.bias)
        self.k_proj = torch.nn.Linear(config.d_model, kv, bias=config.bias)
        self.v_proj = torch.nn.Linear(config.d_model, kv, bias=config.bias)
        self.out_proj = torch.nn.Linear(config.d_model, config.d_model, bias=config.bias)

    def forward(self, x: torch.Tensor, cache: Any = None, layer: int = 0) -> torch.Tensor:
        B, T, D = x.shape
        Dh = D // self.c.n_head
        q = self.q_proj(x).view(B, T, -1, Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, -1, Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, -1, Dh).transpose(1, 2)
        if cache is not None:
            k, v = cache.update(layer, k, v)
        S, n_rep = k.size(2), q.size(1) // k.size(1)
        scores = q @ k.repeat_interleave(n_rep, 1).transpose(-1, -2) / math.sqrt(Dh)
        late = torch.arange(S) > torch.arange(S - T, S)[:, None]
        p = torch.softmax(scores.masked_fill(late, float("-inf")), dim=-1)
        p = torch.nn.functional.dropout(p, self.c.dropout, self.training)
        y = (p @ v.repeat_interleave(n_rep, 1)).transpose(1, 2).reshape(B, T, D)
        return torch.nn.functional.dropout(self.out_proj(y), self.c.dropout, self.training)


def fused() -> None:
    """One matrix product for queries, keys and values together."""
    module, source = reference(LAYER)
    first, last = source.index("        q = split_heads"), source.index("        if self.config.qk")
    source = source[:first] + """\
        layers = (self.q_proj, self.k_proj, self.v_proj)
        weight = torch.cat([layer.weight for layer in layers])
        whole = x @ weight.T
        if self.config.bias:
            whole = whole + torch.cat([layer.bias for layer in layers])
        q, k, v = whole.split([layer.out_features for layer in layers], -1)
        q, k, v = split_heads(q, H), split_heads(k, Hkv), split_heads(v, Hkv)
""" + source[last:]
    space = dict(vars(module))
    exec(compile(source, "<fused>", "exec"), space)
    add(LAYER, Alternative("fused", space["CausalSelfAttention"], source))


fused()
