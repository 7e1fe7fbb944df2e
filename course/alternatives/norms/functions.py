"""Right answers to the norms and their gradients in other styles."""

import math

import torch

from .. import alternative

LAYER, RMS = "norms.layer_norm", "norms.rms_norm"
RMS_BACK, LAYER_BACK = "norms.rms_norm_backward", "norms.layer_norm_backward"


@alternative(LAYER)
def torchs_layer_norm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None,
                      eps: float = 1e-5) -> torch.Tensor:
    return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)


@alternative(LAYER)
def with_rsqrt(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None,
               eps: float = 1e-5) -> torch.Tensor:
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    y = weight * ((x - mean) * torch.rsqrt(variance + eps))
    if bias is not None:
        y = y + bias
    return y


@alternative(LAYER)
def two_moments(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None,
                eps: float = 1e-5) -> torch.Tensor:
    D = x.size(-1)
    mean = x.sum(-1, keepdim=True) / D
    variance = (x * x).sum(-1, keepdim=True) / D - mean * mean
    y = (x - mean) / torch.sqrt(variance + eps) * weight
    return y + bias if bias is not None else y


@alternative(LAYER)
def row_by_row(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None,
               eps: float = 1e-5) -> torch.Tensor:
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        mean = row.mean()
        sigma = (((row - mean) ** 2).mean() + eps) ** 0.5
        rows.append((row - mean) / sigma * weight + (0 if bias is None else bias))
    return torch.stack(rows).reshape(x.shape)


@alternative(LAYER)
def as_rms_of_the_centred(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None,
                          eps: float = 1e-5) -> torch.Tensor:
    centred = x - torch.mean(x, dim=-1).unsqueeze(-1)
    y = torch.nn.functional.rms_norm(centred, (x.shape[-1],), weight, eps)
    return y if bias is None else torch.add(y, bias)


@alternative(RMS)
def torchs_rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    return torch.nn.functional.rms_norm(x, weight.shape, weight, eps)


@alternative(RMS)
def rsqrt(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    return weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


@alternative(RMS)
def by_length(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    D = x.shape[-1]
    squared = torch.einsum("...d,...d->...", x, x)
    return math.sqrt(D) * x / (squared + D * eps).sqrt()[..., None] * weight


@alternative(RMS)
def rows_in_a_loop(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    flat = x.reshape(-1, x.shape[-1])
    out = [row * weight / torch.sqrt(torch.dot(row, row) / row.numel() + eps) for row in flat]
    return torch.stack(out).view(x.shape)


@alternative(RMS)
def by_float32(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    z = x.to(torch.promote_types(x.dtype, torch.float32))
    return (z / (z.square().mean(-1, keepdim=True) + eps).sqrt()).to(x.dtype) * weight


@alternative(RMS)
def power(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    return x * (x.square().mean(dim=-1, keepdim=True) + eps) ** -0.5 * weight


@alternative(RMS_BACK)
def with_x(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-6,
           ) -> tuple[torch.Tensor, ...]:
    D = x.shape[-1]
    s = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    g = grad * weight
    dx = g * s - x * (g * x).sum(-1, keepdim=True) * s**3 / D
    return dx, (grad * x * s).flatten(0, -2).sum(0) if x.dim() > 1 else grad * x * s


@alternative(RMS_BACK)
def by_jacobian(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-6,
                ) -> tuple[torch.Tensor, ...]:
    D = x.shape[-1]
    rows, ups = x.reshape(-1, D), grad.reshape(-1, D)
    dx, dweight = torch.zeros_like(rows), torch.zeros_like(weight)
    for i, (row, up) in enumerate(zip(rows, ups, strict=True)):
        r = torch.sqrt((row**2).mean() + eps)
        J = torch.eye(D, dtype=x.dtype) / r - torch.outer(row, row) / (D * r**3)
        dx[i] = J.T @ (weight * up)
        dweight = dweight + up * row / r
    return dx.reshape(x.shape), dweight


@alternative(RMS_BACK)
def einsum(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-6,
           ) -> tuple[torch.Tensor, ...]:
    r = (torch.einsum("...d,...d->...", x, x) / x.shape[-1] + eps).sqrt().unsqueeze(-1)
    y = x / r
    along = torch.einsum("...d,...d,d->...", grad, y, weight).unsqueeze(-1) / x.shape[-1]
    return (weight * grad - along * y) / r, torch.einsum("...d,...d->d", grad, y)


@alternative(LAYER_BACK)
def two_stages(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-5,
               ) -> tuple[torch.Tensor, ...]:
    c = x - x.mean(-1, keepdim=True)
    s = torch.rsqrt(c.pow(2).mean(-1, keepdim=True) + eps)
    g = weight * grad
    dc = s * g - c * s**3 * (g * c).mean(-1, keepdim=True)
    lead = tuple(range(x.dim() - 1))
    up = grad * c * s
    return (dc - dc.mean(-1, keepdim=True), up.sum(lead) if lead else up,
            grad.sum(lead) if lead else grad.clone())


@alternative(LAYER_BACK)
def jacobian_of_each_row(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor,
                         eps: float = 1e-5) -> tuple[torch.Tensor, ...]:
    D = x.shape[-1]
    P = torch.eye(D, dtype=x.dtype) - 1 / D  # takes the mean away
    rows, ups = x.reshape(-1, D), grad.reshape(-1, D)
    dx, dw = [], torch.zeros_like(weight)
    for row, up in zip(rows, ups, strict=True):
        c = P @ row
        s = torch.sqrt(c @ c / D + eps)
        J = (torch.eye(D, dtype=x.dtype) / s - torch.outer(c, c) / (D * s**3)) @ P
        dx.append(J.T @ (weight * up))
        dw = dw + up * c / s
    return torch.stack(dx).view_as(x), dw, ups.sum(0)


@alternative(LAYER_BACK)
def long_formula(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor, eps: float = 1e-5,
                 ) -> tuple[torch.Tensor, ...]:
    D = x.shape[-1]
    variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    istd = 1 / torch.sqrt(variance + eps)
    xhat = (x - mean) * istd
    g = grad * weight
    total = D * g - g.sum(-1, keepdim=True) - xhat * (g * xhat).sum(-1, keepdim=True)
    return (total * istd / D, torch.einsum("...d,...d->d", grad, xhat),
            torch.einsum("...d->d", grad))
