"""The reference of lesson 11 against full passes of torch's own attention, and slow loops."""

import math
from typing import Any

import pytest
import sympy
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from .conftest import normal

MODULES = {"K": "minillm.kv_cache", "A": "minillm.attention", "G": "minillm.config",
           "S": "minillm.sampling", "cache": "steps.cache", "memory": "steps.memory",
           "cost": "steps.decode_cost"}
PARTS = ([1] * 9, [9], [4, 1, 1, 1, 1, 1], [2, 3, 4], [1, 7, 1])


class Decoder(torch.nn.Module):
    """A model of the reference's layers that takes a cache as the MiniGPT of lesson 17 does."""

    def __init__(self, ref: Any, **changes: Any) -> None:
        super().__init__()
        sizes: dict[str, Any] = {"vocab_size": 13, "block_size": 11, "n_layer": 3, "n_head": 6,
                                 "d_model": 24, "dropout": 0.3}
        self.config = ref.G.GPTConfig(**sizes | changes)
        D = self.config.d_model
        self.token = torch.nn.Embedding(self.config.vocab_size, D)
        self.place = torch.nn.Embedding(self.config.block_size, D)
        self.layers = torch.nn.ModuleList(
            ref.A.CausalSelfAttention(self.config) for _ in range(self.config.n_layer))
        self.passed: list[int] = []

    def forward(self, ids: torch.Tensor, targets: Any = None, cache: Any = None,
                ) -> tuple[torch.Tensor, None]:
        self.passed.append(ids.shape[1])
        start = 0 if cache is None else cache.length
        x = self.token(ids)
        if self.config.position == "learned":
            x = x + self.place(torch.arange(start, start + ids.shape[1]))
        for at, layer in enumerate(self.layers):
            x = x + layer(torch.tanh(x), cache, at)
        return x @ self.token.weight.T, None


def decoder(ref: Any, **changes: Any) -> Decoder:
    torch.manual_seed(0)
    return Decoder(ref, **changes).double().eval()


@pytest.mark.parametrize("position", ["learned", "rope", "none"])
@pytest.mark.parametrize("n_kv_head", [6, 3, 1])
def test_cached_equals_uncached_at_every_step(ref: Any, position: str, n_kv_head: int) -> None:
    model = decoder(ref, position=position, n_kv_head=n_kv_head)
    for B in (1, 3):
        ids = torch.randint(13, (B, 9), generator=torch.Generator().manual_seed(B))
        full = model(ids)[0]
        cache = ref.K.KVCache(3, B, n_kv_head, 9, 4, torch.float64)
        for sizes in PARTS:
            made = [model(part, cache=cache)[0] for part in torch.split(ids, sizes, 1)]
            torch.testing.assert_close(torch.cat(made, 1), full, rtol=0, atol=1e-12)
            assert cache.length == 9
            cache.reset()
        for chunk in (None, 1, 2, 4, 9, 30):
            last = ref.K.prefill(model, ids, cache, chunk)
            torch.testing.assert_close(last, full[:, -1], rtol=0, atol=1e-12)
            cache.reset()


@pytest.mark.parametrize("position", ["learned", "rope"])
@pytest.mark.parametrize("setting", [{"t": 0}, {"t": 1.2, "k": 5}, {"t": 0.9, "p": 0.8}])
def test_generate_gives_the_same_with_and_without(ref: Any, position: str, setting: Any) -> None:
    ids = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]])
    made = []
    for use_cache in (False, True):
        model = decoder(ref, position=position, n_kv_head=2)
        made.append(ref.S.generate(model, ids, 14, use_cache=use_cache,
                                   generator=torch.Generator().manual_seed(1), **setting))
    assert torch.equal(*made)
    assert model.passed == [4] + [1] * 7 + [11] * 6  # the window is full after eleven ids


def test_a_prompt_longer_than_the_window(ref: Any) -> None:
    ids = torch.arange(13).repeat(2)[None, :17] % 13
    model = decoder(ref)
    a, b = (ref.S.generate(model, ids, 3, t=0, use_cache=c) for c in (False, True))
    assert torch.equal(a, b)


