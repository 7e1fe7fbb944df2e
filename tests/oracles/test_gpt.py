"""minillm.gpt against a float64 model of torch's own functions, and what its structure promises."""

import math
from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import torch.nn.functional as K

MODULES = {name: f"minillm.{name}" for name in (
    "config", "fast", "gpt", "kv_cache", "norms", "sampling")}
NORMS, FFNS = ("layernorm", "rmsnorm"), ("gelu", "swiglu", "moe")
POSITIONS = ("learned", "sinusoidal", "rope", "none")
V, S = 29, 13


@pytest.fixture(scope="module", autouse=True)
def float64() -> Iterator[None]:
    """By default, before the reference is loaded: tables of angles are made in it."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def config(ref: Any, **fields: Any) -> Any:
    small = {"vocab_size": V, "block_size": S, "n_layer": 3, "n_head": 4, "d_model": 24,
             "dropout": 0.0, "n_expert": 3}
    return ref.config.GPTConfig(**small | fields)


def model_of(ref: Any, **fields: Any) -> Any:
    model = ref.gpt.MiniGPT(config(ref, **fields), torch.Generator().manual_seed(1))
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():  # gains and offsets that are neither 1 nor 0
        for p in model.parameters():
            p += 0.2 * torch.randn(p.shape, generator=generator)
    return model


def some_ids(rows: int = 3, length: int = 11, seed: int = 0) -> torch.Tensor:
    return torch.randint(V, (rows, length), generator=torch.Generator().manual_seed(seed))


# an oracle: the formulas with torch's functions, from the names of the weights alone

def linear(w: dict[str, torch.Tensor], name: str, x: torch.Tensor) -> torch.Tensor:
    return K.linear(x, w[f"{name}.weight"], w.get(f"{name}.bias"))


def normed(w: dict[str, torch.Tensor], name: str, x: torch.Tensor, kind: str) -> torch.Tensor:
    if kind == "rmsnorm":
        return K.rms_norm(x, x.shape[-1:], w[f"{name}.weight"], 1e-6)
    return K.layer_norm(x, x.shape[-1:], w[f"{name}.weight"], w.get(f"{name}.bias"), 1e-5)


def turned(x: torch.Tensor) -> torch.Tensor:
    """RoPE by one rotation matrix for each position and pair."""
    T, Dh = x.shape[-2:]
    out = x.clone()
    for m, i in product(range(T), range(Dh // 2)):
        a = m * 10000 ** (-2 * i / Dh)
        R = torch.tensor([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
        out[..., m, 2 * i : 2 * i + 2] = x[..., m, 2 * i : 2 * i + 2] @ R.T
    return out


def oracle(model: Any, ids: torch.Tensor) -> torch.Tensor:
    c, w = model.config, {n: p.detach() for n, p in model.state_dict().items()}
    x, T = w["embed.weight"][ids], ids.shape[1]
    if c.position == "learned":
        x = x + w["positions.table.weight"][:T]
    if c.position == "sinusoidal":
        place, column = torch.arange(T)[:, None], torch.arange(c.d_model)
        angle = place / 10000 ** ((column - column % 2) / c.d_model)
        x = x + torch.where(column % 2 == 0, angle.sin(), angle.cos())
    for i in range(c.n_layer):
        at, ff = f"blocks.{i}.attn", f"blocks.{i}.ffn"
        h = normed(w, f"{at}_norm", x, c.norm)
        q, k, v = (linear(w, f"{at}.{n}_proj", h).unflatten(-1, (-1, c.head_width)).transpose(1, 2)
                   for n in "qkv")
        if c.qk_norm:
            q, k = (normed(w, f"{at}.{n}_norm", z, "rmsnorm") for n, z in (("q", q), ("k", k)))
        if c.position == "rope":
            q, k = turned(q), turned(k)
        out = K.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + linear(w, f"{at}.out_proj", out.transpose(1, 2).flatten(2))
        h = normed(w, f"{ff}_norm", x, c.norm)
        if c.ffn == "gelu":
            x = x + linear(w, f"{ff}.down_proj", K.gelu(linear(w, f"{ff}.up_proj", h)))
            continue
        experts = [ff] if c.ffn == "swiglu" else [f"{ff}.experts.{e}" for e in range(c.n_expert)]
        outs = [linear(w, f"{e}.down_proj", K.silu(linear(w, f"{e}.gate_proj", h))
                       * linear(w, f"{e}.up_proj", h)) for e in experts]
        share = torch.ones(*ids.shape, 1)
        if c.ffn == "moe":
            p = linear(w, f"{ff}.router", h).softmax(-1)
            share = p.where(p >= p.topk(c.top_k).values[..., -1:], torch.zeros(()))
            share = share / share.sum(-1, keepdim=True)
        x = x + sum(share[..., e, None] * out for e, out in enumerate(outs))
    return normed(w, "final_norm", x, c.norm) @ w["head.weight"].T


KINDS = [{"norm": n, "position": p, "ffn": f} for n, p, f in product(NORMS, POSITIONS, FFNS)]
VARIANTS = [*KINDS, {"bias": False, "tie_weights": False}, {"n_kv_head": 2, "qk_norm": True},
            {"n_kv_head": 1, "position": "rope", "norm": "rmsnorm", "ffn": "swiglu",
             "qk_norm": True, "bias": False}]


@pytest.mark.parametrize("fields", VARIANTS, ids=str)
def test_logits_are_those_of_the_formulas(ref: SimpleNamespace, fields: dict[str, Any]) -> None:
    model, ids = model_of(ref, **fields), some_ids()
    logits, loss = model(ids, ids.roll(-1, 1))
    wanted = oracle(model, ids)
    torch.testing.assert_close(logits, wanted, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(
        loss, K.cross_entropy(wanted.flatten(0, 1), ids.roll(-1, 1).flatten()))
    assert model(ids)[1] is None


@pytest.mark.parametrize("fields", VARIANTS, ids=str)
def test_the_table_counts_the_parameters(ref: SimpleNamespace, fields: dict[str, Any]) -> None:
    model = model_of(ref, **fields)
    count = sum(p.numel() for p in model.parameters())
    assert sum(ref.gpt.parameter_table(model.config).values()) == count
    block = sum(p.numel() for p in model.blocks[0].parameters())
    assert sum(ref.gpt.block_table(model.config).values()) == block


def test_the_rows_of_the_source_note(ref: SimpleNamespace) -> None:
    note = ref.config.GPTConfig(vocab_size=4000)
    table = ref.gpt.parameter_table(note)
    assert list(table.values()) == [512_000, 32_768, 4 * 49_536, 4 * 16_512, 4 * 66_048,
                                    4 * 65_664, 4 * 512, 256, 0]
    assert sum(table.values()) == 1_338_112
    large = ref.config.GPTConfig(vocab_size=4000, n_layer=6, n_head=6, d_model=192)
    assert sum(ref.gpt.parameter_table(large).values()) == pytest.approx(3.49e6, rel=2e-3)


@pytest.mark.parametrize("fields", VARIANTS, ids=str)
def test_the_cache_and_the_fast_kernels_change_nothing(
        ref: SimpleNamespace, fields: dict[str, Any]) -> None:
    model, ids = model_of(ref, **fields), some_ids()
    full, loss = model(ids, ids)
    quick = ref.fast.FastGPT(model)
    fast, fast_loss = quick(ids, ids)
    torch.testing.assert_close(fast, full, rtol=1e-10, atol=1e-10)
    for a, b in zip(*(torch.autograd.grad(value, list(model.parameters()), allow_unused=True)
                      for value in (loss, fast_loss)), strict=True):
        if a is not None:
            torch.testing.assert_close(b, a, rtol=1e-9, atol=1e-10)
    c = model.config
    for runner in (model, quick):
        cache = ref.kv_cache.KVCache(c.n_layer, 3, c.kv_heads, S, c.head_width)
        with torch.no_grad():
            parts = [runner(piece, cache=cache)[0] for piece in ids.split([4, 3, 1, 1, 1, 1], 1)]
        torch.testing.assert_close(torch.cat(parts, 1), full, rtol=1e-10, atol=1e-10)
        assert cache.length == ids.shape[1]


def test_the_fast_kernels_know_a_layer_norm_of_torch(ref: SimpleNamespace) -> None:
    model, ids = model_of(ref), some_ids()
    for at, name in [(block, name) for block in model.blocks for name in ("attn_norm", "ffn_norm")]:
        norm = torch.nn.LayerNorm(model.config.d_model, dtype=torch.float64)
        norm.load_state_dict(getattr(at, name).state_dict())
        setattr(at, name, norm)
    torch.testing.assert_close(ref.fast.FastGPT(model)(ids)[0], model(ids)[0])


@pytest.mark.parametrize("position", POSITIONS)
def test_generation_with_and_without_cache(ref: SimpleNamespace, position: str) -> None:
    model = model_of(ref, position=position)
    for runner, t in product((model, ref.fast.FastGPT(model)), (0, 0.8)):
        made = [ref.sampling.generate(runner, some_ids(2, 3), 18, t=t, k=7, use_cache=cached,
                                      generator=torch.Generator().manual_seed(3))
                for cached in (True, False)]
        assert made[0].shape == (2, 21)  # beyond the 13 positions: the window moves on
        assert torch.equal(*made)
        assert model.training


def test_weights_changed_in_place_are_seen_by_the_fast_kernels(ref: SimpleNamespace) -> None:
    model, ids = model_of(ref, ffn="swiglu"), some_ids()
    quick = ref.fast.FastGPT(model)
    with torch.no_grad():
        quick(ids)
        for p in model.parameters():
            p.mul_(0.9)
        torch.testing.assert_close(quick(ids)[0], model(ids)[0], rtol=1e-10, atol=1e-10)
    model(ids, ids)[1].backward()
    torch.optim.AdamW(model.parameters(), lr=0.1, fused=True).step()  # counts no change in place
    with torch.no_grad():
        torch.testing.assert_close(quick(ids)[0], model(ids)[0], rtol=1e-10, atol=1e-10)


# what the loss does not show

def test_attention_gets_past_a_silent_feed_forward(ref: SimpleNamespace) -> None:
    block = model_of(ref).blocks[0]
    with torch.no_grad():
        block.ffn.down_proj.weight.zero_()
        block.ffn.down_proj.bias.zero_()
    x = torch.randn(2, 5, 24, generator=torch.Generator().manual_seed(4))
    torch.testing.assert_close(block(x), x + block.attn(block.attn_norm(x)))
    with torch.no_grad():
        block.attn.out_proj.weight.zero_()
        block.attn.out_proj.bias.zero_()
    assert torch.equal(block(x), x)  # the line itself goes through no norm


@pytest.mark.parametrize("position", POSITIONS)
def test_the_future_changes_nothing(ref: SimpleNamespace, position: str) -> None:
    model, ids = model_of(ref, position=position), some_ids()
    other = ids.clone()
    other[:, 6:] = (other[:, 6:] + 1) % V
    a, b = model(ids)[0], model(other)[0]
    assert torch.equal(a[:, :6], b[:, :6])
    assert (a[:, 6:] != b[:, 6:]).any(-1).all()


def test_what_a_model_begins_with(ref: SimpleNamespace) -> None:
    c = config(ref, vocab_size=500, n_layer=8, d_model=64, block_size=64)
    model = ref.gpt.MiniGPT(c, torch.Generator().manual_seed(0))
    assert model.head.weight is model.embed.weight
    small = [n for n, p in model.named_parameters()
             if p.dim() == 2 and abs(p.std() / (0.02 / 4) - 1) < 0.1]  # √(2 · 8) = 4
    assert small == [f"blocks.{i}.{n}.weight" for i in range(8)
                     for n in ("attn.out_proj", "ffn.down_proj")]
    others = [p for n, p in model.named_parameters() if p.dim() == 2 and n not in small]
    assert all(abs(p.std() / 0.02 - 1) < 0.1 for p in others)
    ids = torch.randint(500, (4, 64), generator=torch.Generator().manual_seed(5))
    assert model(ids, ids.roll(-1, 1))[1].item() == pytest.approx(math.log(500), abs=0.1)
    again = ref.gpt.MiniGPT(c, torch.Generator().manual_seed(0))
    assert all(torch.equal(a, b)
               for a, b in zip(model.parameters(), again.parameters(), strict=True))


@pytest.mark.parametrize("fields", [k for k in KINDS if k["ffn"] != "moe"][::3], ids=str)
def test_every_parameter_learns(ref: SimpleNamespace, fields: dict[str, Any]) -> None:
    model = model_of(ref, **fields)
    ids = some_ids(8)
    model(ids, ids.roll(-1, 1))[1].backward()
    assert [n for n, p in model.named_parameters() if p.grad is None or not p.grad.any()] == []


def test_dropout_is_active_in_training_alone(ref: SimpleNamespace) -> None:
    model, ids = model_of(ref, dropout=0.5), some_ids()
    for runner in (model, ref.fast.FastGPT(model)):
        assert not torch.equal(runner(ids)[0], runner(ids)[0])
        runner.eval()
        torch.testing.assert_close(runner(ids)[0], oracle(model, ids), rtol=1e-9, atol=1e-9)
        runner.train()


@pytest.mark.parametrize("position", POSITIONS)
def test_too_many_positions_are_refused(ref: SimpleNamespace, position: str) -> None:
    model = model_of(ref, position=position)
    c = model.config
    for runner in (model, ref.fast.FastGPT(model)):
        with pytest.raises(ValueError, match="13"):
            runner(some_ids(1, S + 1))
        cache = ref.kv_cache.KVCache(c.n_layer, 1, c.kv_heads, S + 5, c.head_width)
        with torch.no_grad():
            runner(some_ids(1, S), cache=cache)
            with pytest.raises(ValueError, match="13"):
                runner(some_ids(1, 1), cache=cache)
    with pytest.raises(ValueError, match=r"\(13,\)"):
        model(torch.arange(S))
