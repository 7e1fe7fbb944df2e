"""The same model through torch's own kernels: equal results (tested), less time.

Your functions are written to be read; each line is a pass over memory, and each call has a price of
some microseconds, which at this size is most of what a new token costs. `FastGPT(model)` runs the
weights of your MiniGPT through torch's fused kernels instead. It is a switch, `TrainConfig.fast`
and `--fast`; nothing else depends on it.
"""

import ctypes
import math
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, NamedTuple

import torch
import torch.nn.functional as K  # torch's kernels

Linear = tuple[torch.Tensor, torch.Tensor | None]  # weight, bias
Norm = tuple[bool, torch.Tensor, torch.Tensor | None, float]  # RMS?, gain, offset, eps
VERSION = attrgetter("_version")  # counts changes in place
EXPLICIT = 512  # tokens up to which matmul, softmax, matmul beats torch's blockwise kernel on CPU


def keep_memory() -> None:
    """Tell the allocator to keep freed memory instead of returning it to the system.

    By default glibc maps every large tensor anew and the system fills its pages with zeros, again
    at each step: measured, this took up to a third of a step, and more the more tensors a step
    makes. Only with glibc, on Linux; for the rest of the process, which keeps about a third more
    memory. It changes no number, so `train` does it unless `TrainConfig.keep_memory` is False.
    """
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        for option, value in ((-4, 0), (-1, 2**31 - 1), (-2, 256 << 20)):
            libc.mallopt(option, value)  # M_MMAP_MAX, M_TRIM_THRESHOLD, M_TOP_PAD


@contextmanager
def runtime() -> Iterator[None]:
    """Inside, large matrix products on the CPU go to the library that is quickest there.

    "medium" sends them to oneDNN instead of MKL, which on processors that are not Intel's takes
    its slow path. It also allows bfloat16 products: processors with AMX make use of that, and then
    a product has 3 significant digits and not 7; others do not, and stay as exact as before. It is
    for training: a product as small as that of one new token takes longer there.
    """
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


class Layer(NamedTuple):
    """The weights of a Block as they are used; to look them up for each token would take longer."""

    attn_norm: Norm
    qkv: Linear
    gain: torch.Tensor | None  # of QK-norm, [H + Hkv, Dh]
    qk_eps: float
    out: Linear
    ffn_norm: Norm
    up: Linear | None  # with the gate before it, if there is one; None: a mixture of experts
    down: Linear | None


class UnitRMS(torch.autograd.Function):
    """x / √(mean of x² + eps) along the last dimension: torch has no fused kernel for it on a CPU.

    Forward and backward are lesson 08's formulas in as few passes over memory as they can be.
    """

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, eps: float) -> torch.Tensor:
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)  # (..., 1)
        inverse = (length.square() / x.shape[-1] + eps).rsqrt()
        unit: torch.Tensor = x * inverse
        ctx.save_for_backward(unit, inverse)
        return unit

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None]:
        (unit, inverse), grad = ctx.saved_tensors, grads[0]
        along = torch.linalg.vecdot(grad, unit).unsqueeze(-1) / unit.shape[-1]  # (..., 1)
        return torch.addcmul(grad, unit, along, value=-1).mul_(inverse), None


class MeanCrossEntropy(torch.autograd.Function):
    """The mean of -log p[target] of `logits` [N, V], with p - y for its gradient (lesson 01).

    Torch's own first writes a gradient of zeros as large as the logits, half of a step's memory.
    """

    @staticmethod
    def forward(ctx: Any, logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        log_p, at = torch.log_softmax(logits, -1), targets[:, None]
        ctx.save_for_backward(log_p, at)
        return -log_p.gather(-1, at).mean()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None]:
        log_p, at = ctx.saved_tensors
        grad = log_p.exp().scatter_add_(-1, at, log_p.new_full((), -1.0).expand(at.shape))
        return grad.mul_(grads[0] / len(grad)), None


def norm(part: Norm, x: torch.Tensor) -> torch.Tensor:
    """A LayerNorm or RMSNorm of lesson 08 on `x` [..., D]."""
    rms, weight, bias, eps = part
    if rms:
        return unit_rms(x, eps) * weight
    return torch.layer_norm(x, x.shape[-1:], weight, bias, eps)


