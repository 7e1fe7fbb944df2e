"""How the parts of multi-head attention are tried: split, merge, repeat, and the layer."""

from collections.abc import Callable
from typing import Any

import torch

from .. import See, gradient, scenario

Function = Callable[..., torch.Tensor]
PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")


def counted(*shape: int) -> torch.Tensor:
    """0, 1, 2 … in this shape: a number tells where it came from."""
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float64).view(shape)


def wave(*shape: int, by: float = 1.7, height: float = 1.0) -> torch.Tensor:
    """Numbers without a pattern that a mistake could share, the same on every machine."""
    return height * torch.sin(by * (1 + counted(*shape)))


@scenario("attention.split_heads")
def split_heads(f: Function, see: See) -> None:
    def second(x: torch.Tensor, n_head: int) -> torch.Tensor:
        return f(x, n_head)[1]

    see("heads of x [2, 3, 8], 4 of them", f, counted(2, 3, 8), 4)
    see("heads of x [1, 4, 6], 2 of them", f, counted(1, 4, 6), 2)
    see("shape of the heads of x [2, 3, 20], 4 of them", lambda x, n: list(f(x, n).shape),
        counted(2, 3, 20), 4)
    see("heads of x[1] for x [2, 3, 20], 4 of them", second, counted(2, 3, 20), 4)
    see("one head of x [2, 3, 5]", f, counted(2, 3, 5), 1)
    see("heads of a single token, x [1, 1, 6]", f, counted(1, 1, 6), 3)
    see("heads of one token each, x [3, 1, 6]", f, counted(3, 1, 6), 3)
    see("heads of x [2, 3, 8] whose numbers lie in another order in memory", f,
        counted(3, 2, 8).transpose(0, 1), 4)
    see("heads in float32", f, counted(1, 4, 6).float(), 2)
    see("gradient through split_heads", gradient(f), wave(2, 3, 8), counted(2, 4, 3, 2), 4)
    see("gradient through split_heads, 2 heads", gradient(f), wave(1, 4, 6), counted(1, 2, 4, 3), 2)
    see("x of width 7 cut into 2 heads", f, counted(2, 3, 7), 2)


@scenario("attention.merge_heads")
def merge_heads(f: Function, see: See) -> None:
    def second(x: torch.Tensor) -> torch.Tensor:
        return f(x)[1]

    see("heads [2, 4, 3, 2] merged", f, counted(2, 4, 3, 2))
    see("heads [1, 2, 4, 3] merged", f, counted(1, 2, 4, 3))
    see("shape of heads [2, 4, 3, 5] merged", lambda x: list(f(x).shape), counted(2, 4, 3, 5))
    see("heads [2, 4, 3, 5] merged, of the second text", second, counted(2, 4, 3, 5))
    see("one head [2, 1, 3, 4] merged", f, counted(2, 1, 3, 4))
    see("heads of a single token, [1, 2, 1, 3], merged", f, counted(1, 2, 1, 3))
    see("heads of one token each, [3, 2, 1, 4]", f, counted(3, 2, 1, 4))
    see("heads as split_heads leaves them in memory", f, counted(2, 3, 4, 2).transpose(1, 2))
    see("heads merged in float32", f, counted(1, 2, 4, 3).float())
    see("gradient through merge_heads", gradient(f), wave(2, 4, 3, 2), counted(2, 3, 8))
    see("gradient through merge_heads, 2 heads", gradient(f), wave(1, 2, 4, 3), counted(1, 4, 6))


@scenario("attention.repeat_kv")
def repeat_kv(f: Function, see: See) -> None:
    see("2 key heads [2, 2, 3, 1], each for 3 query heads", f, counted(2, 2, 3, 1), 3)
    see("3 key heads [1, 3, 5, 2], each for 2 query heads", f, counted(1, 3, 5, 2), 2)
    see("shape of [2, 3, 5, 4], each for 2 query heads", lambda x, n: list(f(x, n).shape),
        counted(2, 3, 5, 4), 2)
    see("one key head [2, 1, 3, 2] for 4 query heads", f, counted(2, 1, 3, 2), 4)
    see("one key head of a single token, [1, 1, 1, 2], for 3 query heads", f,
        counted(1, 1, 1, 2), 3)
    see("a key head [2, 3, 4, 2] for each query head", f, counted(2, 3, 4, 2), 1)
    see("key heads as split_heads leaves them in memory", f,
        counted(2, 3, 2, 2).transpose(1, 2), 2)
    see("key heads in float32", f, counted(1, 3, 5, 2).float(), 2)
    see("gradient through repeat_kv", gradient(f), wave(2, 2, 3, 1), wave(2, 6, 3, 1, by=2.3), 3)
    see("gradient through repeat_kv, 3 key heads", gradient(f), wave(1, 3, 2, 2),
        wave(1, 6, 2, 2, by=2.3), 2)
    for heads in (2, 3):
        see(f"gradient through repeat_kv, a key head for each of {heads} query heads", gradient(f),
            wave(2, heads, 2, 2), wave(2, heads, 2, 2, by=2.3), 1)


