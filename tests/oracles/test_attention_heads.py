"""The reference of lesson 05 against things that share no code with it: torch's own attention and
MultiheadAttention, slow loops, finite differences, rotations as complex numbers."""

import importlib
import sys
from types import ModuleType
from typing import Any

import pytest
import torch
from torch.autograd import gradcheck

from course import broken

from .conftest import normal

MODULES = {"A": "minillm.attention", "C": "minillm.config", "H": "steps.heads", "S": "steps.bugs"}
HEADS = [(6, 6), (6, 3), (6, 2), (6, 1), (1, 1), (2, 1)]


def layer(ref: Any, **fields: Any) -> Any:
    torch.manual_seed(0)
    config = ref.C.GPTConfig(**{"vocab_size": 9, "d_model": 24, "dropout": 0.0} | fields)
    return ref.A.CausalSelfAttention(config).double()


def heads(x: torch.Tensor, linear: torch.nn.Linear, width: int) -> torch.Tensor:
    """Rows h·width … of the weight, one head after the other."""
    y = torch.nn.functional.linear(x, linear.weight, linear.bias)
    return torch.stack(y.split(width, dim=-1), dim=1)


def by_torch(model: Any, x: torch.Tensor, width: int) -> torch.Tensor:
    q, k, v = (heads(x, p, width) for p in (model.q_proj, model.k_proj, model.v_proj))
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    return torch.nn.functional.linear(torch.cat(out.unbind(1), -1), model.out_proj.weight,
                                      model.out_proj.bias)


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (1, 7, 2, 3), (3, 1, 5, 2), (2, 6, 1, 4)])
def test_split_and_merge_by_loops(ref: Any, shape: tuple[int, ...]) -> None:
    B, T, H, Dh = shape
    x = normal(B, T, H * Dh)
    split = ref.A.split_heads(x, H)
    assert split.shape == (B, H, T, Dh)
    for b in range(B):
        for t in range(T):
            for h in range(H):
                assert split[b, h, t].tolist() == x[b, t].tolist()[h * Dh:(h + 1) * Dh]
    assert split.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()  # nothing is copied
    assert torch.equal(ref.A.merge_heads(split), x)
    assert torch.equal(ref.A.merge_heads(split.contiguous()), x)


@pytest.mark.parametrize("n_head", [0, -2, 3, 5, 16])
def test_a_width_that_does_not_fit_is_refused(ref: Any, n_head: int) -> None:
    with pytest.raises(ValueError, match=rf"width of 8 .*{n_head} heads"):
        ref.A.split_heads(normal(2, 3, 8), n_head)


