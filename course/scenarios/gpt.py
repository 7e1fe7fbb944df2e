"""How a block, the model and the parameter tables are tried."""

from collections.abc import Callable
from typing import Any
from zlib import crc32

import torch

from . import See, gradient, scenario
from .attention.heads import Kept, wave

Made = Callable[..., Any]
BLOCK_PARTS = ("attn_norm", "attn", "ffn_norm", "ffn")
ROWS = ("attention q, k, v", "attention output", "feed-forward up", "feed-forward down", "norms")
ALL_ROWS = ("token embedding", "position table", *ROWS, "final norm", "output head")
MODERN: dict[str, Any] = {"norm": "rmsnorm", "ffn": "swiglu", "bias": False}


def config(**fields: Any) -> Any:
    """Width 8, two heads, two layers, 7 tokens and 6 positions, unless `fields` says otherwise."""
    from minillm.config import GPTConfig

    small = {"vocab_size": 7, "block_size": 6, "n_layer": 2, "n_head": 2, "d_model": 8,
             "dropout": 0.0}
    return GPTConfig(**small | fields)


def fill(model: Any, height: float = 1.0) -> Any:
    """Give every weight numbers that depend on its name alone; float64, ready for use."""
    model = model.double().eval()
    with torch.no_grad():
        for name, weight in sorted(model.state_dict().items()):
            by = 0.7 + crc32(name.encode()) % 1009 / 400
            gain = name.endswith("norm.weight")
            weight.copy_(wave(*weight.shape, by=by, height=0.4 if gain else height) + gain)
    return model


def silenced(model: Any, *ends: str) -> Any:
    """The model with these linear layers giving 0."""
    with torch.no_grad():
        for name, part in model.named_modules():
            if name.rpartition(".")[2] in ends:
                for weight in part.parameters():
                    weight.zero_()
    return model


class Asked(Kept):
    """A cache that writes down which layers come to it."""

    def __init__(self) -> None:
        super().__init__()
        self.layers: list[int] = []

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> Any:
        self.layers.append(layer)
        return super().update(layer, k, v)


def layers_of(model: Any, x: torch.Tensor, **named: Any) -> list[int]:
    """The layers that a model's call brings to a cache, in order."""
    cache = Asked()
    model(x.clone(), cache=cache, **named)  # x is needed again, whatever the model does to it
    return cache.layers


def count(model: Any) -> int:
    return sum(p.numel() for p in model.parameters())


def rows_of(see: See, what: str, f: Made, rows: tuple[str, ...], **fields: Any) -> None:
    see(what, lambda: f(config(**fields)), parts=rows)


def branch_in_training(made: Made, *silent: str, rows: int = 60) -> torch.Tensor:
    """What a block with dropout 0.5 adds to its input when the linear layers `silent` give 0."""
    model = silenced(fill(made(config(dropout=0.5, block_size=rows))), *silent).train()
    x = wave(1, rows, 8, by=0.9)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        out: torch.Tensor = model(x.clone()) - x
    return out


X = wave(2, 3, 8, by=0.9)
UP = wave(2, 3, 8, by=2.1)
IDS = torch.tensor([[3, 0, 5], [6, 6, 1]])
TARGETS = torch.tensor([[0, 5, 2], [6, 1, 4]])


