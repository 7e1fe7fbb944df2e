"""Models on disk: weights in safetensors, all else in JSON, written whole or not at all.

A checkpoint is a folder. `checkpoint.json` names the other files and is replaced last and in one
move, so at every instant it names files that are complete; a writer that dies leaves the old
checkpoint. Nothing in such a folder is code, and nothing of it is run.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from . import gpt, tokenizer
from .config import GPTConfig
from .recipe import History

MANIFEST = "checkpoint.json"
FORMAT = 1
TOKENIZERS = ("CharTokenizer", "BPETokenizer")
PART = re.compile(r"(weights|training|tokenizer)\.(\d+)\.(safetensors|json)")


def save_checkpoint(
    folder: str | Path, model: Any, tokenizer: Any, *, step: int, history: Any,
    training: Mapping[str, torch.Tensor] | None = None, extra: Mapping[str, Any] | None = None,
) -> None:
    """Write a MiniGPT, its tokenizer (or None), the step and the history into `folder`.

    `history`: a History, or anything JSON can hold.
    `training`: tensors that a run needs to go on. `extra`: whatever else JSON can hold. An older
    checkpoint in the folder is replaced; when anything fails, it is still there and whole.
    """
    if tokenizer is not None and type(tokenizer).__name__ not in TOKENIZERS:
        raise ValueError(f"a {type(tokenizer).__name__} can't be written; there are {TOKENIZERS}")
    folder = Path(folder)
    new_folder = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    number = 1 + max([int(m[2]) for p in folder.iterdir() if (m := PART.fullmatch(p.name))] or [0])
    files = {"weights": f"weights.{number}.safetensors"}
    try:
        save_file(weights(model), folder / files["weights"])
        if training is not None:
            files["training"] = f"training.{number}.safetensors"
            save_file({n: t.detach().cpu().contiguous() for n, t in training.items()},
                      folder / files["training"])
        if tokenizer is not None:
            files["tokenizer"] = f"tokenizer.{number}.json"
            tokenizer.save(folder / files["tokenizer"])
        manifest = {
            "format": FORMAT, "config": asdict(model.config), "step": step, "files": files,
            "tokenizer": None if tokenizer is None else type(tokenizer).__name__,
            "extra": dict(extra or {}),
            "history": vars(history) if is_dataclass(history) else {"plain": history}}
        temporary = folder / f"{MANIFEST}.{number}"
        temporary.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
        for path in (*(folder / name for name in files.values()), temporary):
            on_disk(path)
        os.replace(temporary, folder / MANIFEST)  # from here on the new one counts
    except BaseException:
        sweep(folder, keep=set(read_manifest(folder)["files"].values())
              if (folder / MANIFEST).exists() else set())
        if new_folder:
            folder.rmdir()
        raise
    sweep(folder, keep=set(files.values()))


def load_checkpoint(folder: str | Path) -> tuple[Any, Any, dict[str, Any]]:
    """Read what `save_checkpoint` wrote: `(model, tokenizer, info)`, the model in eval mode.

    `info` holds "step", "history" (a History), "extra", and "training" (tensors, or None). Raises
    FileNotFoundError when there is no checkpoint, ValueError when it can't be one of a MiniGPT.
    """
    folder = Path(folder)
    for attempt in (1, 2, 3):
        manifest = read_manifest(folder)
        try:
            return assemble(folder, manifest)
        except FileNotFoundError:  # a writer has just replaced it, and the old files are gone
            if attempt == 3:
                raise
    raise AssertionError("not reached")


def assemble(folder: Path, manifest: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Model, tokenizer and info from the files that a manifest names."""
    files: dict[str, str] = manifest["files"]
    try:
        model = gpt.MiniGPT(GPTConfig(**manifest["config"]))
    except TypeError as error:  # a field that there is not
        raise ValueError(f"{folder}: not the config of a MiniGPT: {error}") from error
    put(model, read_tensors(folder / files["weights"]), folder)
    read = None
    if manifest["tokenizer"] is not None:
        if manifest["tokenizer"] not in TOKENIZERS:
            raise ValueError(f"{folder}: no tokenizer is called {manifest['tokenizer']!r}")
        read = getattr(tokenizer, manifest["tokenizer"]).load(folder / files["tokenizer"])
    past = manifest["history"]
    training = read_tensors(folder / files["training"]) if "training" in files else None
    info = {"step": manifest["step"], "extra": manifest["extra"], "training": training,
            "history": past["plain"] if "plain" in past else History(**past)}
    return model.eval(), read, info


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a checkpoint. Raises as `load_checkpoint` does."""
    path = folder / MANIFEST
    if not path.is_file():
        raise FileNotFoundError(f"{folder} holds no checkpoint: there is no {MANIFEST} in it")
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except ValueError as error:  # no UTF-8, no JSON
        raise ValueError(f"{path} can't be read: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ValueError(f"{path} is no checkpoint of format {FORMAT}")
    for name in manifest["files"].values():
        if not PART.fullmatch(name):  # nothing outside the folder
            raise ValueError(f"{path} names a file {name!r}")
    return manifest


def weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """The tensors of a model by name; what is shared, as a tied head is, under one name only."""
    once = dict(model.named_parameters())
    every = dict(model.named_parameters(remove_duplicate=False))
    return {name: t.detach().cpu().contiguous() for name, t in model.state_dict().items()
            if name in once or name not in every}


def put(model: torch.nn.Module, tensors: dict[str, torch.Tensor], where: Path) -> None:
    """Copy `tensors` into `model`. Raises ValueError when names or shapes differ."""
    wanted = weights(model)
    wrong = sorted(wanted.keys() ^ tensors.keys()) or [
        f"{n} {tuple(tensors[n].shape)} for {tuple(t.shape)}"
        for n, t in wanted.items() if t.shape != tensors[n].shape]
    if wrong:
        raise ValueError(f"{where}: the weights are not those of its config: {wrong[:4]}")
    for t in tensors.values():
        model.to(t.dtype)  # all weights of a model have one
        break
    model.load_state_dict(tensors, strict=False)


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    try:
        return load_file(path)
    except SafetensorError as error:
        raise ValueError(f"{path} can't be read: {error}") from error


def on_disk(path: Path) -> None:
    """Wait until a file would survive a power cut."""
    with open(path, "r+b") as file:
        os.fsync(file.fileno())


def sweep(folder: Path, keep: set[str]) -> None:
    """Remove files of older checkpoints, and of writers that died."""
    for path in folder.iterdir():
        leftover = re.fullmatch(rf"{re.escape(MANIFEST)}\.\d+", path.name)
        if leftover or (PART.fullmatch(path.name) and path.name not in keep):
            path.unlink(missing_ok=True)
