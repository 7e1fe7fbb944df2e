"""Checkpoints come back as they were, are written whole or not at all, and run no code."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

MODULES = {name: f"minillm.{name}" for name in (
    "checkpoint", "config", "gpt", "tokenizer", "train")}


def model_of(ref: Any, **fields: Any) -> Any:
    return ref.gpt.MiniGPT(ref.config.GPTConfig(**{
        "vocab_size": 7, "block_size": 9, "n_layer": 2, "n_head": 2, "d_model": 12} | fields))


def history(ref: Any, step: int = 3) -> Any:
    return ref.train.History([step], [2.5], [2.25], [1e-3], [0.125], [40], [2.5] * step)


@pytest.mark.parametrize("fields", [
    {}, {"tie_weights": False}, {"position": "sinusoidal", "bias": False},
    {"position": "rope", "norm": "rmsnorm", "ffn": "moe", "n_expert": 3, "n_kv_head": 1}])
def test_what_is_saved_comes_back(
        ref: SimpleNamespace, tmp_path: Path, fields: dict[str, Any]) -> None:
    model, folder = model_of(ref, **fields).double(), tmp_path / "new" / "folder"
    words = ref.tokenizer.CharTokenizer.train("aabbcdeé")
    ref.train.save_checkpoint(folder, model, words, step=3, history=history(ref))
    loaded, again, info = ref.train.load_checkpoint(folder)
    assert loaded.config == model.config and not loaded.training
    assert loaded.state_dict().keys() == model.state_dict().keys()
    for name, p in loaded.state_dict().items():
        assert p.dtype == torch.float64 and torch.equal(p, model.state_dict()[name])
    assert (loaded.head.weight is loaded.embed.weight) == model.config.tie_weights
    assert again.encode("é?a") == words.encode("é?a") and len(again) == len(words)
    assert info["step"] == 3 and info["history"] == history(ref) and info["training"] is None
    names = sorted(p.suffix for p in folder.iterdir())
    assert names == [".json", ".json", ".safetensors"]


def test_a_byte_tokenizer_none_and_tensors_of_a_run(ref: SimpleNamespace, tmp_path: Path) -> None:
    model = model_of(ref)
    words = ref.tokenizer.BPETokenizer.train("low lower lowest " * 3, 260)
    ref.train.save_checkpoint(tmp_path, model, words, step=1, history=history(ref))
    assert ref.train.load_checkpoint(tmp_path)[1].merges == words.merges
    state = {"a.b": torch.arange(3), "c": torch.tensor(2.5, dtype=torch.float64)}
    ref.train.save_checkpoint(tmp_path, model, None, step=2, history=history(ref), training=state,
                              extra={"lr": 0.5})
    _, none, info = ref.train.load_checkpoint(tmp_path)
    assert none is None and info["extra"] == {"lr": 0.5} and info["step"] == 2
    assert info["history"] == history(ref)
    assert all(torch.equal(info["training"][name], t) for name, t in state.items())
    assert len(list(tmp_path.iterdir())) == 3  # nothing of the older one is left
    ref.train.save_checkpoint(tmp_path, model, None, step=3, history={"loss": [1.5]})
    assert ref.train.load_checkpoint(tmp_path)[2]["history"] == {"loss": [1.5]}
    with pytest.raises(ValueError, match="a dict can't be written"):
        ref.train.save_checkpoint(tmp_path, model, {}, step=3, history=history(ref))


@pytest.mark.parametrize("at", ["save_file", "on_disk", "replace"])
@pytest.mark.parametrize("first", [True, False])
def test_whole_or_not_at_all(ref: SimpleNamespace, tmp_path: Path, first: bool, at: str,
                             monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, at any of three moments."""
    folder, model = tmp_path / "run", model_of(ref)
    if not first:
        ref.train.save_checkpoint(folder, model, None, step=1, history=history(ref))
        files = {p.name: p.read_bytes() for p in folder.iterdir()}

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    target = ref.checkpoint.os if at == "replace" else ref.checkpoint
    with monkeypatch.context() as patch:
        patch.setattr(target, at, full)
        with pytest.raises(OSError, match="No space left"):
            ref.train.save_checkpoint(folder, model_of(ref), None, step=2, history=history(ref))
    if first:
        assert not folder.exists()
    else:
        assert {p.name: p.read_bytes() for p in folder.iterdir()} == files
    ref.train.save_checkpoint(folder, model, None, step=3, history=history(ref))
    assert ref.train.load_checkpoint(folder)[2]["step"] == 3


