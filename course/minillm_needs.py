"""Which exercises a command needs, and which of them are still holes."""

import re
from pathlib import Path
from typing import Any

from .source import HOLE, spans, text

# What each command needs of the exercises, by module; a test traces them.
MODEL = {
    "functional": "softmax",
    "attention": "causal_mask scaled_dot_product_attention split_heads merge_heads repeat_kv "
                 "CausalSelfAttention",
    "norms": "residual_std init_weights", "gpt": "Block MiniGPT"}
PARTS: dict[tuple[str, str], dict[str, str]] = {
    ("norm", "layernorm"): {"norms": "layer_norm LayerNorm"},
    ("norm", "rmsnorm"): {"norms": "rms_norm RMSNorm"},
    ("position", "learned"): {"positions": "LearnedPositions"},
    ("position", "sinusoidal"): {"positions": "sinusoidal_table"},
    ("position", "rope"): {"rope": "rope_frequencies rope_tables apply_rope"},
    ("ffn", "gelu"): {"feedforward": "gelu MLP"},
    ("ffn", "swiglu"): {"feedforward": "silu swiglu_width SwiGLU"},
    ("ffn", "moe"): {"feedforward": "silu swiglu_width SwiGLU route load_balance_loss MoE"},
    ("qk_norm", "True"): {"norms": "rms_norm RMSNorm"}}
NEEDS = {
    "train": {"data": "load_documents split_documents get_batch", "tokenizer": "CharTokenizer",
              "functional": "cross_entropy", "train": "learning_rate train_step evaluate",
              "optim": "adamw_step AdamW decay_groups clip_grad_norm warmup_cosine"},
    "generate": {"tokenizer": "CharTokenizer", "kv_cache": "KVCache",
                 "sampling": "temperature top_k top_p sample generate"},
    "info": {"gpt": "block_table parameter_table", "kv_cache": "kv_cache_bytes"}}


class Problem(Exception):
    """Something the user can change; shown as one line."""


def holes(package: Path, needed: dict[str, set[str]]) -> list[tuple[int, str, str]]:
    """What of `needed` is still a hole: lesson, name, and what the hole says; in lessons' order."""
    found = []
    for module, names in needed.items():
        path = package / f"{module}.py"
        source = path.read_text("utf-8") if path.is_file() else ""
        for name in names & spans(source).keys():
            hole = re.search(rf"{HOLE}: (lesson (\d+)[^\"]*)", text(source, name))
            if hole:
                found.append((int(hole[2]), f"{module}.{name}", hole[1]))
    return sorted(found)


def needed(command: str, config: dict[str, Any]) -> dict[str, set[str]]:
    """The exercises that a command uses for a model of this config, by module."""
    wanted: dict[str, set[str]] = {}
    parts = [MODEL, NEEDS[command]] if command != "info" else [NEEDS[command], MODEL]
    parts += [PARTS.get((field, str(value)), {}) for field, value in config.items()]
    for part in parts:
        for module, names in part.items():
            wanted.setdefault(module, set()).update(names.split())
    return wanted


def require(command: str, config: dict[str, Any]) -> None:
    """Raise Problem when something that this command needs has not been filled in."""
    import minillm
    if missing := holes(Path(minillm.__file__ or "").parent, needed(command, config)):
        lesson, name, where = missing[0]
        more = f" ({len(missing) - 1} more are missing after it)" if len(missing) > 1 else ""
        raise Problem(f"minillm.{name} is not filled in yet: that is {where}{more}")
