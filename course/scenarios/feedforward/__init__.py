"""How the exercises of `minillm.feedforward` are tried."""
