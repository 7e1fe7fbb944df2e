"""Other forms of the right answers to the steps that say what attention computes."""

import math

import torch

from .. import also_right

also_right("steps.routing.winner", "A")
also_right("steps.routing.output", 0.25 * 8 + 0.75 * 4)
also_right("steps.routing.output", (8 + 4 * math.exp(math.log(3))) / 4)
also_right("steps.routing.output", torch.tensor(5.0), "torch.tensor(5.0)")
SHAPES = "steps.routing.shapes"
also_right(SHAPES, [(2, 5, 8), (2, 5, 5), (2, 5, 4)])
also_right(SHAPES, ((2, 5, 8), (2, 5, 5), (2, 5, 4)))
also_right(SHAPES, [torch.zeros(2, 5, n).shape for n in (8, 5, 4)],
           "[torch.zeros(2, 5, n).shape for n in (8, 5, 4)]")
MEMORY = "steps.routing.score_memory"
also_right(MEMORY, 1)
also_right(MEMORY, 32 * 4096**2 * 2 / 2**30)
also_right(MEMORY, torch.tensor(1), "torch.tensor(1)")
