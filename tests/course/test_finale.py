"""What lesson 17 needs around the learner's pieces: corpus, experiments, the markdown check."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from course import corpus, experiments, finale, workspace

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.usefixtures("reference")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Stored runs were made on one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_the_corpus_is_the_one_its_mark_names() -> None:
    stored = json.loads(corpus.FILE.read_text("utf-8"))
    assert corpus.mark(corpus.documents()) == stored["mark"]
    assert list(stored["documents"]) == sorted(stored["documents"])
    found = experiments.data()
    assert min(len(found.train_ids), len(found.val_ids)) > 30_000
    assert found.bytes_per_token > 1


def test_a_search_for_markdown_finds_no_text_twice() -> None:
    """A held-out text must not have a copy among those to train on."""
    texts = list(corpus.documents().values())
    assert len(texts) == len(set(texts))
    assert not list(corpus.FILE.parent.glob("corpus*/**/*.md"))


def test_every_run_is_stored_as_it_would_be_made_now() -> None:
    for table in experiments.TABLES:
        wanted = [run for run in experiments.runs() if run.table == table]
        stored = experiments.stored(table)
        assert len(stored) == len(wanted), f"{table}: `make experiments`"
        for result, run in zip(stored, wanted, strict=True):
            assert experiments.same(result, run), f"{run.name}: `make experiments`"
            assert result["cpu_seconds"] > 0


@pytest.mark.parametrize("table, name", [
    ("heads", "4 heads"), ("positions", "none"), ("residual", "2 layers, in one line")])
def test_a_cell_of_each_table_comes_again(table: str, name: str) -> None:
    """Other processors add in another order, and training blows small differences up a little."""
    run = next(r for r in experiments.runs() if (r.table, r.name, r.seed) == (table, name, 0))
    stored = next(r for r in experiments.stored(table) if experiments.same(r, run))
    found = experiments.measure(run)
    assert found["bits_per_byte"] == pytest.approx(stored["bits_per_byte"], abs=0.12)
    assert found["shuffled"] == pytest.approx(stored["shuffled"], abs=0.25)
    for method, places in stored.get("by_method", {}).items():
        for place, loss in places.items():
            assert found["by_method"][method][place] == pytest.approx(loss, abs=0.2), method


def test_the_long_run_begins_again_as_it_is_stored() -> None:
    """Its rate is constant, so how many steps it was to make has no part in the first ones."""
    run = next(r for r in experiments.runs() if r.table == "goal")
    short = replace(run, training={**run.training, "steps": 20})
    assert run.training["eval_every"] == 20 and run.training["floor"] == 1
    _, history = experiments.make(short)
    stored, = experiments.stored("goal")
    assert history.val_loss == pytest.approx(stored["curve"]["val_loss"][:2], abs=0.05)


def test_a_block_in_one_line_is_that_and_for_a_while_only() -> None:
    from minillm import fast, gpt

    plain = gpt.Block, fast.FastGPT
    ids = torch.arange(8)[None]
    model, _ = small_model()
    with experiments.one_line_blocks():
        faulty, _ = small_model()
        with torch.no_grad():
            for p in faulty.parameters():
                p.mul_(5)
            assert torch.allclose(faulty(ids)[0], fast.FastGPT(faulty)(ids)[0], atol=1e-4)
            for block in faulty.blocks:
                torch.nn.init.zeros_(block.ffn.down_proj.weight)
        x = torch.randn(1, 8, 8)
        assert torch.equal(faulty.blocks[0](x), x)
    assert (gpt.Block, fast.FastGPT) == plain
    assert not torch.equal(model.blocks[0](x), x)


@pytest.mark.parametrize("text, wanted", [
    ("# A\n\ntext", (1, 0, 0, 0, 0)),
    ("#\n\n## \n", (0, 0, 0, 0, 0)),
    ("```python\nx = 1\n```\n", (0, 1, 0, 0, 0)),
    ("```python\nx = 1\n", (0, 0, 1, 0, 0)),
    ("```", (0, 0, 1, 0, 0)),
    ("- a\n- b\n\n1. c\n", (0, 0, 0, 2, 0)),
    ("- a\n  1. b\n  2. c\n- d\n", (0, 0, 0, 4, 0)),
    ("-\n", (0, 0, 0, 0, 0)),
    ("take `F.softmax(x)` and ` → `", (0, 0, 0, 0, 1)),
    ("## Step\n\n- one\n- two\n\n~~~\ncode\n~~~\n", (1, 1, 0, 2, 0))])
def test_structure(text: str, wanted: tuple[int, ...]) -> None:
    found = finale.structure(text)
    assert (found.headings, found.fences, found.open_fences, found.items, found.code) == wanted


def test_the_longest_run_writes_markdown_and_the_notes_none_yet() -> None:
    first, last = (finale.structured([t.removeprefix("\n## ") for t in r["samples"]]) for r in (
        experiments.stored("recipes")[0], experiments.stored("recipes")[-1]))
    assert last["with structure"] >= 0.6 > 0.1 >= first["with structure"]
    assert min(last["headings"], last["closed fences"], last["code"]) > 0.2


def test_no_text_of_the_corpus_is_a_copy() -> None:
    names = list(corpus.documents())
    assert names and not [name for name in names if name.startswith("notebooks/")]


def test_real_notes_have_structure_and_noise_has_none() -> None:
    texts = [text for name, text in corpus.documents().items() if "lessons" in name]
    pieces = [text[i : i + 1000] for text in texts for i in range(0, 6000, 1000)]
    assert finale.structured(pieces)["with structure"] > 0.8
    letters = sorted(set("".join(corpus.documents().values())))
    draws = torch.randint(len(letters), (20, 300), generator=torch.Generator().manual_seed(0))
    noise = ["".join(letters[i] for i in row) for row in draws.tolist()]
    assert finale.structured(noise)["with structure"] <= 0.1


def small_model() -> tuple[Any, Any]:
    from minillm import gpt, train
    from minillm.config import GPTConfig

    config = GPTConfig(vocab_size=11, block_size=8, n_layer=3, n_head=2, d_model=8, dropout=0.0,
                       position="rope")
    model = gpt.MiniGPT(config, torch.Generator().manual_seed(0))
    return model, train.TrainConfig(steps=1000, batch_size=16, block_size=8)


def test_a_budget_becomes_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    model, config = small_model()
    before = [p.clone() for p in model.parameters()]
    ids = torch.arange(200) % 11
    monkeypatch.setenv("COURSE_SHORT", "1")
    assert finale.short()
    sized = finale.sized(model, config, ids, 60)
    assert (sized.steps, sized.batch_size) == (finale.FEW, finale.ROWS)
    monkeypatch.setenv("COURSE_SHORT", "0")
    assert not finale.short()
    monkeypatch.setattr(finale, "seconds_of_a_step", lambda *_: 0.5)
    assert finale.sized(model, config, ids, 60) == replace(config, steps=120, eval_every=12)
    monkeypatch.undo()
    assert finale.seconds_of_a_step(model, config, ids, 1) > 0
    assert all(map(torch.equal, before, model.parameters()))


def test_a_tool_makes_it_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COURSE_SHORT", raising=False)
    for tool in workspace.TOOLS:
        monkeypatch.delenv(tool, raising=False)
    assert not finale.short()
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert finale.short()


def test_the_solved_lesson_shows_full_runs() -> None:
    solved = (ROOT / "solutions/17_mini_gpt.ipynb").read_text("utf-8")
    steps = [int(n) for n in re.findall(r'(\d+) steps, +[\d.]+ s: ', solved)]
    assert len(steps) >= 6 and min(steps) > finale.FEW, "delete it, and build without COURSE_SHORT"
    assert "  0%|" not in solved  # a bar that a page without a kernel shows as it began


def test_recorded_weights_are_rows_of_probabilities() -> None:
    model, _ = small_model()
    with finale.recorded_weights() as seen:
        model.eval()(torch.arange(6)[None])
    assert len(seen) == 3 and seen[0].shape == (1, 2, 6, 6)
    torch.testing.assert_close(torch.stack(seen).sum(-1), torch.ones(3, 1, 2, 6))


def test_saved_bytes_count_a_tensor_once() -> None:
    x = torch.ones(3, 5, requires_grad=True)
    sizes = finale.saved_bytes(lambda: ((x * 2).exp() ** 2).sum())
    assert sizes == {(3, 5): 60} or sizes == {(3, 5): 120}  # exp keeps its result, ** its input
    weight = torch.ones(7, 5, requires_grad=True)
    assert finale.saved_bytes(lambda: (torch.ones(3, 5) @ weight.mT).sum()) == {(3, 5): 60}


def test_the_peak_is_what_was_there_for_a_moment() -> None:
    def run() -> None:
        held = [torch.ones(25_000_000) for _ in range(2)]
        time.sleep(0.1)
        del held
        time.sleep(0.1)  # it is gone before the end, and counts all the same

    assert finale.peak_bytes(run) == pytest.approx(200e6, rel=0.1)


def test_stretching_ends() -> None:
    from minillm import rope

    plain = rope.rope_frequencies, rope.rope_tables
    for method in ("PI", "NTK", "YaRN"):
        with experiments.stretched(method, 4.0, 10000.0, 8, 16):
            assert not torch.equal(rope.rope_frequencies(8, 10000.0), plain[0](8, 10000.0))
    assert (rope.rope_frequencies, rope.rope_tables) == plain
