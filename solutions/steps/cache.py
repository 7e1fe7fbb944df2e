"""Answers of the steps about what is kept, where it stands, and who may look at it (lesson 11)."""

kept = "c"

later_layers = "b"


def rows_without(P: float, n: float) -> float:
    """Tokens that go through the model for n new ones behind a prompt of P, all anew each time."""
    ### BEGIN SOLUTION
    return n * P + n * (n - 1) / 2
    ### END SOLUTION


def rows_with(P: float, n: float) -> float:
    """The same when every token goes through once, the last new one not at all."""
    ### BEGIN SOLUTION
    return P + n - 1
    ### END SOLUTION


positions = [7, 8, 9]

length_within = 7

full_window = "b"

needs_mask = [0, 1, 1, 1]

chunk_pairs = 27

corner = 1
