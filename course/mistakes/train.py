"""Known wrong answers to the rate, the training step and the evaluation."""

from typing import Any

from minillm import optim
from minillm.train import balance_loss, refuse_nan

from . import edit, mistake

STEP, RATE, LOOK = "train.train_step", "train.learning_rate", "train.evaluate"
ROWS = "rows = at[:, None] + torch.arange(block_size)"
BACKWARD = "(loss + balance_loss(model)).backward()"
CLIP = "norm = optim.clip_grad_norm(model.parameters(), clip)"
GO = "optimizer.step()"
RETURN = "return float(loss.item())"

edit(STEP, "clip_after_step", CLIP, f"{GO}\n    {CLIP}\n    optimizer.step = lambda: None",
     "the optimiser steps before the gradients are clipped, so clipping changes nothing. Clip "
     "between backward and step.")
edit(STEP, "no_clip", CLIP, "norm = optim.clip_grad_norm(model.parameters(), 1e9)",
     "the gradients of this batch are not clipped to `clip`: clip_grad_norm is not called, or "
     "before backward has made them.")
edit(STEP, "always_one", "model.parameters(), clip)", "model.parameters(), 1.0)",
     "the gradients are clipped to 1 whatever `clip` says.")
edit(STEP, "clip_each", CLIP, "norm = max(optim.clip_grad_norm([p], clip) for p in "
     "model.parameters())",
     "each parameter is clipped by itself, which turns the step into another direction. One norm "
     "over all of them.")
edit(STEP, "no_zero_grad", "optimizer.zero_grad()", "pass",
     "the gradients of earlier steps are still there, and backward adds to them. Start with "
     "zero_grad.")
edit(STEP, "zero_grad_too_late", CLIP, f"optimizer.zero_grad(set_to_none=False)\n    {CLIP}",
     "the gradients are cleared after backward, so the step has nothing to go by. Clear them "
     "before.")
edit(STEP, "not_in_training", "model.train()", "pass",
     "the model is left in the mode it was in: after an evaluation without dropout it would go on "
     "without. Call model.train().")
edit(STEP, "in_eval", "model.train()", "model.eval()",
     "the model makes its step in evaluation mode, without dropout. Call model.train().")
edit(STEP, "no_balance", BACKWARD, "loss.backward()",
     "what balance_loss gives is not part of what is minimised. Add it before backward.")
edit(STEP, "balance_reported", BACKWARD, "loss = loss + balance_loss(model)\n    loss.backward()",
     "the balance loss is part of what is reported. It belongs to what is minimised only; the "
     "loss in nats is another thing.")
edit(STEP, "two_steps", GO, f"{GO}; {GO}", "the optimiser steps twice for one gradient.")
edit(STEP, "no_step", GO, "pass",
     "the optimiser never steps, so nothing is learned. Call optimizer.step().")
edit(STEP, "loss_after", RETURN, "return float(model(x, y)[1].detach())",
     "the loss is that after the step, from a second pass through the model. Give the one that "
     "was minimised.")
edit(STEP, "zero_grad_at_the_end", "optimizer.zero_grad()", "optimizer.step, go = (lambda: (go(), "
     "optimizer.zero_grad())), optimizer.step",
     "the gradients are cleared after the step. What lies about before the first one is added to "
     "it: clear them before backward.")
edit(STEP, "clipped_by_value", CLIP, f"{CLIP.replace('clip)', '1e9)')}\n    "
     "torch.nn.utils.clip_grad_value_(model.parameters(), clip)",
     "every number of a gradient is cut off by itself, which turns the step into another "
     "direction. One factor for all of them: clip_grad_norm.")
edit(STEP, "always_that_long", CLIP, f"{CLIP.replace('clip)', '1e9)')}\n    for p in "
     "model.parameters():\n        p.grad = None if p.grad is None else p.grad * clip / norm",
     "short gradients are made longer, up to `clip`. Only longer ones are changed.")


