"""How the exercises of `minillm.feedforward` are tried when a submission is graded."""
