"""Known wrong answers on longer texts: PI, NTK-aware, YaRN."""

from .. import edit

PI, NTK = "rope.interpolate_positions", "rope.ntk_base"
YARN, FACTOR = "rope.yarn_frequencies", "rope.yarn_attention_factor"

edit(PI, "stretched", "positions / scale", "positions * scale",
     "the positions move apart. A text of L' = scale · L tokens has to fit into the L positions of "
     "training, so they move together.")
edit(PI, "whole_steps", "positions / scale", "positions // scale",
     "the result is cut to whole numbers, so that several tokens share a position. Interpolation "
     "puts them at fractions.")
edit(PI, "cut", "positions / scale", "(positions / scale).long()",
     "the fractions are thrown away by `long()` or `int()`, so that several tokens share a "
     "position. Interpolation puts them at fractions.")
edit(PI, "rounded", "positions / scale", "(positions / scale).round()",
     "the result is rounded, so that several tokens share a position. Interpolation puts them at "
     "fractions.")
edit(PI, "unchanged", "positions / scale", "positions + 0.0",
     "the positions have not changed: divide them by scale.")
edit(PI, "from_one", "positions / scale", "(positions + 1) / scale",
     "positions are counted from 1. Position 0 stays at 0.")
edit(PI, "counted_anew", "positions / scale",
     "torch.arange(positions.numel()).view(positions.shape) / scale",
     "`positions` is only counted, and 0, 1, 2, … stand in its place. Divide what it holds.")
edit(PI, "always_float32", "positions / scale", "positions.float() / scale",
     "float64 goes in and float32 comes out. Positions that are fractions already keep their "
     "dtype.")
edit(PI, "in_place", "return positions / scale", "positions /= scale\n    return positions",
     "`/=` writes into the positions of whoever called, and whole numbers can't hold the "
     "fractions. Return a new tensor.", raises=True)
edit(PI, "wrapped", "positions / scale", "positions % scale",
     "the positions start over again and again, so that far tokens look near. They have to stay in "
     "order, only closer.")
edit(PI, "subtracted", "positions / scale", "positions - scale",
     "all positions move by the same amount, and then no distance changes.")
edit(PI, "twice", "positions / scale", "positions / scale ** 2",
     "positions are divided by the scale twice.")

edit(NTK, "no_exponent", "scale ** (Dh / (Dh - 2))", "scale",
     "with base · scale the slowest pair is slowed by scale^((Dh−2)/Dh), a little too little: its "
     "exponent is not −1 but −(Dh − 2)/Dh.")
edit(NTK, "exponent_upside_down", "Dh / (Dh - 2)", "(Dh - 2) / Dh",
     "the exponent is upside down: (b'/b)^((Dh−2)/Dh) = scale is still to be solved for b'.")
edit(NTK, "halved", "Dh / (Dh - 2)", "Dh / (Dh - 1)",
     "the slowest pair is i = Dh/2 − 1, and 2i = Dh − 2: the denominator is Dh − 2.")
edit(NTK, "pairs_for_width", "Dh / (Dh - 2)", "Dh / (Dh / 2 - 1)",
     "the denominator is Dh/2 − 1, which is i. The exponent of the slowest pair has 2i = Dh − 2.")
edit(NTK, "base_raised", "base * scale **", "(base * scale) **",
     "the base is raised to a power too. Only the scale is: b' = b · scale^(…).")
edit(NTK, "base_shrinks", "base * scale **", "base / scale **",
     "the base gets smaller, which makes every pair faster. Slower pairs need a larger base.")
edit(NTK, "added", "scale ** (Dh / (Dh - 2))", "(scale + Dh / (Dh - 2))",
     "the exponent stands beside scale as a sum. scale is raised to it.")
edit(NTK, "no_brackets", "scale ** (Dh / (Dh - 2))", "scale ** Dh / (Dh - 2)",
     "scale is raised to Dh, and the power divided by Dh − 2. The whole fraction is the exponent: "
     "it needs brackets.")
edit(NTK, "multiplied", "scale ** (Dh / (Dh - 2))", "scale * Dh / (Dh - 2)",
     "scale is multiplied by Dh/(Dh − 2). It is raised to it.")
edit(NTK, "what_is_above_one", "Dh / (Dh - 2)", "2 / (Dh - 2)",
     "2/(Dh − 2) is what the exponent has above 1. The exponent itself is Dh/(Dh − 2).")
edit(NTK, "plus_two", "Dh - 2", "Dh + 2",
     "the denominator is Dh + 2. The slowest pair has 2i = Dh − 2.")