@mistake(STEP, "the balance loss is that of the pass before. The model leaves a new one in each "
         "pass, so ask for it after this one.")
def balance_of_before(model: Any, optimizer: Any, x: Any, y: Any, clip: float = 1.0) -> float:
    model.train()
    optimizer.zero_grad()
    extra = balance_loss(model)
    _, loss = model(x, y)
    (loss + extra).backward()
    norm = optim.clip_grad_norm(model.parameters(), clip)
    refuse_nan(loss.item(), float(norm))
    optimizer.step()
    return float(loss.item())


edit(STEP, "inputs_and_targets_swapped", "model(x, y)", "model(y, x)",
     "inputs and targets are swapped, so the model learns to write backwards. x goes in, y is what "
     "it is compared with.")
edit(STEP, "top_part_only", "model.train()", "model.training = True",
     "only the model itself is told that it trains, and its parts are not. model.train() tells "
     "all of them.")

edit(RATE, "counts_from_0", "warmup_cosine(step, ", "warmup_cosine(step - 1, ",
     "one is taken off the step, so the first step has rate 0 and the last is not at the floor. "
     "The step counts from 1 here.")
edit(RATE, "floor_as_it_is", "config.floor * config.lr", "config.floor",
     "floor is used as a rate. It is a share of config.lr.")
edit(RATE, "warmup_as_it_is", "round(config.warmup * config.steps)", "config.warmup",
     "warmup is used as a number of steps. It is a share of config.steps.")
edit(RATE, "cut_off", "round(config.warmup * config.steps)", "int(config.warmup * config.steps)",
     "the warm-up is cut off to whole steps. It is rounded: 4.7 steps are 5.")
edit(RATE, "rounded_up", "round(config.warmup * config.steps)",
     "-int(-config.warmup * config.steps // 1)",
     "the warm-up is rounded up. It is rounded to the nearest: 4.3 steps are 4.")
edit(RATE, "no_warmup", "round(config.warmup * config.steps)", "0",
     "there is no warm-up: config.warmup times config.steps, in whole steps.")
edit(RATE, "ends_too_late", "warmup, config.steps, config.lr", "warmup, config.steps + warmup, "
     "config.lr",
     "the cosine ends `warmup` steps after the last one. `total` counts the warm-up too.")
edit(RATE, "no_floor", "config.lr, floor)", "config.lr, 0.0)",
     "the cosine ends at 0. It ends at config.floor times config.lr.")
edit(RATE, "constant", "return optim.warmup_cosine(step, warmup, config.steps, config.lr, floor)",
     "return config.lr if step >= warmup else config.lr * step / warmup",
     "the rate stays at its peak after the warm-up. It falls along a cosine to the floor.")

edit(LOOK, "mean_of_batches", "loss.item() * len(at)", "loss.item() * len(starts) / "
     "len(torch.split(starts, EVAL_ROWS))",
     "the mean is taken over batches, and the last one is smaller: its tokens count more. Weigh "
     "each by its number of windows.")
edit(LOOK, "not_weighted", "loss.item() * len(at)", "loss.item()",
     "the losses of batches are added, and the sum is divided by the number of windows. Multiply "
     "each by its number of windows first.")
edit(LOOK, "by_16", "loss.item() * len(at)", "loss.item() * EVAL_ROWS",
     "every batch counts as a full one, the last too. Multiply by the windows it has: len(at).")
edit(LOOK, "same_token", "ids[rows + 1]", "ids[rows]",
     "the targets are the inputs themselves. The target of a token is the one after it.")
edit(LOOK, "backwards", "ids[rows + 1]", "ids[rows - 1]",
     "the targets are the tokens before. The target of a token is the one after it.")
edit(LOOK, "first_token_only", "rows = at[:, None] + torch.arange(block_size)",
     "rows = at[:, None] + torch.arange(block_size - 1)",
     "the last token of each window is left out. A window has block_size tokens and as many "
     "targets.")
