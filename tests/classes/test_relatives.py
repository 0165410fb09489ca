"""The VC and the threshold dimension against their definitions, with witnesses."""

from __future__ import annotations

from itertools import product

import pytest
from limits import refusals
from naive import rows_of, vc
from naive import threshold_dimension as naive_threshold_dimension
from small_classes import cube, intervals, points, random_classes, thresholds

from reticent.classes import (
    FiniteClass,
    embedded_thresholds,
    families,
    shattered_set,
    threshold_dimension,
    vc_dimension,
)


def test_random_classes_against_the_definitions() -> None:
    """Catches a bound that cuts off the best set or sequence."""
    for cls in random_classes(80, 16, 6, seed=4):
        rows = rows_of(cls)
        assert vc_dimension(cls) == vc(rows)
        assert threshold_dimension(cls) == naive_threshold_dimension(rows)
        part = cls.restrict(cls.instances[0], False)
        if len(part):
            assert vc_dimension(part) == vc(rows_of(part))
            assert threshold_dimension(part) == naive_threshold_dimension(rows_of(part))


@pytest.mark.parametrize(
    ("cls", "vc", "thresholds"),
    [
        (thresholds(30), 1, 30),
        (intervals(8), 2, 8),
        (cube(5), 5, 5),
        (points(9), 1, 1),
        (families.tree(5), 1, 5),
        (families.halfspaces(4), 3, 16),
        (families.rectangles(3), 4, 5),
        (families.addressing(16), 4, 4),
        (families.decision_lists(3), 4, 8),
    ],
    ids=["thresholds", "intervals", "cube", "points", "tree", "halfspaces", "rectangles", "addressing", "lists"],
)
def test_known_values(cls: FiniteClass, vc: int, thresholds: int) -> None:
    """Catches an error at sizes that the definitions do not reach."""
    assert vc_dimension(cls) == vc
    assert threshold_dimension(cls) == thresholds


@pytest.mark.parametrize("cls", list(random_classes(40, 20, 8, seed=5)))
def test_witnesses_witness(cls: FiniteClass) -> None:
    """Catches a set or a sequence that is not what it is said to be."""
    members = list(cls.members())
    shattered = shattered_set(cls)
    assert {tuple(h(x) for x in shattered) for h in members} == set(product((False, True), repeat=len(shattered)))
    pairs = embedded_thresholds(cls)
    for i, (_, h) in enumerate(pairs):
        assert h in members
        assert [h(x) for x, _ in pairs] == [i <= j for j in range(len(pairs))]


def test_the_empty_class() -> None:
    empty = points(3).restrict(0, True).restrict(0, False)
    assert vc_dimension(empty) == -1
    assert threshold_dimension(empty) == 0


def test_work_limits_raise_with_a_bracket() -> None:
    """Catches a bracket that does not hold the answer."""
    for measure, exact in ((vc_dimension, 4), (threshold_dimension, 5)):
        ask = lambda limit, measure=measure: measure(families.rectangles(3).with_work_limit(limit))  # noqa: E731
        errors, answer = refusals(ask, (10 * 2**k for k in range(20)))
        assert answer == exact
        assert len(errors) > 2
        assert all(error.lower <= exact <= error.upper for error in errors)
        assert [error.lower for error in errors] == sorted(error.lower for error in errors)
