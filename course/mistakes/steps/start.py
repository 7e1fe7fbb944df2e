"""Known wrong answers to the steps of lesson 00."""

from .. import wrong_choice, wrong_number

wrong_number("steps.start.p_cat", 3, "that is the count. A probability is the count divided by "
             "all counts of the row: 3 + 1.")
wrong_number("steps.start.p_cat", 75, "that is a percentage; a probability lies between 0 and 1.")
wrong_number("steps.start.p_cat", 1 / 2, "you shared equally between two words. The counts say "
             "that one of them came three times as often.")
wrong_number("steps.start.p_cat", 1 / 4, "that is the probability of the other word, dog.")
wrong_choice("steps.start.what_stays", "a", "the counts above the line double, but so does the "
             "sum below it.")
wrong_choice("steps.start.what_stays", "c", "the sum below the line doubles, but so do the counts "
             "above it.")
