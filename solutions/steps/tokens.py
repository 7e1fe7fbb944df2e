"""Answers of the steps about characters, bytes and byte-pair encoding (lesson 03)."""

vocab_size = 6

n_bytes = 10

first_merge = "b"

overlap = "a"

count_changes = [-7, -7, -7, 7, 7]
