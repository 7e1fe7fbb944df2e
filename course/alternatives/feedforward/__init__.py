"""Right answers to the exercises of `minillm.feedforward` in other styles."""
