"""Other forms of the right answers to the steps on what a norm does to a vector."""

import math

from .. import also_right

also_right("steps.norms.rms", math.sqrt(25 / 4))
also_right("steps.norms.length", math.sqrt(64))
also_right("steps.norms.at_eps", 1 / math.sqrt(2))
also_right("steps.norms.at_eps", 0.707)
also_right("steps.norms.at_eps", 0.71)
also_right("steps.norms.cosine", 2 / (math.sqrt(10) * math.sqrt(2)))
also_right("steps.norms.cosine", 0.447)
also_right("steps.norms.cosine", 0.45)
also_right("steps.norms.as_rms", "B")
