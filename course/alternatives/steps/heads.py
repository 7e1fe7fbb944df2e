"""Other forms of the right answers to the steps about heads."""

from typing import Any

import numpy as np
import sympy
import torch

from .. import also_right, alternative

PRODUCTS, ENTRIES = "steps.heads.score_products", "steps.heads.score_entries"
RATIO, SHAPES, FITS = "steps.heads.weight_ratio", "steps.heads.shapes", "steps.heads.fits"
GRAD = "steps.heads.shared_gradient"


def form(target: str, text: str) -> None:
    """An expression as a sympy object, made by the same words here and in an answer cell."""
    names = {name: sympy.Symbol(name) for name in ("B", "T", "D", "H", "Hkv")}
    source = (f"__import__('sympy').sympify({text!r}, locals={{n: __import__('sympy').Symbol(n) "
              "for n in ('B', 'T', 'D', 'H', 'Hkv')})")
    also_right(target, sympy.sympify(text, locals=names), source)


also_right("steps.heads.weights_in_all", 4 * 64 * 64)
also_right("steps.heads.score_gib", 32 * 4096**2 * 2 / 2**30)
also_right("steps.heads.out_columns", 4 * 32)
also_right("steps.heads.key_rows", torch.tensor(16), "torch.tensor(16)")


@alternative(PRODUCTS)
def heads_cancel(T: float, D: float, H: float) -> float:
    return D * T**2


@alternative(PRODUCTS)
def head_by_head(T: int, D: int, H: int) -> float:
    return sum(T * T * (D / H) for _ in range(int(H)))


form(PRODUCTS, "T**2 * D")
also_right(PRODUCTS, sympy.Lambda(sympy.symbols("T D H"), sympy.sympify("T**2*D")),
           "__import__('sympy').Lambda(__import__('sympy').symbols('T D H'), "
           "__import__('sympy').sympify('T**2*D'))")
form(PRODUCTS, "H * T * T * (D / H)")


@alternative(ENTRIES)
def of_a_shape(B: int, T: int, D: int, H: int) -> int:
    return torch.Size([int(B), int(H), int(T), int(T)]).numel()


@alternative(ENTRIES)
def product(B: float, T: float, D: float, H: float) -> float:
    return torch.tensor([B, H, T, T]).prod().item()


form(ENTRIES, "B * H * T**2")

STRIDES, VIEW = "steps.heads.strides", "steps.heads.wrong_view"
also_right(STRIDES, (60, 5, 20, 1))
also_right(STRIDES, np.array([60, 5, 20, 1]), "__import__('numpy').array([60, 5, 20, 1])")
also_right(STRIDES, torch.zeros(2, 3, 4, 5).transpose(1, 2).stride(),
           "torch.zeros(2, 3, 4, 5).transpose(1, 2).stride()")
also_right(VIEW, (0, 0, 1, 1))
also_right(VIEW, torch.tensor([0, 0, 1, 1]), "torch.tensor([0, 0, 1, 1])")
also_right(VIEW, [0.0, 0.0, 1.0, 1.0])


@alternative(SHAPES)
def written_out(B: int, T: int, D: int, H: int) -> Any:
    return ((B, T, D), (B, T, D), (B, T, H, D // H), (B, H, T, D // H), (B, H, T, T),
            (B, H, T, T), (B, H, T, T), (B, H, T, T), (B, H, T, D // H), (B, T, D), (B, T, D))


@alternative(SHAPES)
def measured(B: int, T: int, D: int, H: int) -> Any:
    x = torch.zeros(B, T, D)
    q = x @ torch.zeros(D, D)
    cut = q.view(B, T, H, D // H)
    heads = cut.transpose(1, 2)
    s = heads @ heads.mT
    weights = torch.softmax(s, -1)
    out = weights @ heads
    merged = out.transpose(1, 2).flatten(2)
    return [t.shape for t in (x, q, cut, heads, s, s / 2, s, weights, out, merged, merged)]


@alternative(SHAPES)
def true_division(B: int, T: int, D: int, H: int) -> Any:
    Dh = D / H
    rows = [[B, T, D]] * 2 + [[B, T, H, Dh], [B, H, T, Dh]]
    rows += [[B, H, T, T] for _ in range(4)]
    return rows + [rows[3], rows[0], rows[1]]


@alternative(FITS)
def no_rest(D: int, H: int, Hkv: int) -> bool:
    return not (D % H or H % Hkv)


@alternative(FITS)
def multiplied_back(D: int, H: int, Hkv: int) -> bool:
    return D // H * H == D and Hkv * (H // Hkv) == H


@alternative(FITS)
def whole_numbers(D: int, H: int, Hkv: int) -> bool:
    if (D / H).is_integer():
        return (H / Hkv).is_integer()
    return False


SHARED = "steps.heads.key_head_of"
also_right(SHARED, [h // 3 for h in range(6)])
also_right(SHARED, (0, 0, 0, 1, 1, 1))
also_right(SHARED, torch.arange(2).repeat_interleave(3), "torch.arange(2).repeat_interleave(3)")


@alternative(RATIO)
def half_and_half(H: float, Hkv: float) -> float:
    return 0.5 + 0.5 * Hkv / H


@alternative(RATIO)
def with_a_width(H: float, Hkv: float) -> float:
    Dh = 16
    D = H * Dh
    return (D * D + 2 * D * Hkv * Dh + D * D) / (4 * D * D)


@alternative(RATIO)
def fraction(H: float, Hkv: float) -> Any:
    return __import__("fractions").Fraction(int(H + Hkv), int(2 * H))


form(RATIO, "(H + Hkv) / (2 * H)")


@alternative(GRAD)
def loop(grad: torch.Tensor, n_rep: int) -> torch.Tensor:
    B, H, S, Dh = grad.shape
    out = torch.zeros(B, H // n_rep, S, Dh, dtype=grad.dtype)
    for h in range(H):
        out[:, h // n_rep] += grad[:, h]
    return out


@alternative(GRAD)
def by_autograd(grad: torch.Tensor, n_rep: int) -> torch.Tensor:
    B, H, S, Dh = grad.shape
    k = torch.zeros(B, H // n_rep, S, Dh, dtype=grad.dtype, requires_grad=True)
    return torch.autograd.grad(k.repeat_interleave(n_rep, 1), k, grad)[0]


@alternative(GRAD)
def pieces(grad: torch.Tensor, n_rep: int) -> torch.Tensor:
    return torch.stack([g.sum(1) for g in torch.split(grad, n_rep, dim=1)], 1)


@alternative(GRAD)
def einsum(grad: torch.Tensor, n_rep: int) -> torch.Tensor:
    return torch.einsum("bknsd->bksd", grad.reshape(grad.shape[0], -1, n_rep, *grad.shape[2:]))


@alternative(GRAD)
def index_add(grad: torch.Tensor, n_rep: int) -> torch.Tensor:
    out = torch.zeros_like(grad[:, ::n_rep])
    return out.index_add(1, torch.arange(grad.shape[1]) // n_rep, grad)
