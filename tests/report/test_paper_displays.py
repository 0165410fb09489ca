"""Would catch: drawings of the paper's Figures 3 and 4 whose labels overlap, or that show another run."""

from fractions import Fraction

import numpy as np
import pytest
from layout import faults, texts_of
from matplotlib.figure import Figure

from reticent.classes import FiniteClass, families, shattered_tree
from reticent.errors import MissingExtraError, ParameterError
from reticent.prediction import CandidateSequence, Constants
from reticent.prediction.candidate_sequence import CandidateGroup, Sample
from reticent.randomness import SeededSource
from reticent.report.groups_display import GroupsDisplay
from reticent.report.path_display import PathBlock, PathDisplay


def sequence_after(batches, table, groups=24, samples=3):
    """A `CandidateSequence`, its last batch and what was selected then."""
    constants = Constants(
        table.littlestone_dimension(), samples, 9, len(batches), groups, 72,
        selection=(Fraction(6), Fraction(1, 20)),
        acceptance=(Fraction(1), Fraction(1, 40)),
        mirror=(Fraction(1), Fraction(1, 20)),
    )  # fmt: skip
    sequence = CandidateSequence(table, constants, SeededSource(1))
    for batch in batches:
        chosen = sequence.following(batch)
    return sequence, batches[-1], chosen


THRESHOLDS = FiniteClass(np.tri(9, 8, -1, dtype=bool)[:, ::-1])
FIRST, SECOND = [(1, False), (2, False)] * 36, [(3, True), (4, True), (5, True)] * 24


def test_groups_hold_what_they_kept_of_each_batch():
    """Catches samples of another batch, more than n of them, and lists that do not agree with them."""
    sequence, _, _ = sequence_after([FIRST, SECOND], THRESHOLDS)
    assert len(sequence.groups) == 24
    for group in sequence.groups:
        for sample in group.samples:
            assert set(sample.examples) <= {*FIRST} if sample.batch == 1 else {*sample.examples} <= {*SECOND}
            assert 1 <= len(sample.examples) <= 3
            assert all(h(x) == y for h in group.essential for x, y in sample.examples)
    assert {sample.batch for group in sequence.groups for sample in group.samples} == {1, 2}


def displays():
    sequence, batch, chosen = sequence_after([FIRST, SECOND], THRESHOLDS)
    yield "as in the paper", GroupsDisplay(2, batch, sequence.groups, chosen, "thresholds:8")
    sequence, batch, chosen = sequence_after([SECOND], THRESHOLDS, groups=1)
    yield "one group", GroupsDisplay(1, batch, sequence.groups, chosen)
    sequence, batch, chosen = sequence_after([FIRST] * 5, THRESHOLDS, groups=2, samples=9)
    yield "many samples, nothing selected", GroupsDisplay(5, batch, sequence.groups, None)
    yield "empty groups", GroupsDisplay(1, [], [CandidateGroup((), ())] * 3, None)
    names = [f"the {k}-th $instance of many$" for k in range(8)]
    sample = Sample(1, tuple((name, True) for name in names))
    full = FiniteClass(THRESHOLDS.labels, names)
    group = CandidateGroup((sample,) * 4, tuple(full.members()))
    yield (
        "long names",
        GroupsDisplay(1, list(sample.examples), [group] * 3, next(full.members()), "$a long name$" * 9),
    )
    tree = shattered_tree(families.tree(4))
    blocks = [PathBlock(False, 30, 4830, 9.5), PathBlock(True, 30, 4830, 0), PathBlock(True, 10**6, 10**9, 1 / 3)]
    yield "a path", PathDisplay(tree, blocks, "a private learner (mean of 20 runs)", "tree:4")
    for label in (False, True):
        small = PathDisplay(shattered_tree(families.tree(2)), [PathBlock(label, 1, 2, 1)], "a learner")
        yield f"depth two, {label}", small
    deep = shattered_tree(FiniteClass(families.tree(3).labels, names[:7]))
    yield "a path with long names", PathDisplay(deep, blocks[:2], "a learner", "$a long name$" * 9)


DISPLAYS = dict(displays())


@pytest.mark.parametrize("kind", DISPLAYS)
def test_nothing_overlaps(kind):
    figure = DISPLAYS[kind].plot().figure_
    assert faults(figure) == []
    assert "curator only" in texts_of(figure)


def test_the_groups_are_those_of_the_run():
    texts = texts_of(DISPLAYS["as in the paper"].plot().figure_)
    sequence, _, chosen = sequence_after([FIRST, SECOND], THRESHOLDS)
    assert texts.count(str(chosen)) == 1 + sum(chosen in sequence.groups[i].essential for i in (0, 1, 23))
    assert "72 examples\n\n24 × (3, 1)\n24 × (4, 1)\n24 × (5, 1)" in texts
    assert {"$S_{1}$", "$S_{2}$", "$S_{24}$", "$h_{2}$"} <= set(texts)


def test_the_path_is_that_of_the_labels():
    texts = texts_of(DISPLAYS["a path"].plot().figure_)
    tree = shattered_tree(families.tree(4))
    leaf = tree.zero.zero.one.one
    assert f"h* = {leaf.hypothesis}" in texts
    assert f"x₃ = {tree.zero.zero.one.instance}" in texts
    assert any(
        text.startswith(f"block 2:  ({tree.zero.zero.instance}, 1) × 30,  ({tree.instance}, 0)") for text in texts
    )


def test_they_draw_into_given_axes_and_need_matplotlib(monkeypatch):
    for kind in ("as in the paper", "a path"):
        ax = Figure().subplots()
        assert DISPLAYS[kind].plot(ax).ax_ is ax
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    for kind in ("as in the paper", "a path"):
        with pytest.raises(MissingExtraError, match="plotting needs matplotlib"):
            DISPLAYS[kind].plot()


def test_what_cannot_be_drawn_is_named():
    with pytest.raises(ParameterError, match="groups is empty"):
        GroupsDisplay(1, [], [], None)
    with pytest.raises(ParameterError, match="there are 1 blocks"):
        PathDisplay(shattered_tree(families.tree(4)), [PathBlock(True, 1, 1, 1)], "a learner")
