"""Known wrong answers to `minillm.positions`."""

import torch

from . import edit, mistake

WAVES, TABLE = "positions.wavelengths", "positions.sinusoidal_table"
SHIFT, LEARNED = "positions.shift_matrix", "positions.LearnedPositions"

edit(WAVES, "frequencies", "return turn", "return 2 * math.pi / turn",
     "these are the frequencies ωᵢ, in radians per position. How many positions make 2π radians?")
edit(WAVES, "no_two_pi", "2 * math.pi * ", "",
     "this is 1/ωᵢ, the positions for one radian. A full turn has 2π of them.")
edit(WAVES, "in_angles_of_a_turn", "return turn", "return 1 / turn",
     "these are turns per position. Positions per turn are asked for, which is 1 over it.")
edit(WAVES, "growing_frequencies", "torch.pow(base, exponents)", "torch.pow(base, -exponents)",
     "the wavelengths fall below 2π. ωᵢ = base^(−2i/D) falls, and a slower pair takes longer.")
edit(WAVES, "no_two", "torch.arange(0, D, 2) / D", "torch.arange(D // 2) / D",
     "the exponent is i/D, half of what it should be: 2i/D.")
edit(WAVES, "for_every_column", "torch.arange(0, D, 2) / D", "torch.arange(D) / D",
     "this gives a wavelength to every column. Two columns make a pair and share one: [D/2].")
edit(WAVES, "up_to_the_base", "torch.arange(0, D, 2) / D", "torch.arange(0, D, 2) / max(D - 2, 1)",
     "the last wavelength is exactly 2π · base. Its exponent is (D − 2)/D, not 1.")
edit(WAVES, "from_one", "torch.arange(0, D, 2) / D", "torch.arange(2, D + 2, 2) / D",
     "i is counted from 1. It starts at 0, and the first wavelength is 2π.")
edit(WAVES, "base_ignored", "torch.pow(base, exponents)", "torch.pow(10000.0, exponents)",
     "10000 stands in the code where `base` should.")
edit(WAVES, "whole_exponents", "torch.arange(0, D, 2) / D", "torch.arange(0, D, 2) // D",
     "all wavelengths are equal: `//` cuts 2i/D down to 0. Divide with `/`.")
edit(WAVES, "half_a_turn", "2 * math.pi * ", "math.pi * ",
     "that is half a turn: a full one is 2π radians.")
edit(WAVES, "degrees", "2 * math.pi * ", "360 * ",
     "a full turn is taken as 360. ωᵢ is in radians per position, and a turn is 2π of them.")
edit(WAVES, "twice", "torch.arange(0, D, 2) / D", "2 * torch.arange(0, D, 2) / D",
     "the exponent is 4i/D: a factor 2 too many. `arange(0, D, 2)` gives 2i already.")
edit(WAVES, "slow_first", "return turn", "return turn.flip(0)",
     "the order is turned around. The first pair is the fastest, with 2π positions.")
edit(WAVES, "half_of_the_pairs", "torch.arange(0, D, 2)", "torch.arange(0, D // 2, 2)",
     "only half of the pairs are there. 2i goes up to D − 2, in steps of 2.")
edit(WAVES, "repeated_for_both", "return turn", "return turn.repeat_interleave(2)",
     "every wavelength stands there twice, once for each column. One for a pair is asked for: "
     "[D/2].")
edit(WAVES, "a_list", "return turn", "return turn.tolist()",
     "the numbers are right, but this is a list. A tensor is asked for: torch.tensor(…).")
edit(WAVES, "float64", "torch.pow(base, exponents)", "torch.pow(base, exponents.double())",
     "the wavelengths are float64 where torch's default dtype is asked for.")

OMEGA = "torch.pow(base, -torch.arange(0, D, 2) / D)"
edit(TABLE, "in_halves", "torch.stack([angles.sin(), angles.cos()], -1).flatten(1)",
     "torch.cat([angles.sin(), angles.cos()], -1)",
     "all sines come first and then all cosines. That layout is in use as well, but here sin and "
     "cos of a pair are neighbours: columns 2i and 2i + 1.")
