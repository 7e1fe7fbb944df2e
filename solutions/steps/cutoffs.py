"""Answers of the steps about top-k, top-p, typical sampling and their order (lesson 10)."""

after_top_k = 2 / 3

crossing = "b"

sizes = [1, 1, 2, 3, 5]

kept = [0, 1, 3]

after_top_p = 0.25 / 0.9

warm = 4

commutes = "a"

most_typical = "b"
