"""Would catch: a drawn tree that is another one, names that overlap or read as formulas, colour as the only mark."""

import pytest
from layout import faults, texts_of
from matplotlib.figure import Figure

from reticent.classes import FiniteClass, Intervals, Parities, Points, Thresholds, shattered_tree
from reticent.report.tree_display import TreeDisplay

LONG = FiniteClass([[0, 0], [0, 1], [1, 1]], instances=["$a_1$ and " * 10, "$b$ or " * 10])
TREES = {
    "a leaf": shattered_tree(Points(1)),
    "intervals": shattered_tree(Intervals(6)),
    "deep": shattered_tree(Thresholds(10**6), 7),
    "vectors": shattered_tree(Parities(9), 5),
    "long names": shattered_tree(LONG),
}


@pytest.mark.parametrize("name", TREES)
def test_nothing_overlaps_or_reaches_beyond_the_figure(name):
    display = TreeDisplay(TREES[name], name * 20).plot()
    display.ax_.set_axis_on()  # what the helper looks at
    display.ax_.set_xticks([])
    display.ax_.set_yticks([])
    assert faults(display.figure_) == []


def test_every_instance_and_hypothesis_stands_there():
    tree = TREES["intervals"]
    written = [text.get_text() for text in TreeDisplay(tree, "intervals:6").plot().ax_.texts]
    assert len(written) == 15 + 16
    for leaf in tree.leaves():
        assert str(leaf.hypothesis) in written
    assert written.count(str(tree.instance)) >= 1


def test_labels_are_told_apart_without_colour():
    lines = TreeDisplay(TREES["intervals"], "").plot().ax_.lines
    assert {(line.get_color(), line.get_linestyle()) for line in lines} == {("#0072B2", "-"), ("#D55E00", "--")}
    assert len(lines) == 30 + 2  # with the legend's


def test_a_dollar_sign_starts_no_formula():
    figure = TreeDisplay(TREES["long names"], "").plot().figure_
    (name,) = [text for text in texts_of(figure) if "$" in text]
    assert len(name) <= 24


def test_it_can_be_drawn_into_a_figure_of_ones_own():
    ax = Figure().subplots()
    assert TreeDisplay(TREES["intervals"], "").plot(ax).ax_ is ax
