"""The reference of lesson 04 against things that share no code with it: torch's own attention,
loops in plain Python, autograd in float64, central differences, simulation."""

import itertools
import math
from typing import Any

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from .conftest import normal

MODULES = {"A": "minillm.attention", "V": "steps.score_variance", "M": "steps.causal_mask",
           "B": "steps.attention_backward", "R": "steps.routing"}
fused = torch.nn.functional.scaled_dot_product_attention


def inputs(lead: tuple[int, ...], T: int, S: int, Dh: int, Dv: int) -> list[torch.Tensor]:
    sizes = (T, Dh), (S, Dh), (S, Dv)
    return [normal(*lead, *size, seed=n) for n, size in enumerate(sizes)]


def random_mask(*shape: int, seed: int = 9) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(*shape, generator=generator) > 0.4


SHAPES = [((), 3, 5, 4, 2), ((2,), 5, 3, 4, 6), ((2, 3), 4, 7, 6, 5), ((2, 3, 1), 1, 4, 2, 3)]


def slow_attention(q: Any, k: Any, v: Any, mask: Any) -> tuple[list[list[float]], Any]:
    """One head in plain Python: nothing but loops, math.exp and sums."""
    out, weights = [], []
    for t, query in enumerate(q):
        allowed = [j for j in range(len(k)) if mask[t][j]]
        s = {j: math.fsum(a * b for a, b in zip(query, k[j], strict=True)) / math.sqrt(len(query))
             for j in allowed}
        total = math.fsum(math.exp(x) for x in s.values())
        row = [math.exp(s[j]) / total if j in s else 0.0 for j in range(len(k))]
        weights.append(row)
        out.append([math.fsum(w * v[j][e] for j, w in enumerate(row)) for e in range(len(v[0]))])
    return out, weights


@pytest.mark.parametrize("sizes", [(1, 1), (4, 4), (2, 5), (1, 6), (5, 7)])
def test_the_mask_says_who_stands_behind_whom(ref: Any, sizes: tuple[int, int]) -> None:
    T, S = sizes
    mask = ref.A.causal_mask(T, S)
    assert mask.dtype == torch.bool and mask.shape == sizes
    for t, j in itertools.product(range(T), range(S)):
        assert bool(mask[t, j]) == (j <= t + S - T)
    if T == S:
        assert torch.equal(ref.A.causal_mask(T), mask)


@pytest.mark.parametrize("sizes", [(3, 2), (1, 0), (8, 1)])
def test_more_queries_than_positions_are_refused(ref: Any, sizes: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"{sizes[0]} queries .* {sizes[1]} positions"):
        ref.A.causal_mask(*sizes)


def test_the_mask_is_made_where_it_is_asked_for(ref: Any) -> None:
    assert ref.A.causal_mask(2, 3, device="meta").device.type == "meta"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["none", "causal", "padding", "full"])
