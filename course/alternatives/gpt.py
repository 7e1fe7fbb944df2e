"""Right answers to the block, the model and the tables in other styles."""

from typing import Any

import torch

from minillm import attention
from minillm.gpt import Block, block_table, make_ffn, make_norm, norm_size

from . import alternative, alternative_edit

BLOCK, GPT = "gpt.Block", "gpt.MiniGPT"
TABLE, ALL = "gpt.block_table", "gpt.parameter_table"
ATTEND = "x = x + self.attn(self.attn_norm(x), cache, layer)"

alternative_edit(BLOCK, "middle_named", ATTEND, """\
h = self.attn_norm(x)
        middle = self.attn(h, cache=cache, layer=layer).add(x)
        return middle + self.ffn(self.ffn_norm(middle))""")
alternative_edit(BLOCK, "keywords", "self.attn_norm(x), cache, layer)",
                 "x=self.attn_norm(x), layer=layer, cache=cache)")
alternative_edit(BLOCK, "norms_by_hand", "self.attn_norm = make_norm(config)",
                 "self.add_module('attn_norm', make_norm(config))")


@alternative(BLOCK)
class Listed(torch.nn.Module):
    def __init__(self, config: Any) -> None:
        torch.nn.Module.__init__(self)
        self.ffn = make_ffn(config)
        self.attn = attention.CausalSelfAttention(config)
        self.attn_norm, self.ffn_norm = (make_norm(config)
                                         for _ in range(2))

    def forward(self, x: torch.Tensor, cache: Any = None, layer: int = 0) -> Any:
        for norm, part, more in ((self.attn_norm, self.attn, (cache, layer)),
                                 (self.ffn_norm, self.ffn, ())):
            x = torch.add(x, part(norm(x), *more))
        return x


alternative_edit(BLOCK, "a_list_besides", "self.ffn = make_ffn(config)", """\
self.ffn = make_ffn(config)
        self.parts = torch.nn.ModuleList([self.attn_norm, self.attn, self.ffn_norm, self.ffn])""")
alternative_edit(GPT, "blocks_with_two_names", "self.final_norm = make_norm(config)",
                 "self.layers = self.blocks\n        self.final_norm = make_norm(config)")
alternative_edit(GPT, "torch_cross_entropy", "F.cross_entropy(logits, targets)",
                 "torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.reshape(-1))")
alternative_edit(GPT, "tied_after_the_start", """\
        if config.tie_weights:
            self.head.weight = self.embed.weight
        norms.init_weights(self, config.n_layer, generator=generator)
""", """\
        norms.init_weights(self, config.n_layer, 0.02, generator)
        if config.tie_weights:
            self.embed.weight = self.head.weight
""")
alternative_edit(GPT, "head_as_a_product", "self.head(self.final_norm(x))",
                 "self.final_norm(x) @ self.head.weight.mT")
alternative_edit(GPT, "list_built_in_a_loop",
                 "self.blocks = torch.nn.ModuleList(Block(config) for _ in range(config.n_layer))",
                 """self.blocks = torch.nn.ModuleList()
        while len(self.blocks) < config.n_layer:
            self.blocks.append(Block(config))""")
alternative_edit(GPT, "early_return", """\
        loss = None if targets is None else F.cross_entropy(logits, targets)
        return logits, loss""", """\
        if targets is None:
            return logits, None
        right = F.log_softmax(logits).gather(-1, targets.clamp(min=0)[..., None]).squeeze(-1)
        return logits, -right[targets != -100].mean()""")
alternative_edit(GPT, "dropout_of_both", """\
        x = self.embed(ids)  # (B, T, D)
        if self.positions is not None:
            x = x + self.positions(ids.shape[1], start)
        x = self.dropout(x)
""", """\
        x = torch.nn.functional.embedding(ids, self.embed.weight)
        places = 0 if self.positions is None else self.positions(T=ids.size(1), start=start)
        x = self.dropout(x + places)
""")


@alternative(TABLE)
def by_counting(config: Any) -> dict[str, int]:
    block = Block(config)
    rows = {"attention q, k, v": 0, "attention output": 0, "feed-forward up": 0,
            "feed-forward down": 0, "norms": 0}
    for name, weight in block.named_parameters():
        part = ("norms" if "norm" in name else "attention output" if "out_proj" in name
                else "attention q, k, v" if "attn." in name
                else "feed-forward down" if "down_proj" in name else "feed-forward up")
        rows[part] += weight.numel()
    return rows


@alternative(TABLE)
def written_out(config: Any) -> dict[str, int]:
    D, Dh, F, b = config.d_model, config.head_width, config.hidden_width, int(config.bias)
    kv, E = config.kv_heads * Dh, config.n_expert
    up, down = D * F + b * F, F * D + b * D
    if config.ffn == "swiglu":
        up = up * 2
    elif config.ffn == "moe":
        up, down = 2 * E * up + D * E + b * E, E * down
    gains = 2 * D + (2 * D if config.norm == "layernorm" and config.bias else 0)
    return {"norms": gains + 2 * Dh * int(config.qk_norm),
            "feed-forward up": up, "feed-forward down": down,
            "attention q, k, v": (D + 2 * kv) * (D + b),
            "attention output": D * D + b * D}


alternative_edit(TABLE, "by_head", "linear_size(D, D, b) + 2 * linear_size(D, "
                 "config.kv_heads * Dh, b)",
                 "(config.n_head + 2 * config.kv_heads) * linear_size(D, Dh, b)")

alternative_edit(ALL, "dict_in_steps", "return {\"token embedding\": words, "
                 "\"position table\": places, **blocks,", "return dict([(\"position table\", "
                 "places)], **{\"token embedding\": words}) | blocks | {")


@alternative(ALL)
def summed(config: Any) -> dict[str, int]:
    rows: dict[str, int] = dict.fromkeys(block_table(config), 0)
    for _ in range(config.n_layer):
        for part, size in block_table(config).items():
            rows[part] += size
    rows["token embedding"] = rows["output head"] = config.vocab_size * config.d_model
    rows["output head"] *= not config.tie_weights
    rows["position table"] = (config.position == "learned") * config.block_size * config.d_model
    rows["final norm"] = norm_size(config)
    return rows


@alternative(ALL)
def from_modules(config: Any) -> dict[str, int]:
    def count(module: torch.nn.Module) -> int:
        return torch.nn.utils.parameters_to_vector(module.parameters()).numel()

    stack = [block_table(config)] * config.n_layer
    found = {part: sum(each[part] for each in stack) for part in stack[0]}
    found["token embedding"] = count(torch.nn.Embedding(config.vocab_size, config.d_model))
    table = torch.nn.Embedding(config.block_size, config.d_model)
    found["position table"] = count(table) if config.position == "learned" else 0
    found["final norm"] = count(make_norm(config))
    head = torch.nn.Linear(config.d_model, config.vocab_size, bias=False)
    found["output head"] = 0 if config.tie_weights else count(head)
    return found
