"""Right answers to the rate, the training step and the evaluation in other styles."""

import math
from typing import Any

import torch

from minillm.train import balance_loss, refuse_nan

from . import alternative, alternative_edit

STEP, RATE, LOOK = "train.train_step", "train.learning_rate", "train.evaluate"

alternative_edit(STEP, "torch_clip", "optim.clip_grad_norm(", "torch.nn.utils.clip_grad_norm_(")
alternative_edit(STEP, "two_backwards", "(loss + balance_loss(model)).backward()", """\
extra = balance_loss(model)
    loss.backward(retain_graph=True)
    if isinstance(extra, torch.Tensor) and extra.requires_grad:
        extra.backward()""")
alternative_edit(STEP, "cleared_by_hand", "optimizer.zero_grad()",
                 "for p in model.parameters():\n        p.grad = None")


@alternative(STEP)
def written_out(model: Any, optimizer: Any, x: torch.Tensor, y: torch.Tensor,
                clip: float = 1.0) -> float:
    optimizer.zero_grad(set_to_none=True)
    loss = model.train()(x, y)[1]
    torch.autograd.backward(loss + balance_loss(model))
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.sqrt(sum((g.double() ** 2).sum() for g in grads))
    refuse_nan(float(loss), float(norm))
    for g in grads:
        g.mul_(min(1.0, clip / float(norm)) if norm > 0 else 1.0)
    optimizer.step()
    return float(loss)


@alternative(RATE)
def by_hand(step: int, config: Any) -> float:
    warm = round(config.steps * config.warmup)
    if step < warm:
        return float(config.lr * step / warm)
    low = config.lr * config.floor
    share = (step - warm) / (config.steps - warm) if config.steps > warm else 1.0
    return float(low + (config.lr - low) * (1 + math.cos(math.pi * min(1.0, share))) / 2)


alternative_edit(RATE, "named", "optim.warmup_cosine(step, warmup, config.steps, config.lr, floor)",
                 "optim.warmup_cosine(step=step, warmup=warmup, total=config.steps, "
                 "peak=config.lr, floor=config.lr * config.floor)")
alternative_edit(RATE, "scaled", "return optim.warmup_cosine(step, warmup, config.steps, config.lr,"
                 " floor)", "return config.lr * optim.warmup_cosine(step, warmup, config.steps, "
                 "1.0, config.floor)")

alternative_edit(LOOK, "row_by_row", """\
        rows = at[:, None] + torch.arange(block_size)  # (B, T)
            x, y = ids[rows].to(device), ids[rows + 1].to(device)
            _, loss = model(x, y)
            total += loss.item() * len(at)
""".replace("        rows", "rows"), """\
for first in at.tolist():
                window = ids[first : first + block_size + 1].to(device)[None]
                total += float(model(window[:, :-1], window[:, 1:])[1])
""")
alternative_edit(LOOK, "stacked", "rows = at[:, None] + torch.arange(block_size)  # (B, T)\n",
                 "rows = torch.stack([torch.arange(i, i + block_size) for i in at.tolist()])\n")
alternative_edit(LOOK, "unfolded", "x, y = ids[rows].to(device), ids[rows + 1].to(device)",
                 "both = ids.unfold(0, block_size + 1, 1)[at].to(device)\n            "
                 "x, y = both[:, :-1], both[:, 1:]")
