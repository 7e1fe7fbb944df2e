"""The reference of `minillm.mlp` against torch's own layers, finite differences, and slow loops."""

from typing import Any

import numpy as np
import pytest
import scipy.optimize
import sympy
import torch

MODULES = {"mlp": "minillm.mlp", "B": "steps.backprop", "D": "steps.differences"}
SIZES = [(5, 3, 4, 2), (1, 2, 3, 1), (7, 4, 6, 3), (3, 3, 3, 3), (4, 1, 1, 1)]
NAMES = ("W1", "b1", "W2", "b2")


def network(B: int, i: int, h: int, o: int, dtype: str = "float64") -> tuple[list[Any], Any, Any]:
    rng = np.random.default_rng(B + 10 * i + 100 * h)
    shapes = ((h, i), h, (o, h), o, (B, i), (B, o))
    *weights, x, y = (rng.normal(size=s).astype(dtype) for s in shapes)
    return weights, x, y


def of_torch(weights: list[Any], x: Any, y: Any) -> tuple[Any, float, list[Any]]:
    """ŷ, loss, and all gradients with that of x last."""
    i, h, o = x.shape[1], len(weights[1]), y.shape[1]
    net = torch.nn.Sequential(torch.nn.Linear(i, h), torch.nn.ReLU(), torch.nn.Linear(h, o))
    net.to(torch.tensor(x).dtype)
    with torch.no_grad():
        for p, w in zip(net.parameters(), weights, strict=True):
            p.copy_(torch.tensor(w))
    inputs = torch.tensor(x, requires_grad=True)
    out = net(inputs)
    loss = torch.nn.functional.mse_loss(out, torch.tensor(y), reduction="sum") / 2
    grads = torch.autograd.grad(loss, [*net.parameters(), inputs])
    return out.detach().numpy(), loss.item(), [g.numpy() for g in grads]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_network_and_its_gradients_are_torchs(ref: Any, sizes: Any, dtype: str) -> None:
    weights, x, y = network(*sizes, dtype=dtype)
    params = ref.mlp.MLPParams(*weights)
    yhat, cache = ref.mlp.forward(params, x)
    grads, dx = ref.mlp.backward(params, cache, y)
    out, loss, theirs = of_torch(weights, x, y)
    tol = 1e-12 if dtype == "float64" else 2e-5
    np.testing.assert_allclose(yhat, out, atol=tol, rtol=tol)
    assert ref.mlp.loss(yhat, y) == pytest.approx(loss, rel=tol)
    for ours, other in zip([*vars(grads).values(), dx], theirs, strict=True):
        assert ours.dtype == dtype and ours.shape == other.shape
        np.testing.assert_allclose(ours, other, atol=tol, rtol=tol)


@pytest.mark.parametrize("sizes", SIZES[:3])
def test_gradients_are_those_of_finite_differences(ref: Any, sizes: Any) -> None:
    weights, x, y = network(*sizes)
    flat = np.concatenate([w.ravel() for w in (*weights, x)])
    cuts = np.cumsum([w.size for w in weights])

    def loss(numbers: Any) -> float:
        pieces = [p.reshape(w.shape) for p, w in zip(np.split(numbers, cuts), (*weights, x),
                                                     strict=True)]
        hidden = np.maximum(np.einsum("hi,bi->bh", pieces[0], pieces[4]) + pieces[1], 0)
        return float(((np.einsum("oh,bh->bo", pieces[2], hidden) + pieces[3] - y) ** 2).sum() / 2)

    params = ref.mlp.MLPParams(*weights)
    grads, dx = ref.mlp.backward(params, ref.mlp.forward(params, x)[1], y)
    ours = np.concatenate([g.ravel() for g in (*vars(grads).values(), dx)])
    np.testing.assert_allclose(ours, scipy.optimize.approx_fprime(flat, loss, 1e-7), atol=1e-4)
    central = ref.mlp.numerical_gradient(loss, flat)
    np.testing.assert_allclose(ours, central, atol=1e-7)


