"""A training step of minillm against `transformers`, and against any model of nanoGPT's interface.

    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/train.py [--peer nanoGPT/model.py]

All have 4 layers, 4 heads, a width of 128, 256 positions, 4,001 tokens, and take the same batches
through forward, backward, clipping and AdamW. "notes" has LayerNorm, learned positions, GELU and a
dropout of 0.1, as the others have; "modern" has RMSNorm, RoPE, SwiGLU, QK-norm and no dropout.
"plain" is the reference code, "fast" the same weights with `TrainConfig(fast=True)`. Both as
`train` runs them, which tells the allocator to keep freed memory (`TrainConfig.keep_memory`);
"kept" are the others with those settings. A peer is a file with
`GPT` and `GPTConfig` as nanoGPT's model.py has them. Exits with 1 when a ratio is below what it
should be.
"""

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
import turns  # noqa: E402

turns.reference()
import torch  # noqa: E402

from minillm import fast, gpt, stepper  # noqa: E402
from minillm import train as training  # noqa: E402
from minillm.config import GPTConfig  # noqa: E402

torch.set_num_threads(1)
torch.manual_seed(0)

V, B, T = 4001, 8, 256
CLIP, RATE, BETAS = 1.0, 1e-3, (0.9, 0.95)


def batch() -> tuple[torch.Tensor, torch.Tensor]:
    ids = torch.randint(V, (B, T + 1), generator=torch.Generator().manual_seed(0))
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


def ours(preset: str, quick: bool) -> Callable[[], object]:
    fields, config = training.preset(preset)
    config = training.TrainConfig(lr=RATE, fast=quick, decay_all=config.decay_all)
    model: Any = gpt.MiniGPT(GPTConfig(**{**fields, "vocab_size": V, "block_size": T}))
    optimizer = stepper.Stepper(model, config)
    runner = fast.FastGPT(model) if quick else model
    fast.keep_memory()
    x, y = batch()

    def step() -> None:
        with fast.runtime() if quick else nullcontext():
            training.train_step(runner, optimizer, x, y, CLIP)

    return step


def theirs(
    model: Any, loss: Callable[[Any], torch.Tensor], kept: bool
) -> Callable[[], object]:
    if kept:
        fast.keep_memory()
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=BETAS)

    def step() -> None:
        model.train()
        optimizer.zero_grad()
        loss(model).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()

    return step


def huggingface(kept: bool) -> Callable[[], object]:
    from transformers import GPT2Config, GPT2LMHeadModel
    drop = {name: 0.1 for name in ("resid_pdrop", "embd_pdrop", "attn_pdrop")}
    model = GPT2LMHeadModel(GPT2Config(
        vocab_size=V, n_positions=T, n_embd=128, n_layer=4, n_head=4, activation_function="gelu",
        bos_token_id=0, eos_token_id=0, use_cache=False, **drop))
    x, y = batch()

    def loss(model: Any) -> torch.Tensor:
        logits = model(input_ids=x).logits
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())

    return theirs(model, loss, kept)


def peer(path: Path, kept: bool) -> Callable[[], object]:
    module = turns.load(path)
    model = module.GPT(module.GPTConfig(block_size=T, vocab_size=V, n_layer=4, n_head=4,
                                        n_embd=128, dropout=0.1, bias=True))
    x, y = batch()
    return theirs(model, lambda model: model(x, y)[1], kept)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--peer", type=Path, help="a file like nanoGPT's model.py")
    options = parser.parse_args()
    candidates: dict[str, tuple[Any, ...]] = {
        "transformers": (huggingface, False), "transformers, kept": (huggingface, True)}
    if options.peer:
        candidates["peer"] = (peer, options.peer, False)
        candidates["peer, kept"] = (peer, options.peer, True)
    for name in ("notes", "modern"):
        candidates |= {f"{name}, plain": (ours, name, False), f"{name}, fast": (ours, name, True)}
    took = turns.in_turns(candidates, options.rounds)
    print(f"One step, {B} × {T} tokens, milliseconds of processor time, {options.rounds} rounds")
    print(turns.table(took, 1e-3, "transformers"))
    print()
    measured = {
        f"notes, {kind}, against transformers":
            (turns.ratio(took, "transformers", f"notes, {kind}"), least)
        for kind, least in (("plain", 0.6), ("fast", 1.0))}
    if options.peer:
        measured["notes, fast, against the peer"] = (
            turns.ratio(took, "peer", "notes, fast"), 0.95)
        measured["modern, plain, against the peer"] = (
            turns.ratio(took, "peer", "modern, plain"), 0.8)
        measured["modern, fast, against the peer"] = (
            turns.ratio(took, "peer", "modern, fast"), 1.9)
    return turns.verdict(measured)


if __name__ == "__main__":
    sys.exit(main())
