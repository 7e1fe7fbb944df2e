"""Known wrong answers on the turn itself and on the two layouts."""

import torch

from .. import edit, mistake

APPLY, ORDER = "rope.apply_rope", "rope.half_split_order"
PAIR = "a * cos - b * sin, a * sin + b * cos"


def swap(name: str, new: str, message: str, raises: bool = False) -> None:
    """`apply_rope` with other arithmetic for a pair."""
    edit(APPLY, name, PAIR, new, message, raises)


swap("backwards", "a * cos + b * sin, b * cos - a * sin",
     "every pair turns the other way, by −mθ. Scores still depend on the distance, but on m − n: "
     "the model would take before for after.")
swap("both_plus", "a * cos + b * sin, a * sin + b * cos",
     "this does not keep lengths: one of the two sines needs a minus, the one in the first member "
     "of a pair.")
swap("both_minus", "a * cos - b * sin, b * cos - a * sin",
     "this does not keep lengths: one of the two sines has a minus, not both.")
swap("second_minus", "a * cos - b * sin, a * sin - b * cos",
     "the second member has lost its plus: at position 0 it has to stay b, and this gives −b.")
swap("sin_and_cos_swapped", "a * sin - b * cos, a * cos + b * sin",
     "sine and cosine have changed places: at position 0 nothing may turn.")
swap("members_swapped", "a * sin + b * cos, a * cos - b * sin",
     "the two members of every pair come back in each other's place. At position 0 the result has "
     "to be x.")
swap("second_member_first", "b * cos - a * sin, b * sin + a * cos",
     "the second number of each pair was taken as its first. At position 0 the result has to be "
     "x.")
swap("halves_backwards", "(a * cos - b * sin, a * sin + b * cos) if interleaved else "
     "(a * cos + b * sin, b * cos - a * sin)",
     "with interleaved=False every pair turns the other way, by −mθ; neighbours are right. The "
     "minus stands in the first member of a pair in both layouts.")
swap("neighbours_backwards", "(a * cos + b * sin, b * cos - a * sin) if interleaved else "
     "(a * cos - b * sin, a * sin + b * cos)",
     "neighbours turn the other way, by −mθ; the halves are right. The minus stands in the first "
     "member of a pair in both layouts.")
swap("own_member", "a * cos - a * sin, b * sin + b * cos",
     "each member is mixed with itself. The sine brings in the other member of the pair: −b sin "
     "into the first, a sin into the second.")
swap("sine_alone", "-b * sin, a * sin",
     "the part with the cosine is missing: at position 0 nothing would be left of x.")
swap("cosine_only", "a * cos, b * cos",
     "the numbers are scaled by cos, not turned: each member of a turned pair takes a part of the "
     "other, with sin.")
swap("added", "a + sin, b + cos",
     "the table is added, as sinusoidal positions are. RoPE turns: it multiplies, and keeps the "
     "length.")
swap("second_from_turned", "(t := a * cos - b * sin), t * sin + b * cos",
     "the second member is computed from the first one *after* it was turned. Keep the old a until "
     "both are done.")

edit(APPLY, "back_in_halves", "torch.stack(pair, -1).flatten(-2) if interleaved else "
     "torch.cat(pair, -1)", "torch.cat(pair, -1)",
     "neighbours were taken out as pairs, and all first members were put back before all second "
     "ones. At position 0 the result has to be x.")
edit(APPLY, "back_interleaved", "torch.stack(pair, -1).flatten(-2) if interleaved else "
     "torch.cat(pair, -1)", "torch.stack(pair, -1).flatten(-2)",
     "with interleaved=False the pairs (i, i + w) come back as neighbours. Put them back where "
     "they were taken from.")
edit(APPLY, "always_halves", "if interleaved", "if False",
     "the pairs are (i, i + w) whatever `interleaved` says. By default neighbours are a pair: "
     "x[..., 0::2] with x[..., 1::2].")
edit(APPLY, "always_neighbours", "if interleaved", "if True",
     "the pairs are neighbours whatever `interleaved` says. interleaved=False pairs i with i + w.")
edit(APPLY, "switched", "if interleaved", "if not interleaved",
     "the two layouts have changed places: interleaved=True means neighbours.")


