"""GPTConfig: what it refuses, what it takes, and what it makes of None."""

import dataclasses
from typing import Any

import pytest

MODULES = {"C": "minillm.config"}


@pytest.mark.parametrize("fields", [
    {"n_head": 5}, {"n_head": 0}, {"n_head": 4, "n_kv_head": 3}, {"n_kv_head": 8}, {"d_model": 0},
    {"n_kv_head": 0}, {"vocab_size": 0}, {"block_size": -1}, {"n_layer": 0}, {"dropout": 1.0},
    {"dropout": -0.1}, {"dropout": float("nan")}, {"norm": "batchnorm"}, {"position": "alibi"},
    {"ffn": "relu"}, {"d_model": 128.0}, {"n_head": True}, {"bias": 1}, {"d_ff": 0},
    {"position": "rope", "rope_dim": 3}, {"position": "rope", "rope_dim": 34}, {"rope_base": 0.0},
    {"position": "rope", "d_model": 12, "n_head": 4}, {"position": "sinusoidal", "d_model": 9,
                                                       "n_head": 3},
    {"ffn": "moe", "top_k": 9}, {"ffn": "moe", "n_expert": 0}, {"capacity_factor": 0.0}])
def test_a_config_that_cannot_work_is_refused(ref: Any, fields: dict[str, Any]) -> None:
    numbers = [str(v) for v in fields.values() if not isinstance(v, bool)]
    with pytest.raises(ValueError) as told:
        ref.C.GPTConfig(**{"vocab_size": 50} | fields)
    assert any(n in str(told.value) for n in numbers) or fields == {"n_head": True}
    with pytest.raises(ValueError):
        dataclasses.replace(ref.C.GPTConfig(50), **fields)


def test_a_config_that_can_work(ref: Any) -> None:
    config = ref.C.GPTConfig(4000)
    assert dataclasses.astuple(config) == (
        4000, 256, 4, 4, None, 128, None, 0.1, "layernorm", "learned", "gelu", 10000.0, None, False,
        True, True, 8, 2, None)
    assert (config.head_width, config.kv_heads, config.hidden_width, config.rope_width) == (
        32, 4, 512, 32)
    other = dataclasses.replace(config, n_head=8, n_kv_head=2, d_ff=300, rope_dim=4, dropout=0)
    assert (other.head_width, other.kv_heads, other.hidden_width, other.rope_width) == (
        16, 2, 300, 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.n_head = 2
    assert hash(config) == hash(ref.C.GPTConfig(4000)) and config != other
    for fields in ({"n_expert": 1}, {"rope_dim": 3}, {"ffn": "moe", "n_expert": 2},
                   {"position": "none", "d_model": 9, "n_head": 3},
                   {"position": "rope", "rope_dim": 2, "n_head": 1}):
        ref.C.GPTConfig(50, **fields)
