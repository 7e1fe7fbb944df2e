"""Pictures: what stands where, and that they draw what duck-typed values they are given."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib
import nbformat
import pytest

from course import pictures_graph

matplotlib.use("Agg")


class Node(SimpleNamespace):
    """A Value as an answer in another style may be: no slopes, no op."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def node(*parents: Any) -> Node:
    return Node(data=1.0, grad=0.5, parents=parents)


def graph() -> tuple[list[Node], Node]:
    x, w = node(), node()
    product = node(w, x)
    root = node(x, product)
    return [x, w, product, root], root


def test_children_stand_right_of_all_their_parents_and_no_two_boxes_meet() -> None:
    nodes, root = graph()
    at = pictures_graph.places(root)
    assert set(at) == set(nodes)
    assert all(at[p][0] < at[v][0] for v in nodes for p in v.parents)
    places = list(at.values())
    assert all(abs(a[0] - b[0]) > 1.5 or abs(a[1] - b[1]) > 1.1
               for n, a in enumerate(places) for b in places[:n])


def test_a_graph_is_drawn_with_its_values_and_gradients() -> None:
    _, root = graph()
    figure = pictures_graph.graph(root, {root: "L"})
    texts = [t.get_text() for t in figure.axes[0].texts]
    assert texts.count("grad 0.5") == 4 and "L" in texts
    matplotlib.pyplot.close(figure)


@pytest.mark.parametrize("count", [2, 5])
def test_there_and_back_has_an_arrow_each_way(count: int) -> None:
    figure = pictures_graph.there_and_back([("a", "1", "2")] * count, [("f", "g")] * (count - 1))
    texts = [t.get_text() for t in figure.axes[0].texts]
    assert texts.count("f") == texts.count("g") == count - 1
    matplotlib.pyplot.close(figure)


def test_every_picture_in_a_lesson_is_described_below_it() -> None:
    for path in sorted((Path(__file__).parents[2] / "solutions").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        for cell, below in zip(cells, cells[1:], strict=False):
            data = [o.data for o in cell.get("outputs", []) if "data" in o]
            assert not any("image/png" in each for each in data), (path, cell.id, "no alt text")
            alts = [alt for each in data
                    for alt in re.findall('<img alt="([^"]*)"', each.get("text/html", ""))]
            assert all(len(alt) > 20 for alt in alts), (path, cell.id, alts)
            if alts:
                said = below.source.lstrip()
                assert below.cell_type == "markdown" and said.startswith("*"), (path, cell.id)