def test_what_a_killed_writer_left_does_no_harm(ref: SimpleNamespace, tmp_path: Path) -> None:
    model = model_of(ref)
    ref.train.save_checkpoint(tmp_path, model, None, step=1, history=history(ref))
    for name in ("weights.2.safetensors", "training.2.safetensors", "checkpoint.json.2"):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    assert ref.train.load_checkpoint(tmp_path)[2]["step"] == 1
    ref.train.save_checkpoint(tmp_path, model, None, step=2, history=history(ref))
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "checkpoint.json", "notes.txt", "weights.3.safetensors"]


def test_a_reader_meets_a_writer(
        ref: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between reading the manifest and the weights, another checkpoint takes the place."""
    ref.train.save_checkpoint(tmp_path, model_of(ref), None, step=1, history=history(ref))
    real, calls = ref.checkpoint.read_manifest, []

    def slow(folder: Path) -> Any:
        found = real(folder)
        if not calls:
            calls.append(1)
            ref.train.save_checkpoint(tmp_path, model_of(ref), None, step=2, history=history(ref))
        return found

    monkeypatch.setattr(ref.checkpoint, "read_manifest", slow)
    assert ref.train.load_checkpoint(tmp_path)[2]["step"] == 2


def broken(manifest: dict[str, Any], **changes: Any) -> str:
    return json.dumps({**manifest, **changes})


@pytest.mark.parametrize(("change", "said"), [
    (lambda m: "{", "can't be read"), (lambda m: "[]", "no checkpoint of format 1"),
    (lambda m: broken(m, format=2), "no checkpoint of format 1"),
    (lambda m: broken(m, files={"weights": "../weights.1.safetensors"}), "names a file"),
    (lambda m: broken(m, tokenizer="os", files={**m["files"], "tokenizer": "tokenizer.1.json"}),
     "no tokenizer is called 'os'"),
    (lambda m: broken(m, config={**m["config"], "surprise": 1}), "not the config of a MiniGPT"),
    (lambda m: broken(m, config={**m["config"], "n_head": 5}), "can't be cut into n_head = 5"),
    (lambda m: broken(m, config={**m["config"], "n_layer": 3}), "the weights are not those"),
    (lambda m: broken(m, config={**m["config"], "vocab_size": 8}), r"embed.weight \(7, 12\)"),
])
def test_what_cannot_be_a_checkpoint_is_refused(
        ref: SimpleNamespace, tmp_path: Path, change: Any, said: str) -> None:
    ref.train.save_checkpoint(tmp_path, model_of(ref), None, step=1, history=history(ref))
    path = tmp_path / "checkpoint.json"
    path.write_text(change(json.loads(path.read_text("utf-8"))), "utf-8")
    with pytest.raises(ValueError, match=said):
        ref.train.load_checkpoint(tmp_path)


def test_missing_and_damaged_files(ref: SimpleNamespace, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no checkpoint"):
        ref.train.load_checkpoint(tmp_path)
    ref.train.save_checkpoint(tmp_path, model_of(ref), None, step=1, history=history(ref))
    weights = tmp_path / "weights.1.safetensors"
    weights.write_bytes(weights.read_bytes()[:500])
    with pytest.raises(ValueError, match="weights.1.safetensors can't be read"):
        ref.train.load_checkpoint(tmp_path)
    weights.unlink()
    with pytest.raises(FileNotFoundError):
        ref.train.load_checkpoint(tmp_path)
