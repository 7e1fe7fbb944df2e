"""What all functions of `minillm.rope` do with their inputs: leave them alone, or refuse them."""

from typing import Any

import pytest
import torch

from ..conftest import normal


def test_inputs_are_left_alone(ref: Any) -> None:
    x, positions, theta = normal(2, 3, 6), torch.arange(3), torch.tensor([1.0, 0.3]).double()
    cos, sin = ref.R.rope_tables(positions, theta)
    for f, *inputs in ((ref.R.apply_rope, x, cos, sin), (ref.R.rope_tables, positions, theta),
                       (ref.R.interpolate_positions, positions, 2.0),
                       (ref.R.yarn_frequencies, theta, 2.0, 50)):
        kept = [i.clone() for i in inputs if isinstance(i, torch.Tensor)]
        f(*inputs)
        after = [i for i in inputs if isinstance(i, torch.Tensor)]
        assert all(torch.equal(a, b) for a, b in zip(kept, after, strict=True)), f.__name__


def test_what_cannot_be_meant_is_refused_with_its_numbers(ref: Any) -> None:
    R, x = ref.R, normal(2, 3, 6)
    tables = R.rope_tables(torch.arange(3), R.rope_frequencies(8))
    with pytest.raises(ValueError, match=r"3 positions and 4 pairs, x is \(2, 3, 6\)"):
        R.apply_rope(x, *tables)
    with pytest.raises(ValueError, match=r"2 positions"):
        R.apply_rope(x, *(t[:2, :3] for t in tables))
    for f in (R.rope_frequencies, R.half_split_order):
        for Dh in (7, 0):
            with pytest.raises(ValueError, match=str(Dh)):
                f(Dh)
    for refused in (lambda: R.interpolate_positions(torch.arange(3), 0.5),
                    lambda: R.ntk_base(10000.0, 0.5, 8), lambda: R.yarn_attention_factor(0.5),
                    lambda: R.yarn_frequencies(torch.ones(2), 0.5, 100)):
        with pytest.raises(ValueError, match=r"0\.5"):
            refused()
    with pytest.raises(ValueError, match="Dh = 2"):
        R.ntk_base(10000.0, 2.0, 2)
    with pytest.raises(ValueError, match="4 < 4"):
        R.yarn_frequencies(torch.ones(2), 2.0, 100, 4, 4)


def test_a_layer_with_rope_ends_where_its_tables_do(ref: Any) -> None:
    config = ref.C.GPTConfig(vocab_size=9, d_model=24, n_head=3, block_size=6, position="rope")
    layer = ref.A.CausalSelfAttention(config)
    assert layer(torch.ones(2, 6, 24)).shape == (2, 6, 24)
    with pytest.raises(ValueError, match="tables for 6 positions"):
        layer(torch.ones(2, 7, 24))
