"""The reference of lesson 08 against torch's own norms, float64 autograd and slow loops."""

from typing import Any

import pytest
import torch

MODULES = {"N": "minillm.norms", "A": "minillm.attention", "C": "minillm.config"} | {
    name: f"steps.{name}" for name in ("norms", "norm_backward", "batch_norm", "residual",
                                       "start_sizes", "bugs")}


def drawn(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype) + 0.5


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 7), (2, 1, 3, 6), (4, 1)])
@pytest.mark.parametrize("eps", [1e-12, 1e-5, 0.3])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_norms_are_torchs(ref: Any, shape: tuple[int, ...], eps: float, dtype: Any) -> None:
    D, x = shape[-1:], drawn(*shape, dtype=dtype)
    w, b = drawn(*D, seed=1, dtype=dtype), drawn(*D, seed=2, dtype=dtype)
    F = torch.nn.functional
    tol = {"rtol": 0, "atol": 1e-12} if dtype == torch.float64 else {}
    if shape[-1] > 1 or eps > 1e-3:  # of width 1: 0 / √eps, rounded
        torch.testing.assert_close(ref.N.layer_norm(x, w, b, eps), F.layer_norm(x, D, w, b, eps),
                                   **tol)
        torch.testing.assert_close(ref.N.layer_norm(x, w, None, eps),
                                   F.layer_norm(x, D, w, None, eps), **tol)
    torch.testing.assert_close(ref.N.rms_norm(x, w, eps), F.rms_norm(x, D, w, eps), **tol)


def test_the_default_eps_is_the_one_promised(ref: Any) -> None:
    x, w, F = 1e-3 * drawn(3, 4), drawn(4, seed=1), torch.nn.functional
    torch.testing.assert_close(ref.N.layer_norm(x, w, w), F.layer_norm(x, (4,), w, w, 1e-5))
    torch.testing.assert_close(ref.N.LayerNorm(4).double()(x), F.layer_norm(x, (4,), eps=1e-5))
    torch.testing.assert_close(ref.N.rms_norm(x, w), F.rms_norm(x, (4,), w, 1e-6))
    torch.testing.assert_close(ref.N.RMSNorm(4).double()(x), F.rms_norm(x, (4,), eps=1e-6))


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 7), (2, 1, 3, 6)])
@pytest.mark.parametrize("eps", [1e-6, 0.3])
def test_backward_is_autograds(ref: Any, shape: tuple[int, ...], eps: float) -> None:
    x, w = (drawn(*s, seed=3).requires_grad_() for s in (shape, shape[-1:]))
    b = torch.zeros(shape[-1], dtype=torch.float64, requires_grad=True)
    up = drawn(*shape, seed=4)
    pairs = ((ref.N.rms_norm_backward, torch.nn.functional.rms_norm(x, shape[-1:], w, eps), (x, w)),
             (ref.N.layer_norm_backward,
              torch.nn.functional.layer_norm(x, shape[-1:], w, b, eps), (x, w, b)))
    for backward, out, leaves in pairs:
        expected = torch.autograd.grad(out, leaves, up)
        with torch.no_grad():
            found = backward(x, w, up, eps)
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


def test_forward_passes_gradcheck(ref: Any) -> None:
    x, w, b = (drawn(*s).requires_grad_() for s in ((2, 3, 4), (4,), (4,)))
    assert torch.autograd.gradcheck(ref.N.layer_norm, (x, w, b))
    assert torch.autograd.gradcheck(ref.N.rms_norm, (x, w))


