"""Answers of the steps on what a norm does to a vector (lesson 08)."""

rms = 2.5

length = 8

at_eps = 0.5**0.5

as_rms = "b"

rms_keeps = "b"

layer_keeps = "c"

cosine = 0.2**0.5
