"""Known wrong answers to `minillm.bigram`."""

import torch

from . import edit, mistake

ROWS = ".sum(-1, keepdim=True)"

edit("bigram.next_word_probabilities", "whole_sum", ROWS, ".sum()",
     "you divided by the sum of the whole table, so all rows together make 1. Each row is a "
     "distribution of its own: sum along the last dimension.")
edit("bigram.next_word_probabilities", "columns", ROWS,
     ".sum(-2 if counts.dim() > 1 else -1, keepdim=True)",
     "your columns sum to 1 where the rows should: a row holds what follows one word, so the sum "
     "runs along the last dimension.")
edit("bigram.next_word_probabilities", "first_dimension", ROWS, ".sum(0, keepdim=True)",
     "dimension 0 is the one that goes down the columns, so your columns sum to 1 where the rows "
     "should. The row is the last dimension, -1.")
edit("bigram.next_word_probabilities", "by_largest", ROWS, ".amax(-1, keepdim=True)",
     "you divided by the largest count of the row, so the most likely word gets 1. Divide by the "
     "sum of the row.")
edit("bigram.next_word_probabilities", "softmax", f"counts / counts{ROWS}",
     "torch.softmax(counts, -1)",
     "softmax turns scores into probabilities, and these are counts: three times as often has to "
     "be three times as likely. Divide by the sum of the row.")


@mistake("bigram.next_word_probabilities", "that is the number of words, not the number of times: "
         "divide by the sum of the counts in the row.")
def by_width(counts: torch.Tensor) -> torch.Tensor:
    return counts / counts.shape[-1]