@scenario("gpt.Block")
def block(made: Made, see: See) -> None:
    def out(x: torch.Tensor, silent: tuple[str, ...] = (), **fields: Any) -> Any:
        return silenced(fill(made(config(**fields))), *silent)(x)

    def out_float32(x: torch.Tensor) -> Any:
        return fill(made(config())).float()(x)

    def in_pieces(x: torch.Tensor, *sizes: int, layer: int = 0) -> torch.Tensor:
        """Piece by piece; other layers of the cache hold other things."""
        model, cache = fill(made(config())), Kept()
        done = []
        for piece in torch.split(x, list(sizes), 1):
            for other in range(layer):
                model(-piece, cache, other)
            done.append(model(piece, cache, layer))
        return torch.cat(done, 1)

    def last_changed(x: torch.Tensor, **fields: Any) -> torch.Tensor:
        other = x.clone()
        other[:, -1] = -other[:, -1]
        return torch.stack([out(x, **fields), out(other, **fields)])

    def parts(**fields: Any) -> dict[str, int]:
        model = made(config(**fields))
        return {name: count(getattr(model, name)) for name in BLOCK_PARTS}

    def branch(*silent: str) -> torch.Tensor:
        return branch_in_training(made, *silent)

    see("number of weights", parts, parts=BLOCK_PARTS)
    see("number of weights, RMSNorm, SwiGLU and one key head", parts, **MODERN, n_kv_head=1,
        parts=BLOCK_PARTS)
    see("number of different weights in the whole block", lambda: count(made(config())))
    see("output", out, X)
    see("output of one text of 5 tokens", out, wave(1, 5, 8, by=1.3), n_head=4)
    see("output, RMSNorm and SwiGLU", out, X, **MODERN)
    see("output, with a feed-forward that gives 0", out, X, ("down_proj",))
    see("output, with an attention that gives 0", out, X, ("out_proj",))
    see("output, with both giving 0", out, X, ("out_proj", "down_proj"))
    see("output, RMSNorm, with a feed-forward that gives 0", out, X, ("down_proj",), **MODERN)
    see("output, with both giving 0, for large x", out, 9 * X, ("out_proj", "down_proj"))
    see("output in float32", out_float32, X.float(), tol=1e-5)
    see("gradient to x", gradient(out), X, UP)
    see("gradient to x, with a feed-forward that gives 0", gradient(out), X, UP, ("down_proj",))
    see("gradient to x, RMSNorm", gradient(out), X, UP, norm="rmsnorm")
    see("gradient to x, RMSNorm and SwiGLU", gradient(out), X, UP, **MODERN)
    see("how much of attention's result is dropped in training, in quarters", branch, "down_proj",
        derive="share of zeros, in quarters")
    see("how much of the feed-forward's result is dropped in training, in quarters", branch,
        "out_proj", derive="share of zeros, in quarters")
    see("output in training mode, with dropout 0", lambda x: fill(made(config())).train()(x), X)
    see("what the last token changes", last_changed, X,
        derive="largest change but in the last row")
    see("what the last token changes, RMSNorm and SwiGLU", last_changed, X, **MODERN,
        derive="largest change but in the last row")
    see("output with a cache, 2 tokens and then 1", in_pieces, X, 2, 1)
    see("output with a cache, token by token", in_pieces, X, 1, 1, 1)
    for layer in (1, 3):
        see(f"the layer that comes to the cache, of layer {layer}", lambda n=layer: layers_of(
            fill(made(config())), X, layer=n))
    see("output as layer 1 of a cache, 1 token and then 2", in_pieces, X, 1, 2, layer=1)
    see("output as layer 2 of a cache, token by token", in_pieces, X, 1, 1, 1, layer=2)


def fresh(made: Made, seed: int, **fields: Any) -> Any:
    """A model as it starts; what is drawn without its generator is the same every time, too."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed + 100)
        return made(config(**fields), torch.Generator().manual_seed(seed))


def two_of_a_seed(made: Made, seed: int) -> torch.Tensor:
    """All weights of two models that are made one after the other from equal generators."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed + 100)
        return torch.stack([torch.cat([p.detach().flatten() for p in made(
            config(), torch.Generator().manual_seed(seed)).parameters()]) for _ in range(2)])


def sizes_at_start(made: Made, n_layer: int = 8) -> dict[str, float]:
    """Standard deviations of a fresh model's weights, in units of 0.02."""
    model = fresh(made, 3, vocab_size=50, n_layer=n_layer, d_model=64, block_size=40)

    def size(*names: str) -> float:
        found = [p.detach().flatten() for n, p in model.named_parameters()
                 if n.endswith(".weight") and n.split(".")[-2] in names]
        return float(torch.cat(found).std()) / 0.02

    embed = float(model.embed.weight.detach().std()) / 0.02
    return {"embedding": embed, "position table": size("table"),
            "queries, keys, values": size("q_proj", "k_proj", "v_proj"),
            "ends of the branches": size("out_proj", "down_proj")}


