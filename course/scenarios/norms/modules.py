"""How the modules of `minillm.norms`, and the weights that a model starts with, are tried."""

import inspect
from collections.abc import Callable
from typing import Any

import torch

from .. import See, gradient, scenario
from .functions import CROSSED, UP3, UP_CROSSED, X1, X2, X3, Function, any_sign, offset


def takes(make: Callable[..., Any], *names: str) -> bool:
    """Whether a norm is made with these too; `make(D)` alone is promised for every course."""
    parameters = inspect.signature(make).parameters
    return all(name in parameters for name in names) or any(
        p.kind is p.VAR_KEYWORD for p in parameters.values())


def learned(module: Any) -> list[int]:
    """How many numbers each parameter has that a gradient changes, the fewest first."""
    return sorted(p.numel() for p in module.parameters() if p.requires_grad)


def known(make: Callable[..., Any], D: int, **more: Any) -> Any:
    """A norm of width D in float64, with a gain and an offset that are known.

    Whatever the parameters are called: the gain is the one that starts at 1, else the first. It
    becomes one of `any_sign`.
    """
    if not takes(make, *more):
        kinds = (torch.nn.RMSNorm, torch.nn.LayerNorm)
        return known(kinds[len(list(make(D).parameters())) - 1], D, **more)
    module = make(D, **more).double()
    parameters = list(module.parameters())
    ones = [p for p in parameters if bool((p == 1).all())]
    first = ones[0] if len(ones) == 1 else parameters[0]
    with torch.no_grad():
        for p in parameters:
            p.copy_(any_sign(D) if p is first else offset(D))
    return module


