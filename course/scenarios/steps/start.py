"""How the answers of the steps of lesson 00 are tried."""

from .. import choice_steps, number_steps

number_steps("steps.start.p_cat", "steps.start.chain_rule", "steps.start.variance")
choice_steps("steps.start.what_stays", "steps.start.matmul")