def norm_of(part: Any) -> Norm:
    """What `norm` needs of a LayerNorm, this course's or torch's, or of an RMSNorm."""
    if hasattr(part, "bias"):  # it may be None
        return False, part.weight, part.bias, getattr(part, "eps", 1e-5)
    return True, part.weight, None, getattr(part, "eps", 1e-6)


def unit_rms(x: torch.Tensor, eps: float) -> torch.Tensor:
    """`x` with a mean square of 1 along its last dimension."""
    if not torch.is_grad_enabled():
        return torch.rms_norm(x, x.shape[-1:], None, eps)
    made: torch.Tensor = UnitRMS.apply(x, eps)  # type: ignore[no-untyped-call]
    return made


def joined(*parts: Any) -> Linear:
    """Linear layers of one input as a single one: one product instead of several."""
    if len(parts) == 1:
        return parts[0].weight, parts[0].bias
    bias = None if parts[0].bias is None else torch.cat([p.bias for p in parts])
    return torch.cat([p.weight for p in parts]), bias


class FastGPT(torch.nn.Module):
    """`model`, a MiniGPT, through torch's kernels. Called as the model is, with the same results.

    It has no weights of its own: what trains one trains the other.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model, self.config = model, model.config
        self.weights = list(model.parameters())
        self.version = -1
        self.kept: list[Layer] = []
        self.mask = torch.zeros(0, 0)
        self.turns: torch.Tensor | None = None  # e^{i angle} of each position and pair, for RoPE
        if self.config.position == "rope":
            self.turns = torch.complex(*model.blocks[0].attn.tables)  # (S, w)

    def forward(
        self, ids: torch.Tensor, targets: torch.Tensor | None = None, cache: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """As `MiniGPT.forward`."""
        T, start = ids.shape[1], 0 if cache is None else cache.length
        if start + T > self.config.block_size:
            raise ValueError(f"{T} ids behind {start} others, for {self.config.block_size} places")
        model, turns, layers = self.model, None, self.layers(follows=start > 0)
        if self.turns is not None:
            turns = self.turns[start : start + T, None].to(ids.device)  # (T, 1, w)
        x = K.embedding(ids, model.embed.weight)  # (B, T, D)
        if self.config.position == "learned":
            x = x + model.positions.table.weight[start : start + T]
        elif model.positions is not None:
            x = x + model.positions(T, start)
        x = self.dropout(x)
        for i, layer in enumerate(layers):
            x = self.block(i, layer, x, turns, cache)
        logits = K.linear(norm(norm_of(model.final_norm), x), model.head.weight)  # (B, T, V)
        if targets is None:
            return logits, None
        flat = logits.flatten(0, 1), targets.flatten()
        if torch.is_grad_enabled() and targets.min() >= 0:  # none is ignored
            return logits, MeanCrossEntropy.apply(*flat)  # type: ignore[no-untyped-call]
        return logits, K.cross_entropy(*flat)

    def dropout(self, x: torch.Tensor) -> torch.Tensor:
        return K.dropout(x, self.config.dropout, self.training) if self.training else x

    def layers(self, follows: bool) -> list[Layer]:
        """The weights of all blocks; kept while one text is generated, that is, for what follows.

        Between texts they are read anew: a fused optimiser changes weights without leaving a trace.
        """
        version = sum(map(VERSION, self.weights))
        if torch.is_grad_enabled() or not (follows and self.kept and version == self.version):
            self.version = version
            self.kept = [self.layer_of(block) for block in self.model.blocks]
        return self.kept

    def layer_of(self, block: Any) -> Layer:
        at, ffn, c = block.attn, block.ffn, self.config
        gain, eps = None, 0.0
        if c.qk_norm:
            gain = torch.cat([at.q_norm.weight.expand(c.n_head, -1),
                              at.k_norm.weight.expand(c.kv_heads, -1)])
            eps = getattr(at.q_norm, "eps", 1e-6)
        ups = {"gelu": ("up_proj",), "swiglu": ("gate_proj", "up_proj"), "moe": ()}[c.ffn]
        return Layer(norm_of(block.attn_norm), joined(at.q_proj, at.k_proj, at.v_proj), gain, eps,
                     joined(at.out_proj), norm_of(block.ffn_norm),
                     joined(*(getattr(ffn, name) for name in ups)) if ups else None,
                     joined(ffn.down_proj) if ups else None)

    def block(
        self, at: int, layer: Layer, x: torch.Tensor, turns: torch.Tensor | None, cache: Any
    ) -> torch.Tensor:
        """Block `at` on `x` [B, T, D]."""
        x = x + self.attend(layer, norm(layer.attn_norm, x), turns, cache, at)
        return x + self.feed(at, layer, norm(layer.ffn_norm, x))

    def attend(
        self, part: Layer, x: torch.Tensor, turns: torch.Tensor | None, cache: Any, layer: int
    ) -> torch.Tensor:
        """A CausalSelfAttention of lesson 05 on `x` [B, T, D]."""
        (B, T, D), c = x.shape, self.config
        H, Hkv, Dh = c.n_head, c.kv_heads, c.head_width
        heads = K.linear(x, *part.qkv).view(B, T, H + 2 * Hkv, Dh)
        # split, not slices: a cheap backward
        both, v = torch.split_with_sizes(heads, [H + Hkv, Hkv], 2)
        if part.gain is not None:
            both = unit_rms(both, part.qk_eps) * part.gain
        if turns is not None:
            both = turn(both, turns)
        v = v.transpose(1, 2)
        # (B, H, T, Dh), (B, Hkv, T, Dh)
        q, k = torch.split_with_sizes(both.transpose(1, 2), [H, Hkv], 1)
        if cache is not None:
            k, v = cache.update(layer, k, v)  # (B, Hkv, S, Dh)
        out = self.mix(q, k, v).transpose(1, 2).reshape(B, T, D)
        return self.dropout(K.linear(out, *part.out))

    def mix(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        """Causal attention, the T queries being the last of S positions: [B, H, T, Dh]."""
        (B, H, T, Dh), S = q.shape, k.shape[2]
        drop = self.config.dropout if self.training else 0.0
        few = H // k.shape[1]
        if T == 1 and few > 1:  # the queries that share a key head, as if they were positions
            out = K.scaled_dot_product_attention(q.reshape(B, -1, few, Dh), k, v, None, drop)
            return out.reshape(B, H, 1, Dh)
        if not 1 < T == S <= EXPLICIT:
            mask = None if T in (1, S) else self.causal(S, q)[S - T :]
            return K.scaled_dot_product_attention(
                q, k, v, mask, drop, is_causal=T == S, enable_gqa=few > 1)
        if few > 1:
            k, v = k.repeat_interleave(few, 1), v.repeat_interleave(few, 1)
        q, k, v = (each.reshape(B * H, T, Dh) for each in (q, k, v))
        scores = torch.baddbmm(self.causal(T, q), q, k.mT, alpha=1 / math.sqrt(Dh))  # (B·H, T, T)
        weights = K.dropout(scores.softmax(-1), drop) if drop else scores.softmax(-1)
        return torch.bmm(weights, v).view(B, H, T, Dh)

    def causal(self, S: int, like: torch.Tensor) -> torch.Tensor:
        """0 where a query may look, -inf where not: [S, S]."""
        if len(self.mask) != S or self.mask.dtype != like.dtype or self.mask.device != like.device:
            self.mask = torch.full((S, S), -torch.inf, dtype=like.dtype, device=like.device).triu(1)
        return self.mask

    def feed(self, at: int, part: Layer, x: torch.Tensor) -> torch.Tensor:
        """The feed-forward of lesson 09, with or without a gate, or block `at`'s experts."""
        if part.up is None or part.down is None:
            found: torch.Tensor = self.model.blocks[at].ffn(x)
            return found
        h = K.linear(x, *part.up)
        if self.config.ffn == "gelu":
            h = K.gelu(h)
        else:
            gate, up = h.chunk(2, dim=-1)
            h = K.silu(gate) * up
        return self.dropout(K.linear(h, *part.down))


def turn(x: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    """RoPE on neighbouring pairs of `x` [B, T, H, Dh]: a pair is a complex number, turned by one.

    `turns` [T, 1, w]; the dims behind the first 2w pass through.
    """
    w = turns.shape[-1]
    if 2 * w < x.shape[-1]:
        first, rest = torch.split_with_sizes(x, [2 * w, x.shape[-1] - 2 * w], -1)
        return torch.cat([turn(first, turns), rest], -1)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], w, 2).contiguous())  # (B, T, H, w)
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)