SIZES = ("embedding", "position table", "queries, keys, values", "ends of the branches")


def in_training(made: Made, position: str, rows: int) -> tuple[Any, torch.Tensor, torch.Tensor]:
    """A model whose blocks add nothing, its logits in training, and what reaches the final norm."""
    model = made(config(position=position, dropout=0.5, block_size=rows))
    model = silenced(fill(model), "out_proj", "down_proj").train()
    seen: list[torch.Tensor] = []
    hook = model.final_norm.register_forward_pre_hook(lambda part, x: seen.append(x[0].detach()))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        logits = model(torch.arange(rows)[None] % 7)[0].detach()
    hook.remove()
    return model, logits, seen[0]


def dropped(made: Made, position: str = "none", rows: int = 60) -> torch.Tensor:
    """What reaches the final norm in training when the blocks add nothing."""
    return in_training(made, position, rows)[2]


def behind_the_blocks(made: Made, position: str, rows: int) -> torch.Tensor:
    """Logits in training, and what final norm and head alone make of what the blocks give."""
    model, logits, x = in_training(made, position, rows)
    return torch.stack([logits, (model.final_norm(x) @ model.head.weight.mT).detach()])


def starts(made: Made, seed: int, **fields: Any) -> dict[str, torch.Tensor]:
    """Gains and biases of a fresh model."""
    named = dict(fresh(made, seed, **fields).named_parameters())
    gains = [p.detach() for n, p in named.items() if n.endswith("norm.weight")]
    biases = [p.detach() for n, p in named.items() if n.endswith(".bias")]
    return {"gains of the norms": torch.cat(gains), "biases": torch.cat(biases)}


def own_head(made: Made, V: int) -> float:
    """The standard deviation of a fresh head that is not tied, in units of 0.02."""
    model = fresh(made, 3, vocab_size=V, d_model=64, n_head=4, tie_weights=False)
    return float(model.head.weight.detach().std()) / 0.02


def without_generator(made: Made, n_layer: int) -> torch.Tensor:
    """The first weights of two models that were made one after the other, without a generator."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(n_layer)
        return torch.stack([made(config(n_layer=n_layer)).embed.weight.detach() for _ in range(2)])


def after_making(made: Made, seed: int) -> torch.Tensor:
    """What torch's own generator gives after a model was made, from two states of it."""
    def draw(state: int) -> torch.Tensor:
        torch.manual_seed(state)
        made(config(), torch.Generator().manual_seed(seed))
        return torch.rand(4)

    with torch.random.fork_rng(devices=[]):
        return torch.stack([draw(seed), draw(seed + 1)])


