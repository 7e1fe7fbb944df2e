"""How the steps on what a norm does to a vector are tried."""

from .. import choice_steps, number_steps

choice_steps("steps.norms.as_rms", "steps.norms.rms_keeps", "steps.norms.layer_keeps")
number_steps("steps.norms.rms", "steps.norms.length")
number_steps("steps.norms.at_eps", "steps.norms.cosine", tol=3e-3)  # two decimals will do
