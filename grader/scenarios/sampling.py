"""How the functions of `minillm.sampling` are tried when a submission is graded."""

from typing import Any

import torch

from course.scenarios import See, gradient
from course.scenarios.functional import rows, wave
from course.scenarios.sampling.toys import (
    DRAWS,
    FEW,
    SHARE,
    WIDE,
    Function,
    Reading,
    Toy,
    alone,
    each,
    in_a_row,
    probabilities,
    seeded,
    shares,
    survivors,
    twice,
    with_cache,
)

from . import hidden

INF = torch.inf
P = rows([0.11, 0.02, 0.42, 0.17, 0.05, 0.23], [0.06, 0.31, 0.13, 0.03, 0.26, 0.21],
         [0.01, 0.02, 0.03, 0.92, 0.015, 0.005])
Z = P.log() + rows([-3.0], [4.0], [0.5])
Z4 = wave(2, 3, 2, 6, by=1.3, height=2.5)
HOLES = Z.masked_fill(torch.arange(18).view(3, 6) % 5 == 2, -INF)
STEPS = rows([3.0, 1.0, 3.0, 1.0, 3.0, 0.0, 1.0])
UP, UP4 = wave(3, 6, by=3.7), wave(2, 3, 2, 6, by=3.7)


@hidden("sampling.temperature")
def temperature(f: Function, see: See) -> None:
    see("temperature above 1", f, Z, 1.7)
    see("temperature below 1", f, Z4, 0.3)
    see("a small temperature", f, Z4, 0.01)
    see("temperature of rows with -inf", f, HOLES, 1.4)
    see("temperature in float32", f, Z.float(), 2.5, tol=1e-6)
    see("gradient through temperature", gradient(f), Z4, UP4, 1.7)
    see("a temperature of 0", f, Z4, 0)
    see("a temperature below 0", f, Z, -1.0)


@hidden("sampling.top_k")
def top_k(f: Function, see: See) -> None:
    for k in (1, 2, 5, 6, 100):
        see(f"top_k, k = {k}", f, Z, k)
    see("top_k with three leading dimensions", f, Z4, 2)
    see("what stays where several scores are equal", survivors(f), STEPS, 2)
    see("what stays where other scores are equal", survivors(f), STEPS, 5)
    see("what stays of equal scores alone", survivors(f), torch.zeros(2, 5).double(), 3)
    see("top_k of rows with -inf", f, HOLES, 2)
    see("top_k of a transposed tensor", f, Z.mT, 2)
    see("top_k of scores that are nearly equal", f, 1 + 1e-8 * STEPS[:, 4:], 1, tol=1e-10)
    see("top_k in float32", f, Z4.float(), 3, tol=1e-6)
    see("gradient through top_k and softmax", gradient(probabilities(f)), Z4, UP4, 2)
    see("k = 0", f, Z4, 0)


@hidden("sampling.top_p")
def top_p(f: Function, see: See) -> None:
    for p in (0.0, 0.1, 0.45, 0.7, 0.9, 0.99, 1.0):
        see(f"top_p, p = {p:g}", f, Z, p)
    see("top_p with three leading dimensions", f, Z4, 0.75)
    see("what stays where several scores are equal", survivors(f), STEPS, 0.5)
    see("what stays where other scores are equal", survivors(f), STEPS, 0.93)
    see("what stays of equal scores alone", survivors(f), torch.zeros(2, 5).double(), 0.5)
    see("top_p of rows with -inf", f, HOLES, 0.8)
    see("top_p of a transposed tensor", f, Z.mT, 0.6)
    see("top_p in float32", f, Z4.float(), 0.65, tol=1e-6)
    see("gradient through top_p and softmax", gradient(probabilities(f)), Z4, UP4, 0.7)
    see("p above 1", f, Z, 2.0)
    see("p below 0", f, Z, -1.0)


