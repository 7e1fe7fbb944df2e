"""Known wrong answers to the functions of lesson 03 in `minillm.functional`."""

import math

from .. import edit, mistake

EMBED, GRAD = "functional.embedding", "functional.embedding_grad"
PPL, BPB = "functional.perplexity", "functional.bits_per_byte"

edit(EMBED, "columns", "weight[ids]", "weight.T[ids.clamp(max=weight.shape[1] - 1)]",
     "columns of the table are taken. Row i belongs to id i.")
edit(EMBED, "from_one", "weight[ids]", "weight[ids - 1]",
     "the row before is taken. Ids begin at 0, and id 0 has row 0.")
edit(EMBED, "bag", "weight[ids]", "weight[ids].mean(-2)",
     "the rows of a sequence are averaged. Each id keeps a row of its own: [..., D].")
edit(EMBED, "flattened", "weight[ids]", "weight[ids.reshape(-1)]",
     "the dimensions of `ids` are lost: [B, T] ids give [B, T, D].")
edit(EMBED, "no_gradient", "weight[ids]", "weight.detach()[ids]",
     "the rows are right, but no gradient gets back to the table: something cuts the graph, such "
     "as .data, .detach() or NumPy.", raises=True)
edit(EMBED, "float32", "weight[ids]", "weight.float()[ids]",
     "the result has another dtype than the table.")
edit(EMBED, "one_hot_alone", "weight[ids]",
     "torch.nn.functional.one_hot(ids, len(weight)).to(weight)",
     "these are the one-hot rows. They still have to be multiplied with the table.")
edit(EMBED, "one_hot_too_short", "weight[ids]",
     "torch.nn.functional.one_hot(ids).to(weight) @ weight",
     "one_hot without a number of classes stops at the largest id there is. Tell it len(weight).",
     raises=True)
edit(EMBED, "columns_of_the_table", "weight[ids]", "weight[:, ids]",
     "the ids choose columns: they stand behind the comma. Row i belongs to id i.", raises=True)
edit(EMBED, "scaled", "weight[ids]", "weight[ids] * weight.shape[1] ** 0.5",
     "the rows are multiplied by √D. Some models do that; a lookup gives the rows as they are.")


REST = "    return total.index_add(0, ids.reshape(-1), rows)"
edit(GRAD, "last_wins", REST, "    total[ids.reshape(-1)] += rows\n    return total",
     "an id that occurs several times keeps only its last gradient: `total[ids] += rows` writes "
     "each row once. The gradients of all its places add up.")
edit(GRAD, "zeros_of_float32", "grad.new_zeros(vocab_size, grad.shape[-1])",
     "torch.zeros(vocab_size, grad.shape[-1])",
     "torch.zeros is float32 unless it is told otherwise, and rows of another dtype can't be added "
     "to it. grad.new_zeros takes the dtype of grad.", raises=True)
edit(GRAD, "ids_not_flattened", "ids.reshape(-1), rows", "ids, rows",
     "index_add takes ids in one row, [N]: flatten them as the rows are.", raises=True)
edit(GRAD, "mean", REST,
     "    count = torch.bincount(ids.reshape(-1), minlength=vocab_size).clamp(min=1)\n"
     "    return total.index_add(0, ids.reshape(-1), rows) / count[:, None]",
     "the gradients of an id are averaged over its places. The chain rule sums over all paths.")
edit(GRAD, "first_wins", REST,
     "    total[ids.reshape(-1).flip(0)] = rows.flip(0)\n    return total",
     "an id that occurs several times keeps only its first gradient. The gradients of all its "
     "places add up.")
edit(GRAD, "only_rows_that_occur", REST,
     "    return total.index_add(0, ids.reshape(-1), rows)[ids.reshape(-1).unique()]",
     "the rows of ids that do not occur are left out. The gradient has the shape of the table, and "
     "those rows are 0.")
edit(GRAD, "by_the_largest_id", "vocab_size, grad.shape[-1]", "int(ids.max()) + 1, grad.shape[-1]",
     "the table is only as long as the largest id that occurs. Its length is `vocab_size`.")
edit(GRAD, "transposed", REST, REST + ".T",
     "the result is [D, V]; a gradient has the shape of what it belongs to, [V, D].")