@mistake(APPLY, "angles laid out for neighbours, and a rotation of halves: the two layouts are "
         "mixed, so that most pairs turn by two different angles. Lengths are not kept.")
def mixed_layouts(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
                  ) -> torch.Tensor:
    w = cos.shape[-1]
    turning, rest = x[..., :2 * w], x[..., 2 * w:]
    if not interleaved:
        a, b = turning[..., :w], turning[..., w:]
        turned = torch.cat([a * cos - b * sin, a * sin + b * cos], -1)
    else:
        half = torch.cat([-turning[..., w:], turning[..., :w]], -1)
        turned = (turning * cos.repeat_interleave(2, -1) + half * sin.repeat_interleave(2, -1))
    return torch.cat([turned.to(x.dtype), rest], -1)


@mistake(APPLY, "angles laid out for halves, and a rotation of neighbours: the two layouts are "
         "mixed, so that most pairs turn by two different angles. Lengths are not kept.")
def angles_of_halves(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                     interleaved: bool = True) -> torch.Tensor:
    w = cos.shape[-1]
    cos, sin = torch.cat([cos, cos], -1), torch.cat([sin, sin], -1)
    turning, rest = x[..., :2 * w], x[..., 2 * w:]
    if interleaved:
        partner = torch.stack([-turning[..., 1::2], turning[..., ::2]], -1).flatten(-2)
    else:
        partner = torch.cat([-turning[..., w:], turning[..., :w]], -1)
    return torch.cat([(turning * cos + partner * sin).to(x.dtype), rest], -1)


@mistake(APPLY, "neighbours are right, but with interleaved=False the angles are still laid out "
         "for neighbours: each stands twice in a row, and partners turn by two different ones.")
def angles_of_neighbours(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                         interleaved: bool = True) -> torch.Tensor:
    w = cos.shape[-1]
    cos, sin = cos.repeat_interleave(2, -1), sin.repeat_interleave(2, -1)
    turning, rest = x[..., :2 * w], x[..., 2 * w:]
    if interleaved:
        partner = torch.stack([-turning[..., 1::2], turning[..., ::2]], -1).flatten(-2)
    else:
        partner = torch.cat([-turning[..., w:], turning[..., :w]], -1)
    return torch.cat([(turning * cos + partner * sin).to(x.dtype), rest], -1)


edit(APPLY, "taken_as_neighbours", "turning[..., :w], turning[..., w:]",
     "turning[..., 0::2], turning[..., 1::2]",
     "with interleaved=False neighbours are taken out as pairs and put back in halves. Take i with "
     "i + w.")
edit(APPLY, "every_pair", "turning, rest = x[..., : 2 * w], x[..., 2 * w :]",
     "w = x.shape[-1] // 2\n    turning, rest = x[..., : 2 * w], x[..., 2 * w :]",
     "the whole head is cut into pairs, and the tables have fewer columns than that. Only the "
     "first 2w numbers turn; w is the width of the tables.", raises=True)
edit(APPLY, "halves_of_the_whole", "turning[..., :w], turning[..., w:]",
     "x[..., :w], x[..., x.shape[-1] // 2:x.shape[-1] // 2 + w]",
     "in halves the partner of i is i + w. You took i + Dh/2, which is the same only when every "
     "pair turns.")
@mistake(APPLY, "the pairs of the halves are taken over the whole head, i with i + Dh/2, although "
         "only the first 2w numbers turn. The partner of i is i + w.")
def halves_of_the_head(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                       interleaved: bool = True) -> torch.Tensor:
    w, half = cos.shape[-1], x.shape[-1] // 2
    first, second = (slice(0, 2 * w, 2), slice(1, 2 * w, 2)) if interleaved else (
        slice(0, w), slice(half, half + w))
    out = x.clone()
    out[..., first] = (x[..., first] * cos - x[..., second] * sin).to(x.dtype)
    out[..., second] = (x[..., first] * sin + x[..., second] * cos).to(x.dtype)
    return out


