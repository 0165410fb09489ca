"""Would catch: trees whose labels overlap, leave the page, or are not those of the class."""

import numpy as np
import pytest
from layout import faults, texts_of
from matplotlib.figure import Figure

from reticent.classes import FiniteClass, families, shattered_tree
from reticent.errors import MissingExtraError
from reticent.report.tree_display import TreeDisplay

CLASSES = {
    "no depth": lambda: FiniteClass([[0, 1]]),
    "depth 1": lambda: FiniteClass(np.eye(3)),
    "depth 4": lambda: families.rectangles(3),
    "too deep for a page": lambda: families.tree(9),
    "long names": lambda: FiniteClass(families.tree(3).labels, [f"the {k}-th $instance of many$" for k in range(7)]),
    "many instances": lambda: FiniteClass(np.tri(17, 300, dtype=bool)),
}


@pytest.mark.parametrize("kind", CLASSES)
def test_nothing_overlaps(kind):
    assert faults(TreeDisplay(shattered_tree(CLASSES[kind]()), "a class").plot().figure_) == []


def test_the_picture_shows_the_tree():
    tree = shattered_tree(families.rectangles(3))
    texts = texts_of(TreeDisplay(tree, "rectangles:3").plot().figure_)
    assert "rectangles:3: shattered tree of depth 4" in texts
    assert {str(leaf.hypothesis) for leaf in tree.leaves()} <= set(texts)
    assert [str(tree.instance) in texts, texts.count("0"), texts.count("1")] == [True, 15, 15]


def test_a_tree_that_is_cut_says_so():
    texts = texts_of(TreeDisplay(shattered_tree(families.tree(9))).plot().figure_)
    assert "shattered tree of depth 9, its first 5 levels" in texts
    assert texts.count("…") == 32


def test_names_are_shown_as_they_are():
    cls = FiniteClass([[0, 1], [1, 0]], ["$x$", "\x1b[2J"])
    figure = TreeDisplay(shattered_tree(cls), "$y$").plot().figure_
    assert "$x$" in texts_of(figure)
    assert not any("\x1b" in text for text in texts_of(figure))
    assert faults(figure) == []


def test_it_draws_into_given_axes():
    ax = Figure().subplots()
    assert TreeDisplay(shattered_tree(families.tree(2))).plot(ax).ax_ is ax


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match="plotting needs matplotlib"):
        TreeDisplay(shattered_tree(families.tree(2))).plot()
