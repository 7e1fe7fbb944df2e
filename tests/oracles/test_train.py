"""minillm.train against a loop in plain torch; runs that repeat, that diverge, that do not fit."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

MODULES = {name: f"minillm.{name}" for name in (
    "config", "data", "gpt", "loop", "stepper", "train")}
V = 17


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def model_of(ref: Any, **fields: Any) -> Any:
    small = {"vocab_size": V, "block_size": 12, "n_layer": 2, "n_head": 2, "d_model": 16,
             "dropout": 0.1}
    return ref.gpt.MiniGPT(ref.config.GPTConfig(**small | fields), torch.Generator().manual_seed(1))


def text() -> tuple[torch.Tensor, torch.Tensor]:
    """Ids that can be learned: each follows from the one before it, with some noise."""
    ids = [1]
    noise = torch.randint(40, (1500,), generator=torch.Generator().manual_seed(2))
    for n in noise.tolist():
        ids.append((3 * ids[-1] + 1 + 5 * (n == 0)) % V)
    return torch.tensor(ids[:1200]), torch.tensor(ids[1200:])


def short(ref: Any, **fields: Any) -> Any:
    return ref.train.TrainConfig(**{
        "steps": 30, "batch_size": 4, "block_size": 10, "lr": 1e-2, "eval_every": 12,
        "eval_windows": 5} | fields)


def test_a_run_is_the_loop_one_would_write(ref: SimpleNamespace) -> None:
    train_ids, val_ids = text()
    config = short(ref, weight_decay=0.3, clip=0.5)
    # in float64: in float32 thirty steps make a rounding of the last digit visible
    model, plain = (model_of(ref, dropout=0.0).double() for _ in range(2))
    history = ref.train.train(model, train_ids, val_ids, config)
    groups = [{"params": [p for p in plain.parameters() if (p.dim() > 1) == matrix],
               "weight_decay": 0.3 * matrix} for matrix in (True, False)]
    optimizer = torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.95), eps=1e-8)
    losses = []
    for step in range(1, 31):
        rate = 1e-3 + 9e-3 * (1 + math.cos(math.pi * (step - 1) / 29)) / 2  # one step of warm-up
        for group in optimizer.param_groups:
            group["lr"] = rate
        x, y = ref.data.get_batch(train_ids, 10, 4, torch.Generator().manual_seed(step))
        logits = plain(x)[0]
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(plain.parameters(), 0.5)
        optimizer.step()
        losses.append(loss.item())
    assert history.batch_loss == pytest.approx(losses, rel=1e-8)
    for a, b in zip(model.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
    assert history.step == [1, 12, 24, 30]
    assert history.train_loss == pytest.approx(
        [sum(losses[a:b]) / (b - a) for a, b in ((0, 1), (1, 12), (12, 24), (24, 30))], rel=1e-8)
    assert [history.lr[0], history.lr[-1]] == pytest.approx([1e-2, 1e-3])
    assert history.tokens == [40 * step for step in history.step]
    assert history.seconds == sorted(history.seconds)
    assert history.best == min((loss, s) for s, loss in zip(
        history.step, history.val_loss, strict=True))[::-1]


@pytest.mark.parametrize(("warmup", "rates"), [
    (0.0, [4.0, 4.0]), (0.5, [2.0, 4.0])])
def test_the_rate_of_a_step(ref: SimpleNamespace, warmup: float, rates: list[float]) -> None:
    config = short(ref, steps=4, lr=4.0, floor=1.0, warmup=warmup)
    assert [ref.train.learning_rate(step, config) for step in (1, 2)] == pytest.approx(rates)
    falling = short(ref, steps=100, lr=1.0, floor=0.1, warmup=0.0)
    assert ref.train.learning_rate(50, falling) == pytest.approx(0.55)
    assert ref.train.learning_rate(100, falling) == pytest.approx(0.1)


def test_evaluation_is_the_mean_over_all_tokens(ref: SimpleNamespace) -> None:
    model, (ids, _) = model_of(ref, dropout=0.5), text()
    model.eval()
    losses = []
    for start in range(0, 451 - 9, 9):
        x, y = ids[start : start + 9], ids[start + 1 : start + 10]
        losses.append(-model(x[None])[0][0].log_softmax(-1)[range(9), y].mean().item())
    model.train()
    model.blocks[1].eval()
    for windows in (None, 3, len(losses), 1000):
        wanted = losses[:windows]
        assert ref.train.evaluate(model, ids[:451], 9, windows) == pytest.approx(
            sum(wanted) / len(wanted), rel=1e-6)
    spread = ref.train.evaluate(model, ids[:451], 9, 2, spread=True)
    assert spread == pytest.approx((losses[0] + losses[-1]) / 2, rel=1e-6)
    assert model.training and not model.blocks[1].training
    assert all(p.grad is None for p in model.parameters())
    ref.train.evaluate(model, ids[:10], 9)
    for given in ((ids[:9], 9), (ids, 9, 0)):
        with pytest.raises(ValueError, match="hold no window"):
            ref.train.evaluate(model, *given)


def test_the_same_numbers_again_and_nobody_else_is_disturbed(ref: SimpleNamespace) -> None:
    def run(model: Any, callback: Any = None) -> tuple[Any, list[torch.Tensor]]:
        history = ref.train.train(model, *text(), short(ref), on_step=callback)
        return history, list(model.parameters())

    models = model_of(ref), model_of(ref)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    seen: list[int] = []

    def disturb(step: int, history: Any) -> None:
        seen.append(step)
        torch.rand(7)
        assert len(history.batch_loss) == step

    (a, weights), (b, others) = run(models[0]), run(models[1], disturb)
    assert torch.equal(torch.rand(3), expected)
    assert seen == list(range(1, 31))
    assert a.batch_loss == b.batch_loss and a.val_loss == b.val_loss
    assert all(torch.equal(p, q) for p, q in zip(weights, others, strict=True))
    assert a.val_loss[-1] < a.val_loss[0] - 0.2
    assert ref.train.train(model_of(ref), *text(), short(ref, seed=1)).batch_loss != a.batch_loss


@pytest.mark.parametrize("fields", [
    {}, {"norm": "rmsnorm", "position": "rope", "ffn": "swiglu", "qk_norm": True, "bias": False},
    {"ffn": "moe", "n_expert": 3}])
@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_the_fast_switch_gives_the_same_curve(
        ref: SimpleNamespace, fields: dict[str, Any], optimizer: str) -> None:
    runs = [ref.train.train(model_of(ref, dropout=0.0, **fields), *text(),
                            short(ref, steps=12, optimizer=optimizer, lr=2e-3, fast=fast))
            for fast in (False, True)]
    assert runs[1].batch_loss == pytest.approx(runs[0].batch_loss, rel=2e-3)
    assert runs[1].val_loss == pytest.approx(runs[0].val_loss, rel=2e-3)
    assert torch.get_float32_matmul_precision() == "highest"


def test_experts_are_kept_balanced(ref: SimpleNamespace) -> None:
    model, (ids, _) = model_of(ref, ffn="moe", n_expert=3, dropout=0.0), text()
    x, y = ids[:10][None], ids[1:11][None]
    model(x, y)
    balance = 0.01 * sum(block.ffn.balance_loss for block in model.blocks)
    (wanted,) = torch.autograd.grad(model(x, y)[1] + 0.01 * sum(
        block.ffn.balance_loss for block in model.blocks), [model.blocks[0].ffn.router.weight])

    class Keep:
        def zero_grad(self) -> None:
            model.zero_grad()

        def step(self) -> None:
            pass

    loss = ref.train.train_step(model, Keep(), x, y, math.inf)
    assert loss == pytest.approx(model(x, y)[1].item()) and balance > 0
    torch.testing.assert_close(model.blocks[0].ffn.router.weight.grad, wanted)


def test_a_loss_that_is_no_number_stops_before_the_step(ref: SimpleNamespace) -> None:
    model = model_of(ref)
    with torch.no_grad():
        model.blocks[1].ffn.up_proj.weight[0, 0] = math.nan
    before = [p.clone() for p in model.parameters()]
    with pytest.raises(ref.train.Diverged, match=r"step 1: the loss is nan.*smaller lr than 0.01"):
        ref.train.train(model, *text(), short(ref))
    for p, q in zip(model.parameters(), before, strict=True):
        torch.testing.assert_close(p, q, equal_nan=True)


def test_a_loss_that_grows_stops_and_says_where_the_last_good_one_is(
        ref: SimpleNamespace, tmp_path: Path) -> None:
    config = short(ref, steps=300, lr=30.0, warmup=0.2, optimizer="adamw", eval_every=10)
    with pytest.raises(ref.train.Diverged, match=r"step \d+: .*Try a smaller lr") as caught:
        ref.train.train(model_of(ref), *text(), config, out=tmp_path)
    assert str(tmp_path / "last") in str(caught.value)
    model, _, info = ref.train.load_checkpoint(tmp_path / "last")
    assert f"holds step {info['step']}" in str(caught.value)
    assert all(p.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize(("ids", "fields", "said"), [
    (([0] * 9, [0] * 99), {}, "train_ids holds 9 ids"),
    (([0] * 99, [0] * 10), {}, "val_ids holds 10 ids"),
    (([0] * 99, [0] * 98 + [V]), {}, "val_ids holds ids 0 … 17; the model knows 0 … 16"),
    (([-1] + [0] * 99, [0] * 99), {}, "train_ids holds ids -1 … 0"),
    (([0.0] * 99, [0] * 99), {}, "train_ids is .* of torch.float32"),
    (([0] * 99, [0] * 99), {"block_size": 13}, "windows of 13 tokens for a model with 12"),
])
def test_what_does_not_fit_is_refused(
        ref: SimpleNamespace, ids: Any, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ref.train.train(model_of(ref), *map(torch.tensor, ids), short(ref, **fields))


@pytest.mark.parametrize(("fields", "said"), [
    ({"steps": 0}, "steps = 0"), ({"batch_size": 2.5}, "batch_size = 2.5"),
    ({"lr": 0.0}, "lr = 0.0"), ({"lr": math.nan}, "lr = nan"), ({"floor": 1.5}, "floor = 1.5"),
    ({"warmup": -0.1}, "warmup = -0.1"), ({"betas": (0.9, 1.0)}, "beta = 1.0"),
    ({"optimizer": "sgd"}, "there are adamw, muon"), ({"clip": 0.0}, "clip = 0.0"),
    ({"weight_decay": -1.0}, "weight_decay = -1.0")])
def test_a_recipe_that_cannot_work_is_refused(
        ref: SimpleNamespace, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ref.train.TrainConfig(**fields)


def test_presets(ref: SimpleNamespace) -> None:
    fields, config = ref.train.preset("notes")
    notes = ref.config.GPTConfig(vocab_size=4000, **fields)
    assert notes == ref.config.GPTConfig(vocab_size=4000)
    assert (config.steps, config.batch_size, config.block_size) == (3000, 32, 256)
    assert {ref.train.learning_rate(s, config) for s in (1, 2, 1500, 3000)} == {3e-4}
    fields, config = ref.train.preset("modern")
    modern = ref.config.GPTConfig(vocab_size=4000, **fields)
    assert (modern.norm, modern.position, modern.ffn) == ("rmsnorm", "rope", "swiglu")
    assert modern.qk_norm and not modern.bias and modern.dropout == 0
    assert config == ref.train.TrainConfig() and config.block_size <= modern.block_size
    with pytest.raises(ValueError, match="'old'.*notes, modern"):
        ref.train.preset("old")


def test_muon_moves_the_blocks_matrices_alone(ref: SimpleNamespace) -> None:
    model = model_of(ref)
    steps = ref.stepper.Stepper(model, short(ref, optimizer="muon"))
    muon, adamw = steps.optimizers
    hidden = {id(p) for p in model.blocks.parameters() if p.dim() == 2}
    assert {id(p) for g in muon.param_groups for p in g["params"]} == hidden
    assert {id(p) for g in adamw.param_groups for p in g["params"]} == {
        id(p) for p in model.parameters()} - hidden
    steps.lr = 5e-3
    assert [g["lr"] for o in steps.optimizers for g in o.param_groups] == [0.05, 5e-3, 5e-3]


def test_only_the_same_run_goes_on(ref: SimpleNamespace, tmp_path: Path) -> None:
    config, (train_ids, val_ids) = short(ref, steps=3), text()
    for _ in range(2):  # resuming what is not there begins it
        history = ref.train.train(
            model_of(ref), train_ids, val_ids, config, out=tmp_path, resume=True)
        assert history.step == [1, 3]
    for changed, ids, model, said in (
            (replace(config, lr=0.5, seed=4), train_ids, model_of(ref),
             "holds another run: lr was 0.01 and is 0.5; seed was 0 and is 4"),
            (config, train_ids, model_of(ref, d_model=20), "d_model was 16 and is 20"),
            (config, train_ids[1:], model_of(ref), "holds another run: data was")):
        with pytest.raises(ValueError, match=said):
            ref.train.train(model, ids, val_ids, changed, out=tmp_path, resume=True)


def test_the_bar_tells_loss_and_speed(
        ref: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    ref.train.train(model_of(ref), *text(), short(ref, steps=3))
    assert capsys.readouterr() == ("", "")  # no terminal: silent
    ref.train.train(model_of(ref), *text(), short(ref, steps=3), progress=True)
    said = capsys.readouterr().err
    assert "3/3" in said and "loss 2." in said and "tokens/s" in said


def test_a_batch_that_cannot_be_shared_is_refused(ref: SimpleNamespace) -> None:
    with pytest.raises(ValueError, match="a batch of 4 can't be shared by 3 processes"):
        ref.loop.check(model_of(ref), *text(), short(ref), 3)
    with pytest.raises(ValueError, match="2 processes on 'cuda'"):
        ref.loop.check(model_of(ref), *text(), short(ref, device="cuda"), 2)


@pytest.mark.parametrize("fast", [False, True])
def test_memory_is_kept_unless_told_not_to_and_either_way_it_is_the_same_run(
        ref: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fast: bool) -> None:
    told: list[bool] = []
    monkeypatch.setattr(ref.loop.fast, "keep_memory", lambda: told.append(True))
    for resume, keep in ((False, False), (True, True)):
        config = short(ref, steps=2, fast=fast, keep_memory=keep)
        ref.train.train(model_of(ref), *text(), config, out=tmp_path, resume=resume)
        assert bool(told) is keep
