"""Known wrong answers to the steps that find broken attention layers."""

import torch

from .. import edit, mistake, wrong_choice, wrong_number

REACH = "steps.bugs.reach"
edit(REACH, "turned_around", ".amax((1, 3))", ".amax((1, 3)).T",
     "rows and columns have changed places: entry [t, s] is output t against input s.")
edit(REACH, "no_abs", ".abs()", "",
     "the largest slope is taken with its sign, so a negative one is missed. Take absolute values "
     "first.")
edit(REACH, "smallest", "amax", "amin",
     "this is the smallest slope. One column that leaks is enough: take the largest.")
edit(REACH, "mean", "amax", "mean",
     "this is the mean slope. The largest over all i and j is asked for.")
edit(REACH, "root_of_squares", ".abs().amax((1, 3))", ".norm(dim=(1, 3))",
     "this is the root of the sum of all squared slopes. The largest of them is asked for.")
edit(REACH, "squared", ".abs()", ".square()",
     "the slopes are squared. Their absolute values are asked for.")
edit(REACH, "yes_or_no", ".amax((1, 3))", ".amax((1, 3)) > 0",
     "this says whether a token reaches another. How far is asked for, the slope itself.")
edit(REACH, "input_columns_kept", ".amax((1, 3))", ".amax(1)",
     "the largest over the columns of the output is there; those of the input are still a "
     "dimension. Take the largest over both.")
edit(REACH, "batch_kept", "[0, :, :, 0].abs().amax((1, 3))", ".abs().amax((2, 5))",
     "the two dimensions of size 1, one for each batch, are still there. [T, T] is asked for.")
edit(REACH, "all_slopes_added", "amax", "sum",
     "these are the absolute slopes added up. The largest of them is asked for.")


@mistake(REACH, "the columns of an output are added up before differentiating, so a rise and a "
         "fall cancel, and a leak can hide in that. Differentiate each column on its own.")