def see_module(make: Callable[..., Any], see: See) -> None:
    """What both norms have in common."""
    def fresh(D: int) -> Any:
        return make(D).double()

    def counts(D: int) -> list[int]:
        return learned(make(D))

    def to_parameters(x: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
        module = known(make, x.shape[-1])
        (module(x) * up).sum().backward()
        return torch.stack([p.grad for p in module.parameters()]).sort(0).values

    see("a new norm of width 5, on two rows", lambda x: fresh(5)(x), X2)
    see("a new norm of width 4, on shape [2, 3, 4]", lambda x: fresh(4)(x), X3)
    see("a new norm of width 4, on numbers near 0.001", lambda x: fresh(4)(x), X3 / 1000)
    see("numbers that a norm of width 5 learns", counts, 5)
    see("numbers that a norm of width 3 learns", counts, 3)
    see("a norm of width 5 that has learned, on two rows", lambda x: known(make, 5)(x), X2)
    see("a norm of width 4 that has learned, on shape [2, 3, 4]", lambda x: known(make, 4)(x), X3)
    see("shape [2, 3, 4] that lies in another order in memory", lambda x: known(make, 4)(x),
        CROSSED)
    see("a single token of width 6", lambda x: known(make, 6)(x), X1)
    see("gradient to x", gradient(lambda x: known(make, 4)(x)), X3, UP3)
    see("gradient to x that lies in another order in memory", gradient(
        lambda x: known(make, 4)(x)), CROSSED, UP_CROSSED)
    see("gradients to what is learned, smallest first", to_parameters, X3, UP3)
    see("eps=0.5, on two rows", lambda x: known(make, 5, eps=0.5)(x), X2)
    see("eps=0.5, on shape [2, 3, 4]", lambda x: known(make, 4, eps=0.5)(x), X3)
    see("in float32", lambda x: known(make, 5).float()(x), X2.float(), tol=1e-6)
    see("a new norm of width 5, in float32", lambda x: make(5)(x), X2.float(), tol=1e-6)
    see("a new norm of width 4, in float32", lambda x: make(4)(x), X3.float(), tol=1e-6)


@scenario("norms.RMSNorm")
def rms_module(make: Callable[..., Any], see: See) -> None:
    see_module(make, see)


@scenario("norms.LayerNorm")
def layer_module(make: Callable[..., Any], see: See) -> None:
    def without(D: int) -> Any:
        return make(D, bias=False) if takes(make, "bias") else torch.nn.LayerNorm(D, bias=False)

    see_module(make, see)
    see("bias=False, on two rows", lambda x: known(make, 5, bias=False)(x), X2)
    see("bias=False, on shape [2, 3, 4]", lambda x: known(make, 4, bias=False)(x), X3)
    for D in (5, 3):
        see(f"numbers that a norm of width {D} learns, bias=False",
            lambda n: learned(without(n)), D)
        see(f"is self.bias of a norm of width {D} None, bias=False? (1: yes)",
            lambda n: getattr(without(n), "bias", None) is None, D)


@scenario("norms.residual_std")
def residual_std(f: Function, see: See) -> None:
    for n in (4, 12, 1, 0):
        see(f"residual_std({n})", f, n, tol=1e-7)
    see("residual_std(32, base=0.5)", f, 32, base=0.5, tol=1e-7)
    see("residual_std(2, 3.0)", f, 2, 3.0, tol=1e-7)


class Own(torch.nn.Linear):
    """A linear layer of a class of its own, as torch has some too."""


class Layer(torch.nn.Module):
    """What a layer has, by the names that count; its forward is not needed."""

    def __init__(self, D: int, end: str = "down_proj", bias: bool = True) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(D)
        self.q_proj = torch.nn.Linear(D, D, bias=bias)
        self.out_proj = torch.nn.Linear(D, D, bias=bias)
        self.not_out_proj = Own(D, D, bias=bias)
        self.add_module(end, torch.nn.Linear(D, D, bias=bias))


class Model(torch.nn.Module):
    """An embedding, layers and a head; every parameter starts at 7."""

    def __init__(self, n: int, D: int = 100, **more: Any) -> None:
        super().__init__()
        self.tokens = torch.nn.Embedding(120, D)
        self.layers = torch.nn.ModuleList(Layer(D, **more) for _ in range(n))
        self.head = torch.nn.Linear(D, 120, bias=False)
        for p in self.parameters():
            torch.nn.init.constant_(p, 7.0)


WEIGHTS = ("tokens", "layers.0.q_proj", "layers.0.not_out_proj", "layers.1.out_proj",
           "layers.1.down_proj", "head")


def started(f: Function, n: int, seed: int = 3, model: Model | None = None, **more: Any) -> Any:
    """A model of two layers after `f`, as its state, and what `f` gave."""
    model = model or Model(2)
    with torch.random.fork_rng(devices=[]):
        names = f(model, n, generator=torch.Generator().manual_seed(seed), **more)
    return model.state_dict(), names


@scenario("norms.init_weights")
def init_weights(f: Function, see: See) -> None:
    def spread(n: int, base: float, **more: Any) -> list[float]:
        """Of each weight its standard deviation, in units of `base`."""
        state, _ = started(f, n, base=base, **more)
        return [float(state[f"{name}.weight"].double().std() / base) for name in WEIGHTS]

    def mean(n: int) -> list[float]:
        state, _ = started(f, n)
        return [float(state[f"{name}.weight"].double().mean() / 0.02) for name in WEIGHTS]

    def far(n: int) -> float:
        """The share of entries beyond two standard deviations."""
        weight = started(f, n)[0]["head.weight"].double()
        return float((weight.abs() > 2 * weight.std()).double().mean())

    def other(n: int, of_norms: bool) -> list[float]:
        """The largest entry of each norm's gain and offset, or of each other bias."""
        state, _ = started(f, n)
        return [float(v.abs().max()) for k, v in state.items()
                if ("norm." in k) == of_norms and (of_norms or k.endswith("bias"))]

    def names(n: int) -> str:
        return " ".join(sorted(started(f, n)[1]))

    def namesakes(n: int, base: float) -> list[float]:
        """Of an embedding called down_proj, std / base; how many names come back; a norm's gain."""
        model = Model(2)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)  # a wrong answer may leave the numbers that it starts with
            model.extra = torch.nn.ModuleDict(
                {"down_proj": torch.nn.Embedding(120, 100), "out_proj": torch.nn.LayerNorm(100)})
        state, found = started(f, n, model=model, base=base)
        return [float(state["extra.down_proj.weight"].double().std() / base), float(len(found)),
                float(state["extra.out_proj.weight"].max())]

    def twice(n: int) -> torch.Tensor:
        """One weight, made twice with the same seed, but with other numbers drawn before."""
        made = []
        for before in (1, 5):
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(before)
                made.append(started(f, n)[0]["head.weight"][0, :20])
        return torch.stack(made)

    def alike(n: int) -> list[int]:
        """Whether a layer starts like the next one, and like itself in a model of another seed."""
        here, there = started(f, n)[0], started(f, n, seed=4)[0]
        first, name = here["layers.0.q_proj.weight"], "layers.{}.q_proj.weight"
        constant = bool((first == first[0, 0]).all())
        return [torch.equal(first, w) + constant
                for w in (here[name.format(1)], there[name.format(0)])]

    def without_generator(n: int) -> float:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(3)
            model = Model(2)
            f(model, n)
        return float(model.state_dict()["layers.1.q_proj.weight"].double().std() / 0.02)

    def torchs_next(n: int) -> torch.Tensor:
        """What torch's own random numbers give next, without `f` before it and with it."""
        model, found = Model(2, D=8), []
        for use in (False, True):
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(9)
                if use:
                    f(model, n, generator=torch.Generator().manual_seed(3))
                found.append(torch.rand(3))
        return torch.stack(found)

    def same_objects(n: int) -> bool:
        model = Model(2)
        before = {k: (id(p), p.requires_grad) for k, p in model.named_parameters()}
        f(model, n, generator=torch.Generator().manual_seed(3))
        return before == {k: (id(p), p.requires_grad) for k, p in model.named_parameters()}

    def still_tied(n: int) -> bool:
        model = Model(2, D=8)
        model.head.weight = model.tokens.weight
        f(model, n, generator=torch.Generator().manual_seed(3))
        return model.head.weight is model.tokens.weight

    of = "std / base of embedding, q_proj, not_out_proj, out_proj, down_proj, head"
    see(f"{of} for 2 layers", spread, 2, 0.02, tol=0.03)
    see(f"{of} for 2 layers, base=0.3", spread, 2, 0.3, tol=0.03)
    see(f"{of} for n_layer=1", spread, 1, 0.02, tol=0.03)
    see(f"{of} for n_layer=1, base=0.1", spread, 1, 0.1, tol=0.03)
    for n, base in ((2, 0.02), (1, 0.1)):
        see("with an embedding called down_proj and a norm called out_proj: std / base of the one, "
            f"how many names come back, gain of the other, n_layer={n}", namesakes, n, base,
            tol=0.03)
    see("means of the same, divided by 0.02", mean, 2, tol=0.06)
    for n, more in ((2, ""), (1, ", n_layer=1")):
        see(f"share of entries beyond two standard deviations{more}", far, n, tol=0.01)
        see(f"largest bias in each linear layer{more}", other, n, False)
        see(f"gains and offsets of the norms (they were 7){more}", other, n, True)
        see(f"names that come back{more}", names, n)
        see(f"two models of one seed{more}", twice, n, derive="largest change", tol=1e-6)
        see(f"does it move torch's own random numbers, with a generator? (0: no){more}",
            torchs_next, n, derive="largest change", tol=1e-6)
        see("is q_proj that of the next layer, that of another seed? (1: yes, 2: all entries are "
            f"one number){more}", alike, n)
    see("std of q_proj / base without a generator", without_generator, 2, tol=0.03)
    see("is every parameter the same object as before? (1: yes)", same_objects, 2)
    see("are tied weights tied afterwards? (1: yes)", still_tied, 2)
    see("a model whose branches do not end in out_proj and down_proj",
        lambda: started(f, 2, model=Model(2, D=8, end="c_proj"))[1])
    see("names in a model without biases", lambda: " ".join(sorted(
        started(f, 2, model=Model(2, D=8, bias=False))[1])))
