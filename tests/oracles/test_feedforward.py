"""The reference of lesson 09 against things that share no code with it: torch's own functions,
autograd in float64, loops over tokens in plain Python."""

import math
from fractions import Fraction
from typing import Any

import pytest
import torch
from torch.autograd import gradcheck

from .conftest import normal

MODULES = {"ff": "minillm.feedforward", "config": "minillm.config"} | {
    name: f"steps.{name}" for name in ("activations", "swiglu", "experts")}
torch_F = torch.nn.functional


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_activations_are_torchs(ref: Any, dtype: torch.dtype) -> None:
    x = torch.cat([3 * normal(40), torch.tensor([0.0, 30.0, -30.0])]).to(dtype).view(43, 1)
    loose: dict[str, Any] = {"rtol": 2e-2, "atol": 2e-2} if dtype == torch.bfloat16 else {}
    for ours, theirs in ((ref.ff.relu, torch.relu), (ref.ff.silu, torch_F.silu),
                         (ref.ff.gelu, torch_F.gelu),
                         (lambda x: ref.ff.gelu(x, "tanh"),
                          lambda x: torch_F.gelu(x, approximate="tanh"))):
        y = ours(x)
        assert y.dtype == dtype
        torch.testing.assert_close(y, theirs(x), **loose)
        if dtype == torch.float64:
            leaf = x.clone().requires_grad_()
            assert gradcheck(ours, leaf[:40])
            pair = [torch.autograd.grad(f(leaf).sum(), leaf)[0] for f in (ours, theirs)]
            torch.testing.assert_close(*pair)
    assert ref.ff.silu(torch.tensor([1000.0, -1000.0])).tolist() == [1000.0, 0.0]
    with pytest.raises(ValueError, match="'tanhh'"):
        ref.ff.gelu(x, "tanhh")


def test_the_width_is_exact(ref: Any) -> None:
    assert ref.ff.swiglu_width(4096) == 11008 and ref.ff.swiglu_width(128, 32) == 352
    for D in (1, 2, 3, 4, 96, 97, 100, 128, 3000, 8192, 10**6 + 1):
        for multiple in (1, 2, 5, 7, 32, 256):
            width = ref.ff.swiglu_width(D, multiple)
            assert width % multiple == 0 and isinstance(width, int)
            assert width >= Fraction(8 * D, 3) > width - multiple
    for bad in ((0, 4), (4, 0)):
        with pytest.raises(ValueError, match="at least 1"):
            ref.ff.swiglu_width(*bad)


def test_the_config_asks_for_the_width(ref: Any) -> None:
    kinds = ("gelu", "swiglu", "moe")
    widths = {ffn: ref.config.GPTConfig(9, d_model=128, ffn=ffn).hidden_width for ffn in kinds}
    assert widths == {"gelu": 512, "swiglu": 352, "moe": 352}
    layer = ref.ff.MoE(ref.config.GPTConfig(9, d_model=128, ffn="moe", n_expert=2))
    assert layer.experts[1].gate_proj.weight.shape == (352, 128)


@pytest.mark.parametrize("bias", [True, False])
def test_the_layers_are_their_formulas(ref: Any, bias: bool) -> None:
    x = normal(2, 3, 6)
    config = ref.config.GPTConfig(10, d_model=6, n_head=2, d_ff=9, bias=bias, dropout=0.0,
                                  ffn="swiglu")
    plain = ref.ff.MLP(config).double()
    theirs = torch.nn.Sequential(plain.up_proj, torch.nn.GELU(), plain.down_proj)
    torch.testing.assert_close(plain(x), theirs(x))
    gated = ref.ff.SwiGLU(config).double()

    def linear(name: str, z: torch.Tensor) -> torch.Tensor:
        part = getattr(gated, name)
        return torch_F.linear(z, part.weight, part.bias)

    h = torch_F.silu(linear("gate_proj", x)) * linear("up_proj", x)
    torch.testing.assert_close(gated(x), linear("down_proj", h))
    assert sum(p.numel() for p in plain.parameters()) == 2 * 6 * 9 + bias * (6 + 9)
    assert sum(p.numel() for p in gated.parameters()) == 3 * 6 * 9 + bias * (6 + 2 * 9)