def test_greedy_is_the_loop_over_full_passes(ref: Any) -> None:
    model = decoder(ref, position="rope")
    ids = torch.tensor([[3, 1, 4], [5, 9, 2]])
    slow = ids
    for _ in range(6):
        slow = torch.cat([slow, model(slow)[0][:, -1].argmax(-1, keepdim=True)], 1)
    model.passed.clear()
    made = ref.K.greedy(model, ids, 6, ref.K.KVCache(3, 2, 6, 8, 4, torch.float64))
    assert torch.equal(made, slow) and model.passed == [3, 1, 1, 1, 1, 1]


def test_what_an_update_gives_is_all_that_was_put_in(ref: Any) -> None:
    cache = ref.K.KVCache(2, 3, 4, 10, 5, torch.float64)
    keys, values = normal(2, 3, 4, 10, 5), normal(2, 3, 4, 10, 5, seed=1)
    end, lengths = 0, []
    for T in (3, 1, 2, 4):
        end += T
        for layer in range(2):
            k, v = cache.update(layer, keys[layer, :, :, end - T:end],
                                values[layer, :, :, end - T:end])
            assert torch.equal(k, keys[layer, :, :, :end])
            assert torch.equal(v, values[layer, :, :, :end])
            lengths.append(cache.length)
    assert lengths == [0, 3, 3, 4, 4, 6, 6, 10]


def test_what_does_not_fit_is_refused_and_changes_nothing(ref: Any) -> None:
    cache = ref.K.KVCache(2, 3, 4, 5, 2, torch.float64)
    k = normal(3, 4, 3, 2)
    for layer in range(2):
        cache.update(layer, k, k)
    before = [held.clone() for held in (*cache.keys, *cache.values)]
    for wrong in (normal(3, 4, 3, 2), normal(1, 4, 1, 2), normal(3, 2, 1, 2), normal(3, 4, 1, 1),
                  normal(3, 4, 1, 2).float()):
        with pytest.raises(ValueError):
            cache.update(0, wrong, wrong)
    with pytest.raises(ValueError):
        cache.update(0, k[:, :, :1], k[:, :, :2])
    assert cache.length == 3
    assert all(map(torch.equal, (*cache.keys, *cache.values), before))
    full = [cache.update(layer, k[:, :, :2], k[:, :, :2])[0] for layer in range(2)]
    assert full[0].shape[2] == 5
    with pytest.raises(ValueError, match="1 tokens behind 5"):
        cache.update(0, k[:, :, :1], k[:, :, :1])


def test_bad_sizes(ref: Any) -> None:
    with pytest.raises(ValueError):
        ref.K.KVCache(2, 0, 4, 5, 2)
    with pytest.raises(ValueError):
        ref.K.kv_cache_bytes(2, 3, 4, -1)
    model, cache = decoder(ref), ref.K.KVCache(3, 1, 6, 9, 4, torch.float64)
    for ids, chunk in ((torch.zeros(1, 0, dtype=torch.long), None),
                       (torch.zeros(1, 3, dtype=torch.long), 0)):
        with pytest.raises(ValueError):
            ref.K.prefill(model, ids, cache, chunk)
    with pytest.raises(ValueError):
        ref.K.buffer_mask(3, 4, 6)


def test_the_cache_in_a_model_that_wants_a_gradient(ref: Any) -> None:
    model = decoder(ref)
    cache = ref.K.KVCache(3, 1, 6, 9, 4, torch.float64)
    ids = torch.arange(6)[None]
    for part in torch.split(ids, 2, 1):
        model(part, cache=cache)
    # no graph is kept alive from step to step
    assert not any(keys.requires_grad for keys in cache.keys)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_the_formula_counts_the_bytes_of_a_real_cache(ref: Any, dtype: torch.dtype) -> None:
    cache = ref.K.KVCache(3, 2, 5, 7, 4, dtype)
    counted = ref.K.kv_cache_bytes(3, 5, 4, 7, 2, dtype.itemsize)
    held = sum(each.nbytes for each in (*cache.keys, *cache.values))
    assert counted == held and isinstance(counted, int)


def test_the_mask_by_loops_and_by_torch(ref: Any) -> None:
    for T, length, size in ((1, 0, 1), (3, 4, 9), (5, 0, 5), (2, 6, 8)):
        slow = [[key <= length + t for key in range(size)] for t in range(T)]
        assert ref.K.buffer_mask(T, length, size).tolist() == slow
        pad = torch.tensor([0, 2, 1])
        padded = ref.K.buffer_mask(T, length, size, pad)
        assert padded.shape == (3, 1, T, size)
        assert padded[:, 0].tolist() == [[[ok and key >= p for key, ok in enumerate(row)]
                                          for row in slow] for p in pad.tolist()]


