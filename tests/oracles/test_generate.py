"""Generation and beam search against slow loops and exhaustive search."""

import itertools
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats
import torch

from .conftest import normal
from .test_sampling import collect

MODULES = {"S": "minillm.sampling"}


class Toy(torch.nn.Module):
    """Scores from a table by place and token, with dropout, and perhaps with a cache."""

    def __init__(self, V: int = 4, block_size: int = 5, dropout: float = 0.0) -> None:
        super().__init__()
        self.config = SimpleNamespace(block_size=block_size, n_layer=2, n_head=2, n_kv_head=None,
                                      d_model=6)
        self.table = torch.nn.Parameter(normal(block_size, V, V, seed=3))
        self.dropout = torch.nn.Dropout(dropout)
        self.seen: list[int] = []

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, None]:
        T = ids.shape[1]
        self.seen.append(T)
        assert T <= self.config.block_size
        return self.dropout(self.table[torch.arange(T), ids]).cumsum(1), None


@pytest.mark.parametrize("length", [1, 3, 5, 8])
def test_greedy_is_that_of_a_slow_loop(ref: Any, length: int) -> None:
    model, ids = Toy(), torch.randint(4, (3, length), generator=torch.Generator().manual_seed(0))
    made = ref.S.generate(model, ids, 6, t=0)
    for row, start in zip(made.tolist(), ids.tolist(), strict=True):
        for _ in range(6):
            scores = [0.0] * 4
            for place, i in enumerate(start[-5:]):
                more = model.table[place, i].tolist()
                scores = [a + b for a, b in zip(scores, more, strict=True)]
            start.append(max(range(4), key=scores.__getitem__))
        assert row == start
    assert max(model.seen) <= 5 and made.shape == (3, length + 6)
    assert torch.equal(ref.S.generate(model, ids, 0), ids)


def test_generation_uses_the_three_steps_in_their_order(ref: Any) -> None:
    model, ids = Toy(V=7, block_size=4), torch.tensor([[1, 6]]).expand(20_000, 2)
    z = model(ids[:1])[0][0, -1].detach()
    for t, k, p in ((1.0, None, None), (2.0, 4, 0.7), (0.5, 3, None), (3.0, None, 0.5)):
        made = ref.S.generate(model, ids, 1, t=t, k=k, p=p,
                              generator=torch.Generator().manual_seed(1))[:, -1]
        q = scipy.special.softmax(z.numpy() / t)
        stays = sorted(range(7), key=lambda i: -q[i])[:k]
        q = np.array([x if i in stays else 0 for i, x in enumerate(q)])
        q /= q.sum()
        stays = collect(q.tolist(), stays, 1.0 if p is None else p)
        q = np.array([x if i in stays else 0 for i, x in enumerate(q)])
        q /= q.sum()
        counts = np.bincount(made, minlength=7)
        assert (counts[q == 0] == 0).all()
        if (q > 0).sum() > 1:
            assert scipy.stats.chisquare(counts[q > 0], 20_000 * q[q > 0]).pvalue > 1e-6


def test_the_model_is_at_rest_and_left_as_it_was(ref: Any) -> None:
    model, ids = Toy(dropout=0.5).train(), torch.tensor([[0, 1, 2]])
    model.dropout.eval()
    made = ref.S.generate(model, ids, 5)
    assert not made.requires_grad and model.training and not model.dropout.training
    model.train()
    runs = {tuple(ref.S.generate(model, ids, 9, t=0)[0].tolist()) for _ in range(5)}
    assert len(runs) == 1 and model.dropout.training
    model.config.block_size = 2  # the toy refuses nothing now, and fails on the table
    model.table = torch.nn.Parameter(torch.zeros(1, 4, 4))
    with pytest.raises(IndexError):
        ref.S.generate(model, ids, 1)
    assert model.training


def test_what_was_made_may_be_changed_and_learned_from(ref: Any) -> None:
    ids = torch.tensor([[0, 1]])
    for count in (0, 2):
        made = ref.S.generate(Toy(), ids, count)
        made[0, 0] = 3
        rows = torch.nn.Embedding(4, 2)(made).sum()
        rows.backward()
    assert ids.tolist() == [[0, 1]]


def test_any_function_will_do(ref: Any) -> None:
    def bigram(ids: torch.Tensor) -> tuple[torch.Tensor, None]:
        return torch.eye(5)[(ids + 2) % 5], None

    assert ref.S.generate(bigram, torch.tensor([[1]]), 4, t=0).tolist() == [[1, 3, 0, 2, 4]]
    assert ref.S.beam_search(bigram, torch.tensor([[1]]), 4, 3)[0].tolist() == [[1, 3, 0, 2, 4]]


class FakeCache:
    """Remembers ids instead of keys: enough to see what goes through the model."""

    def __init__(self, *sizes: Any) -> None:
        self.sizes, self.ids, self.resets = sizes, torch.zeros(sizes[1], 0, dtype=torch.long), 0

    @property
    def length(self) -> int:
        return self.ids.shape[1]

    def reset(self) -> None:
        self.ids, self.resets = self.ids[:, :0], self.resets + 1