def test_attention_is_torchs(ref: Any, shape: Any, kind: str) -> None:
    lead, T, S, *_ = shape
    q, k, v = inputs(*shape)
    mask = {"none": None, "causal": ref.A.causal_mask(min(T, S), S) if T <= S else None,
            "padding": random_mask(1, S), "full": random_mask(*lead, T, S)}[kind]
    out, weights = ref.A.scaled_dot_product_attention(q, k, v, mask)
    torch.testing.assert_close(out, fused(q, k, v, attn_mask=mask), rtol=1e-12, atol=1e-12)
    eye = torch.eye(S, dtype=q.dtype).expand(*lead, S, S)
    torch.testing.assert_close(weights, fused(q, k, eye, attn_mask=mask), rtol=1e-12, atol=1e-12)
    if mask is not None:
        assert (weights * ~mask == 0).all()


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_attention_is_a_loop(ref: Any, shape: Any) -> None:
    lead, T, S, *_ = shape
    q, k, v = inputs(*shape)
    mask = random_mask(T, S)
    out, weights = ref.A.scaled_dot_product_attention(q, k, v, mask)
    for at in itertools.product(*map(range, lead)):
        slow = slow_attention(q[at].tolist(), k[at].tolist(), v[at].tolist(), mask.tolist())
        for ours, theirs in zip((out[at], weights[at]), slow, strict=True):
            torch.testing.assert_close(ours, torch.tensor(theirs, dtype=torch.float64))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_dtype_is_kept_and_inputs_too(ref: Any, dtype: torch.dtype) -> None:
    q, k, v = (x.to(dtype) for x in inputs((2,), 3, 4, 5, 6))
    before = [x.clone() for x in (q, k, v)]
    mask = ref.A.causal_mask(3, 4) & torch.tensor([[False], [True], [True]])
    out, weights = ref.A.scaled_dot_product_attention(q, k, v, mask)
    assert out.dtype == weights.dtype == dtype and out.isfinite().all()
    assert not out[:, 0].any() and not weights[:, 0].any()
    grads = ref.A.attention_backward(q, k, v, out, mask)
    assert all(g.dtype == dtype and g.isfinite().all() for g in grads)
    assert all(map(torch.equal, before, (q, k, v)))
    loose = {"rtol": 2e-2, "atol": 2e-2} if dtype.itemsize == 2 else {}
    torch.testing.assert_close(out, fused(q, k, v, attn_mask=mask), **loose)


@pytest.mark.parametrize("scale", [1e3, 1e4, -1e4])
def test_huge_scores_stay_finite(ref: Any, scale: float) -> None:
    q, k, v = (x.float() for x in inputs((2,), 3, 3, 5, 6))
    mask = ref.A.causal_mask(3)
    out, weights = ref.A.scaled_dot_product_attention(scale * q, k, v, mask)
    torch.testing.assert_close(out, fused(scale * q, k, v, attn_mask=mask), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3))
    assert all(g.isfinite().all() for g in ref.A.attention_backward(scale * q, k, v, out, mask))


@pytest.mark.parametrize("masked", [False, True])
def test_forward_can_be_differentiated_twice(ref: Any, masked: bool) -> None:
    leaves = [x.requires_grad_() for x in inputs((2,), 3, 4, 2, 3)]
    mask = random_mask(3, 4) & torch.tensor([[True], [False], [True]]) if masked else None

    def forward(*x: torch.Tensor) -> Any:
        return ref.A.scaled_dot_product_attention(*x, mask)

    assert gradcheck(forward, leaves) and gradgradcheck(forward, leaves)
    with pytest.warns(UserWarning, match="Anomaly"), torch.autograd.detect_anomaly(check_nan=True):
        sum(r.sum() for r in forward(*leaves)).backward()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["none", "full", "a row of nothing"])
def test_backward_is_autograd_through_torchs_attention(ref: Any, shape: Any, kind: str) -> None:
    lead, T, S, _, Dv = shape
    q, k, v = inputs(*shape)
    grad = normal(*lead, T, Dv, seed=5)
    mask = None if kind == "none" else random_mask(*lead, T, S)
    if kind == "full":
        mask[..., 0] = True
    leaves = [x.clone().requires_grad_() for x in (q, k, v)]
    if kind == "a row of nothing":  # torch's own gradient for such a row is not documented
        mask[..., 0, :] = False
        some = mask.any(-1, keepdim=True)
        out = fused(*leaves, attn_mask=mask | ~some) * some
    else:
        out = fused(*leaves, attn_mask=mask)
    theirs = torch.autograd.grad(out, leaves, grad)
    mine = ref.A.attention_backward(q, k, v, grad, mask)
    for a, b in zip(mine, theirs, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-11, atol=1e-12)


def test_backward_is_central_differences(ref: Any) -> None:
    x, grad = inputs((), 3, 4, 2, 5), normal(3, 5, seed=5)
    mask = ref.A.causal_mask(3, 4)
    for which, mine in enumerate(ref.A.attention_backward(*x, grad, mask)):
        for at in itertools.product(*map(range, x[which].shape)):
            losses = []
            for h in (1e-5, -1e-5):
                moved = [y.clone() for y in x]
                moved[which][at] += h
                out, _ = ref.A.scaled_dot_product_attention(*moved, mask)
                losses.append(float((out * grad).sum()))
            assert float(mine[at]) == pytest.approx((losses[0] - losses[1]) / 2e-5, abs=1e-8)


