"""Known wrong answers on angles: the rotation matrix, the frequencies and the tables."""

import math

import torch

from .. import edit, mistake

MATRIX, FREQUENCIES, TABLES = "rope.rotation_matrix", "rope.rope_frequencies", "rope.rope_tables"

edit(MATRIX, "transposed", "torch.stack([c, -s]), torch.stack([s, c])",
     "torch.stack([c, s]), torch.stack([-s, c])",
     "this turns clockwise, R(−angle). Where does [1, 0] go? Its picture is the first column, "
     "[cos, sin].")
edit(MATRIX, "no_minus", "torch.stack([c, -s])", "torch.stack([c, s])",
     "no sine has a minus, and then the columns are not at a right angle. The upper one has it.")
edit(MATRIX, "reflection", "torch.stack([c, -s]), torch.stack([s, c])",
     "torch.stack([c, s]), torch.stack([s, -c])",
     "this is a reflection: R(0) turns [0, 1] over. The minus belongs to the upper sine, not to a "
     "cosine.")
edit(MATRIX, "both_minus", "torch.stack([s, c])", "torch.stack([-s, c])",
     "both sines have a minus, and then the columns are not at a right angle. Only the upper one "
     "has it.")
edit(MATRIX, "sin_and_cos_swapped", "torch.cos(a), torch.sin(a)", "torch.sin(a), torch.cos(a)",
     "sine and cosine have changed places: R(0) has to leave everything as it is, with cos 0 = 1 "
     "on the diagonal.")
edit(MATRIX, "columns_swapped", "torch.stack([c, -s]), torch.stack([s, c])",
     "torch.stack([-s, c]), torch.stack([c, s])",
     "the columns have changed places. The first is where [1, 0] goes, [cos, sin].")
edit(MATRIX, "half_the_angle", "torch.as_tensor(angle)", "torch.as_tensor(angle / 2)",
     "this turns by half the angle. The whole angle stands in every cos and sin.")
edit(MATRIX, "small_angles", "torch.cos(a), torch.sin(a)", "torch.ones(()), a",
     "1 and the angle itself stand for cos and sin. That is near for small angles only.")
edit(MATRIX, "torch_on_a_number", "torch.as_tensor(angle)", "angle",
     "torch.cos and torch.sin take tensors, and `angle` is a number: use math.cos, or make a "
     "tensor of it first.", raises=True)
edit(MATRIX, "degrees", "torch.as_tensor(angle)",
     "torch.deg2rad(torch.as_tensor(angle))",
     "the angle is taken as degrees. It is in radians already, which is what cos and sin want.")
edit(MATRIX, "into_degrees", "torch.as_tensor(angle)", "torch.rad2deg(torch.as_tensor(angle))",
     "the angle is turned into degrees first. cos and sin take radians, and it is in radians.")
edit(MATRIX, "float64", "return torch.stack([torch.stack([c, -s]), torch.stack([s, c])])",
     "return torch.stack([torch.stack([c, -s]), torch.stack([s, c])]).double()",
     "the numbers are right, but the matrix is float64 where torch's default dtype is asked for. "
     "NumPy and torch.float64 give that.")


@mistake(MATRIX, "this gives the turned point [cos, sin] only. The matrix has a second column: "
         "where [0, 1] goes.")
def a_point_only(angle: float) -> torch.Tensor:
    return torch.tensor([math.cos(angle), math.sin(angle)])


edit(FREQUENCIES, "no_two", "first_of_pair / Dh", "first_of_pair / (2 * Dh)",
     "the exponent is −i/Dh, half of what it should be: 2i runs through 0, 2, 4, … up to Dh − 2.")
edit(FREQUENCIES, "twice", "first_of_pair / Dh", "2 * first_of_pair / Dh",
     "the exponent is −4i/Dh: a factor 2 too many. It is 2i over Dh, or i over Dh/2, not both at "
     "once.")
edit(FREQUENCIES, "growing", "-first_of_pair / Dh", "first_of_pair / Dh",
     "the exponent has lost its minus: the frequencies fall from 1, and these rise.")
edit(FREQUENCIES, "slow_first", "torch.arange(0, Dh, 2)", "torch.arange(0, Dh, 2).flip(0)",
     "the order is turned around. Pair 0 is the fastest, with 1 radian a position.")
edit(FREQUENCIES, "for_every_dimension", "torch.arange(0, Dh, 2)", "torch.arange(0, Dh)",
     "this gives a frequency to each of the Dh numbers. A pair turns as one, so there are Dh/2.")
