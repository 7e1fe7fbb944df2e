"""How the functions of `minillm.bigram` are tried."""

from collections.abc import Callable

import torch

from . import See, scenario

Function = Callable[[torch.Tensor], torch.Tensor]
COUNTS = torch.tensor([[0.0, 3.0, 1.0, 0.0], [2.0, 0.0, 0.0, 3.0], [1.0, 1.0, 6.0, 2.0]])
UNSEEN = torch.tensor([[0.0, 0.0, 0.0], [1.0, 0.0, 4.0]], dtype=torch.float64)


@scenario("bigram.next_word_probabilities")
def next_word_probabilities(f: Function, see: See) -> None:
    see("three rows of another table", f, COUNTS, tol=1e-6)
    see("the same counts in float64", f, COUNTS.double())
    see("one row of counts", f, COUNTS[2].double())
    see("two texts at once", f, torch.stack([COUNTS, COUNTS.flip(0) + 1]).double())
    for turned in ((1, 2), (0, 1)):
        see("two texts whose dimensions {} and {} have changed places".format(*turned), f,
            torch.stack([COUNTS, COUNTS + 1]).double().transpose(*turned))
    see("a row without any count above another row", f, UNSEEN)
    see("two rows without any count, in float32", f, torch.zeros(2, 3), tol=1e-6)
