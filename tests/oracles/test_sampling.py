"""The reference of lesson 10 against slow loops in plain Python, scipy, exhaustive search."""

import itertools
import math
import sys
from fractions import Fraction
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats
import sympy
import torch
from torch.autograd import gradcheck

MODULES = {"S": "minillm.sampling", "T": "steps.temperature", "C": "steps.cutoffs",
           "D": "steps.decoding"}
INF = math.inf


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def by_rows(cut: Any, logits: torch.Tensor) -> list[list[float]]:
    """The scores that `cut` leaves of each row: it gives places that stay."""
    out = []
    for row in logits.reshape(-1, logits.shape[-1]).tolist():
        stays = set(cut(row))
        out.append([z if i in stays else -INF for i, z in enumerate(row)])
    return out


def collect(p: list[float], order: list[int], mass: float) -> list[int]:
    """Places in this order until their mass is reached."""
    stays: list[int] = []
    while order and (not stays or math.fsum(p[i] for i in stays) < mass):
        stays.append(order.pop(0))
    return stays


def nucleus(row: list[float], mass: float) -> list[int]:
    p = scipy.special.softmax(row).tolist()
    return collect(p, sorted(range(len(p)), key=lambda i: -p[i]), mass)


def typical_set(row: list[float], mass: float) -> list[int]:
    p = scipy.special.softmax(row)
    entropy = scipy.stats.entropy(p)
    far = [abs(-math.log(x) - entropy) if x else INF for x in p]
    return collect(p.tolist(), sorted(range(len(p)), key=far.__getitem__), mass)