@pytest.mark.parametrize("lead", [(), (5,), (2, 3), (2, 1, 3)])
def test_backward_is_autograd(ref: Any, lead: tuple[int, ...]) -> None:
    leaves = [normal(*s, seed=n).requires_grad_()
              for n, s in enumerate(((*lead, 4), (7, 4), (7, 4), (4, 7)))]
    grad = normal(*lead, 4, seed=9)
    x, g, u, d = leaves
    y = torch_F.linear(torch_F.silu(torch_F.linear(x, g)) * torch_F.linear(x, u), d)
    wanted = torch.autograd.grad(y, leaves, grad)
    given = [each.detach() for each in leaves]
    for ours, theirs in zip(ref.ff.swiglu_backward(*given, grad), wanted, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-11, atol=1e-12)
    for at in range(4):
        wrong = list(given)
        wrong[at] = wrong[at][..., :-1]
        with pytest.raises(ValueError, match="do not fit"):
            ref.ff.swiglu_backward(*wrong, grad)


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("renormalize", [True, False])
def test_routing_is_a_sort_of_each_row(ref: Any, k: int, renormalize: bool) -> None:
    logits = 2 * normal(8, 5)
    weights, experts = ref.ff.route(logits, k, renormalize)
    assert experts.dtype == torch.int64 and weights.dtype == logits.dtype
    for n, row in enumerate(logits.tolist()):
        total = math.fsum(map(math.exp, row))
        best = sorted(range(5), key=row.__getitem__, reverse=True)[:k]
        p = [math.exp(row[e]) / total for e in best]
        p = [each / math.fsum(p) for each in p] if renormalize else p
        assert experts[n].tolist() == best and weights[n].tolist() == pytest.approx(p)
    for bad in (0, 6):
        with pytest.raises(ValueError, match=f"k = {bad} of 5"):
            ref.ff.route(logits, bad)


def test_the_balance_loss_is_a_double_loop(ref: Any) -> None:
    logits, E = normal(9, 4), 4
    for k in (1, 3):
        experts = logits.topk(k).indices
        choices = experts.flatten().tolist()
        p = torch.softmax(logits, -1).tolist()
        wanted = E * sum(choices.count(e) / len(choices) * sum(row[e] for row in p) / 9
                         for e in range(E))
        assert ref.ff.load_balance_loss(logits, experts, E).item() == pytest.approx(wanted)
    flat = torch.zeros(8, 4, dtype=torch.float64, requires_grad=True)
    loss = ref.ff.load_balance_loss(flat, torch.arange(8).view(8, 1) % 4, 4)
    assert loss.item() == pytest.approx(1.0) and loss.requires_grad
    one = torch.tensor([0.0, 50.0, 0.0, 0.0], dtype=torch.float64).expand(8, 4)
    loss = ref.ff.load_balance_loss(one, torch.ones(8, 1, dtype=torch.int64), 4)
    assert loss.item() == pytest.approx(4.0)
    with pytest.raises(ValueError, match="n_expert = 3"):
        ref.ff.load_balance_loss(flat, torch.zeros(8, 1, dtype=torch.int64), 3)


