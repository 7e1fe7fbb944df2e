"""Known wrong answers to scaled dot-product attention."""

from .. import edit, reference

SDPA = "attention.scaled_dot_product_attention"
SCALE = " / math.sqrt(q.shape[-1]) @"
LINES = reference(SDPA)[1].splitlines(keepends=True)
FIRST, LAST = (next(i for i, line in enumerate(LINES) if line.startswith(f"    {start}"))
               for start in ("scores = ", "return "))
SCORES, BRANCH = LINES[FIRST], "".join(LINES[FIRST + 1 : LAST])  # the mask and the softmax
BACK = "return weights @ v, weights  #"


def scale(name: str, new: str, message: str) -> None:
    edit(SDPA, name, SCALE, f"{new} @", message)


def branch(name: str, lines: str, message: str, raises: bool = False) -> None:
    """Other lines in place of the mask and the softmax."""
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    edit(SDPA, name, BRANCH, body, message, raises)


def back(name: str, new: str, message: str, raises: bool = False) -> None:
    edit(SDPA, name, BACK, f"return {new}  #", message, raises)


VIEW = ("`view` wants numbers that lie in memory in the order of the shape, and those of heads "
        "that were split and transposed do not. `reshape` takes any.")
scale("no_scale", "", "the scores are not divided by √Dh, so they are too large and the weights "
      "too sharp.")
scale("by_d", " / q.shape[-1]",
      "the scores are divided by Dh and not by its root. The variance of a score is Dh, so its "
      "standard deviation is √Dh.")
scale("fourth_root", " / q.shape[-1] ** 0.25",
      "the scores are divided by the fourth root of Dh. Either q and k are each divided by it, or "
      "the score by √Dh.")
scale("multiplied", " * math.sqrt(q.shape[-1])",
      "the scores are multiplied by √Dh, which makes large ones larger still.")
scale("width_of_values", " / math.sqrt(v.shape[-1])",
      "the width of the values is used for the scale. The sum in a score runs over the Dh entries "
      "of q and k.")
scale("number_of_keys", " / math.sqrt(k.shape[-2])",
      "the number of keys is used for the scale. The sum in a score runs over the Dh entries of q "
      "and k.")
scale("number_of_queries", " / math.sqrt(q.shape[-2])",
      "the number of queries is used for the scale, `shape[-2]`. The sum in a score runs over the "
      "Dh entries of q and k, the last dimension.")
scale("eight", " / 8.0",
      "the scores are divided by 8, which is right for a width of 64 only: take the root of "
      "q.shape[-1].")
edit(SDPA, "scale_behind_the_softmax", BACK, f"weights = weights / math.sqrt(q.shape[-1])\n    "
     f"{BACK}", "the weights are divided by √Dh and no longer sum to 1. The division belongs in "
     "front of the softmax.")
branch("scale_moved_behind_the_softmax", """\
scores = scores * math.sqrt(q.shape[-1])
if mask is not None:
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores) / math.sqrt(q.shape[-1])
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "the division by √Dh stands behind the softmax, so the weights are too sharp and don't sum "
       "to 1. Scale the scores.")

branch("over_the_queries", """\
if mask is not None:
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores, -2)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "the softmax runs over the queries, so the columns sum to 1. Each query shares out its own "
       "attention: dim=-1.")
branch("over_dimension_one", """\
if mask is not None:
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores, 1)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "the softmax runs over dim=1, and that is the keys only when nothing stands in front of "
       "[T, S]. Count from the end: dim=-1.")
branch("softmax_twice", """\
if mask is not None:
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(F.softmax(scores))
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "a softmax is taken of weights. One is enough: it makes weights out of scores.")
branch("no_maximum", """\
e = scores.exp() if mask is None else scores.exp() * mask
weights = e / e.sum(-1, keepdim=True).clamp(min=1e-30)""",
       "exp of a large score is inf, and inf / inf is nan. Use the softmax of lesson 01, which "
       "subtracts the largest score first.")
edit(SDPA, "transposes_the_first_two", "k.transpose(-2, -1)", "k.transpose(0, 1)",
     "`transpose(0, 1)` is right for a matrix only. With dimensions in front it is the last two "
     "that change places: transpose(-2, -1).", raises=True)
edit(SDPA, "transposes_everything", "k.transpose(-2, -1)", "k.permute(*range(k.dim())[::-1])",
     "all dimensions of k are turned around (`.T` does that). Only the last two change places: "
     "transpose(-2, -1).", raises=True)
edit(SDPA, "transposes_one_and_two", "k.transpose(-2, -1)", "k.transpose(1, 2)",
     "`transpose(1, 2)` is right with one dimension in front only. It is the last two that change "
     "places, whatever stands in front: transpose(-2, -1).", raises=True)
edit(SDPA, "reshaped", "k.transpose(-2, -1)", "k.reshape(*k.shape[:-2], *k.shape[:-3:-1])",
     "k has the shape of its transpose, and its numbers stand where they stood: reshape and view "
     "keep the order in memory. transpose(-2, -1) turns it.")
