"""Answers of the steps of lesson 00."""

p_cat = 3 / 4

what_stays = "b"

chain_rule = 24

variance = 12

matmul = "a"