edit(GRAD, "by_position", REST,
     "    at = torch.arange(ids.numel()) % vocab_size\n    return total.index_add(0, at, rows)",
     "the rows are added by their place in the text. They belong to their ids.")
edit(GRAD, "counts", REST,
     "    return total.index_add(0, ids.reshape(-1), torch.ones_like(rows))",
     "this counts how often each id occurs. What is added is the gradient of each place.")
edit(GRAD, "divided_by_tokens", REST, REST + " / ids.numel()",
     "the sum is divided by the number of tokens. The mean over tokens is in `grad` already, if "
     "the loss has one.")
edit(GRAD, "default_dtype", "rows = grad.reshape(-1, grad.shape[-1])  # (N, D)\n"
     "    total = grad.new_zeros(vocab_size, grad.shape[-1])",
     "rows = grad.float().reshape(-1, grad.shape[-1])\n"
     "    total = torch.zeros(vocab_size, grad.shape[-1])",
     "the result has another dtype than `grad`: float64 went in and float32 came out.")


@mistake(PPL, "this takes the loss to be in bits. It is in nats, so the base is e.")
def base_two(loss: float) -> float:
    return math.pow(2, loss)


@mistake(PPL, "the base is 10 here. The loss is in nats, so the base is e.")
def base_ten(loss: float) -> float:
    return math.pow(10, loss)


@mistake(PPL, "the sign is turned around: this is the mean probability (the geometric one). "
         "Perplexity is one divided by it.")
def sign(loss: float) -> float:
    return math.exp(-loss)


@mistake(PPL, "this is the loss itself. Perplexity is e to the power of it.")
def loss_itself(loss: float) -> float:
    return loss


@mistake(PPL, "the loss is turned into bits first and then put into exp. Either 2 to the power of "
         "bits or e to the power of nats.")
def bits_in_exp(loss: float) -> float:
    return math.exp(loss / math.log(2))


@mistake(PPL, "1 was taken off, which may be right for interest rates. A loss of 0 is a perplexity "
         "of 1: one choice, and the right one.")
def minus_one(loss: float) -> float:
    return math.expm1(loss)


@mistake(PPL, "a large loss is held down before exp. A perplexity has no upper end: exp(25) is a "
         "number like any other.")
def held_down(loss: float) -> float:
    return math.exp(min(loss, 20.0))


@mistake(BPB, "these are nats per byte. A bit is ln 2 nats, so divide by ln 2 as well.")
def nats(loss: float, n_tokens: int, n_bytes: int) -> float:
    return loss * n_tokens / n_bytes


@mistake(BPB, "these are bits per token. All tokens together cost loss · n_tokens, and that is "
         "shared among the bytes.")
def per_token(loss: float, n_tokens: int, n_bytes: int) -> float:
    return loss / math.log(2)


@mistake(BPB, "tokens and bytes have changed places: the total is loss · n_tokens.")
def upside_down(loss: float, n_tokens: int, n_bytes: int) -> float:
    return loss * n_bytes / (n_tokens * math.log(2))


@mistake(BPB, "you multiplied by ln 2. One nat is 1/ln 2 ≈ 1.44 bits, so there are more bits than "
         "nats.")
def times_ln_two(loss: float, n_tokens: int, n_bytes: int) -> float:
    return loss * n_tokens * math.log(2) / n_bytes


@mistake(BPB, "the loss is taken to be the total already. It is the mean per token: multiply by "
         "n_tokens.")
def total_already(loss: float, n_tokens: int, n_bytes: int) -> float:
    return loss / (math.log(2) * n_bytes)


@mistake(BPB, "a byte has eight bits, but that has nothing to do with it: what is asked for is the "
         "cost of a byte in bits, and 8 is the cost without any model.")
def eighths(loss: float, n_tokens: int, n_bytes: int) -> float:
    return loss * n_tokens / (math.log(2) * 8 * n_bytes)


@mistake(BPB, "this is a perplexity per byte. Bits per byte is its logarithm to base 2.")
def perplexity_per_byte(loss: float, n_tokens: int, n_bytes: int) -> float:
    return math.exp(loss * n_tokens / n_bytes)


@mistake(BPB, "the logarithm of the loss is taken. The loss is a sum of logarithms already; only "
         "the unit changes.")
def log_of_the_loss(loss: float, n_tokens: int, n_bytes: int) -> float:
    return math.log2(loss + 1e-300) * n_tokens / n_bytes
