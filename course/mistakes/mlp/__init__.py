"""Known wrong answers to `minillm.mlp`."""
