"""How the steps about the cost of a run are tried."""

from .. import choice_steps, number_steps

number_steps("steps.budget.first_loss", tol=1e-3)
number_steps("steps.budget.bytes_each", "steps.budget.tokens_in_step", "steps.budget.flops_each",
             "steps.budget.both_doubled", tol=1e-9)  # whole numbers
number_steps("steps.budget.megabytes", tol=2e-3)
choice_steps("steps.budget.to_keep")
