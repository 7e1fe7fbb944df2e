"""Known wrong answers to the memory formula and to the mask over a buffer."""

from typing import Any

import torch

from .. import edit, mistake

BYTES, MASK = "kv_cache.kv_cache_bytes", "kv_cache.buffer_mask"
TWO = "per_token = 2 * n_layer"

edit(BYTES, "keys_alone", TWO, "per_token = n_layer", "values are kept too: a factor 2.")
edit(BYTES, "queries_too", TWO, "per_token = 3 * n_layer",
     "queries are not kept. The factor is 2, for keys and values.")
edit(BYTES, "one_text", " * batch_size", "", "batch_size is not used: each text has tokens of its "
     "own.")
edit(BYTES, "one_layer", "2 * n_layer *", "2 *",
     "n_layer is not used: each layer keeps keys and values of its own.")
edit(BYTES, "one_token", " * seq_len", "", "seq_len is not used: all tokens stay, not the newest "
     "alone.")
edit(BYTES, "one_head", " * n_kv_head", "", "n_kv_head is not used: each key head has a key of its "
     "own.")
edit(BYTES, "no_width", " * head_dim", "", "head_dim is not used: a key has head_dim numbers.")
edit(BYTES, "numbers", " * bytes_per_value", "",
     "those are numbers. Each has bytes_per_value bytes.")
edit(BYTES, "bits", "* bytes_per_value", "* 8 * bytes_per_value",
     "those are bits. bytes_per_value is in bytes already.")
edit(BYTES, "bytes_twice", TWO, "per_token = 2 * bytes_per_value * n_layer",
     "bytes_per_value is in it twice: once for each number is enough.")
edit(BYTES, "always_two_bytes", "* bytes_per_value", "* 2",
     "a number has bytes_per_value bytes, which is 2 only if nobody says otherwise.")


edit(BYTES, "a_float", "* bytes_per_value", "* bytes_per_value / 1",
     "the number is right, but it is a float. Bytes are counted: an int, so no `/`.", raises=True)
edit(BYTES, "float32", "return per_token * seq_len * batch_size * bytes_per_value",
     "return int(torch.tensor([per_token, seq_len, batch_size, bytes_per_value]).float().prod())",
     "the product is rounded to float32, which has seven digits. Multiply Python's own numbers.")


@mistake(BYTES, "the batch shares nothing: with B texts there are B times as many tokens, not B "
         "more.")
def batch_added(n_layer: int, n_kv_head: int, head_dim: int, seq_len: int, batch_size: int = 1,
                bytes_per_value: int = 2) -> int:
    return 2 * n_layer * n_kv_head * head_dim * (seq_len + batch_size - 1) * bytes_per_value


@mistake(BYTES, "that is in MiB. Bytes are asked for, a whole number of them.")
def in_mib(n_layer: int, n_kv_head: int, head_dim: int, seq_len: int, batch_size: int = 1,
           bytes_per_value: int = 2) -> float:
    return (2 * n_layer * n_kv_head * head_dim * seq_len * batch_size * bytes_per_value) / 2**20


KEYS = "torch.arange(length, length + T, device=device)"
edit(MASK, "from_zero", KEYS, "torch.arange(T, device=device)",
     "the queries are counted from 0, so the filled places before them are hidden. The first new "
     "token stands at place `length`.")
edit(MASK, "lower_right", KEYS, "torch.arange(size - T, size, device=device)",
     "the triangle ends in the lower right corner, as in causal_mask. But the buffer is not full: "
     "behind the new tokens stand places that are empty.")
edit(MASK, "behind_alone", "key <= query", "key >= query",
     "each token sees itself and what is behind it. It is to see what comes before: key ≤ query.")
edit(MASK, "itself_alone", "key <= query", "key == query",
     "each token sees itself and nothing else.")
edit(MASK, "not_itself", "key <= query", "key < query",
     "a token does not see itself: ≤, not <.")
edit(MASK, "one_late", "key <= query", "key <= query + 1",
     "each token sees the place behind it, too.")
edit(MASK, "turned", "key <= query", "key > query", "that is True where a token may *not* attend.")
edit(MASK, "all_filled", "mask = key <= query", "mask = (key < length + T).expand(T, size)",
     "the empty places are hidden, and among the new tokens nothing is: each sees the later ones.")
edit(MASK, "no_padding", "if pad is None:", "if True:",
     "`pad` is not used: the tokens attend to padding.")
edit(MASK, "pad_one_more", "key >= pad", "key > pad",
     "pad[b] places are padding, 0 to pad[b] − 1. Place pad[b] is the first token of the text.")
edit(MASK, "pad_alone", "mask & (key", "(key",
     "with padding the triangle is gone: both conditions have to hold.")
edit(MASK, "as_numbers", "mask = key <= query", "mask = (key <= query).long()",
     "those are 0 and 1 as numbers. A mask of bools is asked for: torch adds one of numbers to the "
     "scores.")
edit(MASK, "as_floats", "mask = key <= query", "mask = (key <= query).float()",
     "those are floats. A mask of bools is asked for: torch adds one of numbers to the scores.")
edit(MASK, "to_be_added", "mask = key <= query",
     "mask = torch.zeros(T, size).masked_fill(key > query, -torch.inf)",
     "that is the other kind of mask, 0 and -inf, to be added to scores. Here: bool, True = may "
     "attend.")
edit(MASK, "either_is_enough", "mask & (key", "mask | (key",
     "a place is shown when one of the two conditions holds. Both have to: &, not |.")
edit(MASK, "padded_queries", "(key >= pad", "(query >= pad",
     "the padding is taken from the queries, the rows. Nobody may attend *to* padding: it is the "
     "keys, the columns, that are hidden.")
edit(MASK, "one_pad_for_all", "pad[:, None, None, None]", "pad.max().expand(len(pad), 1, 1, 1)",
     "all texts are taken to have the longest padding. Each has its own, pad[b].")
edit(MASK, "last_pad_for_all", "pad[:, None, None, None]", "pad[-1].expand(len(pad), 1, 1, 1)",
     "all texts are taken to have the padding of the last. Each has its own, pad[b].")
edit(MASK, "first_pad_for_all", "pad[:, None, None, None]", "pad[0].expand(len(pad), 1, 1, 1)",
     "all texts are taken to have the padding of the first. Each has its own, pad[b].")
edit(MASK, "pad_turned", "key >= pad", "key < pad",
     "that shows the padding and hides the text.")
edit(MASK, "pad_on_the_right", "key >= pad", "key < length + T - pad",
     "the padding stands on the left, in the first places: the newest tokens of all texts have to "
     "end at the same place.")
edit(MASK, "no_room_for_heads", "pad[:, None, None, None]", "pad[:, None, None]",
     "the mask has shape [B, T, S]. Scores are [B, H, T, S], so a 1 has to stand where the heads "
     "are; without it B is taken for H.")
edit(MASK, "shifted_queries", "key <= query", "key <= query - (0 if pad is None else pad.max())",
     "places are places of the buffer, padding included: a query at place q sees up to place q.")


@mistake(MASK, "the mask ends with the filled places, so it does not fit a buffer of `size` "
         "places. The empty places need their columns, all False.")
def filled_alone(T: int, length: int, size: int, pad: Any = None) -> torch.Tensor:
    key, query = torch.arange(length + T), torch.arange(length, length + T)[:, None]
    mask = key <= query
    return mask if pad is None else mask & (key >= pad[:, None, None, None])