edit(NTK, "unchanged", "base * scale ** (Dh / (Dh - 2))", "base",
     "the base has not changed. A larger one slows the slow pairs.")
edit(NTK, "base_fixed", "base * scale", "10000.0 * scale",
     "10000 stands in the code where `base` should: other bases give the same numbers.")
edit(NTK, "whole_number", "float(base", "int(base",
     "the base is cut to a whole number. It is any number: leave its fraction.")
edit(NTK, "scale_alone", "float(base * scale ** (Dh / (Dh - 2)))",
     "float(scale ** (Dh / (Dh - 2)))", "this is the factor. The new base is the old one times it.")

GAMMA = "gamma * frequencies + (1 - gamma) * frequencies / scale"
edit(YARN, "ends_swapped", GAMMA, "(1 - gamma) * frequencies + gamma * frequencies / scale",
     "the fast pairs are slowed and the slow ones kept. It is the other way: a fast pair has seen "
     "every angle already, and it tells neighbours apart.")
edit(YARN, "all_of_them", GAMMA, "frequencies / scale",
     "every pair is slowed, which is PI. A pair of beta_fast turns or more in training stays as it "
     "is: are the turns counted over the whole of train_length?")
edit(YARN, "none_of_them", GAMMA, "frequencies + 0.0",
     "no pair is slowed. One of beta_slow turns or fewer is divided by scale: are the turns "
     "train_length · θ / 2π?")
edit(YARN, "a_switch", ".clamp(0, 1)", ".clamp(0, 1).ceil()",
     "this is a switch at beta_slow turns: slowed below, kept above. Between the betas the two are "
     "mixed, along a line.")
edit(YARN, "a_switch_at_the_fast_end", ".clamp(0, 1)", ".clamp(0, 1).floor()",
     "this is a switch at beta_fast turns: slowed below, kept above. Between the betas the two are "
     "mixed, along a line.")
edit(YARN, "a_switch_in_the_middle", ".clamp(0, 1)", ".clamp(0, 1).round()",
     "this is a switch: a pair is slowed or kept. Between the betas the two are mixed, along a "
     "line.")
edit(YARN, "not_clamped", ".clamp(0, 1)", "",
     "γ leaves the range from 0 to 1, so that some pairs get faster than they were and others "
     "slower than θ / scale.")
edit(YARN, "no_lower_end", ".clamp(0, 1)", ".clamp(max=1)",
     "γ falls below 0 where a pair makes fewer turns than beta_slow, and then θ gets smaller than "
     "θ / scale. Cut it off at both ends.")
edit(YARN, "no_upper_end", ".clamp(0, 1)", ".clamp(min=0)",
     "γ rises above 1 where a pair makes more turns than beta_fast, and then θ gets larger than it "
     "was. Cut it off at both ends.")
edit(YARN, "if_on_a_tensor", "turns - beta_slow) / (beta_fast - beta_slow)",
     "turns if turns >= beta_fast else beta_slow) / (beta_fast - beta_slow)",
     "`if` needs one answer, and every pair has its own. Use `clamp` or `torch.where`, which "
     "decide for each.", raises=True)
edit(YARN, "gamma_alone", GAMMA, "gamma",
     "this is γ. What is asked for is the mixture γ θ + (1 − γ) θ / scale.")
edit(YARN, "kept_part_alone", GAMMA, "gamma * frequencies",
     "the slowed part, (1 − γ) θ / scale, is missing: the slow pairs would not turn at all.")
edit(YARN, "slowed_part_alone", GAMMA, "(1 - gamma) * frequencies / scale",
     "the part that is kept, γ θ, is missing: the fast pairs would not turn at all.")
edit(YARN, "slowed_without_weight", GAMMA, "gamma * frequencies + frequencies / scale",
     "θ / scale comes in whole. Its weight is 1 − γ, so that the two weights add up to 1.")
edit(YARN, "theta_lost", GAMMA, "gamma * frequencies + (1 - gamma) / scale",
     "the slowed part has lost its θ: it is (1 − γ) θ / scale.")
edit(YARN, "scale_twice", GAMMA, "gamma * frequencies + (1 - gamma) * frequencies / scale ** 2",
     "slow pairs are divided by scale twice.")
edit(YARN, "times_pi", "/ (2 * math.pi)", "/ 2 * math.pi",
     "this divides by 2 and multiplies by π. 2π needs brackets.")
edit(YARN, "no_two_pi", " / (2 * math.pi)", "",
     "train_length · θ is the angle in radians. A turn is 2π of them.")