def made(layer: Callable[..., Any], **fields: Any) -> Any:
    """A layer with weights that are the same every time, in float64 and ready for use.

    Width 12 and 6 query heads of width 2, unless `fields` says something else.
    """
    from minillm.config import GPTConfig

    config = GPTConfig(**{"vocab_size": 11, "d_model": 12, "n_head": 6, "dropout": 0.0} | fields)
    model = layer(config).double().eval()
    with torch.no_grad():
        for at, name in enumerate(PROJECTIONS):
            part = getattr(model, name)
            part.weight.copy_(wave(*part.weight.shape, by=1.3 + 0.4 * at))
            if part.bias is not None:
                part.bias.copy_(wave(*part.bias.shape, by=2.9 + 0.2 * at))
    return model


class Kept:
    """A cache that joins what it is given to what it has, for any number of layers."""

    def __init__(self) -> None:
        self.length, self.given = 0, list[torch.Tensor]()
        self.held: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
        self.given += [k.detach(), v.detach()]
        old = self.held.get(layer, (k[:, :, :0], v[:, :, :0]))
        self.held[layer] = torch.cat([old[0], k], 2), torch.cat([old[1], v], 2)
        self.length = max(k.shape[2] for k, _ in self.held.values())
        return self.held[layer]


def parameter_gradients(model: torch.nn.Module, x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Of a sum over the output, to every parameter by name; zeros where none arrives."""
    names, parameters = zip(*model.named_parameters(), strict=True)
    y = model(x)
    loss = (y * wave(*y.shape, by=2.1)).sum()
    slopes = torch.autograd.grad(loss, parameters, allow_unused=True, materialize_grads=True)
    return dict(zip(names, slopes, strict=True))


def marked(layer: Callable[..., Any], p: float, T: int, R: int, n_kv_head: int) -> torch.Tensor:
    """Outputs in training, with dropout p, and after it, in which each weight can be read.

    Two heads of width T · R; the value of token s is 1 in the columns sR … sR + R − 1 of its head
    and 0 in all others, and the output projection changes nothing.
    """
    D = 2 * T * R
    model = made(layer, d_model=D, n_head=2, n_kv_head=n_kv_head, dropout=p)
    x = wave(100, T, D, by=0.9)
    x[..., :T] = torch.eye(T)
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        for part, weight in ((model.v_proj, torch.eye(D)[:T].repeat_interleave(R, 0)),
                             (model.out_proj, torch.eye(D))):
            part.weight.copy_(weight.repeat(len(part.weight) // len(weight), 1))
            part.bias.zero_()
        return torch.stack([model.train()(x), model.eval()(x)])


def see_marked(layer: Callable[..., Any], see: See, p: float, *sizes: int) -> None:
    """What drops out where a row has several weights: how much of them, and which together."""
    see(f"share of numbers lost in training with dropout {p}, in quarters (-1: the others are not "
        f"scaled alike), texts of {sizes[0]} tokens", marked, layer, p, *sizes,
        derive="share of entries that are lost, in quarters, if all others are scaled alike")
    see(f"which weights of texts of {sizes[0]} tokens are lost together (0: none, each on its own)",
        marked, layer, p, *sizes, derive="what is lost together")


X = wave(2, 4, 12, by=0.7)  # B = 2, T = 4, D = 12, H = 6, Dh = 2


@scenario("attention.CausalSelfAttention")
def causal_self_attention(layer: Callable[..., Any], see: See) -> None:
    def weights(**fields: Any) -> dict[str, list[int]]:
        return {name: list(getattr(made(layer, **fields), name).weight.shape)
                for name in PROJECTIONS}

    def biases(bias: bool) -> list[int]:
        model = made(layer, bias=bias)
        return [int(getattr(model, name).bias is not None) for name in PROJECTIONS]

    def out(x: torch.Tensor, **fields: Any) -> Any:
        return made(layer, **fields)(x)

    def out_float32(x: torch.Tensor) -> Any:
        return made(layer, n_kv_head=3).float()(x)

    def seeded(x: torch.Tensor, training: bool, **fields: Any) -> torch.Tensor:
        """With the random numbers of this place only."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(3)
            y: torch.Tensor = made(layer, **fields).train(training)(x)
        return y

    def unmixed(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        """In training and after it, with an output projection that changes nothing."""
        model = made(layer, **fields)
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(5)
            model.out_proj.weight.copy_(torch.eye(len(model.out_proj.weight)))
            model.out_proj.bias.zero_()
            return torch.stack([model.train()(x), model.eval()(x)])

    def last_changed(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        other = x.clone()
        other[:, -1] = -other[:, -1]
        model = made(layer, **fields)
        return torch.stack([model(x), model(other)])

    def slopes(x: torch.Tensor, **fields: Any) -> dict[str, torch.Tensor]:
        return parameter_gradients(made(layer, **fields), x)

    def in_pieces(x: torch.Tensor, *sizes: int, **fields: Any) -> torch.Tensor:
        model, cache = made(layer, **fields), Kept()
        ends = [sum(sizes[:i + 1]) for i in range(len(sizes))]
        pieces = [x[:, end - size:end] for end, size in zip(ends, sizes, strict=True)]
        return torch.cat([model(piece, cache, 0) for piece in pieces], 1)

    def kept(x: torch.Tensor, **fields: Any) -> Kept:
        model, cache = made(layer, **fields), Kept()
        model(x, cache, 1)
        return cache

    see("weight [out, in] with 6 query and 6 key heads of width 2", weights, parts=PROJECTIONS)
    see("weight [out, in] with 6 query and 2 key heads of width 2", weights, n_kv_head=2,
        parts=PROJECTIONS)
    see("which of q, k, v, out have a bias, with bias=True", biases, True)
    see("which of q, k, v, out have a bias, with bias=False", biases, False)
    see("output, 6 heads with a key head each", out, X)
    see("output, 6 query heads that share 3 key heads", out, X, n_kv_head=3)
    see("output, 6 query heads that share 2 key heads", out, X, n_kv_head=2)
    see("output, 6 query heads that share 1 key head", out, X, n_kv_head=1)
    see("output, 2 heads of width 5", out, wave(1, 7, 10), n_head=2, d_model=10)
    see("output, one head", out, X[:, :3], n_head=1)
    see("output of a single token of each text", out, X[:, :1], n_kv_head=3)
    see("output of a single token", out, X[:1, :1], n_kv_head=2)
    see("output without biases", out, X, bias=False, n_kv_head=2)
    see("output in float32", out_float32, X.float(), tol=1e-5)
    see("output in training without dropout", seeded, X, True, n_kv_head=2)
    see("output in training, with a dropout so rare that none comes", seeded, X, True,
        dropout=1e-12, n_kv_head=3)
    see("output with dropout 0.5, but not in training", seeded, X, False, dropout=0.5)
    see("output with dropout 0.3, but not in training, 2 key heads", seeded, X, False, dropout=0.3,
        n_kv_head=2)
    see("what the last token changes", last_changed, X,
        derive="largest change but in the last row")
    see("what the last token changes, 3 key heads", last_changed, X, n_kv_head=3,
        derive="largest change but in the last row")
    see("gradient to x", gradient(out), X[:1], wave(1, 4, 12, by=2.1), n_kv_head=2)
    see("gradient to x in training, with a dropout so rare that none comes", gradient(
        lambda x, **fields: seeded(x, True, **fields)), X[:1], wave(1, 4, 12, by=2.1),
        n_kv_head=2, dropout=1e-12)
    parameters = [f"{name}.{kind}" for name in PROJECTIONS for kind in ("weight", "bias")]
    see("gradient, 3 query heads that share 1, to", slopes, wave(2, 4, 6, by=0.7), d_model=6,
        n_head=3, n_kv_head=1, parts=parameters)
    see("gradient, 4 query heads that share 2, to", slopes, wave(1, 5, 8, by=0.7), d_model=8,
        n_head=4, n_kv_head=2, parts=parameters)
    many = wave(600, 1, 4, by=0.3) + 2  # texts of one token: its weight is 1, or drops out
    see("share of outputs that drop out in training, in quarters, dropout 0.5", seeded, many, True,
        n_head=1, d_model=4, dropout=0.5, derive="share of zeros, in quarters")
    see("share of outputs that drop out in training, in quarters, dropout 0.5, 2 heads", seeded,
        many, True, n_head=2, n_kv_head=1, d_model=4, dropout=0.5,
        derive="share of zeros, in quarters")
    for width, p in ((4, 0.5), (6, 0.25)):
        see(f"share of tokens whose only weight drops out, in quarters, dropout {p}, one head of "
            f"{width}", unmixed, wave(600, 1, width, by=0.3) + 2, n_head=1, d_model=width,
            dropout=p,
            derive="share of tokens that are lost, in quarters, if all others are scaled alike")
        see(f"how many times larger in training what does not drop out is, dropout {p} twice, one "
            f"head of {width}", unmixed, wave(600, 1, width, by=0.3) + 2, n_head=1, d_model=width,
            dropout=p, derive="how many times larger in training")
    see_marked(layer, see, 0.5, 3, 3, 2)  # T, R, Hkv
    see_marked(layer, see, 0.25, 4, 2, 1)
    see("tokens 0-2, then 3, with a cache", in_pieces, X, 3, 1, n_kv_head=3)
    see("token 0, then 1-3, with a cache", in_pieces, X, 1, 3, n_kv_head=2)
    see("shape of the keys that a cache is given, 2 key heads",
        lambda x: list(kept(x, n_kv_head=2).given[0].shape), X)
    see("values that a cache is given, 2 key heads", lambda x: kept(x, n_kv_head=2).given[1], X)
    see("layer that a cache is told", lambda x: list(kept(x).held), X)
    see("x of width 10 where 12 is expected", out, wave(2, 4, 10))
