"""Known wrong answers to the block, the model and the tables."""
