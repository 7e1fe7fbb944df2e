"""How sampling, the repetition penalty and contrastive scores are tried."""

import torch

from .. import See, gradient, scenario
from ..functional import rows, wave
from .filters import CUT, UP, Z3, P, Z
from .toys import (
    DRAWS,
    SHARE,
    Function,
    alone,
    in_a_row,
    left_alone,
    probabilities,
    seeded,
    shares,
    twice,
)

INF = torch.inf
SCORES = rows([1.2, -0.8, 0.5, -2.0, 3.0, 0.0], [-0.3, 2.0, -1.5, 0.7, -4.0, 1.0])
SCORES3 = wave(2, 3, 5)


@scenario("sampling.repetition_penalty")
def repetition_penalty(f: Function, see: See) -> None:
    one, many = torch.tensor([0, 1, 3]), torch.tensor([4, 1, 1, 4, 1])
    each = torch.tensor([[0, 3, 0], [2, 1, 2]])
    see("tokens 0, 1 and 3 seen, penalty 1.5", f, SCORES, one, 1.5)
    see("tokens 4 1 1 4 1 seen, penalty 1.2", f, SCORES, many, 1.2)
    see("tokens of its own for each row, penalty 1.3", f, SCORES, each, 1.3)
    see("other tokens of its own for each row, penalty 2", f, SCORES, each.flip(0), 2.0)
    see("tokens 4 1 1 4 1 seen, penalty 0.8", f, SCORES, many, 0.8)
    see("one row, tokens 0, 1 and 3 seen, penalty 1.5", f, SCORES[1], one, 1.5)
    see("shape [2, 3, 5], tokens 0, 1 and 3 seen, penalty 2", f, SCORES3, one, 2.0)
    see("penalty 1", f, SCORES, one, 1.0)
    see("penalty 1.5 where some scores are -inf", f, CUT, torch.tensor([1, 2]), 1.5)
    see("penalty 1.5 in float32", f, SCORES.float(), one, 1.5, tol=1e-6)
    see("tokens of its own for each row, in float32", f, SCORES.float(), each, 1.3, tol=1e-6)
    see("gradient through the penalty", gradient(f), SCORES3, wave(2, 3, 5, by=2.3), one, 1.5)
    see("gradient through the penalty 0.8", gradient(f), SCORES3[1], wave(3, 5, by=1.9), one, 0.8)


@scenario("sampling.sample")
def sample(f: Function, see: See) -> None:
    def many(row: torch.Tensor) -> torch.Tensor:
        drawn: torch.Tensor = f(row.expand(DRAWS, -1), generator=seeded(0))
        return drawn

    def grid(row: torch.Tensor) -> torch.Tensor:
        drawn: torch.Tensor = f(row.expand(20, 500, -1), generator=seeded(1))
        return drawn

    sure = 900.0 * torch.nn.functional.one_hot(torch.tensor([[3, 0, 2], [1, 4, 4]])).double()
    see(f"shares in {DRAWS} draws", shares(many, 5), Z[0], tol=SHARE)
    see(f"shares in {DRAWS} draws of other scores", shares(many, 5), Z[1], tol=SHARE)
    see("shares in 20 × 500 draws, scores moved by 800", shares(grid, 5), Z[0] + 800, tol=SHARE)
    see(f"shares in {DRAWS} draws where two scores are -inf", shares(many, 4), CUT[1], tol=SHARE)
    see("draws of shape [2, 3] where one score is 900 above the others", alone(f), sure)
    see("a draw from one row where one score is 900 above", f, sure[0, 1], generator=seeded(2))
    see("draws in float32 where one score is 900 above", f, sure.float(), generator=seeded(3))
    see("change between two draws with generators of one seed", twice(f), Z3.expand(9, -1, -1, -1),
        derive="largest change")
    see("change between two other draws with generators of one seed", twice(f), Z.expand(40, 2, 5),
        derive="largest change")
    see("torch's own random numbers after a draw with a generator", left_alone(f), Z)
    see("torch's own random numbers after a draw for one row", left_alone(f), Z[0])
    see("two draws in a row from one generator", in_a_row(f), Z.expand(40, 2, 5))
    see("two other draws in a row from one generator", in_a_row(f), Z3.expand(9, -1, -1, -1))
    see("two draws in a row without a generator", in_a_row(f, None), Z.expand(40, 2, 5))
    see("two other draws in a row without a generator", in_a_row(f, None),
        Z3.expand(9, -1, -1, -1))


AMATEUR = rows([0.1, 0.3, 0.2, 0.3, 0.1], [0.4, 0.001, 0.3, 0.198, 0.101]).log() - 0.7


@scenario("sampling.contrastive")
def contrastive(f: Function, see: See) -> None:
    def expert_slope(alpha: float) -> Function:
        return gradient(probabilities(lambda z, amateur: f(z, amateur, alpha)))

    amateur_slope = gradient(probabilities(lambda amateur, z, *alpha: f(z, amateur, *alpha)))
    sure = rows([0.0, -900.0, -1.0, -2.0, -900.0], [-900.0, -1.5, 0.0, -900.0, -0.5])

    see("contrastive scores of two rows", f, Z, AMATEUR)
    see("contrastive scores, alpha = 0.42", f, Z, AMATEUR, 0.42)
    see("contrastive scores, alpha = 0.01", f, Z, AMATEUR, alpha=0.01)
    see("contrastive scores, alpha = 1", f, Z, AMATEUR, 1.0)
    see("contrastive scores of one row, alpha = 1", f, Z[0], AMATEUR[0], 1.0)
    see("contrastive scores moved by 900", f, Z + 900, AMATEUR)
    see("contrastive scores of one row moved by 800", f, Z[1] + 800, AMATEUR[1])
    see("contrastive scores where the amateur is very sure", f, Z, sure)
    see("contrastive scores of one row where the amateur is very sure", f, Z[0], sure[0])
    see("contrastive scores of shape [2, 3, 7], alpha = 0.2", f, Z3, wave(2, 3, 7, by=0.7), 0.2)
    see("contrastive scores of one row", f, Z[1], AMATEUR[1])
    see("contrastive scores where both models agree", f, Z, P.log())
    see("contrastive scores where some of the expert's are -inf", f, CUT, wave(2, 4, by=0.7))
    see("contrastive scores in float32", f, Z.float(), AMATEUR.float(), tol=1e-5)
    see("gradient to the expert's scores", expert_slope(0.1), Z, UP, AMATEUR)
    see("gradient to the expert's scores, alpha = 0.01", expert_slope(0.01), Z, UP, AMATEUR)
    see("gradient to the amateur's scores", amateur_slope, AMATEUR, UP, Z)
    see("gradient to the amateur's scores, alpha = 0.01", amateur_slope, AMATEUR, UP, Z, 0.01)
