"""Known wrong answers to the steps on what a norm does to a vector."""

from .. import wrong_choice, wrong_number

RMS = "steps.norms.rms"
wrong_number(RMS, 5, "that is the length of x, the root of the *sum* of the squares. RMS takes "
             "their mean.")
wrong_number(RMS, 1.25, "that is the length divided by 4. First the mean of the four squares, then "
             "the root.")
wrong_number(RMS, 6.25, "that is the mean square. The root is missing.")
wrong_number(RMS, 25, "that is the sum of the squares. Divide by the four entries, then the root.")
wrong_number(RMS, -0.25, "that is the mean of the entries. Square them first.")
wrong_number(RMS, 1.75, "that is the mean of |x|. The squares are averaged, and the root is taken "
             "at the end.")
wrong_number(RMS, 12.5**0.5, "you averaged over the two entries that are not 0. All four count.")
wrong_number(RMS, 6.1875**0.5, "that is the standard deviation, about the mean. RMS does not look "
             "at the mean.")

LENGTH = "steps.norms.length"
wrong_number(LENGTH, 1, "a vector of length 1 has a mean square of 1/64. Here the mean square is "
             "1, so the sum of the squares is 64.")
wrong_number(LENGTH, 64, "that is the sum of the squares. The length is its root.")
wrong_number(LENGTH, 0.125, "that is 1/√D. The mean square is 1, so the sum of the squares is D.")
wrong_number(LENGTH, 32, "the mean square is 1: the sum of 64 squares is 64, and the length its "
             "root.")

EPS = "steps.norms.at_eps"
wrong_number(EPS, 1, "eps is as large as the mean square here, so it does count. Divide √m by "
             "√(m + eps) with m = eps.")
wrong_number(EPS, 0.5, "that is m / (m + eps). Both stand under a root.")
wrong_number(EPS, 2**0.5, "it is the other way up: the divisor √(m + eps) is larger than √m.")
wrong_number(EPS, 0, "the result is small only when the mean square is far below eps. Here they "
             "are equal.")

AS_RMS = "steps.norms.as_rms"
wrong_choice(AS_RMS, "a", "the RMS of x has its mean in it. LayerNorm divides by the standard "
             "deviation, which is the RMS of something else.")
wrong_choice(AS_RMS, "c", "dividing first changes nothing: RMSNorm divides by the size anyway, and "
             "the mean would still be in it.")
wrong_choice(AS_RMS, "d", "subtracting the mean afterwards is too late: the RMS that was divided "
             "by had the mean in it.")

KEEPS, LAYER = "steps.norms.rms_keeps", "steps.norms.layer_keeps"
wrong_choice(KEEPS, "a", "adding 5 to (1, −1) gives (6, 4), whose entries are no longer opposite "
             "after any division. RMSNorm subtracts nothing.")
wrong_choice(KEEPS, "c", "the factor cancels, and the shift does not: nothing subtracts it.")
wrong_choice(KEEPS, "d", "multiply x by 3, and the RMS is 3 times as large too. What is left of "
             "the 3?")
wrong_choice(LAYER, "a", "the shift does go, with the mean. And a factor 3 multiplies the "
             "standard deviation as well.")
wrong_choice(LAYER, "b", "the factor does go. And the mean moves along with a shift, so x − mean "
             "does not notice.")
wrong_choice(LAYER, "d", "add 5 to all entries: the mean grows by 5 too. What is left of it in "
             "x − mean?")

COSINE = "steps.norms.cosine"
wrong_number(COSINE, 1, "that would be the same direction, as RMSNorm gives. Subtracting the mean "
             "turned (3, 1) into (1, −1).")
wrong_number(COSINE, 2, "that is the dot product, 3 − 1. Divide by both lengths.")
wrong_number(COSINE, 2 / 10**0.5, "you divided by the length of (3, 1) only. (1, −1) has length "
             "√2.")
wrong_number(COSINE, 0.1, "both lengths stand under a root: √10 · √2.")
wrong_number(COSINE, 0, "(3, 1)·(1, −1) = 3 − 1, which is not 0. Only (1, 1) stands at a right "
             "angle to it.")
wrong_number(COSINE, 4 / 20**0.5, "the second product is 1 · (−1): it is subtracted.")
