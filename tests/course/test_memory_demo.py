"""The memory demo and the pictures of lesson 11 without a browser."""

import matplotlib
import pytest

from course import pictures_cache
from course.widgets import memory as demos

matplotlib.use("Agg")


def cache_bytes(n_layer: int, n_kv_head: int, head_dim: int, seq_len: int, batch_size: int,
                bytes_per_value: int) -> int:
    return 2 * n_layer * n_kv_head * head_dim * seq_len * batch_size * bytes_per_value


def test_the_demo_begins_with_the_sizes_of_its_model() -> None:
    demo = demos.memory_demo("LLaMA-2 70B", tokens=1000, texts=3).demo
    assert (demo.layers, demo.kv_heads, demo.head_width, demo.texts) == (80, 8, 128, 3)
    assert demo.cards == [8, 12, 24] and demo.tokens == 1000
    with pytest.raises(ValueError, match="LLaMA-2 70B"):
        demos.memory_demo("no such model")


# D, query heads, feed-forward, vocabulary, and the biases of q, k and v: from the same config.json
PUBLISHED = {"LLaMA-2 7B": (4096, 32, 11008, 32000, False),
             "Llama-3.1 8B": (4096, 32, 14336, 128256, False),
             "Qwen2.5 7B": (3584, 28, 18944, 152064, True),
             "LLaMA-2 70B": (8192, 64, 28672, 32000, False),
             "LLaMA-2 70B, if it had 64 key heads": (8192, 64, 28672, 32000, False)}


@pytest.mark.parametrize("name", PUBLISHED)
def test_weights_of_a_model_follow_from_its_sizes(name: str) -> None:
    layers, Hkv, Dh, billions = demos.MODELS[name]
    D, H, F, V, biases = PUBLISHED[name]
    attention = 2 * D * H * Dh + 2 * D * Hkv * Dh + biases * (H + 2 * Hkv) * Dh
    weights = 2 * V * D + layers * (attention + 3 * D * F + 2 * D) + D
    assert D == H * Dh and weights / 1e9 == pytest.approx(billions, rel=5e-4)


def test_weights_of_gpt2() -> None:
    layers, H, Dh, billions = demos.MODELS["GPT-2 small"]
    D = H * Dh
    block = 12 * D * D + 13 * D  # with biases and two norms
    weights = (50257 + 1024) * D + layers * block + 2 * D
    assert weights == 124_439_808 and weights / 1e9 == pytest.approx(billions, rel=5e-3)


def test_every_model_is_within_the_sliders() -> None:
    for name in demos.MODELS:
        panel = demos.memory_demo(name)
        for child in panel.children:
            if hasattr(child, "max") and hasattr(child, "base"):
                assert child.base**child.min <= child.value <= child.base**child.max, name
            elif hasattr(child, "max"):
                assert child.min <= child.value <= child.max, name


def test_numbers_stand_beside_those_of_the_browser(capsys: pytest.CaptureFixture[str]) -> None:
    panel = demos.memory_demo("LLaMA-2 7B", texts=2)
    assert repr(panel) == "Panel(memory)"
    assert panel.beside(cache_bytes) is None
    assert "no browser" in capsys.readouterr().out
    panel.demo.seen = {"cache": 2**32}
    assert panel.beside(cache_bytes) is True
    panel.demo.cache_type = 0
    assert panel.beside(cache_bytes) is False
    assert "8,589,934,592" in capsys.readouterr().out


def test_pictures() -> None:
    cached = pictures_cache.steps(prompt=3, new=2).axes[3]
    filled = [patch for patch in cached.patches if not patch.get_hatch()]
    assert len(filled) == 4 and len(cached.patches) == 10  # the newest query, of four
    bars = pictures_cache.cards({"a": (3.0, 2.0, 1.0), "b": (1.0, 0.5, 1.0)}).axes[0]
    assert [bar.get_width() for bar in bars.patches] == [3, 2, 1, 1, 0.5, 1]
    assert bars.patches[1].get_x() == 3
    pictures_cache.times([16, 32], [1.0, 2.0], [0.5, 0.6], 0.001, 0.4)
    curve = pictures_cache.shares([10], [30, 60]).axes[0].lines[0]
    assert list(curve.get_ydata()) == pytest.approx([1 / 3, 1 / 2])
    matplotlib.pyplot.close("all")
