"""Known wrong answers to the steps about the embedding table, its gradient and the output."""

import torch

from .. import Mistake, add, mistake, wrong_choice, wrong_number

DISTANCE = "steps.embedding.one_hot_distance"
wrong_number(DISTANCE, 1, "that is 8 − 7, or one of the two entries that differ. The vectors "
             "differ in two entries, by 1 each.")
wrong_number(DISTANCE, 2**0.5, "that is the distance; its square is asked for.")
wrong_number(DISTANCE, 0, "the vectors would have to be equal. They have their 1 in different "
             "places.")
wrong_number(DISTANCE, 4, "the difference has two entries, 1 and −1. Square each and add; do not "
             "add first.")

WORK = "steps.embedding.multiplications"
wrong_number(WORK, 128, "those are the products with the 1. A matrix product does not know which "
             "entries are 0, so it multiplies with all of them.")
wrong_number(WORK, 4000, "that is the work for one entry of the result. There are 128 of them.")
wrong_number(WORK, 4128, "V and D are not added: each of the D results is a sum of V products.")
wrong_number(WORK, 0, "none is what a lookup needs. The question is about the matrix product.")
wrong_number(WORK, 4000 * 4000 * 128, "that is the work for all V tokens. The question is about "
             "one.")

ROW = "steps.embedding.repeated_row"


def wrong_row(name: str, row: list[float], message: str) -> None:
    add(ROW, Mistake(name, message, row, f"repeated_row = {row}"))


wrong_row("last_wins", [0.5, -1.0], "that is the gradient of the second place alone. Row 2 was "
          "used in two places, and both move the loss.")
wrong_row("first_wins", [1.0, 2.0], "that is the gradient of the first place alone. Row 2 was used "
          "in two places, and both move the loss.")
wrong_row("mean", [0.75, 0.5], "that is the mean of the two. The chain rule adds over all paths.")
wrong_row("by_position", [3.0, -4.0], "that is the gradient of the place with index 2. Row 2 "
          "belongs to id 2, which stands in the first two places.")
wrong_row("all_places", [4.5, -3.0], "the third place holds id 0, so its gradient goes to row 0.")
wrong_row("difference", [0.5, 3.0], "the two gradients are added, not subtracted.")

SILENT = "steps.embedding.rows_without_gradient"
wrong_number(SILENT, 900, "those are the rows that get one.")
wrong_number(SILENT, 4000 - 1024, "1,024 is the number of tokens. Some ids occur several times, "
             "and they share a row.")
wrong_number(SILENT, 0, "a row that was not looked up has no part in the loss, so its gradient is "
             "0.")
wrong_number(SILENT, 124, "that is how many tokens repeat an id. The question is about the rows of "
             "the table.")

SCORES = "steps.embedding.scores"


@mistake(SCORES, "W has its rows along V, so the inner sizes do not fit: D stands last in both. "
         "Turn W around.", raises=True)
def not_transposed(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return h @ W


@mistake(SCORES, "this is [V, N]: a column for each token. The tokens come first, [N, V].")
def turned_around(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return W @ h.T


@mistake(SCORES, "these are the probabilities already. The scores are asked for, before the "
         "softmax.")
def probabilities(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return torch.softmax(h @ W.T, -1)


@mistake(SCORES, "the scores are divided by √D, which belongs to attention. A linear layer does "
         "not do it.")
def scaled(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return (h @ W.T).div(h.shape[-1] ** 0.5)


@mistake(SCORES, "the scores of all tokens are added up. Each token has V scores of its own.")
def summed(h: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return (h @ W.T).sum(0)


SAVED = "steps.embedding.saved_by_tying"


@mistake(SAVED, "2VD is what two tables hold. With one table left, the other one is saved.")
def both_tables(V: float, D: float) -> float:
    return 2 * V * D


@mistake(SAVED, "V and D are not added: a table has V rows of D numbers.")
def added(V: float, D: float) -> float:
    return V + D


@mistake(SAVED, "half a table is not enough: of two whole tables one is saved.")
def half(V: float, D: float) -> float:
    return V * D / 2


@mistake(SAVED, "this is one number for each token. A row has D of them.")
def rows_only(V: float, D: float) -> float:
    return V


@mistake(SAVED, "D × D is a matrix between two layers of the width D. The table is [V, D].")
def square(V: float, D: float) -> float:
    return D * D


@mistake(SAVED, "nothing is free here: the second table is [V, D], as large as the first.")
def nothing(V: float, D: float) -> float:
    return 0


TIED = "steps.embedding.tied_gradient"
wrong_choice(TIED, "a", "the lookup is a path from the table to the loss as well. Which paths does "
             "the chain rule leave out? None.")
wrong_choice(TIED, "b", "the chain rule adds over paths; it does not average.")
wrong_choice(TIED, "d", "the output layer reads every row of the table, so it is a path too, and "
             "for rare tokens the larger one.")
