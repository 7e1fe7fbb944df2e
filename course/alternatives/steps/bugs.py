"""Other forms of the right answers to the steps that find broken attention layers."""

import math

import torch

from .. import also_right, alternative

REACH, BLOCK = "steps.bugs.reach", "steps.bugs.block"
also_right("steps.bugs.divisor", math.sqrt(32))
also_right("steps.bugs.divisor", 5.66)
also_right("steps.bugs.hand_weight", 3 / 4)
also_right("steps.bugs.in_a", "D")


@alternative(REACH)
def row_by_row(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    x = x.clone().requires_grad_()
    out = layer(x)[0]
    T, D = out.shape
    found = torch.zeros(T, T, dtype=x.dtype)
    for t in range(T):
        for i in range(D):
            slope, = torch.autograd.grad(out[t, i], x, retain_graph=True)
            found[t] = torch.maximum(found[t], slope[0].abs().max(-1).values)
    return found


@alternative(REACH)
def autograds_jacobian(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    J = torch.autograd.functional.jacobian(layer, x)  # type: ignore[no-untyped-call]
    return torch.as_tensor(J).squeeze(3).squeeze(0).abs().max(-1).values.max(1).values


@alternative(REACH)
def forward_mode(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    J = torch.func.jacfwd(lambda z: layer(z[None])[0])(x[0])
    return torch.einsum("tisj->tsij", J).abs().flatten(2).amax(-1)


@alternative(BLOCK)
def named(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    gathered = attention(norm_1(x))
    line = x + gathered
    change = feed_forward(norm_2(line))
    return line + change


@alternative(BLOCK)
def one_expression(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    return (h := attention(norm_1(x)) + x) + feed_forward(norm_2(h))


@alternative(BLOCK)
def in_a_loop(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    for norm, branch in ((norm_1, attention), (norm_2, feed_forward)):
        x = torch.add(x, branch(norm(x)))
    return x