def test_no_output_answers_to_a_later_input(ref: Any) -> None:
    x = normal(5, 4).requires_grad_()
    out, _ = ref.A.scaled_dot_product_attention(x, x, x, ref.A.causal_mask(5))
    for t in range(5):
        g, = torch.autograd.grad(out[t].sum(), x, retain_graph=True)
        assert not g[t + 1:].any() and (g[:t + 1].abs().sum(-1) > 0).all()


@pytest.mark.parametrize(("q", "k", "v"), [
    ((3, 4), (5, 3), (5, 2)), ((3, 4), (5, 4), (6, 2)), ((2, 3, 4), (2, 1, 4), (2, 3, 4))])
def test_shapes_that_do_not_fit_are_named(ref: Any, q: Any, k: Any, v: Any) -> None:
    x = [torch.zeros(shape) for shape in (q, k, v)]
    with pytest.raises(ValueError, match=r"do not fit") as caught:
        ref.A.scaled_dot_product_attention(*x)
    assert all(str(shape) in str(caught.value) for shape in (q, k, v))


def test_backward_refuses_shared_keys(ref: Any) -> None:
    q, k, v = inputs((2, 3), 4, 5, 6, 7)
    with pytest.raises(ValueError, match="do not fit"):
        ref.A.attention_backward(q, k[:, :1], v[:, :1], normal(2, 3, 4, 7))
    with pytest.raises(ValueError, match="d_k is 0"):
        ref.A.score_variance(0)


@pytest.mark.parametrize("entries", ["normal", "uniform", "signs"])
def test_variance_is_that_of_a_simulation(ref: Any, entries: str) -> None:
    g = torch.Generator().manual_seed(3)
    for d, scale in ((4, 1.0), (64, 1.0), (64, 0.125), (9, -2.0)):
        if entries == "normal":
            q, k = torch.randn(2, 40_000, d, generator=g)
        elif entries == "uniform":
            q, k = (torch.rand(2, 40_000, d, generator=g) - 0.5) * math.sqrt(12)
        else:
            q, k = torch.randint(2, (2, 40_000, d), generator=g).float() * 2 - 1
        simulated = float((scale * (q * k).sum(-1)).var())
        assert ref.A.score_variance(d, scale) == pytest.approx(simulated, rel=0.05)


def test_steps_of_the_variance_are_those_of_a_simulation(ref: Any) -> None:
    g = torch.Generator().manual_seed(4)
    q, k = torch.randn(2, 400_000, generator=g, dtype=torch.float64)
    assert ref.V.one_product == pytest.approx(float((q * k).var()), rel=0.02)
    assert ref.V.shifted_product == pytest.approx(float(((q + 0.5) * (k + 0.5)).var()), rel=0.02)
    q, k = torch.randn(2, 40_000, 16, generator=g, dtype=torch.float64)
    assert ref.V.mean_score(16, 0.5) == pytest.approx(float(((q + 0.5) * (k + 0.5)).sum(-1).mean()),
                                                      rel=0.03)
    near = 0.3 * q + math.sqrt(1 - 0.09) * k
    assert ref.V.aligned_mean(16, 0.3) == pytest.approx(float((q * near).sum(-1).mean()), rel=0.03)
    assert float(((q * k).sum(-1) / ref.V.divisor(16)).var()) == pytest.approx(1, rel=0.03)
    x, w = torch.randn(2, 40_000, 128, generator=g, dtype=torch.float64)
    assert ref.V.variance_at_start == pytest.approx(float((x * 0.02 * w).sum(-1).var()), rel=0.03)
    p = torch.tensor([0.5, 0.5, 1e-300, 1e-300], dtype=torch.float64)
    evenness = torch.distributions.Categorical(p).entropy() / math.log(4)
    assert ref.V.entropy == pytest.approx(float(evenness))


