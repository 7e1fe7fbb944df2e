"""The `minillm` command: train the package you wrote, let it write, look at a checkpoint.

It runs the minillm that COURSE_MINILLM names, else that of the working copy around the current
folder, else that of the bundle itself or of my-course/ beside the course.
"""

import argparse
import math
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import let_threads_sleep, workspace
from .minillm_corpus import HERE, corpus
from .minillm_needs import Problem, require
from .source import HOLE

RUNS = Path("runs")  # below the current folder
LIMIT = 100  # MB of markdown: what a few GB of memory hold, and far more than a night learns
PROMPT = "# "


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0 only when it did what it says."""
    options = parser().parse_args(arguments)
    let_threads_sleep()
    try:
        choose_package(options.command)
        return {"train": train, "generate": generate, "info": info}[options.command](options)
    except NotImplementedError as error:
        if HOLE not in str(error):
            raise
        print(f"minillm: {error}", file=sys.stderr)
    except (OSError, ValueError, ArithmeticError, ImportError, Problem) as error:
        print(f"minillm {options.command}: {error}", file=sys.stderr)
    return 1


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="minillm", description=(__doc__ or "").splitlines()[0])
    commands = made.add_subparsers(dest="command", required=True)
    command = commands.add_parser("train", help="train a mini-GPT on a folder of markdown")
    command.add_argument("--corpus", type=Path, help="a folder (default: this course's own text)")
    command.add_argument("--preset", choices=["notes", "modern"], default="modern")
    command.add_argument("--steps", type=int, help="default: the preset's, 3000")
    command.add_argument("--optimizer", choices=["adamw", "muon"], default="adamw")
    command.add_argument("--out", type=Path, help="default: runs/ and the preset's name")
    command.add_argument("--seed", type=int)
    command.add_argument("--fast", action="store_true",
                         help="torch's kernels in place of your functions: the same numbers sooner")
    command.add_argument("--resume", action="store_true", help="go on with the run in --out")
    command.add_argument("--again", action="store_true", help="replace the run in --out")
    command.add_argument("--limit", type=float, default=LIMIT, metavar="MB",
                         help=f"refuse a larger corpus (default: {LIMIT})")
    command = commands.add_parser("generate", help="let a trained model continue a text")
    command.add_argument("--prompt", default=PROMPT, help=f"default: {PROMPT!r}")
    command.add_argument("--checkpoint", type=Path, help="default: the newest run's best")
    command.add_argument("--tokens", type=int, default=300)
    command.add_argument("--temperature", type=float, default=0.8, help="0 is greedy")
    command.add_argument("--top-k", type=int, default=None)
    command.add_argument("--top-p", type=float, default=None)
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--stream", action="store_true", help="show each token when it is drawn")
    command.add_argument("--fast", action="store_true",
                         help="torch's kernels in place of your functions")
    command = commands.add_parser("info", help="what a checkpoint holds and how it was trained")
    command.add_argument("checkpoint", type=Path, nargs="?", help="default: the newest run's best")
    return made


def choose_package(command: str) -> None:
    """Put the minillm to use at the front of sys.path. Raises NoWorkingCopy, with what to do."""
    try:
        root = workspace.package_root()
    except workspace.NoWorkingCopy:
        beside, reference = workspace.default_copy(HERE), HERE / "solutions"
        if os.environ.get("COURSE_MINILLM"):
            raise
        if workspace.is_working_copy(beside):
            root = beside
        elif command != "train" and (reference / "minillm").is_dir():
            print("minillm: no working copy here, so the reference package", file=sys.stderr)
            root = reference
        else:
            raise workspace.NoWorkingCopy(
                "there is no minillm of yours here. `course start` makes a working copy; "
                f"COURSE_MINILLM={reference.name} runs the reference package, as `make train` does"
            ) from None
    workspace.use(root)


def say(line: str) -> None:
    """Print, above a progress bar if there is one; under torchrun only the first process does."""
    from tqdm import tqdm
    if os.environ.get("RANK", "0") == "0":
        tqdm.write(line)
        sys.stdout.flush()


def train(options: argparse.Namespace) -> int:
    from dataclasses import replace

    import torch

    from minillm import gpt
    from minillm import train as training
    from minillm.config import GPTConfig
    fields, config = training.preset(options.preset)
    require("train", fields)
    given = {name: value for name in ("steps", "seed")
             if (value := getattr(options, name)) is not None}
    config = replace(config, optimizer=options.optimizer, fast=options.fast, **given)
    out = options.out or RUNS / options.preset
    if (out / "last").exists() and not (options.resume or options.again):
        raise Problem(f"{out} holds a run; --resume goes on with it, --again replaces it")
    text = corpus(options.corpus, options.limit, config.block_size)
    words, train_ids, val_ids = text.words, text.train_ids, text.val_ids
    say(f"corpus    {text.documents:,} documents, {len(train_ids) + len(val_ids):,} characters, of "
        f"which {len(val_ids):,} are held out; {len(words):,} tokens known")
    model = gpt.MiniGPT(GPTConfig(vocab_size=len(words), **fields),
                        torch.Generator().manual_seed(config.seed))
    size = sum(p.numel() for p in model.parameters())
    say(f"model     {options.preset}, {size:,} parameters, by {Path(gpt.__file__).parent}\n"
        f"training  {config.steps:,} steps of {config.batch_size} × {config.block_size} tokens; "
        f"{len(train_ids) / config.batch_size / config.block_size:,.0f} steps see each token once")

    def bits(loss: float) -> float:
        return loss * text.per_byte / math.log(2)

    def show(step: int, history: Any) -> None:
        if history.step[-1] == step:
            say(f"step {step:6,}  train {history.train_loss[-1]:.3f}  held out "
                f"{history.val_loss[-1]:.3f} nats per token, {bits(history.val_loss[-1]):.3f} bits "
                f"per byte  {history.seconds[-1]:,.0f} s")

    try:
        history = training.train(model, train_ids, val_ids, config, out=out, resume=options.resume,
                                 on_step=show, tokenizer=words)
    except KeyboardInterrupt:
        say(f"stopped; `minillm train --resume` with the same options goes on from {out}/last")
        return 130
    step, loss = history.best
    package = os.environ.get("COURSE_MINILLM")  # without it another one would be asked to write
    same = f"COURSE_MINILLM={shlex.quote(package)} " if package else ""
    say(f"best      step {step:,}, {loss:.3f} nats per token, {bits(loss):.3f} bits per byte: "
        f"{out}/best\ntry       {same}minillm generate --checkpoint {shlex.quote(str(out))} "
        "--prompt '# ' --stream")
    return 0


def checkpoint_at(folder: Path | None) -> Path:
    """The checkpoint in a folder, the best one of a run, or that of the newest run."""
    if folder is None:
        found = sorted(RUNS.glob("*/best/checkpoint.json"), key=lambda path: path.stat().st_mtime)
        if not found:
            raise Problem(f"there is no run below {RUNS.absolute()}: `minillm train` makes one, "
                          "or name a checkpoint")
        return found[-1].parent
    if not (folder / "checkpoint.json").exists() and (folder / "best/checkpoint.json").exists():
        return folder / "best"
    return folder


def manifest_config(folder: Path) -> dict[str, Any]:
    from minillm import checkpoint
    config: dict[str, Any] = checkpoint.read_manifest(folder)["config"]
    return config


def generate(options: argparse.Namespace) -> int:
    folder = checkpoint_at(options.checkpoint)
    require("generate", manifest_config(folder))
    import torch

    from minillm import fast, sampling
    from minillm import train as training
    if options.tokens < 0 or not options.temperature >= 0:
        raise Problem(f"--tokens {options.tokens} and --temperature {options.temperature} can't be "
                      "below 0")
    model, words, _ = training.load_checkpoint(folder)
    if words is None:
        raise Problem(f"{folder} holds no tokenizer")
    prompt = options.prompt or "\n"
    ids = words.encode(prompt)
    if words.decode(ids) != prompt:
        print(f"minillm: of the prompt the model reads {words.decode(ids)!r}", file=sys.stderr)
    torch.set_num_threads(1)  # a token is too little work to share: measured, two gain nothing
    runner = fast.FastGPT(model) if options.fast else model
    drawn = Drawn(words, ids) if options.stream else None
    if drawn:
        runner = drawn.listen(runner)
    begin = time.perf_counter()
    with torch.inference_mode():
        made = sampling.generate(
            runner, torch.tensor([ids]), options.tokens, t=options.temperature, k=options.top_k,
            p=options.top_p, generator=torch.Generator().manual_seed(options.seed))[0].tolist()
    if drawn:
        drawn.finish(made)
    else:
        print(words.decode(made))
    rate = options.tokens / (time.perf_counter() - begin)
    print(f"minillm: {options.tokens:,} tokens, {rate:,.0f} a second", file=sys.stderr)
    return 0


class Drawn:
    """Prints a text while `generate` makes it, by listening to what the model is asked to read."""

    def __init__(self, words: Any, prompt: list[int]) -> None:
        self.words, self.ids, self.shown = words, list(prompt), ""
        self.show()

    def listen(self, model: Any) -> Any:
        """The model, with an ear: each call but the first brings the token that was just drawn."""
        import torch
        drawn = self

        class Listener(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.model, self.config, self.calls = model, model.config, 0

            def forward(self, ids: Any, targets: Any = None, cache: Any = None) -> Any:
                if self.calls:
                    drawn.ids.append(int(ids[0, -1]))
                    drawn.show()
                self.calls += 1
                return self.model(ids, targets, cache)

        return Listener()

    def show(self) -> None:
        """Print what is new; a character whose bytes are not all there yet waits for them."""
        text = self.words.decode(self.ids).rstrip("\N{REPLACEMENT CHARACTER}")
        print(text[len(self.shown):], end="", flush=True)
        self.shown = text

    def finish(self, made: list[int]) -> None:
        print(self.words.decode(made)[len(self.shown):], flush=True)


def lines_of(table: dict[str, int]) -> Iterator[str]:
    total = sum(table.values())
    for part, size in (*table.items(), ("all", total)):
        yield f"  {part:20}{size:>12,}  {100 * size / total:5.1f} %"


def info(options: argparse.Namespace) -> int:
    folder = checkpoint_at(options.checkpoint)
    require("info", manifest_config(folder))
    from minillm import gpt, kv_cache
    from minillm import train as training
    model, words, kept = training.load_checkpoint(folder)
    c, history = model.config, kept["history"]
    width = next(model.parameters()).element_size()
    each = kv_cache.kv_cache_bytes(c.n_layer, c.kv_heads, c.head_width, 1, bytes_per_value=width)
    print(f"{folder}, step {kept['step']:,}; "
          + ("no tokenizer" if words is None else f"{type(words).__name__}, {len(words):,} tokens"))
    print(", ".join(f"{name} {value}" for name, value in vars(c).items() if value is not None))
    print("\nparameters")
    print("\n".join(lines_of(gpt.parameter_table(c))))
    print(f"\nKV cache  {each:,} bytes per token, {each * c.block_size:,} for {c.block_size} "
          f"tokens ({width} bytes a number)")
    print("\n    step   train  held out      rate   seconds")
    for row in zip(history.step, history.train_loss, history.val_loss, history.lr,
                   history.seconds, strict=True):
        print("{:8,}{:8.3f}{:10.3f}{:10.2e}{:10.1f}".format(*row))
    if history.step:
        print("best: step {:,}, {:.3f} nats per token".format(*history.best))
    return 0


if __name__ == "__main__":
    sys.exit(main())
