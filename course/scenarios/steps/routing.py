"""How the steps that say what attention computes are tried."""

import math
from typing import Any

from .. import See, choice_steps, number_steps, scenario

choice_steps("steps.routing.winner")
number_steps("steps.routing.output", "steps.routing.score_memory", tol=1e-3)


@scenario("steps.routing.shapes")
def shapes(answer: Any, see: See) -> None:
    for at, name in enumerate(("q", "scores", "out")):
        see(f"your shape of {name}", lambda i=at: [int(n) for n in answer[i]])
    see("how many numbers your q, scores and out hold",
        lambda: [math.prod(int(n) for n in shape) for shape in answer])
