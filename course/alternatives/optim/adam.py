"""Right answers to one step of AdamW, and to the class, in other styles."""

import math
from typing import Any

import torch

from minillm.groups import Optimizer
from minillm.optim import adamw_step

from .. import alternative, alternative_edit

STEP, ADAMW = "optim.adamw_step", "optim.AdamW"


@alternative(STEP)
def one_formula(param: torch.Tensor, grad: torch.Tensor, m: torch.Tensor, v: torch.Tensor,
                step: int, lr: float, betas: Any, eps: float, weight_decay: float) -> Any:
    b1, b2 = betas
    m, v = b1 * m + (1 - b1) * grad, b2 * v + (1 - b2) * grad * grad
    direction = (m / (1 - b1**step)) / (torch.sqrt(v / (1 - b2**step)) + eps)
    return param - lr * (direction + weight_decay * param), m, v


@alternative(STEP)
def as_torch_does(param: torch.Tensor, grad: torch.Tensor, m: torch.Tensor, v: torch.Tensor,
                  step: int, lr: float, betas: Any, eps: float, weight_decay: float) -> Any:
    m = m.lerp(grad, 1 - betas[0])
    v = v.mul(betas[1]).addcmul(grad, grad, value=1 - betas[1])
    size = lr / (1 - betas[0] ** step)
    below = (v.sqrt() / math.sqrt(1 - betas[1] ** step)).add(eps)
    return param.mul(1 - lr * weight_decay).addcdiv(m, below, value=-size), m, v


@alternative(STEP)
def on_copies(param: torch.Tensor, grad: torch.Tensor, m: torch.Tensor, v: torch.Tensor,
              step: int, lr: float, betas: Any, eps: float, weight_decay: float) -> Any:
    param, m, v = param.clone(), m.clone(), v.clone()
    m += (1 - betas[0]) * (grad - m)
    v += (1 - betas[1]) * (grad.square() - v)
    update = m.div(1 - betas[0] ** step).div_(v.div(1 - betas[1] ** step).sqrt_().add_(eps))
    param -= lr * weight_decay * param
    param -= lr * update
    return [param, m, v]


@alternative(STEP)
def torchs_own(param: torch.Tensor, grad: torch.Tensor, m: torch.Tensor, v: torch.Tensor,
               step: int, lr: float, betas: Any, eps: float, weight_decay: float) -> Any:
    p = param.detach().clone().requires_grad_()
    optimizer = torch.optim.AdamW([p], lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
    state = {"step": torch.tensor(step - 1.0), "exp_avg": m.clone(), "exp_avg_sq": v.clone()}
    optimizer.state[p] = state
    p.grad = grad.clone()
    optimizer.step()
    return p.detach(), state["exp_avg"], state["exp_avg_sq"]


alternative_edit(ADAMW, "data", "p.copy_(new)", "p.data = new")
alternative_edit(ADAMW, "in_place_change", "p.copy_(new)", "p += new - p")


@alternative(ADAMW)
class ByItself:
    """Without the base class and without groups: what the contract asks for, no more."""

    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        self.params, self.lr, self.betas = list(params), lr, betas
        self.eps, self.weight_decay = eps, weight_decay
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]
        self.t = [0] * len(self.params)

    @torch.no_grad()
    def step(self) -> None:
        for i, p in enumerate(self.params):
            if p.grad is not None:
                self.t[i] += 1
                new, self.m[i], self.v[i] = adamw_step(
                    p, p.grad, self.m[i], self.v[i], self.t[i], self.lr, self.betas, self.eps,
                    self.weight_decay)
                p.data.copy_(new)

    def zero_grad(self) -> None:
        for p in self.params:
            if p.grad is not None:
                p.grad.zero_()


@alternative(ADAMW)
class LikeTorch(torch.optim.Optimizer):
    """On the base class of torch."""

    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps,
                                  "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["t"], state["m"], state["v"] = 0, torch.zeros_like(p), torch.zeros_like(p)
                state["t"] += 1
                state["m"].lerp_(p.grad, 1 - b1)
                state["v"].mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                below = (state["v"] / (1 - b2 ** state["t"])).sqrt() + group["eps"]
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(group["lr"] / (1 - b1 ** state["t"]) * state["m"] / below)


@alternative(ADAMW)
class WithoutTheStep(Optimizer):
    """The formula written out, the memory with defaults."""

    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def step(self) -> None:
        for group in self.param_groups:
            (b1, b2), lr = group["betas"], group["lr"]
            for p in filter(lambda p: p.grad is not None, group["params"]):
                t, m, v = (self.state[p].get(name, 0) for name in "tmv")
                g = p.grad.detach()
                t, m, v = t + 1, b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g.pow(2)
                self.state[p].update(t=t, m=m, v=v)
                move = m / (1 - b1**t) / ((v / (1 - b2**t)).sqrt() + group["eps"])
                with torch.no_grad():
                    p -= lr * (move + group["weight_decay"] * p)


@alternative(ADAMW)
class ThinCover(torch.optim.AdamW):
    """torch's own, with other defaults."""

    def __init__(self, params: Any, lr: float, betas: Any = (0.9, 0.95), eps: float = 1e-8,
                 weight_decay: float = 0.1) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
