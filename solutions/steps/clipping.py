"""Answers of the steps on clipping and on the schedule (lesson 13)."""

clipped = 0.6

when = "b"

always_clipped = "c"

halfway = 1.1e-3
