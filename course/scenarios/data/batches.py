"""How the split of ids and the batches are tried: by properties of what is drawn."""

from collections.abc import Callable
from typing import Any

import torch

from .. import See, scenario

IDS = (37 * torch.arange(1, 22)) % 101


@scenario("data.split")
def split(f: Callable[..., Any], see: See) -> None:
    sides = ("train", "val")
    see("split of 20 ids at 0.25", f, IDS[:20], 0.25, parts=sides)
    see("split of 21 ids at 0.25", f, IDS, 0.25, parts=sides)
    see("split of 10 ids at 0.05", f, IDS[:10], 0.05, parts=sides)
    see("split of 21 ids, nothing said", f, IDS, parts=sides)
    see("split of 7 ids at 0.5", f, IDS[:7], 0.5, parts=sides)
    see("split of 6 ids at 0", f, IDS[:6], 0.0, parts=sides)
    see("split of 100 ids at 0.29", f, torch.arange(100), 0.29, parts=sides)
    see("split of 5 ids at 1", f, IDS[:5], 1.0, parts=sides)
    for n, fraction in ((1000, 0.005), (400, 0.125)):
        see(f"how many ids train and val have of {n} at {fraction}",
            lambda n, fraction: [len(side) for side in f(torch.arange(n), fraction)], n, fraction)
    see("split of int32 ids", f, IDS[:9].int(), 0.34, parts=sides)


LINE = torch.arange(40)


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@scenario("data.get_batch")
def get_batch(f: Callable[..., Any], see: See) -> None:
    def against_ids(ids: torch.Tensor, part: int, T: int, B: int) -> torch.Tensor:
        """Windows as they came, and as they stand in `ids` from where x begins."""
        batch = f(ids, T, B, generator=seeded(3))
        starts = (ids == batch[0][:, :1]).int().argmax(1, keepdim=True)
        at = (starts + torch.arange(T) + part).clamp(max=len(ids) - 1)
        return torch.stack([batch[part], ids[at]])

    def starts(n: int, T: int, side: int = 0) -> list[int]:
        batch = f(torch.arange(n), T, 500, generator=seeded(1))
        found: list[int] = batch[side][:, 0].unique().tolist()
        return found

    def how_often(n: int, T: int) -> torch.Tensor:
        """How often each start was drawn; [n - T]."""
        x = f(torch.arange(n), T, 500, generator=seeded(1))[0]
        return torch.bincount(x[:, 0], minlength=n - T)

    def two(first: int, second: int) -> torch.Tensor:
        ids = torch.arange(1000)
        return torch.stack([f(ids, 3, 4, generator=seeded(s))[0] for s in (first, second)])

    def two_from_one() -> torch.Tensor:
        one = seeded(5)
        return torch.stack([f(torch.arange(1000), 3, 4, generator=one)[0] for _ in range(2)])

    def two_without(T: int, B: int) -> torch.Tensor:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return torch.stack([f(torch.arange(1000), T, B)[0] for _ in range(2)])

    def whatever_the_global_state() -> torch.Tensor:
        with torch.random.fork_rng(devices=[]):
            found = []
            for seed in (1, 2):
                torch.manual_seed(seed)
                found.append(f(torch.arange(1000), 3, 4, generator=seeded(5))[0])
            return torch.stack(found)

    def without() -> torch.Tensor:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            x, y = f(LINE, 5, 2)
        apart: torch.Tensor = y - x
        return apart

    see("the only window of 7 ids", f, IDS[:7], 6, 3, generator=seeded(0), parts=("x", "y"))
    see("x − x₀ in a batch of 0, 1, 2, …", lambda: [x - x[:, :1] for x, _ in [
        f(LINE, 5, 4, generator=seeded(0))]][0])
    see("y − x in a batch of 0, 1, 2, …", lambda: [y - x for x, y in [
        f(LINE, 5, 4, generator=seeded(0))]][0])
    see("y − x without a generator", without)
    for T, B in ((3, 4), (2, 5)):
        see(f"change from one batch of {B} × {T} to the next, without a generator", two_without, T,
            B, derive="whether they differ")
    see("x against the ids", against_ids, IDS, 0, 4, 6, derive="largest change")
    see("y against the ids", against_ids, IDS, 1, 4, 6, derive="largest change")
    for part, name in enumerate("xy"):
        see(f"{name} against ids[::2], every other one of them", against_ids, IDS[::2], part, 4, 6,
            derive="largest change")
    for seed in (3, 4):
        see("does a row begin where the one before says? (0: no, 1: yes), 50 windows of 3 among "
            f"1000 ids, seed {seed}", lambda seed: f(
                torch.arange(1000), 3, 50, generator=seeded(seed))[0][:, 0], seed,
            derive="whether one follows from the one before")
    see("first ids of x among 500 windows of 4 from 0 … 8", starts, 9, 4)
    see("first ids of y among them", starts, 9, 4, 1)
    see("first ids of x among 500 windows of 1 from 0 … 3", starts, 4, 1)
    for n, T in ((9, 4), (11, 7)):
        see(f"how far 500 starts of windows of {T} among {n} ids are from equally often (0: within "
            "half of it)", how_often, n, T, derive="how far from equally often")
    see("change when the generator has the same seed", two, 0, 0, derive="whether they differ")
    see("change when the generator has another seed", two, 0, 1, derive="whether they differ")
    see("change from one batch to the next", two_from_one, derive="whether they differ")
    see("change when torch's own seed is another", whatever_the_global_state,
        derive="whether they differ")
    see("the only window of int32 ids", f, IDS[:4].int(), 3, 2, generator=seeded(0),
        parts=("x", "y"))