def test_modules_hold_what_torchs_modules_hold(ref: Any) -> None:
    for ours, theirs in ((ref.N.LayerNorm(5), torch.nn.LayerNorm(5)),
                         (ref.N.LayerNorm(5, bias=False), torch.nn.LayerNorm(5, bias=False)),
                         (ref.N.RMSNorm(5), torch.nn.RMSNorm(5, eps=1e-6))):
        mine = ours.state_dict()
        assert mine.keys() == theirs.state_dict().keys()
        assert all(torch.equal(mine[k], v) for k, v in theirs.state_dict().items())
        ours.load_state_dict({k: drawn(5, dtype=torch.float32) for k in mine})
        theirs.load_state_dict(ours.state_dict())
        x = drawn(3, 5, dtype=torch.float32)
        torch.testing.assert_close(ours(x), theirs(x))


def test_what_does_not_fit_is_refused_with_its_numbers(ref: Any) -> None:
    x = drawn(2, 5)
    for call in (lambda: ref.N.layer_norm(x, drawn(4), drawn(5)),
                 lambda: ref.N.layer_norm(x, drawn(5), drawn(1)),
                 lambda: ref.N.rms_norm(x, drawn(1)), lambda: ref.N.rms_norm(x, drawn(2, 5)),
                 lambda: ref.N.rms_norm_backward(x, drawn(5), drawn(5)),
                 lambda: ref.N.layer_norm_backward(x, drawn(5), drawn(2, 4))):
        with pytest.raises(ValueError, match=r"\(2, 5\)"):
            call()
    with pytest.raises(ValueError, match="n_layer is 0"):
        ref.N.residual_std(0)


def test_residual_std_makes_the_growth_independent_of_depth(ref: Any) -> None:
    for n in (1, 2, 12, 96):
        assert 2 * n * ref.N.residual_std(n) ** 2 == pytest.approx(0.02**2)
        assert 2 * n * ref.N.residual_std(n, 0.3) ** 2 == pytest.approx(0.09)


class Layer(torch.nn.Module):
    def __init__(self, D: int) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(D)
        self.q_proj, self.out_proj = torch.nn.Linear(D, D), torch.nn.Linear(D, D)
        self.up_proj = torch.nn.Linear(D, 4 * D, bias=False)
        self.down_proj = torch.nn.Linear(4 * D, D, bias=False)


def test_init_touches_two_projections_a_layer_and_no_norm(ref: Any) -> None:
    model = torch.nn.Sequential(torch.nn.Embedding(300, 64), *(Layer(64) for _ in range(3)))
    for p in model.parameters():
        torch.nn.init.constant_(p, 7.0)
    names = ref.N.init_weights(model, 3, 0.1, torch.Generator().manual_seed(0))
    assert names == [f"{i}.{n}" for i in (1, 2, 3) for n in ("out_proj", "down_proj")]
    for name, p in model.named_parameters():
        if "norm" in name:
            assert torch.all(p == 7)
        elif name.endswith("bias"):
            assert torch.all(p == 0)
        else:
            small = name.removesuffix(".weight") in names
            assert p.std().item() == pytest.approx(0.1 / 6**0.5 if small else 0.1, rel=0.05)
            assert abs(p.mean().item()) < 0.01
            assert p.requires_grad
    with pytest.raises(ValueError, match="6 residual projections for 4 layers"):
        ref.N.init_weights(model, 4)


def test_qk_norm_of_the_attention_layer_wakes_up(ref: Any) -> None:
    config = ref.C.GPTConfig(vocab_size=11, d_model=12, n_head=3, dropout=0.0, qk_norm=True)
    layer = ref.A.CausalSelfAttention(config).double()
    assert layer.q_norm.weight.shape == layer.k_norm.weight.shape == (4,)
    x = drawn(2, 5, 12)
    with torch.no_grad():
        before = layer(x)
        layer.q_proj.weight *= 50  # queries are normed, so their size does not matter
        layer.q_proj.bias *= 50
        torch.testing.assert_close(layer(x), before, rtol=0, atol=1e-4)
        q, k, v = (p(x).unflatten(-1, (3, 4)).transpose(1, 2)
                   for p in (layer.q_proj, layer.k_proj, layer.v_proj))
        q, k = (torch.nn.functional.rms_norm(z, (4,), eps=1e-6) for z in (q, k))
        out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        expected = layer.out_proj(out.transpose(1, 2).flatten(2))
        torch.testing.assert_close(layer(x), expected, rtol=0, atol=1e-12)


