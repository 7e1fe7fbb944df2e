"""The experiments of lesson 17: small models, three seeds each, and their stored results.

`make experiments` runs what is missing from `course/data/experiments/` or was made from another
corpus or other settings, on one thread; `python -m course.experiments --all` runs them all again.
A result holds its settings, the seed, the mark of the corpus, the commit and the CPU-seconds. They
are not made in the lesson because they take half an hour of one core.
"""

from ..corpus import bits_per_byte, data
from .measures import LONG, one_line_blocks, stretched
from .results import make, measure, same, spread, stored
from .runs import SMALL, TABLES, TRAINED, Run, recipes, runs

__all__ = ["LONG", "SMALL", "TABLES", "TRAINED", "Run", "bits_per_byte", "data", "make", "measure",
           "one_line_blocks", "recipes", "runs", "same", "spread", "stored", "stretched"]
