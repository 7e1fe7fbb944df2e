"""minillm.gpt has the logits of `transformers`' GPT-2 and Llama when they have its weights."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

MODULES = {name: f"minillm.{name}" for name in ("config", "gpt")}
V, S = 29, 13


def model_of(ref: Any, **fields: Any) -> Any:
    model = ref.gpt.MiniGPT(ref.config.GPTConfig(**{
        "vocab_size": V, "block_size": S, "n_layer": 3, "d_model": 24, "dropout": 0.0} | fields))
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():  # gains and offsets that are neither 1 nor 0
        for p in model.parameters():
            p += 0.2 * torch.randn(p.shape, generator=generator)
    return model.eval()


def some_ids() -> torch.Tensor:
    return torch.randint(V, (3, 11), generator=torch.Generator().manual_seed(0))


def close(a: torch.Tensor, b: torch.Tensor) -> None:
    """Equal within 1e-5 of the size of what is compared."""
    assert a.shape == b.shape
    assert (a - b).abs().max() <= 1e-5 * b.abs().max(), (a - b).abs().max()


def test_equal_to_gpt2(ref: SimpleNamespace) -> None:
    from transformers import GPT2Config, GPT2LMHeadModel
    model = model_of(ref)
    theirs = GPT2LMHeadModel(GPT2Config(
        vocab_size=V, n_positions=S, n_embd=24, n_layer=3, n_head=4, activation_function="gelu",
        bos_token_id=0, eos_token_id=0)).eval()
    state = {"wte.weight": model.embed.weight, "wpe.weight": model.positions.table.weight}
    for name, part in (("ln_f", model.final_norm), *(
            (f"h.{i}.{n}", getattr(b, m)) for i, b in enumerate(model.blocks)
            for n, m in (("ln_1", "attn_norm"), ("ln_2", "ffn_norm")))):
        state |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
    for i, b in enumerate(model.blocks):
        at = b.attn
        for name, parts in (("attn.c_attn", (at.q_proj, at.k_proj, at.v_proj)),
                            ("attn.c_proj", (at.out_proj,)), ("mlp.c_fc", (b.ffn.up_proj,)),
                            ("mlp.c_proj", (b.ffn.down_proj,))):
            state[f"h.{i}.{name}.weight"] = torch.cat([p.weight for p in parts]).T  # a Conv1D
            state[f"h.{i}.{name}.bias"] = torch.cat([p.bias for p in parts])
    state = {f"transformer.{n}": p.detach() for n, p in state.items()}
    missing, unexpected = theirs.load_state_dict(state, strict=False)
    assert not unexpected and missing in ([], ["lm_head.weight"])
    close(model(some_ids())[0], theirs(some_ids()).logits)


def halves(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of each head reordered: the first members of all pairs, then the second ones."""
    rows = weight.unflatten(0, (heads, -1))
    return torch.cat([rows[:, 0::2], rows[:, 1::2]], 1).flatten(0, 1)


@pytest.mark.parametrize("kv", [4, 2, 1])
def test_equal_to_llama(ref: SimpleNamespace, kv: int) -> None:
    from transformers import LlamaConfig, LlamaForCausalLM
    model = model_of(ref, n_kv_head=kv, norm="rmsnorm", position="rope", ffn="swiglu", bias=False,
                     d_ff=40, tie_weights=False)
    theirs = LlamaForCausalLM(LlamaConfig(
        vocab_size=V, hidden_size=24, intermediate_size=40, num_hidden_layers=3,
        num_attention_heads=4, num_key_value_heads=kv, max_position_embeddings=S, rms_norm_eps=1e-6,
        tie_word_embeddings=False, bos_token_id=0, eos_token_id=0)).eval()
    state = {"model.embed_tokens": model.embed.weight, "model.norm": model.final_norm.weight,
             "lm_head": model.head.weight}
    for i, b in enumerate(model.blocks):
        at, ffn = b.attn, b.ffn
        parts = {
            "self_attn.q_proj": halves(at.q_proj.weight, 4),
            "self_attn.k_proj": halves(at.k_proj.weight, kv), "self_attn.v_proj": at.v_proj.weight,
            "self_attn.o_proj": at.out_proj.weight, "mlp.gate_proj": ffn.gate_proj.weight,
            "mlp.up_proj": ffn.up_proj.weight, "mlp.down_proj": ffn.down_proj.weight,
            "input_layernorm": b.attn_norm.weight, "post_attention_layernorm": b.ffn_norm.weight}
        state |= {f"model.layers.{i}.{n}": p for n, p in parts.items()}
    theirs.load_state_dict({f"{n}.weight": p.detach() for n, p in state.items()})
    close(model(some_ids())[0], theirs(some_ids()).logits)
