"""How whole sequences are tried: generation and beam search, on toy models."""

from typing import Any

import torch

from .. import See, scenario
from .toys import (
    FEW,
    WIDE,
    Function,
    Reading,
    Toy,
    alone,
    each,
    in_a_row,
    left_alone,
    mode_after,
    seeded,
    shares,
    twice,
    with_cache,
)

IDS = torch.tensor([[1, 3, 0], [2, 2, 4]])


@scenario("sampling.generate")
def generate(f: Function, see: See) -> None:
    model, short = Toy(5, 9), Toy(5, 4, by=2.9)

    def last_tokens(ids: torch.Tensor, new: int = 1, model: Toy = model, **keywords: Any,
                    ) -> torch.Tensor:
        """The last new token of many equal rows."""
        made: torch.Tensor = f(model, ids.expand(FEW, -1), new, generator=seeded(0), **keywords)
        if made.shape != (FEW, ids.shape[1] + new):
            raise TypeError(f"{ids.shape[1]} ids and {new} new gave shape {tuple(made.shape)}")
        return made[:, -1]

    see("greedy, 4 new tokens", alone(f), model, IDS, 4, t=0, use_cache=False)
    see("greedy, 1 row, 5 new tokens", alone(f), model, IDS[:1], 5, t=0.0)
    see("greedy, 6 new tokens for a model that looks at 4", alone(f), short, IDS, 6, t=0,
        use_cache=False)
    see("greedy, a prompt of 5 for a model that looks at 4", alone(f), short,
        torch.tensor([[1, 0, 3, 2, 2]]), 3, t=0)
    see("greedy, k and p given", alone(f), model, IDS, 4, t=0, k=3, p=0.9, use_cache=False)
    for name, reader in (("", Reading(5, 30)), (" that looks at 4", Reading(5, 4, by=2.9))):
        see(f"greedy, 6 new tokens, a model{name} that takes a cache", with_cache(alone(f)),
            reader, IDS, 6, t=0)
        see(f"greedy, 3 new tokens, 1 row, a model{name} that takes a cache",
            with_cache(alone(f)), reader, IDS[:1], 3, t=0)
    row = torch.tensor([[2, 0]])
    draws = shares(last_tokens, 5, FEW)
    off: dict[str, Any] = {"use_cache": False}
    see("shares of the next token", draws, row, tol=WIDE, **off)
    see("shares of the next token, t = 0.5", draws, row, t=0.5, tol=WIDE, **off)
    see("shares of the next token, t = 0.8", draws, row, t=0.8, tol=WIDE, **off)
    see("shares of the next token, t = 2", draws, row, t=2.0, tol=WIDE, **off)
    for t in (0.05, 0.09):
        see(f"shares of the next token, scores that are close, t = {t:g}", draws, row, t=t,
            model=Toy(5, 9, height=0.03), tol=WIDE, **off)
    see("shares of the next token, k = 2", draws, row, k=2, tol=WIDE, **off)
    see("shares of the next token, p = 0.6", draws, row, p=0.6, tol=WIDE, **off)
    see("shares of the next token, p = 0", draws, row, p=0.0, tol=WIDE, **off)
    see("shares of the next token, t = 2.5, p = 0", draws, row, t=2.5, p=0.0, tol=WIDE, **off)
    see("shares of the next token, t = 2.5, p = 0.6", draws, row, t=2.5, p=0.6, tol=WIDE, **off)
    see("shares of the next token, t = 2, p = 0.8", draws, row, t=2.0, p=0.8, tol=WIDE, **off)
    see("shares of the next token, t = 2.5, k = 3, p = 0.8", draws, row, t=2.5, k=3, p=0.8,
        tol=WIDE, **off)
    see("shares of the next token, t = 2.5, k = 2, p = 0.6", draws, row, t=2.5, k=2, p=0.6,
        tol=WIDE, **off)
    see("shares of the second token, t = 1.5", draws, row, 2, t=1.5, tol=WIDE, **off)
    see("shares of the second token, k = 2", draws, row, 2, k=2, tol=WIDE, **off)
    see("shares of the third token, t = 1.5", draws, torch.tensor([[1]]), 3, t=1.5, tol=WIDE,
        **off)
    see("change between two runs with generators of one seed", twice(f), model,
        IDS.repeat(20, 1), 4, use_cache=False, derive="largest change")
    see("change between two longer runs with generators of one seed", twice(f), short,
        IDS.repeat(20, 1), 6, t=1.5, derive="largest change")
    see("torch's own random numbers after a run with a generator", left_alone(f), model, IDS, 4,
        **off)
    see("torch's own random numbers after a longer run", left_alone(f), short, IDS, 6, t=1.5)
    for mode in (True, False):
        see(f"a model that was in {'training' if mode else 'evaluation'} mode is afterwards in",
            mode_after(f, mode), Toy(5, 9), IDS, 2, t=0, **off)
        see(f"a model that was in {'training' if mode else 'evaluation'} mode, after draws, is in",
            mode_after(f, mode), Toy(5, 4), IDS[:1], 6, t=0.5, **off)
    see("two runs in a row from one generator", in_a_row(f), model, IDS.repeat(20, 1), 4, **off)
    see("two longer runs in a row from one generator", in_a_row(f), short, IDS.repeat(20, 1), 6,
        t=1.5)
    see("two runs in a row without a generator", in_a_row(f, None), model, IDS.repeat(20, 1), 4,
        **off)
    see("two longer runs in a row without a generator", in_a_row(f, None), short,
        IDS.repeat(20, 1), 6, t=1.5)


@scenario("sampling.beam_search")
def beam_search(f: Function, see: See) -> None:
    parts = ("sequence", "log-probability")
    two = torch.tensor([[1, 2], [3, 0]])
    for beams in (1, 2, 3):
        see(f"two rows, 4 tokens, {beams} beam{'s' * (beams > 1)}", each(f),
            Toy(4, 9, by=0.9, height=0.8), two, 4, beams,
            parts=("sequences", "log-probabilities"), tol=1e-6)
    for name, by, block, ids, new in (
            ("", 1.1, 9, [1, 2], 5), (", another model", 2.3, 9, [2, 1], 5),
            (", a model that looks at 4", 1.1, 4, [0, 0], 5)):
        model = Toy(4, block, by=by, height=0.8)
        for beams in (1, 2, 4, 6):
            see(f"{new} tokens, {beams} beam{'s' * (beams > 1)}{name}", each(f), model,
                torch.tensor([ids]), new, beams, parts=parts, tol=1e-6)
    for beams in (4, 5):
        see(f"5 tokens of 3, {beams} beams", each(f), Toy(3, 9, height=0.8), torch.tensor([[0]]), 5,
            beams, parts=parts, tol=1e-6)
