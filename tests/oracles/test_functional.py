"""The reference of lesson 01 against things that share no code with it: scipy, slow loops in
plain Python, torch's own functions, finite differences, sympy."""

import math
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.special
import sympy
import torch
from torch.autograd import gradcheck

from .conftest import normal

MODULES = {"F": "minillm.functional", "S": "steps.softmax", "C": "steps.cross_entropy"}
DIMS = [-1, 0, 1, 2, -2]


def slow_loss(logits: Any, targets: Any, ignore: int = -100) -> float:
    """Mean −log p, token by token, in plain Python."""
    losses = []
    for z, y in zip(logits.reshape(-1, logits.shape[-1]).tolist(), targets.reshape(-1).tolist(),
                    strict=True):
        if y != ignore:
            top = max(z)
            losses.append(top - z[y] + math.log(math.fsum(math.exp(v - top) for v in z)))
    return math.fsum(losses) / len(losses)


def differences(f: Callable[[Any], Any], x: Any, eps: float = 1e-6) -> Any:
    """∂f(x)[i]/∂x[j] by central differences, for NumPy arrays of one dimension."""
    steps = np.eye(len(x)) * eps
    return np.stack([(f(x + h) - f(x - h)) / (2 * eps) for h in steps], axis=-1)


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("scale", [1.0, 30.0, 1e4])
def test_softmax_and_its_log_are_scipys(ref: Any, dim: int, scale: float) -> None:
    x = scale * normal(2, 3, 5)
    for ours, theirs in ((ref.F.softmax, scipy.special.softmax),
                         (ref.F.log_softmax, scipy.special.log_softmax)):
        np.testing.assert_allclose(ours(x, dim), theirs(x.numpy(), axis=dim), rtol=1e-12, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_dtype_is_kept_and_logits_of_1e4_are_finite(ref: Any, dtype: torch.dtype) -> None:
    x = torch.tensor([[1e4, -1e4, 0.0], [9e3, 9e3, -1e4]], dtype=dtype)
    for f in (ref.F.softmax, ref.F.log_softmax, ref.F.sparsemax):
        assert f(x).dtype == dtype and f(x).isfinite().all()
    torch.testing.assert_close(ref.F.softmax(x), torch.softmax(x, -1))
    targets = torch.tensor([1, 2])
    assert ref.F.cross_entropy(x, targets).dtype == dtype
    assert ref.F.cross_entropy_grad(x, targets).dtype == dtype
    assert ref.F.softmax_jacobian(torch.softmax(x[0], 0)).dtype == dtype


@pytest.mark.parametrize("dim", DIMS)
def test_forward_functions_have_the_gradient_of_finite_differences(ref: Any, dim: int) -> None:
    x = normal(2, 3, 4, seed=3).requires_grad_()
    for f in (ref.F.softmax, ref.F.log_softmax, ref.F.sparsemax):
        assert gradcheck(lambda z, f=f: f(z, dim), x)
    targets = torch.tensor([[0, -100, 3], [1, 2, -100]])
    assert gradcheck(lambda z: ref.F.cross_entropy(z, targets), x)


def test_masked_scores_get_nothing_and_pass_no_nan(ref: Any) -> None:
    x = torch.tensor([1.0, -torch.inf, 0.3], requires_grad=True)
    p = ref.F.softmax(x)
    assert p[1] == 0
    for out in (p, ref.F.log_softmax(x)[[0, 2]], ref.F.sparsemax(x),
                ref.F.cross_entropy(x[None], torch.tensor([0]))):
        grad, = torch.autograd.grad(out.flatten()[0], x)
        assert grad[1] == 0 and grad.isfinite().all()
    assert ref.F.softmax(torch.full((3,), -torch.inf)).isnan().all()


@pytest.mark.parametrize("seed", range(8))
def test_sparsemax_finds_the_threshold_that_brentq_finds(ref: Any, seed: int) -> None:
    x = normal(7, seed=seed) * (0.2 + seed)
    z = x.numpy()
    tau = scipy.optimize.brentq(lambda t: np.maximum(z - t, 0).sum() - 1, z.max() - 1, z.max(),
                                xtol=1e-15)
    np.testing.assert_allclose(ref.F.sparsemax(x), np.maximum(z - tau, 0), atol=1e-12)


def test_sparsemax_is_the_nearest_distribution(ref: Any) -> None:
    x = normal(5, seed=2).numpy()
    ours = ref.F.sparsemax(torch.tensor(x)).numpy()
    found = scipy.optimize.minimize(
        lambda p: ((p - x) ** 2).sum(), np.full(5, 0.2), jac=lambda p: 2 * (p - x), method="SLSQP",
        bounds=[(0, 1)] * 5, constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        options={"ftol": 1e-15})
    np.testing.assert_allclose(ours, found.x, atol=1e-6)


@pytest.mark.parametrize("dim", DIMS)
def test_sparsemax_along_a_dimension_is_that_of_each_row(ref: Any, dim: int) -> None:
    x = normal(2, 3, 4, seed=4)
    whole = ref.F.sparsemax(x, dim).movedim(dim, -1).reshape(-1, x.shape[dim])
    for row, made in zip(x.movedim(dim, -1).reshape(-1, x.shape[dim]), whole, strict=True):
        torch.testing.assert_close(ref.F.sparsemax(row), made, rtol=0, atol=1e-14)


def test_jacobian_is_that_of_finite_differences(ref: Any) -> None:
    z = normal(6).numpy()
    found = differences(scipy.special.softmax, z)
    J = ref.F.softmax_jacobian(torch.tensor(scipy.special.softmax(z)))
    np.testing.assert_allclose(J, found, atol=1e-9)
    assert np.linalg.matrix_rank(J) == 5


@pytest.mark.parametrize("dim", DIMS)
def test_vjp_is_autograds(ref: Any, dim: int) -> None:
    z = normal(2, 3, 4).requires_grad_()
    grad = normal(2, 3, 4, seed=1)
    p = torch.softmax(z, dim)
    expected, = torch.autograd.grad(p, z, grad)
    torch.testing.assert_close(ref.F.softmax_vjp(p.detach(), grad, dim), expected)


def test_vjp_is_the_product_with_the_jacobian(ref: Any) -> None:
    p, g = torch.softmax(normal(5), 0), normal(5, seed=1)
    J = ref.F.softmax_jacobian(p)
    torch.testing.assert_close(ref.F.softmax_vjp(p, g), J.T @ g)
    torch.testing.assert_close(ref.F.softmax_vjp(p, g + 7), J.T @ g)


TARGETS = {(4,): [2, 0, -100, 2], (2, 3): [[1, -100, 4], [0, -100, -100]], (): 3,
           (2, 1, 2): [[[0, 1]], [[4, -100]]]}


@pytest.mark.parametrize("shape", TARGETS)
@pytest.mark.parametrize("ignore", [-100, 0, 2])
def test_loss_and_gradient_are_those_of_a_slow_loop(ref: Any, shape: Any, ignore: int) -> None:
    logits, targets = normal(*shape, 5, seed=5), torch.tensor(TARGETS[shape])
    targets = targets.masked_fill(targets == -100, ignore)
    expected = slow_loss(logits, targets, ignore)
    assert ref.F.cross_entropy(logits, targets, ignore).item() == pytest.approx(expected, rel=1e-13)

    def loss(flat: Any) -> float:
        return slow_loss(flat.reshape(logits.shape), targets, ignore)

    found = differences(loss, logits.numpy().ravel()).reshape(logits.shape)
    np.testing.assert_allclose(ref.F.cross_entropy_grad(logits, targets, ignore), found, atol=1e-9)


def test_loss_and_gradient_are_torchs(ref: Any) -> None:
    logits = (20 * normal(3, 4, 9, seed=6)).requires_grad_()
    targets = torch.arange(12).view(3, 4) % 9
    targets[0, 1] = targets[2, 3] = -100
    theirs = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
    torch.testing.assert_close(ref.F.cross_entropy(logits, targets), theirs)
    grad, = torch.autograd.grad(theirs, logits)
    torch.testing.assert_close(ref.F.cross_entropy_grad(logits.detach(), targets), grad)


def test_inputs_are_left_alone(ref: Any) -> None:
    x, g = normal(2, 3), normal(2, 3, seed=1)
    targets = torch.tensor([2, -100])
    p = torch.softmax(x, -1)
    calls = [(ref.F.softmax, x), (ref.F.log_softmax, x), (ref.F.sparsemax, x),
             (ref.F.softmax_jacobian, p[0]), (ref.F.softmax_vjp, p, g),
             (ref.F.cross_entropy, x, targets), (ref.F.cross_entropy_grad, x, targets)]
    for f, *inputs in calls:
        before = [i.clone() for i in inputs]
        f(*inputs)
        assert all(torch.equal(a, b) for a, b in zip(before, inputs, strict=True)), f.__name__


def test_what_cannot_be_meant_is_refused_with_its_numbers(ref: Any) -> None:
    x = normal(2, 3)
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        ref.F.softmax_jacobian(x)
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(3,\)"):
        ref.F.softmax_vjp(x, x[0])
    for f in (ref.F.cross_entropy, ref.F.cross_entropy_grad):
        with pytest.raises(ValueError, match=r"\(3,\).*\(2, 3\)"):
            f(x, torch.tensor([0, 1, 2]))
        for bad in (3, -1):
            with pytest.raises(ValueError, match=rf"target {bad} .* 2"):
                f(x, torch.tensor([0, bad]))


# The derivation steps, by sympy from the definitions alone

z = sympy.symbols("z0:3", real=True)
S = sum(map(sympy.exp, z))
p = [sympy.exp(each) / S for each in z]


def is_zero(expression: Any) -> bool:
    return bool(sympy.simplify(expression) == 0)


def test_steps_of_the_jacobian(ref: Any) -> None:
    assert is_zero(sympy.diff(p[0], z[0]) - ref.S.diagonal(p[0]))
    assert is_zero(sympy.diff(p[0], z[1]) + p[0] * p[1]) and ref.S.off_diagonal == "b"
    at = {z[i]: math.log(v) for i, v in enumerate((0.7, 0.2, 0.1))}
    row = [float(sympy.diff(p[0], each).subs(at)) for each in z]
    assert row == pytest.approx(ref.S.first_row)
    assert is_zero(p[0].subs({each: each + 5 for each in z}, simultaneous=True) - p[0])
    assert ref.S.shift == "b"


def test_step_of_the_product(ref: Any) -> None:
    g = sympy.symbols("g0:3")
    m = sum(a * b for a, b in zip(p, g, strict=True))
    for i in range(3):
        through_all = sum(sympy.diff(p[j], z[i]) * g[j] for j in range(3))
        assert is_zero(through_all - ref.S.vjp_entry(p[i], g[i], m))


def test_step_of_the_norm(ref: Any) -> None:
    grid = np.linspace(0, 1, 41)
    norms = [np.linalg.norm(np.diag(q) - np.outer(q, q), 2)
             for a, b in product(grid, grid) if a + b <= 1 for q in [np.array([a, b, 1 - a - b])]]
    assert max(norms) == pytest.approx(ref.S.largest_norm)


def test_steps_of_the_loss(ref: Any) -> None:
    at = {z[0]: 0.3, z[1]: -1.0, z[2]: 2.0}
    z_y, total = 0.3, float(S.subs(at))
    assert float(-sympy.log(p[0]).subs(at)) == pytest.approx(ref.C.token_loss(z_y, total))
    slope = float(sympy.diff(sympy.log(S), z[0]).subs(at))
    assert slope == pytest.approx(ref.C.log_sum_slope(z_y, total))
    for i in range(3):
        found = sympy.diff(-sympy.log(p[1]), z[i])
        assert is_zero(found - ref.C.logit_slope(p[i], int(i == 1)))
    assert ref.C.uniform_loss(7) == pytest.approx(slow_loss(torch.zeros(1, 7), torch.tensor([4])))


def test_step_of_the_squared_error(ref: Any) -> None:
    y = sympy.Symbol("y")
    sigmoid = 1 / (1 + sympy.exp(-z[0]))
    found = sympy.diff((sigmoid - y) ** 2 / 2, z[0])
    assert is_zero(found - ref.C.squared_slope(sigmoid, y))


def test_steps_that_are_counted_or_chosen(ref: Any) -> None:
    targets = torch.tensor([[3, 5, 0, 6, -100], [-100, 1, 2, -100, 8]])
    assert int((targets != -100).sum()) == ref.C.divisor
    q, g = torch.eye(4)[2], normal(4, dtype=torch.float32)
    assert not ref.F.softmax_vjp(q, g).any() and ref.S.one_hot == "c"
    logits, target = normal(1, 5), torch.tensor([3])
    after = logits - ref.F.cross_entropy_grad(logits, target)
    assert (after > logits)[0].tolist() == [False, False, False, True, False]
    assert ref.C.moves == "c"


def test_larger_scores_saturate(ref: Any) -> None:
    z = torch.tensor([1.0, 0.4, -0.5], dtype=torch.float64)
    norms = [torch.linalg.matrix_norm(ref.F.softmax_jacobian(ref.F.softmax(s * z)), 2)
             for s in (4, 8, 16, 32)]
    assert all(b < a for a, b in pairwise(norms))
