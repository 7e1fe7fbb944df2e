"""How the steps about the mask are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See, expression
from course.scenarios.steps.causal_mask import lower

from .. import hidden


@hidden("steps.causal_mask.both_masks")
def both_masks(answer: Any, see: See) -> None:
    real = torch.tensor([[True] * 5, [False, False, True, True, True], [False] * 5])
    see("both masks where queries are fewer than keys", answer, lower(2, 5), real)
    see("both masks of one sequence", answer, lower(4, 5), real[1:2])
    see("both masks for one new token", answer, lower(1, 5), real)


@hidden("steps.causal_mask.zero_fill")
def zero_fill(answer: Any, see: See) -> None:
    expression(see, answer, [{"s": s, "n": n} for s, n in ((1.5, 2), (-3.0, 9), (7.0, 1))])