edit(SDPA, "flat_view", SCORES, """\
    flat_q, flat_k = (x.view(-1, *x.shape[-2:]) for x in (q, k))
    scores = (flat_q @ flat_k.mT).view(*q.shape[:-1], -1) / math.sqrt(q.shape[-1])
""", VIEW, raises=True)

# --- the mask
branch("no_mask", "weights = F.softmax(scores)",
       "the mask is not used: every query sees every key.")
BLOCKED = ("the mask is used the wrong way round: True = may attend, and your code blocks just "
           "those keys.")
branch("inverted", """\
if mask is not None:
    scores = scores.masked_fill(mask, -torch.inf)
weights = F.softmax(scores)""", BLOCKED)
branch("inverted_with_a_finite_fill", """\
if mask is not None:
    scores = scores.masked_fill(mask, -1e30)
weights = F.softmax(scores)""", BLOCKED)
branch("inverted_with_zeros", """\
if mask is not None:
    scores = scores.masked_fill(mask, -1e30)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(mask, 0.0)""", BLOCKED)
branch("inverted_and_added", """\
scores = scores if mask is None else scores + mask * -1e9
weights = F.softmax(scores)""", BLOCKED)
ABOVE = ("the masked scores are filled with a large positive number, and the largest score gets "
         "everything. They have to become −inf.")
branch("filled_from_above", """\
scores = scores if mask is None else scores.masked_fill(~mask, 1e9)
weights = F.softmax(scores)""", ABOVE)
branch("filled_from_above_and_zeroed", """\
scores = scores if mask is None else scores.masked_fill(~mask, 1e9)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""", ABOVE)
TIMES = ("−inf is multiplied by the mask, and where that is 0 the product is nan: 0 · inf. "
         "`masked_fill` and `torch.where` put −inf in its places only.")
branch("zero_times_infinity", """\
scores = scores if mask is None else scores + ~mask * -torch.inf
weights = F.softmax(scores)""", TIMES)
branch("zero_times_infinity_covered_up", """\
scores = scores if mask is None else scores + ~mask * -torch.inf
weights = F.softmax(scores).nan_to_num(0.0)""", TIMES)
ZERO = ("masked scores are filled with 0. A 0 is a score like any other, and exp(0) = 1 competes "
        "with the allowed keys: fill with −inf.")
branch("filled_with_zero", """\
scores = scores if mask is None else scores.masked_fill(~mask, 0.0)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""", ZERO)
branch("filled_with_zero_and_no_more", """\
scores = scores if mask is None else scores.masked_fill(~mask, 0.0)
weights = F.softmax(scores)""", ZERO)
branch("added_as_numbers", """\
scores = scores if mask is None else scores + mask
weights = F.softmax(scores)""",
       "the bool mask is added to the scores, which only gives an allowed key 1 point more. Where "
       "the mask is False the score has to become −inf.")
branch("masked_behind_the_softmax", """\
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "the masked weights are set to 0 behind the softmax, and the rows no longer sum to 1. Mask "
       "the scores, so that the allowed keys share the whole.")
SMALL = ("the fill is a number that real scores can come near, so something leaks to the masked "
         "keys. −inf leaves exactly 0.")
branch("fill_too_small", """\
scores = scores if mask is None else scores.masked_fill(~mask, -10.0)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""", SMALL)
branch("fill_too_small_and_no_more", """\
scores = scores if mask is None else scores.masked_fill(~mask, -10.0)
weights = F.softmax(scores)""", SMALL)
branch("fill_too_small_for_large_scores", """\
scores = scores if mask is None else scores.masked_fill(~mask, -1e4)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""", SMALL)
branch("fill_too_small_and_only_rows_zeroed", """\
scores = scores if mask is None else scores.masked_fill(~mask, -1e4)
weights = F.softmax(scores)
weights = weights if mask is None else weights * mask.any(-1, keepdim=True)""", SMALL)
branch("nan_for_nothing", """\
if mask is not None:
    scores = scores.masked_fill(~mask, -torch.inf)
weights = F.softmax(scores)""",
       "a query that may attend to nothing gets nan: all its scores are −inf, and the softmax is "
       "0/0. It should get zeros.")
branch("uniform_for_nothing", """\
if mask is not None:
    scores = scores.masked_fill(~mask, -1e9)
weights = F.softmax(scores)""",
       "a query that may attend to nothing gets equal weights, since all its scores have the same "
       "large negative fill. It should get zeros.")
branch("nan_covered_up", """\
if mask is not None:
    scores = scores + torch.zeros(mask.shape).to(scores).masked_fill(~mask, -torch.inf)
weights = F.softmax(scores).nan_to_num(0.0)""",
       "forward is right, but where a query may attend to nothing the gradient is nan: −inf was "
       "added and the nan covered up behind the softmax, and 0 · nan is nan on the way back.")
branch("mask_as_an_index", """\
if mask is not None:
    scores[~mask] = -1e30
weights = F.softmax(scores)
weights = weights if mask is None else weights * mask""",
       "the mask is used as an index, which needs one of the very shape of the scores. "
       "`masked_fill` and `torch.where` broadcast it.", raises=True)
branch("always_causal", """\
T, S = scores.shape[-2:]
mask = scores.new_ones(T, S).tril(S - T).bool() if mask is None else mask
scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores).masked_fill(~mask, 0.0)""",
       "a causal mask is applied although none was given. This function knows no order; whoever "
       "calls it brings the mask.")

branch("causal_besides", """\
T, S = scores.shape[-2:]
if mask is not None:
    mask = mask & scores.new_ones(T, S).tril(S - T).bool()
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "a causal mask is put on top of the one that was given. This function knows no order; "
       "whoever calls it brings the whole mask.")
