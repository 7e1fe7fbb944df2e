"""The derivation steps of lesson 13, worked out another way."""

from types import SimpleNamespace
from typing import Any

import torch

from .conftest import normal

MODULES = {"O": "minillm.optim"} | {
    topic: f"steps.{topic}" for topic in ("descent", "adamw", "clipping", "muon")}


def averaged(gradients: list[float], beta: float) -> float:
    m = 0.0
    for g in gradients:
        m = beta * m + (1 - beta) * g
    return m


def test_steps_of_averages(ref: SimpleNamespace) -> None:
    for beta, i, t in ((0.9, 2, 6), (0.5, 1, 1), (0.7, 5, 5)):
        one = [float(k == i) for k in range(1, t + 1)]
        assert abs(ref.adamw.weight_of(beta, i, t) - averaged(one, beta)) < 1e-14
        assert abs(ref.adamw.constant_gradient(3.0, beta, t) - averaged([3.0] * t, beta)) < 1e-14
        assert abs(averaged([3.0] * t, beta) / ref.adamw.divisor(beta, t) - 3.0) < 1e-12
    noise = normal(400, 20_000)
    m = torch.zeros(20_000, dtype=torch.float64)
    for g in noise:
        m = 0.8 * m + 0.2 * g
    assert abs(m.var().item() / ref.descent.noise_left(0.8) - 1) < 0.05
    b = torch.zeros(())
    for _ in range(400):
        b = 0.9 * b + 2.0
    assert abs(b.item() - ref.descent.terminal(2.0, 0.9)) < 1e-3


def test_steps_of_descent(ref: SimpleNamespace) -> None:
    w = torch.tensor([1.0, 1.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.03)
    (0.5 * (torch.tensor([1.0, 50.0]) * w.square()).sum()).backward()
    optimizer.step()
    assert abs(w[1].item() - ref.descent.shrink(0.03, 50.0)) < 1e-12
    assert abs(abs(ref.descent.shrink(ref.descent.largest_rate, 50.0)) - 1) < 1e-12
    assert abs(ref.descent.shrink(ref.descent.largest_rate, 1.0)) < 1

    def path(average: bool, lr: float) -> torch.Tensor:
        w, kept = torch.tensor([1.0, 2.0], dtype=torch.float64), torch.zeros(2).double()
        for _ in range(30):
            g = torch.tensor([1.0, 5.0]).double() * w
            kept = 0.9 * kept + (0.1 if average else 1.0) * g
            w = w - lr * kept
        return w

    torch.testing.assert_close(path(False, 0.05), path(True, ref.descent.same_path(0.05, 0.9)))


def first_step(optimizer: type, w: float, g: float, **settings: Any) -> float:
    """How far torch's optimiser moves w at its first step, in units of lr."""
    p = torch.tensor([w], dtype=torch.float64, requires_grad=True)
    p.grad = torch.tensor([g], dtype=torch.float64)
    optimizer([p], lr=1e-3, **settings).step()
    return (w - p.item()) / 1e-3


def test_steps_of_adamw(ref: SimpleNamespace) -> None:
    s = ref.adamw
    for g in (3.0, -0.02):
        assert abs(first_step(torch.optim.Adam, 0.0, g, eps=0.0) - s.first_direction(g)) < 1e-9
    assert abs(first_step(torch.optim.Adam, 0.0, 1e-8, eps=1e-8) - s.tiny_gradient) < 1e-9
    assert abs(first_step(torch.optim.AdamW, 5.0, 1e-3, weight_decay=0.1, eps=0.0)
               - s.decoupled) < 1e-9
    assert abs(first_step(torch.optim.Adam, 5.0, 1e-3, weight_decay=0.1, eps=0.0)
               - s.coupled) < 1e-9
    m, v = averaged([1.0], 0.9), averaged([1.0], 0.95)
    assert abs(m / v**0.5 - s.first_raw) < 1e-12 and abs(1 / v**0.5 - s.first_half) < 1e-12
    p = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.AdamW([p], lr=0.1, weight_decay=0.7)
    for _ in range(6):
        p.grad = torch.zeros(1, dtype=torch.float64)
        optimizer.step()
    assert abs(p.item() - s.left_after(2.0, 0.1, 0.7, 6)) < 1e-12
    p = torch.zeros(10, requires_grad=True)
    p.grad = torch.ones(10)
    optimizer = torch.optim.AdamW([p])
    optimizer.step()
    moments = [x for x in optimizer.state[p].values() if x.shape == p.shape]
    assert sum(x.nbytes for x in (p, p.grad, *moments)) / 10 == s.bytes_per_parameter


def test_steps_of_clipping(ref: SimpleNamespace) -> None:
    params = [torch.zeros(2, requires_grad=True), torch.zeros(1, requires_grad=True)]
    params[0].grad, params[1].grad = torch.tensor([3.0, 0.0]), torch.tensor([4.0])
    torch.nn.utils.clip_grad_norm_(params, 1.0)
    assert abs(params[0].grad.norm().item() - ref.clipping.clipped) < 1e-6
    optimizer = torch.optim.SGD(params, lr=2e-3)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 1000, eta_min=2e-4)
    for _ in range(500):
        optimizer.step()
        cosine.step()
    assert abs(optimizer.param_groups[0]["lr"] - ref.clipping.halfway) < 1e-9


def test_steps_of_muon(ref: SimpleNamespace) -> None:
    s = ref.muon
    X = normal(4, 6, seed=5)
    A = X @ X.mT
    found = torch.linalg.svdvals(3 * X + (0.5 * A + 0.25 * A @ A) @ X)
    wanted = [s.next_sigma(x, 3.0, 0.5, 0.25) for x in torch.linalg.svdvals(X).tolist()]
    torch.testing.assert_close(found, torch.tensor(wanted, dtype=torch.float64))
    p, q = s.cubic
    e = 1e-4
    assert abs(p + q - 1) < 1e-12
    assert abs((p * (1 - e) + q * (1 - e) ** 3) - 1) < 2 * e**2
    tiny = 1e-9
    for _ in range(5):
        tiny = s.next_sigma(tiny, 3.4445, -4.7750, 2.0315)
    assert abs(tiny / 1e-9 / s.growth - 1) < 1e-9
    for rows, columns in ((8, 3), (3, 8), (5, 5)):
        U, _, Vh = torch.linalg.svd(normal(rows, columns, seed=6).float(), full_matrices=False)
        size = (U @ Vh).square().mean().sqrt().item()
        assert abs(size - s.entry_size(rows, columns)) < 1e-6
    assert s.overhead(128, 1024, 5) == 5 * 3 * 128**3 / (3 * 1024 * 128**2)
