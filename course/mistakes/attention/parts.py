"""Known wrong answers to split_heads, merge_heads and repeat_kv."""

import torch

from .. import edit, mistake

SPLIT, MERGE = "attention.split_heads", "attention.merge_heads"
REPEAT = "attention.repeat_kv"
REPEATED = """\
    B, Hkv, S, Dh = x.shape
    copies = x.unsqueeze(2).expand(B, Hkv, n_rep, S, Dh)  # a view: nothing is copied yet
    return copies.reshape(B, Hkv * n_rep, S, Dh)  # (B, H, S, Dh)"""


@mistake(SPLIT, "the shape is right and the content is not: head 0 holds all columns of the first "
         "tokens. Cut the width alone, [B, T, H, Dh], then move H to the front.")
def view_alone(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.reshape(B, n_head, T, D // n_head)


@mistake(SPLIT, "this is [B, T, H, Dh]: the width is cut, but the heads still stand behind the "
         "positions. Attention multiplies the last two dimensions, which have to be T and Dh.")
def no_transpose(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.reshape(B, T, n_head, D // n_head)


@mistake(SPLIT, "head h got every H-th column (h, h + H, …). The width is cut as H pieces of Dh "
         "columns that stand side by side: H comes before Dh in the view.")
def every_hth_column(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.reshape(B, T, D // n_head, n_head).permute(0, 3, 1, 2)


@mistake(SPLIT, "these are D / H heads of width H: the number of heads and their width have "
         "changed places.")
def width_for_number(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.reshape(B, T, D // n_head, n_head).transpose(1, 2)


@mistake(SPLIT, "the positions and the columns of a head have changed places, [B, H, Dh, T]. That "
         "is what the scores need of the keys later; here it is [B, H, T, Dh].")
def transposed_heads(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.reshape(B, T, n_head, D // n_head).permute(0, 2, 3, 1)


@mistake(SPLIT, "the heads have become part of the batch, [B·H, T, Dh]. Keep them as a dimension "
         "of their own: [B, H, T, Dh].")
def heads_in_the_batch(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.reshape(B, T, n_head, D // n_head).transpose(1, 2).reshape(B * n_head, T, -1)


@mistake(SPLIT, "the heads stand before the batch, [H, B, T, Dh]. The batch stays in front.")
def heads_first(x: torch.Tensor, n_head: int) -> torch.Tensor:
    return torch.stack(x.chunk(n_head, -1))


@mistake(SPLIT, "T and H have kept their places and Dh and H have changed theirs, [B, T, Dh, H]. "
         "It is the positions and the heads that change places: dimensions 1 and 2.")
def last_two_swapped(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.reshape(B, T, n_head, D // n_head).transpose(2, 3)


@mistake(SPLIT, "the columns were moved in front of the positions before the cut, so a head's rows "
         "are columns of x, cut anew. Cut first, [B, T, H, Dh], then transpose.")
def transposed_before_the_cut(x: torch.Tensor, n_head: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.transpose(1, 2).reshape(B, n_head, T, D // n_head)


edit(SPLIT, "squeezed", "x.transpose(1, 2)", "x.transpose(1, 2).squeeze(0)",
     "the batch is gone where it has one text: squeeze drops a dimension of size 1. The result "
     "always has four dimensions.")
edit(SPLIT, "no_gradient", "x.transpose(1, 2)", "x.data.transpose(1, 2)",
     "the numbers are right, but no gradient gets back to x: something cuts the graph, such as "
     ".data, .detach() or NumPy.", raises=True)
edit(SPLIT, "float32", "x.transpose(1, 2)", "x.float().transpose(1, 2)",
     "the result has another dtype than x. Nothing is computed here, so nothing has to be cast.")


@mistake(MERGE, "the shape is right and the content is not: without the transpose a token is made "
         "of pieces of several tokens. Bring T before H first, then join H and Dh.")
def no_transpose_back(x: torch.Tensor) -> torch.Tensor:
    B, H, T, Dh = x.shape
    return x.reshape(B, T, H * Dh)


edit(MERGE, "view", "x.reshape", "x.view",
     "after a transpose the numbers no longer lie in memory in the order that one row needs, and "
     "view never copies. reshape copies where it has to; so does contiguous() before view.",
     raises=True)


@mistake(MERGE, "the heads are back behind the positions, [B, T, H, Dh], but not joined yet: the "
         "last two dimensions become one.")
def not_joined(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(1, 2)


@mistake(MERGE, "the columns of the heads are shuffled into each other: first column 0 of every "
         "head, then column 1 … Keep a head's columns side by side: [B, T, H, Dh], H before Dh.")
def columns_shuffled(x: torch.Tensor) -> torch.Tensor:
    return x.permute(0, 2, 3, 1).flatten(2)


@mistake(MERGE, "the heads are averaged, which leaves a width of Dh. Each head keeps columns of "
         "its own; out_proj mixes them later.")
def averaged(x: torch.Tensor) -> torch.Tensor:
    return x.mean(1)


@mistake(MERGE, "the heads are added up, which leaves a width of Dh. Each head keeps columns of "
         "its own; out_proj mixes them later.")
def added(x: torch.Tensor) -> torch.Tensor:
    return x.sum(1)


@mistake(MERGE, "the heads stand one below the other, [B, H·T, Dh], as if they were tokens. They "
         "belong side by side: [B, T, H·Dh].")
def one_below_the_other(x: torch.Tensor) -> torch.Tensor:
    return x.flatten(1, 2)


@mistake(MERGE, "the whole batch has become one text, [B·T, D]. Join the last two dimensions only.")
def one_text(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(1, 2).flatten(2).flatten(0, 1)


@mistake(MERGE, "T and Dh have changed places, so the columns of a head lie in the wrong order, "
         "and tokens are mixed. Heads and positions change places: dimensions 1 and 2.")
def last_two_swapped_back(x: torch.Tensor) -> torch.Tensor:
    B, H, T, Dh = x.shape
    return x.transpose(2, 3).reshape(B, T, H * Dh)


@mistake(MERGE, "this is [B, H, T·Dh]: positions and columns are joined, and the number of heads "
         "stands where T belongs. x comes as [B, H, T, Dh], in this order.")
def sizes_swapped(x: torch.Tensor) -> torch.Tensor:
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, H, T * Dh)


@mistake(MERGE, "this is [B, T·D]: the positions are joined as well. Join from dimension 2 on.")
def positions_joined_too(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(1, 2).flatten(1)


edit(MERGE, "squeezed", "x.transpose(1, 2)  # (B, T, H, Dh)\n    return x.reshape(B, T, H * Dh)",
     "x.transpose(1, 2)\n    return x.reshape(B, T, H * Dh).squeeze(0)",
     "the batch is gone where it has one text: squeeze drops a dimension of size 1. The result "
     "always has three dimensions.")
edit(MERGE, "no_gradient", "x.transpose(1, 2)", "x.data.transpose(1, 2)",
     "the numbers are right, but no gradient gets back to the heads: something cuts the graph, "
     "such as .data, .detach() or NumPy.", raises=True)
edit(MERGE, "float32", "x.transpose(1, 2)", "x.float().transpose(1, 2)",
     "the result has another dtype than the heads. Nothing is computed here, so nothing has to be "
     "cast.")


@mistake(REPEAT, "the whole list of heads is repeated (0, 1, 0, 1, …), so a query head gets the "
         "key head h mod Hkv. It has to be h // n_rep: 0, 0, …, 1, 1, …, which repeat_interleave "
         "gives.")
def tiled(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    return x.repeat(1, n_rep, 1, 1)


def repeat(name: str, right: str, message: str, raises: bool = False) -> None:
    """Another expression in place of the whole answer."""
    edit(REPEAT, name, REPEATED, f"    return {right}", message, raises)


repeat("positions", "x.repeat_interleave(n_rep, dim=2)",
     "the positions are repeated, not the heads: in [B, Hkv, S, Dh] the heads are dimension 1.")
repeat("texts", "x.repeat_interleave(n_rep, dim=0)",
     "the texts of the batch are repeated, not the heads: in [B, Hkv, S, Dh] the heads are "
     "dimension 1.")
repeat("columns", "x.repeat_interleave(n_rep, dim=-1)",
     "the columns of each head are repeated, which makes the heads wider. Repeat the heads "
     "themselves, dimension 1.")
repeat("flat", "x.repeat_interleave(n_rep)",
     "without `dim`, repeat_interleave flattens x and repeats single numbers. The heads are "
     "dimension 1.")


@mistake(REPEAT, "the copies have a dimension of their own, [B, Hkv, n_rep, S, Dh]. Join it with "
         "the heads, by reshape: [B, Hkv·n_rep, S, Dh].")
def not_joined_yet(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    B, Hkv, S, Dh = x.shape
    return x.unsqueeze(2).expand(B, Hkv, n_rep, S, Dh)


@mistake(REPEAT, "the whole batch is repeated and then cut anew, so heads of one text end up in "
         "another. Repeat along dimension 1, the heads; the batch stays as it is.")
def into_the_batch(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    B, Hkv, S, Dh = x.shape
    return x.repeat(n_rep, 1, 1, 1).reshape(B, Hkv * n_rep, S, Dh)


repeat("only_the_first", "x[:, :1].expand(-1, x.shape[1] * n_rep, -1, -1)",
       "all query heads get key head 0. Query head h uses key head h // n_rep.")
repeat("shared_out", "x.repeat_interleave(n_rep, dim=1) / n_rep",
     "each copy is divided by n_rep. The query heads all read the same, whole keys; nothing is "
     "shared out.")
repeat("as_it_was", "x.clone()",
     "there are still Hkv heads. Every query head needs one to multiply with: Hkv · n_rep.")
repeat("squeezed", "x.repeat_interleave(n_rep, dim=1).squeeze(0)",
     "the batch is gone where it has one text: squeeze drops a dimension of size 1. The result "
     "always has four dimensions.")
repeat("no_gradient", "x.data.repeat_interleave(n_rep, dim=1)",
     "the numbers are right, but no gradient gets back to the keys: something cuts the graph, such "
     "as .data, .detach() or NumPy.", raises=True)
edit(REPEAT, "cut_when_alone", "        return x\n", "        return x.detach()\n",
     "with n_rep = 1 the numbers are right and no gradient gets back to the keys. That case is no "
     "other: hand x on as it is.", raises=True)
repeat("float32", "x.float().repeat_interleave(n_rep, dim=1)",
     "the result has another dtype than x. Nothing is computed here, so nothing has to be cast.")


@mistake(REPEAT, "the numbers are right, but only the first copy passes a gradient back. All n_rep "
         "query heads use the key head, and their gradients add up.")
def first_copy_only(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    B, Hkv, S, Dh = x.shape
    copies = [x] + [x.detach()] * (n_rep - 1)
    return torch.stack(copies, 2).reshape(B, Hkv * n_rep, S, Dh)
