"""Widths that need not be D / H, key heads that are shared, rank."""

from ... import edit, mistake, wrong_choice, wrong_number
from . import wrong_list

OUT = "steps.heads.out_columns"
wrong_number(OUT, 64, "that is D, right only when H · Dh happens to be D. out_proj takes all heads "
             "side by side.")
wrong_number(OUT, 32, "that is one head. out_proj takes all of them side by side.")
wrong_number(OUT, 16, "that is D / H, the width you would choose so that D = H · Dh. Here Dh is "
             "32.")
wrong_number(OUT, 4, "that is the number of heads. Each brings 32 columns.")

wrong_number(OUT, 256, "that is D · H. Each of the 4 heads brings Dh = 32 columns.")
wrong_number(OUT, 8192, "these are its weights. The columns it takes in are asked for.")

ROWS = "steps.heads.key_rows"
wrong_number(ROWS, 64, "that is for as many key heads as query heads. There are two.")
wrong_number(ROWS, 8, "that is one key head. There are two.")
wrong_number(ROWS, 32, "a key head is as wide as a query head, D / H = 8, since the two are "
             "multiplied. It is not D / Hkv wide.")
wrong_number(ROWS, 2, "that is the number of key heads. Each needs Dh rows.")
wrong_number(ROWS, 4, "that is how many query heads share a key head.")

wrong_number(ROWS, 1024, "these are its weights. Its rows are asked for.")

SHARED = "steps.heads.key_head_of"
wrong_list(SHARED, "tiled", [0, 1, 0, 1, 0, 1], "that is h mod Hkv. Neighbours share a head: "
           "h // 3.")
wrong_list(SHARED, "groups_of_two", [0, 0, 1, 1, 2, 2], "there are only key heads 0 and 1. A group "
           "has H / Hkv = 3 query heads.")
wrong_list(SHARED, "one_each", [0, 1, 2, 3, 4, 5], "that takes six key heads. There are two.")
wrong_list(SHARED, "turned_around", [1, 1, 1, 0, 0, 0], "the first query heads use the first key "
           "head.")
wrong_list(SHARED, "from_one", [1, 1, 1, 2, 2, 2], "heads are counted from 0, as everything in "
           "Python.")

wrong_list(SHARED, "not_rounded", [h / 3 for h in range(6)], "h / 3 is a fraction. The whole part "
           "is the key head: h // 3.")
wrong_list(SHARED, "all_one", [0] * 6, "that is multi-query attention, one key head. Here there "
           "are two.")
wrong_list(SHARED, "within_the_group", [0, 1, 2, 0, 1, 2], "that is the place of a query head "
           "within its group, h mod 3. The group itself is h // 3.")
wrong_list(SHARED, "first_of_the_group", [0, 0, 0, 3, 3, 3], "that is the first query head of the "
           "group. Key heads are counted by themselves: 0 and 1.")

wrong_choice("steps.heads.shared_scores", "a", "there are only Hkv heads of keys, but each of the "
             "H query heads asks for itself and takes its own softmax.")
wrong_choice("steps.heads.shared_scores", "c", "H / Hkv query heads share one key head, and there "
             "are Hkv such groups: together H rows of scores for each query.")

RATIO = "steps.heads.weight_ratio"


@mistake(RATIO, "that is how the cache shrinks. q_proj and out_proj keep their size.")
def cache_ratio(H: float, Hkv: float) -> float:
    return Hkv / H


@mistake(RATIO, "out_proj is missing: four projections, of which two shrink.")
def without_out(H: float, Hkv: float) -> float:
    return (H + 2 * Hkv) / (3 * H)


@mistake(RATIO, "only one of keys and values has shrunk here. Both have Hkv heads.")
def keys_only(H: float, Hkv: float) -> float:
    return (3 * H + Hkv) / (4 * H)


@mistake(RATIO, "this is the ratio turned around: with fewer key heads there are fewer weights, so "
         "it is below 1.")
def ratio_turned_around(H: float, Hkv: float) -> float:
    return 2 * H / (H + Hkv)


@mistake(RATIO, "nothing shrinks here. k_proj and v_proj have Hkv · Dh rows in place of H · Dh.")
def no_change(H: float, Hkv: float) -> float:
    return 1.0


@mistake(RATIO, "three projections shrink here. q_proj and out_proj keep their size, k_proj and "
         "v_proj do not.")
def three_shrink(H: float, Hkv: float) -> float:
    return (H + 3 * Hkv) / (4 * H)


