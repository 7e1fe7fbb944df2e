"""Known wrong answers to KVCache: the reference with a piece or two replaced."""

from .. import Mistake, add, edit, reference

CACHE = "kv_cache.KVCache"
START = "start, end = self.filled[layer], self.filled[layer] + T"
REFUSE = "if end > self.max_len:"
WRITE_K = "self.keys[layer][:, :, start:end] = k.detach()"
WRITE_V = "self.values[layer][:, :, start:end] = v.detach()"
GIVE = "return self.keys[layer][:, :, :end], self.values[layer][:, :, :end]"
VALUES = "self.values = [torch.zeros_like(room) for _ in range(n_layer)]"
COUNT = "self.filled[layer] = end\n"
LENGTH = "return min(self.filled)"
RESET = "self.filled = [0] * len(self.filled)"


def edits(name: str, pieces: dict[str, str], message: str, raises: bool = False) -> None:
    """Register the reference answer with several pieces replaced."""
    module, source = reference(CACHE)
    for old, new in pieces.items():
        if old not in source:
            raise ValueError(f"{CACHE}: its answer does not contain {old!r}")
        source = source.replace(old, new)
    space = dict(vars(module))
    exec(compile(source, f"<{name}>", "exec"), space)
    add(CACHE, Mistake(name, message, space["KVCache"], source, raises))


edits("first_step_not_stored",
      {WRITE_K: f"if start: {WRITE_K}", WRITE_V: f"if start: {WRITE_V}",
       GIVE: f"if not start: return k, v\n        {GIVE}"},
      "the first tokens are handed back and never written: from the second step on their keys and "
      "values are zeros. Write in every step.")
edit(CACHE, "place_zero_skipped", START, "start, end = self.filled[layer] + 1, "
     "self.filled[layer] + 1 + T", "place 0 stays empty: the first token belongs there. What is "
     "filled so far is where the next one begins.")
edits("always_at_the_front", {START: "start, end = 0, T", COUNT: "self.filled[layer] += T\n"},
      "each step writes at place 0, over what was there. It begins where the layer is filled.")
edit(CACHE, "new_ones_alone", GIVE, "return k, v",
     "the new keys and values alone are given back. The queries have to meet all earlier ones too: "
     "give everything up to `end`.")
edit(CACHE, "old_ones_alone", GIVE,
     "return self.keys[layer][:, :, :start], self.values[layer][:, :, :start]",
     "the new tokens are missing in what is given back: a token attends to itself too.")
edit(CACHE, "whole_buffer", GIVE, "return self.keys[layer], self.values[layer]",
     "all max_len places are given back, the empty ones too. A key of zeros has a score of 0, and "
     "exp(0) = 1: cut at `end`.")
edit(CACHE, "in_front", GIVE, """\
n = self.keys[layer][:, :, :start], self.values[layer][:, :, :start]
        return torch.cat([k, n[0]], 2), torch.cat([v, n[1]], 2)""",
     "the new tokens stand in front. Positions go up: earlier ones first, the new ones last.")
edit(CACHE, "time_before_heads", GIVE, "return self.keys[layer][:, :, :end].transpose(1, 2), "
     "self.values[layer][:, :, :end].transpose(1, 2)",
     "what is given back has the tokens before the heads. Attention wants [B, Hkv, S, Dh], as it "
     "came.")
edit(CACHE, "swapped", GIVE, "return self.values[layer][:, :, :end], self.keys[layer][:, :, :end]",
     "keys and values are swapped in what is given back.")
edits("keys_twice", {WRITE_V: WRITE_V.replace("v.detach", "k.detach")},
      "keys are stored as values too.")
edits("one_layer_for_all", {"self.keys[layer]": "self.keys[0]", "self.values[layer]":
                            "self.values[0]"},
      "`layer` picks the count and not the memory, so the layers write over each other. Each has "
      "keys and values of its own: self.keys[layer].")
