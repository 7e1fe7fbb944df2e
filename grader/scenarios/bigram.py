"""What else is tried of `minillm.bigram` when grading."""

from collections.abc import Callable

import torch

from . import See, hidden

Function = Callable[[torch.Tensor], torch.Tensor]


@hidden("bigram.next_word_probabilities")
def next_word_probabilities(f: Function, see: See) -> None:
    counts = torch.arange(1.0, 31.0, dtype=torch.float64).reshape(2, 3, 5) ** 1.5
    see("other counts, three dimensions", f, counts)
    see("counts in proportion give the same", f, counts[0] * torch.tensor([[2.0], [7.0], [0.5]]))
    see("more words than rows, float32", f, counts[1, :2].float(), tol=1e-6)
    see("counts that lie in another order in memory", f, counts.transpose(0, 2))
    see("counts far below 1, as weighted ones are", f, counts / 1e9)
    see("a table in which one row has no count", f, counts[0] * torch.tensor([[1.0], [0.0], [3.0]]))
