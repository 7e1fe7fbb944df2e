"""How the model is tried."""

from typing import Any

import torch

from .. import See, scenario
from ..attention.heads import Kept, wave
from . import MODERN, Made, config, count, fill, layers_of, silenced

IDS = torch.tensor([[3, 0, 5], [6, 6, 1]])
TARGETS = torch.tensor([[0, 5, 2], [6, 1, 4]])


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


def in_training(made: Made, position: str, rows: int, dropout: float = 0.5,
                ) -> tuple[Any, torch.Tensor, torch.Tensor]:
    """A model whose blocks add nothing, its logits in training, and what reaches the final norm."""
    model = made(config(position=position, dropout=dropout, block_size=rows))
    model = silenced(fill(model), "out_proj", "down_proj").train()
    seen: list[torch.Tensor] = []
    hook = model.final_norm.register_forward_pre_hook(lambda part, x: seen.append(x[0].detach()))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        logits = model(torch.arange(rows)[None] % 7)[0].detach()
    hook.remove()
    return model, logits, seen[0]


def dropped(made: Made, position: str = "none", rows: int = 60, dropout: float = 0.5,
            ) -> torch.Tensor:
    """What reaches the final norm in training when the blocks add nothing."""
    return in_training(made, position, rows, dropout)[2]


def second_cache(made: Made, ids: torch.Tensor, *sizes: int, **fields: Any) -> torch.Tensor:
    """Logits piece by piece with a cache, after the same model has filled another one."""
    model = fill(made(config(**fields)))
    for _ in range(2):
        cache = Kept()
        parts = [model(part, cache=cache)[0] for part in torch.split(ids, list(sizes), 1)]
    return torch.cat(parts, 1)


def modes_after(made: Made, ids: torch.Tensor, training: bool, **fields: Any) -> list[int]:
    """Whether all parts are in training mode after calls: plain, with targets, with a cache."""
    model, modes = fill(made(config(**fields))), list[float]()
    for named in ({}, {"targets": ids}, {"cache": Kept()}):
        model.train(training)(ids.clone(), **named)
        modes.append(sum(part.training for part in model.modules()) / len([*model.modules()]))
    return [int(mode) if mode.is_integer() else -1 for mode in modes]


def slope_of_logits(made: Made, ids: torch.Tensor, **fields: Any) -> torch.Tensor:
    """The gradient to the embedding of what is made of logits without targets."""
    model = fill(made(config(**fields)), 0.5)
    logits = model(ids)[0]
    up = wave(*logits.shape, by=1.9)
    weight: torch.Tensor = model.embed.weight
    return torch.autograd.grad(logits, weight, up)[0]


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
    see("gradient of logits without targets to the embedding", slope_of_logits, made, IDS)
    see("gradient of logits without targets to the embedding, untied", slope_of_logits, made, IDS,
        tie_weights=False)
    see("logits with a second cache, 2 tokens and then 1", second_cache, made, IDS, 2, 1)
    see("logits with a second cache, token by token", second_cache, made, IDS, 1, 1, 1)
    for mode in (True, False):
        see("training mode after a plain call, one with targets, one with a cache, of a model in "
            f"{'training' if mode else 'evaluation'} mode", modes_after, made, IDS, mode)
    see("the same of a model of three layers in training mode", modes_after, made, IDS, True,
        n_layer=3)
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
    for dropout in (0.0, 0.25):
        see("how much of what enters the blocks is dropped in training, in quarters, with dropout "
            f"{dropout:g}", dropped, made, "none", 90, dropout,
            derive="share of zeros, in quarters")
    for position, dropout in (("none", 0.5), ("learned", 0.25)):
        see(f"is anything that enters the blocks dropped in training, {position} positions and "
            f"dropout {dropout:g}? (1: yes)", dropped, made, position, 60, dropout,
            derive="whether anything is 0")
    see("7 ids for 6 positions", logits, torch.arange(7)[None])
    see("ids without a batch", logits, torch.arange(3))