@pytest.mark.parametrize("factor", [0.4, 1.0, 1.25, 4.0])
def test_capacity_is_a_queue(ref: Any, factor: float) -> None:
    experts = normal(11, 4, seed=3).topk(2).indices
    room = {e: math.ceil(Fraction(factor).limit_denominator() * 22 / 4) for e in range(4)}
    wanted = []
    for e in experts.flatten().tolist():
        wanted.append(room[e] > 0)
        room[e] -= 1
    kept = ref.ff.within_capacity(experts, 4, factor)
    assert kept.dtype == torch.bool and kept.flatten().tolist() == wanted
    with pytest.raises(ValueError, match=r"0\.0"):
        ref.ff.within_capacity(experts, 4, 0.0)


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("factor", [None, 0.5, 1.0])
@pytest.mark.parametrize("bias", [True, False])
def test_the_mixture_is_a_loop_over_tokens(ref: Any, k: int, factor: Any, bias: bool) -> None:
    config = ref.config.GPTConfig(10, d_model=6, n_head=2, ffn="moe", n_expert=4, top_k=k, d_ff=5,
                                  bias=bias, capacity_factor=factor, dropout=0.0)
    torch.manual_seed(1)  # a load that happens to be even would have no gradient
    layer, x = ref.ff.MoE(config).double(), normal(2, 3, 6)
    room = dict.fromkeys(range(4), 10**9 if factor is None else math.ceil(factor * 6 * k / 4))
    rows, choices, logits = [], [], layer.router(x.view(6, 6))
    for token, p in zip(x.view(6, 6), torch.softmax(logits, -1), strict=True):
        best = sorted(range(4), key=p.tolist().__getitem__, reverse=True)[:k]
        whole = sum(p[e] for e in best) if k > 1 else 1
        row = torch.zeros(6, dtype=torch.float64)
        for e in best:
            if room[e] > 0:
                row = row + p[e] / whole * layer.experts[e](token)
            room[e] -= 1
        rows.append(row)
        choices.append(best)
    torch.testing.assert_close(layer(x), torch.stack(rows).view(2, 3, 6))
    wanted = ref.ff.load_balance_loss(logits, torch.tensor(choices), 4)
    torch.testing.assert_close(layer.balance_loss, wanted)
    grad, = torch.autograd.grad(layer(x).square().sum(), layer.router.weight)
    assert grad.abs().max() > 1e-9
    layer(x)
    again = torch.autograd.grad(layer.balance_loss, layer.router.weight)[0]
    assert again.abs().max() > 1e-9 or k == 4  # with every expert chosen f is flat


def test_two_layers_keep_two_losses(ref: Any) -> None:
    config = ref.config.GPTConfig(10, d_model=6, n_head=2, ffn="moe", n_expert=4)
    a, b = ref.ff.MoE(config), ref.ff.MoE(config)
    assert a.balance_loss is None
    a(torch.randn(5, 6))
    assert b.balance_loss is None and ref.ff.MoE.balance_loss is None
    assert not any("balance" in name for name in a.state_dict())


def slope(f: Any, *at: float) -> list[float]:
    """The slopes of f to each of its arguments, by autograd in float64."""
    leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in at]
    return [float(g) for g in torch.autograd.grad(f(*leaves), leaves)]


@pytest.mark.parametrize("x", [-3.1, -0.6, 0.4, 2.2])
def test_slopes_of_activations_are_autograds(ref: Any, x: float) -> None:
    Phi, phi = (1 + math.erf(x / 2**0.5)) / 2, math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    s = 1 / (1 + math.exp(-x))
    assert ref.activations.gelu_slope(x, Phi, phi) == pytest.approx(slope(torch_F.gelu, x)[0])
    assert ref.activations.silu_slope(x, s) == pytest.approx(slope(torch_F.silu, x)[0])


def test_the_minimum_of_silu_is_found_by_looking(ref: Any) -> None:
    x = torch.linspace(-2, -1, 1_000_001, dtype=torch.float64)
    y = torch_F.silu(x)
    assert ref.activations.silu_minimum == pytest.approx(float(x[y.argmin()]), abs=2e-6)
    lowest = ref.activations.silu_lowest(float(x[y.argmin()]))
    assert lowest == pytest.approx(float(y.min()), abs=2e-6)


