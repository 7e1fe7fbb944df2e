"""Known wrong answers to the steps on the sizes that weights start with."""

from .. import edit, wrong_choice, wrong_number

LINE = "steps.start_sizes.line_variance"
edit(LINE, "one_branch", "x0 + 2 * n_layer * v", "x0 + n_layer * v",
     "each layer adds two branches, attention and feed-forward.")
edit(LINE, "multiplied", "x0 + 2 * n_layer * v", "x0 * (1 + v) ** (2 * n_layer)",
     "each branch is taken to multiply the line. A pre-norm branch reads a normed x: it adds v "
     "whatever is there already.")
edit(LINE, "start_forgotten", "x0 + 2 * n_layer * v", "2 * n_layer * v",
     "what the line starts with, x0, is still in it.")
edit(LINE, "product", "x0 + 2 * n_layer * v", "x0 * 2 * n_layer * v",
     "variances of independent parts add up: x0 plus 2N times v.")
edit(LINE, "squared", "x0 + 2 * n_layer * v", "x0 + (2 * n_layer) ** 2 * v",
     "that would be one branch taken 2N times. 2N different ones, which do not agree, add 2N · v.")
edit(LINE, "root", "x0 + 2 * n_layer * v", "x0 + (2 * n_layer) ** 0.5 * v",
     "the root belongs to the standard deviation. Variances add up as they are.")

edit(LINE, "of_the_size", "x0 + 2 * n_layer * v", "(x0 + 2 * n_layer * v) ** 0.5",
     "that is the standard deviation. The variance is asked for.")
edit(LINE, "four_branches", "x0 + 2 * n_layer * v", "x0 + 4 * n_layer * v",
     "two branches a layer, not four: attention and feed-forward.")
edit(LINE, "one_layer", "x0 + 2 * n_layer * v", "x0 + 2 * v + 0 * n_layer",
     "that is one layer. There are n_layer of them.")

SCALED = "steps.start_sizes.scaled_variance"
edit(SCALED, "linear", "a**2 * v", "a * v",
     "the branch itself is multiplied by a, and its variance by a².")
edit(SCALED, "root", "a**2 * v", "a**0.5 * v", "a number in front is squared in the variance.")
edit(SCALED, "unchanged", "a**2 * v", "v + 0 * a",
     "no norm comes after the branch's last weights: what they are multiplied by comes out.")
edit(SCALED, "divided", "a**2 * v", "v / a**2", "a smaller a makes the branch smaller.")

FACTOR = "steps.start_sizes.factor"
edit(FACTOR, "no_root", "(2 * n_layer) ** -0.5", "1 / (2 * n_layer)",
     "a² has to be 1/(2N), so a is the root of that.")
edit(FACTOR, "with_the_base", "(2 * n_layer) ** -0.5", "0.02 * (2 * n_layer) ** -0.5",
     "that is a standard deviation, for a base of 0.02. The factor alone is asked for.")
edit(FACTOR, "upside_down", "(2 * n_layer) ** -0.5", "(2 * n_layer) ** 0.5",
     "this makes the branches larger. 2N · a² · v = v.")
edit(FACTOR, "one_branch", "(2 * n_layer) ** -0.5", "n_layer ** -0.5",
     "there are two branches in each layer: 2N of them.")
edit(FACTOR, "two_outside", "(2 * n_layer) ** -0.5", "0.5 * n_layer ** -0.5",
     "the 2 belongs under the root: a² = 1/(2N).")

edit(FACTOR, "two_above", "(2 * n_layer) ** -0.5", "(2 / n_layer) ** 0.5",
     "the 2 stands above the line. 2N · a² = 1, so a² = 1/(2N).")
edit(FACTOR, "of_the_layers", "(2 * n_layer) ** -0.5", "1 / n_layer",
     "variances add up, and a² is what each is multiplied by: a² = 1/(2N).")

DEPTH = "steps.start_sizes.along_depth"
wrong_choice(DEPTH, "a", "each branch still adds its a²v. The factor makes the *sum* of all 2N "
             "independent of N; it takes nothing away.")
wrong_choice(DEPTH, "c", "nothing on the way makes the line smaller: in pre-norm the norms stand "
             "inside the branches.")
wrong_choice(DEPTH, "d", "every branch has the same factor, so all steps are equally high.")

TOUCHED = "steps.start_sizes.touched"
wrong_number(TOUCHED, 12, "one in each layer. Attention and feed-forward both end in a projection "
             "onto the line.")
wrong_number(TOUCHED, 72, "those are all the linear layers of 12 layers with q, k, v, out, up and "
             "down. Only what ends a branch is made smaller.")
wrong_number(TOUCHED, 48, "four in each layer. Only the two that write onto the line count.")
wrong_number(TOUCHED, 2, "that is the number in one layer.")
wrong_number(TOUCHED, 36, "three in each layer. The gate and up projections of a feed-forward "
             "write into its inside, not onto the line.")

STD = "steps.start_sizes.logit_std"
edit(STD, "base_alone", "base * math.sqrt(D)", "base + 0 * D",
     "a score is a sum of D products, so its variance is D times that of one.")
edit(STD, "no_root", "base * math.sqrt(D)", "base * D",
     "the variances of D products add up to D · base². The standard deviation is the root.")
edit(STD, "variance", "base * math.sqrt(D)", "base ** 2 * D",
     "that is the variance. Its root is asked for.")
edit(STD, "divided", "base * math.sqrt(D)", "base / math.sqrt(D)",
     "nothing is divided here: x has a mean square of 1, so its length is √D.")

edit(STD, "base_under_the_root", "base * math.sqrt(D)", "math.sqrt(D * base)",
     "base is a standard deviation: under the root it stands squared, √(D · base²).")
edit(STD, "root_alone", "base * math.sqrt(D)", "math.sqrt(D) + 0 * base",
     "that is the length of x. The entries of w have the size base.")

LOSS = "steps.start_sizes.first_loss"
edit(LOSS, "uniform", "math.log(V) + s**2 / 2", "math.log(V) + 0 * s",
     "that is the loss when all scores are equal. Scores that differ by chance are wrong by "
     "chance, which costs s²/2.")
edit(LOSS, "whole_square", "math.log(V) + s**2 / 2", "math.log(V) + s**2",
     "E[exp z] = exp(s²/2): the half is missing.")
edit(LOSS, "minus", "math.log(V) + s**2 / 2", "math.log(V) - s**2 / 2",
     "the sum of the exp is larger than V, not smaller: E[exp z] = exp(s²/2) is above 1.")
edit(LOSS, "std", "math.log(V) + s**2 / 2", "math.log(V) + s / 2",
     "the variance s² enters, not the standard deviation.")
edit(LOSS, "base_10", "math.log(V) + s**2 / 2", "math.log10(V) + s**2 / 2",
     "the loss is in nats: the natural logarithm.")
edit(LOSS, "perplexity", "math.log(V) + s**2 / 2", "V * math.exp(s**2 / 2)",
     "that is the perplexity. The loss is its logarithm.")
edit(LOSS, "base_2", "math.log(V) + s**2 / 2", "math.log2(V) + s**2 / 2",
     "the loss is in nats: the natural logarithm.")
edit(LOSS, "whole_size", "math.log(V) + s**2 / 2", "math.log(V) + s",
     "s itself is added. E[exp z] = exp(s²/2), whose logarithm is s²/2.")
