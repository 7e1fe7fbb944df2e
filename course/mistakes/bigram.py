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
edit("bigram.next_word_probabilities", "second_dimension", ROWS, ".sum(1, keepdim=True)",
     "dimension 1 is the row only where there are two dimensions. The row is the last one, -1, "
     "however many there are.", raises=True)
edit("bigram.next_word_probabilities", "no_keepdim", ROWS, ".sum(-1)",
     "the sums have lost their dimension: a list of them is divided into each row, word by word. "
     "keepdim=True makes a column of them, one sum beside each row.", raises=True)
edit("bigram.next_word_probabilities", "by_largest", ROWS, ".amax(-1, keepdim=True)",
     "you divided by the largest count of the row, so the most likely word gets 1. Divide by the "
     "sum of the row.")
edit("bigram.next_word_probabilities", "softmax", f"counts / counts{ROWS}",
     "torch.softmax(counts, -1)",
     "softmax turns scores into probabilities, and these are counts: three times as often has to "
     "be three times as likely. Divide by the sum of the row.")
edit("bigram.next_word_probabilities", "in_place", f"counts / counts{ROWS}",
     f"counts.div_(counts{ROWS})",
     "this changes the counts of whoever called it: `/=` works in place. `counts / …` makes a new "
     "tensor.", raises=True)
edit("bigram.next_word_probabilities", "one_more", f"counts / counts{ROWS}",
     f"(counts + 1) / (counts + 1){ROWS}",
     "1 is added to every count. That is a known way to give unseen words a chance; asked for is "
     "what the counts say as they are.")
NOTHING_SEEN = ("a row without any count has to come out as NaN, which 0 / 0 gives by itself. A "
                "number there would look like knowledge: nothing was seen.")
edit("bigram.next_word_probabilities", "nothing_seen_is_zero", f"counts / counts{ROWS}",
     f"(counts / counts{ROWS}).nan_to_num()", NOTHING_SEEN)
edit("bigram.next_word_probabilities", "nothing_seen_is_uniform", f"counts / counts{ROWS}",
     f"(counts / counts{ROWS}).nan_to_num(1 / counts.shape[-1])", NOTHING_SEEN)
edit("bigram.next_word_probabilities", "column_of_sums", ROWS, ".sum(-1)[:, None]",
     "[:, None] makes a column of the sums only where there are two dimensions. keepdim=True does "
     "it for any number of them.", raises=True)


@mistake("bigram.next_word_probabilities", "you go through the first dimension, and that is a row "
         "only where there are two dimensions. The row is the last one, however many there are.")
def along_the_first(counts: torch.Tensor) -> torch.Tensor:
    return torch.stack([table / table.sum() for table in counts])


@mistake("bigram.next_word_probabilities", "`view` can't cut rows out of counts that lie in "
         "another order in memory, as after a transpose. With dim=-1 and keepdim=True nothing has "
         "to be cut.", raises=True)
def with_view(counts: torch.Tensor) -> torch.Tensor:
    rows = counts.view(-1, counts.shape[-1])
    return (rows / rows.sum(-1, keepdim=True)).view(counts.shape)


@mistake("bigram.next_word_probabilities", "every word that came at all counts as one. Divide by "
         "the sum of the counts in the row: a word that came three times counts three times.")
def by_words_that_came(counts: torch.Tensor) -> torch.Tensor:
    return counts / (counts != 0).sum(-1, keepdim=True)


@mistake("bigram.next_word_probabilities", "that is the number of words, not the number of times: "
         "divide by the sum of the counts in the row.")
def by_width(counts: torch.Tensor) -> torch.Tensor:
    return counts / counts.shape[-1]