@pytest.mark.parametrize(("Hkv", "n_rep"), [(2, 3), (3, 2), (1, 4), (4, 1)])
def test_repeat_kv_by_a_loop_and_backward(ref: Any, Hkv: int, n_rep: int) -> None:
    x = normal(2, Hkv, 5, 3).requires_grad_()
    out = ref.A.repeat_kv(x, n_rep)
    for h in range(Hkv * n_rep):
        assert torch.equal(out[:, h], x[:, h // n_rep])
    assert gradcheck(lambda z: ref.A.repeat_kv(z, n_rep), x)
    grad = normal(*out.shape, seed=1)
    slow = torch.zeros(2, Hkv, 5, 3, dtype=torch.float64)
    for h in range(Hkv * n_rep):
        slow[:, h // n_rep] += grad[:, h]
    torch.testing.assert_close(ref.H.shared_gradient(grad, n_rep), slow)
    torch.testing.assert_close(torch.autograd.grad(out, x, grad)[0], slow)
    with pytest.raises(ValueError, match="n_rep = 0"):
        ref.A.repeat_kv(x, 0)


@pytest.mark.parametrize(("H", "Hkv"), HEADS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("training", [True, False])
def test_the_layer_is_torchs(ref: Any, H: int, Hkv: int, bias: bool, training: bool) -> None:
    model = layer(ref, n_head=H, n_kv_head=Hkv, bias=bias).train(training)
    for B, T in ((2, 7), (1, 1), (3, 4)):
        x = normal(B, T, 24, seed=T)
        torch.testing.assert_close(model(x), by_torch(model, x, 24 // H), rtol=0, atol=1e-12)
    assert model.float()(x.float()).dtype == torch.float32


def test_without_n_kv_head_it_is_multi_head(ref: Any) -> None:
    x, (one, other) = normal(2, 5, 24), (layer(ref, n_head=4), layer(ref, n_head=4, n_kv_head=4))
    assert torch.equal(one(x), other(x))


@pytest.mark.parametrize("H", [1, 3, 4])
def test_the_layer_is_multihead_attention(ref: Any, H: int) -> None:
    model, other = layer(ref, n_head=H), torch.nn.MultiheadAttention(24, H, batch_first=True)
    other = other.double()
    parts = (model.q_proj, model.k_proj, model.v_proj)
    other.in_proj_weight.data = torch.cat([p.weight.data for p in parts])
    other.in_proj_bias.data = torch.cat([p.bias.data for p in parts])
    other.out_proj.load_state_dict(model.out_proj.state_dict())
    x = normal(2, 6, 24)
    blocked = torch.ones(6, 6, dtype=torch.bool).triu(1)
    torch.testing.assert_close(model(x), other(x, x, x, attn_mask=blocked)[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("H", "Hkv"), [(4, 4), (4, 2), (4, 1)])
def test_derivatives_and_the_future(ref: Any, H: int, Hkv: int) -> None:
    model, x = layer(ref, n_head=H, n_kv_head=Hkv, d_model=8), normal(1, 4, 8)
    assert gradcheck(model, x.clone().requires_grad_())
    eps = 1e-6
    slopes = torch.zeros(4, 4, dtype=torch.float64)
    for s in range(4):
        for j in range(8):
            step = torch.zeros_like(x)
            step[0, s, j] = eps
            change = ((model(x + step) - model(x - step)) / (2 * eps)).abs().amax(-1)[0]
            slopes[:, s] = torch.maximum(slopes[:, s], change)
    assert slopes.triu(1).max() == 0
    torch.testing.assert_close(ref.S.reach(model, x), slopes, rtol=1e-6, atol=1e-8)


def test_dropout_changes_nothing_on_average(ref: Any) -> None:
    model, x = layer(ref, n_head=2, d_model=6, n_kv_head=1, dropout=0.3), normal(1, 4, 6)
    with torch.no_grad():
        draws = model.train()(x.expand(20_000, 4, 6))
        right = model.eval()(x)[0]
    error = draws.std(0) / 20_000**0.5
    assert ((draws.mean(0) - right).abs() < 5 * error).all()
    assert (draws == 0).double().mean().sub(0.3).abs() < 0.01  # out_proj gives no zeros of its own
    assert torch.equal(model(x), model(x))


class Joined:
    """The simplest cache: it joins what comes to what is there."""

    def __init__(self) -> None:
        self.held: dict[int, tuple[Any, Any]] = {}
        self.length = 0

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> tuple[Any, Any]:
        if layer in self.held:
            old = self.held[layer]
            k, v = torch.cat([old[0], k], 2), torch.cat([old[1], v], 2)
        self.held[layer] = k, v
        self.length = k.shape[2]
        return k, v


class Scale(torch.nn.Module):
    """Stands for RMSNorm: rows of length √Dh."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / x.square().mean(-1, keepdim=True).sqrt()


@pytest.fixture
def later(ref: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lessons 07 and 08 will write, in the fewest lines."""
    rope, norms = ModuleType("minillm.rope"), ModuleType("minillm.norms")

    def frequencies(width: int, base: float = 10000.0) -> torch.Tensor:
        return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)

    def tables(positions: torch.Tensor, freq: torch.Tensor) -> Any:
        angles = torch.outer(positions.double(), freq)
        return angles.cos(), angles.sin()

    def turn(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        width = 2 * cos.shape[-1]
        pairs = torch.view_as_complex(x[..., :width].unflatten(-1, (-1, 2)).contiguous())
        turned = torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2)
        return torch.cat([turned, x[..., width:]], -1)

    rope.__dict__.update(rope_frequencies=frequencies, rope_tables=tables, apply_rope=turn)
    norms.__dict__.update(RMSNorm=lambda width: Scale())
    package = importlib.import_module("minillm")
    for module in (rope, norms):
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(package, module.__name__.split(".")[1], module, raising=False)


@pytest.mark.parametrize("fields", [
    {"position": "rope"}, {"position": "rope", "rope_dim": 2}, {"position": "rope", "n_kv_head": 2},
    {"qk_norm": True}, {"position": "rope", "qk_norm": True, "n_kv_head": 1, "bias": False}])
def test_with_a_cache_it_is_the_same(ref: Any, later: None, fields: dict[str, Any]) -> None:
    model, x = layer(ref, n_head=4, **fields), normal(2, 6, 24)
    whole = model(x)
    plain = {"position": "learned", "qk_norm": False}
    assert not torch.allclose(layer(ref, n_head=4, **fields | plain)(x), whole)
    for sizes in ([1] * 6, [4, 2], [2, 3, 1], [6]):
        cache = Joined()
        pieces = [model(piece, cache, 0) for piece in x.split(sizes, 1)]
        torch.testing.assert_close(torch.cat(pieces, 1), whole, rtol=0, atol=1e-12)
        assert cache.held[0][0].shape == (2, model.config.kv_heads, 6, 6)


def test_rope_turns_queries_and_keys_alone(ref: Any, later: None) -> None:
    """Against rotations by complex numbers, with the first rope_dim dims of each head turned."""
    model, x = layer(ref, n_head=3, position="rope", rope_dim=4, rope_base=100.0), normal(1, 5, 24)
    q, k, v = (heads(x, p, 8).detach() for p in (model.q_proj, model.k_proj, model.v_proj))
    out = torch.zeros(1, 3, 5, 8, dtype=torch.float64)
    for h in range(3):
        for t in range(5):
            scores = []
            for s in range(t + 1):
                total = float(q[0, h, t, 4:] @ k[0, h, s, 4:])
                for i in range(2):
                    a = complex(*q[0, h, t, 2 * i:2 * i + 2].tolist())
                    b = complex(*k[0, h, s, 2 * i:2 * i + 2].tolist())
                    angle = torch.tensor((t - s) * 100.0 ** (-2 * i / 4), dtype=torch.float64)
                    total += (a * complex(angle.cos(), angle.sin()) * b.conjugate()).real
                scores.append(total / 8**0.5)
            weights = torch.tensor(scores, dtype=torch.float64).softmax(0)
            out[0, h, t] = weights @ v[0, h, :t + 1]
    expected = model.out_proj(torch.cat(out.unbind(1), -1))
    torch.testing.assert_close(model(x), expected, rtol=0, atol=1e-12)


def test_steps_against_real_tensors(ref: Any) -> None:
    H, S = ref.H, ref.S
    assert torch.zeros(2, 3, 20).view(2, 3, 4, 5).transpose(1, 2).stride() == tuple(H.strides)
    token = torch.arange(4).repeat_interleave(8).view(1, 4, 8)
    assert token.view(1, 2, 4, 4)[0, 0, :, 0].tolist() == H.wrong_view
    assert torch.arange(2).repeat_interleave(3).tolist() == H.key_head_of
    for q, kv in ((32, 8), (32, 1), (6, 3)):
        sizes = [sum(p.numel() for p in layer(ref, n_head=q, n_kv_head=k, d_model=2 * q, bias=False
                                              ).parameters()) for k in (kv, q)]
        assert sizes[0] / sizes[1] == pytest.approx(H.weight_ratio(q, kv), abs=1e-15)
    assert sum(p.numel() for p in layer(ref, d_model=64, n_head=4, bias=False).parameters()
               ) == H.weights_in_all
    assert layer(ref, d_model=64, n_head=8, n_kv_head=2).k_proj.weight.shape[0] == H.key_rows
    made = []
    x = normal(2, 3, 20)
    made += [x, x @ normal(20, 20)]
    made.append(made[1].view(2, 3, 4, 5))
    made.append(made[2].transpose(1, 2))
    made += [made[3] @ made[3].mT] * 4
    made.append(made[7] @ made[3])
    made += [made[8].transpose(1, 2).flatten(2)] * 2
    assert [list(m.shape) for m in made] == H.shapes(2, 3, 20, 4)
    assert torch.linalg.matrix_rank(normal(32, 4) @ normal(4, 32, seed=1)) == H.score_rank
    scores = torch.tensor([0.0, 2**0.5 * torch.tensor(3.0).log() / 2**0.5], dtype=torch.float64)
    assert scores.softmax(0)[1].item() == pytest.approx(S.hand_weight, abs=1e-6)


def test_the_broken_layers_break_what_the_lesson_says(ref: Any) -> None:
    torch.manual_seed(0)
    right, x = broken.Right(8, 2).double(), normal(1, 5, 8)
    leaks = {}
    for kind in (broken.A, broken.B, broken.C, broken.D):
        model = broken.copied(kind, right)
        assert model(x).shape == x.shape and not torch.allclose(model(x), right(x), atol=1e-3)
        leaks[kind.__name__] = bool(ref.S.reach(model, x).triu(1).max() > 1e-3)
    assert leaks == {"A": False, "B": True, "C": True, "D": True}
    assert ref.S.reach(right, x).triu(1).max() == 0
    own = layer(ref, d_model=8, n_head=2)
    with torch.no_grad():
        own.out_proj.load_state_dict(right.proj.state_dict())
        parts = zip((own.q_proj, own.k_proj, own.v_proj), right.qkv.weight.chunk(3),
                    right.qkv.bias.chunk(3), strict=True)
        for part, weight, bias in parts:
            part.weight.copy_(weight)
            part.bias.copy_(bias)
    torch.testing.assert_close(own(x), right(x), rtol=0, atol=1e-12)