# The derivation steps


def test_steps_on_one_vector(ref: Any) -> None:
    S = ref.norms
    x = torch.tensor([3.0, -4, 0, 0], dtype=torch.float64)
    assert x.square().mean().sqrt().item() == S.rms
    wide = drawn(64, seed=8)
    assert torch.nn.functional.rms_norm(wide, (64,), eps=0.0).norm().item() == pytest.approx(
        S.length)
    small = drawn(9, seed=9)
    small *= 1e-3 / small.square().mean().sqrt()
    assert torch.nn.functional.rms_norm(small, (9,), eps=1e-6).square().mean().sqrt(
        ).item() == pytest.approx(S.at_eps)
    pair = torch.tensor([[3.0, 1.0]], dtype=torch.float64)
    normed = torch.nn.functional.layer_norm(pair, (2,), eps=0.0)
    assert torch.cosine_similarity(pair, normed).item() == pytest.approx(S.cosine)
    centred = wide - wide.mean()
    torch.testing.assert_close(torch.nn.functional.rms_norm(centred, (64,), eps=1e-5),
                               torch.nn.functional.layer_norm(wide, (64,), eps=1e-5))
    for norm, keeps in ((torch.nn.functional.rms_norm, S.rms_keeps),
                        (torch.nn.functional.layer_norm, S.layer_keeps)):
        same = [torch.allclose(norm(y, (64,), eps=0.0), norm(wide, (64,), eps=0.0))
                for y in (wide + 5, 3 * wide)]
        assert keeps == {(True, False): "a", (False, True): "b", (True, True): "c",
                         (False, False): "d"}[tuple(same)]
    assert S.as_rms == "b"


def test_steps_of_the_gradient_are_autograds(ref: Any) -> None:
    S, D = ref.norm_backward, 5
    x = drawn(D, seed=3)

    def r(z: torch.Tensor) -> torch.Tensor:
        return (z.square().mean() + 1e-3).sqrt()

    slope = torch.func.jacrev(r)(x)
    J = torch.func.jacrev(lambda z: z / r(z))(x)
    size, xhat = float(r(x)), (x / r(x)).tolist()
    for i in range(D):
        assert float(slope[i]) == pytest.approx(S.rms_slope(float(x[i]), size, D))
        for j in range(D):
            expected = (S.diagonal(xhat[i], size, D) if i == j
                        else S.off_diagonal(xhat[i], xhat[j], size, D))
            assert float(J[i, j]) == pytest.approx(expected)

    def dx(z: torch.Tensor) -> torch.Tensor:
        leaf = z.clone().requires_grad_()
        out = torch.nn.functional.rms_norm(leaf, (D,), eps=0.0)
        return torch.autograd.grad(out, leaf, drawn(D, seed=4))[0]

    assert float(dx(x) @ x) == pytest.approx(0, abs=1e-12) and S.along_x == "a"
    torch.testing.assert_close(dx(2 * x), S.doubled * dx(x))
    dc = drawn(D, seed=6)
    centring = torch.func.jacrev(lambda z: z - z.mean())(x)
    torch.testing.assert_close(centring.T @ dc, dc - dc.mean())
    assert S.centring == "b"


def test_steps_on_batch_norm_are_torchs(ref: Any) -> None:
    S, x = ref.batch_norm, drawn(3, 4, 5, seed=2).requires_grad_()
    bn = torch.nn.BatchNorm1d(5, affine=False, eps=0.01).double()
    out = bn(x.transpose(1, 2)).transpose(1, 2)
    torch.testing.assert_close(S.in_training(x, 0.01), out)
    reach = torch.autograd.grad(out[0, 0, 0], x)[0].abs().amax(-1)
    assert (reach > 1e-9).all() and S.depends == "d"
    mean = bn.running_mean.clone()
    one = bn.eval()(x[:1, 0])
    torch.testing.assert_close(one, (x[:1, 0] - mean) / (bn.running_var + 0.01).sqrt())
    assert S.one_text == "b"


