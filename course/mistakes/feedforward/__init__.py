"""Known wrong answers to the exercises of `minillm.feedforward`."""
