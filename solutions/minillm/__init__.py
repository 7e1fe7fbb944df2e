"""A small language model, written piece by piece; each module belongs to one lesson."""