edits("slice_of_heads", {":, :, start:end]": ":, start:end]", ":, :, :end]": ":, :end]"},
      "the slice stands where the heads are. A layer has [B, Hkv, S, Dh]: two colons before "
      "start:end.", raises=True)
edit(CACHE, "adds", "start:end] = ", "start:end] += ",
     "the new numbers are added to what stands there. That goes well until a reset: the places "
     "still hold the old text, so write with =.")
edit(CACHE, "cut_at_length", ":end], self.values[layer][:, :, :end]",
     ":self.length], self.values[layer][:, :, :self.length]",
     "it is cut at `length`, which within a step still counts the earlier tokens only. This layer "
     "holds `end` of them by now.")
edits("one_count_for_all",
      {START: "start, end = self.filled[0], self.filled[0] + T",
       COUNT: "self.filled = [end] * len(self.filled)\n"},
      "the count goes up with each layer, so layer 1 writes behind the place where layer 0 wrote. "
      "Within a step all layers write to the same places.")
edit(CACHE, "length_of_the_fullest", LENGTH, "return max(self.filled)",
     "length goes up when the first layer is filled. The layers behind it still ask where the new "
     "tokens begin: count what *every* layer holds.")
edit(CACHE, "length_of_all_layers", LENGTH, "return sum(self.filled)",
     "that adds the layers. A position is one token, in however many layers.")
edit(CACHE, "steps_counted", COUNT, "self.filled[layer] += 1\n",
     "steps are counted, not tokens: a step may bring several. It goes up by T.")
edit(CACHE, "newest_step_alone", COUNT, "self.filled[layer] = T\n",
     "the count is that of the newest step alone. It has to go up by T, from what it was.")
edit(CACHE, "length_as_float", LENGTH, "return float(min(self.filled))",
     "`length` is a float. Positions are counted: an int, which torch.arange and slices can use.",
     raises=True)
edit(CACHE, "room_as_length", LENGTH, "return self.keys[0].shape[2]",
     "that is the room, not what is filled.")
edit(CACHE, "never_refuses", REFUSE, "if False:",
     "nothing is refused: one token too many is written into a slice of no places and lost, and "
     "torch says nothing.")
edit(CACHE, "start_is_compared", REFUSE, "if start > self.max_len:",
     "the place where the new tokens begin is compared with max_len. What has to fit is where they "
     "end.")
edit(CACHE, "nothing_is_raised", 'raise ValueError(f"{T} tokens', 'return None  # (f"{T} tokens',
     "when it is full, update returns early and gives nothing. Whoever calls it finds out later, "
     "or never: raise a ValueError.", raises=True)
edits("cuts_in_silence",
      {REFUSE: "T = min(T, self.max_len - start)\n        end = start + T\n        "
               "k, v = k[:, :, :T], v[:, :, :T]\n        if False:"},
      "tokens for which there is no room are dropped without a word. Raise a ValueError.")
edits("keeps_what_fits", {REFUSE: """if end > self.max_len:
            n = self.max_len - start
            self.keys[layer][:, :, start:] = k[:, :, :n]
            self.values[layer][:, :, start:] = v[:, :, :n]
            self.filled[layer] = self.max_len
        if end > self.max_len:"""},
      "a step that is refused leaves some of its tokens behind. Look for room first, for all of "
      "them, and then write.")
edits("wraps", {START: START + "\n        if end > self.max_len:\n            start, end = 0, T"},
      "when it is full, it starts again at place 0 and forgets what was there. A model would go on "
      "with wrong positions: raise a ValueError.")
edits("drops_the_oldest",
      {REFUSE: """if end > self.max_len and T <= self.max_len:
            self.keys[layer] = self.keys[layer].roll(self.max_len - end, 2)
            self.values[layer] = self.values[layer].roll(self.max_len - end, 2)
            start, end = self.max_len - T, self.max_len
        if end > self.max_len:"""},
      "when it is full, the oldest tokens make room. Then the positions of the others are wrong: "
      "raise a ValueError, and let the caller decide.")
