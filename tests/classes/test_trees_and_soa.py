"""Shattered trees and the standard optimal algorithm: each is as good as the other allows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest
from naive import ldim, rows_of, soa
from small_classes import ORACLES, cube, intervals, points, random_classes, thresholds

from reticent.classes import (
    AllFunctions,
    Conjunctions,
    FiniteClass,
    HypothesisClass,
    ShatteredTree,
    families,
    shattered_tree,
)
from reticent.errors import ParameterError

SMALL = [
    *(pytest.param(cls, id=name) for name, cls, d in ORACLES if len(cls) <= 40 and len(cls.instances) <= 40),
    *(pytest.param(cls, id=f"random {k}") for k, cls in enumerate(random_classes(60, 16, 8, seed=6))),
]


#: Those that the definition can do.
TINY = [one for one in SMALL if len(one.values[0]) <= 12 or one.id == "cube 4"]


def paths(tree: ShatteredTree, so_far: tuple = ()) -> Iterator[tuple]:
    if tree.depth == 0:
        yield so_far
    else:
        for y in (False, True):
            yield from paths(tree.child(y), (*so_far, (tree.instance, y)))


@pytest.mark.parametrize("cls", SMALL)
def test_every_path_is_realised_by_the_hypothesis_at_its_leaf(cls: FiniteClass) -> None:
    """Catches a tree that is not shattered, or not complete, or not of full depth."""
    d = cls.littlestone_dimension()
    tree = shattered_tree(cls)
    members = set(cls.members())
    found = list(zip(paths(tree), tree.leaves(), strict=True))
    assert len(found) == 2**d
    for path, leaf in found:
        assert len(path) == d
        assert leaf.hypothesis in members
        assert all(leaf.hypothesis(x) == y for x, y in path)


class Listed(HypothesisClass):
    """A class that only knows how to restrict: what the protocol itself brings is tested on it."""

    def __init__(self, cls: FiniteClass) -> None:
        self.inner = cls

    @property
    def instances(self):
        return self.inner.instances

    def restrict(self, x, y):
        return Listed(self.inner.restrict(x, y))

    def littlestone_dimension(self):
        return ldim(rows_of(self.inner))

    def members(self):
        return self.inner.members()


def test_trees_of_a_class_that_is_no_table() -> None:
    """Catches a tree that needs more than the protocol."""
    tree = shattered_tree(Listed(intervals(4)))
    assert len(list(tree.leaves())) == 2**3
    assert all(
        leaf.hypothesis(x) == y for path, leaf in zip(paths(tree), tree.leaves(), strict=True) for x, y in path
    )
    assert Listed(points(3)).root(2) is None


def test_smaller_trees_and_those_that_are_too_deep() -> None:
    assert shattered_tree(intervals(6), 2).depth == 2
    assert shattered_tree(points(3), 0).hypothesis in set(points(3).members())
    empty = points(3).restrict(0, True).restrict(0, False)
    for cls, depth in ((points(3), 2), (points(3), -1), (empty, 0), (empty, None)):
        with pytest.raises(ParameterError, match="give one from 0 to the class's Littlestone dimension"):
            shattered_tree(cls, depth)
    with pytest.raises(ParameterError, match="this node is a leaf"):
        _ = shattered_tree(points(1)).instance


def test_the_drawing() -> None:
    """Catches joints that do not meet, and names that would break a terminal."""
    cls = FiniteClass([[0, 0, 1], [1, 1, 0], [1, 0, 0]], ["a\x1b[2J", "b", "c"])
    assert str(shattered_tree(cls)) == "\n".join(["       ┌─0─ 001", "a?[2J ─┤", "       └─1─ 110"])
    lines = str(shattered_tree(cube(3))).splitlines()
    assert len(lines) == 15
    for upper, lower in pairwise(lines):
        for above, below in zip(upper, lower, strict=False):
            assert (above in "┌│┤└" and below in "┤│└┌") or above not in "┌│" or below in "│┤└"


def test_the_tree_grows_only_where_it_is_looked_at() -> None:
    """Catches a walk that would build 2^depth nodes."""
    node = shattered_tree(families.tree(12))
    while node.depth:
        node = node.one
    assert str(node.hypothesis).count("1") == 12


def test_leaves_of_a_tree_deeper_than_calls_may_be() -> None:
    """Catches a bare RecursionError."""
    leaf = next(shattered_tree(AllFunctions(1200)).leaves())
    assert (leaf.depth, str(leaf.hypothesis)) == (0, "all zero")
    assert str(shattered_tree(Conjunctions(1200), 1).hypothesis) == "true"


@pytest.mark.parametrize("cls", TINY)
def test_soa_is_the_papers(cls: FiniteClass) -> None:
    """Catches the argmax rule, which differs where both labels lose dimension."""
    rows = rows_of(cls)
    assert tuple(cls.soa(x) for x in cls.instances) == soa(rows)
    assert [cls.soa_hypothesis()(x) for x in cls.instances] == list(soa(rows))
    for x in cls.instances:
        part = cls.restrict(x, True)
        if len(part):
            assert tuple(part.soa(z) for z in cls.instances) == soa(rows_of(part))


@pytest.mark.parametrize("cls", TINY)
def test_no_adversary_gets_more_than_the_dimension_out_of_soa(cls: FiniteClass) -> None:
    """Catches one mistake too many: the adversary tries every realisable sequence of mistakes."""

    @cache
    def worst(space: FiniteClass) -> int:
        mistakes = [space.restrict(x, not space.soa(x)) for x in cls.instances]
        return max((1 + worst(after) for after in mistakes if len(after)), default=0)

    assert worst(cls) == cls.littlestone_dimension()


@pytest.mark.parametrize(
    ("cls", "d"), [pytest.param(cls, d, id=name) for name, cls, d in ORACLES if len(cls) <= 1100]
)
def test_the_walk_down_the_shattered_tree_forces_the_dimension(cls: FiniteClass, d: int) -> None:
    """Catches a tree that is not shattered at sizes where no list of all paths can be had."""
    node, learner = shattered_tree(cls), cls
    for _ in range(d):
        answer = not learner.soa(node.instance)
        learner = learner.restrict(node.instance, answer)
        node = node.child(answer)
    assert node.depth == 0
    assert node.hypothesis in set(learner.members())


def test_soa_of_the_empty_class_is_zero() -> None:
    empty = thresholds(3).restrict(0, True).restrict(0, False)
    assert not any(empty.soa(x) for x in empty.instances)
    assert empty.littlestone_dimension() == -1
    assert empty.is_empty()
    assert not empty.at_least(0)
    assert empty.at_least(-1)
    assert list(empty.members()) == []