edit(YARN, "upside_down", "train_length * frequencies / (2 * math.pi)",
     "2 * math.pi / (train_length * frequencies)",
     "the turns are upside down: that is which part of a turn one train_length is.")
edit(YARN, "whole_turns", "(2 * math.pi)", "(2 * math.pi) // 1",
     "the turns are cut to whole ones. Parts of a turn count: the ramp is a line.")
edit(YARN, "half_turns", "(2 * math.pi)", "math.pi",
     "these are half turns: one turn is 2π.")
edit(YARN, "the_new_length", "train_length * frequencies", "scale * train_length * frequencies",
     "the turns are counted over the new length. What a pair has seen is what it did in training: "
     "train_length.")
edit(YARN, "a_shorter_length", "train_length * frequencies", "train_length / scale * frequencies",
     "the length of training is divided by scale. train_length is what the pairs have seen: L, "
     "and scale · L is the new one.")
edit(YARN, "wavelengths", "turns = train_length * frequencies / (2 * math.pi)",
     "turns = 2 * math.pi / frequencies",
     "these are wavelengths in positions. Divide train_length by them: how many fit?")
edit(YARN, "sped_up", "frequencies / scale", "frequencies * scale",
     "the slow pairs are made faster. They have to cover scale times as many positions with the "
     "angles they know: divide.")
edit(YARN, "slow_beta_fixed", "turns - beta_slow) / (beta_fast - beta_slow)",
     "turns - 1) / (beta_fast - 1)",
     "1 stands in the code where `beta_slow` should.")
edit(YARN, "fast_beta_fixed", "beta_fast - beta_slow", "32 - beta_slow",
     "32 stands in the code where `beta_fast` should.")
edit(YARN, "betas_of_the_paper", "(turns - beta_slow) / (beta_fast - beta_slow)",
     "(turns - 1) / (32 - 1)",
     "1 and 32 stand in the code where `beta_slow` and `beta_fast` should.")
edit(YARN, "geometric", GAMMA, "frequencies * scale ** (gamma - 1)",
     "this is a mixture by powers, θ / scale^(1 − γ). The paper's is γ parts of one and 1 − γ of "
     "the other, added.")
edit(YARN, "in_place", f"return {GAMMA}", "frequencies *= gamma + (1 - gamma) / scale\n    "
     "return frequencies",
     "`*=` writes into the frequencies of whoever called. Return a new tensor.", raises=True)
edit(YARN, "from_zero", "(turns - beta_slow) / (beta_fast - beta_slow)", "turns / beta_fast",
     "the line starts at 0 turns. It is 0 at beta_slow and 1 at beta_fast.")
edit(YARN, "wrong_span", "/ (beta_fast - beta_slow)", "/ beta_fast",
     "the line does not reach 1 at beta_fast: its span is beta_fast − beta_slow.")
edit(YARN, "betas_added", "/ (beta_fast - beta_slow)", "/ (beta_fast + beta_slow)",
     "the line does not reach 1 at beta_fast: its span is beta_fast − beta_slow, and this is the "
     "sum.")
edit(YARN, "by_index", "gamma = ((turns - beta_slow) / (beta_fast - beta_slow)).clamp(0, 1)",
     """order = torch.arange(len(turns), dtype=turns.dtype)
    fast, slow = float((turns >= beta_fast).sum()), float((turns > beta_slow).sum())
    gamma = 1 - ((order - fast) / max(slow - fast, 1e-3)).clamp(0, 1)""",
     "the line runs over the number i of the pair, as some libraries have it. In the paper, and "
     "here, it runs over the turns of the pair.")
edit(YARN, "from_a_library", "gamma = ((turns - beta_slow) / (beta_fast - beta_slow)).clamp(0, 1)",
     """count = len(frequencies)
    low, high = (count * math.log(train_length / (beta * 2 * math.pi)) / math.log(10000)
                 for beta in (beta_fast, beta_slow))
    low, high = max(math.floor(low), 0), min(math.ceil(high), 2 * count - 1)
    order = torch.arange(count, dtype=frequencies.dtype)
    gamma = 1 - ((order - low) / max(high - low, 1e-3)).clamp(0, 1)""",
     "this is the line of the paper's code and of libraries: over the number i of the pair, for "
     "base 10000. Here it runs over the turns that each of `frequencies` makes.")
edit(YARN, "in_the_logarithm", "(turns - beta_slow) / (beta_fast - beta_slow)",
     "(turns / beta_slow).log() / math.log(beta_fast / beta_slow)",
     "the ramp is a line in the logarithm of the turns. It is a line in the turns.")