def test_steps_of_swiglu(ref: Any) -> None:
    for d, f in ((6, 10), (96, 256)):
        plain = torch.nn.Linear(d, 4 * d, bias=False), torch.nn.Linear(4 * d, d, bias=False)
        assert ref.swiglu.plain_weights(d) == sum(layer.weight.numel() for layer in plain)
        layer = ref.ff.SwiGLU(ref.config.GPTConfig(9, d_model=d, n_head=1, d_ff=f, bias=False))
        assert ref.swiglu.gated_weights(d, f) == sum(p.numel() for p in layer.parameters())
    assert ref.swiglu.gated_weights(96, ref.swiglu.width(96)) == ref.swiglu.plain_weights(96)
    assert ref.swiglu.llama_width == ref.ff.swiglu_width(4096)
    exact = ref.swiglu.plain_weights(4096)
    more = ref.swiglu.gated_weights(4096, 11008) / exact - 1
    assert ref.swiglu.excess == pytest.approx(100 * more)
    dh, g, u = 0.7, -1.3, 0.4
    s = 1 / (1 + math.exp(-g))
    to_g, to_u = slope(lambda g, u: dh * torch_F.silu(g) * u, g, u)
    assert ref.swiglu.gate_gradient(dh, g, u, s) == pytest.approx(to_g)
    assert ref.swiglu.up_gradient(dh, g, u, s) == pytest.approx(to_u)


def test_steps_of_experts(ref: Any) -> None:
    config = ref.config.GPTConfig(9, d_model=6, n_head=1, d_ff=10, ffn="moe", n_expert=5,
                                  bias=False)
    layer = ref.ff.MoE(config)
    assert ref.experts.held(6, 10, 5) == sum(p.numel() for p in layer.parameters())
    one = sum(p.numel() for p in layer.experts[0].parameters())
    assert ref.experts.used(6, 10, 5, 3) == 3 * one + layer.router.weight.numel()
    rest = 32 * (2 * 4096**2 + 2 * 4096 * 1024) + 2 * 32000 * 4096
    sizes = 4096, 14336, 8
    assert (32 * ref.experts.held(*sizes) + rest) / 1e9 == pytest.approx(46.7, abs=0.05)
    assert ref.experts.mixtral_held == pytest.approx(46.7025, abs=5e-3)
    assert ref.experts.mixtral_used == pytest.approx(
        (32 * ref.experts.used(*sizes, 2) + rest) / 1e9, abs=5e-3)
    assert ref.experts.mixtral_memory == pytest.approx(2 * 46.7025, abs=0.01)
    p = torch.softmax(torch.tensor([2.0, 1.0, 0.0, -1.0], dtype=torch.float64), 0)[:2]
    rows = [p.tolist(), (p / p.sum()).tolist()]
    assert sum(ref.experts.by_hand, []) == pytest.approx(sum(rows, []), abs=6e-4)


def test_the_slope_of_the_balance_loss(ref: Any) -> None:
    logits, chosen = normal(7, 4, seed=2).requires_grad_(), normal(7, 4, seed=3).topk(2).indices
    grad, = torch.autograd.grad(ref.ff.load_balance_loss(logits, chosen, 4), logits)
    f = [chosen.flatten().tolist().count(e) / 14 for e in range(4)]
    for row, theirs in zip(torch.softmax(logits, -1).tolist(), grad.tolist(), strict=True):
        m = sum(a * b for a, b in zip(f, row, strict=True))
        mine = [ref.experts.balance_slope(4, 7, p, load, m) for p, load in zip(row, f, strict=True)]
        assert mine == pytest.approx(theirs)


def test_one_expert_at_weight_one_teaches_the_router_nothing(ref: Any) -> None:
    logits = normal(6, 4).requires_grad_()
    for renormalize, learns in ((True, False), (False, True)):
        weights, _ = ref.ff.route(logits, 1, renormalize)
        grad, = torch.autograd.grad((weights * normal(6, 1, seed=4)).sum(), logits)
        assert bool(grad.abs().max() > 1e-12) == learns
