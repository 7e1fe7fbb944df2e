"""Answers of the steps that say what attention computes (lesson 04)."""

winner = "a"

output = 5.0

shapes = [[2, 5, 8], [2, 5, 5], [2, 5, 4]]

score_memory = 1.0
