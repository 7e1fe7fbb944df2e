"""Files, splits and batches of lesson 03, and its functions of `functional`, against git itself,
slow loops, torch's own functions and autograd."""

import math
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck

from course import files as files_module

ROOT = Path(__file__).parents[2]
MODULES = {"D": "minillm.data", "F": "minillm.functional", "E": "steps.embedding",
           "O": "steps.objective"}


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        files_module.write(root / name, text)
    return root


PATHS = ["a.md", "b/a.md", "b/c/d.md", "build/x.md", "b/build/y.md", "docs/api/z.md", "docs/w.md",
         "tmp1/q.md", "keep/tmp2/q.md", "b/keep.md", "x/y/z/deep.md", "old.md", "b/old.md",
         "sp ace/s.md", "#odd/o.md", "logs/keep/k.md", "logs/l.md"]
RULES = {
    "a name anywhere": "build\n", "a folder anywhere": "build/\n",
    "at the top only": "/build\n/b\n", "a path": "docs/api\n",
    "a path with a slash in front": "/docs/api/\n", "a star": "tmp*\n*.log\n",
    "a star in a path": "b/*/d.md\n", "two stars": "**/c/\nx/**/deep.md\n",
    "two at the end": "x/**\n", "a question mark": "tmp?/\n", "a set of letters": "tmp[12]\n",
    "not in a set": "tmp[!1]\n", "taken back": "*.md\n!a.md\n!b/\n",
    "taken back too late": "logs/\n!logs/keep/\n", "taken back in time": "logs/*\n!logs/keep/\n",
    "comments and blanks": "# build\n\n  \nold.md  \n", "an escaped sign": "\\#odd\nsp\\ ace\n",
    "a file": "old.md\n", "a file at the top": "/old.md\n", "nothing": "", "everything": "*\n",
    "all but folders": "*\n!*/\n!a.md\n",
}


@pytest.mark.skipif(not shutil.which("git"), reason="git itself is the oracle")
@pytest.mark.parametrize("rule", RULES)
def test_what_git_ignores_is_left_out(ref: Any, tmp_path: Path, rule: str) -> None:
    root = write(tmp_path, {name: "text" for name in PATHS} | {".gitignore": RULES[rule]})
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    asked = subprocess.run(["git", "-C", str(root), "check-ignore", "--no-index", "--stdin"],
                           input="\n".join(PATHS), text=True, stdout=subprocess.PIPE)
    ignored = {name.strip('"') for name in asked.stdout.splitlines()}
    assert sorted(ref.D.load_documents(root)) == sorted(set(PATHS) - ignored)


@pytest.mark.skipif(not shutil.which("git"), reason="git itself is the oracle")
def test_rules_of_several_files(ref: Any, tmp_path: Path) -> None:
    write(tmp_path, {"n/m/a.md": "", "n/m/b.md": "", "n/c.md": "", "n/made/d.md": "",
                     "made/e.md": "", ".gitignore": "made/\nb.md\n",
                     "n/.gitignore": "!made/\nc.md\n", "n/m/.gitignore": "!b.md\n/a.md\n"})
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    assert list(ref.D.load_documents(tmp_path)) == ["n/m/b.md", "n/made/d.md"]
    # a folder inside a repository: the rules above it count too
    assert list(ref.D.load_documents(tmp_path / "n")) == ["m/b.md", "made/d.md"]


def test_hidden_ones_are_left_out_and_the_root_is_not(ref: Any, tmp_path: Path) -> None:
    root = write(tmp_path / ".home/texts",
                 {"a.md": "", ".git/b.md": "", "c/.d/e.md": "", ".f.md": ""})
    assert list(ref.D.load_documents(root)) == ["a.md"]
    assert ref.D.load_documents(root / "c") == {}


def test_texts_are_read_in_order_and_as_utf8(ref: Any, tmp_path: Path) -> None:
    files = {f"{a}/{b}.md": f"{a}{b} ünï 我" for a in "zay" for b in "ca"} | {"b.txt": "no"}
    root = write(tmp_path, files)
    found = ref.D.load_documents(root)
    assert list(found.items()) == sorted((k, v) for k, v in files.items() if k.endswith(".md"))
    assert ref.D.load_corpus(str(root)) == "\n\n".join(found.values())
    assert ref.D.load_documents(root, "*.txt") == {"b.txt": "no"}
    (root / "bad.md").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"bad\.md is not UTF-8"):
        ref.D.load_documents(root)
    with pytest.raises(ValueError, match="is no folder"):
        ref.D.load_documents(root / "nowhere")


