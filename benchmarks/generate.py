"""Generating with minillm against `transformers`, with and without a KV cache, and by context.

    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/generate.py [--peer nanoGPT/model.py]
    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/generate.py --growth

One text, a prompt of 32 tokens and 200 more, greedy; 4 layers, 4 heads, a width of 128, 4,001
tokens, 256 positions. "gpt" is GPT-2's kind (LayerNorm, learned positions, GELU), "llama" has
RMSNorm, RoPE, SwiGLU and 2 key heads. "plain" is the reference code, "fast" the same weights
through `FastGPT`. A peer is a file with `GPT` and `GPTConfig` as nanoGPT's model.py has them; it
recomputes all positions for each token. Exits with 1 when a ratio is not what it should be.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
import turns  # noqa: E402

turns.reference()
import torch  # noqa: E402

from minillm import fast, gpt, kv_cache, sampling  # noqa: E402
from minillm.config import GPTConfig  # noqa: E402

torch.set_num_threads(1)
torch.manual_seed(0)
V, PROMPT, NEW, BEHIND = 4001, 32, 200, 232
KINDS: dict[str, dict[str, Any]] = {
    "gpt": {}, "llama": {"norm": "rmsnorm", "position": "rope", "ffn": "swiglu", "bias": False,
                         "n_kv_head": 2}}


def prompt(length: int) -> torch.Tensor:
    return torch.randint(V, (1, length), generator=torch.Generator().manual_seed(0))


def ours(kind: str, quick: bool, cached: bool = True, context: int = PROMPT,
         new: int = NEW) -> Callable[[], object]:
    size = max(256, context + new)
    model: Any = gpt.MiniGPT(GPTConfig(vocab_size=V, block_size=size, **KINDS[kind]))
    if quick:
        model = fast.FastGPT(model)
    ids = prompt(context)

    def work() -> object:
        with torch.inference_mode():
            return sampling.generate(model, ids, new, t=0, use_cache=cached)

    return work


def huggingface(kind: str, cached: bool = True) -> Callable[[], object]:
    import transformers as t
    t.logging.set_verbosity_error()
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    model: Any
    if kind == "gpt":
        model = t.GPT2LMHeadModel(t.GPT2Config(
            vocab_size=V, n_positions=256, n_embd=128, n_layer=4, n_head=4,
            activation_function="gelu", **ends))
    else:
        model = t.LlamaForCausalLM(t.LlamaConfig(
            vocab_size=V, hidden_size=128, intermediate_size=352, num_hidden_layers=4,
            num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=256,
            tie_word_embeddings=True, **ends))
    model.eval()
    ids = prompt(PROMPT)
    return lambda: model.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=NEW, min_new_tokens=NEW,
        do_sample=False, use_cache=cached, pad_token_id=0)


def peer(path: Path) -> Callable[[], object]:
    module = turns.load(path)
    model = module.GPT(module.GPTConfig(block_size=256, vocab_size=V, n_layer=4, n_head=4,
                                        n_embd=128, dropout=0.0, bias=True)).eval()
    ids = prompt(PROMPT)
    return lambda: model.generate(ids, NEW, top_k=1)


def cache_gain(rounds: int) -> dict[str, tuple[float, float]]:
    """One token behind 232 others, with a cache and by computing all positions again."""
    measured = {}
    for kind, quick in ((kind, quick) for kind in KINDS for quick in (False, True)):
        model: Any = gpt.MiniGPT(GPTConfig(vocab_size=V, **KINDS[kind]))
        model = (fast.FastGPT(model) if quick else model).eval()
        c, ids, few = model.config, prompt(BEHIND + 1), 12
        with_cache, without = [], []
        with torch.inference_mode():
            for _ in range(rounds):
                cache = kv_cache.KVCache(c.n_layer, 1, c.kv_heads, c.block_size, c.head_width)
                model(ids[:, : BEHIND - few], cache=cache)
                begin = time.process_time()
                for at in range(BEHIND - few, BEHIND):
                    model(ids[:, at : at + 1], cache=cache)
                with_cache.append((time.process_time() - begin) / few)
                begin = time.process_time()
                model(ids)
                without.append(time.process_time() - begin)
        name = f"{kind}, {'fast' if quick else 'plain'}"
        print(f"{name:12} a token behind {BEHIND}: {1e3 * median(with_cache):.2f} ms with a cache, "
              f"{1e3 * median(without):.2f} ms without")
        measured[f"{name}, with against without cache behind {BEHIND} tokens"] = (
            median(b / a for a, b in zip(with_cache, without, strict=True)), 8.0)
    return measured


def growth(rounds: int) -> dict[str, tuple[float, float]]:
    """Milliseconds for one token behind 256 to 1,024 others: a longer run minus a shorter one."""
    few, many, lengths = 4, 44, (256, 512, 1024)
    took = turns.in_turns_here({
        f"{kind} {length} {new}": ours(kind, True, True, length, new)
        for kind in KINDS for length in lengths for new in (few, many)}, rounds)
    measured = {}
    print("\nWith the fast switch, milliseconds of processor time for a token behind this many")
    for kind in KINDS:
        each = {length: (median(took[f"{kind} {length} {many}"])
                         - median(took[f"{kind} {length} {few}"])) / (many - few)
                for length in lengths}
        print(f"{kind:6}", *(f"{length:6,}: {1e3 * seconds:.3f}"
                             for length, seconds in each.items()))
        measured[f"{kind}, a token at 256 against one at 1,024 positions"] = (
            each[256] / each[1024], 0.74)  # 1 / 1.35
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--growth", action="store_true", help="only the growth with the context")
    parser.add_argument("--peer", type=Path, help="a file like nanoGPT's model.py")
    options = parser.parse_args()
    if options.growth:
        return turns.verdict(growth(options.rounds))
    candidates: dict[str, tuple[Any, ...]] = {}
    for kind in KINDS:
        candidates |= {
            f"{kind}, transformers": (huggingface, kind), f"{kind}, plain": (ours, kind, False),
            f"{kind}, fast": (ours, kind, True), f"{kind}, plain, no cache": (
                ours, kind, False, False), f"{kind}, fast, no cache": (ours, kind, True, False)}
    candidates["gpt, transformers, no cache"] = (huggingface, "gpt", False)
    if options.peer:
        candidates["peer, no cache"] = (peer, options.peer)
    took = turns.in_turns(candidates, options.rounds)
    print(f"{NEW} tokens behind {PROMPT}, milliseconds of processor time for each, "
          f"{options.rounds} rounds")
    print(turns.table(took, 1e-3 * NEW, "gpt, transformers"))
    measured = {}
    for kind, least in (("gpt", 1.8), ("llama", 1.5)):
        measured |= {
            f"{kind}, plain, against transformers": (
                turns.ratio(took, f"{kind}, transformers", f"{kind}, plain"), 0.5),
            f"{kind}, fast, against transformers": (
                turns.ratio(took, f"{kind}, transformers", f"{kind}, fast"), least)}
    print()
    measured |= cache_gain(3 * options.rounds)
    print()
    return turns.verdict(measured)


if __name__ == "__main__":
    sys.exit(main())
