"""How the steps that find the size of a score are tried."""

from typing import Any

from .. import See, choice_steps, expression, number_steps, scenario

choice_steps("steps.score_variance.needed", "steps.score_variance.std_of_8",
             "steps.score_variance.best_entropy", "steps.score_variance.gradient_at_64",
             "steps.score_variance.aligned_divisor")
number_steps("steps.score_variance.one_product", "steps.score_variance.shifted_product")
number_steps("steps.score_variance.small_model", "steps.score_variance.entropy", tol=1e-3)
number_steps("steps.score_variance.variance_at_start", tol=2.5e-4)  # two digits


@scenario("steps.score_variance.mean_score")
def mean_score(answer: Any, see: See) -> None:
    expression(see, answer, [{"d": d, "mu": mu} for d, mu in ((64, 0.5), (16, 2.0), (5, 0.0),
                                                              (3, -0.7))])


@scenario("steps.score_variance.divisor")
def divisor(answer: Any, see: See) -> None:
    expression(see, answer, [{"d": d} for d in (64, 5, 1024)])


@scenario("steps.score_variance.query_slope")
def query_slope(answer: Any, see: See) -> None:
    names = ("ds_1", "ds_2", "k_1", "k_2", "c")
    points = [(0.5, -0.5, 2.0, 3.0, 8.0), (0.1, -0.3, -1.5, 0.6, 4.0), (0.2, 0.7, 1.1, -2.3, 0.5)]
    expression(see, answer, [dict(zip(names, at, strict=True)) for at in points])


@scenario("steps.score_variance.aligned_mean")
def aligned_mean(answer: Any, see: See) -> None:
    points = [{"d": d, "rho": r} for d, r in ((64, 0.5), (16, 0.25), (5, -0.3), (9, 1.0))]
    expression(see, answer, points)
