"""Answers of the derivation steps of lesson 00."""

p_cat = 3 / 4

what_stays = "b"