edit(YARN, "wavelengths_mixed", GAMMA, "frequencies / (gamma + (1 - gamma) * scale)",
     "the wavelengths are mixed. The frequencies are: γ θ + (1 − γ) θ / scale.")
edit(YARN, "line_in_wavelengths", "gamma = ((turns - beta_slow) / (beta_fast - "
         "beta_slow)).clamp(0, 1)",
     """longest, shortest = train_length / beta_slow, train_length / beta_fast
    gamma = ((longest - train_length / turns) / (longest - shortest)).clamp(0, 1)""",
     "the line runs over the wavelengths. It runs over the turns, which are train_length divided "
     "by them.")
edit(YARN, "with_the_temperature", GAMMA,
     "(gamma * frequencies + (1 - gamma) * frequencies / scale) * (0.1 * math.log(scale) + 1)",
     "the factor for the scores has got into the frequencies. It belongs to q and k, and has a "
     "function of its own.")

edit(FACTOR, "squared", "0.1 * math.log(scale) + 1", "(0.1 * math.log(scale) + 1) ** 2",
     "this is 1/t, the factor of the scores. q and k get its root each, and the product of the two "
     "makes it up.")
edit(FACTOR, "inverse", "0.1 * math.log(scale) + 1", "1 / (0.1 * math.log(scale) + 1)",
     "this makes scores smaller, and attention flatter. t is below 1, and q and k are divided by "
     "its root: they grow.")
edit(FACTOR, "temperature", "0.1 * math.log(scale) + 1", "1 / (0.1 * math.log(scale) + 1) ** 2",
     "this is t itself. q and k are multiplied by 1/√t = 0.1 ln(scale) + 1.")
edit(FACTOR, "one_over_root", "0.1 * math.log(scale) + 1", "(0.1 * math.log(scale) + 1) ** -0.5",
     "0.1 ln s + 1 is √(1/t) already. No root and no quotient is left to take.")
edit(FACTOR, "base_ten", "math.log(scale)", "math.log10(scale)",
     "log base 10 is used. The formula has the natural logarithm.")
edit(FACTOR, "base_two", "math.log(scale)", "math.log2(scale)",
     "log base 2 is used. The formula has the natural logarithm.")
edit(FACTOR, "no_one", "0.1 * math.log(scale) + 1", "0.1 * math.log(scale)",
     "the 1 is missing: without an extension, scale = 1, nothing may change.")
edit(FACTOR, "one_inside", "0.1 * math.log(scale) + 1", "0.1 * (math.log(scale) + 1)",
     "the 1 stands inside the bracket. For scale = 1 the factor has to be 1.")
edit(FACTOR, "root", "0.1 * math.log(scale) + 1", "(0.1 * math.log(scale) + 1) ** 0.5",
     "a root too many: 0.1 ln(scale) + 1 is √(1/t) already.")
edit(FACTOR, "doubled", "0.1 * math.log(scale) + 1", "2 * (0.1 * math.log(scale) + 1)",
     "this is twice the factor. q and k get it once each: 1 for scale = 1.")
edit(FACTOR, "whole_logarithm", "0.1 * math.log(scale)", "math.log(scale)",
     "the logarithm stands there whole. A tenth of it is taken.")
edit(FACTOR, "two_tenths", "0.1 * math.log(scale)", "0.2 * math.log(scale)",
     "0.2 is for both vectors together, and nearly. q gets 0.1 ln(scale) + 1, and k as well.")
edit(FACTOR, "falling", "0.1 * math.log(scale) + 1", "1 - 0.1 * math.log(scale)",
     "this falls with scale, and attention gets flatter. q and k have to grow: 1 + 0.1 ln(scale).")
edit(FACTOR, "one_more_inside", "math.log(scale)", "math.log(scale + 1)",
     "1 is added before the logarithm. For scale = 1 the factor has to be 1.")
edit(FACTOR, "a_power", "0.1 * math.log(scale) + 1", "scale ** 0.1",
     "this is scale^0.1 = exp(0.1 ln(scale)), which starts like the fit and grows faster. It is "
     "0.1 ln(scale) + 1.")
edit(FACTOR, "torch_on_a_number", "math.log(scale)", "torch.log(scale)",
     "torch.log takes a tensor, and `scale` is a number: use math.log.", raises=True)
edit(FACTOR, "one", "0.1 * math.log(scale) + 1", "1.0",
     "nothing grows. The factor is 1 for scale = 1 only: 0.1 ln(scale) + 1.")
edit(FACTOR, "linear", "0.1 * math.log(scale) + 1", "0.1 * scale + 1",
     "the logarithm is missing: 0.1 ln(scale) + 1.")