edit(TABLE, "cos_first", "[angles.sin(), angles.cos()]", "[angles.cos(), angles.sin()]",
     "cos stands in the even columns. Position 0 has to be (0, 1, 0, 1, …): sin in even, cos in "
     "odd ones.")
edit(TABLE, "sin_everywhere", "[angles.sin(), angles.cos()]", "[angles.sin(), angles.sin()]",
     "both columns of a pair hold the sine. The odd ones hold the cosine.")
edit(TABLE, "no_two", OMEGA, "torch.pow(base, -torch.arange(D // 2) / D)",
     "the exponent is −i/D, half of what it should be: −2i/D.")
edit(TABLE, "twice", OMEGA, "torch.pow(base, -torch.arange(0, D, 2) / (D // 2))",
     "the exponent is −4i/D: a factor 2 too many.")
edit(TABLE, "growing", OMEGA, "torch.pow(base, torch.arange(0, D, 2) / D)",
     "the exponent has lost its minus: each pair has to be slower than the one before.")
edit(TABLE, "down_to_the_base", OMEGA, "torch.pow(base, -torch.arange(0, D, 2) / max(D - 2, 1))",
     "the slowest pair has exactly 1/base. The exponent ends at −(D − 2)/D, not at −1.")
edit(TABLE, "whole_exponents", OMEGA, "torch.pow(base, -torch.arange(0, D, 2) // D)",
     "the exponents are whole numbers: `//` cuts −2i/D down. Divide with `/`.")
edit(TABLE, "one_based", "torch.arange(T)[:, None]", "torch.arange(1, T + 1)[:, None]",
     "positions are counted from 1. Row 0 belongs to position 0.")
edit(TABLE, "base_ignored", OMEGA, "torch.pow(10000.0, -torch.arange(0, D, 2) / D)",
     "10000 stands in the code where `base` should.")
edit(TABLE, "degrees", "[:, None] * omega", "[:, None] * omega * math.pi / 180",
     "the angle m ωᵢ is turned into another unit. It is in radians already.")
edit(TABLE, "turns", "[:, None] * omega", "[:, None] * omega * 2 * math.pi",
     "the angle is m ωᵢ, not 2π m ωᵢ: ωᵢ counts radians, not turns.")
edit(TABLE, "multiplied_wavelengths", "[:, None] * omega", "[:, None] / omega",
     "the position is divided by ωᵢ. Angle = position · radians per position.")
edit(TABLE, "wavelengths_multiplied", "[:, None] * omega", "[:, None] * (2 * math.pi / omega)",
     "the position is multiplied by the wavelength. Angle = position · ωᵢ, and ωᵢ is 2π over it.")
edit(TABLE, "turns_for_radians", "[:, None] * omega", "[:, None] * omega / (2 * math.pi)",
     "position over wavelength counts turns. sin and cos take radians: 2π of them to a turn.")
edit(TABLE, "not_joined", ".flatten(1)", "",
     "the pairs are a dimension of their own, [T, D/2, 2]. Join the last two: flatten(1).")
edit(TABLE, "a_batch", ".flatten(1)", ".flatten(1)[None]",
     "the table has a dimension too many. [T, D] is asked for.")
edit(TABLE, "transposed", ".flatten(1)", ".flatten(1).T.contiguous()",
     "the table lies on its side, [D, T]. A row is a position.")
edit(TABLE, "half_precision", "torch.arange(T)[:, None]",
     "torch.arange(T, dtype=torch.bfloat16)[:, None].float()",
     "the positions have been rounded to bfloat16, in which 257 is 256 and 301 is 300. A position "
     "needs a dtype that has it: whole numbers, or float32.")
edit(TABLE, "float64", OMEGA, "torch.pow(base, -torch.arange(0, D, 2).double() / D)",
     "the table is float64 where torch's default dtype is asked for.")