edit(LOOK, "one_place_on", "rows = at[:, None] + torch.arange(block_size)",
     "rows = at[:, None] - 1 + torch.arange(block_size)",
     "the windows begin one token too early. They begin where `at` says.")
edit(LOOK, "summed", "loss.item() * len(at)", "loss.item() * len(at) * block_size",
     "the result is a sum over the tokens of a window. It is a mean over tokens.")
edit(LOOK, "last_group_only", "total += loss.item()", "total = loss.item()",
     "each group's loss takes the place of the sum so far. Add them up.")
edit(LOOK, "first_windows", ROWS, "rows = torch.arange(len(at) * block_size).view(len(at), -1)",
     "every group reads the first windows of the text. They begin where `at` says.")
edit(LOOK, "one_run_of_text", ROWS, "rows = at[0] + torch.arange(len(at) * block_size)"
     ".view(len(at), -1)",
     "a group is read as one run of text from its first window on. Each window begins where `at` "
     "says; with spread there are gaps.")
edit(LOOK, "training_again", "_, loss = model(x, y)", "getattr(model, 'train', int)(); "
     "_, loss = model(x, y)",
     "the model is put in training mode, so it drops at random. at_rest has taken care of the "
     "mode.")
edit(LOOK, "windows_upright", ROWS, "rows = at + torch.arange(block_size)[:, None]",
     "the windows stand upright: rows is [T, B], so the model reads across them. One row is one "
     "window, [B, T].")
edit(LOOK, "inputs_and_targets_swapped", "model(x, y)", "model(y, x)",
     "inputs and targets have changed places: the model would predict the token before.")
edit(LOOK, "targets_rolled", "ids[rows + 1].to(device)", "ids[rows].roll(-1, 1).to(device)",
     "the last target of a window is its first token: a roll goes round. Take ids[rows + 1].")
edit(RATE, "not_rounded", "round(config.warmup * config.steps)", "config.warmup * config.steps",
     "the warm-up is a number of steps: round the share to whole ones.")
edit(RATE, "counts_from_2", "warmup_cosine(step, ", "warmup_cosine(step + 1, ",
     "the step is moved by one. Step `steps` is made with the floor: hand on the step as it is.")
edit(RATE, "peak_and_floor_swapped", "config.lr, floor)", "floor, config.lr)",
     "peak and floor have changed places: the rate climbs to the peak, config.lr, and falls to the "
     "floor.")
edit(STEP, "balance_weighted_again", BACKWARD, "(loss + 0.01 * balance_loss(model)).backward()",
     "balance_loss is weighted already. Add it as it is.")
edit(STEP, "norm_after_clipping", CLIP, f"{CLIP}\n    norm = clip",
     "an infinite gradient is not noticed, and the step makes weights nan. The norm that is looked "
     "at is the one before clipping, as clip_grad_norm gives it.")
edit(STEP, "norm_cut_off", CLIP, f"{CLIP}\n    norm = min(float(norm), clip)",
     "an infinite gradient is not noticed: its norm was cut off at `clip`. The norm that is looked "
     "at is the one before clipping, as clip_grad_norm gives it.")
edit(STEP, "clip_each_group", CLIP, "norm = max(float(optim.clip_grad_norm(group['params'], clip)) "
     "for group in optimizer.param_groups)",
     "each group of the optimiser is clipped by itself, which turns the step into another "
     "direction. One norm over all parameters.")
edit(STEP, "seeded", "model.train()", "torch.manual_seed(0)\n    model.train()",
     "torch's own random numbers are seeded anew in each step, so every step drops the same. A "
     "step sets no seed.")
edit(STEP, "holes_in_the_gradient", CLIP, "for p in model.parameters():\n        if p.grad is not "
     f"None:\n            p.grad.nan_to_num_()\n    {CLIP}",
     "a gradient that is no number was replaced, and nobody hears of it. The step is refused: hand "
     "refuse_nan the norm of the gradient as it is.")
