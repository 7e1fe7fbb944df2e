"""A language model made of counts: how often one word followed another."""

import torch


def next_word_probabilities(counts: torch.Tensor) -> torch.Tensor:
    """Turn counts `[..., V]` of next words into probabilities, row by row.

    Row `i` of the result says how likely each word is after word `i`; it sums to 1. A row without
    any count gives NaN: nothing was seen, so nothing is known. Same shape, dtype and device.
    """
    ### BEGIN SOLUTION
    return counts / counts.sum(-1, keepdim=True)
    ### END SOLUTION