edit(APPLY, "always_float32", "turning, rest = x[..., : 2 * w], x[..., 2 * w :]",
     "cos, sin = cos.float(), sin.float()\n    turning, rest = x[..., : 2 * w].float(), x[..., 2 * "
     "w :]",
     "the turn is computed in float32 although x is float64, and half of the digits are lost. Only "
     "types narrower than float32 need to be widened.")
edit(APPLY, "rest_lost", "torch.cat([turned.to(x.dtype), rest], -1)", "turned.to(x.dtype)",
     "the numbers that do not turn are gone. The first 2w turn, the other Dh − 2w pass through.")
edit(APPLY, "rest_zero", "torch.cat([turned.to(x.dtype), rest], -1)",
     "torch.cat([turned.to(x.dtype), 0 * rest], -1)",
     "the numbers that do not turn have become 0. They pass through unchanged.")
edit(APPLY, "rest_first", "torch.cat([turned.to(x.dtype), rest], -1)",
     "torch.cat([rest, turned.to(x.dtype)], -1)",
     "what passes through has moved to the front. The first 2w numbers turn, and everything keeps "
     "its place.")
edit(APPLY, "last_dims_turn", "turning, rest = x[..., : 2 * w], x[..., 2 * w :]",
     "turning, rest = x[..., x.shape[-1] - 2 * w :], x[..., : x.shape[-1] - 2 * w]",
     "the last 2w numbers were turned. With fewer pairs than Dh/2 it is the first 2w that turn.")
@mistake(APPLY, "the last 2w numbers were turned. With fewer pairs than Dh/2 it is the first 2w "
         "that turn.")
def last_numbers_turn(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                      interleaved: bool = True) -> torch.Tensor:
    w = cos.shape[-1]
    rest, turning = x[..., :x.shape[-1] - 2 * w], x[..., x.shape[-1] - 2 * w:]
    a, b = (turning[..., 0::2], turning[..., 1::2]) if interleaved else turning.chunk(2, -1)
    pair = a * cos - b * sin, a * sin + b * cos
    turned = torch.stack(pair, -1).flatten(-2) if interleaved else torch.cat(pair, -1)
    return torch.cat([rest, turned.to(x.dtype)], -1)


edit(APPLY, "dtype_of_the_tables", "turned.to(x.dtype)", "turned",
     "bfloat16 goes in and float32 comes out, because the tables are float32. Cast the result back "
     "to the dtype of x.")
edit(APPLY, "no_gradient", "turned.to(x.dtype)", "turned.detach().to(x.dtype)",
     "the numbers are right, but no gradient gets back to x: something cuts the graph, such as "
     ".data, .detach() or NumPy.", raises=True)


edit(APPLY, "x_detached", "turning, rest = x", "x = x.detach()\n    turning, rest = x",
     "the numbers are right, but no gradient gets back to x: something cuts the graph, such as "
     ".data, .detach() or NumPy.", raises=True)


@mistake(APPLY, "this changes the queries of whoever called it: `x[..., 0::2] = …` writes into x. "
         "Build a new tensor.", raises=True)
def in_place(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
             ) -> torch.Tensor:
    w = cos.shape[-1]
    first, second = (slice(0, 2 * w, 2), slice(1, 2 * w, 2)) if interleaved else (
        slice(0, w), slice(w, 2 * w))
    a, b = x[..., first].clone(), x[..., second].clone()
    x[..., first], x[..., second] = a * cos - b * sin, a * sin + b * cos
    return x


@mistake(APPLY, "the table is laid along the dimension before T, as if x were [B, T, H, Dh]. In "
         "[..., T, Dh] it lines up with the last two dimensions by itself.", raises=True)
def along_the_heads(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
                    ) -> torch.Tensor:
    w = cos.shape[-1]
    cos, sin = cos[:, None, :], sin[:, None, :]
    turning, rest = x[..., :2 * w], x[..., 2 * w:]
    a, b = (turning[..., 0::2], turning[..., 1::2]) if interleaved else turning.chunk(2, -1)
    pair = a * cos - b * sin, a * sin + b * cos
    turned = torch.stack(pair, -1).flatten(-2) if interleaved else torch.cat(pair, -1)
    return torch.cat([turned.to(x.dtype), rest], -1)


