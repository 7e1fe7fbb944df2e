"""How the steps on the sizes that weights start with are tried."""

from typing import Any

from .. import See, choice_steps, expression_at, number_steps, scenario

choice_steps("steps.start_sizes.along_depth")
number_steps("steps.start_sizes.touched")


@scenario("steps.start_sizes.line_variance")
def line_variance(answer: Any, see: See) -> None:
    expression_at(see, answer, "n_layer v x0", (4, 0.5, 1.0), (12, 2.0, 3.0), (1, 0.3, 0.7))


@scenario("steps.start_sizes.scaled_variance")
def scaled_variance(answer: Any, see: See) -> None:
    expression_at(see, answer, "a v", (0.5, 3.0), (2.0, 0.7), (0.1, 5.0))


@scenario("steps.start_sizes.factor")
def factor(answer: Any, see: See) -> None:
    expression_at(see, answer, "n_layer", (1,), (8,), (12,))


@scenario("steps.start_sizes.logit_std")
def logit_std(answer: Any, see: See) -> None:
    expression_at(see, answer, "D base", (128, 0.02), (9, 0.5), (50, 0.1))


@scenario("steps.start_sizes.first_loss")
def first_loss(answer: Any, see: See) -> None:
    expression_at(see, answer, "V s", (4000, 0.226), (50, 1.5), (10, 0.0))
