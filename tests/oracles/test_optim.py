"""The reference of `minillm.optim` against torch's optimisers, the SVD and slow loops."""

import copy
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import torch

MODULES = {"O": "minillm.optim"}
SHAPES = ((5, 3), (4,), (2, 3, 2), ())


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def parameters(dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    g = generator(0)
    return [torch.randn(s, generator=g, dtype=dtype).requires_grad_() for s in SHAPES]


def gradients(step: int, dtype: torch.dtype = torch.float64) -> list[torch.Tensor | None]:
    """One step's gradients, of very different sizes; now and then one is missing."""
    g = generator(100 + step)
    found: list[torch.Tensor | None] = [
        torch.randn(s, generator=g, dtype=dtype) * 10.0 ** (step % 5 - 3) for s in SHAPES]
    if step % 4 == 1:
        found[1] = None
    if step < 3:
        found[2] = None
    return found


def run(optimizer: Any, params: list[torch.Tensor], steps: range, rate: Callable[[int], float],
        ) -> None:
    for step in steps:
        for p, g in zip(params, gradients(step, params[0].dtype), strict=True):
            p.grad = None if g is None else g.clone()
        for group in optimizer.param_groups:
            group["lr"] = rate(step) * group.get("weight_decay", 1.0) ** 0.5
        optimizer.step()


def rate(step: int) -> float:
    return 0.01 * (1 + math.sin(step))


@pytest.mark.parametrize("kwargs", [
    {}, {"betas": (0.0, 0.5)}, {"betas": (0.9, 0.999), "eps": 1e-2}, {"weight_decay": 0.0},
    {"weight_decay": 2.0, "eps": 0.1}])
def test_adamw_is_torchs_over_many_steps(ref: SimpleNamespace, kwargs: dict[str, Any]) -> None:
    ours, theirs = parameters(), parameters()
    defaults = {"betas": (0.9, 0.95), "weight_decay": 0.1}
    run(ref.O.AdamW(ours, lr=0.1, **kwargs), ours, range(200), rate)
    run(torch.optim.AdamW(theirs, lr=0.1, **(defaults | kwargs)), theirs, range(200), rate)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, atol=1e-12, rtol=1e-12)


def test_adamw_in_groups(ref: SimpleNamespace) -> None:
    def groups(params: list[torch.Tensor]) -> list[dict[str, Any]]:
        return [{"params": params[:1], "weight_decay": 0.5, "betas": (0.8, 0.9)},
                {"params": (p for p in params[1:3]), "lr": 0.3, "eps": 1e-3},
                {"params": params[3]}]

    ours, theirs = parameters(), parameters()
    run(ref.O.AdamW(groups(ours), lr=0.1), ours, range(50), rate)
    run(torch.optim.AdamW(groups(theirs), lr=0.1, betas=(0.9, 0.95), weight_decay=0.1), theirs,
        range(50), rate)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, atol=1e-12, rtol=1e-12)


