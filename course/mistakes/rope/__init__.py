"""Known wrong answers to `minillm.rope`."""
