"""The `minillm` command: train, generate, info, and a clear answer to whatever can't work."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from course import corpus, minillm_command, minillm_corpus, minillm_needs, workspace

ROOT = Path(__file__).parents[2]
SOLUTIONS = ROOT / "solutions"
TEXT = "# A heading\n\nSome *words* of a text, é too.\n\n```python\nprint(1)\n```\n"
Minillm = Callable[..., tuple[int, str, str]]


@pytest.fixture
def minillm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
            ) -> Iterator[Minillm]:
    """Run the command in an empty folder with the reference package: status, output, errors."""
    monkeypatch.setenv("COURSE_MINILLM", str(SOLUTIONS))
    monkeypatch.chdir(tmp_path)
    modules = {n: m for n, m in sys.modules.items() if n.split(".")[0] == "minillm"}
    path, threads = list(sys.path), torch.get_num_threads()
    torch.set_num_threads(1)

    def run(*arguments: str) -> tuple[int, str, str]:
        status = minillm_command.main(list(arguments))
        return status, *capsys.readouterr()

    yield run
    torch.set_num_threads(threads)
    sys.path[:] = path
    for name in [n for n in sys.modules if n.split(".")[0] == "minillm"]:
        del sys.modules[name]
    sys.modules.update(modules)


def folder_of(tmp_path: Path, **files: str | bytes) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / f"{name}.md").write_bytes(data)
    return folder


def exercises() -> set[str]:
    """Everything in the reference package that a learner writes, as module.name."""
    found = set()  # a class counts as used when a method of it is
    for path in (SOLUTIONS / "minillm").glob("*.py"):
        source = path.read_text("utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_source_segment(source, node) or ""
                if "### BEGIN SOLUTION" in text:
                    found.add(f"{path.stem}.{node.name}")
    return found


def traced(work: Callable[..., Any], *arguments: str) -> tuple[Any, set[str]]:
    """What `work` gives, and what of the reference package it runs."""
    ran: set[tuple[str, str]] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & 2:  # new locals: a function, no body of a class
            ran.add((code.co_filename, code.co_qualname))

    sys.setprofile(note)
    try:
        given = work(*arguments)
    finally:
        sys.setprofile(None)
    return given, {f"{Path(file).stem}.{name.split('.')[0]}" for file, name in ran
                   if Path(file).parent == SOLUTIONS / "minillm"}


def test_train_generate_info_and_what_they_need(minillm: Minillm, tmp_path: Path) -> None:
    texts = folder_of(tmp_path, a=TEXT * 20, b=TEXT * 3)
    used: dict[str, set[str]] = {"train": set(), "generate": set(), "info": set()}
    allowed: dict[str, set[str]] = {"train": set(), "generate": set(), "info": set()}
    for preset in ("notes", "modern"):
        if preset == "notes":  # its windows need a longer held-out text
            (texts / "c.md").write_text(TEXT * 30, "utf-8")
        calls = {"train": ("--corpus", str(texts), "--preset", preset, "--steps", "1"),
                 "generate": ("--tokens", "9", "--top-k", "5", "--top-p", "0.9"), "info": ()}
        for command, arguments in calls.items():
            (status, out, err), ran = traced(minillm, command, *arguments)
            ran &= exercises()
            assert status == 0, err
            fields = minillm_command.manifest_config(Path("runs") / preset / "best")
            wanted = {f"{m}.{n}" for m, names in minillm_needs.needed(command, fields).items()
                      for n in names}
            if command == "info":
                wanted.add("tokenizer.CharTokenizer")  # only what is given of it
            assert ran <= wanted, (command, preset)
            used[command] |= ran
            allowed[command] |= wanted
            if command == "train":
                assert "3 documents" in out and f"runs/{preset}/best" in out
                assert re.search(r"step +1 .* bits per byte", out)
                assert f"try       COURSE_MINILLM={SOLUTIONS} minillm generate" in out
            if command == "generate":
                assert out.startswith("# ") and len(out) == 2 + 9 + 1
            if command == "info":
                assert ("learned" if preset == "notes" else "rope") in out
                assert re.search(r"KV cache +4,096 bytes per token", out)
                assert "best: step" in out
    assert allowed["train"] == used["train"]
    assert allowed["generate"] == used["generate"]


@pytest.fixture
def trained(minillm: Minillm, tmp_path: Path) -> Path:
    """A checkpoint of a small untrained model, made without the command."""
    workspace.use(SOLUTIONS)
    from minillm import config, gpt, tokenizer, train
    words = tokenizer.BPETokenizer.train("Straße, Größe und Käse, große Füße. " * 3, 270)
    model = gpt.MiniGPT(config.GPTConfig(len(words), 16, 2, 2, d_model=16))
    train.save_checkpoint(tmp_path / "runs/x/best", model, words, step=1, history=train.History())
    return tmp_path / "runs/x"


def test_a_stream_is_the_same_text(minillm: Minillm, trained: Path) -> None:
    line = ("generate", "--prompt", "Gr\u00f6\u00dfe", "--tokens", "40", "--seed", "3")
    texts = {minillm(*line, *more)[1] for more in ((), ("--stream",), ("--fast", "--stream"))}
    assert len(texts) == 1
    [text] = texts
    assert text.startswith("Größe") and text.endswith("\n")
    assert minillm(*line[:-1], "4")[1] != text
    status, out, err = minillm(*line, "--checkpoint", str(trained), "--temperature", "0")
    assert status == 0 and "tokens, " in err
    assert minillm(*line, "--checkpoint", str(trained / "best"), "--temperature", "0")[1] == out


@pytest.mark.parametrize(("arguments", "said"), [
    (("generate", "--temperature", "-1"), "can't be below 0"),
    (("generate", "--top-p", "1.5"), "p = 1.5 is outside 0 … 1"),
    (("generate", "--top-k", "0"), "k = 0"),
    (("generate", "--checkpoint", "nowhere"), "nowhere holds no checkpoint"),
    (("info", "nowhere"), "nowhere holds no checkpoint")])
def test_bad_wishes(minillm: Minillm, trained: Path, arguments: tuple[str, ...], said: str) -> None:
    status, out, err = minillm(*arguments)
    assert status == 1 and not out and said in err and err.startswith("minillm ")


def test_an_empty_prompt_and_one_the_model_cannot_read(
        minillm: Minillm, tmp_path: Path) -> None:
    workspace.use(SOLUTIONS)
    from minillm import config, gpt, tokenizer, train
    words = tokenizer.CharTokenizer.train("abc\n")
    train.save_checkpoint(tmp_path / "c", gpt.MiniGPT(config.GPTConfig(
        len(words), 16, 2, 2, d_model=16)), words, step=1, history=train.History())
    line = ("generate", "--checkpoint", str(tmp_path / "c"), "--tokens", "3", "--prompt")
    assert minillm(*line, "")[1].startswith("\n")
    status, _, err = minillm(*line, "a漢b")
    assert status == 0 and "of the prompt the model reads 'a\ufffdb'" in err


@pytest.mark.parametrize(("files", "said"), [
    ({}, "holds no markdown: there is no file *.md"),
    ({"a": b"\x89PNG\r\n\xff\xfe" * 90}, "a.md is not UTF-8"),
    ({"a": TEXT, "b": b"a\0b"}, "b.md is no text: there are zero bytes in it"),
    ({"a": TEXT}, "the least that can be trained on"),
    ({"a": b""}, "holds 0 characters"),
])
def test_a_folder_that_cannot_serve(
        minillm: Minillm, tmp_path: Path, files: dict[str, Any], said: str) -> None:
    status, _, err = minillm("train", "--corpus", str(folder_of(tmp_path, **files)))
    assert status == 1 and said in err and "Traceback" not in err
    assert not (tmp_path / "runs").exists()


def test_a_gigabyte_and_no_folder_at_all(minillm: Minillm, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, a=TEXT)
    with open(folder / "big.md", "wb") as file:
        file.truncate(10**9)  # takes no room on the disk
    status, _, err = minillm("train", "--corpus", str(folder))
    assert status == 1 and "1,000 MB of markdown in 2 files, and the limit is 100 MB" in err
    status, _, err = minillm("train", "--corpus", str(folder / "a.md"))
    assert status == 1 and "a.md is no folder" in err


def test_hidden_and_ignored_folders_do_not_count(minillm: Minillm, tmp_path: Path) -> None:
    workspace.use(SOLUTIONS)
    folder = folder_of(tmp_path, a=TEXT * 20, b=TEXT * 20)
    for name in (".hidden", "ignored"):
        (folder / name).mkdir()
        (folder / name / "c.md").write_bytes(b"\xff")
    (folder / ".gitignore").write_text("ignored/\n")
    made = minillm_corpus.corpus(folder, 1, 128)
    assert made.documents == 2 and made.per_byte == pytest.approx(
        len(TEXT) / len(TEXT.encode()), rel=1e-3)
    assert {len(made.train_ids), len(made.val_ids)} == {20 * len(TEXT)}
    (folder / "b.md").unlink()  # one document: its tail is held out
    made = minillm_corpus.corpus(folder, 1, 128)
    assert len(made.train_ids) + len(made.val_ids) == 20 * len(TEXT)
    assert len(made.val_ids) == 129


def test_a_bundle_trains_on_what_lesson_17_trains_on(
        minillm: Minillm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its few files of markdown were a twentieth of the lesson's text."""
    workspace.use(SOLUTIONS)
    live = minillm_corpus.corpus(None, 20, 128)
    assert live.documents == len(minillm_corpus.documents_of(SOLUTIONS.parent, 20))
    monkeypatch.setattr(minillm_corpus, "HERE", tmp_path)
    made, lesson = minillm_corpus.corpus(None, 20, 128), corpus.data()
    assert made.documents == len(corpus.documents())
    assert made.train_ids.equal(lesson.train_ids) and made.val_ids.equal(lesson.val_ids)