@settings(deadline=None)
@given(lengths=st.lists(st.integers(0, 50), max_size=12), seed=st.integers(0, 9),
       fraction=st.sampled_from([0.0, 0.05, 0.3, 0.9]))
def test_documents_are_on_one_side_each(ref: Any, lengths: list[int], seed: int,
                                        fraction: float) -> None:
    documents = {f"{i}.md": "x" * n for i, n in enumerate(lengths)}
    train, val = ref.D.split_documents(documents, fraction, seed)
    assert {**train, **val} == documents and not train.keys() & val.keys()
    assert list(train) == [n for n in documents if n in train]
    assert (train, val) == ref.D.split_documents(documents, fraction, seed)
    held = sum(map(len, val.values()))
    if len(documents) > 1 and sum(lengths):
        assert held >= fraction * sum(lengths) or len(train) == 1
    with pytest.raises(ValueError, match="val_fraction is 1.5"):
        ref.D.split_documents(documents, 1.5)


@settings(deadline=None)
@given(n=st.integers(0, 300), fraction=st.floats(0, 1))
def test_split_loses_nothing(ref: Any, n: int, fraction: float) -> None:
    ids = torch.arange(n)
    train, val = ref.D.split(ids, fraction)
    assert torch.equal(torch.cat([train, val]), ids)
    assert len(val) == int(n * fraction)


def test_every_window_is_drawn_as_often(ref: Any) -> None:
    ids, T = torch.randperm(23, generator=torch.Generator().manual_seed(0)), 5
    x, y = ref.D.get_batch(ids, T, 20_000, generator=torch.Generator().manual_seed(1))
    text = ids.tolist()
    windows = {tuple(text[i:i + T + 1]): i for i in range(len(text) - T)}
    starts = Counter(windows[tuple(row)] for row in torch.cat([x, y[:, -1:]], 1).tolist())
    assert torch.equal(x[:, 1:], y[:, :-1])
    assert sorted(starts) == list(range(18))
    assert scipy.stats.chisquare(list(starts.values())).pvalue > 1e-3


def test_batches_that_cannot_be(ref: Any) -> None:
    for n in (0, 3, 4):
        with pytest.raises(ValueError, match=rf"\({n},\) hold no window of 4"):
            ref.D.get_batch(torch.arange(n), 4, 2)
    with pytest.raises(ValueError, match=r"\(2, 9\)"):
        ref.D.get_batch(torch.zeros(2, 9).long(), 4, 2)
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        ref.D.split(torch.zeros(2, 3))


@pytest.mark.parametrize("shape", [(7,), (2, 3), (2, 1, 4), ()])
def test_embedding_and_its_gradient_are_torchs(ref: Any, shape: tuple[int, ...]) -> None:
    generator = torch.Generator().manual_seed(len(shape))
    weight = torch.randn(5, 3, generator=generator, dtype=torch.float64, requires_grad=True)
    ids = torch.randint(4, shape, generator=generator)
    rows = ref.F.embedding(weight, ids)
    assert torch.equal(rows, torch.nn.functional.embedding(ids, weight))
    grad = torch.randn(*shape, 3, generator=generator, dtype=torch.float64)
    expected, = torch.autograd.grad(torch.nn.functional.embedding(ids, weight), weight, grad)
    torch.testing.assert_close(ref.F.embedding_grad(ids, grad, 5), expected, rtol=1e-13, atol=0)
    assert gradcheck(lambda w: ref.F.embedding(w, ids), weight)
    assert ref.F.embedding_grad(ids, grad.bfloat16(), 5).dtype == torch.bfloat16


def test_ids_and_shapes_that_cannot_be(ref: Any) -> None:
    for bad in (5, -1):
        with pytest.raises(ValueError, match=rf"id {bad} is outside 0 … 4"):
            ref.F.embedding(torch.zeros(5, 2), torch.tensor([0, bad]))
    with pytest.raises(ValueError, match=r"\(3, 2\) for ids \(2,\)"):
        ref.F.embedding_grad(torch.tensor([0, 1]), torch.zeros(3, 2), 5)
    with pytest.raises(ValueError, match="n_bytes is 0"):
        ref.F.bits_per_byte(1.0, 3, 0)


