"""Right answers to the activations, the width, MLP, SwiGLU and its backward in other styles."""

import math

import torch

from minillm.config import GPTConfig

from .. import alternative, alternative_edit

RELU, GELU, SILU = "feedforward.relu", "feedforward.gelu", "feedforward.silu"
WIDTH, MLP, SWIGLU = "feedforward.swiglu_width", "feedforward.MLP", "feedforward.SwiGLU"
BACK = "feedforward.swiglu_backward"


@alternative(RELU)
def built_in(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.relu(x)


@alternative(RELU)
def clamp(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(min=0)


@alternative(RELU)
def mask(x: torch.Tensor) -> torch.Tensor:
    return x * (x > 0)


@alternative(RELU)
def half_sum(x: torch.Tensor) -> torch.Tensor:
    return (x + x.abs()) / 2


@alternative(RELU)
def where(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x > 0, x, torch.zeros_like(x))


@alternative(GELU)
def torchs(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(x, approximate=approximate)


@alternative(GELU)
def distribution(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    if approximate == "none":
        normal = torch.distributions.Normal(0.0, 1.0)
        share: torch.Tensor = normal.cdf(x)  # type: ignore[no-untyped-call]
        return x * share
    c = (2 / math.pi) ** 0.5
    return 0.5 * x * (1 + torch.tanh(c * x * (1 + 0.044715 * x * x)))


@alternative(GELU)
def by_float32(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    z = x.to(torch.promote_types(x.dtype, torch.float32))
    return torch.nn.functional.gelu(z, approximate=approximate).to(x.dtype)


@alternative(GELU)
def special(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    if approximate == "tanh":
        # 1 + tanh(a) = 2 σ(2a)
        return x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x.pow(3)))
    share: torch.Tensor = torch.special.ndtr(x)
    return x * share


@alternative(GELU)
def complement(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    tanh = approximate == "tanh"
    a = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3) if tanh else x * math.sqrt(0.5)
    return x * 0.5 * (1 + (a.tanh() if tanh else 1 - torch.erfc(a)))


@alternative(SILU)
def silu_of_torch(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.silu(x)


@alternative(SILU)
def fraction(x: torch.Tensor) -> torch.Tensor:
    return x / (1 + torch.exp(-x))


@alternative(SILU)
def half_angle(x: torch.Tensor) -> torch.Tensor:
    return x * (1 + torch.tanh(x / 2)) / 2


@alternative(SILU)
def logarithm(x: torch.Tensor) -> torch.Tensor:
    return x * torch.nn.functional.logsigmoid(x).exp()


@alternative(WIDTH)
def whole_numbers(D: int, multiple_of: int = 256) -> int:
    return -(-8 * D // (3 * multiple_of)) * multiple_of


@alternative(WIDTH)
def counted_up(D: int, multiple_of: int = 256) -> int:
    width = multiple_of
    while 3 * width < 8 * D:
        width += multiple_of
    return width


@alternative(WIDTH)
def remainder(D: int, multiple_of: int = 256) -> int:
    exact = math.ceil(8 * D / 3)
    return exact + (-exact) % multiple_of


@alternative(WIDTH)
def of_numpy(D: int, multiple_of: int = 256) -> int:
    import numpy as np
    return np.int64(np.ceil(8 * D / (3 * multiple_of))) * multiple_of  # type: ignore[return-value]


@alternative(WIDTH)
def by_division(D: int, multiple_of: int = 256) -> int:
    return math.ceil(8 / 3 * D / multiple_of) * multiple_of


@alternative(MLP)
class WithFunctions(torch.nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        torch.nn.Module.__init__(self)
        width = config.d_ff or 4 * config.d_model
        self.up_proj = torch.nn.Linear(config.d_model, width, config.bias)
        self.down_proj = torch.nn.Linear(width, config.d_model, config.bias)
        self.p = config.dropout

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.down_proj(torch.nn.functional.gelu(self.up_proj(x)))
        return torch.nn.functional.dropout(y, self.p, self.training)


alternative_edit(MLP, "in_one_line", "y = self.down_proj(h)",
                 "y = self.down_proj(torch.nn.functional.gelu(self.up_proj(x)))")
alternative_edit(MLP, "by_matrices", "y = self.down_proj(h)",
                 "y = h @ self.down_proj.weight.T\n"
                 "        y = y if self.down_proj.bias is None else y + self.down_proj.bias")

alternative_edit(MLP, "rows_by_view", "h = gelu(self.up_proj(x))",
                 "h = gelu(self.up_proj(x.view(-1, x.shape[-1]))).view(*x.shape[:-1], -1)")

alternative_edit(SWIGLU, "torchs_silu", "silu(self.gate_proj(x))",
                 "torch.nn.functional.silu(self.gate_proj(x))")
alternative_edit(SWIGLU, "written_out", "h = silu(self.gate_proj(x)) * self.up_proj(x)",
                 "g = self.gate_proj(x)\n        h = self.up_proj(x).mul(g).mul(torch.sigmoid(g))")
alternative_edit(SWIGLU, "one_product", "h = silu(self.gate_proj(x)) * self.up_proj(x)",
                 "both = torch.cat([self.gate_proj.weight, self.up_proj.weight])\n"
                 "        b = self.gate_proj.bias\n"
                 "        b = None if b is None else torch.cat([b, self.up_proj.bias])\n"
                 "        g, u = torch.nn.functional.linear(x, both, b).chunk(2, -1)\n"
                 "        h = silu(g) * u")


@alternative(SWIGLU)
class Whole(torch.nn.Module):
    def __init__(self, config: GPTConfig) -> None:
        torch.nn.Module.__init__(self)
        a, b = config.d_model, config.hidden_width
        self.down_proj = torch.nn.Linear(b, a, config.bias)
        self.up_proj, self.gate_proj = (torch.nn.Linear(a, b, config.bias) for _ in range(2))
        self.rate = config.dropout

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        act = torch.nn.SiLU()
        y = self.down_proj(act(self.gate_proj(x)) * self.up_proj(x))
        return torch.nn.functional.dropout(y, p=self.rate, training=self.training)


@alternative(BACK)
def einsum(
    x: torch.Tensor, w_gate: torch.Tensor, w_up: torch.Tensor, w_down: torch.Tensor,
    grad: torch.Tensor,
) -> tuple[torch.Tensor, ...]:
    g, u = (torch.einsum("...d,fd->...f", x, w) for w in (w_gate, w_up))
    s = 1 / (1 + torch.exp(-g))
    dh = torch.einsum("...d,df->...f", grad, w_down)
    du, dg = dh * s * g, dh * u * (s + g * s * (1 - s))
    dx = torch.einsum("...f,fd->...d", dg, w_gate) + torch.einsum("...f,fd->...d", du, w_up)
    rows = x.reshape(-1, x.shape[-1])
    F = len(w_gate)
    return (dx, torch.einsum("nf,nd->fd", dg.reshape(-1, F), rows),
            torch.einsum("nf,nd->fd", du.reshape(-1, F), rows),
            torch.einsum("nd,nf->df", grad.reshape(rows.shape), (g * s * u).reshape(-1, F)))


@alternative(BACK)
def token_by_token(
    x: torch.Tensor, w_gate: torch.Tensor, w_up: torch.Tensor, w_down: torch.Tensor,
    grad: torch.Tensor,
) -> tuple[torch.Tensor, ...]:
    dx = torch.zeros(x.numel() // x.shape[-1], x.shape[-1], dtype=x.dtype)
    total = [torch.zeros_like(w) for w in (w_gate, w_up, w_down)]
    out = grad.reshape(-1, x.shape[-1])
    for n, row in enumerate(x.reshape(-1, x.shape[-1])):
        g, u, dh = w_gate @ row, w_up @ row, w_down.T @ out[n]
        s = g.sigmoid()
        h = g * s * u
        du, dg = dh * g * s, dh * u * (g * s + s * (1 - g * s))
        dx[n] = w_gate.T @ dg + w_up.T @ du
        for at, each in enumerate((torch.outer(dg, row), torch.outer(du, row),
                                   torch.outer(out[n], h))):
            total[at] = total[at] + each
    return dx.reshape(x.shape), *total


@alternative(BACK)
def by_the_value(
    x: torch.Tensor, w_gate: torch.Tensor, w_up: torch.Tensor, w_down: torch.Tensor,
    grad: torch.Tensor,
) -> tuple[torch.Tensor, ...]:
    rows, dy = x.flatten(0, -2) if x.dim() > 1 else x[None], grad.reshape(-1, x.shape[-1])
    g, u = torch.nn.functional.linear(rows, w_gate), torch.nn.functional.linear(rows, w_up)
    s, dh = torch.sigmoid(g), dy.mm(w_down)
    f = torch.nn.functional.silu(g)
    dg, du = dh * u * (f + s * (1 - f)), dh * f
    return ((dg.mm(w_gate) + du.mm(w_up)).view_as(x), dg.mT.mm(rows), du.mT.mm(rows),
            dy.mT.mm(f * u))
alternative_edit(BACK, "rows_by_view", "x.reshape(-1, D), grad.reshape(-1, D)",
                 "x.view(-1, D), grad.view(-1, D)")
