"""Pictures of lesson 08: each wiring has its parts in order, each norm a panel of its own."""

import matplotlib
import torch

from course import pictures_norms

matplotlib.use("Agg")


def test_each_wiring_shows_its_parts_from_left_to_right() -> None:
    figure = pictures_norms.wirings()
    assert len(figure.axes) == len(pictures_norms.WIRINGS)
    for axes, (title, parts) in zip(figure.axes, pictures_norms.WIRINGS.items(), strict=True):
        assert axes.get_title() == title
        placed = sorted((t.get_position()[0], t.get_text()) for t in axes.texts
                        if t.get_text() in ("norm", "F", "+"))
        assert tuple(name for _, name in placed) == parts
    matplotlib.pyplot.close(figure)


def test_vectors_before_and_after_each_norm() -> None:
    x = torch.tensor([[3.0, 1.0], [0.5, 2.0]])
    figure = pictures_norms.flat(x, RMSNorm=x / 2, Layer_norm=-x)
    assert [axes.get_title() for axes in figure.axes] == ["x", "RMSNorm", "Layer norm"]
    assert figure.axes[1].collections[1].get_offsets().tolist() == (x / 2).tolist()
    assert all(axes.collections[0].get_offsets().tolist() == x.tolist() for axes in figure.axes)
    matplotlib.pyplot.close(figure)