@mistake(RATIO, "this is the share that is saved. The share that is left is asked for.")
def saved(H: float, Hkv: float) -> float:
    return (H - Hkv) / (2 * H)


@mistake(RATIO, "with Hkv = H nothing has changed, so the ratio is 1 there. Divide by the weights "
         "before, 4 · D².")
def in_units_of_two(H: float, Hkv: float) -> float:
    return 1 + Hkv / H


@mistake(RATIO, "these are the weights after, in units of D². Divide by the 4 · D² before.")
def not_divided(H: float, Hkv: float) -> float:
    return 2 + 2 * Hkv / H


@mistake(RATIO, "H / Hkv is upside down: with fewer key heads k_proj and v_proj shrink, by "
         "Hkv / H.")
def upside_down(H: float, Hkv: float) -> float:
    return (1 + H / Hkv) / 2


GRAD = "steps.heads.shared_gradient"
edit(GRAD, "mean", ".sum(2)", ".mean(2)",
     "the copies were used by n_rep query heads, and the chain rule adds over all uses. A mean "
     "makes the gradient n_rep times too small.")
edit(GRAD, "first_only", ".sum(2)", "[:, :, 0]",
     "this is what the first query head of each group sends back. The others use the same keys, "
     "and theirs is added.")
edit(GRAD, "last_only", ".sum(2)", "[:, :, -1]",
     "this is what the last query head of each group sends back. The others use the same keys, "
     "and theirs is added.")
edit(GRAD, "copies_kept", ".sum(2)", ".sum(2, keepdim=True)",
     "the numbers are right, but a dimension of size 1 is left where the copies were. Without "
     "keepdim it is [B, Hkv, S, Dh].")
edit(GRAD, "first_times_n", ".sum(2)", "[:, :, 0] * n_rep",
     "the gradient of the first copy is multiplied. The copies get different gradients: add them.")
edit(GRAD, "tiled", "grad.view(B, H // n_rep, n_rep, S, Dh).sum(2)",
     "grad.view(B, n_rep, H // n_rep, S, Dh).sum(1)",
     "this adds up heads 0, Hkv, 2·Hkv, … A group is n_rep neighbours: the view is [B, Hkv, n_rep, "
     "S, Dh].")
edit(GRAD, "all_heads", "grad.view(B, H // n_rep, n_rep, S, Dh).sum(2)", "grad.sum(1, "
     "keepdim=True)",
     "all query heads are added up, whichever key head they used. Add within each group.")
edit(GRAD, "largest", ".sum(2)", ".amax(2)",
     "the largest of the group is taken. The chain rule adds over all uses.")
edit(GRAD, "wrong_dimension", "grad.view(B, H // n_rep, n_rep, S, Dh).sum(2)",
     "grad.view(B, H // n_rep, n_rep, S, Dh).sum(1)",
     "the sum runs over the key heads and leaves the copies. In [B, Hkv, n_rep, S, Dh] the copies "
     "are dimension 2.")
edit(GRAD, "as_it_was", "grad.view(B, H // n_rep, n_rep, S, Dh).sum(2)", "torch.clone(grad)",
     "this still has a gradient for each copy. One for each key head is asked for.")

wrong_choice("steps.heads.cached", "a", "the copies hold nothing new, and they cost H / Hkv times "
             "the memory. Saving that memory is what GQA is for.")
wrong_choice("steps.heads.cached", "c", "x would do, and then each step has to project all old "
             "tokens again, which is the work a cache avoids.")
wrong_choice("steps.heads.cached", "d", "the query of an old token is never needed again: only the "
             "newest token asks.")

RANK = "steps.heads.score_rank"
wrong_number(RANK, 16, "that holds for one head of full width. Q of this head is [32, 4]: a "
             "product cannot have a higher rank than a factor.")
wrong_number(RANK, 32, "the matrix has 32 rows, but they are all made of the 4 columns of Q.")
wrong_number(RANK, 8, "Q has 4 columns and K has 4. The rank of a product is at most the smaller "
             "of the two, not their sum.")
wrong_number(RANK, 1, "rank 1 would be a head of width 1. Here the heads are D / H wide.")

wrong_choice("steps.heads.family", "a", "it would have to copy any full-width head, and its score "
             "matrices have rank Dh at most. See the table: which error stays large?")
wrong_choice("steps.heads.family", "b", "one head has one softmax in each row, and four heads give "
             "four. See the table: which error stays large?")
wrong_choice("steps.heads.family", "d", "the numbers of weights agree, and the functions do not. "
             "See the table: in which cells is the error large?")