def of_the_sum(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    J: torch.Tensor = torch.func.jacrev(lambda z: layer(z).sum(-1))(x)
    return J[0, :, 0].abs().amax(-1)


@mistake(REACH, "the absolute slopes come after adding over the columns of the input: a rise and a "
         "fall cancel there. Take absolute values first.")
def abs_too_late(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    J: torch.Tensor = torch.func.jacrev(layer)(x)
    return J[0, :, :, 0].sum(-1).abs().amax(1)


@mistake(REACH, "this is how large the slopes are for the columns, [D, D]. Keep the two dimensions "
         "of the tokens and take the largest over those of the columns.")
def columns_kept(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    J: torch.Tensor = torch.func.jacrev(layer)(x)
    return J[0, :, :, 0].abs().amax((0, 2))


@mistake(REACH, "only what lies above the diagonal is kept. The whole matrix is asked for: what a "
         "token may see belongs in the picture.")
def upper_part(layer: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    J: torch.Tensor = torch.func.jacrev(layer)(x)
    return J[0, :, :, 0].abs().amax((1, 3)).triu(1)


MASK = "masked scores are set to -inf here, so a blocked weight is exactly 0. "
SPLIT = "the heads are cut the right way here: view to [B, T, H, Dh], then transpose. "
JOIN = "the heads come together the right way here: transpose, then join. "
SUM = "the softmax runs over the keys, so each row sums to 1. "
SCALE = "the scores are divided by √Dh here, the width of one head. "

IN_A, IN_B = "steps.bugs.in_a", "steps.bugs.in_b"
wrong_choice(IN_A, "a", SPLIT + "Go on to the next line.")
wrong_choice(IN_A, "b", JOIN + "Look further up.")
wrong_choice(IN_A, "c", MASK + "Look at the line above.")
wrong_choice(IN_A, "e", SUM + "Look at what goes into it.")
wrong_choice(IN_B, "b", JOIN + "Look at how they were cut.")
wrong_choice(IN_B, "c", MASK + "Look further up.")
wrong_choice(IN_B, "d", SCALE + "Look at the line above.")
wrong_choice(IN_B, "e", SUM + "Look at what q, k and v hold.")

IN_C, IN_D = "steps.bugs.in_c", "steps.bugs.in_d"
wrong_choice(IN_C, "a", SPLIT + "Look at the mask: what is exp of the score of a blocked key?")
wrong_choice(IN_C, "b", JOIN + "Look at the mask: what is exp of the score of a blocked key?")
wrong_choice(IN_C, "d", SCALE + "Look at the mask: what is exp of the score of a blocked key?")
wrong_choice(IN_C, "e", "each row does sum to 1: over all keys, blocked ones included. That is the "
             "trouble.")
wrong_choice(IN_D, "a", SPLIT + "Look at how they come together again.")
wrong_choice(IN_D, "c", MASK + "Look further down.")
wrong_choice(IN_D, "d", SCALE + "Look further down.")
wrong_choice(IN_D, "e", SUM + "Look further down.")

OUTPUT = "the output is [B, T, D] here as it should be. "
ROWS = "every row of the shape table is right here. "
SEEN_A, SEEN_B = "steps.bugs.sees_a", "steps.bugs.sees_b"
wrong_choice(SEEN_A, "a", OUTPUT + "Dividing by another number changes no shape.")
wrong_choice(SEEN_A, "b", ROWS + "Dividing by another number changes no shape.")
wrong_choice(SEEN_A, "c", "nothing comes from later tokens here: the mask is right. Only the "
             "weights of the allowed ones are off.")
wrong_choice(SEEN_B, "a", OUTPUT + "Both ways of cutting end in [B, H, T, Dh].")
wrong_choice(SEEN_B, "c", "it does notice, and the shapes did before: compare row 3, the shape "
             "right after the view.")
wrong_choice(SEEN_B, "d", "values do notice, and something cheaper did before: compare row 3, the "
             "shape right after the view.")

SEEN_C, SEEN_D = "steps.bugs.sees_c", "steps.bugs.sees_d"
wrong_choice(SEEN_C, "a", OUTPUT + "A fill of 0 changes no shape.")
wrong_choice(SEEN_C, "b", ROWS + "A fill of 0 changes no shape.")
wrong_choice(SEEN_C, "d", "values do notice, and the leak test did before: a weight for a later "
             "token is a slope above the diagonal.")
wrong_choice(SEEN_D, "a", OUTPUT + "reshape gives it whatever the order of the numbers is.")
wrong_choice(SEEN_D, "b", ROWS + "The table has no row between [B, H, T, Dh] and the merged "
             "[B, T, D], which is where the transpose would be.")
wrong_choice(SEEN_D, "d", "values do notice, and the leak test did before: output 0 is made of "
             "pieces of several tokens.")

DIVISOR = "steps.bugs.divisor"
wrong_number(DIVISOR, 128**0.5, "that is √D, the bug itself. A score sums over the columns of one "
             "head, of which there are D / H.")
wrong_number(DIVISOR, 8, "that is √64. A head has 128 / 4 columns.")
wrong_number(DIVISOR, 32, "that is the width of a head. Its square root is asked for.")
wrong_number(DIVISOR, 2, "that is √H. A score sums over the columns of a head, not over the heads.")
wrong_number(DIVISOR, 32**-0.5, "that is the factor, 1/√Dh. What the scores are *divided* by is "
             "asked for.")
wrong_number(DIVISOR, 4, "that is the number of heads. Take the width of one, and its square root.")
wrong_number(DIVISOR, 128, "that is D. Take the width of one head, and its square root.")

wrong_choice("steps.bugs.effect", "a", "√128 is larger than √32, so the scores come out smaller, "
             "and small scores make a flat softmax.")
wrong_choice("steps.bugs.effect", "c", "smaller scores are a calmer start, not a wilder one. See "
             "the losses further down.")
wrong_choice("steps.bugs.effect", "d", "out_proj scales what comes out of the softmax. The scores "
             "go in, and exp is not linear.")

HAND = "steps.bugs.hand_weight"
wrong_number(HAND, 0.25, "that is the weight on token 0. The score of token 1 with itself is ln 3, "
             "and exp(ln 3) = 3.")
wrong_number(HAND, 3, "that is exp of the score. Divide by the sum of the row.")
wrong_number(HAND, 1 / (1 + 3**-(0.5**0.5)), "that is the weight when scores are divided by √D = "
             "2. A head has 2 columns: √2.")
wrong_number(HAND, 1 / (1 + 3**-(2**0.5)), "that is the weight without any division. Divide u² by "
             "√2.")
wrong_number(HAND, 1.0986122886681098, "that is the score, ln 3. Softmax makes a weight of it.")
wrong_number(HAND, 1 / 3, "the weights are 1 and 3 before they are divided, and their sum is 4.")
wrong_number(HAND, 1, "token 0 gets a part: its score is 0, and exp(0) = 1.")
wrong_number(HAND, 0.5, "both scores would have to be equal for that. The one with token 0 is 0, "
             "the one with itself is ln 3.")

BLOCK = "steps.bugs.block"
@mistake(BLOCK, "the attention branch gets into the feed-forward and not into the result: let "
     "feed_forward give 0, and nothing of it is left. Add it to x first, and go on from there.")
def as_it_was(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    return x + feed_forward(norm_2(x + attention(norm_1(x))))


@mistake(BLOCK, "both branches start from the same x. The feed-forward reads what attention has "
         "gathered: x = x + …, and then the second line.")
def parallel(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    return x + attention(norm_1(x)) + feed_forward(norm_2(x))


@mistake(BLOCK, "the norms are left out. Each branch reads a normed x; the line itself stays as it "
         "is.")
def no_norms(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    x = x + attention(x)
    return x + feed_forward(x)


@mistake(BLOCK, "this norms the line itself, after adding (post-norm). Here the norm stands in "
         "front of each branch, and the line is left alone.")
def post_norm(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    x = norm_1(x + attention(x))
    return norm_2(x + feed_forward(x))


@mistake(BLOCK, "x itself is replaced by its norm, so the line is changed before anything is "
         "added. Norm inside the branch only.")
def line_normed(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    x = norm_1(x)
    x = x + attention(x)
    x = norm_2(x)
    return x + feed_forward(x)


@mistake(BLOCK, "nothing is added back: both branches replace x. A branch gives a change, x + …")
def no_residual(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    return feed_forward(norm_2(attention(norm_1(x))))


@mistake(BLOCK, "attention is added back, and the feed-forward replaces x. Both branches are "
         "added.")
def second_not_added(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    x = x + attention(norm_1(x))
    return feed_forward(norm_2(x))


@mistake(BLOCK, "the norms stand behind the branches. Each branch *reads* a normed x: "
         "attention(norm_1(x)).")
def norms_behind(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    x = x + norm_1(attention(x))
    return x + norm_2(feed_forward(x))


@mistake(BLOCK, "the feed-forward comes first. Attention gathers, then the feed-forward works on "
         "what was gathered.")
def feed_forward_first(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    x = x + feed_forward(norm_2(x))
    return x + attention(norm_1(x))


@mistake(BLOCK, "x itself is added a second time. The second line goes on from the sum, which "
         "holds it already.")
def line_twice(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    h = x + attention(norm_1(x))
    return x + h + feed_forward(norm_2(h))


@mistake(BLOCK, "x is not added to attention: what it gathers replaces the line. Both branches are "
         "added.")
def first_not_added(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    h = attention(norm_1(x))
    return h + feed_forward(norm_2(h))


@mistake(BLOCK, "this is the first branch alone. The feed-forward makes a second line.")
def attention_alone(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    return x + attention(norm_1(x))


@mistake(BLOCK, "`+=` writes into the x of whoever called. Make a new one: x = x + …", raises=True)
def in_place(x, norm_1, attention, norm_2, feed_forward):  # type: ignore[no-untyped-def]
    x += attention(norm_1(x))
    x += feed_forward(norm_2(x))
    return x


edit(BLOCK, "branches_detached", "attention(norm_1(x))", "attention(norm_1(x)).detach()",
     "the numbers are right, but no gradient gets through attention: it would never be learned. "
     "Nothing in a block is cut out of the graph.")
edit(BLOCK, "no_second_norm", "norm_2(x)", "x",
     "the feed-forward reads the line as it is. It reads norm_2 of it.")
edit(BLOCK, "one_norm_twice", "norm_2(x)", "norm_1(x)",
     "norm_1 stands in front of both branches. norm_2 belongs to the feed-forward.")
edit(BLOCK, "norms_exchanged", "x = x + attention(norm_1(x))\n    return x + "
     "feed_forward(norm_2(x))", "x = x + attention(norm_2(x))\n    return x + "
     "feed_forward(norm_1(x))",
     "the two norms have changed places: norm_1 stands before attention, norm_2 before the "
     "feed-forward.")
edit(BLOCK, "swapped_norms", "norm_1(x)", "norm_2(x)",
     "attention has to read norm_1(x); norm_2 belongs to the feed-forward.")