edit(CACHE, "last_place_unused", REFUSE, "if end >= self.max_len:",
     "a step that fills the last place is refused. It fits: `end` may be max_len.")
edits("counts_then_refuses", {REFUSE: f"{COUNT}        {REFUSE}", COUNT + "        return":
                              "return"},
      "the step is counted before it is refused, so the cache claims tokens that it does not hold. "
      "Look for room first, then change anything.")
edit(CACHE, "reset_does_nothing", RESET, "pass",
     "after reset the old tokens are still there: a second text would attend to the first.")
edit(CACHE, "reset_clears_the_numbers_alone", RESET,
     "for each in (*self.keys, *self.values):\n            each.zero_()",
     "reset sets the numbers to 0 and leaves the count, so the next text comes behind places full "
     "of zeros. The count is what makes a place filled.")
edit(CACHE, "reset_of_one_layer", RESET, "self.filled[0] = 0",
     "only layer 0 is reset. The other layers go on behind the old text.")
edit(CACHE, "default_dtype", "torch.zeros(sizes[1:], dtype=self.dtype, device=device)",
     "torch.zeros(sizes[1:])", "the memory is made in torch's default dtype, and float64 keys are "
     "cut to float32 in it. Use `dtype`.")
edit(CACHE, "new_memory_at_reset", RESET,
     f"{RESET}\n        self.keys = [torch.zeros_like(old) for old in self.keys]"
     "\n        self.values = [torch.zeros_like(old) for old in self.values]",
     "a reset takes new memory and fills it with zeros. The old may stay, with its numbers: "
     "places behind the count are written before anybody reads them.")
edits("copied_at_each_step", {
    WRITE_K: f"self.keys[layer] = self.keys[layer].clone()\n        {WRITE_K}",
    WRITE_V: f"self.values[layer] = self.values[layer].clone()\n        {WRITE_V}"},
      "each update copies all that the cache holds. The memory is taken at the start; write into "
      "slices of it.")
edit(CACHE, "device_unused", ", device=device)", ")",
     "`device` is not used, so keys and values stay on the processor when the model is elsewhere.",
     raises=True)
edit(CACHE, "one_array_for_both", VALUES, "self.values = self.keys",
     "keys and values share one array, so values are written over the keys. Take a second one.")
edit(CACHE, "spoils_its_input", WRITE_V, WRITE_V + "\n        k.zero_(), v.zero_()",
     "k or v is changed. They belong to the caller; write to your own memory alone.", raises=True)
edits("room_doubled", {"torch.zeros(sizes[1:],": "torch.zeros((2, *sizes[1:]),",
                       "self.keys[layer]": "self.keys[layer][0]",
                       "self.values[layer]": "self.values[layer][0]"},
      "twice the memory is taken that keys and values need. One array for keys, one for values.")
edits("grows", {
    "torch.zeros(sizes[1:], dtype=self.dtype, device=device)": "torch.zeros(0)",
    VALUES: "self.kept = [None] * n_layer",
    WRITE_K: """old = self.kept[layer] if start else (k[:, :, :0], v[:, :, :0])
        self.kept[layer] = tuple(torch.cat(pair, 2) for pair in zip(old, (k, v), strict=True))""",
    WRITE_V: "", GIVE: "return self.kept[layer]"},
      "the memory grows with each step: torch.cat makes a new array and copies all that was there. "
      "Take all of it at the start, and write into slices.")
edit(CACHE, "length_is_a_method", "@property\n    def length", "def length",
     "`length` is read without brackets, as `cache.length`. Put @property above it.", raises=True)
edits("first_new_token_alone", {WRITE_K: "self.keys[layer][:, :, start] = k.detach()[:, :, 0]",
                                WRITE_V: "self.values[layer][:, :, start] = v.detach()[:, :, 0]"},
      "only the first of the new tokens is written. A step may bring several: start:end.")