@settings(deadline=None)
@given(loss=st.floats(0, 50), n_tokens=st.integers(1, 10**6), n_bytes=st.integers(1, 10**6))
def test_units_of_the_loss(ref: Any, loss: float, n_tokens: int, n_bytes: int) -> None:
    assert ref.F.perplexity(loss) == pytest.approx(np.exp(loss), rel=1e-14)
    bits = np.log2(np.exp(loss / n_bytes)) * n_tokens
    assert ref.F.bits_per_byte(loss, n_tokens, n_bytes) == pytest.approx(bits, rel=1e-6, abs=1e-6)


def test_perplexity_of_what_is_not_finite(ref: Any) -> None:
    assert ref.F.perplexity(1e4) == math.inf and math.isnan(ref.F.perplexity(math.nan))
    assert ref.F.perplexity(torch.tensor(2.0)) == pytest.approx(math.exp(2))


def test_steps_about_the_table(ref: Any) -> None:
    one_hot = torch.eye(20)
    assert int((one_hot[7] - one_hot[8]).square().sum()) == ref.E.one_hot_distance
    assert ref.E.multiplications == 4000 * 128
    row = ref.F.embedding_grad(torch.tensor([2, 2, 0]),
                               torch.tensor([[1.0, 2], [0.5, -1], [3, -4]]), 3)[2]
    assert row.tolist() == ref.E.repeated_row
    rng = random.Random(0)
    ids = torch.tensor([*range(900), *(rng.randrange(900) for _ in range(1024 - 900))])
    moved = ref.F.embedding_grad(ids, torch.ones(1024, 1), 4000).ne(0).sum()
    assert 4000 - int(moved) == ref.E.rows_without_gradient
    h, linear = torch.randn(4, 3), torch.nn.Linear(3, 5, bias=False)
    torch.testing.assert_close(ref.E.scores(h, linear.weight), linear(h))
    two = sum(p.numel() for p in (torch.nn.Embedding(50, 7).weight,
                                  torch.nn.Linear(7, 50, bias=False).weight))
    assert two - torch.nn.Embedding(50, 7).weight.numel() == ref.E.saved_by_tying(50, 7)
    E = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
    ids = torch.tensor([1, 1, 4])
    whole, = torch.autograd.grad((E[ids] @ E.T).logsumexp(-1).sum(), E)
    ends = [torch.autograd.grad((a[ids] @ b.T).logsumexp(-1).sum(), E)[0]
            for a, b in ((E, E.detach()), (E.detach(), E))]
    torch.testing.assert_close(whole, sum(ends))
    assert ref.E.tied_gradient == "c"


def test_steps_about_the_loss(ref: Any) -> None:
    p = np.array([1 / 2, 1 / 4, 1 / 8])
    assert ref.O.text_loss == pytest.approx(-np.log(p).mean())
    assert ref.O.text_perplexity == pytest.approx(scipy.stats.gmean(1 / p))
    assert ref.O.first_perplexity == pytest.approx(
        torch.nn.functional.cross_entropy(torch.zeros(1, 4000), torch.tensor([7])).exp().item())
    assert ref.O.chinese == pytest.approx(ref.F.bits_per_byte(2.3, 10, 10 * len("我".encode())))
    nats = 570 * math.log(2.5)
    assert ref.O.per_word(2.5, 570, 100) == pytest.approx(ref.F.perplexity(nats / 100))
    assert ref.O.per_word(3.2, 57, 10) > 80 and ref.O.better == "b"
    for n, T in ((5, 4), (23, 5)):
        assert len(torch.arange(n).unfold(0, T + 1, 1)) == ref.O.windows(n, T)
    text = "我爱吃苹果"
    x, y = ref.D.get_batch(torch.tensor([ord(c) for c in text]), 4, 1)
    assert "".join(map(chr, y[0].tolist())) == "爱吃苹果" and ref.O.targets == "b"
    assert "".join(map(chr, x[0].tolist())) == "我爱吃苹"
