"""Known wrong answers to the steps about heads: cost, memory, shapes, rank."""

from .. import Mistake, add, edit, mistake, wrong_choice, wrong_number

ALL = "steps.heads.weights_in_all"
wrong_number(ALL, 65536, "that is four heads of full width, each with four matrices of D × D. Here "
             "a head has a quarter of the columns.")
wrong_number(ALL, 4096, "that is one projection, D × D. There are four: queries, keys, values and "
             "the one that mixes the heads.")
wrong_number(ALL, 12288, "that is queries, keys and values. The projection after the heads, "
             "out_proj, is there too.")
wrong_number(ALL, 1024, "that is one projection of one head, D × Dh. Count all four heads and all "
             "four projections.")
wrong_number(ALL, 4160, "that is one projection with its bias. Count four, and no biases.")
wrong_number(ALL, 16640, "the four biases are in it. The question leaves them out.")

PRODUCTS = "steps.heads.score_products"


@mistake(PRODUCTS, "each head does T · T · Dh, with its own width Dh = D / H. You let each of the "
         "H heads have the full width.")
def full_width(T: float, D: float, H: float) -> float:
    return H * T * T * D


@mistake(PRODUCTS, "this is one head. Add up all H of them.")
def one_head(T: float, D: float, H: float) -> float:
    return T * T * D / H


@mistake(PRODUCTS, "this is the number of scores. Each of them is a sum of Dh products.")
def scores_only(T: float, D: float, H: float) -> float:
    return H * T * T


@mistake(PRODUCTS, "this is one projection, T rows times a D × D matrix. Q Kᵀ multiplies each "
         "query with each key.")
def projection(T: float, D: float, H: float) -> float:
    return T * D * D


@mistake(PRODUCTS, "products and additions are both counted. The question asks for products alone.")
def with_additions(T: float, D: float, H: float) -> float:
    return 2 * T * T * D


ENTRIES = "steps.heads.score_entries"


@mistake(ENTRIES, "each head has its own T × T scores. They are not added up anywhere.")
def one_table(B: float, T: float, D: float, H: float) -> float:
    return B * T**2


@mistake(ENTRIES, "a score has no width left: the sum over the columns is done. [B, H, T, T].")
def times_the_width(B: float, T: float, D: float, H: float) -> float:
    return B * T**2 * D


@mistake(ENTRIES, "that is q, [B, H, T, Dh]. Scores stand between each query and each key: "
         "[B, H, T, T].")
def queries(B: float, T: float, D: float, H: float) -> float:
    return B * T * D


@mistake(ENTRIES, "each query meets each key, so T comes in twice.")
def one_t(B: float, T: float, D: float, H: float) -> float:
    return B * H * T


@mistake(ENTRIES, "every text of the batch has scores of its own: B is missing.")
def no_batch(B: float, T: float, D: float, H: float) -> float:
    return H * T**2


GIB = "steps.heads.score_gib"
wrong_number(GIB, 2, "that is float32. A float16 has two bytes.")
wrong_number(GIB, 0.5, "that counts a byte for each score. A float16 has two.")
wrong_number(GIB, 1.073741824, "that is in GB, 10⁹ bytes. A GiB is 2³⁰ bytes.")
wrong_number(GIB, 0.03125, "that is one head. There are 32.")
wrong_number(GIB, 16, "a float16 has 16 bits, which are 2 bytes.")
wrong_number(GIB, 8, "that is in Gibit: there are 8 bits to a byte.")


def wrong_list(target: str, name: str, value: list[int], message: str) -> None:
    add(target, Mistake(name, message, value, f"{target.rpartition('.')[2]} = {value}"))


STRIDES = "steps.heads.strides"
wrong_list(STRIDES, "before_the_transpose", [60, 20, 5, 1], "these are the strides after the view, "
           "[B, T, H, Dh]. The transpose swaps two of them, and moves no number.")
wrong_list(STRIDES, "of_a_copy", [60, 15, 5, 1], "these are the strides of a tensor [2, 4, 3, 5] "
           "that has been copied into order. A transpose copies nothing: it swaps two strides.")
wrong_list(STRIDES, "shape", [2, 4, 3, 5], "that is the shape. A stride says how many numbers "
           "further in memory the next index of a dimension lies.")
wrong_list(STRIDES, "bytes", [480, 40, 160, 8], "these are bytes of a float64. Strides are counted "
           "in numbers.")
wrong_list(STRIDES, "bytes_of_float32", [240, 20, 80, 4], "these are bytes of a float32. Strides "
           "are counted in numbers.")
wrong_list(STRIDES, "from_behind", [1, 20, 5, 60], "these are in the order Dh, T, H, B. The first "
           "stride belongs to the batch.")

VIEW = "steps.heads.wrong_view"
wrong_list(VIEW, "as_it_should_be", [0, 1, 2, 3], "that is what head 0 should hold. The view cuts "
           "the 32 numbers of a text in memory order into H × T pieces: write the first few down.")