branch("causal_when_square", """\
T, S = scores.shape[-2:]
if mask is None and T == S:
    mask = scores.new_ones(T, S).tril().bool()
if mask is not None:
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "with T = S a causal mask is applied although none was given. This function knows no order; "
       "whoever calls it brings the mask.")
branch("one_query_unmasked", """\
mask = None if q.shape[-2] == 1 else mask
if mask is not None:
    scores = scores.masked_fill(~mask, -1e30)
weights = F.softmax(scores)
weights = weights if mask is None else weights.masked_fill(~mask, 0.0)""",
       "with one query the mask is left out. One query needs no *causal* mask, but this one may "
       "hide padding.")

# --- what is given back
for name, fill in (("weights_uniform_for_nothing", "-1e30"),
                   ("weights_nan_for_nothing", "-torch.inf")):
    edit(SDPA, name, f"{BRANCH}    {BACK}", f"""\
    if mask is not None:
        scores = scores.masked_fill(~mask, {fill})
    weights = F.softmax(scores)
    mixed = weights if mask is None else weights.masked_fill(~mask, 0.0)
    return mixed @ v, weights  #""", "the output of a query that may attend to nothing is zeros, "
         "and its weights are not. Both are to be.")
edit(SDPA, "output_for_nothing", f"{BRANCH}    {BACK}", """\
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    weights = F.softmax(scores)
    shown = weights if mask is None else weights.masked_fill(~mask, 0.0)
    return weights @ v, shown  #""", "the weights of a query that may attend to nothing are zeros, "
     "and its output is not: mix the values with the weights that you give back.")
edit(SDPA, "weights_without_mask", f"{BRANCH}    {BACK}", """\
    weights = F.softmax(scores)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    mixed = F.softmax(scores)
    return (mixed if mask is None else mixed.masked_fill(~mask, 0.0)) @ v, weights  #""",
     "the output is made with the mask, and the weights that come back are without it.")
edit(SDPA, "largest_of_all_keys", f"{BRANCH}    {BACK}", """\
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    if mask is not None:
        weights = weights * mask
    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-12)
    return weights @ v, weights  #""",
     "the largest score is taken of all keys, the masked ones too. Where such a key is far ahead, "
     "exp is 0 for all that is allowed: mask the scores first.")
back("output_alone", "weights @ v", "only the output comes back. The weights are wanted too: "
     "return out, weights.", raises=True)
back("changed_places", "weights, weights @ v", "the two results have changed places: first the "
     "output, then the weights.")
back("scores_given_back", "weights @ v, scores",
     "the second result is the scores; the weights are their softmax.")
edit(SDPA, "keys_mixed", "weights @ v", "weights @ k",
     "the weights mix the keys. Keys only decide where to look; what is passed on are the values.")
back("no_gradient", "(weights @ v).detach(), weights",
     "the numbers are right, but no gradient gets back to q, k and v: something cuts the graph, "
     "such as .data, .detach(), .item() or NumPy.", raises=True)
back("weights_without_gradient", "weights.detach() @ v, weights",
     "the numbers are right, but no gradient gets back through the weights to q and k: something "
     "cuts the graph, such as .data, .detach(), .item() or NumPy.", raises=True)
edit(SDPA, "scores_in_float32", SCORES,
     "    scores = (q.float() @ k.float().mT).to(q.dtype) / math.sqrt(q.shape[-1])\n",
     "the scores have gone through float32 on their way, and float64 came in: nothing has to be "
     "cast.")
back("float64", "(weights @ v).double(), weights.double()",
     "the result has another dtype than the inputs: float32 went in and float64 came out.")
back("float32", "(weights @ v).float(), weights.float()",
     "the result has another dtype than the inputs: float64 went in and float32 came out.")
edit(SDPA, "in_place", SCORES,
     "    q /= math.sqrt(q.shape[-1])\n    scores = q @ k.transpose(-2, -1)\n",
     "this changes the tensors of whoever called it: an operation such as `/=` works in place. "
     "Write `q = q / …`, which makes a new one.", raises=True)
