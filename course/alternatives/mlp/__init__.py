"""Right answers to `minillm.mlp` in other styles."""