def test_relu_is_flat_at_zero(ref: Any) -> None:
    weights = [np.array([[1.0], [-2.0]]), np.zeros(2), np.array([[3.0, 5.0]]), np.zeros(1)]
    x, y = np.zeros((1, 1)), np.ones((1, 1))
    params = ref.mlp.MLPParams(*weights)
    grads, dx = ref.mlp.backward(params, ref.mlp.forward(params, x)[1], y)
    for ours, theirs in zip([*vars(grads).values(), dx], of_torch(weights, x, y)[2], strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("leading", [(), (5,), (2, 5), (3, 1, 2)])
@pytest.mark.parametrize("sizes", [(4, 2), (3, 3), (1, 5)])
def test_linear_backward_is_a_slow_loop(ref: Any, leading: Any, sizes: Any) -> None:
    i, o = sizes
    rng = np.random.default_rng(1)
    x, W, grad = rng.normal(size=(*leading, i)), rng.normal(size=(o, i)), rng.normal(
        size=(*leading, o))
    dx, dW, db = ref.mlp.linear_backward(x, W, grad)
    slow_x, slow_W, slow_b = np.zeros_like(x), np.zeros_like(W), np.zeros(o)
    for at in np.ndindex(*leading):
        for out in range(o):
            slow_b[out] += grad[(*at, out)]
            for into in range(i):
                slow_W[out, into] += grad[(*at, out)] * x[(*at, into)]
                slow_x[(*at, into)] += grad[(*at, out)] * W[out, into]
    for ours, slow in ((dx, slow_x), (dW, slow_W), (db, slow_b)):
        np.testing.assert_allclose(ours, slow, atol=1e-12)
        assert ours.shape == slow.shape


def test_linear_backward_is_torchs_over_batch_and_time(ref: Any) -> None:
    layer = torch.nn.Linear(4, 3).double()
    x = torch.randn(2, 5, 4, dtype=torch.float64, requires_grad=True)
    grad = torch.randn(2, 5, 3, dtype=torch.float64)
    theirs = torch.autograd.grad(layer(x), [x, layer.weight, layer.bias], grad)
    ours = ref.mlp.linear_backward(x.detach().numpy(), layer.weight.detach().numpy(), grad.numpy())
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


def test_numerical_gradient_steps_to_both_sides(ref: Any) -> None:
    met: list[list[float]] = []

    def f(a: Any) -> float:
        met.append(a.ravel().tolist())
        return float((a**2).sum())

    array = np.array([[1.0, 4.0]])
    slopes = ref.mlp.numerical_gradient(f, array, eps=0.5)
    assert sorted(met) == [[0.5, 4.0], [1.0, 3.5], [1.0, 4.5], [1.5, 4.0]]
    np.testing.assert_allclose(slopes, 2 * array)
    np.testing.assert_array_equal(array, [[1.0, 4.0]])
    assert ref.mlp.numerical_gradient(f, array.astype("float32"), eps=0.5).dtype == "float32"
    x = np.linspace(0.5, 2, 4)
    np.testing.assert_allclose(ref.mlp.numerical_gradient(lambda a: np.log(a).sum(), x), 1 / x,
                               atol=1e-9)
    for read in (lambda a: a.sum(), lambda a: a):  # a view of the moved array is read at once
        assert ref.mlp.numerical_gradient(read, np.array(2.0), eps=0.5) == 1.0


def test_sgd_is_torchs(ref: Any) -> None:
    weights, x, y = network(*SIZES[0])
    grads = of_torch(weights, x, y)[2][:4]
    parameters = [torch.nn.Parameter(torch.tensor(w)) for w in weights]
    for p, g in zip(parameters, grads, strict=True):
        p.grad = torch.tensor(g)
    torch.optim.SGD(parameters, lr=0.3).step()
    params, before = ref.mlp.MLPParams(*weights), [w.copy() for w in weights]
    moved = ref.mlp.sgd_step(params, ref.mlp.MLPParams(*grads), 0.3)
    for name, p, w, old in zip(NAMES, parameters, weights, before, strict=True):
        np.testing.assert_allclose(getattr(moved, name), p.detach(), atol=1e-15)
        np.testing.assert_array_equal(w, old)


def test_what_cannot_be_meant_is_refused_with_its_numbers(ref: Any) -> None:
    weights, x, y = network(*SIZES[0])
    params = ref.mlp.MLPParams(*weights)
    _, cache = ref.mlp.forward(params, x)
    for wrong in (x[:, :2], x[0]):
        with pytest.raises(ValueError, match=r"\(4, 3\)"):
            ref.mlp.forward(params, wrong)
    with pytest.raises(ValueError, match=r"\(3, 1\).*\(3,\)"):
        ref.mlp.loss(np.ones((3, 1)), np.ones(3))
    for wrong in (y[:, :1], y[:, 0]):
        with pytest.raises(ValueError, match=r"\(2,\)"):
            ref.mlp.backward(params, cache, wrong)
    with pytest.raises(ValueError, match=r"\(5, 3\).*\(4, 3\).*\(5, 2\)"):
        ref.mlp.linear_backward(x, weights[0], y)
    with pytest.raises(ValueError, match="int64"):
        ref.mlp.numerical_gradient(lambda a: float(a.sum()), np.array([1, 2]))


def test_steps_of_the_example_are_autograds(ref: Any) -> None:
    leaves = {name: torch.tensor(value, dtype=torch.float64, requires_grad=True)
              for name, value in {"x": [2, -1], "W1": [[1, -1], [2, 3], [-1, 1]], "b1": [1, 1, 0],
                                  "W2": [[-1, 2, -3]], "b2": [1]}.items()}
    z1 = leaves["W1"] @ leaves["x"] + leaves["b1"]
    h = torch.relu(z1)
    yhat = leaves["W2"] @ h + leaves["b2"]
    L = 0.5 * (yhat - 4).pow(2).sum()
    made = {"z1": z1, "h": h, "yhat": yhat, "L": L}
    for name, value in made.items():
        np.testing.assert_allclose(np.ravel(getattr(ref.B, name)), value.detach().ravel())
    named = leaves | {k: v for k, v in made.items() if k != "L"}
    grads = torch.autograd.grad(L, list(named.values()))
    for name, grad in zip(named, grads, strict=True):
        ours = np.array(getattr(ref.B, f"d{name}"))
        np.testing.assert_allclose(ours.ravel(), grad.ravel())
        assert ours.ndim < 2 or ours.shape == grad.shape
    optimiser = torch.optim.SGD([leaves["W2"]], lr=0.01)
    L_again = 0.5 * (leaves["W2"] @ h.detach() + 1 - 4).pow(2).sum()
    L_again.backward()
    optimiser.step()
    np.testing.assert_allclose(ref.B.W2_after, leaves["W2"].detach())


def test_steps_about_shapes(ref: Any) -> None:
    X, W = torch.randn(5, 3), torch.randn(3, 2, requires_grad=True)
    dY = torch.randn(5, 2)
    grad, = torch.autograd.grad(X @ W, W, dY)
    torch.testing.assert_close(grad, X.T @ dY)
    assert ref.B.other_layout == "c" and ref.B.which_W2 == "b"
    layer = torch.nn.Linear(4, 3)
    db, = torch.autograd.grad(layer(torch.randn(2, 5, 4)).sum(), layer.bias)
    assert db.tolist() == [ref.B.terms_in_db] * 3


def test_steps_by_sympy(ref: Any) -> None:
    x, eps, dy = sympy.symbols("x eps dy")
    f = x**3
    slope = sympy.diff(f, x).subs(x, 1)
    one = (f.subs(x, 1 + eps) - f.subs(x, 1)) / eps - slope
    both = (f.subs(x, 1 + eps) - f.subs(x, 1 - eps)) / (2 * eps) - slope
    assert sympy.simplify(one - ref.D.forward_error(eps)) == 0
    assert sympy.simplify(both - ref.D.central_error(eps)) == 0
    assert (max(0, 0.25) - max(0, -0.25)) / 0.5 == ref.D.at_the_kink
    g = sympy.Function("g")
    found = dy * sympy.diff(x + g(x), x)
    assert sympy.simplify(found - ref.B.residual_slope(dy, sympy.diff(g(x), x))) == 0