@mistake(TABLE, "every column has a frequency of its own. The sine and the cosine of a pair share "
         "one: the exponent is 2i/D for columns 2i and 2i + 1, not the number of the column.")
def a_frequency_for_each_column(T: int, D: int, base: float = 10000.0) -> torch.Tensor:
    angles = torch.arange(T)[:, None] * base ** (-torch.arange(D) / D)
    table = torch.empty(T, D)
    table[:, 0::2], table[:, 1::2] = angles[:, 0::2].sin(), angles[:, 1::2].cos()
    return table


SINES = "M[first, first + 1], M[first + 1, first] = s, -s"
edit(SHIFT, "transposed", SINES, "M[first, first + 1], M[first + 1, first] = -s, s",
     "this block is right for the order (cos, sin). Here a pair is (sin, cos): try k = 1 on "
     "position 0, whose pair is (0, 1) and has to become (sin ω, cos ω).")
edit(SHIFT, "both_plus", SINES, "M[first, first + 1], M[first + 1, first] = s, s",
     "both sines have a plus, and that is no rotation. cos(a + x) = cos a cos x − sin a sin x.")
edit(SHIFT, "both_minus", SINES, "M[first, first + 1], M[first + 1, first] = -s, -s",
     "both sines have a minus, and that is no rotation. sin(a + x) = sin a cos x + cos a sin x.")
edit(SHIFT, "swapped", "c, s = angles.cos(), angles.sin()", "c, s = angles.sin(), angles.cos()",
     "sine and cosine have changed places: a shift by 0 has to be the unit matrix.")
edit(SHIFT, "k_ignored", "angles = k * ", "angles = ",
     "k does not appear: a shift by 0 has to change nothing, and one by 2 more than one by 1.")
edit(SHIFT, "one_frequency", "c, s = angles.cos(), angles.sin()",
     "c, s = angles[:1].cos(), angles[:1].sin()",
     "every block has the frequency of the first pair. Pair i turns by k ωᵢ.")
edit(SHIFT, "growing", OMEGA, "torch.pow(base, torch.arange(0, D, 2) / D)",
     "the exponent has lost its minus: each pair has to turn slower than the one before.")
edit(SHIFT, "wavelengths", "angles = k * ", "angles = k * 2 * math.pi / ",
     "the distance is multiplied by the wavelength. A pair turns by k ωᵢ, and ωᵢ is 2π over it.")
edit(SHIFT, "one_cosine", "M[first, first] = M[first + 1, first + 1] = c", "M[first, first] = c",
     "the second cosine of each block is missing: cos(a + x) has cos a cos x in it.")
edit(SHIFT, "first_pair_alone", "M[first, first] = M[first + 1, first + 1] = c",
     "M += torch.eye(D)\n    first, c, s = first[:1], c[:1], s[:1]\n    "
     "M[first, first] = M[first + 1, first + 1] = c",
     "only the first pair moves. Every pair has a block of its own.")
edit(SHIFT, "on_top_of_the_identity", "return M", "return M + torch.eye(D)",
     "the identity is added. A shift by 0 has to be the identity, not twice that.")
edit(SHIFT, "ones_elsewhere", "torch.zeros(D, D)", "torch.ones(D, D)",
     "what stands outside the blocks is 1. No pair takes part in another: zeros.")
edit(SHIFT, "in_halves", "return M",
     "C, S = torch.diag(c), torch.diag(s)\n    return torch.cat([torch.cat([C, S], 1), "
     "torch.cat([-S, C], 1)])",
     "this is the matrix for the layout with all sines first. Here the two members of a pair are "
     "neighbours, so that the blocks are 2 × 2 on the diagonal.")
edit(SHIFT, "no_two", OMEGA, "torch.pow(base, -torch.arange(D // 2) / D)",
     "the exponent is −i/D, half of what it should be: −2i/D.")