@scenario("gpt.MiniGPT")
def mini_gpt(made: Made, see: See) -> None:
    def logits(ids: torch.Tensor, silent: tuple[str, ...] = (), **fields: Any) -> Any:
        return silenced(fill(made(config(**fields))), *silent)(ids)[0]

    def loss(ids: torch.Tensor, targets: torch.Tensor, **fields: Any) -> Any:
        return fill(made(config(**fields)))(ids, targets)[1]

    def without_targets(ids: torch.Tensor) -> int:
        return int(fill(made(config()))(ids)[1] is None)

    def in_pieces(ids: torch.Tensor, *sizes: int, **fields: Any) -> torch.Tensor:
        model, cache = fill(made(config(**fields))), Kept()
        parts = torch.split(ids, list(sizes), 1)
        return torch.cat([model(part, cache=cache)[0] for part in parts], 1)

    def last_changed(ids: torch.Tensor) -> torch.Tensor:
        other = ids.clone()
        other[:, -1] = (other[:, -1] + 3) % 7
        return torch.stack([logits(ids), logits(other)])

    def to_embedding(ids: torch.Tensor, targets: torch.Tensor, **fields: Any) -> torch.Tensor:
        model = fill(made(config(**fields)), 0.5)
        weight: torch.Tensor = model.embed.weight
        return torch.autograd.grad(model(ids, targets)[1], weight)[0]

    def first_loss(V: int, seed: int) -> float:
        """Against guessing all V alike, in nats."""
        model = fresh(made, seed, vocab_size=V, block_size=64, d_model=32)
        ids = torch.arange(65)[None] * 7 % V
        return float(model(ids[:, :-1], ids[:, 1:])[1]) - float(torch.tensor(V).log())

    def one_head() -> int:
        model = made(config())
        return int(model.head.weight is model.embed.weight)

    def with_targets(ids: torch.Tensor, targets: torch.Tensor) -> Any:
        return fill(made(config()))(ids, targets)[0]

    def at_rest(ids: torch.Tensor) -> torch.Tensor:
        """Logits out of training of a model with dropout."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(6)
            found: torch.Tensor = logits(ids, dropout=0.5)
        return found

    def same_start() -> int:
        model = fresh(made, 6)
        return int(torch.equal(model.head.weight, model.embed.weight))

    see("logits", logits, IDS)
    see("logits of one text of 6 tokens", logits, torch.tensor([[1, 4, 4, 0, 2, 6]]), n_head=4)
    see("logits, RMSNorm, SwiGLU, a head of its own, no positions", logits, IDS, **MODERN,
        tie_weights=False, position="none")
    see("logits of three layers", logits, IDS, n_layer=3)
    see("logits of blocks that add nothing", logits, IDS, ("out_proj", "down_proj"))
    see("logits with sinusoids", logits, IDS, position="sinusoidal", tol=1e-5)
    see("logits with sinusoids and a cache, 2 tokens and then 1", in_pieces, IDS, 2, 1,
        position="sinusoidal", tol=1e-5)
    see("logits out of training, with dropout 0.5", at_rest, IDS)
    see("logits out of training, with dropout 0.5, of other ids", at_rest, TARGETS)
    see("logits where targets are given", with_targets, IDS, TARGETS)
    see("logits where other targets are given", with_targets, TARGETS, IDS)
    see("loss", loss, IDS, TARGETS)
    see("loss, with a head of its own", loss, IDS, TARGETS, tie_weights=False)
    see("is the loss None without targets? (1: yes)", without_targets, IDS)
    see("number of weights", lambda: count(made(config())))
    see("number of weights, three layers, untied", lambda: count(
        made(config(n_layer=3, tie_weights=False))))
    see("number of weights, RMSNorm and SwiGLU, no positions", lambda: count(
        made(config(**MODERN, position="none"))))
    see("are embedding and head one parameter? (1: yes)", one_head)
    see("do embedding and head start with the same numbers? (1: yes)", same_start)
    see("gradient to the embedding", to_embedding, IDS, TARGETS)
    see("gradient to the embedding, untied", to_embedding, IDS, TARGETS, tie_weights=False)
    see("what the last token changes", last_changed, IDS,
        derive="largest change but in the last row")
    see("logits with a cache, 2 tokens and then 1", in_pieces, IDS, 2, 1)
    see("logits with a cache, 1 token and then 2", in_pieces, IDS, 1, 2)
    see("logits with a cache, token by token", in_pieces, IDS, 1, 1, 1, n_layer=3)
    for n in (3, 2):
        see(f"the layers that come to the cache, of {n}", lambda n=n: layers_of(
            fill(made(config(n_layer=n))), IDS))
    see("size of the first weights / 0.02", sizes_at_start, made, parts=SIZES, tol=0.04)
    see("size of the first weights / 0.02, with 2 layers", sizes_at_start, made, 2, parts=SIZES,
        tol=0.04)
    for V in (50, 90):
        see(f"size of the first weights / 0.02: a head of its own, V = {V}", own_head, made, V,
            tol=0.04)
    for n in (1, 2):
        see(f"at the start, with {n} layers", starts, made, 5, n_layer=n,
            parts=("gains of the norms", "biases"), tol=1e-6)
    see("first loss of 11 tokens, above ln 11", first_loss, 11, 1, tol=0.1)
    see("first loss of 200 tokens, above ln 200", first_loss, 200, 2, tol=0.1)
    see("two models from one seed", two_of_a_seed, made, 4, derive="largest change")
    see("two models from another seed", two_of_a_seed, made, 9, derive="largest change")
    for a, b in ((3, 4), (7, 8)):
        see(f"does a model of seed {a} start like one of seed {b}? (1: yes)",
            lambda a=a, b=b: torch.equal(*(fresh(made, seed).embed.weight for seed in (a, b))))
    for n in (1, 2):
        see(f"without a generator, do two models of {n} layers differ? (1: yes)",
            without_generator, made, n, derive="whether they differ")
    for seed in (3, 7):
        see(f"are torch's own random numbers left as they were? (1: yes; seed {seed})",
            after_making, made, seed, derive="whether they differ")
    for position, rows in (("none", 60), ("none", 90), ("learned", 60), ("learned", 90)):
        about = f"{position} positions, {rows} tokens"
        see(f"how much of what enters the blocks is dropped in training, in quarters: {about}",
            dropped, made, position, rows, derive="share of zeros, in quarters")
        see(f"what final norm and head alone change in training: {about}", behind_the_blocks,
            made, position, rows, derive="largest change")
    see("7 ids for 6 positions", logits, torch.arange(7)[None])
    see("ids without a batch", logits, torch.arange(3))


@scenario("gpt.block_table")
def block_table(f: Made, see: See) -> None:
    rows_of(see, "the notes' block", f, ROWS, d_model=128, n_head=4)
    rows_of(see, "the notes' block without biases", f, ROWS, d_model=128, n_head=4, bias=False)
    rows_of(see, "width 24, hidden width 50", f, ROWS, d_model=24, n_head=4, d_ff=50)
    rows_of(see, "6 query heads that share 2 key heads", f, ROWS, d_model=48, n_head=6, n_kv_head=2)
    rows_of(see, "SwiGLU and RMSNorm", f, ROWS, d_model=48, n_head=6, n_kv_head=3, norm="rmsnorm",
            ffn="swiglu")
    rows_of(see, "SwiGLU and RMSNorm, no biases, QK-norm", f, ROWS, d_model=128, n_head=4,
            qk_norm=True, **MODERN)
    rows_of(see, "QK-norm with 6 heads", f, ROWS, d_model=36, n_head=6, qk_norm=True)
    rows_of(see, "5 experts", f, ROWS, d_model=40, n_head=4, ffn="moe", n_expert=5, d_ff=30)
    rows_of(see, "3 experts without biases", f, ROWS, d_model=40, n_head=4, ffn="moe", n_expert=3,
            d_ff=64, bias=False)


@scenario("gpt.parameter_table")
def parameter_table(f: Made, see: See) -> None:
    def total(**fields: Any) -> int:
        return sum(f(config(**fields)).values())

    notes: dict[str, Any] = {"vocab_size": 4000, "block_size": 256, "n_layer": 4, "n_head": 4,
                             "d_model": 128}
    rows_of(see, "the notes' model", f, ALL_ROWS, **notes)
    rows_of(see, "a head of its own", f, ALL_ROWS, vocab_size=50, d_model=24, n_layer=3,
            tie_weights=False)
    rows_of(see, "RoPE, RMSNorm, SwiGLU", f, ALL_ROWS, vocab_size=90, d_model=48, n_layer=5,
            n_head=6, n_kv_head=2, position="rope", **MODERN)
    rows_of(see, "sinusoids", f, ALL_ROWS, vocab_size=33, d_model=16, position="sinusoidal",
            block_size=20)
    see("all parameters with sinusoids", total, position="sinusoidal", block_size=30)
    see("all parameters of the notes' model", total, **notes)
    see("all parameters of 6 layers of width 192", total, **{
        **notes, "n_layer": 6, "n_head": 6, "d_model": 192})
    see("all parameters of a model with experts", total, ffn="moe", n_expert=4, qk_norm=True,
        tie_weights=False, position="none", n_layer=3)
