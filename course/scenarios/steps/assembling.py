"""How the steps about putting the parts together are tried."""

from .. import choice_steps

choice_steps("steps.assembling.silent", "steps.assembling.shown_by", "steps.assembling.order",
             "steps.assembling.two_uses", "steps.assembling.wrong_mode")
