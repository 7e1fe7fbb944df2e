"""How the steps on clipping and on the schedule are tried."""

from .. import choice_steps, number_steps

choice_steps("steps.clipping.when", "steps.clipping.always_clipped")
number_steps("steps.clipping.clipped", tol=1e-4)
number_steps("steps.clipping.halfway")
