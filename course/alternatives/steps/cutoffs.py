"""Other forms of the right answers to the steps about cutting a distribution."""

from fractions import Fraction

import numpy as np
import torch

from .. import also_right

also_right("steps.cutoffs.after_top_k", 0.667)
also_right("steps.cutoffs.after_top_k", Fraction(2, 3), "__import__('fractions').Fraction(2, 3)")
also_right("steps.cutoffs.after_top_k", 0.5 / (0.5 + 0.25))
also_right("steps.cutoffs.after_top_p", 0.278)
also_right("steps.cutoffs.after_top_p", 5 / 18)
also_right("steps.cutoffs.after_top_p", torch.tensor(0.25 / 0.9), "torch.tensor(0.25 / 0.9)")
also_right("steps.cutoffs.warm", 4.0)
also_right("steps.cutoffs.warm", torch.tensor(4), "torch.tensor(4)")
also_right("steps.cutoffs.warm", len([0.35, 0.25, 0.19, 0.12]))
also_right("steps.cutoffs.sizes", (1, 1, 2, 3, 5))
also_right("steps.cutoffs.sizes", torch.tensor([1, 1, 2, 3, 5]), "torch.tensor([1, 1, 2, 3, 5])")
also_right("steps.cutoffs.sizes", np.array([1, 1, 2, 3, 5]),
           "__import__('numpy').array([1, 1, 2, 3, 5])")
also_right("steps.cutoffs.kept", [1, 3, 0])
also_right("steps.cutoffs.kept", {0, 1, 3}, "{0, 1, 3}")
also_right("steps.cutoffs.kept", torch.tensor([1, 3, 0]), "torch.tensor([1, 3, 0])")
also_right("steps.cutoffs.crossing", "B")
also_right("steps.cutoffs.commutes", " a ")
also_right("steps.cutoffs.most_typical", "B")
