"""How the parts of multi-head attention are tried when a submission is graded."""

from collections.abc import Callable
from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.attention.heads import (
    PROJECTIONS,
    Function,
    Kept,
    counted,
    made,
    parameter_gradients,
    see_marked,
    wave,
)

from .. import hidden


@hidden("attention.split_heads")
def split_heads(f: Function, see: See) -> None:
    see("heads of a batch", f, counted(3, 2, 10), 5)
    see("heads when there are more tokens than columns", f, counted(2, 7, 6), 3)
    see("as many heads as columns", f, counted(2, 3, 4), 4)
    see("heads of one text", f, wave(1, 5, 12), 3)
    see("heads of numbers that lie in another order in memory", f,
        counted(2, 8, 3).transpose(1, 2), 2)
    see("gradient through split_heads", gradient(f), wave(2, 5, 6), wave(2, 2, 5, 3, by=2.3), 2)
    see("heads in bfloat16", f, counted(1, 2, 6).bfloat16(), 3)


@hidden("attention.merge_heads")
def merge_heads(f: Function, see: See) -> None:
    see("a batch merged", f, counted(3, 5, 2, 2))
    see("heads merged when there are more tokens than columns", f, counted(2, 3, 7, 2))
    see("heads of width 1 merged", f, counted(2, 4, 3, 1))
    see("heads of one text merged", f, wave(1, 3, 5, 4))
    see("heads merged that lie in another order in memory", f, counted(2, 3, 2, 4).mT)
    see("gradient through merge_heads", gradient(f), wave(2, 2, 5, 3), wave(2, 5, 6, by=2.3))
    see("heads merged in bfloat16", f, counted(1, 2, 3, 2).bfloat16())


@hidden("attention.repeat_kv")
def repeat_kv(f: Function, see: See) -> None:
    see("key heads of a batch", f, counted(3, 2, 4, 1), 4)
    see("each key head for two query heads", f, wave(2, 4, 3, 2), 2)
    see("one key head for all", f, counted(1, 1, 3, 5), 6)
    see("nothing to repeat", f, wave(1, 5, 2, 3), 1)
    see("key heads that lie in another order in memory", f, counted(2, 3, 2, 4).mT, 2)
    see("gradient through repeat_kv", gradient(f), wave(2, 3, 2, 2), wave(2, 9, 2, 2, by=0.9), 3)
    see("gradient where nothing is repeated", gradient(f), wave(1, 5, 2, 3),
        wave(1, 5, 2, 3, by=0.9), 1)
    see("key heads in bfloat16", f, counted(1, 2, 3, 2).bfloat16(), 2)


@hidden("attention.CausalSelfAttention")
def causal_self_attention(layer: Callable[..., Any], see: See) -> None:
    def out(x: torch.Tensor, **fields: Any) -> Any:
        return made(layer, **fields)(x)

    def in_training(x: torch.Tensor, **fields: Any) -> Any:
        return made(layer, **fields).train()(x)

    def second_layer(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        """Layer 1 of a cache that holds other things for layer 0, token by token."""
        model, cache = made(layer, **fields), Kept()
        rows = []
        for t in range(x.shape[1]):
            model(-x[:, t:t + 1], cache, 0)
            rows.append(model(x[:, t:t + 1], cache, 1))
        return torch.cat(rows, 1)

    def weights_of(**fields: Any) -> dict[str, int]:
        return {name: p.numel() for name, p in made(layer, **fields).named_parameters()}

    def drops(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        model = made(layer, **fields)
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(11)
            model.out_proj.weight.copy_(torch.eye(len(model.out_proj.weight)))
            return torch.stack([model.train()(x), model.eval()(x)])

    def slopes(x: torch.Tensor, **fields: Any) -> dict[str, torch.Tensor]:
        return parameter_gradients(made(layer, **fields).train(), x)

    def later_changed(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        model, other = made(layer, **fields), x.clone()
        other[:, -1:] += 3
        return torch.stack([model(x), model(other)])

    x = wave(2, 3, 15, by=0.9)
    see("output with five heads", out, x, d_model=15, n_head=5)
    see("output with five query heads that share one", out, x, d_model=15, n_head=5, n_kv_head=1)
    see("output with eight query heads that share four", out, wave(1, 6, 16, by=0.8), d_model=16,
        n_head=8, n_kv_head=4)
    see("output with large scores", out, 4 * x, d_model=15, n_head=3, n_kv_head=1)
    see("output in training without dropout", in_training, x, d_model=15, n_head=3)
    see("output without biases, one head", out, x, d_model=15, n_head=1, bias=False)
    see("what a later token changes", later_changed, x, d_model=15, n_head=5,
        derive="largest change but in the last row")
    see("output token by token, with a cache of two layers", second_layer, wave(1, 4, 12, by=0.7),
        n_kv_head=2)
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        see(f"number of weights in {name}", lambda n=name: weights_of(
            d_model=20, n_head=10, n_kv_head=5)[f"{n}.weight"])
    see("gradient to x with shared keys", gradient(out), x[:, :2], wave(2, 2, 15, by=2.1),
        d_model=15, n_head=5, n_kv_head=1)
    see("do weights drop out in training?", drops, wave(600, 1, 5, by=0.3) + 2, n_head=1, d_model=5,
        dropout=0.5, bias=False,
        derive="share of tokens that are lost, in quarters, if all others are scaled alike")
    see("gradient in training to", slopes, wave(2, 3, 6, by=1.1), d_model=6, n_head=3, n_kv_head=3,
        parts=[f"{name}.{kind}" for name in PROJECTIONS for kind in ("weight", "bias")])
    see("gradient without biases to", slopes, wave(2, 3, 6, by=1.1), d_model=6, n_head=6,
        n_kv_head=2, bias=False, parts=[f"{name}.weight" for name in PROJECTIONS])
    see_marked(layer, see, 0.25, 5, 2, 2)
    see("do outputs drop out in training?", in_training, wave(500, 1, 6, by=0.3) + 2, n_head=2,
        d_model=6, dropout=0.5, derive="share of zeros, in quarters")
