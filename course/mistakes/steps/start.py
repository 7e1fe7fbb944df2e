"""Known wrong answers to the steps of lesson 00."""

from .. import wrong_choice, wrong_number

CAT = "steps.start.p_cat"
wrong_number(CAT, 3, "that is the count. A probability is the count divided by all counts of the "
             "row: 3 + 1.")
wrong_number(CAT, 75, "that is a percentage; a probability lies between 0 and 1.")
wrong_number(CAT, 1 / 2, "you shared equally between two words. The counts say that one of them "
             "came three times as often.")
wrong_number(CAT, 2 / 5, "that is the example of how a fraction is written. Look at the row of "
             "“the”: cat three times, dog once.")
wrong_number(CAT, 1 / 4, "that is the probability of the other word, dog.")
wrong_number(CAT, 1 / 3, "that is how often dog came for each cat. Divide by all counts of the "
             "row: 3 + 1.")
wrong_number(CAT, 3 / 17, "you divided by all counts of the table. Only the row of “the” says "
             "what comes after “the”.")
wrong_number(CAT, 4, "that is how often anything came after “the”, 3 + 1. Divide the count of cat "
             "by it.")
wrong_number(CAT, 4 / 3, "the fraction is upside down: a probability is never above 1.")
wrong_number(CAT, 3 / 5, "those are not the counts after “the”. Look at its row: cat three times, "
             "dog once.")

wrong_choice("steps.start.what_stays", "a", "the counts above the line double, but so does the "
             "sum below it.")
wrong_choice("steps.start.what_stays", "c", "the sum below the line doubles, but so do the counts "
             "above it.")

CHAIN = "steps.start.chain_rule"
wrong_number(CHAIN, 8, "2(3x + 1) is the outer derivative. The chain rule multiplies it by the "
             "inner one, the derivative of 3x + 1.")
wrong_number(CHAIN, 16, "that is the value of the function. The question asks for its derivative.")
wrong_number(CHAIN, 6, "you multiplied 2 by the inner derivative 3; the outer derivative is "
             "2(3x + 1), and 3x + 1 is 4 there.")
wrong_number(CHAIN, 12, "that is 3x + 1 times the inner derivative. The outer derivative is "
             "2(3x + 1): the 2 is missing.")
wrong_number(CHAIN, 18, "that is the derivative of (3x)². The 1 inside the bracket counts too.")

VARIANCE = "steps.start.variance"
wrong_number(VARIANCE, 6, "the standard deviation doubles. The variance is its square, so it grows "
             "by 2².")
wrong_number(VARIANCE, 3, "a variance does not change when something is added to X, but it does "
             "when X is multiplied.")
wrong_number(VARIANCE, 36, "the factor is squared, the variance is not: it is a square already.")
wrong_number(VARIANCE, 9, "that is 3². It is the factor 2 that gets squared.")
wrong_number(VARIANCE, 5, "2 was added. X is multiplied by 2, and so its spread grows.")
wrong_number(VARIANCE, 18, "the variance is a square already: only the factor gets squared.")

MATMUL = "steps.start.matmul"
wrong_choice(MATMUL, "b", "the two inner sizes, 3 and 3, are summed over and go away; the outer "
             "ones stay.")
wrong_choice(MATMUL, "c", "the inner size 3 is summed over, so it is gone from the result.")
wrong_choice(MATMUL, "d", "the last size of A equals the first size of B, and that is all that "
             "@ asks for.")