@hidden("sampling.min_p")
def min_p(f: Function, see: See) -> None:
    for p in (0.0, 0.03, 0.12, 0.35, 0.8):
        see(f"min_p, p = {p:g}", f, Z, p)
    see("min_p with three leading dimensions", f, Z4, 0.25)
    see("min_p of rows with -inf", f, HOLES, 0.3)
    see("min_p where several scores are equal", f, STEPS, 0.5)
    see("min_p of a transposed tensor", f, Z.mT, 0.4)
    see("min_p in float32", f, Z4.float(), 0.25, tol=1e-6)
    see("gradient through min_p and softmax", gradient(probabilities(f)), Z4, UP4, 0.25)


@hidden("sampling.typical")
def typical(f: Function, see: See) -> None:
    for mass in (0.05, 0.3, 0.55, 0.85):
        see(f"typical, mass = {mass:g}", f, Z, mass)
    see("typical, mass = 0", f, Z4, 0.0)
    see("typical with three leading dimensions", f, Z4, 0.45)
    see("typical of rows with -inf", f, HOLES, 0.5)
    see("what stays of equal scores alone", survivors(f), torch.zeros(2, 5).double(), 0.5)
    see("typical of a transposed tensor", f, Z.mT, 0.6)
    see("typical in float32", f, Z4.float(), 0.45, tol=1e-6)
    see("gradient through typical and softmax", gradient(probabilities(f)), Z4, UP4, 0.45)


@hidden("sampling.repetition_penalty")
def repetition_penalty(f: Function, see: See) -> None:
    scores, scores4 = wave(3, 6, by=0.9), wave(2, 3, 2, 6, by=2.1)
    seen = torch.tensor([5, 0, 5, 2, 5])
    own = torch.tensor([[0, 1], [4, 4], [5, 2]])
    see("one list of ids for all rows", f, scores, seen, 1.7)
    see("ids of its own for each row", f, scores, own, 1.1)
    see("three leading dimensions and one list of ids", f, scores4, seen, 1.3)
    see("one row", f, scores[2], seen, 1.3)
    see("a penalty below 1", f, scores, seen, 0.5)
    see("one id", f, scores, seen[:1], 2.0)
    see("rows with -inf", f, HOLES, seen, 1.3)
    see("the penalty in float32", f, scores.float(), seen, 1.7, tol=1e-6)
    see("the penalty in float32, ids of its own for each row", f, scores.float(), own, 1.7,
        tol=1e-6)
    see("the penalty of a transposed tensor", f, wave(6, 3, by=1.3).mT, own, 1.4)


@hidden("sampling.sample")
def sample(f: Function, see: See) -> None:
    def many(row: torch.Tensor, *shape: int) -> torch.Tensor:
        drawn: torch.Tensor = f(row.expand(*shape, -1), generator=seeded(11))
        return drawn

    sure = 700.0 * torch.nn.functional.one_hot(torch.arange(12).view(2, 3, 2) % 5).double() - 9e3
    for at, what in enumerate(("rows that differ", "another distribution", "a sure model")):
        see(f"shares of the draws, {what}", shares(many, 6), Z[at], DRAWS, tol=SHARE)
    see("shares of the draws with three leading dimensions", shares(many, 6), Z[1], 10, 25, 40,
        tol=SHARE)
    see("shares of the draws where some scores are -inf", shares(many, 6), HOLES[0], DRAWS,
        tol=SHARE)
    see("shares of the draws in float32", shares(many, 6), Z[0].float() + 3e3, DRAWS, tol=SHARE)
    see("the draws of a sure model, shape [2, 3, 2]", alone(f), sure)
    see("the draw from one row", f, sure[1, 2, 0], generator=seeded(4))
    see("change between two draws with generators of one seed", twice(f), Z4,
        derive="largest change")
    see("draws in a row from one generator", in_a_row(f), Z[:2].expand(30, 2, 6))
    see("draws in a row without a generator", in_a_row(f, None), Z.expand(30, 3, 6))
    see("the draws of a sure model, transposed", alone(f), sure[0].mT.contiguous().mT)