class CachedToy(Toy):
    def forward(self, ids: torch.Tensor, targets: Any = None, cache: Any = None) -> Any:
        self.cache = cache
        new = ids.shape[1]
        if cache is not None:
            ids = cache.ids = torch.cat([cache.ids, ids], 1)
        logits = super().forward(ids)[0][:, -new:]
        self.seen[-1] = new
        return logits, None


@pytest.mark.parametrize("length", [2, 5, 7])
def test_a_cache_changes_what_is_computed_and_not_the_result(
        ref: Any, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fake: Any = ModuleType("minillm.kv_cache")
    fake.KVCache = FakeCache
    monkeypatch.setitem(sys.modules, "minillm.kv_cache", fake)
    monkeypatch.setattr(sys.modules["minillm"], "kv_cache", fake, raising=False)
    ids = torch.randint(4, (3, length), generator=torch.Generator().manual_seed(2))
    plain, model = Toy(), CachedToy()
    for t in (0, 1.5):
        model.seen.clear()
        runs = [ref.S.generate(each, ids, 6, t=t, generator=torch.Generator().manual_seed(0))
                for each in (plain, model)]
        assert torch.equal(*runs)
        lengths = [min(length + i, 5) for i in range(6)]
        inside = [1 if i and length + i <= 5 else T for i, T in enumerate(lengths)]
        assert model.seen == inside  # one id a step, until the window moves
    assert model.cache.sizes[:5] == (2, 3, 2, 5, 3)  # layers, batch, key heads, length, head width
    ref.S.generate(model, ids, 2, use_cache=False)
    assert model.cache is None


def all_paths(model: Any, ids: torch.Tensor, new: int, V: int) -> dict[tuple[int, ...], float]:
    """The log-probability of every continuation of one row."""
    found = {}
    for path in itertools.product(range(V), repeat=new):
        whole = [*ids[0].tolist(), *path]
        total = 0.0
        for at in range(ids.shape[1], len(whole)):
            context = torch.tensor([whole[max(0, at - model.config.block_size):at]])
            z = model(context)[0][0, -1].detach().numpy()
            total += scipy.special.log_softmax(z)[whole[at]]
        found[path] = total
    return found


def test_enough_beams_find_the_best_path_of_all(ref: Any) -> None:
    for block_size, start in ((9, [1, 0]), (2, [3]), (3, [2, 2, 1])):
        model, ids = Toy(V=3, block_size=block_size).double(), torch.tensor([start]) % 3
        paths = all_paths(model, ids, 4, 3)
        best = max(paths, key=paths.__getitem__)
        path, log_p = ref.S.beam_search(model, ids, 4, 3**3)
        assert tuple(path[0, len(start):].tolist()) == best
        assert log_p.item() == pytest.approx(paths[best], abs=1e-12)
        path, log_p = ref.S.beam_search(model, ids, 4, 1)
        assert torch.equal(path, ref.S.generate(model, ids, 4, t=0))
        assert log_p.item() == pytest.approx(paths[tuple(path[0, len(start):].tolist())])


def test_rows_of_a_batch_search_by_themselves(ref: Any) -> None:
    model, ids = Toy(V=4, block_size=4), torch.tensor([[1, 0], [3, 2], [0, 0]])
    paths, log_p = ref.S.beam_search(model, ids, 5, 3)
    assert paths.shape == (3, 7) and log_p.shape == (3,)
    for row in range(3):
        one, its = ref.S.beam_search(model, ids[row:row + 1], 5, 3)
        assert torch.equal(one[0], paths[row]) and its.item() == pytest.approx(log_p[row].item())
    same, nothing = ref.S.beam_search(model, ids, 0, 2)
    assert torch.equal(same, ids) and nothing.tolist() == [0, 0, 0]


def test_what_cannot_be_meant_is_refused_with_its_numbers(ref: Any) -> None:
    z, ids, S = normal(2, 5), torch.tensor([[1, 2]]), ref.S
    for call, said in ((lambda: S.temperature(z, 0), "t = 0.*greedy"),
                       (lambda: S.temperature(z, -2.0), "t = -2.0"),
                       (lambda: S.generate(Toy(), ids, 2, t=-1.0), "t = -1.0"),
                       (lambda: S.top_k(z, 0), "k = 0"), (lambda: S.top_p(z, 1.5), "1.5"),
                       (lambda: S.min_p(z, -0.1), "-0.1"), (lambda: S.typical(z, 90), "90"),
                       (lambda: S.repetition_penalty(z, ids[0], 0), "penalty = 0"),
                       (lambda: S.contrastive(z, z[0]), r"\(2, 5\).*\(5,\)"),
                       (lambda: S.contrastive(z, z, 0.0), "alpha = 0.0"),
                       (lambda: S.beam_search(Toy(), ids, 2, 0), "beams = 0")):
        with pytest.raises(ValueError, match=said):
            call()
