"""Right answers to the modules and to the weights a model starts with, in other styles."""

import math

import torch

from .. import alternative

RMS, LAYER = "norms.RMSNorm", "norms.LayerNorm"
STD, INIT = "norms.residual_std", "norms.init_weights"
RESIDUAL = ("out_proj", "down_proj")


@alternative(RMS)
class Torchs(torch.nn.RMSNorm):
    def __init__(self, D: int, eps: float = 1e-6) -> None:
        super().__init__(D, eps=eps)


@alternative(RMS)
class Scale(torch.nn.Module):
    scale: torch.nn.Parameter

    def __init__(self, D: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.register_parameter("scale", torch.nn.Parameter(torch.full((D,), 1.0)))
        self.e = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.e) * self.scale


@alternative(RMS)
class Empty(torch.nn.Module):
    def __init__(self, D: int, eps: float = 1e-6) -> None:
        torch.nn.Module.__init__(self)
        self.gamma = torch.nn.Parameter(torch.empty(D))
        self.D, self.epsilon = D, eps
        torch.nn.init.ones_(self.gamma)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.rms_norm(x, (self.D,), self.gamma, self.epsilon)


@alternative(LAYER)
class TorchsLayer(torch.nn.LayerNorm):
    def __init__(self, D: int, eps: float = 1e-5, bias: bool = True) -> None:
        super().__init__(D, eps=eps, bias=bias)


@alternative(LAYER)
class Registered(torch.nn.Module):
    def __init__(self, D: int, eps: float = 1e-5, bias: bool = True) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(D))
        if bias:
            self.bias = torch.nn.Parameter(torch.zeros(D))
        else:
            self.register_parameter("bias", None)
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.layer_norm(x, self.weight.shape, self.weight, self.bias,
                                              self.eps)


@alternative(LAYER)
class GammaAndBeta(torch.nn.Module):
    def __init__(self, D: int, eps: float = 1e-5, *, bias: bool = True) -> None:
        super().__init__()
        self.eps, self.has_bias = eps, bias
        if bias:
            self.beta = torch.nn.Parameter(torch.zeros(D))
        self.gamma = torch.nn.Parameter(torch.ones(D))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        y = (x - mean) / torch.sqrt(var + self.eps) * self.gamma
        return y + self.beta if self.has_bias else y


@alternative(LAYER)
class WidthAlone(torch.nn.Module):
    def __init__(self, D: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(D, eps)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x)  # type: ignore[no-any-return]


@alternative(STD)
def power(n_layer: int, base: float = 0.02) -> float:
    if n_layer < 1:
        raise ValueError(n_layer)
    return float(base * (2 * n_layer) ** -0.5)


@alternative(STD)
def from_the_variance(n_layer: int, base: float = 0.02) -> float:
    branches = 2 * n_layer
    assert branches > 0
    return math.sqrt(base**2 / branches)


@alternative(STD)
def as_a_tensor(n_layer: int, base: float = 0.02) -> float:
    if n_layer <= 0:
        raise ValueError(f"{n_layer} layers")
    return float(base / torch.tensor(2.0 * n_layer, dtype=torch.float64).sqrt())


@alternative(INIT)
def two_passes(model: torch.nn.Module, n_layer: int, base: float = 0.02,
               generator: torch.Generator | None = None) -> list[str]:
    for part in model.modules():
        if isinstance(part, (torch.nn.Linear, torch.nn.Embedding)):
            with torch.no_grad():
                part.weight.normal_(mean=0.0, std=base, generator=generator)
                if isinstance(part, torch.nn.Linear) and part.bias is not None:
                    part.bias.fill_(0.0)
    found = [n for n, part in model.named_modules()
             if isinstance(part, torch.nn.Linear) and n.split(".")[-1] in RESIDUAL]
    for n in found:
        torch.nn.init.normal_(model.get_submodule(n).weight,  # type: ignore[arg-type]
                              std=base / math.sqrt(2 * n_layer), generator=generator)
    if len(found) < 2 * n_layer:
        raise ValueError(f"{len(found)} of {2 * n_layer}")
    return found


@alternative(INIT)
def by_parameters(model: torch.nn.Module, n_layer: int, base: float = 0.02,
                  generator: torch.Generator | None = None) -> list[str]:
    found = []
    kinds = dict(model.named_modules())
    for name, p in model.named_parameters():
        owner, _, kind = name.rpartition(".")
        if not isinstance(kinds[owner], torch.nn.Linear | torch.nn.Embedding):
            continue
        if kind == "bias":
            p.data = torch.zeros_like(p)
            continue
        linear = isinstance(kinds[owner], torch.nn.Linear)
        small = linear and owner.split(".")[-1] in RESIDUAL
        found += [owner] if small else []
        std = base / (2 * n_layer) ** 0.5 if small else base
        p.data.copy_(torch.randn(p.shape, generator=generator) * std)
    if len(found) < 2 * n_layer:
        raise ValueError(found)
    return found


@alternative(INIT)
def scaled_afterwards(model: torch.nn.Module, n_layer: int, base: float = 0.02,
                      generator: torch.Generator | None = None) -> list[str]:
    names = []
    for name, part in list(model.named_modules())[::-1]:
        match part:
            case torch.nn.Linear():
                torch.nn.init.normal_(part.weight, 0, base, generator=generator)
                if part.bias is not None:
                    part.bias.data.zero_()
                if name.split(".").pop() in RESIDUAL:
                    part.weight.data /= (2 * n_layer) ** 0.5
                    names.append(name)
            case torch.nn.Embedding():
                torch.nn.init.normal_(part.weight, 0, base, generator=generator)
    assert len(names) >= 2 * n_layer, "too few residual projections"
    return names
