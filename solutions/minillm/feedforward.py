"""Feed-forward: activations, the layer with and without a gate, and a mixture of experts.

Letters: B batch, T positions, D model width, F hidden width, E experts, N rows (the tokens of all
texts in one line), k experts for each token. "..." is any leading dimensions.
"""

import math

import torch

from . import functional
from .config import GPTConfig  # given, never filled in, so its name may be imported


def relu(x: torch.Tensor) -> torch.Tensor:
    """Give x where x is positive and 0 elsewhere.

    `x` of any shape gives the same shape and dtype. Source: Nair and Hinton (2010).
    """
    ### BEGIN SOLUTION
    return x.masked_fill(x <= 0, 0.0)
    ### END SOLUTION


def gelu(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    """Give x · Φ(x), with Φ the normal distribution function, Φ(x) = (1 + erf(x / √2)) / 2.

    `approximate="tanh"` puts tanh(√(2/π) · (x + 0.044715 x³)) in the place of erf(x / √2).
    `x` of any shape gives the same shape and dtype. Raises ValueError when `approximate` is neither
    "none" nor "tanh". Source: Hendrycks and Gimpel (2016).
    """
    if approximate not in ("none", "tanh"):
        raise ValueError(f"approximate is {approximate!r}; there are 'none' and 'tanh'")
    ### BEGIN SOLUTION
    if approximate == "tanh":
        inner = torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    else:
        inner = torch.erf(x / math.sqrt(2))
    return x * (1 + inner) / 2
    ### END SOLUTION


def silu(x: torch.Tensor) -> torch.Tensor:
    """Give x · σ(x), with σ(x) = 1 / (1 + exp(-x)).

    `x` of any shape gives the same shape and dtype; finite for x of ±1000 too.
    Sources: Hendrycks and Gimpel (2016), Elfwing et al. (2018).
    """
    ### BEGIN SOLUTION
    return x * torch.sigmoid(x)
    ### END SOLUTION


def swiglu_width(D: int, multiple_of: int = 256) -> int:
    """Give the hidden width of a SwiGLU with as many weights as a feed-forward of width 4 D.

    That is 8 D / 3, then up to a multiple of `multiple_of` (a width that is one already stays).
    8 D / 3 itself is not rounded first: `swiglu_width(4, 5)` is 15, since 10.67 is above 10.
    Raises ValueError when D or `multiple_of` is below 1.
    Sources: Shazeer (2020); Touvron et al. (2023) for the rounding.
    """
    if D < 1 or multiple_of < 1:
        raise ValueError(f"D = {D} and multiple_of = {multiple_of} have to be at least 1")
    ### BEGIN SOLUTION
    return multiple_of * math.ceil(8 * D / (3 * multiple_of))
    ### END SOLUTION


class MLP(torch.nn.Module):
    """The plain feed-forward layer, [..., D] → [..., D]: up, exact GELU, down.

    `config`: a GPTConfig. Linear layers, with `config.bias`: `up_proj` D → F and `down_proj` F → D;
    F is `config.hidden_width`. In training `config.dropout` acts on the result.
    Sources: Vaswani et al. (2017), Radford et al. (2018).
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        D, F = config.d_model, config.hidden_width
        ### BEGIN SOLUTION
        self.up_proj = torch.nn.Linear(D, F, bias=config.bias)
        self.down_proj = torch.nn.Linear(F, D, bias=config.bias)
        ### END SOLUTION
        self.dropout = torch.nn.Dropout(config.dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform each token of `x` [..., D] on its own."""
        ### BEGIN SOLUTION
        h = gelu(self.up_proj(x))  # (..., F)
        y = self.down_proj(h)  # (..., D)
        ### END SOLUTION
        out: torch.Tensor = self.dropout(y)
        return out


class SwiGLU(torch.nn.Module):
    """The feed-forward layer with a gate, [..., D] → [..., D]: down(silu(gate(x)) · up(x)).

    `config`: a GPTConfig. Linear layers, with `config.bias`: `gate_proj` and `up_proj` D → F,
    `down_proj` F → D; F is `config.hidden_width`. In training `config.dropout` acts on the result.
    Source: Shazeer (2020).
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        D, F = config.d_model, config.hidden_width
        ### BEGIN SOLUTION
        self.gate_proj = torch.nn.Linear(D, F, bias=config.bias)
        self.up_proj = torch.nn.Linear(D, F, bias=config.bias)
        self.down_proj = torch.nn.Linear(F, D, bias=config.bias)
        ### END SOLUTION
        self.dropout = torch.nn.Dropout(config.dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform each token of `x` [..., D] on its own."""
        ### BEGIN SOLUTION
        h = silu(self.gate_proj(x)) * self.up_proj(x)  # (..., F)
        y = self.down_proj(h)  # (..., D)
        ### END SOLUTION
        out: torch.Tensor = self.dropout(y)
        return out


def swiglu_backward(
    x: torch.Tensor,
    w_gate: torch.Tensor,
    w_up: torch.Tensor,
    w_down: torch.Tensor,
    grad: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Give `(dx, dw_gate, dw_up, dw_down)` of a SwiGLU without biases, by formula, not autograd.

    y = (silu(x w_gateᵀ) · (x w_upᵀ)) w_downᵀ; weights are stored [out, in] as in torch: `w_gate`
    and `w_up` [F, D], `w_down` [D, F]. `x` and `grad`, the gradient of the loss to y, are [..., D].
    Each gradient has the shape and dtype of what it belongs to; those of the weights are sums over
    all tokens. Raises ValueError when the shapes do not fit. Source: Shazeer (2020) for the layer.
    """
    F, D = w_gate.shape
    if w_up.shape != (F, D) or w_down.shape != (D, F) or x.shape[-1] != D or grad.shape != x.shape:
        given = ", ".join(str(tuple(each.shape)) for each in (x, w_gate, w_up, w_down, grad))
        raise ValueError(f"x, w_gate, w_up, w_down, grad of shapes {given} do not fit")
    ### BEGIN SOLUTION
    rows, dy = x.reshape(-1, D), grad.reshape(-1, D)  # (N, D)
    gate, up = rows @ w_gate.T, rows @ w_up.T  # (N, F)
    s = torch.sigmoid(gate)
    dh = dy @ w_down  # (N, F)
    dup = dh * gate * s
    dgate = dh * up * s * (1 + gate * (1 - s))
    dx = dgate @ w_gate + dup @ w_up  # (N, D)
    dw_down = dy.T @ (gate * s * up)  # (D, F)
    return dx.reshape(x.shape), dgate.T @ rows, dup.T @ rows, dw_down
    ### END SOLUTION


def route(
    logits: torch.Tensor, k: int, renormalize: bool = True
) -> tuple[torch.Tensor, torch.Tensor]:
    """Choose k experts for each token: `(weights [N, k], experts [N, k])` from `logits` [N, E].

    Softmax over all E experts, then the k largest probabilities in falling order (`weights`, dtype
    of `logits`) and the experts they belong to (`experts`, int64). With `renormalize` the k weights
    of a token are divided by their sum; without it they are left as they are.
    Raises ValueError when k is below 1 or above E.
    Sources: Shazeer et al. (2017), Fedus et al. (2021), Jiang et al. (2024).
    """
    if not 1 <= k <= logits.shape[-1]:
        raise ValueError(f"k = {k} of {logits.shape[-1]} experts can't be chosen")
    ### BEGIN SOLUTION
    weights, experts = functional.softmax(logits).topk(k)  # (N, k)
    if renormalize:
        weights = weights / weights.sum(-1, keepdim=True)
    return weights, experts
    ### END SOLUTION


def load_balance_loss(
    logits: torch.Tensor, experts: torch.Tensor, n_expert: int
) -> torch.Tensor:
    """Give E · Σₑ fₑ Pₑ: 1 when the load is balanced, up to E when one expert has it all.

    `logits` [N, E] and the `experts` [N, k] chosen from them. fₑ is the share of the N·k choices
    that fell on expert e, Pₑ the mean over the tokens of its softmax probability. The gradient goes
    through P alone. A tensor without dimensions, dtype of `logits`. Raises ValueError when `logits`
    does not have `n_expert` columns. Source: Fedus et al. (2021), section 2.2.
    """
    if logits.shape[-1] != n_expert:
        raise ValueError(f"logits for {logits.shape[-1]} experts, n_expert = {n_expert}")
    ### BEGIN SOLUTION
    counts = torch.bincount(experts.flatten(), minlength=n_expert)  # (E,)
    f = counts.to(logits.dtype) / experts.numel()
    P = functional.softmax(logits).mean(0)  # (E,)
    return n_expert * (f * P).sum()
    ### END SOLUTION


def within_capacity(experts: torch.Tensor, n_expert: int, factor: float) -> torch.Tensor:
    """Say which choices their experts have room for: bool [N, k] for `experts` [N, k].

    An expert takes at most ⌈factor · N · k / E⌉ choices of the N tokens. First come, first served:
    the tokens in their order, and the choices of one token in theirs.
    Raises ValueError when `factor` is not above 0.
    Sources: Fedus et al. (2021); Lepikhin et al. (2020), where all first choices go first.
    """
    if not factor > 0:
        raise ValueError(f"factor = {factor} leaves no room at all")
    ### BEGIN SOLUTION
    capacity = math.ceil(factor * experts.numel() / n_expert)
    line = experts.flatten()  # (N·k,)
    arrived = torch.nn.functional.one_hot(line, n_expert).cumsum(0)  # (N·k, E)
    place = arrived.gather(1, line[:, None])  # (N·k, 1), counted from 1
    return (place <= capacity).view(experts.shape)  # (N, k)
    ### END SOLUTION


class MoE(torch.nn.Module):
    """A mixture of E SwiGLU experts of which each token visits k, [..., D] → [..., D].

    `config`: a GPTConfig; E is `config.n_expert`, k is `config.top_k`. A token's result is the sum
    of its experts' results times its weights; with k = 1 the weight is the probability itself, else
    the k weights sum to 1. With `config.capacity_factor`, a choice without room adds nothing, and
    the weights of the others stay as they are. After each call `balance_loss` holds the
    load-balancing loss of that call, of all choices and before any is dropped, with its graph.
    Sources: Shazeer et al. (2017), Fedus et al. (2021), Jiang et al. (2024).
    """

    balance_loss: torch.Tensor | None = None

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.router = torch.nn.Linear(config.d_model, config.n_expert, bias=config.bias)
        self.experts = torch.nn.ModuleList(SwiGLU(config) for _ in range(config.n_expert))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Send each token of `x` [..., D] to its experts and add up what they give."""
        E, k, factor = self.config.n_expert, self.config.top_k, self.config.capacity_factor
        rows = x.reshape(-1, x.shape[-1])  # (N, D)
        ### BEGIN SOLUTION
        logits = self.router(rows)  # (N, E)
        weights, experts = route(logits, k, renormalize=k > 1)  # (N, k)
        self.balance_loss = load_balance_loss(logits, experts, E)
        if factor is not None:
            weights = weights * within_capacity(experts, E, factor)
        out = torch.zeros_like(rows)
        for e, expert in enumerate(self.experts):
            n, choice = (experts == e).nonzero(as_tuple=True)
            out = out.index_add(0, n, weights[n, choice, None] * expert(rows[n]))  # (N, D)
        ### END SOLUTION
        return out.view(x.shape)