edit(APPLY, "first_position_for_all", PAIR,
     "a * cos[:1] - b * sin[:1], a * sin[:1] + b * cos[:1]",
     "all positions turn by the angle of the first. Row t of the tables belongs to position t of "
     "x.")


@mistake(APPLY, "a leading dimension of 1 is lost: a single text, or a text of one head, is [1, …] "
         "and has to stay so. squeeze drops every such dimension.")
def single_texts_squeezed(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                          interleaved: bool = True) -> torch.Tensor:
    w = cos.shape[-1]
    first, second = (slice(0, 2 * w, 2), slice(1, 2 * w, 2)) if interleaved else (
        slice(0, w), slice(w, 2 * w))
    out = x.clone()
    out[..., first] = (x[..., first] * cos - x[..., second] * sin).to(x.dtype)
    out[..., second] = (x[..., first] * sin + x[..., second] * cos).to(x.dtype)
    return out.squeeze(0)


@mistake(APPLY, "the numbers are right, but no gradient gets back to those that pass through: they "
         "are cut out of the graph, by .data, .detach() or NumPy.")
def rest_detached(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = True
                  ) -> torch.Tensor:
    w = cos.shape[-1]
    turning, rest = x[..., :2 * w], x[..., 2 * w:].detach()
    a, b = (turning[..., 0::2], turning[..., 1::2]) if interleaved else turning.chunk(2, -1)
    pair = a * cos - b * sin, a * sin + b * cos
    turned = torch.stack(pair, -1).flatten(-2) if interleaved else torch.cat(pair, -1)
    return torch.cat([turned.to(x.dtype), rest], -1)


edit(ORDER, "the_way_back", "pairs = torch.arange(Dh).view(Dh // 2, 2)",
     "pairs = torch.arange(Dh).view(2, Dh // 2)",
     "this is the way back, from halves to neighbours. x[..., order] has to begin with the numbers "
     "0, 2, 4, … of x.")
edit(ORDER, "unchanged", "pairs.T.flatten()", "pairs.flatten()",
     "nothing changes its place. The first members of all pairs come first, then the second ones.")
edit(ORDER, "second_members_first", "pairs.T.flatten()", "pairs.flip(1).T.flatten()",
     "the second members of the pairs come first: their partner would then turn the wrong way.")
edit(ORDER, "swapped_in_pairs", "pairs.T.flatten()", "pairs.flip(1).flatten()",
     "the two members of each pair have changed places, and they are still neighbours.")
edit(ORDER, "ends_meet", "pairs.T.flatten()",
     "torch.cat([torch.arange(0, Dh, 2), torch.arange(1, Dh, 2).flip(0)])",
     "the second half runs backwards, so that partner i stands at Dh − 1 − i. It stands at i + "
     "Dh/2.")
edit(ORDER, "first_members_alone", "pairs.T.flatten()", "pairs.T[0]",
     "the first members of the pairs are there, and the second ones are gone. All Dh places are "
     "asked for.")
edit(ORDER, "two_rows", "pairs.T.flatten()", "pairs.T",
     "the two halves are two rows here. One row of Dh whole numbers is asked for: `flatten()`.")
edit(ORDER, "counted_round", "pairs.T.flatten()", "2 * torch.arange(Dh) % Dh",
     "the even places come twice, and the odd ones never. The second half is 1, 3, 5, …")
edit(ORDER, "from_one", "pairs.T.flatten()", "pairs.T.flatten() + 1",
     "places are counted from 1. The first number of a head is number 0.")
edit(ORDER, "a_list", "pairs.T.flatten()", "pairs.T.flatten().tolist()",
     "the order is right, but this is a list. A tensor is asked for: torch.tensor(…).")
edit(ORDER, "halves_swapped", "pairs.T.flatten()", "torch.arange(Dh).roll(Dh // 2)",
     "the two halves of the head have changed places. Pairs of neighbours are to be pulled apart: "
     "even places first, then odd ones.")
edit(ORDER, "one_hot", "pairs.T.flatten()", "torch.eye(Dh)[pairs.T.flatten()]",
     "this is the permutation as a matrix. The order itself is asked for, [Dh] whole numbers, for "
     "indexing.", raises=True)
