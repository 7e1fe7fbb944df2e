"""The sizes and choices that make a model: one frozen object, refused when it can't work."""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

Norm = Literal["layernorm", "rmsnorm"]
Position = Literal["learned", "sinusoidal", "rope", "none"]
FeedForward = Literal["gelu", "swiglu", "moe"]
CHOICES = {"norm": get_args(Norm), "position": get_args(Position), "ffn": get_args(FeedForward)}
SIZES = ("vocab_size", "block_size", "n_layer", "n_head", "d_model", "n_expert", "top_k")
MAYBE_SIZES = ("n_kv_head", "d_ff", "rope_dim")
SWITCHES = ("qk_norm", "tie_weights", "bias")


@dataclass(frozen=True)
class GPTConfig:
    """What a MiniGPT is made of. `dataclasses.replace(config, n_head=8)` gives a changed copy.

    Raises ValueError, with the offending numbers, for a config that can't work: it is examined
    whenever one is made, so no later piece has to do it again.
    """

    vocab_size: int  # V, tokens the model knows
    block_size: int = 256  # positions it can look at; of a learned table, its rows
    n_layer: int = 4
    n_head: int = 4  # H, query heads
    n_kv_head: int | None = None  # Hkv, key/value heads; None: as many as query heads
    d_model: int = 128  # D, width of the line between the layers
    d_ff: int | None = None  # F, hidden width of the feed-forward; None: see `hidden_width`
    dropout: float = 0.1
    norm: Norm = "layernorm"
    position: Position = "learned"
    ffn: FeedForward = "gelu"
    rope_base: float = 10000.0
    rope_dim: int | None = None  # dims of a head that RoPE turns; None: all of them
    qk_norm: bool = False  # RMSNorm on each head's queries and keys
    tie_weights: bool = True  # the output head is the token embedding
    bias: bool = True  # in every linear layer and LayerNorm; the output head has none
    n_expert: int = 8  # E, for ffn="moe"
    top_k: int = 2  # experts a token is sent to, for ffn="moe"
    capacity_factor: float | None = None  # None: an expert takes every token sent to it

    def __post_init__(self) -> None:
        # the types first: the rest is only asked where they are right
        if faults := self._wrong_types() or self._wrong_ranges() or self._misfits():
            raise ValueError("; ".join(faults))

    @property
    def head_width(self) -> int:
        """Dh, the width of one head: D / H."""
        return self.d_model // self.n_head

    @property
    def kv_heads(self) -> int:
        """Hkv with None resolved: the number of key/value heads."""
        return self.n_head if self.n_kv_head is None else self.n_kv_head

    @property
    def hidden_width(self) -> int:
        """F with None resolved: 4 D for gelu, `swiglu_width(D, 32)` for swiglu and each expert."""
        if self.d_ff is not None:
            return self.d_ff
        if self.ffn == "gelu":
            return 4 * self.d_model
        import minillm.feedforward as feedforward  # lesson 09 writes it; before, nobody asks

        return int(feedforward.swiglu_width(self.d_model, 32))

    @property
    def rope_width(self) -> int:
        """The number of dims of a head that RoPE turns, with None resolved."""
        return self.head_width if self.rope_dim is None else self.rope_dim

    def _wrong_types(self) -> list[str]:
        def wrong(names: list[str], kinds: Any, wanted: str) -> list[str]:
            given = [(name, getattr(self, name)) for name in names]
            return [f"{name} is {value!r}, not {wanted}" for name, value in given
                    if not isinstance(value, kinds) or isinstance(value, bool) != (kinds is bool)]

        given = [n for n in (*MAYBE_SIZES, "capacity_factor") if getattr(self, n) is not None]
        whole = [*SIZES, *(n for n in given if n in MAYBE_SIZES)]
        real = ["dropout", "rope_base", *(n for n in given if n not in MAYBE_SIZES)]
        return (wrong(whole, int, "a whole number") + wrong(real, (int, float), "a number")
                + wrong(list(SWITCHES), bool, "True or False")
                + [f"{name} is {getattr(self, name)!r}; there are {', '.join(known)}"
                   for name, known in CHOICES.items() if getattr(self, name) not in known])

    def _wrong_ranges(self) -> list[str]:
        found = [f"{name} = {value}, but it has to be at least 1" for name in SIZES + MAYBE_SIZES
                 if (value := getattr(self, name)) is not None and value < 1]
        if not 0 <= self.dropout < 1:
            found.append(f"dropout = {self.dropout} is outside 0 ≤ dropout < 1")
        for name in ("rope_base", "capacity_factor"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                found.append(f"{name} = {value}, but it has to be a finite number above 0")
        return found

    def _misfits(self) -> list[str]:
        """Numbers that are possible one by one and not together."""
        found = []
        if self.d_model % self.n_head:
            found.append(f"d_model = {self.d_model} can't be cut into n_head = {self.n_head} heads "
                         f"of equal width: {self.d_model % self.n_head} would be left over")
        if self.n_head % self.kv_heads:
            found.append(f"n_head = {self.n_head} query heads can't share n_kv_head = "
                         f"{self.kv_heads} key heads equally")
        if self.position == "sinusoidal" and self.d_model % 2:
            found.append(f"d_model = {self.d_model} is odd; sine and cosine come in pairs")
        if self.position == "rope" and (self.rope_width % 2 or self.rope_width > self.head_width):
            found.append(f"RoPE can't turn {self.rope_width} of a head's {self.head_width} dims "
                         f"(d_model = {self.d_model}, n_head = {self.n_head}): it turns pairs, and "
                         "no more than there are")
        if self.ffn == "moe" and self.top_k > self.n_expert:
            found.append(f"top_k = {self.top_k} experts for a token, of n_expert = {self.n_expert}")
        return found
