"""Other forms of the right answers to the steps about bytes and byte-pair encoding."""

import numpy as np
import torch

from .. import also_right

CHANGES = "steps.tokens.count_changes"
also_right(CHANGES, (-7, -7, -7, 7, 7))
also_right(CHANGES, [-7.0, -7.0, -7.0, 7.0, 7.0])
also_right(CHANGES, torch.tensor([-7, -7, -7, 7, 7]), "torch.tensor([-7, -7, -7, 7, 7])")
also_right(CHANGES, np.array([[-7, -7, -7, 7, 7]]),
           "__import__('numpy').array([[-7, -7, -7, 7, 7]])")
also_right(CHANGES, np.array([-7, -7, -7, 7, 7]), "__import__('numpy').array([-7, -7, -7, 7, 7])")
also_right("steps.tokens.n_bytes", len("naïve 我".encode()), 'len("naïve 我".encode())')
also_right("steps.tokens.vocab_size", len(set("banana band")) + 1, 'len(set("banana band")) + 1')
also_right("steps.tokens.first_merge", "B")
also_right("steps.tokens.overlap", " A")