edit(FREQUENCIES, "from_one", "torch.arange(0, Dh, 2)", "torch.arange(2, Dh + 2, 2)",
     "i is counted from 1 here. It starts at 0, so that the first pair turns by 1 radian a "
     "position.")
edit(FREQUENCIES, "half_a_step_late", "torch.arange(0, Dh, 2)", "torch.arange(1, Dh, 2)",
     "the odd numbers 1, 3, 5, … stand where 2i should: they begin with 0.")
edit(FREQUENCIES, "last_one_missing", "torch.arange(0, Dh, 2)", "torch.arange(0, Dh - 2, 2)",
     "the last pair has no frequency. 2i goes up to Dh − 2 and includes it: `arange` stops before "
     "its end.")
edit(FREQUENCIES, "one_too_many", "torch.arange(0, Dh, 2)", "torch.arange(0, Dh + 1, 2)",
     "there is one frequency too many. 2i stops at Dh − 2, so that there are Dh/2 of them.")
edit(FREQUENCIES, "on_and_on", "torch.arange(0, Dh, 2)", "2 * torch.arange(Dh)",
     "i runs over all Dh numbers of a head. It counts pairs: 0 … Dh/2 − 1.")
edit(FREQUENCIES, "divided_after_the_power", "return torch.pow(base, exponents)",
     "return torch.pow(base, -first_of_pair.float()) / Dh",
     "the power comes first here, and is divided by Dh after it. The whole of −2i/Dh stands in "
     "the exponent: it needs brackets.")
edit(FREQUENCIES, "repeated_for_both", "return torch.pow(base, exponents)",
     "return torch.pow(base, exponents).repeat_interleave(2)",
     "every frequency stands there twice, once for each number of a pair. One for a pair is asked "
     "for: [Dh/2].")
edit(FREQUENCIES, "halves_repeated", "return torch.pow(base, exponents)",
     "return torch.pow(base, exponents).repeat(2)",
     "the whole row stands there twice, once for each half. One for a pair is asked for: [Dh/2].")
edit(FREQUENCIES, "down_to_the_base", "first_of_pair / Dh", "first_of_pair / max(Dh - 2, 1)",
     "the slowest pair has exactly 1/base. The exponent ends at −(Dh − 2)/Dh, not at −1.")
edit(FREQUENCIES, "base_ignored", "torch.pow(base, exponents)", "torch.pow(10000.0, exponents)",
     "10000 stands in the code where `base` should: other bases give the same numbers.")
edit(FREQUENCIES, "wavelengths", "return torch.pow(base, exponents)",
     "return 6.283185307179586 / torch.pow(base, exponents)",
     "these are wavelengths, 2π/θ, in positions. Radians per position are asked for.")
edit(FREQUENCIES, "turns", "return torch.pow(base, exponents)",
     "return torch.pow(base, exponents) / 6.283185307179586",
     "these are turns per position. Radians per position are asked for: a 2π too many.")
edit(FREQUENCIES, "turns_into_radians", "return torch.pow(base, exponents)",
     "return torch.pow(base, exponents) * 6.283185307179586",
     "a factor of 2π has come in. base^(−2i/Dh) is in radians already: pair 0 turns by 1.")
edit(FREQUENCIES, "a_list", "return torch.pow(base, exponents)",
     "return torch.pow(base, exponents).tolist()",
     "the numbers are right, but this is a list. A tensor is asked for: torch.tensor(…).")
edit(FREQUENCIES, "degrees", "return torch.pow(base, exponents)",
     "return torch.pow(base, exponents) * 57.29577951308232",
     "these are degrees per position. cos and sin take radians.")
edit(FREQUENCIES, "exponential", "torch.pow(base, exponents)", "torch.exp(exponents)",
     "the base is e here. θᵢ is a power of `base`: exp(−2i/Dh · ln base).")
edit(FREQUENCIES, "float64", "return torch.pow(base, exponents)",
     "return torch.pow(base, exponents.double())",
     "the frequencies are float64 where torch's default dtype is asked for.")


edit(TABLES, "from_zero", "positions.to(dtype)", "torch.arange(len(positions)).to(dtype)",
     "the table starts at position 0 whatever `positions` says. In decoding the new token stands "
     "behind a cache, and its position is not 0.")
edit(TABLES, "up_to_the_largest", "positions.to(dtype)",
     "torch.arange(int(positions.max()) + 1).to(dtype)",
     "this has a row for every position from 0 to the largest. One for each of `positions` is "
     "asked for, in their order.")