edit(SHIFT, "base_ignored", OMEGA, "torch.pow(10000.0, -torch.arange(0, D, 2) / D)",
     "10000 stands in the code where `base` should.")
edit(SHIFT, "only_the_blocks", "return M",
     "return torch.stack([torch.stack([c, s], -1), torch.stack([-s, c], -1)], -2)",
     "these are the D/2 blocks. Put them on the diagonal of a [D, D] matrix of zeros.")
edit(SHIFT, "float64", "return M", "return M.double()",
     "the matrix is float64 where torch's default dtype is asked for.")
edit(SHIFT, "the_distance_alone", "angles = k * ", "angles = abs(k) * ",
     "the direction is lost: a shift by −2 has to undo a shift by 2.")

ROWS = "torch.arange(start, start + T, device=self.table.weight.device)"
edit(LEARNED, "sliced", "vectors: torch.Tensor = self.table(positions)",
     "vectors = self.table.weight[start:start + T]",
     "a slice beyond the end gives fewer rows and no error, so that a text too long is cut in "
     "silence. Look the rows up by index.")
edit(LEARNED, "start_ignored", ROWS, "torch.arange(T)",
     "the positions start at 0 whatever `start` says. With a cache the new token would get the "
     "vector of the first.")
edit(LEARNED, "end_wrong", ROWS, "torch.arange(start, T)",
     "the range ends at T. There are T positions *after* `start`: it ends at start + T.")
edit(LEARNED, "one_based", ROWS, "torch.arange(start + 1, start + T + 1)",
     "positions are counted from 1, and the last row is asked for one position too early.")
edit(LEARNED, "one_row_too_many", ROWS, "torch.arange(start, start + T + 1)",
     "there are T + 1 rows. `arange` stops before its end, so start + T is right.", raises=True)
edit(LEARNED, "a_batch", "vectors: torch.Tensor = self.table(positions)",
     "vectors = self.table(positions)[None]",
     "there is a dimension too many. [T, D] is asked for; adding it to [B, T, D] broadcasts.")
edit(LEARNED, "scaled", "vectors: torch.Tensor = self.table(positions)",
     "vectors = self.table(positions) * self.table.embedding_dim**0.5",
     "the rows are multiplied by √D. They come as they stand in the table.")
edit(LEARNED, "wrapped", ROWS, "torch.arange(start, start + T) % self.table.num_embeddings",
     "positions beyond the table start again at 0, so that two tokens of a text share a vector. "
     "It has to be an error.")
edit(LEARNED, "clamped", ROWS,
     "torch.arange(start, start + T).clamp(max=self.table.num_embeddings - 1)",
     "all positions beyond the table get its last row, so that tokens share a vector. It has to "
     "be an error.")
edit(LEARNED, "only_T_tested", "vectors: torch.Tensor = self.table(positions)",
     "if T > len(self.table.weight):\n            raise IndexError\n"
     "        vectors = self.table.weight[start:start + T]",
     "T alone is compared with the table. The last position is start + T − 1, and that one needs a "
     "row.")
edit(LEARNED, "last_row_refused", "vectors: torch.Tensor = self.table(positions)",
     "if start + T >= len(self.table.weight):\n            raise IndexError\n"
     "        vectors = self.table(positions)",
     "the last row is never given out: with start + T = max_len the last position is max_len − 1, "
     "and it has a row.", raises=True)
edit(LEARNED, "one_row", ROWS, "torch.tensor([start + T - 1])",
     "this is the vector of the last position only. One row for each position is asked for, "
     "[T, D].")
edit(LEARNED, "whole_table", "vectors: torch.Tensor = self.table(positions)",
     "vectors = self.table.weight",
     "this is the whole table, whatever T says.")
edit(LEARNED, "no_gradient", "vectors: torch.Tensor = self.table(positions)",
     "vectors = self.table(positions).detach()",
     "the numbers are right, but no gradient gets to the table: it would never be learned.",
     raises=True)