SHAPES = [(9,), (4, 7), (2, 3, 5), (2, 1, 2, 11)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_cuts_leave_what_a_slow_loop_leaves(ref: Any, shape: tuple[int, ...], seed: int) -> None:
    z = (seed + 0.5) * normal(*shape, seed=seed)
    z = z.masked_fill(normal(*shape, seed=seed + 9) > 1.3, -INF)
    z[..., 0] = 0.3
    for k in (1, 2, 4, 99):
        loop = by_rows(lambda row, k=k: sorted(range(len(row)), key=lambda i: -row[i])[:k], z)
        assert ref.S.top_k(z, k).reshape(-1, shape[-1]).tolist() == loop
    for p in (0.0, 0.07, 0.31, 0.62, 0.93):
        loop = by_rows(lambda row, p=p: nucleus(row, p), z)
        assert ref.S.top_p(z, p).reshape(-1, shape[-1]).tolist() == loop
        loop = by_rows(lambda row, p=p: [i for i, x in enumerate(scipy.special.softmax(row))
                                         if x >= p * max(scipy.special.softmax(row))], z)
        assert ref.S.min_p(z, p).reshape(-1, shape[-1]).tolist() == loop
        loop = by_rows(lambda row, p=p: typical_set(row, p), z)
        assert ref.S.typical(z, p).reshape(-1, shape[-1]).tolist() == loop


def test_all_stay_at_one_although_a_rounded_sum_gets_there_earlier(ref: Any) -> None:
    steep = torch.linspace(0, -60, 300)
    for cut in (ref.S.top_p, ref.S.typical):
        assert torch.equal(cut(steep, 1.0), steep) and cut(steep, 1) is not steep


def test_of_equal_scores_as_many_stay_as_are_needed(ref: Any) -> None:
    flat = torch.zeros(3, 10)
    for n in range(1, 10):
        for cut in (ref.S.top_k(flat, n), ref.S.top_p(flat, n / 10 - 0.05),
                    ref.S.typical(flat, n / 10 - 0.05)):
            assert (cut > -INF).sum(-1).tolist() == [n] * 3
    assert torch.equal(ref.S.min_p(flat, 1), flat)


def test_temperature_takes_ratios_to_a_power(ref: Any) -> None:
    z = normal(3, 6)
    for t in (0.3, 1, 4.0):
        expected = scipy.special.softmax(z.numpy(), -1) ** (1 / t)
        expected /= expected.sum(-1, keepdims=True)
        np.testing.assert_allclose(torch.softmax(ref.S.temperature(z, t), -1), expected, rtol=1e-12)
    assert gradcheck(lambda x: ref.S.temperature(x, 0.7), z.requires_grad_())


def test_gradients_reach_what_stays_and_nothing_else(ref: Any) -> None:
    for cut in (lambda x: ref.S.top_k(x, 2), lambda x: ref.S.top_p(x, 0.6),
                lambda x: ref.S.min_p(x, 0.3), lambda x: ref.S.typical(x, 0.5),
                lambda x: ref.S.contrastive(x, normal(3, 6, seed=8), 0.2)):
        z = normal(3, 6).requires_grad_()
        left = cut(z)
        grad, = torch.autograd.grad(torch.softmax(left, -1)[:, 0].sum(), z)
        assert grad.isfinite().all() and (grad[left == -INF].abs() < 1e-15).all()
        assert gradcheck(lambda x, cut=cut: torch.softmax(cut(x), -1), z)


@pytest.mark.parametrize("penalty", [0.7, 1.0, 1.3, 4.0])
def test_penalty_is_that_of_a_slow_loop(ref: Any, penalty: float) -> None:
    z = normal(3, 8)
    one, each = torch.tensor([7, 0, 0, 3]), torch.tensor([[1, 1], [0, 7], [5, 2]])

    def loop(row: list[float], ids: list[int]) -> list[float]:
        return [x if i not in ids else x / penalty if x > 0 else x * penalty
                for i, x in enumerate(row)]

    assert ref.S.repetition_penalty(z, one, penalty).tolist() == [
        loop(row, one.tolist()) for row in z.tolist()]
    assert ref.S.repetition_penalty(z, each, penalty).tolist() == [
        loop(*pair) for pair in zip(z.tolist(), each.tolist(), strict=True)]
    assert ref.S.repetition_penalty(z[1], one, penalty).tolist() == loop(z[1].tolist(), [7, 0, 3])
    assert torch.equal(ref.S.repetition_penalty(z, one[:0], penalty), z)
    assert gradcheck(lambda x: ref.S.repetition_penalty(x, one, penalty), z.requires_grad_())


@pytest.mark.parametrize("seed", range(3))
def test_shares_of_draws_pass_a_chi_square_test(ref: Any, seed: int) -> None:
    z = normal(6, seed=seed).masked_fill(torch.arange(6) == seed, -INF)
    generator = torch.Generator().manual_seed(seed)
    drawn = ref.S.sample(z.expand(50, 400, 6), generator)
    assert drawn.shape == (50, 400) and drawn.dtype == torch.int64
    counts = np.bincount(drawn.flatten(), minlength=6)
    p = scipy.special.softmax(z.numpy())
    assert counts[seed] == 0
    stays = np.arange(6) != seed
    found = scipy.stats.chisquare(counts[stays], 20_000 * p[stays])
    assert found.pvalue > 1e-6  # one right sampler in a million fails


def test_draws_come_from_the_generator_alone(ref: Any) -> None:
    z = normal(40, 9)
    with torch.random.fork_rng(devices=[]):
        draws = []
        for seed in (1, 2):
            torch.manual_seed(seed)
            state = torch.get_rng_state()
            draws.append(ref.S.sample(z, torch.Generator().manual_seed(5)))
            assert torch.equal(state, torch.get_rng_state())
    assert torch.equal(*draws)
    assert ref.S.sample(z[0]).shape == ()


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


def test_contrastive_is_a_difference_of_logarithms(ref: Any) -> None:
    expert, amateur = 2 * normal(3, 5), normal(3, 5, seed=1)
    for alpha in (0.02, 0.3, 1.0):
        e, a = (scipy.special.softmax(z.numpy(), -1) for z in (expert + 5, amateur - 9))
        expected = np.where(e >= alpha * e.max(-1, keepdims=True), np.log(e / a), -INF)
        found = ref.S.contrastive(expert, amateur, alpha)
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_inputs_are_left_alone_and_dtypes_kept(ref: Any) -> None:
    ids, S = torch.tensor([0, 2]), ref.S
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        z = normal(3, 6).to(dtype)
        before = z.clone()
        for out in (S.temperature(z, 2), S.top_k(z, 2), S.top_p(z, 0.5), S.top_p(z, 1),
                    S.min_p(z, 0.5), S.typical(z, 0.5), S.repetition_penalty(z, ids, 1.5),
                    S.contrastive(z, z.flip(0))):
            assert out.dtype == dtype and out.shape == z.shape
            out.fill_(0)
        S.sample(z)
        assert torch.equal(z, before)


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


# The steps, by sympy, by exact fractions and by trying

FIVE = [Fraction(50, 100), Fraction(25, 100), Fraction(15, 100), Fraction(6, 100),
        Fraction(4, 100)]


def test_steps_of_temperature(ref: Any) -> None:
    beta, a, b = sympy.symbols("beta a b", positive=True)
    z = sympy.symbols("z0:3", real=True)
    weights = [sympy.exp(beta * each) for each in z]
    S = sum(weights)
    p = [w / S for w in weights]
    m = sum(x * y for x, y in zip(p, z, strict=True))
    v = sum(x * (y - m) ** 2 for x, y in zip(p, z, strict=True))
    at = {beta: 0.7, z[0]: 0.3, z[1]: -1.1, z[2]: 2.0}

    def value(expression: Any) -> float:
        return float(expression.subs(at))

    slope = sympy.diff(p[0], beta)
    assert value(slope) == pytest.approx(ref.T.p_slope(value(p[0]), 0.3, value(m)), abs=1e-12)
    H = -sum(x * sympy.log(x) for x in p)
    assert value(sympy.diff(H, beta)) == pytest.approx(
        ref.T.entropy_slope(0.7, value(m), value(v)), abs=1e-12)
    ratio = (sympy.exp(a) / sympy.exp(b)).subs({a: 1.3, b: 0.4})
    for t in (0.5, 3.0):
        hot = math.exp(1.3 / t) / math.exp(0.4 / t)
        assert ref.T.ratio(float(ratio), t) == pytest.approx(hot)
    for t, row in zip((0.5, 1, 2), ref.T.by_hand, strict=True):
        np.testing.assert_allclose(row, scipy.special.softmax(np.array([2, 1, 0]) / t), atol=6e-4)
    np.testing.assert_allclose(scipy.special.softmax(np.array([2, 2, 0]) / 1e-3), [0.5, 0.5, 0])
    assert ref.T.limit == "b"


def test_steps_of_cutting(ref: Any) -> None:
    assert ref.C.after_top_k == pytest.approx(float(FIVE[0] / (FIVE[0] + FIVE[1])))
    thresholds = [Fraction(0), Fraction(4, 10), Fraction(75, 100), Fraction(8, 10), Fraction(1)]
    sizes = [next(n for n in range(1, 6) if sum(FIVE[:n]) >= p) for p in thresholds]
    assert ref.C.sizes == sizes
    total = [sum(FIVE[:n]) for n in range(1, 6)]
    rules = {"a": lambda c, q, p: c <= p, "b": lambda c, q, p: c - q < p,
             "c": lambda c, q, p: c - q <= p, "d": lambda c, q, p: c < p}
    right = [letter for letter, rule in rules.items() if all(
        sum(rule(c, q, p) for c, q in zip(total, FIVE, strict=True)) == n
        for p, n in zip(thresholds[1:], sizes[1:], strict=True))]
    assert right == [ref.C.crossing]
    unsorted = [0.15, 0.5, 0.04, 0.25, 0.06]
    assert sorted(ref.C.kept) == sorted(nucleus(np.log(unsorted).tolist(), 0.8))
    assert ref.C.after_top_p == pytest.approx(0.25 / sum(unsorted[i] for i in ref.C.kept))
    roots = np.sqrt([float(x) for x in FIVE])
    assert ref.C.warm == len(nucleus(np.log(roots).tolist(), 0.8))
    p = np.array([float(x) for x in FIVE])
    far = np.abs(-np.log(p) - scipy.stats.entropy(p))
    assert "abcd"[[0, 1, 2, 4].index(int(far.argmin()))] == ref.C.most_typical


def test_step_of_what_commutes(ref: Any) -> None:
    cuts = {"k": lambda z: ref.S.top_k(z, 3), "p": lambda z: ref.S.top_p(z, 0.7),
            "m": lambda z: ref.S.min_p(z, 0.3)}
    z = normal(200, 6)
    commute = {name: torch.equal(cut(z / 2) > -INF, cut(z) / 2 > -INF)
               for name, cut in cuts.items()}
    assert commute == {"k": True, "p": False, "m": False} and ref.C.commutes == "a"


def test_steps_of_decoding(ref: Any) -> None:
    for p, n in ((0.3, 50), (0.9, 7)):
        share = scipy.stats.binom(n, p).std() / n
        assert ref.D.frequency_std(p, n) == pytest.approx(share)
    z = np.array([-1.0, 0.5, 2.0])
    after = scipy.special.softmax(np.array([-1 / 1.3, 0.5, 2.0]))
    assert after[0] > scipy.special.softmax(z)[0] and ref.D.divided == "a"
    followers = {0.6: [0.5, 0.3, 0.2], 0.4: [0.9, 0.1]}
    assert ref.D.best_path == pytest.approx(max(a * b for a, rest in followers.items()
                                                for b in rest))
    e, a = normal(5).numpy(), normal(5, seed=1).numpy()
    by_log = scipy.special.log_softmax(e) - scipy.special.log_softmax(a)
    assert not np.allclose(e - a, by_log) and ref.D.shifted == "c"
    np.testing.assert_allclose(scipy.special.softmax(e - a), scipy.special.softmax(by_log))
    expert, amateur = [0.5, 0.499, 0.001], [0.4, 0.59999, 0.00001]
    assert ref.D.winner == int(np.argmax(np.log(expert) - np.log(amateur)))