def test_the_query_slope_is_autograds(ref: Any) -> None:
    q = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    ds, k, c = torch.tensor([0.3, -0.8]), torch.tensor([1.5, -0.4]), 4.0
    slope, = torch.autograd.grad((ds.double() * (q * k.double() / c)).sum(), q)
    mine = ref.V.query_slope(*ds.double().tolist(), *k.double().tolist(), c)
    assert mine == pytest.approx(float(slope))


@pytest.mark.parametrize(("T", "S", "Dh", "Dv"), [(3, 4, 5, 2), (6, 2, 3, 4)])
def test_steps_of_the_way_back_are_autograds(ref: Any, T: int, S: int, Dh: int, Dv: int) -> None:
    x, w_q, w_k, w_v = normal(T, 7), normal(7, Dh, seed=1), normal(7, Dh, seed=2), normal(7, Dv)
    other = normal(S, 7, seed=3)
    grad = normal(T, Dv, seed=4)
    leaves = [y.requires_grad_() for y in (x, other, w_q, w_k, w_v)]
    q, k, v = x @ w_q, other @ w_k, other @ w_v
    s = q @ k.T / math.sqrt(Dh)
    p = torch.softmax(s, -1)
    out = p @ v
    dq, dk, dv, ds, dp = torch.autograd.grad(out, (q, k, v, s, p), grad, retain_graph=True)
    d_x, d_other, d_w_q, *_ = torch.autograd.grad(out, leaves, grad)
    none = torch.zeros_like(x[:, :1] @ w_v[:1])
    pairs = [(ref.B.value_grad(p, grad), dv), (ref.B.weight_grad(grad, v), dp),
             (ref.B.score_grad(p, dp), ds), (ref.B.query_grad(ds, k), dq),
             (ref.B.key_grad(ds, q), dk), (ref.B.projection_grad(x, dq), d_w_q),
             (ref.B.input_grad(dq, 0 * dq, none, w_q, w_k, w_v), d_x),
             (ref.B.input_grad(0 * dk, dk, dv, w_q, w_k, w_v), d_other),
             ((p * dp).sum(-1), (grad * out).sum(-1))]
    for mine, theirs in pairs:
        torch.testing.assert_close(mine, theirs, rtol=1e-11, atol=1e-12)


def test_steps_about_the_mask_are_counted(ref: Any) -> None:
    assert ref.M.corner == int(ref.A.causal_mask(2, 5).sum())
    assert ref.B.queries_of_a_key == int(ref.A.causal_mask(5)[:, 2].sum())
    scores = torch.tensor([1.3, 0.0, 0.0, 0.0], dtype=torch.float64)
    assert ref.M.zero_fill(1.3, 3) == pytest.approx(float(torch.softmax(scores, 0)[1:].sum()))
    real = torch.tensor([[True, True, False], [False, True, True]])
    both = ref.M.both_masks(ref.A.causal_mask(3), real)
    for b, t, j in itertools.product(range(2), range(3), range(3)):
        assert bool(both[b, 0, t, j]) == (j <= t and bool(real[b, j]))


def test_routing_by_hand(ref: Any) -> None:
    keys = {"a": (3, 4), "b": (2, 0), "c": (-5, 0)}
    assert ref.R.winner == max(keys, key=lambda n: keys[n][0] * 1 + keys[n][1] * 0)
    x, w, w_v = torch.zeros(2, 5, 16), torch.zeros(16, 8), torch.zeros(16, 4)
    out, weights = ref.A.scaled_dot_product_attention(x @ w, x @ w, x @ w_v)
    assert ref.R.shapes == [list(t.shape) for t in (x @ w, weights, out)]
    assert ref.R.score_memory == torch.zeros(1, 32, 4096, 4096, dtype=torch.float16,
                                             device="meta").nbytes / 2**30