def test_adamw_keeps_float32(ref: SimpleNamespace) -> None:
    ours, theirs = parameters(torch.float32), parameters(torch.float32)
    run(ref.O.AdamW(ours, lr=0.1), ours, range(20), rate)
    run(torch.optim.AdamW(theirs, lr=0.1, betas=(0.9, 0.95), weight_decay=0.1), theirs, range(20),
        rate)
    for a, b in zip(ours, theirs, strict=True):
        assert a.dtype == torch.float32
        torch.testing.assert_close(a, b, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("kind", ["AdamW", "Muon"])
def test_resumes_bit_for_bit(ref: SimpleNamespace, kind: str) -> None:
    def fresh() -> tuple[list[torch.Tensor], Any]:
        params = parameters() if kind == "AdamW" else [parameters()[0]]
        return params, getattr(ref.O, kind)(params, lr=0.1)

    def go(params: list[torch.Tensor], optimizer: Any, steps: range) -> None:
        for step in steps:
            for p, g in zip(params, gradients(step), strict=False):
                p.grad = None if g is None else g.clone()
            optimizer.param_groups[0]["lr"] = rate(step)
            optimizer.step()

    whole, optimizer = fresh()
    go(whole, optimizer, range(12))
    first, before = fresh()
    go(first, before, range(7))
    saved = copy.deepcopy(before.state_dict())
    second, after = fresh()
    with torch.no_grad():
        for p, old in zip(second, first, strict=True):
            p.copy_(old)
    after.load_state_dict(saved)
    go(second, after, range(7, 12))
    go(first, before, range(7, 12))  # what was loaded is a copy
    for a, b, c in zip(whole, first, second, strict=True):
        assert torch.equal(a, b) and torch.equal(a, c)


def test_one_step_by_a_slow_loop(ref: SimpleNamespace) -> None:
    p, g, m = (torch.randn(3, 4, generator=generator(s), dtype=torch.float64) for s in range(3))
    v, step, lr, b1, b2, eps, wd = m.square() + 0.1, 7, 0.03, 0.8, 0.99, 1e-3, 0.7
    new, m_new, v_new = ref.O.adamw_step(p, g, m, v, step, lr, (b1, b2), eps, wd)
    for at in ((i, j) for i in range(3) for j in range(4)):
        mean = b1 * m[at].item() + (1 - b1) * g[at].item()
        square = b2 * v[at].item() + (1 - b2) * g[at].item() ** 2
        move = mean / (1 - b1**step) / (math.sqrt(square / (1 - b2**step)) + eps)
        assert abs(m_new[at].item() - mean) < 1e-14 and abs(v_new[at].item() - square) < 1e-14
        assert abs(new[at].item() - (p[at].item() * (1 - lr * wd) - lr * move)) < 1e-14


@pytest.mark.parametrize("max_norm", [0.3, 1.0, 50.0])
def test_clipping_is_torchs(ref: SimpleNamespace, max_norm: float) -> None:
    ours, theirs = parameters(), parameters()
    for params in (ours, theirs):
        for p, g in zip(params, gradients(5), strict=True):
            p.grad = None if g is None else g.mul(1000).clone()
    found = ref.O.clip_grad_norm((p for p in ours), max_norm)
    wanted = torch.nn.utils.clip_grad_norm_(theirs, max_norm)
    torch.testing.assert_close(found, wanted)
    for a, b in zip(ours, theirs, strict=True):
        assert (a.grad is None) == (b.grad is None)
        if a.grad is not None and b.grad is not None:
            torch.testing.assert_close(a.grad, b.grad, atol=1e-6, rtol=1e-5)


def test_clipping_nothing(ref: SimpleNamespace) -> None:
    assert float(ref.O.clip_grad_norm(parameters(), 1.0)) == 0


@pytest.mark.parametrize("warmup, total", [(4, 10), (0, 7), (5, 5), (1, 2)])
def test_schedule_is_torchs(ref: SimpleNamespace, warmup: int, total: int) -> None:
    peak, floor = 0.3, 0.02
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=peak)
    lr = torch.optim.lr_scheduler
    cosine = lr.CosineAnnealingLR(optimizer, max(total - warmup, 1), eta_min=floor)
    for step in range(warmup, total):
        assert abs(ref.O.warmup_cosine(step, warmup, total, peak, floor)
                   - optimizer.param_groups[0]["lr"]) < 1e-12
        optimizer.step()
        cosine.step()
    for step in range(warmup):
        assert ref.O.warmup_cosine(step, warmup, total, peak, floor) == peak * step / warmup
    for step in (total, total + 1, 10 * total):
        assert ref.O.warmup_cosine(step, warmup, total, peak, floor) == floor


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 5), (1, 3), (3, 1)])
@pytest.mark.parametrize("steps", [0, 1, 5, 9])
def test_orthogonalize_acts_on_singular_values(ref: SimpleNamespace, shape: tuple[int, int],
                                               steps: int) -> None:
    matrix = torch.randn(shape, generator=generator(3), dtype=torch.float64)
    U, s, Vh = torch.linalg.svd(matrix, full_matrices=False)
    s = s / (s.square().sum().sqrt() + 1e-7)
    for _ in range(steps):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    torch.testing.assert_close(ref.O.orthogonalize(matrix, steps), U @ s.diag() @ Vh,
                               atol=1e-11, rtol=1e-11)


