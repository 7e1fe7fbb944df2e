"""How the steps about a model's parameters are tried."""

from typing import Any

from .. import See, expression, number_steps, scenario

number_steps(
    "steps.model_size.token_rows", "steps.model_size.place_rows",
    "steps.model_size.qkv", "steps.model_size.mixed",
    "steps.model_size.way_up", "steps.model_size.way_down",
    "steps.model_size.one_block", "steps.model_size.whole",
    "steps.model_size.enlarged", tol=1e-9)  # counts: one more or less is wrong


@scenario("steps.model_size.rule")
def rule(answer: Any, see: See) -> None:
    sizes = [(4000, 128, 4), (3, 2, 5), (300, 64, 2), (50000, 768, 12), (1000, 100, 7)]
    expression(see, answer, [dict(zip("VDL", at, strict=True)) for at in sizes])
