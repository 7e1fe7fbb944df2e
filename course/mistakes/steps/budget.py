"""Known wrong answers to the steps about the cost of a run."""

from .. import wrong_choice, wrong_number

wrong_number("steps.budget.first_loss", 11.965784,
             "that is in bits. A loss in nats uses the natural logarithm.")
wrong_number("steps.budget.first_loss", 3.60206,
             "that is the logarithm to base 10. A loss in nats uses the natural one.")
wrong_number("steps.budget.first_loss", 4000,
             "that is the perplexity, exp(loss). The loss is its logarithm.")
wrong_number("steps.budget.first_loss", 0.00025,
             "a loss near 0 is that of a model that is sure and right. Here each token has the "
             "probability 1/4000, and the loss is minus its logarithm.")
wrong_number("steps.budget.first_loss", -8.29405,
             "a loss is minus the logarithm of a probability, so it is positive.")
wrong_number("steps.budget.bytes_each", 4,
             "that is the weight itself. It has a gradient too, and AdamW remembers two "
             "numbers about it.")
wrong_number("steps.budget.bytes_each", 8,
             "that is weight and gradient. AdamW remembers two more numbers, m and v.")
wrong_number("steps.budget.bytes_each", 12,
             "one of four numbers is missing: weight, gradient, m and v.")
wrong_number("steps.budget.bytes_each", 128,
             "that is in bits. A byte has 8.")
wrong_number("steps.budget.megabytes", 5.352,
             "that is the weights alone, 4 bytes each.")
wrong_number("steps.budget.megabytes", 20.418,
             "that is in MiB, units of 2²⁰ bytes. A megabyte is 10⁶.")
wrong_number("steps.budget.megabytes", 16.057,
             "that is 12 bytes each. Weight, gradient, m and v are four numbers.")
wrong_number("steps.budget.megabytes", 10.705,
             "that is weight and gradient. AdamW's m and v double it.")
wrong_number("steps.budget.megabytes", 21409792,
             "that is in bytes. A megabyte is 10⁶ of them.")
wrong_number("steps.budget.tokens_in_step", 8160,
             "a window of 256 tokens has 256 targets: get_batch reads one token more than the "
             "window holds.")
wrong_number("steps.budget.tokens_in_step", 32,
             "that is the number of windows. Every position of a window is trained on.")
wrong_number("steps.budget.tokens_in_step", 256,
             "that is one window. There are 32.")
wrong_number("steps.budget.tokens_in_step", 32768,
             "that is 256 × 128. The width is not part of a count of tokens: windows times "
             "positions.")
wrong_number("steps.budget.flops_each", 2610688,
             "that is the way forward, 2 for each weight. The way back takes twice as much "
             "again.")
wrong_number("steps.budget.flops_each", 5221376,
             "that is the way back alone. Add the way forward.")
wrong_number("steps.budget.flops_each", 8028672,
             "the position table is in it. Its rows are added and never multiplied.")
wrong_number("steps.budget.flops_each", 4760064,
             "the 512,000 numbers of the embedding are left out. As the head they are "
             "multiplied.")
wrong_number("steps.budget.flops_each", 7790592,
             "biases and gains are left out. They cost less than a weight of a matrix, but here "
             "they are counted along: half a percent.")
wrong_number("steps.budget.flops_each", 1305344,
             "that is the number of weights that multiply. Each costs 6 operations a token.")
wrong_number("steps.budget.both_doubled", 4,
             "that is the doubled length alone, or the growth of [B, T, D]. Scores stand "
             "between each query and each key: T comes in twice, B once.")
wrong_number("steps.budget.both_doubled", 2,
             "growth in step with both is what the note says. T comes in twice.")
wrong_number("steps.budget.both_doubled", 16,
             "B comes in once. Count the factors: B, T and T.")
wrong_choice("steps.budget.to_keep", "a",
             "x is [B, T, D], B · T rows of 128 numbers. Another one has many more columns.")
wrong_choice("steps.budget.to_keep", "b",
             "these are B · H · T · T numbers, 4 · 256 for each token. That is much, and one "
             "tensor has more.")
wrong_choice("steps.budget.to_keep", "d",
             "the weights are 1.3 million numbers. One row of what is asked has 4000, and "
             "there are 8192 rows.")
wrong_number("steps.budget.flops_each", 4956672,
             "the position table is in it and the embedding is not. It is the other way: positions "
             "are added, and the embedding is multiplied as the head.")
wrong_number("steps.budget.tokens_in_step", 24576000,
             "that is the whole run. One of its 3000 steps is asked for.")