def test_orthogonalize_zeros(ref: SimpleNamespace) -> None:
    assert torch.equal(ref.O.orthogonalize(torch.zeros(3, 2)), torch.zeros(3, 2))


@pytest.mark.parametrize("shape", [(6, 4), (4, 6)])
def test_muon_is_torchs(ref: SimpleNamespace, shape: tuple[int, int],
                        monkeypatch: pytest.MonkeyPatch) -> None:
    """torch's own, in float64: it works in bfloat16, which would hide a mistake."""
    module = pytest.importorskip("torch.optim._muon")  # since torch 2.9
    monkeypatch.setattr(torch.Tensor, "bfloat16", lambda self: self.clone())
    ours, theirs = (torch.randn(shape, generator=generator(4), dtype=torch.float64)
                    .requires_grad_() for _ in range(2))
    first = ref.O.Muon([ours], lr=0.05, momentum=0.9, weight_decay=0.2)
    second = module.Muon([theirs], lr=0.05, momentum=0.9, weight_decay=0.2)
    for step in range(20):
        grad = torch.randn(shape, generator=generator(step), dtype=torch.float64)
        ours.grad, theirs.grad = grad.clone(), grad.clone()
        first.step()
        second.step()
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_muon_leaves_what_has_no_gradient(ref: SimpleNamespace) -> None:
    p = torch.ones(2, 3, requires_grad=True)
    ref.O.Muon([p], weight_decay=0.5).step()
    assert torch.equal(p, torch.ones(2, 3))


@pytest.mark.parametrize("make", [
    lambda o, p: o.AdamW([], lr=0.1), lambda o, p: o.AdamW([p], lr=-0.1),
    lambda o, p: o.AdamW([p], lr=0.1, betas=(0.9, 1.0)), lambda o, p: o.AdamW([p, p], lr=0.1),
    lambda o, p: o.AdamW([{"params": [p]}, {"params": [p]}], lr=0.1),
    lambda o, p: o.AdamW([{"params": [p], "momentum": 0.9}], lr=0.1),
    lambda o, p: o.AdamW([p], lr=0.1, eps=-1.0), lambda o, p: o.Muon([p[0]]),
    lambda o, p: o.Muon([p], momentum=1.5), lambda o, p: o.orthogonalize(p[0]),
    lambda o, p: o.adamw_step(p, p, p, p, 0, 0.1, (0.9, 0.9), 1e-8, 0.0),
    lambda o, p: o.adamw_step(p, p[0], p, p, 1, 0.1, (0.9, 0.9), 1e-8, 0.0),
    lambda o, p: o.muon_step(p, p[0], p, 0.1), lambda o, p: o.warmup_cosine(-1, 2, 5, 1.0, 0.0),
    lambda o, p: o.warmup_cosine(1, 6, 5, 1.0, 0.0),
    lambda o, p: o.AdamW([p], lr=0.1).load_state_dict(o.AdamW([p, p + 1], lr=0.1).state_dict()),
])
def test_what_is_refused(ref: SimpleNamespace, make: Callable[..., Any]) -> None:
    with pytest.raises(ValueError):
        make(ref.O, torch.ones(2, 3))


def test_decay_groups(ref: SimpleNamespace) -> None:
    params = parameters()
    found = ref.O.decay_groups(iter(params), 0.3)
    assert [[id(p) for p in g["params"]] for g in found] == [
        [id(params[0]), id(params[2])], [id(params[1]), id(params[3])]]
    assert [g["weight_decay"] for g in found] == [0.3, 0.0]


# the steps of lesson 13, against simulations, sympy's limits and the singular value decomposition
