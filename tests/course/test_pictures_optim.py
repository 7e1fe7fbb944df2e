"""Pictures of lesson 13: every path and every iteration is drawn, in a panel of its own."""

import matplotlib
import numpy as np

from course import pictures_optim

matplotlib.use("Agg")


def test_each_valley_shows_all_its_paths() -> None:
    trail = np.array([[4.0, 1.0], [2.0, -0.5], [0.1, 0.0]])
    valley = (np.diag([1.0, 50.0]), {"one": trail, "another": trail / 2})
    figure = pictures_optim.paths({"as it is": valley, "again": valley})
    assert [axis.get_title() for axis in figure.axes] == ["as it is", "again"]
    for axis in figure.axes:
        lines = {line.get_label(): line for line in axis.lines}
        np.testing.assert_array_equal(lines["one"].get_xydata(), trail)
        assert lines["one"].get_marker() != lines["another"].get_marker()
    matplotlib.pyplot.close(figure)


def test_an_iteration_is_applied_as_often_as_it_says() -> None:
    figure = pictures_optim.iterations({"halved": lambda s: s / 2}, counts=(1, 3))
    once, thrice = figure.axes[0].lines[:2]
    np.testing.assert_allclose(once.get_ydata(), once.get_xdata() / 2)
    np.testing.assert_allclose(thrice.get_ydata(), thrice.get_xdata() / 8)
    assert once.get_linestyle() != thrice.get_linestyle()
    matplotlib.pyplot.close(figure)