def test_steps_on_residuals(ref: Any) -> None:
    S = ref.residual
    x, W, dy = drawn(4, seed=1).requires_grad_(), drawn(4, 4, seed=2), drawn(4, seed=3)

    def F(z: torch.Tensor) -> torch.Tensor:
        return torch.tanh(W @ z)

    expected, = torch.autograd.grad(x + F(x), x, dy)
    J = torch.func.jacrev(F)(x.detach())
    torch.testing.assert_close(S.input_gradient(dy, J), expected)
    assert float(S.input_gradient(torch.ones(1), -torch.ones(1, 1))) == S.cancelled
    line = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    out = line
    for _ in range(24):
        out = out + 0.1 * out
    assert torch.autograd.grad(out, line)[0].item() == pytest.approx(S.through_blocks(0.1, 24))
    z = drawn(2, 3, 4)
    assert torch.equal(S.pre_norm(z, torch.sin, torch.exp), z + torch.exp(torch.sin(z)))
    assert torch.equal(S.post_norm(z, torch.sin, torch.exp), torch.sin(z + torch.exp(z)))


def test_the_structural_test_tells_lesson_05s_blocks_apart(ref: Any) -> None:
    passes = ref.residual.attention_passes
    assert passes(ref.bugs.block) is True
    assert passes(lambda x, n1, a, n2, f: x + f(n2(x + a(n1(x))))) is False
    assert passes(lambda x, n1, a, n2, f: a(n1(x)) + f(n2(x))) is False


def test_sizes_of_a_line_are_those_of_random_vectors(ref: Any) -> None:
    S, g = ref.residual, torch.Generator().manual_seed(0)
    for n, v in ((3, 1.0), (12, 0.25)):
        line = torch.randn(200_000, generator=g)
        for _ in range(n):
            last = v**0.5 * torch.randn(200_000, generator=g)
            line = line + last
        assert line.square().mean().sqrt().item() == pytest.approx(S.last_rms(n, v), rel=0.01)
        assert (last.var() / line.var()).item() == pytest.approx(S.share(n, v), rel=0.02)
    assert (S.post_depth, S.which_models) == ("b", "c")


def test_steps_on_first_weights(ref: Any) -> None:
    S, g = ref.start_sizes, torch.Generator().manual_seed(1)
    a = S.factor(6)
    branches = torch.randn(12, 100_000, generator=g) * 3
    start = torch.randn(100_000, generator=g)
    assert (start + branches.sum(0)).var().item() == pytest.approx(S.line_variance(6, 9, 1),
                                                                   rel=0.02)
    assert (a * branches[0]).var().item() == pytest.approx(S.scaled_variance(a, 9), rel=0.02)
    assert (start + a * branches.sum(0)).var().item() == pytest.approx(1 + 9, rel=0.02)
    x = torch.nn.functional.rms_norm(torch.randn(400, 50, generator=g), (50,))
    w = 0.3 * torch.randn(50, 3000, generator=g)
    z = x @ w
    assert z.std().item() == pytest.approx(S.logit_std(50, 0.3), rel=0.02)
    z = 0.8 * torch.randn(300, 4000, generator=g)
    loss = torch.nn.functional.cross_entropy(z, torch.randint(4000, (300,), generator=g))
    assert loss.item() == pytest.approx(S.first_loss(4000, 0.8), abs=0.15)
    logsumexp = z.logsumexp(-1).mean().item()
    assert logsumexp == pytest.approx(S.first_loss(4000, 0.8), abs=0.01)
    assert (S.along_depth, S.touched) == ("b", 2 * 12)