wrong_list(VIEW, "heads", [0, 1, 0, 1], "these are the heads that the pieces belong to. The tokens "
           "they come from are asked for.")
wrong_list(VIEW, "every_second", [0, 2, 0, 2], "a piece of 4 is half a token, so the first two "
           "pieces are both of token 0. Walk through memory: token 0's 8 numbers, then token 1's.")
wrong_list(VIEW, "every_second_in_order", [0, 2, 1, 3], "a piece of 4 is half a token, so the "
           "first two pieces are both of token 0. Walk through memory: token 0's 8 numbers, then "
           "token 1's.")
wrong_list(VIEW, "of_head_1", [2, 2, 3, 3], "that is head 1. Head 0 holds the first half of "
           "memory.")

wrong_choice("steps.heads.merge_error", "a", "it would be, if it ran. Look at the strides: after "
             "the transpose back, which number follows the last column of head 0?")
wrong_choice("steps.heads.merge_error", "b", "a reshape without the transpose does that. Here the "
             "transpose is done, so the order is right and the memory is not.")
wrong_choice("steps.heads.merge_error", "d", "reshape would. view promises never to copy.")

SHAPES = "steps.heads.shapes"
edit(SHAPES, "head_before_view", "[B, T, H, Dh]", "[B, H, T, Dh]",
     "the view cuts the width alone, so in row 3 H stands right before Dh and T stays in its "
     "place. The transpose of row 4 moves it.")
edit(SHAPES, "scores_by_width", "[B, H, T, T]", "[B, H, T, Dh]",
     "a score belongs to a query and a key: q [T, Dh] times kᵀ [Dh, T] leaves [T, T].")
edit(SHAPES, "one_score_table", "[B, H, T, T]", "[B, T, T]",
     "each head has scores of its own: H stays until the heads are merged.")
edit(SHAPES, "width_of_scores", "[B, H, T, T]", "[B, H, Dh, Dh]",
     "Q Kᵀ sums over the columns of a head, not over the tokens: T is left, twice.")
edit(SHAPES, "weights_for_values", "*[scores] * 4, heads, whole", "*[scores] * 5, whole",
     "weights [T, T] times v [T, Dh] give [T, Dh]: in row 9 the scores' second T is summed away.")
edit(SHAPES, "not_merged", "heads, whole, whole]", "heads, cut, whole]",
     "row 10 is merged: after the transpose H and Dh become one width again.")
edit(SHAPES, "head_width", "Dh = D // H", "Dh = D",
     "each head has a part of the width, Dh = D / H, not all of it.")

FITS = "steps.heads.fits"
edit(FITS, "width_only", "D % H == 0 and H % Hkv == 0", "D % H == 0",
     "the width fits. But each key head has to serve the same number of query heads, too.")
edit(FITS, "heads_only", "D % H == 0 and H % Hkv == 0", "H % Hkv == 0",
     "the heads fit together. But the width has to be cut into H equal pieces, too.")
edit(FITS, "no_more_than", "H % Hkv == 0", "Hkv <= H",
     "no more key heads than query heads is not enough: 4 key heads can't be shared equally by 6 "
     "query heads.")
edit(FITS, "width_by_key_heads", "H % Hkv == 0", "D % Hkv == 0",
     "it is the query heads that share key heads, so H has to be a multiple of Hkv. The width is "
     "only cut by H.")
edit(FITS, "turned_around", "H % Hkv == 0", "Hkv % H == 0",
     "the other way: several query heads share one key head, so H is the multiple.")
edit(FITS, "either", "D % H == 0 and", "D % H == 0 or", "both conditions have to hold, not one.")

OUT = "steps.heads.out_columns"
wrong_number(OUT, 64, "that is D, right only when H · Dh happens to be D. out_proj takes all heads "
             "side by side.")
wrong_number(OUT, 32, "that is one head. out_proj takes all of them side by side.")
wrong_number(OUT, 16, "that is D / H, the width you would choose so that D = H · Dh. Here Dh is "
             "32.")
wrong_number(OUT, 4, "that is the number of heads. Each brings 32 columns.")

ROWS = "steps.heads.key_rows"
wrong_number(ROWS, 64, "that is for as many key heads as query heads. There are two.")
wrong_number(ROWS, 8, "that is one key head. There are two.")
wrong_number(ROWS, 32, "a key head is as wide as a query head, D / H = 8, since the two are "
             "multiplied. It is not D / Hkv wide.")
wrong_number(ROWS, 2, "that is the number of key heads. Each needs Dh rows.")
wrong_number(ROWS, 4, "that is how many query heads share a key head.")

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


GRAD = "steps.heads.shared_gradient"
edit(GRAD, "mean", ".sum(2)", ".mean(2)",
     "the copies were used by n_rep query heads, and the chain rule adds over all uses. A mean "
     "makes the gradient n_rep times too small.")
edit(GRAD, "first_only", ".sum(2)", "[:, :, 0]",
     "this is what the first query head of each group sends back. The others use the same keys, "
     "and theirs is added.")
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
