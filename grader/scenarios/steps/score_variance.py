"""How the steps that find the size of a score are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression

from .. import hidden


@hidden("steps.score_variance.mean_score")
def mean_score(answer: Any, see: See) -> None:
    expression(see, answer, [{"d": d, "mu": mu} for d, mu in ((128, 0.1), (7, -1.5),
                                                              (1, 3.0))])


@hidden("steps.score_variance.divisor")
def divisor(answer: Any, see: See) -> None:
    expression(see, answer, [{"d": d} for d in (1, 96, 4096)])


@hidden("steps.score_variance.query_slope")
def query_slope(answer: Any, see: See) -> None:
    names = ("ds_1", "ds_2", "k_1", "k_2", "c")
    points = [(-0.4, 0.9, 0.3, -1.2, 5.66), (0.0, 1.5, 2.0, 0.7, 1.0)]
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])


@hidden("steps.score_variance.aligned_mean")
def aligned_mean(answer: Any, see: See) -> None:
    points = [{"d": d, "rho": r} for d, r in ((128, 0.1), (7, -0.9), (1, 0.6))]
    expression(see, answer, points)