def test_a_run_is_not_replaced_unasked(minillm: Minillm, tmp_path: Path) -> None:
    line = ("train", "--corpus", str(folder_of(tmp_path, a=TEXT * 20)), "--steps", "1", "--fast")
    assert minillm(*line)[0] == 0
    status, _, err = minillm(*line)
    assert status == 1 and "--resume goes on with it, --again replaces it" in err
    assert minillm(*line, "--resume")[0] == 0
    status, _, err = minillm(*line, "--resume", "--seed", "7")
    assert status == 1 and "seed was 0 and is 7" in err
    assert minillm(*line, "--again", "--seed", "7")[0] == 0


def test_holes_are_named_first_lesson_first(
        minillm: Minillm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "\n".join(
        f'def {name}():\n    raise NotImplementedError("not filled in yet: lesson {n:02d}, x {n}")'
        for n, name in ((5, "merge_heads"), (4, "causal_mask"), (2, "not_needed")))
    package = tmp_path / "mine" / "minillm"
    package.mkdir(parents=True)
    for path in (SOLUTIONS / "minillm").glob("*.py"):
        text = path.read_text("utf-8")
        if path.stem == "attention":
            text = source
        (package / path.name).write_text(text, "utf-8")
    monkeypatch.setenv("COURSE_MINILLM", str(package.parent))
    status, _, err = minillm("train", "--corpus", str(tmp_path))
    assert status == 1
    assert ("minillm.attention.causal_mask is not filled in yet: that is lesson 04, x 4 "
            "(1 more are missing after it)") in err


def test_which_package(minillm: Minillm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                       capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COURSE_MINILLM", str(tmp_path))
    status, _, err = minillm("info")
    assert status == 1 and "holds no minillm" in err
    monkeypatch.delenv("COURSE_MINILLM")
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr(minillm_command, "HERE", tmp_path)
    status, _, err = minillm("train")
    assert status == 1 and "`course start` makes a working copy" in err
    for name, header in (("solutions", '"""Reference."""'), ("my-course", workspace.WORKING)):
        package = tmp_path / name / "minillm"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(header, "utf-8")
        minillm_command.choose_package("generate")
        assert sys.path[0] == str(tmp_path / name)
    said = capsys.readouterr().err
    assert said.count("no working copy here, so the reference package") == 1
    monkeypatch.chdir(tmp_path / "my-course")
    minillm_command.choose_package("train")
    assert sys.path[0] == str(tmp_path / "my-course")


@pytest.mark.skipif(sys.platform != "linux", reason="asks libgomp")
@pytest.mark.parametrize("start", [
    "from course.minillm_command import main; main(['info'])",
    "from IPython.core.interactiveshell import InteractiveShell as S; import course; "
    "course.load_ipython_extension(S.instance())"])
def test_threads_that_wait_leave_the_machine_to_others(tmp_path: Path, start: str) -> None:
    ours = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}
    env = {k: v for k, v in os.environ.items() if k not in ours} | {
        "COURSE_MINILLM": str(SOLUTIONS), "OMP_DISPLAY_ENV": "verbose"}
    said = subprocess.run([sys.executable, "-c", start + "; import torch"], env=env, cwd=tmp_path,
                          text=True, capture_output=True, check=True).stderr
    assert "GOMP_SPINCOUNT = '10000'" in said
