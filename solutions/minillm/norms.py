"""Norms that keep the size of a vector in check, and the sizes that weights start with.

Every norm works on the last dimension, of width D, and on each token by itself. Letters: `weight`
is the gain (γ in papers), `bias` the offset (β); "..." is any leading dimensions.
"""

import math

import torch

RESIDUAL = ("out_proj", "down_proj")  # the linear layers that end a residual branch


def check_width(x: torch.Tensor, *parts: torch.Tensor | None) -> None:
    """Refuse a gain or an offset that is not [D] for `x` [..., D]; raises ValueError."""
    for part in parts:
        if part is not None and part.shape != x.shape[-1:]:
            raise ValueError(f"x has shape {tuple(x.shape)}, and a parameter of its norm has "
                             f"{tuple(part.shape)}")


def layer_norm(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, eps: float = 1e-5
) -> torch.Tensor:
    """Give (x − mean) / √(variance + eps) · weight + bias, over the last dimension.

    `x` [..., D], `weight` and `bias` [D] → [..., D], same dtype. The variance is divided by D, not
    by D − 1. `bias=None` adds nothing. Raises ValueError when a parameter is not [D].
    Source: Ba, Kiros and Hinton (2016).
    """
    check_width(x, weight, bias)  # given, in minillm/norms.py
    ### BEGIN SOLUTION
    centred = x - x.mean(-1, keepdim=True)
    variance = centred.square().mean(-1, keepdim=True)  # (..., 1)
    out = centred / (variance + eps).sqrt() * weight
    return out if bias is None else out + bias
    ### END SOLUTION


def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    """Give x / √(mean of x² + eps) · weight, over the last dimension. No mean is subtracted.

    `x` [..., D], `weight` [D] → [..., D], same dtype. Raises ValueError when `weight` is not [D].
    Source: Zhang and Sennrich (2019).
    """
    check_width(x, weight)  # given, in minillm/norms.py
    ### BEGIN SOLUTION
    mean_square = x.square().mean(-1, keepdim=True)  # (..., 1)
    return x / (mean_square + eps).sqrt() * weight
    ### END SOLUTION


def rms_norm_backward(
    x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-6
) -> tuple[torch.Tensor, torch.Tensor]:
    """Give the gradients `(dx, dweight)` of `rms_norm`, by formula and not by autograd.

    `x` and `grad` (the gradient of the loss to the result) [..., D], `weight` [D] → `dx` [..., D]
    and `dweight` [D], summed over all leading dimensions; same dtype. Raises ValueError when the
    shapes do not fit. Source: Zhang and Sennrich (2019), for the forward function.
    """
    check_width(x, weight)
    if grad.shape != x.shape:
        raise ValueError(f"x has shape {tuple(x.shape)}, grad has {tuple(grad.shape)}")
    ### BEGIN SOLUTION
    r = (x.square().mean(-1, keepdim=True) + eps).sqrt()  # (..., 1)
    xhat = x / r
    g = grad * weight  # what arrives at xhat
    dx = (g - xhat * (g * xhat).mean(-1, keepdim=True)) / r
    dweight = (grad * xhat).reshape(-1, x.shape[-1]).sum(0)  # (D,)
    return dx, dweight
    ### END SOLUTION


def layer_norm_backward(
    x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-5
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Give the gradients `(dx, dweight, dbias)` of `layer_norm`, by formula and not by autograd.

    `x` and `grad` [..., D], `weight` [D] → `dx` [..., D], `dweight` and `dbias` [D], summed over
    all leading dimensions; same dtype. Raises ValueError when the shapes do not fit.
    Source: Ba, Kiros and Hinton (2016), for the forward function.
    """
    check_width(x, weight)
    if grad.shape != x.shape:
        raise ValueError(f"x has shape {tuple(x.shape)}, grad has {tuple(grad.shape)}")
    ### BEGIN SOLUTION
    centred = x - x.mean(-1, keepdim=True)
    sigma = (centred.square().mean(-1, keepdim=True) + eps).sqrt()  # (..., 1)
    xhat = centred / sigma
    g = grad * weight
    dx = (g - g.mean(-1, keepdim=True) - xhat * (g * xhat).mean(-1, keepdim=True)) / sigma
    rows, up = (each.reshape(-1, x.shape[-1]) for each in (grad * xhat, grad))  # (N, D)
    return dx, rows.sum(0), up.sum(0)
    ### END SOLUTION


class LayerNorm(torch.nn.Module):
    """`layer_norm` with parameters of its own: `weight` [D], and `bias` [D] unless `bias=False`.

    As in torch.nn, both are learned; the gain starts at 1, the offset at 0, and without an offset
    `self.bias` is None. Source: Ba, Kiros and Hinton (2016).
    """

    def __init__(self, D: int, eps: float = 1e-5, bias: bool = True) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.ones(D))
        self.bias = torch.nn.Parameter(torch.zeros(D)) if bias else None
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Norm each token of `x` [..., D]."""
        ### BEGIN SOLUTION
        return layer_norm(x, self.weight, self.bias, self.eps)
        ### END SOLUTION


class RMSNorm(torch.nn.Module):
    """`rms_norm` with a gain of its own: `weight` [D], learned, starting at 1.

    Source: Zhang and Sennrich (2019).
    """

    def __init__(self, D: int, eps: float = 1e-6) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.ones(D))
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Norm each token of `x` [..., D]."""
        ### BEGIN SOLUTION
        return rms_norm(x, self.weight, self.eps)
        ### END SOLUTION


def residual_std(n_layer: int, base: float = 0.02) -> float:
    """Give the standard deviation that a residual projection starts with.

    A model of `n_layer` layers adds two branches in each; `base` is the standard deviation of all
    other weights. Raises ValueError when `n_layer` is below 1.
    Source: GPT-2 (Radford et al., 2019), section 2.3.
    """
    if n_layer < 1:
        raise ValueError(f"n_layer is {n_layer}; a model has at least one layer")
    ### BEGIN SOLUTION
    return base / math.sqrt(2 * n_layer)
    ### END SOLUTION


def init_weights(
    model: torch.nn.Module,
    n_layer: int,
    base: float = 0.02,
    generator: torch.Generator | None = None,
) -> list[str]:
    """Give a model the weights it starts with, in place, and name the projections made smaller.

    Every `torch.nn.Linear` and `torch.nn.Embedding` gets a weight from N(0, base²), and every
    linear layer a bias of 0. A linear layer that ends a residual branch, one whose own name (what
    stands behind the last dot) is in `RESIDUAL`, gets `residual_std(n_layer, base)` instead; the
    full names of these come back. Norms are left alone. Random numbers come from `generator`.
    Raises ValueError when fewer than 2 · n_layer such projections are found.
    Source: GPT-2 (Radford et al., 2019).
    """
    found = []
    ### BEGIN SOLUTION
    for name, part in model.named_modules():
        if isinstance(part, torch.nn.Linear | torch.nn.Embedding):
            std = base
            if isinstance(part, torch.nn.Linear) and name.rpartition(".")[2] in RESIDUAL:
                std = residual_std(n_layer, base)
                found.append(name)
            torch.nn.init.normal_(part.weight, 0.0, std, generator)
        if isinstance(part, torch.nn.Linear) and part.bias is not None:
            torch.nn.init.zeros_(part.bias)
    ### END SOLUTION
    if len(found) < 2 * n_layer:
        raise ValueError(f"{len(found)} residual projections for {n_layer} layers, not 2 in each")
    return found
