"""How the steps on the sizes that weights start with are tried when a submission is graded."""

from typing import Any

from course.scenarios import See, expression_at

from .. import hidden


@hidden("steps.start_sizes.line_variance")
def line_variance(answer: Any, see: See) -> None:
    expression_at(see, answer, "n_layer v x0", (0, 0.5, 2.0), (48, 0.1, 0.4))


@hidden("steps.start_sizes.scaled_variance")
def scaled_variance(answer: Any, see: See) -> None:
    expression_at(see, answer, "a v", (3.0, 0.2), (0.25, 1.0))


@hidden("steps.start_sizes.factor")
def factor(answer: Any, see: See) -> None:
    expression_at(see, answer, "n_layer", (2,), (50,))


@hidden("steps.start_sizes.logit_std")
def logit_std(answer: Any, see: See) -> None:
    expression_at(see, answer, "D base", (768, 0.02), (4, 1.0))


@hidden("steps.start_sizes.first_loss")
def first_loss(answer: Any, see: See) -> None:
    expression_at(see, answer, "V s", (50257, 0.5), (2, 0.1))
