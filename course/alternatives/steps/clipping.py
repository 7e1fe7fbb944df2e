"""Other forms of the right answers to the steps on clipping and on the schedule."""

from fractions import Fraction

import torch

from .. import also_right

also_right("steps.clipping.when", "B")
also_right("steps.clipping.always_clipped", " C")
also_right("steps.clipping.clipped", 3 / 5)
also_right("steps.clipping.clipped", Fraction(3, 5), "__import__('fractions').Fraction(3, 5)")
also_right("steps.clipping.clipped", torch.tensor(0.6), "torch.tensor(0.6)")
also_right("steps.clipping.halfway", 0.0011)
also_right("steps.clipping.halfway", (2e-3 + 2e-4) / 2)
also_right("steps.clipping.halfway", torch.tensor(0.0011), "torch.tensor(0.0011)")
