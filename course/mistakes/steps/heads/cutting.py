"""What heads cost, how they lie in memory, the eleven shapes."""

from ... import edit, mistake, wrong_choice, wrong_number
from . import wrong_list

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

wrong_number(ALL, 3072, "these are queries, keys and values of one head. There are four heads, and "
             "out_proj.")
wrong_number(ALL, 7168, "out_proj is there in full, but queries, keys and values of one head only. "
             "Each of the four heads has its own.")
wrong_number(ALL, 13312, "out_proj takes all heads side by side, H · Dh columns, not those of one.")

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


@mistake(PRODUCTS, "only pairs that the causal mask allows are counted. QKᵀ is computed whole, and "
         "masked after it.")
def allowed_pairs(T: float, D: float, H: float) -> float:
    return T * (T + 1) / 2 * D


@mistake(PRODUCTS, "each query meets each key, so T comes in twice.")
def one_key_each(T: float, D: float, H: float) -> float:
    return T * D


@mistake(PRODUCTS, "the projections are counted as well. Q Kᵀ alone is asked for.")
def with_projections(T: float, D: float, H: float) -> float:
    return T * T * D + 2 * T * D * D


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


@mistake(ENTRIES, "only pairs that the causal mask allows are counted. The scores are a whole "
         "[T, T] in memory, masked or not.")
def allowed_entries(B: float, T: float, D: float, H: float) -> float:
    return B * H * T * (T + 1) / 2


@mistake(ENTRIES, "these are the products that go into the scores. Each score is a sum over the Dh "
         "columns, one number.")
def products(B: float, T: float, D: float, H: float) -> float:
    return B * T**2 * D / H


@mistake(ENTRIES, "the scores are not shared out among the heads: each has T × T of its own, so H "
         "multiplies.")
def divided_by_heads(B: float, T: float, D: float, H: float) -> float:
    return B * T**2 / H


GIB = "steps.heads.score_gib"
wrong_number(GIB, 2, "that is float32. A float16 has two bytes.")
wrong_number(GIB, 0.5, "that counts a byte for each score. A float16 has two.")
wrong_number(GIB, 1.073741824, "that is in GB, 10⁹ bytes. A GiB is 2³⁰ bytes.")
wrong_number(GIB, 0.03125, "that is one head. There are 32.")
wrong_number(GIB, 16, "a float16 has 16 bits, which are 2 bytes.")
wrong_number(GIB, 8, "that is in Gibit: there are 8 bits to a byte.")


wrong_number(GIB, 2**30, "these are bytes. Divide by 2³⁰ for GiB.")
wrong_number(GIB, 1024, "these are MiB, 2²⁰ bytes. A GiB has 2³⁰.")
wrong_number(GIB, 2**-12, "each query meets each of the 4096 keys: 4096 comes in twice.")


STRIDES = "steps.heads.strides"
wrong_list(STRIDES, "before_the_transpose", [60, 20, 5, 1], "these are the strides after the view, "
           "[B, T, H, Dh]. The transpose swaps two of them, and moves no number.")
wrong_list(STRIDES, "of_a_copy", [60, 15, 5, 1], "these are the strides of a tensor [2, 4, 3, 5] "
           "that has been copied into order. A transpose copies nothing: it swaps two strides.")
wrong_list(STRIDES, "shape", [2, 4, 3, 5], "that is the shape. A stride says how many numbers "
           "further in memory the next index of a dimension lies.")
wrong_list(STRIDES, "batch_swapped", [20, 60, 5, 1], "the transpose swaps dimensions 1 and 2; "
           "dimension 0, the batch, keeps its stride.")
wrong_list(STRIDES, "last_two_swapped", [60, 20, 1, 5], "the transpose swaps dimensions 1 and 2, "
           "not the last two.")
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
wrong_list(VIEW, "one_token", [0, 0, 0, 0], "a token has 8 numbers and a row 4, so token 0 fills "
           "two rows. There are four.")
wrong_list(VIEW, "from_one", [1, 1, 2, 2], "tokens are counted from 0.")
wrong_list(VIEW, "halves", [0, 0.5, 1, 1.5], "half a token is no token: the two halves of token 0 "
           "both come from token 0.")
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

edit(SHAPES, "values_not_moved", "[scores] * 4, heads, whole", "[scores] * 4, cut, whole",
     "row 9 is [T, T] times [T, Dh] in each head, so the heads still stand before T. Merging moves "
     "them back, in row 10.")
edit(SHAPES, "mask_alone", "*[scores] * 4", "scores, scores, [T, T], scores",
     "row 7 is the scores with the mask on them. The mask alone is [T, T]; it is broadcast, and "
     "the scores keep their shape.")
edit(SHAPES, "one_head_of_q", "[whole, whole, ", "[whole, [B, T, Dh], ",
     "row 2 is q before it is cut: the columns of all heads side by side, [B, T, D].")

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
edit(FITS, "all_by_key_heads", "D % H == 0 and", "D % Hkv == 0 and",
     "D and H are both multiples of Hkv, and the width is cut into H pieces, not into Hkv: D has "
     "to be a multiple of H. Try D = 64, H = 6, Hkv = 2.")
edit(FITS, "turned_around", "H % Hkv == 0", "Hkv % H == 0",
     "the other way: several query heads share one key head, so H is the multiple.")
edit(FITS, "either", "D % H == 0 and", "D % H == 0 or", "both conditions have to hold, not one.")

edit(FITS, "remainders", "D % H == 0 and H % Hkv == 0", "D % H and H % Hkv",
     "this is true where a remainder is left. It has to be 0 both times.")
edit(FITS, "by_width_of_a_head", "H % Hkv == 0", "(D // H) % Hkv == 0",
     "it is the H query heads that share key heads, not the columns of one head.")
