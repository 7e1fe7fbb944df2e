"""Other forms of the right answers to the steps about targets, the loss and its units."""

import math

import sympy
import torch

from .. import also_right, alternative

WINDOWS, WORD = "steps.objective.windows", "steps.objective.per_word"
also_right("steps.objective.text_loss", 1.386)
also_right("steps.objective.text_loss", 1.39)
also_right("steps.objective.text_loss", -math.log(1 / 64) / 3)
also_right("steps.objective.text_perplexity", 64 ** (1 / 3))
also_right("steps.objective.text_perplexity", math.exp(1.39))
also_right("steps.objective.text_perplexity", math.exp(2 * math.log(2)))
also_right("steps.objective.first_perplexity", math.exp(math.log(4000)))
also_right("steps.objective.first_perplexity", torch.tensor(4000.0), "torch.tensor(4000.0)")
also_right("steps.objective.chinese", 1.106)
also_right("steps.objective.chinese", 1.11)
also_right("steps.objective.chinese", 2.3 / (3 * math.log(2)))
for _target, _letter in (("targets", "B"), ("better", "B "), ("forced", "B")):
    also_right(f"steps.objective.{_target}", _letter)


@alternative("steps.objective.windows")
def last_start_and_one(n: float, T: float) -> float:
    last = n - 1 - T
    return last + 1


@alternative("steps.objective.windows")
def counted(n: int, T: int) -> int:
    return sum(start + T + 1 <= n for start in range(n))


also_right(WINDOWS, sympy.sympify("n - T"), "__import__('sympy').sympify('n - T')")


@alternative("steps.objective.per_word")
def through_the_loss(ppl_char: float, n_chars: float, n_words: float) -> float:
    return math.exp(math.log(ppl_char) * n_chars / n_words)


@alternative("steps.objective.per_word")
def root_of_the_whole(ppl_char: float, n_chars: float, n_words: float) -> float:
    nats = n_chars * math.log(ppl_char)
    return float(math.e ** (nats / n_words))


@alternative("steps.objective.per_word")
def in_torch(ppl_char: float, n_chars: float, n_words: float) -> torch.Tensor:
    return torch.tensor(ppl_char, dtype=torch.float64).pow(n_chars).pow(1 / n_words)


also_right(WORD, sympy.sympify("ppl_char ** (n_chars / n_words)"),
           "__import__('sympy').sympify('ppl_char ** (n_chars / n_words)')")
