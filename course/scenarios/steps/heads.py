"""How the steps about heads are tried."""

from typing import Any

import torch

from .. import See, choice_steps, expression_at, number_steps, scenario
from ..attention.heads import counted, wave

choice_steps("steps.heads.merge_error", "steps.heads.shared_scores", "steps.heads.cached",
             "steps.heads.family")
number_steps("steps.heads.weights_in_all", "steps.heads.out_columns", "steps.heads.key_rows",
             "steps.heads.score_rank")
number_steps("steps.heads.score_gib", tol=1e-3)


def numbers(answer: Any) -> list[float]:
    return [float(n) for n in answer]  # not int(n), which makes 0 of 0.5


@scenario("steps.heads.score_products")
def score_products(answer: Any, see: See) -> None:
    expression_at(see, answer, "T D H", (3, 8, 2), (5, 12, 4), (7, 10, 5), (2, 6, 1))


@scenario("steps.heads.score_entries")
def score_entries(answer: Any, see: See) -> None:
    expression_at(see, answer, "B T D H", (1, 3, 8, 2), (2, 5, 12, 4), (3, 7, 10, 5), (2, 4, 6, 1))


@scenario("steps.heads.strides")
def strides(answer: Any, see: See) -> None:
    for at, name in enumerate(("B", "H", "T", "Dh")):
        see(f"your stride of {name}", lambda i=at: float(answer[i]))
    see("your strides, how many", lambda: len(answer))


@scenario("steps.heads.wrong_view")
def wrong_view(answer: Any, see: See) -> None:
    see("your tokens in head 0", numbers, answer)
    see("the same, from the end", lambda: numbers(answer)[::-1])


@scenario("steps.heads.shapes")
def shapes(answer: Any, see: See) -> None:
    def row(at: int, *sizes: int) -> list[float]:
        return numbers(answer(*sizes)[at])

    for at in range(11):
        for sizes in ((2, 4, 8, 2), (2, 3, 20, 4), (3, 5, 14, 2)):
            named = ", ".join(f"{k}={n}" for k, n in zip("BTDH", sizes, strict=True))
            see(f"row {at + 1} at {named}", row, at, *sizes)
    see("number of rows", lambda: len(answer(2, 3, 20, 4)))


@scenario("steps.heads.fits")
def fits(answer: Any, see: See) -> None:
    for D, H, Hkv in ((64, 4, 4), (64, 4, 2), (64, 4, 1), (64, 6, 6), (60, 6, 4), (60, 6, 5),
                      (24, 3, 2), (24, 4, 8), (20, 10, 4), (24, 6, 12), (36, 6, 4), (50, 8, 4),
                      (24, 8, 5), (40, 8, 7), (64, 6, 2), (40, 6, 2), (35, 15, 5)):
        see(f"does D={D} with H={H} and Hkv={Hkv} work? (1: yes)",
            lambda *sizes: int(bool(answer(*sizes))), D, H, Hkv)


@scenario("steps.heads.key_head_of")
def key_head_of(answer: Any, see: See) -> None:
    see("your key heads of query heads 0 to 5", numbers, answer)
    see("the same, from the end", lambda: numbers(answer)[::-1])


@scenario("steps.heads.weight_ratio")
def weight_ratio(answer: Any, see: See) -> None:
    expression_at(see, answer, "H Hkv", (32, 8), (32, 1), (6, 3), (8, 8))


@scenario("steps.heads.shared_gradient")
def shared_gradient(answer: Any, see: See) -> None:
    see("gradient to 2 key heads, each used by 3 query heads", answer, wave(2, 6, 3, 1), 3)
    see("gradient to 3 key heads, each used by 2 query heads", answer, counted(1, 6, 5, 2), 2)
    see("gradient to one key head, used by 4 query heads", answer, wave(2, 4, 3, 2), 4)
    see("gradient to 3 key heads, used by one query head each", answer, wave(2, 3, 4, 2), 1)
    see("gradient that lies in another order in memory", answer,
        wave(2, 3, 6, 2).transpose(1, 2), 3)
    see("gradient in float32", answer, torch.ones(1, 4, 3, 2), 2)