edit(TABLES, "from_the_first_on", "positions.to(dtype)",
     "(positions[0] + torch.arange(len(positions))).to(dtype)",
     "only the first position is looked at, and the others are counted on from it. They may stand "
     "in any order, and at fractions.")
edit(TABLES, "one_based", "positions.to(dtype)", "(positions.to(dtype) + 1)",
     "positions are counted from 1. Scores stay right, since both sides move, but position 0 has "
     "to leave a vector as it is.")
edit(TABLES, "sin_first", "angles.cos(), angles.sin()", "angles.sin(), angles.cos()",
     "cos and sin have changed places: cos comes first, and cos 0 = 1.")
edit(TABLES, "negative_angle", "angles.cos(), angles.sin()", "angles.cos(), -angles.sin()",
     "the sine has the wrong sign, as if positions ran backwards. Scores would depend on m − n, "
     "not on n − m.")
edit(TABLES, "degrees", "# (T, w)", "* 3.141592653589793 / 180  # (T, w)",
     "the angles are turned into another unit. Position times frequency is in radians already.")
edit(TABLES, "whole_turns", "# (T, w)", "* 6.283185307179586  # (T, w)",
     "a factor of 2π has come in. Position times frequency is in radians already.")
edit(TABLES, "added", "[:, None] * frequencies.to(dtype)", "[:, None] + frequencies.to(dtype)",
     "position and frequency are added. Angle = position · radians per position.")
edit(TABLES, "no_column", "positions.to(dtype)[:, None]", "positions.to(dtype)",
     "positions and frequencies are two rows, and each number meets one other at most. Make a "
     "column of the positions, [:, None], and every one meets every frequency.", raises=True)
edit(TABLES, "divided", "[:, None] * frequencies.to(dtype)", "[:, None] / frequencies.to(dtype)",
     "the position is divided by the frequency. Angle = position · radians per position.")
edit(TABLES, "transposed", "positions.to(dtype)[:, None] * frequencies.to(dtype)",
     "frequencies.to(dtype)[:, None] * positions.to(dtype)",
     "the table lies on its side: [w, T]. One row for each position is asked for, [T, w].")
edit(TABLES, "doubled", "# (T, w)", "\n    angles = torch.cat([angles, angles], -1)",
     "every angle stands there twice. The table has one column for each pair, [T, w]; `apply_rope` "
     "knows which two numbers a pair has.")
edit(TABLES, "each_one_doubled", "# (T, w)",
     "\n    angles = angles.repeat_interleave(2, -1)",
     "every angle stands there twice in a row. The table has one column for each pair, [T, w]; "
     "`apply_rope` knows which two numbers a pair has.")
edit(TABLES, "cut_positions", "positions.to(dtype)", "positions.long().to(dtype)",
     "positions are cut to whole numbers. Position interpolation will put tokens at fractions.")
edit(TABLES, "without_sign", "positions.to(dtype)", "positions.abs().to(dtype)",
     "positions have lost their sign, as if −3 were 3. They may be below 0, and such a pair turns "
     "backwards.")
edit(TABLES, "order_lost", "positions.to(dtype)", "positions.sort().values.to(dtype)",
     "the positions are put in order first. Row t belongs to `positions[t]`, whatever that is.")
edit(TABLES, "angles_themselves", "angles.cos(), angles.sin()", "angles, angles",
     "these are the angles; their cosine and sine are asked for.")


@mistake(TABLES, "the angles are computed in bfloat16, in which 301 is 300 and 1003 is 1004: turn "
         "both into at least float32 before you multiply.")
def in_half_precision(positions: torch.Tensor, frequencies: torch.Tensor
                      ) -> tuple[torch.Tensor, torch.Tensor]:
    angles = positions.to(frequencies.dtype)[:, None] * frequencies
    return angles.cos(), angles.sin()


edit(TABLES, "positions_in_float32", "positions.to(dtype)", "positions.float()",
     "the positions have been rounded to float32 although the frequencies are float64. Fractions "
     "such as 2.3 lose half of their digits: turn both into the finer dtype.")
edit(TABLES, "always_float64", "torch.promote_types(frequencies.dtype, torch.float32)",
     "torch.float64", "the tables come out in float64 although the frequencies are float32. The "
     "dtype of the frequencies is asked for.")
edit(TABLES, "always_float32", "torch.promote_types(frequencies.dtype, torch.float32)",
     "torch.float32", "the tables come out in float32 although the frequencies are float64. Never "
     "less than float32 is asked for, not always float32.")