def test_padding_and_empty_places_change_nothing(ref: Any) -> None:
    q, k, v = (normal(2, 3, 8, 4, seed=s) for s in range(3))
    pad = torch.tensor([3, 0])
    room = torch.full((2, 2, 3, 12, 4), 9.0, dtype=torch.float64)
    room[0, :, :, :8], room[1, :, :, :8] = k, v
    out = sdpa(q[:, :, 6:], room[0], room[1], ref.K.buffer_mask(2, 6, 12, pad))
    for b, p in enumerate(pad.tolist()):
        alone = sdpa(q[b, :, p:], k[b, :, p:], v[b, :, p:], is_causal=True)
        torch.testing.assert_close(out[b], alone[:, -2:], rtol=0, atol=1e-12)


def test_steps_about_counting(ref: Any) -> None:
    for P, n in ((5, 3), (16, 100), (1, 1)):
        assert ref.cache.rows_without(P, n) == sum(range(P, P + n))
        assert ref.cache.rows_with(P, n) == P + n - 1
    assert int(torch.ones(3, 10).tril(7).sum()) == ref.cache.chunk_pairs
    v = torch.eye(5)[None]
    seen = sdpa(torch.zeros(1, 1, 5), torch.zeros(1, 5, 5), v, is_causal=True)
    assert int((seen > 0).sum()) == ref.cache.corner


def test_steps_about_bytes(ref: Any) -> None:
    shape = (2, 32, 32, 4096, 128)
    seven = torch.empty(shape, device="meta", dtype=torch.float16).nbytes
    assert ref.memory.per_token_7b == seven / 4096 and ref.memory.gib_7b == seven / 2**30
    assert ref.memory.gb_eight == pytest.approx(8 * seven / 1e9, abs=1e-3)
    seventy = torch.empty(2, 80, 8, 4096, 128, device="meta", dtype=torch.float16).nbytes
    assert ref.memory.gib_70b == seventy / 2**30
    mini = torch.empty(2, 4, 32, 4, 256, 32, device="meta").nbytes
    assert ref.memory.mib_mini == mini / 2**20
    held = torch.empty(2, 3, 5, 2, 10, 16, device="meta").numel()
    assert ref.memory.values_held(3, 8, 2, 16, 10, 5) == held
    weight = torch.nn.Parameter(torch.ones(7))
    optimiser = torch.optim.AdamW([weight])
    weight.grad = torch.ones(7)
    optimiser.step()
    state = [x for x in optimiser.state[weight].values() if x.numel() > 1]
    assert ref.memory.training_bytes(7) == sum(x.nbytes for x in (weight, weight.grad, *state))
    assert ref.memory.texts_that_fit(24, 13, 1, 2) == math.floor(10 / 2)
    assert ref.memory.texts_that_fit(12, 13, 1, 2) == 0


def test_steps_about_cost(ref: Any) -> None:
    D, S = sympy.symbols("D S", positive=True)
    linear, attention = ref.cost.linear_products(D), ref.cost.attention_products(D, S)
    matrices = [torch.empty(s, device="meta").numel() for s in ((8, 8),) * 4 + ((8, 32), (32, 8))]
    assert linear.subs(D, 8) == sum(matrices)
    assert sympy.solve(sympy.Eq(linear, attention), S) == [ref.cost.crossover(D)]
    assert ref.cost.intensity(4, 2) == (4 + 4) / 2


@pytest.mark.parametrize("target", ["kv_cache.prefill", "kv_cache.greedy"])
def test_an_answer_that_changes_the_prompt_spoils_no_later_try(ref: Any, target: str) -> None:
    from course import scenarios
    from course.checks import observe
    from grader import scenarios as private

    def emptied(model: Any, ids: torch.Tensor, *more: Any, **named: Any) -> torch.Tensor:
        return ids.zero_()

    right = getattr(ref.K, target.rpartition(".")[2])
    for folder, registry in ((scenarios, scenarios.SCENARIOS), (private, private.HIDDEN)):
        folder.load(target)
        before = observe(target, right, registry).values
        observe(target, emptied, registry)
        assert observe(target, right, registry).values == before