@hidden("sampling.generate")
def generate(f: Function, see: See) -> None:
    model, short = Toy(6, 12, by=0.7), Toy(6, 3, by=2.3)
    ids = torch.tensor([[5, 0], [1, 4], [2, 2]])

    def tokens(ids: torch.Tensor, new: int = 1, **keywords: Any) -> torch.Tensor:
        made: torch.Tensor = f(model, ids.expand(FEW, -1), new, generator=seeded(5), **keywords)
        return made[:, -1]

    draws, row = shares(tokens, 6, FEW), torch.tensor([[1, 4, 0]])
    see("greedy, three rows", alone(f), model, ids, 5, t=0, use_cache=False)
    see("greedy beyond the block size", alone(f), short, ids, 7, t=0)
    see("greedy, a prompt longer than the block size", alone(f), short, ids.repeat(1, 3), 4,
        t=0, use_cache=False)
    for keywords in ({}, {"t": 0.6}, {"t": 3.0}, {"k": 1}, {"k": 4}, {"p": 0.4}, {"p": 0.0},
                     {"t": 3.0, "p": 0.7}, {"t": 0.5, "p": 0.7}, {"t": 3.0, "k": 3, "p": 0.65}):
        said = ", ".join(f"{name} = {value:g}" for name, value in keywords.items()) or "plain"
        see(f"shares of the next token, {said}", draws, row, use_cache=False, tol=WIDE,
            **keywords)
    see("shares of the third new token", draws, row, 3, k=2, tol=WIDE)
    see("change between two runs with generators of one seed", twice(f), model, ids, 5, t=2.0,
        derive="largest change")
    see("runs in a row from one generator", in_a_row(f), model, ids.repeat(20, 1), 5, t=2.0)
    see("runs in a row without a generator", in_a_row(f, None), model, ids[:2].repeat(20, 1), 5,
        t=2.0)
    for size in (25, 3):
        see(f"greedy with a cache, block size {size}", with_cache(alone(f)),
            Reading(6, size, by=0.7), ids, 7, t=0)


@hidden("sampling.contrastive")
def contrastive(f: Function, see: See) -> None:
    amateur, amateur4 = wave(3, 6, by=0.6), wave(2, 3, 2, 6, by=0.6)
    see("contrastive scores", f, Z, amateur)
    see("contrastive scores with a small alpha", f, Z, amateur, 0.02)
    see("contrastive scores with a large alpha", f, Z, amateur, alpha=0.9)
    see("contrastive scores with three leading dimensions", f, Z4, amateur4, 0.15)
    see("contrastive scores of one row", f, Z[2], amateur[0])
    see("contrastive scores of rows with -inf", f, HOLES, amateur)
    see("contrastive scores of rows on other levels", f, Z + 40, amateur - 70)
    see("contrastive scores of transposed tensors", f, Z.mT.contiguous().mT,
        amateur.mT.contiguous().mT)
    see("contrastive scores in float32", f, Z.float(), amateur.float(), tol=1e-5)
    see("gradient to the expert's scores", gradient(probabilities(f)), Z4, UP4, amateur4)


@hidden("sampling.beam_search")
def beam_search(f: Function, see: See) -> None:
    three = torch.tensor([[2, 0], [1, 3], [0, 1]])
    for beams in (1, 3):
        see(f"three rows, beams = {beams}", each(f), Toy(4, 4, by=2.9, height=0.8), three, 4,
            beams, parts=("sequences", "log-probabilities"), tol=1e-6)
    for by, block, ids, new in ((3.3, 9, [1, 3, 0], 5), (0.6, 4, [0, 0], 5), (3.3, 4, [2, 1], 5),
                                (1.9, 7, [2], 4)):
        model = Toy(4, block, by=by, height=0.8)
        for beams in (1, 2, 3, 4):
            see(f"beams = {beams}, model {by:g}, block size {block}", each(f), model,
                torch.tensor([ids]), new, beams, tol=1e-6,
                parts=("sequence", "log-probability"))
